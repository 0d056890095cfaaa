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
        let found = try await database.read { database in
            var found = Found()
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM batchEntry ORDER BY number")
            while let row = try rows.next() { found.add(row) }
            return found
        }
        await markFailed(found.damaged)
        return found.entries
    }

    package func next() async throws -> BatchEntry? {
        let found = try await database.read { database in
            var found = Found()
            let sql = "SELECT * FROM batchEntry WHERE \(Self.isLeft) ORDER BY number"
            let rows = try Row.fetchCursor(database, sql: sql)
            while found.entries.last?.isLeft != true, let row = try rows.next() { found.add(row) }
            return found
        }
        await markFailed(found.damaged)
        return found.entries.last { $0.isLeft }
    }

    /// Entries as the database has them.
    private struct Found {
        var entries: [BatchEntry] = []
        /// Those that cannot be read, and that the database does not have as failed yet.
        var damaged: [BatchEntry.ID] = []

        mutating func add(_ row: Row) {
            let entry = BatchEntry(row: row)
            let isLeft = BatchEntry.State(rawValue: row["state"]).map { $0 == .waiting || $0 == .begun } ?? true
            if isLeft, !entry.isLeft { damaged.append(entry.id) }
            entries.append(entry)
        }
    }

    /// Stores that entries cannot be read, so that they count as failed.
    private func markFailed(_ damaged: [BatchEntry.ID]) async {
        guard !damaged.isEmpty else { return }
        // Where it cannot be stored, it is found again by the next one that reads them.
        try? await database.write { database in
            let damage = try JSONEncoder().encode(LibraryError.batchEntryDamaged.failure)
            let failure = String(decoding: damage, as: UTF8.self)
            for id in damaged {
                let sql = "UPDATE batchEntry SET state = 'failed', failure = ? WHERE number = ?"
                try database.execute(sql: sql, arguments: [failure, id])
            }
        }
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

    package func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry] {
        let instructions = try orders.map { try JSONEncoder().encode($0) }
        return try await database.write { database in
            let sql = "SELECT EXISTS (SELECT * FROM batchEntry WHERE \(Self.isLeft))"
            if try Bool.fetchOne(database, sql: sql) != true {
                try database.execute(sql: "DELETE FROM batchEntry WHERE state = 'done'")
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

    package func update(_ entry: BatchEntry) async throws -> Bool {
        let failure = try entry.failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let leftOut = try entry.leftOut.stored
        return try await database.write { database in
            try database.execute(
                sql: "UPDATE batchEntry SET state = ?, narration = ?, failure = ?, leftOut = ? WHERE number = ?",
                arguments: [entry.state.rawValue, entry.narration?.rawValue, failure, leftOut, entry.id]
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
            let sql = "SELECT * FROM batchEntry WHERE \(condition) ORDER BY number"
            let gone = try Row.fetchAll(database, sql: sql, arguments: arguments).map(BatchEntry.init(row:))
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
    /// An entry that cannot be read has failed: it is listed among the others, and can be removed.
    fileprivate init(row: Row) {
        let instructions: Data = row["instructions"]
        let narration = (row["narration"] as String?).map { AudioItem.ID(rawValue: $0) }
        let damage = LibraryError.batchEntryDamaged.failure
        guard let order = try? JSONDecoder().decode(NarrationOrder.self, from: instructions),
            let state = State(rawValue: row["state"]), let leftOut = try? [String](stored: row["leftOut"])
        else {
            let order = NarrationOrder(unreadable: instructions)
            self.init(id: row["number"], order: order, state: .failed, narration: narration, failure: damage)
            return
        }
        let failure = (row["failure"] as String?).map { text in
            (try? JSONDecoder().decode(Failure.self, from: Data(text.utf8))) ?? damage
        }
        self.init(
            id: row["number"],
            order: order,
            state: state,
            narration: narration,
            failure: failure,
            leftOut: leftOut
        )
    }
}

extension NarrationOrder {
    /// Stands for an order of which at most the name can still be read.
    init(unreadable bytes: Data) {
        let none = Voice.ID(rawValue: "?")
        let voice = Voice(id: none, name: "?", language: "und", engine: .espeakNG, sampleRate: 22_050)
        self.init(name: ItemName(ofUnreadable: bytes), voice: voice)
    }
}

extension ItemName {
    private struct Order: Decodable {
        let name: ItemName
    }

    /// The name in a stored order whose other values cannot be read; a question mark where it cannot be read either.
    init(ofUnreadable bytes: Data) {
        self = (try? JSONDecoder().decode(Order.self, from: bytes))?.name ?? "?"
    }
}
