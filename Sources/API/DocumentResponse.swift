package import EchoText
package import Foundation

/// A document.
package struct DocumentResponse: Encodable, Sendable {
    /// Where a search found its words.
    package struct Place: Encodable, Sendable {
        package let from: Int
        package let to: Int
        package let excerpt: String
        package let page: Int
    }

    package let id: Document.ID
    package let name: String
    package let added: Date
    package let kind: DocumentKind
    /// Bytes of its file.
    package let size: Int
    /// At least 1.
    package let pages: Int
    package let chapters: Int
    package let words: Int
    /// UTF-16 units of its text.
    package let length: Int
    /// From the document itself.
    @Nullable package var title: String?
    @Nullable package var author: String?
    /// A BCP 47 tag.
    @Nullable package var language: String?
    /// Whether there is a thumbnail.
    package let hasPicture: Bool
    package let fileName: String
    /// The place of the search match.
    @Nullable package var place: Place?

    package init(_ document: Document, place: DocumentHit.Place? = nil) {
        (id, name, added) = (document.id, document.name.text, document.added)
        (kind, size) = (document.kind, document.size)
        (pages, chapters) = (document.pages, document.chapters)
        (words, length) = (document.words, document.length)
        (title, author, language) = (document.title, document.author, document.language)
        (hasPicture, fileName) = (document.hasPicture, document.fileName)
        self.place = place.map {
            Place(from: $0.source.lowerBound, to: $0.source.upperBound, excerpt: $0.excerpt, page: $0.page)
        }
    }
}

package struct DocumentListResponse: Encodable, Sendable {
    package let documents: [DocumentResponse]
    package let total: Int

    package init(documents: [DocumentResponse], total: Int) {
        (self.documents, self.total) = (documents, total)
    }
}

/// The import of a document.
package struct ImportResponse: Encodable, Sendable {
    /// In a command's list: the file, as the person named it.
    package let file: String?
    package let document: DocumentResponse
    package let notices: [NoticeReport]
    package let isReused: Bool

    package init(_ outcome: DocumentImport.Outcome, file: String? = nil) {
        self.file = file
        document = DocumentResponse(outcome.document)
        notices = outcome.notices.map(NoticeReport.init)
        isReused = outcome.isReused
    }
}

/// The structure of a document; its text, blocks and marks are requested by ranges.
package struct StructureResponse: Encodable, Sendable {
    package struct Page: Encodable, Sendable {
        package let number: Int
        @Nullable package var label: String?
        package let from: Int
        package let to: Int
    }

    package struct Chapter: Encodable, Sendable {
        package let number: Int
        package let title: String
        package let level: Int
        package let from: Int
        package let to: Int
        /// In a command's answer: the page on which it begins.
        package let page: Int?
    }

    package let kind: DocumentKind
    @Nullable package var title: String?
    @Nullable package var author: String?
    @Nullable package var language: String?
    package let length: Int
    package let pages: [Page]
    package let chapters: [Chapter]
    /// How many marks of each role there are.
    package let marks: [String: Int]
    package let notices: [NoticeReport]

    /// - Parameters:
    ///   - structure: The structure.
    ///   - namesPages: Whether each chapter has its page, as in a command's answer.
    package init(_ structure: DocumentStructure, namesPages: Bool = false) {
        (kind, length) = (structure.kind, structure.length)
        (title, author, language) = (structure.title, structure.author, structure.language)
        pages = structure.pages.map { page in
            Page(number: page.number, label: page.label, from: page.range.lowerBound, to: page.range.upperBound)
        }
        chapters = structure.chapters.enumerated().map { index, chapter in
            Chapter(
                number: index + 1,
                title: chapter.title,
                level: chapter.level,
                from: chapter.range.lowerBound,
                to: chapter.range.upperBound,
                page: namesPages ? structure.page(at: chapter.range.lowerBound) : nil
            )
        }
        marks = structure.marks.reduce(into: [:]) { $0[$1.role.rawValue, default: 0] += 1 }
        notices = structure.notices.map(NoticeReport.init)
    }
}
