import EchoText
import Foundation
import Synchronization

/// The socket an agent listens on, and the lock that makes it the only agent of its library.
///
/// The socket is gone from its folder before the lock is free, so the next agent finds nothing of this one.
final class AgentListener: Sendable {
    let descriptor: Int32
    private let lock: Int32
    private let folder: AgentFolder
    private let name: String
    private let identity: FileIdentity
    private let isOpen = Mutex(true)

    /// How long an agent that is starting or ending is waited for.
    private static let patience = Duration.seconds(2)

    /// Listens at `address`, and clears away the socket of an agent that has died.
    ///
    /// Blocks while another agent starts or ends, for 2 s at most.
    ///
    /// - Throws: ``AgentError/alreadyRunning``, ``AgentError/notAnswering``, ``VaultError``.
    init(at address: AgentAddress) throws {
        guard let folder = try AgentFolder.open(at: address, making: true) else {
            throw VaultError.system(errno: ENOENT)
        }
        let lock = try Self.lock(address, in: folder)
        do {
            folder.remove(address.socket)
            descriptor = try Self.listen(at: address.socket, in: folder)
        } catch {
            close(lock)
            throw error
        }
        guard let identity = folder.identity(of: address.socket) else {
            close(descriptor)
            close(lock)
            throw VaultError.unsafeFolder
        }
        self.folder = folder
        self.lock = lock
        self.identity = identity
        name = address.socket
    }

    deinit { leave() }

    /// Gives the address up for good; ``descriptor`` is closed.
    func leave() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        if folder.identity(of: name) == identity { folder.remove(name) }
        close(descriptor)
        close(lock)
    }

    private static func lock(_ address: AgentAddress, in folder: AgentFolder) throws -> Int32 {
        let deadline = ContinuousClock.now.advanced(by: patience)
        repeat {
            if let lock = try folder.lock(address.lock) { return lock }
            // Whoever has the lock and does not listen is about to, or about to end.
            if AgentConnection.reaches(address.socket, in: folder) { throw AgentError.alreadyRunning }
            // There is no event to wait for: flock with a deadline does not exist, one without would outlast `patience` behind
            // an agent that hangs, and a socket that is not there yet cannot be polled. So it is looked at again until
            // `patience` is over, on a thread that may block, in a process that has nothing else to do.
            usleep(10_000)
        } while ContinuousClock.now < deadline
        throw AgentError.notAnswering
    }

    private static func listen(at name: String, in folder: AgentFolder) throws -> Int32 {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw VaultError.system(errno: errno) }
        // A socket's file takes its mode from the socket, so it is never open to others, not for a moment; less the mask,
        // which may have taken from it what its owner needs.
        guard fchmod(descriptor, 0o600) == 0,
            folder.withAddress(of: name, { bind(descriptor, $0, $1) }) == 0,
            folder.setMode(0o600, of: name),
            Glibc.listen(descriptor, Int32(AgentProtocol.mostConnections)) == 0
        else {
            defer { close(descriptor) }
            throw VaultError.system(errno: errno)
        }
        return descriptor
    }
}
