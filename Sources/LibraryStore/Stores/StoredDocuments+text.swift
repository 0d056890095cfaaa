package import EchoText
import FileSystem
import Foundation
import GRDB

extension StoredDocuments {
    package func text(of id: Document.ID) async throws -> String {
        let text = try await content("text", of: id)
        return String(decoding: try await text.read(0..<text.length), as: UTF8.self)
    }

    package func passage(of id: Document.ID, in range: TextRange) async throws -> DocumentPassage {
        let (length, chunks) = try await database.read { database in
            let key = try Self.key(of: id, in: database)
            let length = try Int.fetchOne(
                database,
                sql: "SELECT length FROM document WHERE key = ?",
                arguments: [key]
            )
            let range = range.clamped(to: 0..<(length ?? 0))
            // From the last chunk that begins at or before the range to the first that begins behind it.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT start, byte FROM documentChunk WHERE document = ?
                        AND start >= (SELECT max(start) FROM documentChunk WHERE document = ? AND start <= ?)
                        AND start <= coalesce(
                            (SELECT min(start) FROM documentChunk WHERE document = ? AND start >= ?), \(Int.max)
                        )
                    ORDER BY start
                    """,
                arguments: [key, key, range.lowerBound, key, range.upperBound]
            )
            return (length ?? 0, rows.map { (start: $0["start"] as Int, byte: $0["byte"] as Int) })
        }
        let range = range.clamped(to: 0..<length)
        guard let first = chunks.first, !range.isEmpty else { return DocumentPassage(text: "", range: range) }
        let content = try await content("text", of: id)
        let last = chunks.last { $0.start >= range.upperBound }
        let text = try await Self.text(from: first.byte, to: last?.byte, of: content)
        guard range.upperBound - first.start <= text.utf16.count else { throw VaultError.databaseDamaged }
        let inside = text.wholeCharacters(range.moved(by: -first.start))
        return DocumentPassage(
            text: String(text.part(inside)),
            range: inside.moved(by: first.start)
        )
    }

    // MARK: - Searching

    package func search(_ query: DocumentQuery) async throws -> [DocumentHit] {
        let documents = try await documents(matching: query).documents
        guard let words = query.words.flatMap({ SearchWords($0) }), query.field != .name else {
            return documents.map { DocumentHit(document: $0, place: nil) }
        }
        var hits: [DocumentHit] = []
        for document in documents {
            try Task.checkCancellation()
            hits.append(DocumentHit(document: document, place: try await place(of: words, in: document)))
        }
        return hits
    }

    private func place(of words: SearchWords, in document: Document) async throws -> DocumentHit.Place? {
        let patterns = words.patterns(in: .text)
        do {
            // A chunk with all of the words, else one with any of them.
            for pattern in [patterns.joined(separator: " AND "), patterns.joined(separator: " OR ")] {
                guard let chunk = try await chunks(matching: pattern, of: document.id, limit: 1).first else { continue }
                let text = try await text(of: chunk, in: document.id)
                guard let found = words.firstMatch(in: text) else { continue }
                let source = found.moved(by: chunk.start)
                return DocumentHit.Place(
                    source: source,
                    excerpt: TextExcerpt(of: Array(text.utf16), around: found).text,
                    page: try await structure(of: document.id).page(at: source.lowerBound)
                )
            }
        } catch LibraryError.documentNotFound {
            // Deleted since the list was read: it has no place any more.
        } catch VaultError.contentDamaged, VaultError.contentMissing, VaultError.databaseDamaged {
            // Found by its index alone; opening it says what is wrong with it.
        }
        return nil
    }

    package func places(of phrase: String, in id: Document.ID, limit: Int) async throws -> [TextRange] {
        guard let words = SearchWords(phrase), limit > 0 else {
            _ = try await database.read { try Self.key(of: id, in: $0) }
            return []
        }
        let pattern = words.patterns(in: .text).joined(separator: " AND ")
        var places: [TextRange] = []
        for chunk in try await chunks(matching: pattern, of: id, limit: .max) {
            try Task.checkCancellation()
            let text = try await text(of: chunk, in: id)
            places += words.matches(in: text, limit: limit - places.count).map {
                $0.moved(by: chunk.start)
            }
            if places.count >= limit { break }
        }
        return places
    }

    private struct FoundChunk: Sendable {
        let start: Int
        let byte: Int
        /// The start of the next one; `nil` for the last.
        let end: Int?
    }

    private func chunks(matching pattern: String, of id: Document.ID, limit: Int) async throws -> [FoundChunk] {
        try await database.read { database in
            let key = try Self.key(of: id, in: database)
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT start, byte, (
                        SELECT min(byte) FROM documentChunk AS next WHERE next.document = ? AND next.start > chunk.start
                    ) AS ending FROM documentChunk AS chunk
                    WHERE document = ? AND key IN (SELECT rowid FROM documentSearch WHERE documentSearch MATCH ?)
                    ORDER BY start LIMIT ?
                    """,
                arguments: [key, key, pattern, limit]
            ).map { row in
                let chunk = FoundChunk(start: row["start"], byte: row["byte"], end: row["ending"])
                guard RowBounds.counts.contains(chunk.start) else { throw VaultError.databaseDamaged }
                return chunk
            }
        }
    }

    private func text(of chunk: FoundChunk, in id: Document.ID) async throws -> String {
        try await Self.text(from: chunk.byte, to: chunk.end, of: content("text", of: id))
    }

    /// - Throws: ``VaultError/databaseDamaged`` for a stretch that the text does not have, and what reading throws.
    private static func text(from start: Int, to end: Int?, of content: any StoredBytes) async throws -> String {
        let end = end ?? content.length
        guard start <= end, end <= content.length else { throw VaultError.databaseDamaged }
        return String(decoding: try await content.read(start..<end), as: UTF8.self)
    }
}

extension LibraryDatabase {
    /// Makes the index of documents again, from their names and texts; a text that cannot be read is found by its name alone.
    ///
    /// - Throws: ``VaultError/inUse`` while a document is being added; ``VaultError``.
    func rebuildDocumentSearch(reading contents: any SealedContents) async throws {
        let alone = try excludeDrafts()
        defer { withExtendedLifetime(alone) {} }
        let texts = try await write { database in
            try Self.empty("documentSearch", in: database)
            try database.execute(sql: "DELETE FROM documentDraft")
            try database.execute(
                sql: "INSERT INTO documentSearch (rowid, name, text) SELECT -key, name, '' FROM document"
            )
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT document, \(ContentReference.columns) FROM content
                    JOIN documentContent ON documentContent.content = content.id WHERE part = 'text'
                    """
            ).map { (document: $0["document"] as Int64, reference: try ContentReference(row: $0)) }
        }
        for (document, reference) in texts {
            guard let text = try await Self.text(of: reference, in: contents) else { continue }
            try await write { database in
                let chunks = try Row.fetchAll(
                    database,
                    sql: "SELECT key, byte FROM documentChunk WHERE document = ? ORDER BY start",
                    arguments: [document]
                ).map { (key: $0["key"] as Int64, byte: $0["byte"] as Int) }
                for (index, chunk) in chunks.enumerated() {
                    let end = index + 1 < chunks.count ? chunks[index + 1].byte : text.count
                    let bytes = text.dropFirst(chunk.byte).prefix(max(0, end - chunk.byte))
                    try StoredDocuments.index(String(decoding: bytes, as: UTF8.self), under: chunk.key, in: database)
                }
            }
        }
    }

    /// - Returns: `nil` when it is damaged or missing, which the check of the contents reports.
    private static func text(of reference: ContentReference, in contents: any SealedContents) async throws -> Data? {
        do {
            let stored = try await contents.sound(of: reference)
            return try await stored.read(0..<stored.length)
        } catch VaultError.contentDamaged, VaultError.contentMissing {
            return nil
        }
    }
}

/// A text in chunks, each small enough to be searched at once.
///
/// Chunks end at a line end if possible, else between words, and never within a character.
struct DocumentChunks: Sequence, IteratorProtocol {
    /// Most bytes of a chunk in UTF-8, unless a character is longer.
    static let longest = 16_384

    struct Chunk {
        /// Its start in the whole text, in UTF-16 units and in bytes.
        let start: Int
        let byte: Int
        let text: String
    }

    /// At least as many chunks as `text` has: all but the last have more than half of ``longest``.
    static func maximumChunks(in text: String) -> Int { text.utf8.count / (longest / 2) + 1 }

    private var rest: Substring
    private var start = 0
    private var byte = 0

    init(of text: String) {
        rest = text[...]
    }

    mutating func next() -> Chunk? {
        guard !rest.isEmpty else { return nil }
        let end = self.end
        let text = String(rest[..<end])
        rest = rest[end...]
        defer {
            start += text.utf16.count
            byte += text.utf8.count
        }
        return Chunk(start: start, byte: byte, text: text)
    }

    private var end: String.Index {
        let bytes = rest.utf8
        guard var limit = bytes.index(bytes.startIndex, offsetBy: Self.longest, limitedBy: bytes.endIndex),
            limit < bytes.endIndex
        else { return rest.endIndex }
        while bytes[limit] & 0xC0 == 0x80 { limit = bytes.index(before: limit) }
        let window = bytes[..<limit]
        let half = bytes.index(bytes.startIndex, offsetBy: Self.longest / 2)
        for sign in [UInt8(ascii: "\n"), UInt8(ascii: " ")] {
            if let found = window.lastIndex(of: sign), found >= half { return bytes.index(after: found) }
        }
        return limit
    }
}

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
