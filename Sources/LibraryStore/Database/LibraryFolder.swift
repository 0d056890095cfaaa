import EchoText
import FileSystem
import Foundation

/// The library's folder: readable for this user only, without links.
package struct LibraryFolder: Sendable, Hashable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var database: String { "\(path)/library.db" }
    package var locks: String { "\(path)/locks" }

    /// The database that is in the folder, which may be another one than is open; `nil` where there is none.
    var presentDatabase: FileIdentity? {
        var status = stat()
        return lstat(database, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Whether there is a database with something in it, or what stands in its place.
    var hasDatabase: Bool {
        var status = stat()
        guard lstat(database, &status) == 0 else { return false }
        return status.st_size > 0 || status.st_mode & S_IFMT != S_IFREG
    }

    /// Creates missing folders, and removes others' permissions.
    ///
    /// - Throws: ``VaultError/unsafeFolder`` when it, or a file of the database's, is a link, of another kind or
    ///   another user's; ``VaultError/readOnly(_:)``.
    func prepare() throws(VaultError) {
        for folder in [path, locks] {
            if mkdir(folder, 0o700) != 0, errno != EEXIST { throw VaultError(makingFolder: errno) }
            try secure(folder, kind: S_IFDIR, mode: 0o700)
        }
        // Where somebody has made all files read-only, none of the locks could be taken. What is no file, its user refuses.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: locks)) ?? [] {
            try? secure("\(locks)/\(name)", kind: S_IFREG, mode: 0o600)
        }
        let descriptor = Glibc.open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        Glibc.close(descriptor)
        for suffix in ["", "-wal", "-shm"] {
            try secure(database + suffix, kind: S_IFREG, mode: 0o600)
        }
    }

    /// Whether the folder holds a library on a read-only medium.
    var isReadOnly: Bool {
        access(database, F_OK) == 0 && access(path, W_OK) != 0 && (errno == EROFS || errno == EACCES)
    }

    /// Performs the checks of ``prepare()`` on a read-only disk.
    ///
    /// - Throws: As ``prepare()``.
    func check() throws(VaultError) {
        for folder in [path, locks] { try secure(folder, kind: S_IFDIR, mode: 0o700) }
        for suffix in ["", "-wal", "-shm"] { try secure(database + suffix, kind: S_IFREG, mode: 0o600) }
    }

    /// Checks one file or folder, and sets its permissions regardless of the umask; a missing one is no error.
    private func secure(_ path: String, kind: mode_t, mode: mode_t) throws(VaultError) {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT { return }
            throw VaultError(opening: errno)
        }
        guard found.st_mode & S_IFMT == kind, found.st_uid == geteuid() else { throw .unsafeFolder }
        if found.st_mode & 0o7777 != mode, chmod(path, mode) != 0 { throw VaultError(opening: errno) }
    }

    /// Whether the database exists and is not encrypted.
    var isPlain: Bool {
        let descriptor = Glibc.open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        let sign = Array("SQLite format 3".utf8)
        var start = [UInt8](repeating: 0, count: sign.count)
        return Glibc.read(descriptor, &start, start.count) == start.count && start == sign
    }
}

/// A lock on a file, held by a process or a part of one; the system releases it when its holder ends for any reason.
final class FileLock: Sendable {
    private let file: LockableFile
    private let path: String
    private let isTemporary: Bool

    /// Acquires the lock, or fails at once with `nil` when another holder excludes it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: Whether others may share it.
    ///   - isMade: Whether a missing file is created; otherwise it cannot be locked.
    ///   - isTemporary: Whether the file is removed with its holder.
    ///   - waits: Whether to wait for other holders.
    /// - Throws: ``VaultError``.
    init?(
        at path: String,
        _ mode: LockableFile.Mode,
        isMade: Bool = true,
        isTemporary: Bool = false,
        waits: Bool = false
    ) throws {
        while true {
            let access = isMade ? O_RDWR | O_CREAT : O_RDONLY
            let descriptor = Glibc.open(path, access | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                if errno == ENOENT, !isMade { return nil }
                throw VaultError(opening: errno)
            }
            let file = LockableFile(descriptor)
            guard try VaultError.translating({ () throws(SystemError) in try file.lock(mode, waits: waits) }) else {
                return nil
            }
            // The last holder may have removed the file meanwhile: then the lock is on a removed file.
            guard file.isNamed(path) else { continue }
            self.file = file
            self.path = path
            self.isTemporary = isTemporary
            return
        }
    }

    deinit {
        if isTemporary { unlink(path) }
    }
}

/// The locks on unfinished work that this process holds, by the work's id.
struct HeldLocks<Subject> {
    private var locks: [Identifier<Subject>: FileLock] = [:]

    func has(_ id: Identifier<Subject>) -> Bool { locks[id] != nil }

    /// Acquires a lock by `take` unless it is held.
    ///
    /// - Throws: `busy` when `take` returns `nil`, and what it throws.
    mutating func hold(_ id: Identifier<Subject>, orThrow busy: any Error, by take: () throws -> FileLock?) throws {
        guard locks[id] == nil else { return }
        guard let lock = try take() else { throw busy }
        locks[id] = lock
    }

    mutating func release(_ id: Identifier<Subject>) { locks[id] = nil }
}

extension FileLock {
    /// The lock on the file in `folder` that is named after the work; `nil` when another holder has it.
    ///
    /// - Throws: `missing` for an id that names no file; ``VaultError``.
    static func on<Subject>(
        _ id: Identifier<Subject>,
        in folder: LibraryFolder,
        orThrow missing: any Error
    ) throws -> FileLock? {
        guard UUID(uuidString: id.rawValue) != nil else { throw missing }
        return try FileLock(at: "\(folder.locks)/\(id.rawValue)", .exclusive, isTemporary: true)
    }
}

extension VaultError {
    /// Does `work`, and throws ``system(errno:)`` for a call of the system that fails.
    static func translating<Result>(_ work: () throws(SystemError) -> Result) throws(VaultError) -> Result {
        do {
            return try work()
        } catch {
            throw .system(errno: error.errno)
        }
    }

    /// The error of a failed attempt to create a folder.
    ///
    /// It fails as for a missing one where nobody can make any, and for another reason where a file is in its place.
    init(makingFolder problem: Int32) {
        self.init(opening: problem == ENOENT || problem == ENOTDIR ? EACCES : problem)
    }

    /// The error of a failed attempt to open or create a file or folder of the library.
    init(opening problem: Int32) {
        switch problem {
        case ELOOP, ENOTDIR, EISDIR: self = .unsafeFolder
        case EACCES, EPERM, EROFS: self = .readOnly(.noPermission)
        case ENOSPC, EDQUOT: self = .readOnly(.diskFull)
        case EIO: self = .readOnly(.deviceFailed)
        default: self = .system(errno: problem)
        }
    }
}

/// Room that the library holds on its disk, so that something can be deleted when the disk is full: deleting writes first.
struct DiskReserve: Sendable {
    /// In bytes: enough for the WAL of a deleted recording, or a document of some megabytes.
    static let size: off_t = 16 << 20
    /// The free space that is needed to take it, in bytes.
    private static let plenty = Int64(size) * 8

    private let path: String

    init(in folder: LibraryFolder) {
        self.init(inLibrary: folder.path)
    }

    /// - Parameter path: The library's folder.
    init(inLibrary path: String) {
        self.path = "\(path)/locks/reserve"
    }

    /// Reserves the space, unless that was done or the disk is nearly full; failures are ignored.
    func keep() {
        var found = stat()
        if lstat(path, &found) == 0 {
            // A process that ended while it reserved the space has left less.
            guard off_t(found.st_blocks) * 512 < Self.size, release() else { return }
        }
        guard let free = FreeSpace.bytes(at: path.deletingLastName), free >= Self.plenty else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        if posix_fallocate(file, 0, Self.size) != 0 { unlink(path) }
        close(file)
    }

    /// Releases the space.
    ///
    /// - Returns: Whether there was a reserve.
    func release() -> Bool { unlink(path) == 0 }
}

extension String {
    fileprivate var deletingLastName: String { (self as NSString).deletingLastPathComponent }
}
