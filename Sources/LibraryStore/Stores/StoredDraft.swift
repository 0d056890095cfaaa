import EchoText
import Foundation
import GRDB

/// The text that is being written, in the encrypted database.
package struct StoredDraft: DraftStore {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func draft() async throws -> String {
        let bytes = try await database.read { try Data.fetchOne($0, sql: "SELECT text FROM draft") }
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }

    package func save(draft text: String) async throws {
        try await database.write { database in
            if text.isEmpty {
                try database.execute(sql: "DELETE FROM draft")
            } else {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO draft (key, text) VALUES (1, ?)",
                    arguments: [Data(text.utf8)]
                )
            }
        }
    }
}
