import EchoText
import FileSystem
import Foundation
import GRDB

extension LibraryDatabase {
    /// Encrypts the database of a closed library with another key.
    ///
    /// A copy gets the new key and then atomically replaces the original, so that at every moment one of the two keys
    /// opens the whole database. Keep both until this returns.
    ///
    /// - Parameters:
    ///   - folder: The library's folder.
    ///   - old: The present key, 32 bytes.
    ///   - new: The new key, 32 bytes.
    /// - Throws: ``VaultError/inUse`` when another process has it open; ``VaultError``.
    package static func rekey(in folder: LibraryFolder, from old: SecretBytes, to new: SecretBytes) async throws {
        try folder.prepare()
        guard let lock = try FileLock(at: "\(folder.locks)/database", .exclusive) else { throw VaultError.inUse }
        defer { withExtendedLifetime(lock) {} }
        let copy = folder.database + ".rekeyed"
        unlink(copy)  // It may remain from an interrupted change of the key.
        try await withConnection(to: folder.database, key: old) { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "VACUUM INTO ?", arguments: [copy])
        }
        try makeDurable(copy)
        try await withConnection(to: copy, key: old) { try DatabaseKey(bytes: new).replaceKey(of: $0) }
        try await withConnection(to: copy, key: new) { database in
            guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"] else {
                throw VaultError.databaseDamaged
            }
        }
        try makeDurable(copy)
        guard rename(copy, folder.database) == 0 else { throw VaultError(opening: errno) }
        try makeDurable(folder.database)
    }

    private static func withConnection(
        to path: String,
        key: SecretBytes,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try prepare(database, DatabaseKey(bytes: key))
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try await queue.writeWithoutTransaction(body)
            try queue.close()
        } catch let error as DatabaseError {
            throw error.vaultError
        }
    }
}
