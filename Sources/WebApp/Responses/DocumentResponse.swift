import API
import EchoText
import Foundation
import Hummingbird

/// A document as the page shows it in lists.
struct DocumentResponse: ResponseEncodable {
    struct Place: Encodable {
        let from: Int
        let to: Int
        let excerpt: String
        let page: Int
    }

    let id: String
    let name: String
    let added: Date
    let kind: String
    let size: Int
    let pages: Int
    let chapters: Int
    let words: Int
    let length: Int
    @Nullable var title: String?
    @Nullable var author: String?
    @Nullable var language: String?
    let hasPicture: Bool
    let fileName: String
    @Nullable var place: Place?

    init(_ document: Document, place: DocumentHit.Place? = nil) {
        (id, name, added) = (document.id.rawValue, document.name.text, document.added)
        (kind, size) = (document.kind.rawValue, document.size)
        (pages, chapters) = (document.pages, document.chapters)
        (words, length) = (document.words, document.length)
        (title, author, language) = (document.title, document.author, document.language)
        (hasPicture, fileName) = (document.hasPicture, document.fileName)
        self.place = place.map {
            Place(from: $0.source.lowerBound, to: $0.source.upperBound, excerpt: $0.excerpt, page: $0.page)
        }
    }
}

struct DocumentListResponse: ResponseEncodable {
    let documents: [DocumentResponse]
    let total: Int
}

/// The result of an import.
struct ImportResponse: ResponseEncodable {
    let document: DocumentResponse
    let notices: [NoticeReport]
    let isReused: Bool

    init(_ outcome: DocumentImport.Outcome) {
        document = DocumentResponse(outcome.document)
        notices = outcome.notices.map(NoticeReport.init)
        isReused = outcome.isReused
    }
}

/// A stored selection.
struct SelectionResponse: ResponseEncodable {
    private let selection: DocumentSelection

    init(_ selection: DocumentSelection) {
        self.selection = selection
    }

    func encode(to encoder: any Encoder) throws { try selection.encode(to: encoder) }
}
