package import EchoText
package import Foundation
import GRDB

/// The last texts that were spoken, in the encrypted database.
package struct StoredHistory: TextHistory {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func entries() async throws -> [HistoryEntry] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT id, spoken, text FROM history ORDER BY place DESC").map { row in
                HistoryEntry(
                    id: row["id"],
                    text: String(decoding: row["text"] as Data, as: UTF8.self),
                    spoken: Date(timeIntervalSince1970: row["spoken"])
                )
            }
        }
    }

    package func add(_ text: String, at time: Date) async throws {
        let text = Data(text.utf8)
        try await database.write { database in
            // The order is a number and not the time, because clocks are set back.
            let place = try Int.fetchOne(database, sql: "SELECT coalesce(max(place), 0) + 1 FROM history")
            try database.execute(
                sql: "UPDATE history SET place = ?, spoken = ? WHERE text = ?",
                arguments: [place, time.timeIntervalSince1970, text]
            )
            guard database.changesCount == 0 else { return }
            try database.execute(
                sql: "INSERT INTO history (place, spoken, text) VALUES (?, ?, ?)",
                arguments: [place, time.timeIntervalSince1970, text]
            )
            try database.execute(
                sql: "DELETE FROM history WHERE id NOT IN (SELECT id FROM history ORDER BY place DESC LIMIT ?)",
                arguments: [TextHistoryLimits.entries]
            )
        }
    }

    package func delete(_ id: HistoryEntry.ID) async throws {
        try await database.writeToFree { database in
            try database.execute(sql: "DELETE FROM history WHERE id = ?", arguments: [id])
            guard database.changesCount == 1 else { throw LibraryError.textNotFound }
        }
    }

    package func clear() async throws {
        try await database.writeToFree { try $0.execute(sql: "DELETE FROM history") }
    }
}
