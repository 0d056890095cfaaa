import EchoText
import GRDB

/// The settings, in the encrypted database.
package struct StoredSettings: SettingsStore {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func stored() async throws -> [String: String] {
        try await database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT name, value FROM setting")
            // Damaged names may be read as the same one.
            return Dictionary(rows.map { ($0["name"] as String, $0["value"] as String) }) { first, _ in first }
        }
    }

    package func store(_ value: String?, for name: String) async throws {
        let checked = try SettingsCatalogue.checked(value, for: name)
        try await database.write { try Self.store(checked, for: name, in: $0) }
    }

    package func store(_ value: String?, for name: String, insteadOf seen: String?) async throws -> Bool {
        let checked = try SettingsCatalogue.checked(value, for: name)
        return try await database.write { database in
            let sql = "SELECT value FROM setting WHERE name = ?"
            guard try String.fetchOne(database, sql: sql, arguments: [name]) == seen else { return false }
            try Self.store(checked, for: name, in: database)
            return true
        }
    }

    private static func store(_ checked: String?, for name: String, in database: Database) throws {
        if let checked {
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                arguments: [name, checked]
            )
        } else {
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
        }
    }

    package func reset() async throws {
        try await database.write { database in
            let sql = "DELETE FROM setting WHERE name <> ?"
            try database.execute(sql: sql, arguments: [SettingsCatalogue.dictionary.name])
        }
    }
}
