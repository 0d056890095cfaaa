package import EchoText
import Foundation
import GRDB

/// The speeches, in the encrypted database.
package struct StoredSpeeches: Speeches {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func speeches() async throws -> [Speech] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM practiceSpeech ORDER BY updated DESC, id")
                .map(Speech.init(row:))
        }
    }

    package func speech(_ id: Speech.ID) async throws -> Speech? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM practiceSpeech WHERE id = ?", arguments: [id.rawValue])
                .map(Speech.init(row:))
        }
    }

    package func save(_ speech: Speech) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO practiceSpeech (id, title, language, created, updated, text) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET title = excluded.title, language = excluded.language,
                        created = excluded.created, updated = excluded.updated, text = excluded.text
                    """,
                arguments: [
                    speech.id.rawValue, speech.title.text, speech.language, speech.created.timeIntervalSince1970,
                    speech.updated.timeIntervalSince1970, Data(speech.text.utf8),
                ]
            )
        }
    }

    package func delete(_ id: Speech.ID) async throws {
        try await database.writeToFree { database in
            try database.execute(sql: "DELETE FROM practiceSpeech WHERE id = ?", arguments: [id.rawValue])
            guard database.changesCount == 1 else { throw SpeechError.notFound }
        }
    }
}

extension Speech {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid row.
    fileprivate init(row: Row) throws {
        do {
            try self.init(
                id: ID(rawValue: row["id"]),
                title: row["title"],
                text: String(decoding: row["text"] as Data, as: UTF8.self),
                language: row["language"],
                created: Date(seconds: row["created"]),
                updated: Date(seconds: row["updated"])
            )
        } catch {
            throw VaultError.databaseDamaged
        }
    }
}
