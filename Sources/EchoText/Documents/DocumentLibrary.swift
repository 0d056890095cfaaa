package import Foundation

/// Any stored bytes, read by range.
package typealias StoredBytes = StoredSound

/// A stretch of a document's text.
package struct DocumentPassage: Sendable, Hashable {
    package var text: String
    /// Its range in the whole text.
    package var range: TextRange

    package init(text: String, range: TextRange) {
        self.text = text
        self.range = range
    }
}

/// The stored documents: the port behind every list of documents, the viewer, and narration.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - changes are atomic, also across a crash: either a document's row, bytes, text and search words all exist, or none
///   of them do;
/// - a change is durable once its call has returned;
/// - calls may overlap.
///
/// Everything throws ``VaultError/locked`` while the vault is locked, and ``LibraryError/documentNotFound`` for an
/// unknown document.
package protocol DocumentLibrary: Sendable {
    /// - Returns: The page of `query`; of equals in its order, the newer comes first, then by id.
    func documents(matching query: DocumentQuery) async throws -> DocumentList

    /// The same documents as ``documents(matching:)``, each with the first match in its text.
    func search(_ query: DocumentQuery) async throws -> [DocumentHit]

    /// The languages that documents say they are in, as BCP 47 tags without a region, in alphabetical order, for filters.
    func languages() async throws -> [String]

    /// Returns `nil` for a document that is not there.
    func document(_ id: Document.ID) async throws -> Document?

    /// Documents whose ids begin with `prefix`, at most `limit`, ordered by id.
    func documents(withIDsBeginning prefix: String, limit: Int) async throws -> [Document]

    /// Documents that were made of these very bytes and can be read, the oldest first.
    func documents(madeOf bytes: Data) async throws -> [Document]

    /// Stores a document; each part is released from memory once it is stored.
    ///
    /// - Returns: The stored document.
    /// - Throws: ``LibraryError/documentThere(name:id:)`` for a unique one that is there; nothing is stored then.
    func add(_ new: consuming NewDocument) async throws -> Document

    /// Stores a plain text, and then has it read.
    ///
    /// - Parameters:
    ///   - unread: The file.
    ///   - read: Reads the stored file.
    /// - Returns: The stored document.
    /// - Throws: What `read` throws, and as ``add(_:)`` does; nothing is stored then.
    func add(
        _ unread: consuming UnreadDocument,
        readBy read: @Sendable (any StoredBytes) async throws -> DocumentText
    ) async throws -> Document

    // MARK: Parts of one

    func structure(of id: Document.ID) async throws -> DocumentStructure

    func text(of id: Document.ID) async throws -> String

    /// Reads a range of the text.
    ///
    /// - Parameters:
    ///   - id: The document's.
    ///   - range: In UTF-16 units; clamped to the text and extended to whole characters.
    /// - Returns: The text and its exact range.
    /// - Throws: As all calls.
    func passage(of id: Document.ID, in range: TextRange) async throws -> DocumentPassage

    /// Ranges where the words of `phrase` occur in sequence, the last word possibly incomplete; at most `limit`, in the
    /// text's order.
    func places(of phrase: String, in id: Document.ID, limit: Int) async throws -> [TextRange]

    /// The file as it was given.
    func original(of id: Document.ID) async throws -> any StoredBytes

    /// The small picture of its cover or first page.
    ///
    /// Returns `nil` when there is none.
    func picture(of id: Document.ID) async throws -> Data?

    /// The last selection of a document; `nil` when there was none.
    func selection(of id: Document.ID) async throws -> DocumentSelection?

    // MARK: Changes

    func remember(_ selection: DocumentSelection, for id: Document.ID) async throws

    func rename(_ id: Document.ID, to name: ItemName) async throws

    /// Deletes all of `ids`, or none of them; recordings that were made from them stay.
    func delete(_ ids: Set<Document.ID>) async throws
}

extension DocumentLibrary {
    /// Finds one document by its id or name, or the beginning of either, ignoring case.
    ///
    /// - Throws: ``LibraryError/documentNotFound``, ``LibraryError/ambiguousDocument(count:ids:)``.
    package func document(called reference: String) async throws -> Document {
        if let document = try await document(Document.ID(rawValue: reference.lowercased())) { return document }
        let isLong = reference.count >= Document.ID.shortestPrefix
        let others = isLong ? try await documents(withIDsBeginning: reference.lowercased(), limit: 2) : []
        var query = DocumentQuery()
        // A name of signs alone has no words that could be searched.
        query.words = SearchWords(reference) == nil ? nil : reference
        query.field = .name
        // Newer ones whose names only have its words must not hide the one that is called so.
        query.limit = .max
        let matches = try await documents(matching: query).documents
            .named(reference, or: others.count == 1 ? others : []) { $0.name }
        guard matches.count <= 1 else {
            let ids = matches.prefix(LibraryError.namedMatches).map(\.id.rawValue)
            throw LibraryError.ambiguousDocument(count: matches.count, ids: ids)
        }
        guard let match = matches.first else { throw LibraryError.documentNotFound }
        return match
    }
}

/// A query for documents of the library, with their order.
///
/// Every condition that is set has to hold.
package struct DocumentQuery: Sendable, Hashable {
    package enum SortOrder: String, Sendable, Hashable, CaseIterable {
        case date
        /// Sorts by the number of words.
        case length
        case name
    }

    /// Words that must all occur, the last one possibly incomplete; `nil` or blank matches everything.
    package var words: String?
    package var field = AudioQuery.Field.anywhere
    /// Any of these; empty for any kind.
    package var kinds: Set<DocumentKind> = []
    package var pages: ClosedRange<Int>?
    package var added: Range<Date>?
    /// A BCP 47 tag, with or without a region; documents of unknown language have none.
    package var language: String?
    package var order = SortOrder.date
    package var isAscending = false
    /// How many matches are skipped, and how many are returned at most.
    package var offset = 0
    package var limit = 50

    package init() {}
}

/// A stretch of the list that a query describes.
package struct DocumentList: Sendable, Hashable {
    package var documents: [Document]
    /// How many there are in all.
    package var total: Int
    /// How many more documents match but cannot be read; they are in neither.
    package var unreadable: Int

    package init(documents: [Document], total: Int, unreadable: Int = 0) {
        self.documents = documents
        self.total = total
        self.unreadable = unreadable
    }
}

/// The position of the search words in a document's text.
package struct DocumentHit: Sendable, Hashable {
    package var document: Document
    /// The first match in the text; `nil` when only the name matches.
    package var place: Place?

    package struct Place: Sendable, Hashable, Codable {
        /// The range in the document's text, in UTF-16 units.
        package var source: TextRange
        /// A line of text around it.
        package var excerpt: String
        /// From 1.
        package var page: Int

        package init(source: TextRange, excerpt: String, page: Int) {
            self.source = source
            self.excerpt = excerpt
            self.page = page
        }
    }

    package init(document: Document, place: Place?) {
        self.document = document
        self.place = place
    }
}

extension DocumentStructure {
    /// Returns the number of the page that contains UTF-16 unit `unit`.
    package func page(at unit: Int) -> Int {
        var (low, high) = (0, pages.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].range.upperBound > unit { high = middle } else { low = middle + 1 }
        }
        return low + 1
    }
}
