import EchoText
import Foundation

/// A lock that processes and parts of one hold on a file; the system frees it when its holder ends, however that happens.
final class FileLock: Sendable {
    enum Kind: Sendable {
        case shared
        case exclusive
    }

    private let descriptor: Int32
    private let path: String
    private let isTemporary: Bool

    /// Takes the lock, or fails at once with `nil` when another holder excludes it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - kind: Whether others may share it.
    ///   - isMade: Whether the file is made when it is missing; if not, there is no lock then.
    ///   - isTemporary: Whether the file goes with its holder.
    ///   - waits: Whether to wait for the other holder instead.
    /// - Throws: ``VaultError``.
    init?(
        at path: String,
        _ kind: Kind,
        isMade: Bool = true,
        isTemporary: Bool = false,
        waits: Bool = false
    ) throws {
        let mode = (kind == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        while true {
            let access = isMade ? O_RDWR | O_CREAT : O_RDONLY
            let descriptor = Glibc.open(path, access | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                if errno == ENOENT, !isMade { return nil }
                throw VaultError(opening: errno)
            }
            guard flock(descriptor, mode) == 0 else {
                let problem = errno
                Glibc.close(descriptor)
                if problem == EWOULDBLOCK { return nil }
                if problem == EINTR { continue }
                throw VaultError.system(errno: problem)
            }
            // The last holder may have taken the file away in the meantime: then the lock is on nothing.
            guard Self.isSame(descriptor, path) else {
                Glibc.close(descriptor)
                continue
            }
            self.descriptor = descriptor
            self.path = path
            self.isTemporary = isTemporary
            return
        }
    }

    deinit {
        if isTemporary { unlink(path) }
        // Closing alone would leave the lock to a child process that is just being started and still has its copy of the descriptor.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
            && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }
}

extension VaultError {
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
