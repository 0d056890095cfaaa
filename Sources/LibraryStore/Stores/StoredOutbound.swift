package import EchoText
import Foundation
import GRDB

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
