package import EchoText
package import Foundation
import GRDB

/// The last texts that were spoken, in the encrypted database.
package struct StoredHistory: TextHistory {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func texts() async throws -> SpokenTexts {
        try await database.read { database in
            var (entries, unreadable): ([HistoryEntry], [HistoryEntry.ID]) = ([], [])
            for row in try Row.fetchAll(database, sql: "SELECT id, spoken, text FROM history ORDER BY place DESC") {
                if let entry = HistoryEntry(row: row) { entries.append(entry) } else { unreadable.append(row["id"]) }
            }
            return SpokenTexts(entries: entries, unreadable: unreadable)
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

extension HistoryEntry {
    /// - Returns: `nil` for a row that is damaged.
    fileprivate init?(row: Row) {
        guard let text = String(validating: row["text"] as Data, as: UTF8.self) else { return nil }
        let seconds: Double = row["spoken"]
        guard seconds.isFinite else { return nil }
        self.init(id: row["id"], text: text, spoken: Date(timeIntervalSince1970: seconds))
    }
}

/// The texts that are being written, in the encrypted database.
package struct StoredDraft: DraftStore {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func drafts() async throws -> [Draft] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT page, text FROM draft ORDER BY place DESC").map { row in
                Draft(page: row["page"], text: String(decoding: row["text"] as Data, as: UTF8.self))
            }
        }
    }

    package func save(_ draft: Draft) async throws {
        try await database.write { database in
            if draft.text.isEmpty {
                try database.execute(sql: "DELETE FROM draft WHERE page = ?", arguments: [draft.page])
            } else {
                let others = try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM draft WHERE page <> ?",
                    arguments: [draft.page]
                )
                guard others ?? 0 < Draft.most else { throw LibraryError.tooManyDrafts(limit: Draft.most) }
                // The order is a number and not the time, because clocks are set back.
                let place = try Int.fetchOne(database, sql: "SELECT coalesce(max(place), 0) + 1 FROM draft")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO draft (page, place, text) VALUES (?, ?, ?)",
                    arguments: [draft.page, place, Data(draft.text.utf8)]
                )
            }
        }
    }

    package func rename(_ page: String, to name: String) async throws -> Bool {
        try await database.write { database in
            let sql = "UPDATE OR REPLACE draft SET page = ? WHERE page = ?"
            try database.execute(sql: sql, arguments: [name, page])
            return database.changesCount > 0
        }
    }
}
