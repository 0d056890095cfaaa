import EchoText
import Foundation

/// The lock that makes an agent the only one of its library; free again when the last reference goes, or the process.
final class AgentLock: Sendable {
    private let descriptor: Int32

    /// Takes over `descriptor`, of a file that is open for writing.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave the lock to a child process that is just being started and still has its copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Returns: Whether it is ours now, which it is not while another holds it.
    /// - Throws: ``VaultError/system(errno:)`` when the folder's file system knows no locks.
    func take() throws(VaultError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .system(errno: errno) }
        return false
    }

    /// Blocks until it is ours.
    func waitAndTake() {
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Which file it is, whatever its name leads to by now.
    var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }
}
