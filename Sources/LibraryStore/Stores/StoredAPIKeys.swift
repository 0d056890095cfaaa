import Crypto
package import EchoText
package import Foundation
import GRDB

/// The keys of the API for developers, as digests in the encrypted database.
///
/// A key has 256 random bits, so its plain SHA-256 cannot be turned back by trying.
package struct StoredAPIKeys: APIKeys {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func keys() async throws -> [APIKey] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM apiKey ORDER BY name").compactMap(APIKey.init(row:))
        }
    }

    package func unreadable() async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM apiKey").count { APIKey(row: $0) == nil }
        }
    }

    package func add(_ name: ItemName, at now: Date) async throws -> APIKeySecret {
        let secret = APIKeySecret()
        let digest = Data(Self.digest(of: secret))
        try await database.write { database in
            let names = try String.fetchSet(database, sql: "SELECT name FROM apiKey")
            guard !names.contains(name.text) else { throw APIKeyError.nameTaken }
            guard names.count < APIKey.most else { throw APIKeyError.tooMany(limit: APIKey.most) }
            try database.execute(
                sql: "INSERT INTO apiKey (name, digest, created) VALUES (?, ?, ?)",
                arguments: [name.text, digest, now.timeIntervalSince1970]
            )
        }
        return secret
    }

    package func remove(_ name: ItemName) async throws {
        try await database.writeToFree { database in
            try database.execute(sql: "DELETE FROM apiKey WHERE name = ?", arguments: [name.text])
            guard database.changesCount == 1 else { throw APIKeyError.notFound }
        }
    }

    package func removeUnreadable() async throws -> Int {
        try await database.writeToFree { database in
            let rows = try Row.fetchAll(database, sql: "SELECT rowid AS number, * FROM apiKey")
                .filter { APIKey(row: $0) == nil }
            for row in rows {
                try database.execute(sql: "DELETE FROM apiKey WHERE rowid = ?", arguments: [row["number"] as Int64])
            }
            return rows.count
        }
    }

    package func use(_ secret: APIKeySecret, at now: Date) async throws -> APIKey? {
        let digest = Self.digest(of: secret)
        let found = try await database.read { database -> APIKey? in
            var found: APIKey?
            // All are compared, each in constant time.
            for row in try Row.fetchAll(database, sql: "SELECT * FROM apiKey") where digest == (row["digest"] as Data) {
                found = APIKey(row: row)
            }
            return found
        }
        guard let found, found.shouldRecordUse(at: now) else { return found }
        // A library that cannot be written to can be read from all the same.
        try? await database.write { database in
            try database.execute(
                sql: "UPDATE apiKey SET lastUsed = ? WHERE name = ?",
                arguments: [now.timeIntervalSince1970, found.name.text]
            )
        }
        return found
    }

    private static func digest(of secret: APIKeySecret) -> SHA256Digest {
        SHA256.hash(data: Data(secret.revealed().utf8))
    }
}

extension APIKey {
    /// Fails for a row with a name that no key can have.
    fileprivate init?(row: Row) {
        let stored: String = row["name"]
        guard let name = try? ItemName(stored: stored), name.text == stored else { return nil }
        self.init(
            name: name,
            created: Date(seconds: row["created"]),
            lastUsed: (row["lastUsed"] as Double?).map { Date(seconds: $0) }
        )
    }
}
