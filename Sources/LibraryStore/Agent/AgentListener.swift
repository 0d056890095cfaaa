import EchoText
import FileSystem
import Foundation
import Synchronization

/// The socket an agent listens on, and the lock that makes it the only agent of its library.
///
/// The socket is removed before the lock is released, so the next agent finds nothing of this one.
final class AgentListener: Sendable {
    let descriptor: Int32
    private let folder: AgentFolder
    private let name: String
    private let identity: FileIdentity
    /// `nil` once the address was given up.
    private let lock: Mutex<LockableFile?>

    /// Listens at `address`, and removes the socket of an agent that has died.
    ///
    /// It blocks while another agent starts or ends.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - timeout: The longest wait for the other agent.
    /// - Throws: ``AgentError/alreadyRunning``, ``AgentError/notAnswering``, ``VaultError``.
    init(at address: AgentAddress, timeout: Duration = .seconds(2)) throws {
        guard let folder = try AgentFolder.open(at: address, making: true) else {
            throw VaultError.system(errno: ENOENT)
        }
        let lock = try Self.lock(address, in: folder, until: ContinuousClock.now.advanced(by: timeout))
        let dead = folder.identity(of: address.socket)
        // Checked despite holding the lock: an agent whose lock file was removed still listens.
        if try AgentConnection.reaches(address.socket, in: folder, timeout: AgentConnection.timeout) {
            throw AgentError.alreadyRunning
        }
        (descriptor, identity) = try Self.listen(at: address, in: folder, inPlaceOf: dead)
        self.folder = folder
        self.lock = Mutex(lock)
        name = address.socket
        // A lock on a removed file excludes nobody, and the socket of that name may belong to another agent.
        guard folder.identity(of: address.lock) == lock.identity, folder.identity(of: name) == identity else {
            leave()
            throw AgentError.notAnswering
        }
    }

    deinit { leave() }

    /// Releases the address permanently; ``descriptor`` is closed.
    func leave() {
        guard let held = lock.withLock({ $0.take() }) else { return }
        withExtendedLifetime(held) {
            if folder.identity(of: name) == identity { try? folder.remove(name) }  // Otherwise the next agent does.
            close(descriptor)
        }
    }

    /// Waits for a holder of the lock that does not listen: it is about to listen, or about to end.
    private static func lock(
        _ address: AgentAddress,
        in folder: AgentFolder,
        until deadline: ContinuousClock.Instant
    ) throws -> LockableFile {
        func isOurs(_ lock: LockableFile) throws -> Bool {
            // A lock on a removed file excludes nobody.
            if try lock.take(), folder.identity(of: address.lock) == lock.identity { return true }
            let timeout = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
            let isReached = try AgentConnection.reaches(address.socket, in: folder, timeout: timeout)
            if isReached { throw AgentError.alreadyRunning }
            return false
        }

        var lock = try folder.openLock(address.lock)
        if try isOurs(lock) { return lock }
        // The system limits a user's watches; without one, changes of the folder are noticed at the end of the wait.
        let waiter = try LockWaiter(noting: try? folder.changes())
        waiter.ask(for: lock)
        while true {
            if folder.identity(of: address.lock) != lock.identity {
                lock = try folder.openLock(address.lock)
                waiter.ask(for: lock)
            }
            if try isOurs(lock) { return lock }
            guard ContinuousClock.now < deadline else { throw AgentError.notAnswering }
            waiter.wait(until: deadline)
        }
    }

    /// The socket gets its name only once it listens, and takes the name from no socket but `dead`.
    ///
    /// - Returns: The socket, and which file it is.
    private static func listen(
        at address: AgentAddress,
        in folder: AgentFolder,
        inPlaceOf dead: FileIdentity?
    ) throws -> (Int32, FileIdentity) {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw VaultError.system(errno: errno) }
        do {
            let identity = try listen(with: descriptor, at: address.newSocket, in: folder)
            if let dead, folder.identity(of: address.socket) == dead { try folder.remove(address.socket) }
            try folder.rename(address.newSocket, to: address.socket)
            return (descriptor, identity)
        } catch {
            close(descriptor)
            throw error == .system(errno: EEXIST) ? AgentError.alreadyRunning : error
        }
    }

    private static func listen(
        with descriptor: Int32,
        at name: String,
        in folder: AgentFolder
    ) throws(VaultError) -> FileIdentity {
        try? folder.remove(name)  // It belonged to a killed agent; if it cannot be removed, binding fails.
        // The socket file's mode comes from the socket, so it is never open to others, not even briefly; it is less the
        // umask, which may have removed permissions that its owner needs.
        guard fchmod(descriptor, 0o600) == 0,
            folder.withAddress(of: name, { bind(descriptor, $0, $1) }) == 0,
            let identity = folder.identity(of: name),
            folder.setMode(0o600, of: name),
            Glibc.listen(descriptor, Int32(AgentProtocol.maximumConnections)) == 0
        else { throw .system(errno: errno) }
        return identity
    }
}
