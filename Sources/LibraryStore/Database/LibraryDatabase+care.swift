import EchoText
import FileSystem
import Foundation
import GRDB

extension LibraryDatabase {
    /// How often the library has been changed, a use at a time.
    func generation() async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT number FROM generation") ?? 0 }
    }

    /// Counts another use that changed something.
    ///
    /// - Returns: The new count.
    /// - Throws: ``VaultError``.
    func advanceGeneration() async throws -> Int {
        try await write { database in
            try database.execute(sql: "UPDATE generation SET number = number + 1")
            return try Int.fetchOne(database, sql: "SELECT number FROM generation") ?? 0
        }
    }

    /// An encrypted file and its owner.
    ///
    /// The owner is the recording or unfinished recording whose sound it is, or the name of its document, of its practice
    /// session or of the recording that was imported from it; there is none for a part of an unfinished narration and for
    /// the speech cache.
    struct ContentOwner: Sendable {
        let reference: ContentReference
        let item: AudioItem.ID?
        let session: AudioItem.ID?
        let name: String?
        /// Whether it belongs to the speech cache, and may be evicted.
        let isCache: Bool
        /// Whether it is the file that the recordings of that name were imported from.
        let isImported: Bool
    }

    /// Every sealed file that something of the library is in.
    func contentOwners() async throws -> [ContentOwner] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(ContentReference.columns), item.id AS owner,
                        coalesce(
                            item.name,
                            (
                                SELECT group_concat(twin.name, ', ') FROM itemFile AS twinFile
                                JOIN item AS twin ON twin.key = twinFile.item
                                WHERE twinFile.size = itemFile.size AND twinFile.digest = itemFile.digest
                                    AND (twinFile.item = itemFile.item OR twinFile.isShared = 1)
                            ),
                            document.name, practiceSession.title
                        ) AS ownerName,
                        imported.key IS NOT NULL AS isImported,
                        recordingSession.id AS session, recordingSession.instructions,
                        EXISTS (SELECT * FROM speech WHERE speech.content = content.id) AS isCache
                    FROM content LEFT JOIN item ON item.content = content.id
                    LEFT JOIN itemFile ON itemFile.content = content.id
                    LEFT JOIN item AS imported ON imported.key = itemFile.item
                    LEFT JOIN documentContent ON documentContent.content = content.id
                    LEFT JOIN document ON document.key = documentContent.document
                    LEFT JOIN practiceTake ON practiceTake.content = content.id
                    LEFT JOIN practiceSession ON practiceSession.key = practiceTake.session
                    LEFT JOIN recordedSegment ON recordedSegment.content = content.id
                    LEFT JOIN recordingSession ON recordingSession.key = recordedSegment.session
                    ORDER BY item.created, content.id
                    """
            ).map { row in
                let session = (row["instructions"] as Data?).map { instructions in
                    (try? RecordingOrder.stored(instructions))?.name ?? ItemName(ofUnreadable: instructions)
                }
                return ContentOwner(
                    reference: try ContentReference(row: row),
                    item: (row["owner"] as String?).map { AudioItem.ID(rawValue: $0) },
                    session: (row["session"] as String?).map { AudioItem.ID(rawValue: $0) },
                    name: row["ownerName"] ?? session?.text,
                    isCache: row["isCache"],
                    isImported: row["isImported"]
                )
            }
        }
    }

    /// Removes a file from the speech cache; its speech is synthesized again on demand.
    func dropSpeech(in reference: ContentReference) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM speech WHERE content = ?", arguments: [reference.id.text])
            try reference.delete(from: database)
        }
    }

    /// Whether an encrypted file still belongs to the library.
    func has(_ reference: ContentReference) async throws -> Bool {
        try await read { database in
            let sql = "SELECT EXISTS (SELECT * FROM content WHERE id = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [reference.id.text]) ?? false
        }
    }

    /// Redirects all references from one encrypted file to another.
    func replace(_ old: ContentReference, by new: ContentReference) async throws {
        try await write { database in
            try new.insert(into: database)
            for table in ContentReference.tables {
                try database.execute(
                    sql: "UPDATE \(table) SET content = ? WHERE content = ?",
                    arguments: [new.id.text, old.id.text]
                )
            }
            try old.delete(from: database)
        }
    }

    /// Makes the index that searches use again, from the names and texts.
    func rebuildSearch() async throws {
        try await write { database in
            try Self.empty("search", in: database)
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT key, name, text FROM item JOIN itemText ON itemText.item = item.key"
            )
            while let row = try rows.next() {
                try database.execute(
                    sql: "INSERT INTO search (rowid, name, text) VALUES (?, ?, ?)",
                    arguments: [
                        row["key"] as Int64, (row["name"] as String).searchable,
                        String(decoding: row["text"] as Data, as: UTF8.self).searchable,
                    ]
                )
            }
        }
    }

    /// Empties an index of searches, whatever is wrong with it: row by row, what is damaged would have to be read.
    static func empty(_ index: String, in database: Database) throws {
        try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('delete-all')")
    }
}

extension LibraryDatabase {
    /// Encrypts the database of a closed library with another key.
    ///
    /// A copy gets the new key and then atomically replaces the original, so that at every moment one of the two keys
    /// opens the whole database. Keep both until this returns.
    ///
    /// - Parameters:
    ///   - folder: The library's folder.
    ///   - old: The present key, 32 bytes.
    ///   - new: The new key, 32 bytes.
    /// - Throws: ``VaultError/inUse`` when another process has it open; ``VaultError``.
    package static func rekey(in folder: LibraryFolder, from old: SecretBytes, to new: SecretBytes) async throws {
        try folder.prepare()
        guard let lock = try FileLock(at: "\(folder.locks)/database", .exclusive) else { throw VaultError.inUse }
        defer { withExtendedLifetime(lock) {} }
        let copy = folder.database + ".rekeyed"
        unlink(copy)  // It may remain from an interrupted change of the key.
        try await withConnection(to: folder.database, key: old) { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "VACUUM INTO ?", arguments: [copy])
        }
        try makeDurable(copy)
        try await withConnection(to: copy, key: old) { try DatabaseKey(bytes: new).replaceKey(of: $0) }
        try await withConnection(to: copy, key: new) { database in
            guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"] else {
                throw VaultError.databaseDamaged
            }
        }
        try makeDurable(copy)
        guard rename(copy, folder.database) == 0 else { throw VaultError(opening: errno) }
        try makeDurable(folder.database)
    }

    private static func withConnection(
        to path: String,
        key: SecretBytes,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try prepare(database, DatabaseKey(bytes: key))
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try await queue.writeWithoutTransaction(body)
            try queue.close()
        } catch let error as DatabaseError {
            throw error.vaultError
        }
    }
}

extension LibraryDatabase {
    /// Whether an unfinished recording has any sound, also such that cannot be read.
    func hasSound(of session: AudioItem.ID) async throws -> Bool {
        try await read { try RecordedPiece.exist(of: session, in: $0) }
    }

    /// How many recordings are unfinished, which of them have lost sound, and which cannot be read.
    func gaps() async throws -> (sessions: Int, gaps: [VaultReport.Gap], unreadable: [RecordingSession]) {
        try await read { database in
            let sessions = try Row.fetchAll(database, sql: "SELECT * FROM recordingSession ORDER BY created, key")
                .map { row in (try? RecordingSession(row: row)) ?? RecordingSession(unreadable: row) }
            let gaps = try sessions.filter { !$0.isUnreadable }.compactMap { session in
                let kept = try RecordedPiece.all(of: session.id, in: database).reduce(0) { $0 + $1.samples.count }
                guard kept < session.samples else { return VaultReport.Gap?.none }
                return VaultReport.Gap(
                    session: session.id,
                    name: session.order.name.text,
                    seconds: Double(session.samples - kept) / Double(session.order.sampleRate),
                    duration: session.duration
                )
            }
            return (sessions.count, gaps, sessions.filter(\.isUnreadable))
        }
    }

    /// Removes a missing file from an unfinished recording.
    func dropSegment(in reference: ContentReference) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM recordedSegment WHERE content = ?",
                arguments: [reference.id.text]
            )
            try reference.delete(from: database)
        }
    }

    /// Rows of encrypted files without any reference.
    func unusedContents() async throws -> [ContentReference] {
        try await read { try Self.unusedContents(in: $0) }
    }

    private static func unusedContents(in database: Database) throws -> [ContentReference] {
        let unused = ContentReference.tables.map { "NOT EXISTS (SELECT * FROM \($0) WHERE \($0).content = content.id)" }
        return try Row.fetchAll(
            database,
            sql: "SELECT \(ContentReference.columns) FROM content WHERE \(unused.joined(separator: " AND "))"
        ).map(ContentReference.init(row:))
    }

    /// Removes rows of encrypted files without any reference; nobody has deleted what these files belonged to, so they are
    /// not among ``removedContents()``.
    ///
    /// - Returns: The references in those rows.
    /// - Throws: ``VaultError``.
    func removeUnusedContents() async throws -> [ContentReference] {
        try await write { database in
            let unused = try Self.unusedContents(in: database)
            for reference in unused {
                try reference.delete(from: database)
                let sql = "DELETE FROM removedContent WHERE id = ?"
                try database.execute(sql: sql, arguments: [reference.id.text])
            }
            return unused
        }
    }

    /// Tables whose rows are meaningless without their owners.
    private static let parts: Set = [
        "itemText", "itemMark", "transcript", "transcriptionJob", "transcribedSegment", "recordedChunk",
        "recordedSegment", "practiceTake", "itemFile",
    ]

    /// Removes rows whose owners were deleted.
    ///
    /// - Returns: The number of removed rows.
    /// - Throws: ``VaultError``.
    func removeDanglingRows() async throws -> Int {
        try await write { database in
            let found = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            let dangling = Set(
                found.compactMap { row -> [String]? in
                    guard Self.parts.contains(row["table"]), let key = row["rowid"] as Int64? else { return nil }
                    return [row["table"], "\(key)"]
                }
            )
            for row in dangling {
                // Others may share the file that a lost recording had.
                if row[0] == "itemFile", let key = Int64(row[1]) {
                    _ = try StoredLibrary.handFileOn(ofKey: key, in: database)
                }
                try database.execute(sql: "DELETE FROM \(row[0]) WHERE rowid = ?", arguments: [Int64(row[1])])
            }
            return dangling.count
        }
    }

    /// The keys of recordings that have transcripts but no current one, or whose text is not the current one's.
    static func unclearTranscripts(in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT key FROM item WHERE isTranscribed <> EXISTS (
                    SELECT * FROM transcript WHERE item = item.key AND isCurrent = 1
                ) OR isTranscribed = 0 AND EXISTS (SELECT * FROM transcript WHERE item = item.key)
                """
        )
    }

    /// Makes the newest transcript current where the current one is unclear.
    ///
    /// - Returns: The number of recordings.
    /// - Throws: ``VaultError``.
    func chooseTranscripts() async throws -> Int {
        try await write { database in
            let keys = try Self.unclearTranscripts(in: database)
            return try keys.count { try Transcript.chooseNewest(of: $0, in: database) }
        }
    }
}

/// A copy of the encrypted database of a read-only library, in a folder where it can be opened.
///
/// SQLite can open a database in WAL mode only where it can create files next to it.
final class DatabaseCopy: Sendable {
    private let folder: String

    /// The path of the copy.
    var path: String { "\(folder)/library.db" }

    /// - Throws: ``VaultError``.
    init(of library: LibraryFolder) throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/echotext-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw VaultError(opening: errno) }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            for suffix in ["", "-wal"] { try Self.copy(library.database + suffix, to: path + suffix) }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    /// A file that is missing is well.
    private static func copy(_ source: String, to target: String) throws {
        let file = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw VaultError(opening: errno)
        }
        defer { close(file) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw VaultError(opening: errno) }
        defer { close(copy) }
        var count = 0
        repeat {
            count = sendfile(copy, file, nil, 1 << 24)
            guard count >= 0 || errno == EINTR else { throw VaultError(opening: errno) }
        } while count != 0
    }

    private func remove() {
        // It is encrypted, and in a folder that the system cleans up, so a copy that remains reveals nothing.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
