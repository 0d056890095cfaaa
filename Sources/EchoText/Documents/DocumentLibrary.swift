package import Foundation

/// Any bytes that are kept, read by ranges.
package typealias StoredBytes = StoredSound

/// A stretch of a document's text.
package struct DocumentPassage: Sendable, Hashable {
    package var text: String
    /// Where it stands in the whole text.
    package var range: TextRange

    package init(text: String, range: TextRange) {
        self.text = text
        self.range = range
    }
}

/// The documents that are kept: the port behind every list of them, the viewer, and whatever reads them aloud.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - a change is either whole or not there, also after a crash: a document has all of its row, bytes and text and is found by
///   its words, or nothing of it is left;
/// - what a call has returned from is kept;
/// - calls may overlap.
///
/// Everything throws ``VaultError/locked`` while the vault is locked, and ``LibraryError/documentNotFound`` for a document
/// that is not there.
package protocol DocumentLibrary: Sendable {
    /// - Returns: The page of `query`; of equals in its order, the newer comes first, then by id.
    func documents(matching query: DocumentQuery) async throws -> DocumentList

    /// The same documents as ``documents(matching:)``, each with the first place of the words in its text.
    func search(_ query: DocumentQuery) async throws -> [DocumentHit]

    /// The languages that documents say they are in, as BCP 47 tags without a region, in alphabetical order, for filters.
    func languages() async throws -> [String]

    /// Returns `nil` for a document that is not there.
    func document(_ id: Document.ID) async throws -> Document?

    /// Documents whose ids begin with `prefix`, at most `limit` of them, by id.
    func documents(withIDsBeginning prefix: String, limit: Int) async throws -> [Document]

    /// Documents that were made of these very bytes, the oldest first.
    func documents(madeOf bytes: Data) async throws -> [Document]

    /// Stores a document; each part is released from memory once it is stored.
    ///
    /// - Returns: As it is kept.
    func add(_ new: consuming NewDocument) async throws -> Document

    /// Takes a plain text in, and then has it read.
    ///
    /// - Parameters:
    ///   - unread: The file.
    ///   - read: Reads it from where it is kept.
    /// - Returns: The document, as it is kept.
    /// - Throws: What `read` throws; nothing is kept then.
    func add(
        _ unread: consuming UnreadDocument,
        readBy read: @Sendable (any StoredBytes) async throws -> DocumentText
    ) async throws -> Document

    // MARK: Parts of one

    func structure(of id: Document.ID) async throws -> DocumentStructure

    func text(of id: Document.ID) async throws -> String

    /// A stretch of the text.
    ///
    /// - Parameters:
    ///   - id: The document's.
    ///   - range: In UTF-16 units; clamped to the text. A character at its ends is returned whole.
    /// - Returns: The text of that stretch, and which it is.
    /// - Throws: As the others do.
    func passage(of id: Document.ID, in range: TextRange) async throws -> DocumentPassage

    /// Every place where the words of `phrase` stand one after another, the last one perhaps only begun, at most `limit` of
    /// them from the text's start on.
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
    /// The one document that a person means by `reference`: its id or the beginning of one, its name, or the beginning of its
    /// name, in whatever case.
    ///
    /// - Throws: ``LibraryError/documentNotFound``, ``LibraryError/ambiguousDocument(count:)``.
    package func document(called reference: String) async throws -> Document {
        if let document = try await document(Document.ID(rawValue: reference.lowercased())) { return document }
        let shortestPrefix = 4
        if reference.count >= shortestPrefix {
            let found = try await documents(withIDsBeginning: reference.lowercased(), limit: 2)
            if found.count == 1 { return found[0] }
        }
        var query = DocumentQuery()
        query.words = reference
        query.field = .name
        query.limit = 1_000
        let named = try await documents(matching: query).documents
        let wanted = reference.lowercased()
        for matches in [
            named.filter { $0.name.text.lowercased() == wanted },
            named.filter { $0.name.text.lowercased().hasPrefix(wanted) },
        ] where !matches.isEmpty {
            guard matches.count == 1 else { throw LibraryError.ambiguousDocument(count: matches.count) }
            return matches[0]
        }
        throw LibraryError.documentNotFound
    }
}
