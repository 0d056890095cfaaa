import EchoText
import Foundation
import GRDB

extension ContentReference {
    /// The tables whose column `content` names a sealed file.
    static let tables = ["item", "itemFile", "segment", "documentContent", "speech", "recordedSegment", "practiceTake"]

    /// The columns that ``init(row:)`` reads, of the table `content`.
    static let columns = "content.id AS contentID, content.size AS contentSize, content.headerHash, content.length"

    /// - Throws: ``VaultError/databaseDamaged`` for an invalid id.
    init(row: Row) throws {
        guard let id = ContentID(row["contentID"] as String) else { throw VaultError.databaseDamaged }
        self.init(
            id: id,
            sealedSize: row["contentSize"],
            headerHash: row["headerHash"],
            length: row["length"]
        )
    }

    /// All that a library has, by id.
    static func all(in database: Database) throws -> [ContentReference] {
        try Row.fetchAll(database, sql: "SELECT \(columns) FROM content ORDER BY id").map(ContentReference.init(row:))
    }

    /// From then on it is none of ``LibraryDatabase/removedContents()``.
    func insert(into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO content (id, size, headerHash, length) VALUES (?, ?, ?, ?)",
            arguments: [id.text, sealedSize, headerHash, length]
        )
        try database.execute(sql: "DELETE FROM removedContent WHERE id = ?", arguments: [id.text])
    }

    func delete(from database: Database) throws {
        try database.execute(sql: "DELETE FROM content WHERE id = ?", arguments: [id.text])
    }
}

extension LibraryDatabase {
    /// All encrypted files of the library; any other file is left over from an unfinished operation, or of another database.
    package func referencedContents() async throws -> [ContentReference] {
        try await read { try ContentReference.all(in: $0) }
    }

    /// The encrypted files whose rows were deleted since ``forgetRemovedContents(_:)``, and those of
    /// ``expectContents(_:)``; some may be there.
    func removedContents() async throws -> Set<ContentID> {
        try await read { database in
            // A library that cannot be written may be of an older version.
            guard try database.tableExists("removedContent") else { return [] }
            let ids = try String.fetchAll(database, sql: "SELECT id FROM removedContent")
            return Set(ids.compactMap { ContentID($0) })
        }
    }

    /// Notes that encrypted files with these ids are about to be made, and may be removed unless a row names them.
    ///
    /// - Throws: ``VaultError``.
    func expectContents(_ ids: [ContentID]) async throws {
        try await write { database in
            for id in ids {
                try database.execute(sql: "INSERT INTO removedContent (id) VALUES (?)", arguments: [id.text])
            }
        }
    }

    /// Notes that these encrypted files are not there any more.
    ///
    /// - Throws: ``VaultError``.
    func forgetRemovedContents(_ ids: Set<ContentID>) async throws {
        guard !ids.isEmpty else { return }
        try await write { database in
            for id in ids {
                try database.execute(sql: "DELETE FROM removedContent WHERE id = ?", arguments: [id.text])
            }
        }
    }
}
