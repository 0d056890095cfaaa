package import Foundation

/// An open file or folder, which can be locked: others that open and lock it too are excluded, in this process and in others.
///
/// The lock is free again when the last reference goes or the process ends, however that happens.
///
/// - SeeAlso: flock(2).
package final class LockableFile: Sendable {
    package enum Kind: Sendable {
        case shared
        case exclusive
    }

    package let descriptor: Int32

    /// Takes over `descriptor`.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave the lock to a child process that is just being started and still has its copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Parameters:
    ///   - kind: Whether others may have it too.
    ///   - waits: Whether to block until it is free.
    /// - Returns: Whether it is ours now, which it is not while another excludes it.
    /// - Throws: ``SystemError`` when the file system knows no locks.
    package func lock(_ kind: Kind = .exclusive, waits: Bool = false) throws(SystemError) -> Bool {
        let mode = (kind == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        while flock(descriptor, mode) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last }
        }
        return true
    }

    /// Which file it is, whatever its name leads to by now.
    package var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Whether it has no name any more: then its lock excludes nobody who comes.
    package var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Whether `path` is its name still: if not, its lock excludes nobody who comes.
    package func isNamed(_ path: String) -> Bool {
        var named = stat()
        guard let identity, lstat(path, &named) == 0 else { return false }
        return identity == FileIdentity(named)
    }
}

/// Which file it is, whatever its names.
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
