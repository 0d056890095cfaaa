import EchoText
import Foundation
import GRDB
import GRDBSQLite

/// The raw key of the database, given to SQLite in memory that is wiped right after.
struct DatabaseKey: Sendable {
    /// 32 bytes.
    let bytes: SecretBytes

    /// Sets the key of `database`, from which nothing was read yet.
    func unlock(_ database: Database) throws {
        try run("PRAGMA key = ", on: database)
    }

    /// Encrypts the whole `database`, which is not in WAL mode, with this key instead of its own.
    func replaceKey(of database: Database) throws {
        try run("PRAGMA rekey = ", on: database)
    }

    private func run(_ pragma: String, on database: Database) throws {
        let head = Array("\(pragma)\"x'".utf8)
        let tail = Array("'\"\0".utf8)
        let digits = Array("0123456789abcdef".utf8)
        let statement = try bytes.withUnsafeBytes { key in
            SecretBytes(count: head.count + 2 * key.count + tail.count) { text in
                text.copyBytes(from: head)
                for (index, byte) in key.enumerated() {
                    text[head.count + 2 * index] = digits[Int(byte >> 4)]
                    text[head.count + 2 * index + 1] = digits[Int(byte & 15)]
                }
                UnsafeMutableRawBufferPointer(rebasing: text[(head.count + 2 * key.count)...]).copyBytes(from: tail)
            }
        }
        defer { statement.wipe() }
        let code = try statement.withUnsafeBytes { text in
            sqlite3_exec(
                database.sqliteConnection,
                text.baseAddress?.assumingMemoryBound(to: CChar.self),
                nil,
                nil,
                nil
            )
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
