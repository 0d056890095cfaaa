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
    /// How many more documents match but cannot be read.
    package let unreadable: Int

    package init(documents: [DocumentResponse], total: Int, unreadable: Int) {
        (self.documents, self.total, self.unreadable) = (documents, total, unreadable)
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

/// The spoken part of a document, and the omissions.
package struct SpokenResponse: Encodable, Sendable {
    package struct Stretch: Encodable, Sendable {
        package let from: Int
        package let to: Int
    }

    /// A range of the document's text that is spoken unchanged.
    package struct Piece: Encodable, Sendable {
        /// Its start in the spoken text.
        package let spoken: Int
        package let from: Int
        package let to: Int
    }

    package struct Omission: Encodable, Sendable {
        package let from: Int
        package let to: Int
        /// The index of its mark; null if the person struck it out.
        @Nullable package var mark: Int?
        @Nullable package var role: TextMark.Role?
    }

    /// In a command's answer: the document.
    package let id: Document.ID?
    /// In a command's answer: the whole text.
    package let text: String?
    /// The words for the selection; null for the whole document.
    @Nullable package var part: String?
    /// How many are selected, in whole or in part.
    package let pages: Int
    package let words: Int
    /// UTF-16 units of the spoken text.
    package let characters: Int
    /// The selected ranges.
    package let scopes: [Stretch]
    package let pieces: [Piece]
    package let omissions: [Omission]

    /// - Parameters:
    ///   - spoken: The spoken text.
    ///   - selection: The selection.
    ///   - structure: The document's structure.
    ///   - window: The range in which pieces and omissions are returned; all by default.
    ///   - document: The document, in a command's answer, which has the text too.
    /// - Throws: ``PageRangesError``.
    package init(
        _ spoken: SpokenSelection,
        of selection: DocumentSelection,
        in structure: DocumentStructure,
        within window: TextRange = 0..<Int.max,
        document: Document.ID? = nil
    ) throws {
        id = document
        text = document == nil ? nil : spoken.text
        let chosen = try selection.ranges(in: structure)
        var rest = chosen[...]
        pages = structure.pages.count { page in
            rest = rest.drop { $0.upperBound <= page.range.lowerBound }
            return rest.first?.overlaps(page.range) == true
        }
        words = spoken.text.wordCount
        characters = spoken.text.utf16.count
        scopes = chosen.map { Stretch(from: $0.lowerBound, to: $0.upperBound) }
        pieces = spoken.pieces.filter { $0.source.overlaps(window) }.map { piece in
            Piece(spoken: piece.spoken.lowerBound, from: piece.source.lowerBound, to: piece.source.upperBound)
        }
        omissions = spoken.omissions.filter { $0.source.overlaps(window) }.map { omission in
            Omission(
                from: omission.source.lowerBound,
                to: omission.source.upperBound,
                mark: omission.mark,
                role: omission.mark.map { structure.marks[$0].role }
            )
        }
        part = try selection.part(of: structure)
    }
}
