package import EchoText
import FileSystem
import Foundation
import GRDB

/// The batch, in the encrypted database.
///
/// A process that works on it holds a lock on a file, which the system frees when the process ends in any way.
package actor StoredBatch: BatchStore {
    private let database: LibraryDatabase
    private var held: FileLock?

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func entries() async throws -> [BatchEntry] {
        try await database.read { try Self.entries(in: $0) }
    }

    package func next() async throws -> BatchEntry? {
        try await database.read { try Self.entries(in: $0, where: Self.isLeft, limit: 1).first }
    }

    package func counts() async throws -> BatchCounts {
        try await database.read { database in
            let sql = """
                SELECT count(*) AS total, ifnull(sum(state = 'done'), 0) AS done, ifnull(sum(state = 'failed'), 0) AS failed,
                    (SELECT count(*) FROM batchEntry WHERE number <= ifnull(
                        (SELECT min(number) FROM batchEntry WHERE \(Self.isLeft)),
                        (SELECT max(number) FROM batchEntry)
                    )) AS current
                FROM batchEntry
                """
            var counts = BatchCounts()
            guard let row = try Row.fetchOne(database, sql: sql) else { return counts }
            (counts.total, counts.done) = (row["total"], row["done"])
            (counts.failed, counts.current) = (row["failed"], row["current"])
            return counts
        }
    }

    /// The SQL condition for an unfinished entry.
    private static let isLeft = "state IN ('waiting', 'begun')"

    private static func entries(
        in database: Database,
        where condition: String = "true",
        limit: Int = -1
    ) throws -> [BatchEntry] {
        let sql = "SELECT * FROM batchEntry WHERE \(condition) ORDER BY number LIMIT \(limit)"
        return try Row.fetchAll(database, sql: sql).map(BatchEntry.init(row:))
    }

    package func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry] {
        let instructions = try orders.map { try JSONEncoder().encode($0) }
        return try await database.write { database in
            let sql = "SELECT EXISTS (SELECT * FROM batchEntry WHERE \(Self.isLeft))"
            if try Bool.fetchOne(database, sql: sql) != true { try database.execute(sql: "DELETE FROM batchEntry") }
            return try zip(orders, instructions).map { order, instructions in
                try database.execute(
                    sql: "INSERT INTO batchEntry (instructions, state) VALUES (?, ?)",
                    arguments: [instructions, BatchEntry.State.waiting.rawValue]
                )
                return BatchEntry(id: Int(database.lastInsertedRowID), order: order)
            }
        }
    }

    package func update(_ entry: BatchEntry) async throws -> Bool {
        let failure = try entry.failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        return try await database.write { database in
            try database.execute(
                sql: "UPDATE batchEntry SET state = ?, narration = ?, failure = ? WHERE number = ?",
                arguments: [entry.state.rawValue, entry.narration?.rawValue, failure, entry.id]
            )
            guard database.changesCount > 0 else { return false }
            if entry.state != .begun {
                let sql = "UPDATE batchEntry SET starts = 0, reached = 0 WHERE number = ?"
                try database.execute(sql: sql, arguments: [entry.id])
            }
            return true
        }
    }

    package func noteStart(of id: BatchEntry.ID, at position: Int) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE batchEntry SET
                        starts = CASE WHEN ? > reached THEN 1 ELSE starts + 1 END,
                        reached = max(reached, ?)
                    WHERE number = ?
                    """,
                arguments: [position, position, id]
            )
            let sql = "SELECT starts FROM batchEntry WHERE number = ?"
            // An entry that was removed meanwhile has no starts to count.
            return try Int.fetchOne(database, sql: sql, arguments: [id]) ?? 1
        }
    }

    package func forgetStarts(of id: BatchEntry.ID) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE batchEntry SET starts = 0 WHERE number = ?", arguments: [id])
        }
    }

    package func remove(_ choice: BatchChoice) async throws -> [BatchEntry] {
        let (condition, arguments): (String, StatementArguments) =
            switch choice {
            case .one(let id): ("number = ?", [id])
            case .left: (Self.isLeft, [])
            case .ended: ("NOT \(Self.isLeft)", [])
            }
        return try await database.write { database in
            // One that is damaged can be removed too; nothing else is to be done with it.
            let sql = "SELECT * FROM batchEntry WHERE \(condition) ORDER BY number"
            let gone = try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row in
                try? BatchEntry(row: row)
            }
            try database.execute(sql: "DELETE FROM batchEntry WHERE \(condition)", arguments: arguments)
            return gone
        }
    }

    package func hold() throws {
        guard held == nil, let lock = try FileLock(at: "\(database.folder.locks)/batch", .exclusive) else {
            throw LibraryError.batchBusy
        }
        held = lock
    }

    package func release() { held = nil }
}

extension BatchEntry {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    fileprivate init(row: Row) throws {
        // The details of a mismatch would not help a person.
        guard let order = try? JSONDecoder().decode(NarrationOrder.self, from: row["instructions"] as Data),
            let state = State(rawValue: row["state"])
        else { throw VaultError.databaseDamaged }
        let failure = try (row["failure"] as String?).map { text in
            guard let failure = try? JSONDecoder().decode(Failure.self, from: Data(text.utf8)) else {
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
