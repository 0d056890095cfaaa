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

    /// Listens at `address`, and clears away the socket of an agent that has died.
    ///
    /// Blocks while another agent starts or ends.
    ///
    /// - Parameters:
    ///   - address: Where.
    ///   - patience: How long that other one is waited for, at most.
    /// - Throws: ``AgentError/alreadyRunning``, ``AgentError/notAnswering``, ``VaultError``.
    init(at address: AgentAddress, patience: Duration = .seconds(2)) throws {
        guard let folder = try AgentFolder.open(at: address, making: true) else {
            throw VaultError.system(errno: ENOENT)
        }
        let lock = try Self.lock(address, in: folder, until: ContinuousClock.now.advanced(by: patience))
        (descriptor, identity) = try Self.listen(at: address, in: folder)
        self.folder = folder
        self.lock = Mutex(lock)
        name = address.socket
        // Removed meanwhile, it has kept nobody out, and whose socket has the name by now is up to chance.
        guard folder.identity(of: address.lock) == lock.identity, folder.identity(of: name) == identity else {
            leave()
            throw AgentError.notAnswering
        }
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

    /// Waits for whoever has the lock and does not listen: it is about to, or about to end.
    private static func lock(
        _ address: AgentAddress,
        in folder: AgentFolder,
        until deadline: ContinuousClock.Instant
    ) throws -> AgentLock {
        func isOurs(_ lock: AgentLock) throws -> Bool {
            // One that was removed keeps nobody out.
            let isOurs = try lock.take() && folder.identity(of: address.lock) == lock.identity
            // Asked even so: an agent whose lock was removed listens still.
            let patience = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
            let isReached = try AgentConnection.reaches(address.socket, in: folder, patience: patience)
            if isReached { throw AgentError.alreadyRunning }
            return isOurs
        }

        var lock = try folder.openLock(address.lock)
        if try isOurs(lock) { return lock }
        let turn = try AgentTurn(in: folder)
        turn.ask(for: lock)
        while true {
            if folder.identity(of: address.lock) != lock.identity {
                lock = try folder.openLock(address.lock)
                turn.ask(for: lock)
            }
            if try isOurs(lock) { return lock }
            guard ContinuousClock.now < deadline else { throw AgentError.notAnswering }
            turn.wait(until: deadline)
        }
    }

    /// Whoever finds the socket by its name is listened to: it has the name only then.
    ///
    /// - Returns: The socket, and which file it is.
    private static func listen(at address: AgentAddress, in folder: AgentFolder) throws -> (Int32, FileIdentity) {
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
            let identity = folder.identity(of: address.newSocket),
            folder.setMode(0o600, of: address.newSocket),
            Glibc.listen(descriptor, Int32(AgentProtocol.mostConnections)) == 0,
            folder.rename(address.newSocket, to: address.socket)
        else {
            defer { close(descriptor) }
            throw VaultError.system(errno: errno)
        }
        return (descriptor, identity)
    }
}
