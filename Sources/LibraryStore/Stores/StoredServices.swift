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
            try Row.fetchAll(database, sql: "SELECT * FROM service ORDER BY name")
                .compactMap(TranscriptionService.init(row:))
        }
    }

    package func unreadable() async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM service").count { TranscriptionService(row: $0) == nil }
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
    /// - Returns: `nil` for an invalid row.
    fileprivate init?(row: Row) {
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
            return nil
        }
    }
}

/// The connections that were made, in the encrypted database.
package struct StoredOutbound: OutboundLedger {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func begin(_ record: OutboundRecord) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO outbound (time, purpose, host, bytesSent, seconds, bytesReceived, outcome)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    record.time.timeIntervalSince1970, record.purpose.rawValue, record.host, record.bytesSent,
                    record.seconds, record.bytesReceived, record.outcome.rawValue,
                ]
            )
            return Int(database.lastInsertedRowID)
        }
    }

    package func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) async {
        // The connection itself is recorded; a failure to record its end must not affect the caller.
        try? await database.write { database in
            try database.execute(
                sql: "UPDATE outbound SET outcome = ?, bytesReceived = ? WHERE number = ?",
                arguments: [outcome.rawValue, max(0, bytesReceived), number]
            )
        }
    }

    package func records(limit: Int) async throws -> [OutboundRecord] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM outbound ORDER BY number DESC LIMIT ?",
                arguments: [max(0, limit)]
            ).map(OutboundRecord.init(row:))
        }
    }
}

extension OutboundRecord {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    fileprivate init(row: Row) throws {
        guard let purpose = Purpose(rawValue: row["purpose"]), let outcome = Outcome(rawValue: row["outcome"]) else {
            throw VaultError.databaseDamaged
        }
        self.init(
            time: Date(seconds: row["time"]),
            purpose: purpose,
            host: row["host"],
            bytesSent: row["bytesSent"],
            seconds: row["seconds"],
            bytesReceived: row["bytesReceived"],
            outcome: outcome
        )
    }
}
