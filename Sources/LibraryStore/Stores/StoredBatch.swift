package import EchoText
import Foundation
import GRDB

/// The batch, in the encrypted database.
///
/// Who works on it holds a lock on a file; the system frees that when the process ends, however it ends.
package actor StoredBatch: BatchStore {
    private let database: LibraryDatabase
    private var held: FileLock?

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func entries() async throws -> [BatchEntry] {
        try await database.read { try Self.entries(in: $0) }
    }

    private static func entries(in database: Database) throws -> [BatchEntry] {
        try Row.fetchAll(database, sql: "SELECT * FROM batchEntry ORDER BY number").map(BatchEntry.init(row:))
    }

    package func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry] {
        let instructions = try orders.map { try JSONEncoder().encode($0) }
        return try await database.write { database in
            if try !Self.entries(in: database).contains(where: \.isLeft) {
                try database.execute(sql: "DELETE FROM batchEntry")
            }
            return try zip(orders, instructions).map { order, instructions in
                try database.execute(
                    sql: "INSERT INTO batchEntry (instructions, state) VALUES (?, ?)",
                    arguments: [instructions, BatchEntry.State.waiting.rawValue]
                )
                return BatchEntry(id: Int(database.lastInsertedRowID), order: order)
            }
        }
    }

    package func update(_ entry: BatchEntry) async throws {
        let failure = try entry.failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try await database.write { database in
            try database.execute(
                sql: "UPDATE batchEntry SET state = ?, narration = ?, failure = ? WHERE number = ?",
                arguments: [entry.state.rawValue, entry.narration?.rawValue, failure, entry.id]
            )
        }
    }

    package func remove(_ ids: Set<BatchEntry.ID>) async throws {
        try await database.write { database in
            for id in ids { try database.execute(sql: "DELETE FROM batchEntry WHERE number = ?", arguments: [id]) }
        }
    }

    package func hold() throws {
        guard held == nil, let lock = try FileLock(at: "\(database.folder.locks)/batch", .exclusive) else {
            throw LibraryError.batchBusy
        }
        held = lock
    }

    package func letGo() { held = nil }
}

extension BatchEntry {
    /// - Throws: ``VaultError/databaseDamaged`` when a value cannot be one of this program's.
    fileprivate init(row: Row) throws {
        // What exactly does not fit tells a person nothing.
        guard let order = try? JSONDecoder().decode(NarrationOrder.self, from: row["instructions"] as Data),
            let state = State(rawValue: row["state"])
        else { throw VaultError.databaseDamaged }
        let failure = try (row["failure"] as String?).map { text in
            guard let failure = try? JSONDecoder().decode(NarrationJob.Failure.self, from: Data(text.utf8)) else {
                throw VaultError.databaseDamaged
            }
            return failure
        }
        self.init(
            id: row["number"],
            order: order,
            state: state,
            narration: (row["narration"] as String?).map { AudioItem.ID(rawValue: $0) },
            failure: failure
        )
    }
}
