package import EchoText
import Foundation
import GRDB

/// A person's choices about voices, in the encrypted database.
package struct StoredVoices: VoiceRegistry {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func records() async throws -> [Voice.ID: VoiceRecord] {
        try await database.read { database in
            let records = try Row.fetchAll(database, sql: "SELECT * FROM voice").map(VoiceRecord.init(row:))
            // Damaged ids may be read as the same one.
            return Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    package func update(
        _ id: Voice.ID,
        _ change: @escaping @Sendable (inout VoiceRecord) -> Void
    ) async throws -> VoiceRecord {
        try await database.write { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM voice WHERE id = ?", arguments: [id.rawValue])
            var record = row.map(VoiceRecord.init(row:)) ?? VoiceRecord(id: id)
            change(&record)
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO voice (id, isFavourite, lastUsed, speed, setAside, installation)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id.rawValue, record.isFavorite, record.lastUsed, record.speed, record.disabledBy,
                    try record.installation.map { try JSONEncoder().encode($0) },
                ]
            )
            return record
        }
    }
}

extension VoiceRecord {
    fileprivate init(row: Row) {
        self.init(
            id: Voice.ID(rawValue: row["id"]),
            isFavorite: row["isFavourite"],
            lastUsed: row["lastUsed"],
            speed: row["speed"],
            disabledBy: row["setAside"],
            // A value of another version is determined again.
            installation: (row["installation"] as Data?).flatMap {
                try? JSONDecoder().decode(InstalledVoice.self, from: $0)
            }
        )
    }
}
