package import EchoText
import Foundation
import GRDB

/// The services that transcribe elsewhere, with their keys, in the encrypted database.
package struct StoredServices: TranscriptionServices {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func services() async throws -> [TranscriptionService] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM service ORDER BY name").map(TranscriptionService.init(row:))
        }
    }

    package func save(_ service: TranscriptionService) async throws {
        try await database.write { database in
            let others = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM service WHERE name <> ?",
                arguments: [service.name.text]
            )
            guard (others ?? 0) < TranscriptionServiceLimits.services else {
                throw TranscriptionServiceError.tooMany(limit: TranscriptionServiceLimits.services)
            }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO service (name, address, allowsPlain, model, language, prompt, secret)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    service.name.text, service.address.text, service.address.allowsPlain, service.model,
                    service.language, service.prompt, service.key?.revealed(),
                ]
            )
        }
    }

    package func delete(_ name: ServiceName) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM service WHERE name = ?", arguments: [name.text])
            guard database.changesCount == 1 else { throw TranscriptionServiceError.notFound }
        }
    }
}

extension TranscriptionService {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid row.
    fileprivate init(row: Row) throws {
        do {
            try self.init(
                name: ServiceName(row["name"]),
                address: ServiceAddress(row["address"], allowsPlain: row["allowsPlain"]),
                model: row["model"],
                language: row["language"],
                prompt: row["prompt"],
                key: (row["secret"] as String?).map { try ServiceKey($0) }
            )
        } catch {
            throw VaultError.databaseDamaged
        }
    }
}
