import EchoText
import Foundation
import GRDB

extension Document {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(row: Row) throws {
        guard let kind = DocumentKind(rawValue: row["kind"]), let name = try? ItemName(row["name"] as String) else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            added: Date(seconds: row["added"]),
            kind: kind,
            size: row["size"],
            pages: row["pages"],
            chapters: row["chapters"],
            words: row["words"],
            length: row["length"],
            title: row["title"],
            author: row["author"],
            language: row["language"],
            hasPicture: row["hasPicture"]
        )
    }

    /// Inserts the document into its table.
    ///
    /// - Returns: The key of its row.
    func insert(digest: Data, into database: Database) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO document (
                    id, name, sortName, added, kind, size, pages, chapters, words, length, title, author, language, digest,
                    hasPicture
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.text, name.sortKey, added.timeIntervalSince1970, kind.rawValue, size, pages, chapters,
                words, length, title, author, language, digest, hasPicture,
            ]
        )
        return database.lastInsertedRowID
    }
}

extension DocumentSelection {
    /// - Throws: ``VaultError/databaseDamaged``.
    init?(stored data: Data?) throws {
        guard let data else { return nil }
        guard let selection = try? JSONDecoder().decode(Self.self, from: data) else { throw VaultError.databaseDamaged }
        self = selection
    }

    func stored() throws -> Data { try JSONEncoder().encode(self) }
}
