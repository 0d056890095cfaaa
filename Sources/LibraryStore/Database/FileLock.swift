import EchoText
import FileSystem
import Foundation

/// A lock on a file, held by a process or a part of one; the system releases it when its holder ends for any reason.
final class FileLock: Sendable {
    private let file: LockableFile
    private let path: String
    private let isTemporary: Bool

    /// Acquires the lock, or fails at once with `nil` when another holder excludes it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - kind: Whether others may share it.
    ///   - isMade: Whether a missing file is created; otherwise it cannot be locked.
    ///   - isTemporary: Whether the file is removed with its holder.
    ///   - waits: Whether to wait for other holders.
    /// - Throws: ``VaultError``.
    init?(
        at path: String,
        _ kind: LockableFile.Kind,
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
            guard try VaultError.translating({ () throws(SystemError) in try file.lock(kind, waits: waits) }) else {
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

extension VaultError {
    /// Does `work`, and throws ``system(errno:)`` for a call of the system that fails.
    static func translating<Result>(_ work: () throws(SystemError) -> Result) throws(VaultError) -> Result {
        do {
            return try work()
        } catch {
            throw .system(errno: error.errno)
        }
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
