import Dispatch
import EchoText
import FileSystem
import Foundation
import Synchronization

/// The client of one library's unlock agent, if one is running.
package struct AgentClient: Sendable {
    private let address: AgentAddress
    private let timeout: Duration

    package init(at address: AgentAddress) {
        self.init(at: address, timeout: AgentConnection.timeout)
    }

    /// - Parameters:
    ///   - address: The agent's address.
    ///   - timeout: The time limit of each step of an exchange.
    init(at address: AgentAddress, timeout: Duration) {
        self.address = address
        self.timeout = timeout
    }

    /// The secret, for as long as the lease is neither closed nor locked.
    ///
    /// - Returns: `nil` when no agent holds the library open.
    /// - Throws: ``AgentError``, ``VaultError``.
    package func lease() async throws -> AgentLease? {
        try await ask(.lease) { connection, answer in
            guard answer == .secret else { throw AgentError.protocolViolation }
            do {
                let secret = try SecretBytes(count: AgentProtocol.secretLength) { buffer in
                    guard try connection.receive(into: buffer) else { throw UnexpectedEnd() }
                }
                return AgentLease(of: secret, over: connection)
            } catch is UnexpectedEnd {
                return nil
            }
        }
    }

    /// - Returns: `nil` when no agent holds the library open.
    /// - Throws: ``AgentError``, ``VaultError``.
    package func status() async throws -> AgentStatus? {
        try await ask(.status) { connection, answer in
            guard answer == .status else {
                guard answer == .locked else { throw AgentError.protocolViolation }
                return nil
            }
            guard let bytes = try connection.receive(AgentStatus.length) else { return nil }
            return AgentStatus(bytes)
        }
    }

    /// Locks the library; when this returns, the agent has wiped the secret and released its address.
    ///
    /// - Returns: Whether there was an agent to lock.
    /// - Throws: ``AgentError``, ``VaultError``.
    @discardableResult
    package func lock() async throws -> Bool {
        try await ask(.lock) { _, answer in
            guard answer == .locked else { throw AgentError.protocolViolation }
            return true
        } ?? false
    }

    private func ask<Output: Sendable>(
        _ request: AgentRequest,
        _ read: @escaping @Sendable (AgentConnection, AgentAnswer) throws -> Output?
    ) async throws -> Output? {
        try await onBlockingThread { [address, timeout] in
            guard let connection = try AgentConnection.open(at: address, timeout: timeout) else { return nil }
            guard let answer = try connection.ask(request) else { return nil }
            if answer == .locked, request == .lease { return nil }
            return try read(connection, answer)
        }
    }

    private struct UnexpectedEnd: Error {}
}

/// A client's end of the socket of an agent.
///
/// Its calls block, each for as long as its timeout lasts at most.
final class AgentConnection: Sendable {
    let descriptor: Int32

    /// An agent answers within milliseconds, or has been stopped.
    static let timeout = Duration.seconds(5)

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// - Parameters:
    ///   - address: The agent's address.
    ///   - timeout: The time limit of each step.
    /// - Returns: `nil` when no agent listens there.
    /// - Throws: ``AgentError/foreignPeer``, ``AgentError/notAnswering``, ``VaultError``.
    static func open(at address: AgentAddress, timeout: Duration) throws -> AgentConnection? {
        guard let folder = try AgentFolder.open(at: address, making: false) else { return nil }
        return try open(address.socket, in: folder, timeout: timeout)
    }

    /// Checks whether an agent of this user listens on the socket `name`.
    ///
    /// - Parameters:
    ///   - name: The socket's name.
    ///   - folder: The folder of the socket.
    ///   - timeout: The time limit, above 0.
    /// - Returns: Whether one does, even if it is too busy to respond.
    /// - Throws: ``VaultError/system(errno:)`` when that is unknown.
    static func reaches(_ name: String, in folder: AgentFolder, timeout: Duration) throws -> Bool {
        do {
            return try open(name, in: folder, timeout: timeout) != nil
        } catch AgentError.notAnswering {
            return true
        } catch AgentError.foreignPeer {
            return false
        }
    }

    private static func open(_ name: String, in folder: AgentFolder, timeout: Duration) throws -> AgentConnection? {
        guard let identity = folder.identity(of: name) else { return nil }
        guard identity.isSocket, identity.owner == geteuid() else { throw AgentError.foreignPeer }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw VaultError.system(errno: errno) }
        let connection = AgentConnection(descriptor)
        try connection.limit(to: timeout)
        guard folder.withAddress(of: name, { connect(descriptor, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED: return nil
            case EAGAIN: throw AgentError.notAnswering
            default: throw VaultError.system(errno: errno)
            }
        }
        guard try AgentPeer(of: descriptor).isTrusted(by: geteuid()) else { throw AgentError.foreignPeer }
        return connection
    }

    private func limit(to timeout: Duration) throws(VaultError) {
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            let size = socklen_t(MemoryLayout<timeval>.size)
            guard setsockopt(descriptor, SOL_SOCKET, option, &limit, size) == 0 else { throw .system(errno: errno) }
        }
    }

    /// Sends `request`, and takes the answer's head.
    ///
    /// - Returns: `nil` when the agent has ended.
    /// - Throws: ``AgentError``.
    func ask(_ request: AgentRequest) throws(AgentError) -> AgentAnswer? {
        let bytes = request.encoded
        // An agent that refuses has responded before the request; its response can still be read.
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard let head = try receive(AgentAnswer.length) else { return nil }
        let magic = AgentProtocol.magic
        guard Array(head.prefix(magic.count)) == magic else { throw .protocolViolation }
        guard head[magic.count] == AgentProtocol.version else { throw .otherVersion }
        guard let answer = AgentAnswer(rawValue: head[magic.count + 1]) else { throw .protocolViolation }
        switch answer {
        case .busy: throw .tooManyLeases
        case .otherVersion: throw .otherVersion
        case .secret, .status, .locked: return answer
        }
    }

    /// Exactly `count` bytes, or `nil` when the agent ends before the last.
    ///
    /// - Throws: ``AgentError/notAnswering``.
    func receive(_ count: Int) throws(AgentError) -> [UInt8]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return try receive(into: buffer) ? Array(buffer) : nil
    }

    /// Fills `buffer`.
    ///
    /// - Returns: Whether the agent sent enough bytes before it ended.
    /// - Throws: ``AgentError/notAnswering``.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(AgentError) -> Bool {
        var taken = 0
        while taken < buffer.count {
            let count = recv(descriptor, buffer.baseAddress?.advanced(by: taken), buffer.count - taken, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw .notAnswering }
            guard count > 0 else { return false }
            taken += count
        }
        return true
    }
}

/// A lease of the vault's secret from an unlock agent.
///
/// It is wiped here as soon as the agent locks the library or dies, and when the lease is closed.
package final class AgentLease: Sendable {
    /// Every use throws ``VaultError/locked`` once the lease has ended.
    package let secret: SecretBytes
    private let connection: AgentConnection
    private let course: Course

    /// Takes ownership of `connection`, over which nothing was received since `secret`.
    init(of secret: SecretBytes, over connection: AgentConnection) {
        self.secret = secret
        self.connection = connection
        course = Course()
        Self.watch(connection, for: course, wiping: secret)
    }

    deinit { close() }

    /// Whether the agent has locked the library, or died, while the lease was open.
    package var isLocked: Bool { course.isLocked }

    /// Waits until the agent locks the library or dies.
    ///
    /// - Returns: Whether that happened; not when the lease was closed, or the task cancelled.
    @discardableResult
    package func waitUntilLocked() async -> Bool { await course.waitUntilEnded() }

    /// Returns the secret; the agent's idle time begins if this was the last lease.
    package func close() {
        course.end(isLocked: false)
        secret.wipe()
        shutdown(connection.descriptor, Int32(SHUT_RDWR))  // wakes the source, which then ends
    }

    private static func watch(_ connection: AgentConnection, for course: Course, wiping secret: SecretBytes) {
        let queue = DispatchQueue(label: "echotext.agent.lease")
        let source = DispatchSource.makeReadSource(fileDescriptor: connection.descriptor, queue: queue)
        // Its handler retains the source, and with it the descriptor, until the source is cancelled.
        source.setEventHandler {
            secret.wipe()
            course.end(isLocked: true)
            source.cancel()
        }
        source.setCancelHandler { [connection] in withExtendedLifetime(connection) {} }
        source.resume()
    }
}

/// The life of a lease: open, then ended once, in one of two ways.
private final class Course: Sendable {
    private struct State {
        /// `nil` while it is open.
        var isLocked: Bool?
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var isLocked: Bool { state.withLock { $0.isLocked == true } }

    func end(isLocked: Bool) {
        let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            guard state.isLocked == nil else { return [] }
            state.isLocked = isLocked
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume(returning: isLocked) }
    }

    func waitUntilEnded() async -> Bool {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLocked = state.withLock { state -> Bool? in
                    if state.isLocked == nil { state.waiting[number] = continuation }
                    return state.isLocked
                }
                if let isLocked {
                    continuation.resume(returning: isLocked)
                } else if Task.isCancelled {
                    giveUp(number)  // the handler may have run before the continuation was there
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
    }
}

/// Runs `work`, which may block, away from the shared thread pool.
func onBlockingThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "echotext.agent.blocking").async {
            continuation.resume(with: Result(catching: work))
        }
    }
}
