package import Foundation

/// An open file or folder that can be locked against other open descriptors of it, in this and other processes.
///
/// The lock is released with the last reference, or when the process ends for any reason.
///
/// - SeeAlso: flock(2).
package final class LockableFile: Sendable {
    package enum Mode: Sendable {
        case shared
        case exclusive
    }

    package let descriptor: Int32

    /// Takes over `descriptor`.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Unlock explicitly: a child process that is just starting may still have a copy of the descriptor, which
        // would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Parameters:
    ///   - mode: Whether others may hold the lock too.
    ///   - waits: Whether to block until the lock is free.
    /// - Returns: Whether the lock was acquired; `false` if another descriptor excludes it.
    /// - Throws: ``SystemError`` when the file system does not support locks.
    package func lock(_ mode: Mode = .exclusive, waits: Bool = false) throws(SystemError) -> Bool {
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last }
        }
        return true
    }

    /// The identity of the open file, even if its name now refers to another.
    package var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Whether the file has been removed: then its lock does not exclude processes that open the name later.
    package var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Whether `path` still refers to it: if not, its lock does not exclude processes that open `path` later.
    package func isNamed(_ path: String) -> Bool {
        var named = stat()
        guard let identity, lstat(path, &named) == 0 else { return false }
        return identity == FileIdentity(named)
    }
}

/// The identity of a file, independent of its names.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t
    package let isSocket: Bool
    package let owner: uid_t

    package init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        owner = status.st_uid
    }
}
