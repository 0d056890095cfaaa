package import EchoText
import FileSystem
package import Foundation
package import GRDB
import GRDBSQLite
import Synchronization

/// The library's encrypted database, open.
///
/// Several processes may have it open at once. Everything that fails throws ``VaultError``, without statement or value.
package final class LibraryDatabase: Sendable {
    package let folder: LibraryFolder
    /// A pool, or a single connection on a full or read-only disk.
    private let pool: any DatabaseWriter
    /// The copy that the connection uses where the database itself cannot be opened.
    private let copy: Mutex<DatabaseCopy?>
    /// Held while the database is open, so that nobody can get exclusive access.
    private let presence: Mutex<FileLock?>
    /// Set once the disk has failed a write: the state on disk is unknown then, so nothing more is written.
    private let failure: Mutex<ReadOnlyCause?>
    private let reserve: DiskReserve
    private let written = Atomic(false)
    /// The rows that lists of recordings leave out.
    let unreadableItems = UnreadableRows.ofItems()
    /// The rows that lists of documents leave out.
    let unreadableDocuments = UnreadableRows.ofDocuments()
    /// Whether anything has been written since it was opened.
    package var hasWritten: Bool { written.load(ordering: .acquiring) }

    /// Opens the database, and creates it if missing.
    ///
    /// - Parameters:
    ///   - folder: The library's folder.
    ///   - key: 32 bytes; the caller wipes them after ``close()``.
    ///   - timeout: How long to wait for another process that is writing, in seconds.
    /// - Throws: ``VaultError``.
    package convenience init(in folder: LibraryFolder, key: SecretBytes, timeout: TimeInterval = 10) throws {
        try self.init(in: folder, key: key, timeout: timeout, migrator: LibrarySchema.migrator)
    }

    init(in folder: LibraryFolder, key: SecretBytes, timeout: TimeInterval, migrator: DatabaseMigrator) throws {
        precondition(key.count == 32, "the database's key has 32 bytes, got \(key.count)")
        let isReadOnly = folder.isReadOnly
        try isReadOnly ? folder.check() : folder.prepare()
        let presence = try FileLock(at: "\(folder.locks)/database", .shared, isMade: !isReadOnly)
        guard isReadOnly || presence != nil else { throw VaultError.inUse }
        guard !folder.isPlain else { throw VaultError.notEncrypted }
        let key = DatabaseKey(bytes: key)
        var copy: DatabaseCopy?
        if isReadOnly {
            let made = try DatabaseCopy(of: folder)
            pool = try Self.loneConnection(at: made.path, .noPermission, key, timeout, migrator)
            failure = Mutex(.noPermission)
            copy = made
        } else {
            do {
                pool = try Self.pool(in: folder, key, timeout, migrator)
                failure = Mutex(nil)
            } catch VaultError.readOnly(.diskFull) {
                pool = try Self.loneConnection(at: folder.database, .diskFull, key, timeout, migrator)
                failure = Mutex(.diskFull)
            }
        }
        self.copy = Mutex(copy)
        guard !folder.isPlain else { throw VaultError.notEncrypted }
        reserve = DiskReserve(in: folder)
        if !isReadOnly { reserve.keep() }
        self.folder = folder
        self.presence = Mutex(presence)
    }

    private static func pool(
        in folder: LibraryFolder,
        _ key: DatabaseKey,
        _ timeout: TimeInterval,
        _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        try mappingDatabaseErrors {
            let pool = try DatabasePool(path: folder.database, configuration: configuration(key, timeout))
            // GRDB sets NORMAL when it enables WAL, which would allow a power loss to undo acknowledged writes.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrate(pool, by: migrator, in: folder)
            pool.writeWithoutTransaction(growInSteps)
            return pool
        }
    }

    /// A connection for a disk that has no space even for the WAL index, or is read-only: in exclusive mode that index
    /// is in memory.
    private static func loneConnection(
        at path: String,
        _ cause: ReadOnlyCause,
        _ key: DatabaseKey,
        _ timeout: TimeInterval,
        _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.busyMode = .timeout(timeout)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try prepare(database, key)
        }
        return try mappingDatabaseErrors {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            if try queue.read(migrator.hasBeenSuperseded) { throw VaultError.newerSchema }
            guard try queue.read(migrator.hasCompletedMigrations) else { throw VaultError.readOnly(cause) }
            return queue
        }
    }

    /// Ends every use; the last process that closes the database removes the files next to it.
    package func close() throws {
        // Readers first: only a connection that may write can write the log into the database and remove it.
        (pool as? DatabasePool)?.invalidateReadOnlyConnections()
        try mappingDatabaseErrors { try pool.close() }
        copy.withLock { $0 = nil }
        presence.withLock { $0 = nil }
    }

    // MARK: - Use

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read(body)
        } catch let error as DatabaseError {
            throw error.vaultError
        }
    }

    /// Runs one transaction: all of it is durable when this returns, or none of it exists.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        if let cause = failure.withLock({ $0 }) { throw VaultError.readOnly(cause) }
        do {
            let value = try await pool.write(body)
            written.store(true, ordering: .releasing)
            return value
        } catch let error as DatabaseError {
            if error.vaultError == .readOnly(.deviceFailed) { failure.withLock { $0 = .deviceFailed } }
            throw error.vaultError
        }
    }

    /// As ``write(_:)``, for changes that free space: when the disk is full, the library's reserve is released first.
    package func writeToFree<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await write(body)
        } catch VaultError.readOnly(.diskFull) {
            // If it is missing, another deletion has just released it.
            _ = reserve.release()
            failure.withLock { if $0 == .diskFull { $0 = nil } }
            return try await write(body)
        }
    }

    /// A number that changes when another process has written.
    ///
    /// - SeeAlso: SQLite, “PRAGMA data_version”: it stays the same for what the asking connection writes itself, and
    ///   only that one writes here.
    func versionByOthers() async throws -> Int {
        do {
            return try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        } catch let error as DatabaseError {
            throw error.vaultError
        }
    }

    // MARK: - Care

    /// Reads the whole database.
    ///
    /// - Returns: The problems; empty for an intact database.
    package func check() async throws -> [VaultReport.Problem] {
        do {
            return try await pool.writeWithoutTransaction { try Self.problems(of: $0) }
        } catch let error as DatabaseError {
            guard error.vaultError == .databaseDamaged || error.vaultError == .wrongKey else { throw error.vaultError }
            return [.damagedPages(count: 1)]
        }
    }

    private static func problems(of database: Database) throws -> [VaultReport.Problem] {
        var problems: [VaultReport.Problem] = []
        let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        if !pages.isEmpty { problems.append(.damagedPages(count: pages.count)) }
        let dangling = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
        if dangling > 0 { problems.append(.danglingReferences(count: dangling)) }
        let unclear = try unclearTranscripts(in: database).count
        if unclear > 0 { problems.append(.unclearTranscripts(count: unclear)) }
        let unreadable = try UnreadableRows.ofItems().keys(in: database).count
        if unreadable > 0 { problems.append(.unreadableRecordings(count: unreadable)) }
        do {
            for index in ["search", "documentSearch"] {
                try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('integrity-check')")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            problems.append(.damagedSearch)
        }
        return problems
    }

    /// Writes a full copy, encrypted with the same key, to a new file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The encrypted files that the copy names, which may be others than the library has by now.
    /// - Throws: ``VaultError``.
    @discardableResult
    package func backup(to path: String) async throws -> [ContentReference] {
        do {
            try await pool.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [path])
            }
            try Self.makeDurable(path)
            let copied = try DatabaseQueue(path: path, configuration: pool.configuration)
            let named = try await copied.write { database in
                // Where the copy takes the place of a newer database, the files that were expected then are the person's.
                try database.execute(sql: "DELETE FROM removedContent")
                return try ContentReference.all(in: database)
            }
            try copied.close()
            return named
        } catch let error as DatabaseError {
            throw error.vaultError
        }
    }

    // MARK: - Setting up

    private static func configuration(_ key: DatabaseKey, _ timeout: TimeInterval) -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(timeout)
        configuration.prepareDatabase { database in try prepare(database, key) }
        return configuration
    }

    /// The first statements of every connection, in an order that writes nothing before the database is known to be encrypted.
    static func prepare(_ database: Database, _ key: DatabaseKey) throws {
        // An SQLite without encryption ignores the pragma silently.
        let cipher = try String.fetchOne(database, sql: "PRAGMA cipher = 'chacha20'")
        guard cipher == "chacha20" else { throw VaultError.notEncrypted }
        try key.unlock(database)
        guard try String.fetchOne(database, sql: "SELECT sqlite3mc_version()") != nil else {
            throw VaultError.notEncrypted
        }
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                PRAGMA cache_size = -16384;
                PRAGMA journal_size_limit = 16777216;
                """
        )
    }

    /// Makes the file grow by whole MiB, so that its size reveals little.
    ///
    /// Call it only once there are tables: a file that has grown but was not written to looks damaged.
    private static func growInSteps(_ database: Database) {
        var step: CInt = 1 << 20
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &step)
    }

    private static func migrate(_ pool: any DatabaseWriter, by migrator: DatabaseMigrator, in folder: LibraryFolder)
        throws
    {
        if try pool.read(migrator.hasBeenSuperseded) { throw VaultError.newerSchema }
        guard try !pool.read(migrator.hasCompletedMigrations) else { return }
        // Two processes that migrate at once would do every step twice.
        let lock = try FileLock(at: "\(folder.locks)/migration", .exclusive, waits: true)
        try withExtendedLifetime(lock) { try migrator.migrate(pool) }
    }

    /// Waits until the disk has a file and its name.
    static func makeDurable(_ path: String) throws {
        for (path, flags) in [(path, O_RDONLY), ((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY)]
        {
            let descriptor = Glibc.open(path.isEmpty ? "." : path, flags | O_CLOEXEC)
            guard descriptor >= 0 else { throw VaultError(opening: errno) }
            defer { Glibc.close(descriptor) }
            if flags == O_RDONLY, fchmod(descriptor, 0o600) != 0 { throw VaultError(opening: errno) }
            if fsync(descriptor) != 0 { throw VaultError.readOnly(.deviceFailed) }
        }
    }
}

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

extension DatabaseError {
    /// The same for a person; neither statement nor value is in it.
    var vaultError: VaultError {
        switch resultCode {
        case .SQLITE_NOTADB: .wrongKey
        case .SQLITE_CORRUPT: .databaseDamaged
        case .SQLITE_FULL: .readOnly(.diskFull)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .readOnly(.noPermission)
        case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse
        case .SQLITE_IOERR:
            switch extendedResultCode {
            case .SQLITE_IOERR_SHORT_READ: .databaseDamaged
            // SQLite reports “full” for all its files but this one, the index of the WAL.
            case .SQLITE_IOERR_SHMSIZE: .readOnly(.diskFull)
            default: .readOnly(.deviceFailed)
            }
        case .SQLITE_NOMEM: .system(errno: ENOMEM)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: .system(errno: EINTR)
        case .SQLITE_TOOBIG: .system(errno: EFBIG)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE: .system(errno: EINVAL)
        default: .system(errno: EIO)
        }
    }
}

/// Runs `body`, and converts SQLite's errors into ``VaultError``.
func mappingDatabaseErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as DatabaseError {
        throw error.vaultError
    }
}
