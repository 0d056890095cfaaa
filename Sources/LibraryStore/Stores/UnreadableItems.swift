import EchoText
import GRDB
import Synchronization

/// The keys of recordings whose rows cannot be read, which lists leave out; all are searched for when one is found.
final class UnreadableItems: Sendable {
    private let found = Mutex<Set<Int64>>([])

    /// The known keys.
    var keys: Set<Int64> { found.withLock(\.self) }

    /// Looks for them, so that they are known from now on.
    ///
    /// - Returns: Their keys.
    func find(in database: Database) throws -> Set<Int64> {
        let keys = try Self.keys(in: database)
        found.withLock { $0 = keys }
        return keys
    }

    /// The keys of the rows that cannot be read; reads every row.
    static func keys(in database: Database) throws -> Set<Int64> {
        var keys: Set<Int64> = []
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM item")
        while let row = try rows.next() {
            // Why it cannot be read does not matter here.
            if (try? AudioItem(row: row)) == nil { keys.insert(row["key"]) }
        }
        return keys
    }
}
