import EchoText
import FileSystem
import Foundation
import GRDB

/// The words of a document that is being added, indexed before the document exists.
///
/// They are added in portions, so that no other writer waits for long. No search finds them until the document's row
/// exists; their keys are stored first, so that they can be removed if that row never comes.
struct DocumentDraft: Sendable {
    struct Chunk: Sendable {
        let start: Int
        let byte: Int
    }

    /// The UTF-8 bytes of text that are indexed in one transaction, as much as the index itself buffers before it
    /// writes.
    static let stretch = 1 << 20

    /// The key of the first chunk; the others are consecutive.
    let first: Int64
    private(set) var chunks: [Chunk] = []

    private init(first: Int64) {
        self.first = first
    }

    /// Adds the words of `text` to the index.
    ///
    /// - Throws: ``VaultError``, `CancellationError`; nothing is left in the index then.
    static func index(_ text: String, in library: LibraryDatabase) async throws -> DocumentDraft {
        let most = Int64(DocumentChunks.maximumChunks(in: text))
        var draft = DocumentDraft(first: try await library.write { try reserve(most, in: $0) })
        do {
            var chunks = DocumentChunks(of: text)
            while let texts = draft.next(of: &chunks) {
                try Task.checkCancellation()
                let first = draft.first + Int64(draft.chunks.count - texts.count)
                try await library.write { database in
                    for (index, text) in texts.enumerated() {
                        try StoredDocuments.index(text, under: first + Int64(index), in: database)
                    }
                }
            }
        } catch {
            await draft.forget(in: library)
            throw error
        }
        return draft
    }

    /// Reserves keys that no chunk has, and that no other draft will get.
    private static func reserve(_ count: Int64, in database: Database) throws -> Int64 {
        let sql = """
            SELECT 1 + max(
                coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'documentChunk'), 0),
                coalesce((SELECT max(last) FROM documentDraft), 0)
            )
            """
        guard let first = try Int64.fetchOne(database, sql: sql) else { throw VaultError.databaseDamaged }
        try database.execute(
            sql: "INSERT INTO documentDraft (first, last) VALUES (?, ?)",
            arguments: [first, first + count - 1]
        )
        return first
    }

    /// The texts of the next chunks, which are written down.
    private mutating func next(of rest: inout DocumentChunks) -> [String]? {
        var texts: [String] = []
        var length = 0
        while length < Self.stretch, let chunk = rest.next() {
            texts.append(chunk.text)
            length += chunk.text.utf8.count
            chunks.append(Chunk(start: chunk.start, byte: chunk.byte))
        }
        return texts.isEmpty ? nil : texts
    }

    /// Assigns the chunks to their document.
    func settle(on document: Int64, in database: Database) throws {
        let statement = try database.makeStatement(
            sql: "INSERT INTO documentChunk (key, document, start, byte) VALUES (?, ?, ?, ?)"
        )
        for (index, chunk) in chunks.enumerated() {
            try statement.execute(arguments: [first + Int64(index), document, chunk.start, chunk.byte])
        }
        try database.execute(sql: "DELETE FROM documentDraft WHERE first = ?", arguments: [first])
    }

    /// Removes the words from the index.
    func forget(in library: LibraryDatabase) async {
        let first = first
        // A separate task, because this one may be cancelled; the next writer removes what remains.
        _ = try? await Task {
            try await library.write { try Self.forget("WHERE first = \(first)", in: $0) }
        }.value
    }

    fileprivate static func forget(_ condition: String, in database: Database) throws {
        let drafts = try Row.fetchAll(database, sql: "SELECT first, last FROM documentDraft \(condition)")
        for draft in drafts {
            let (first, last) = (draft["first"] as Int64, draft["last"] as Int64)
            try database.execute(
                sql: "DELETE FROM documentSearch WHERE rowid BETWEEN ? AND ?",
                arguments: [first, last]
            )
            try database.execute(sql: "DELETE FROM documentDraft WHERE first = ?", arguments: [first])
        }
    }
}

extension LibraryDatabase {
    /// Declares to other processes that documents are being added, for the lifetime of the result; leftovers of ended
    /// processes are removed first.
    ///
    /// - Throws: ``VaultError``.
    func holdDrafts() async throws -> FileLock {
        try await forgetDrafts()
        let path = draftLock
        guard let lock = try await onBlockingThread({ try FileLock(at: path, .shared, waits: true) }) else {
            throw VaultError.inUse
        }
        return lock
    }

    /// Removes entries without a document from the index, unless a document is being added.
    ///
    /// - Throws: ``VaultError``.
    func forgetDrafts() async throws {
        guard try await read({ try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT * FROM documentDraft)") }) == true,
            let alone = try FileLock(at: draftLock, .exclusive)
        else { return }
        try await write { try DocumentDraft.forget("", in: $0) }
        withExtendedLifetime(alone) {}
    }

    /// Acquires the lock that excludes the adding of documents.
    ///
    /// - Throws: ``VaultError/inUse`` when a document is being added.
    func excludeDrafts() throws -> FileLock {
        guard let lock = try FileLock(at: draftLock, .exclusive) else { throw VaultError.inUse }
        return lock
    }

    private var draftLock: String { "\(folder.locks)/drafts" }
}
