package import Foundation

/// A document of the library, without its bytes, text and structure, which are read separately.
///
/// Only the name of a document changes; a document that was edited elsewhere is imported again.
package struct Document: Sendable, Hashable, Codable, Identifiable {
    package typealias ID = Identifier<Document>

    package let id: ID
    package var name: ItemName
    /// When it was imported.
    package let added: Date
    package let kind: DocumentKind
    /// Bytes of the file as it was given.
    package let size: Int
    /// At least 1.
    package let pages: Int
    package let chapters: Int
    package let words: Int
    /// UTF-16 units of its text.
    package let length: Int
    /// From the document's metadata; `nil` if absent.
    package let title: String?
    package let author: String?
    /// BCP 47.
    package let language: String?
    /// Whether there is a picture of its cover or first page.
    package let hasPicture: Bool

    package init(
        id: ID = ID(),
        name: ItemName,
        added: Date,
        kind: DocumentKind,
        size: Int,
        pages: Int,
        chapters: Int,
        words: Int,
        length: Int,
        title: String? = nil,
        author: String? = nil,
        language: String? = nil,
        hasPicture: Bool = false
    ) {
        self.id = id
        self.name = name
        self.added = added
        self.kind = kind
        self.size = size
        self.pages = pages
        self.chapters = chapters
        self.words = words
        self.length = length
        self.title = title
        self.author = author
        self.language = language
        self.hasPicture = hasPicture
    }

    /// The name a file of it gets: its own, with the ending of its kind.
    package var fileName: String {
        var names = FileNames()
        let stem = name.text
        let ending = ".\(kind.fileExtension)"
        let isNamed = stem.lowercased().hasSuffix(ending) && stem.count > ending.count
        return names.name(for: isNamed ? String(stem.dropLast(ending.count)) : stem, fileExtension: kind.fileExtension)
    }
}

/// A long plain text that is read from its stored file, so that memory never holds both the file and its text.
package struct UnreadDocument: Sendable {
    package var name: ItemName
    /// The file as it was given.
    package var bytes: Data
    package var added: Date
    /// Whether it is refused once another document was made of the same bytes.
    package var isUnique: Bool

    package init(name: ItemName, bytes: Data, added: Date, isUnique: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.added = added
        self.isUnique = isUnique
    }
}

/// A document that was read and is to be stored.
package struct NewDocument: Sendable {
    package var name: ItemName
    /// The original file, and the result of reading it.
    package var bytes: Data
    package var content: DocumentText
    /// A small picture of the cover or first page, as PNG or JPEG.
    package var picture: Data?
    package var added: Date
    /// Whether it is refused once another document was made of the same bytes.
    package var isUnique: Bool

    package init(
        name: ItemName,
        bytes: Data,
        content: DocumentText,
        picture: Data? = nil,
        added: Date,
        isUnique: Bool = false
    ) {
        self.name = name
        self.bytes = bytes
        self.content = content
        self.picture = picture
        self.added = added
        self.isUnique = isUnique
    }

    /// The stored document that it becomes.
    package func document() -> Document { document(ofSize: bytes.count) }

    /// The stored document that it becomes, with a file of `size` bytes.
    package func document(ofSize size: Int) -> Document {
        Document(
            name: name,
            // Rounded to the precision that its row can store.
            added: Date(timeIntervalSince1970: added.timeIntervalSince1970),
            kind: content.kind,
            size: size,
            pages: content.pages.count,
            chapters: content.chapters.count,
            words: content.text.wordCount,
            length: content.structure.length,
            title: content.title,
            author: content.author,
            language: content.language,
            hasPicture: picture != nil
        )
    }
}
