import EchoText
import Foundation
import Synchronization

/// The socket an agent listens on, and the lock that makes it the only agent of its library.
///
/// The socket is gone from its folder before the lock is free, so the next agent finds nothing of this one.
final class AgentListener: Sendable {
    let descriptor: Int32
    private let folder: AgentFolder
    private let name: String
    private let identity: FileIdentity
    /// `nil` once the address was given up.
    private let lock: Mutex<AgentLock?>

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
        descriptor = try Self.listen(at: address, in: folder)
        guard let identity = folder.identity(of: address.socket) else {
            close(descriptor)
            throw VaultError.unsafeFolder
        }
        self.folder = folder
        self.identity = identity
        self.lock = Mutex(lock)
        name = address.socket
    }

    deinit { leave() }

    /// Gives the address up for good; ``descriptor`` is closed.
    func leave() {
        guard let held = lock.withLock({ $0.take() }) else { return }
        withExtendedLifetime(held) {
            if folder.identity(of: name) == identity { folder.remove(name) }
            close(descriptor)
        }
    }

    /// Waits for whoever has the lock and does not listen: it is about to, or about to end, and the folder changes when it does.
    private static func lock(_ address: AgentAddress, in folder: AgentFolder) throws -> AgentLock {
        let deadline = ContinuousClock.now.advanced(by: patience)
        let changes = try folder.changes()
        // Open all the time: closing it would be a change, and wake this and everybody else who waits.
        var lock = try folder.openLock(address.lock)
        repeat {
            // One that was removed keeps nobody out.
            if folder.identity(of: address.lock) != lock.identity { lock = try folder.openLock(address.lock) }
            if lock.take(), folder.identity(of: address.lock) == lock.identity { return lock }
            if AgentConnection.reaches(address.socket, in: folder) { throw AgentError.alreadyRunning }
        } while changes.wait(until: deadline)
        throw AgentError.notAnswering
    }

    /// Whoever finds the socket by its name is listened to: it has the name only then.
    private static func listen(at address: AgentAddress, in folder: AgentFolder) throws -> Int32 {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw VaultError.system(errno: errno) }
        folder.remove(address.newSocket)
        // A socket's file takes its mode from the socket, so it is never open to others, not for a moment; less the mask,
        // which may have taken from it what its owner needs.
        guard fchmod(descriptor, 0o600) == 0,
            folder.withAddress(of: address.newSocket, { bind(descriptor, $0, $1) }) == 0,
            folder.setMode(0o600, of: address.newSocket),
            Glibc.listen(descriptor, Int32(AgentProtocol.mostConnections)) == 0,
            folder.rename(address.newSocket, to: address.socket)
        else {
            defer { close(descriptor) }
            throw VaultError.system(errno: errno)
        }
        return descriptor
    }
}
