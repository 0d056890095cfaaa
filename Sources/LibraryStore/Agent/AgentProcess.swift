import CProcess
import Dispatch
import EchoText
import FileSystem
import Foundation
import Synchronization

/// The process of an agent, as ``AgentLauncher`` starts it.
package enum AgentProcess {
    /// Reads the secret from standard input, reports on standard output that it listens, and serves until it has
    /// locked.
    ///
    /// A termination signal, a hang-up of the terminal and SIGUSR1 lock it.
    ///
    /// - Throws: ``AgentError``, ``VaultError``; the process that started it has received the reason.
    package static func run() async throws {
        // The agent leaves the terminal before it reports that it listens.
        let answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard answers >= 0 else { throw VaultError.system(errno: errno) }
        do {
            let agent = try await start()
            try leaveTerminal()
            report(.listening, on: answers)
            close(answers)
            await agent.waitUntilEnded()
        } catch {
            report(AgentReadiness(error), on: answers)
            throw error
        }
    }

    private static func start() async throws -> UnlockAgent {
        let failure = harden_process()
        guard failure == 0, chdir("/") == 0 else { throw VaultError.system(errno: failure == 0 ? errno : failure) }
        signal(SIGPIPE, SIG_IGN)  // The process that started it may have exited.
        let (bootstrap, secret) = try await onBlockingThread { try AgentBootstrap.read(from: STDIN_FILENO) }
        let agent = try await UnlockAgent.start(
            holding: secret,
            at: bootstrap.address,
            lockingAfter: bootstrap.lockAfter.map { .milliseconds($0) }
        )
        await lock(agent, on: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
        return agent
    }

    /// Locks `agent` on each of `signals`; none that comes after the return is lost.
    private static func lock(_ agent: UnlockAgent, on signals: [Int32]) async {
        let listening = DispatchGroup()
        for number in signals {
            signal(number, SIG_IGN)  // The source below receives it instead.
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // Its handler retains the source, so that it is active for the life of the process.
            source.setEventHandler { withExtendedLifetime(source) { agent.lock() } }
            listening.enter()
            source.setRegistrationHandler { listening.leave() }
            source.resume()
        }
        // A signal that arrives before the sources are registered would be lost.
        await withCheckedContinuation { registered in listening.notify(queue: .global()) { registered.resume() } }
    }

    private static func report(_ readiness: AgentReadiness, on descriptor: Int32) {
        let bytes = readiness.encoded
        // A closed pipe means that the starting process has given up; the agent can still be found at its address.
        _ = child_write(descriptor, bytes, bytes.count)
    }

    private static func leaveTerminal() throws {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { throw VaultError.system(errno: errno) }
        defer { close(nothing) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where dup2(nothing, stream) < 0 {
            throw VaultError.system(errno: errno)
        }
    }
}

/// Starts an unlock agent as a separate process, which outlives this one and its terminal.
package struct AgentLauncher: Sendable {
    /// The outcome of a launch.
    package enum Outcome: Sendable, Hashable {
        /// Its process has this number.
        case started(process: Int32)
        /// Another agent holds the library open; the secret was not handed over to it.
        case alreadyRunning
    }

    /// Absolute path of the program.
    package var executable: String
    /// After the program's name.
    package var arguments = ["vault", "agent"]

    /// In milliseconds: how long a new process may take until it listens, on a busy machine.
    private static let timeout: Int32 = 20_000

    package init(executable: String) {
        self.executable = executable
    }

    /// This program, as an agent.
    package static var thisProgram: AgentLauncher {
        // The link is always there on Linux; without it the start fails and says so.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return AgentLauncher(executable: path ?? CommandLine.arguments[0])
    }

    /// Starts an agent, and waits until it listens.
    ///
    /// - Parameters:
    ///   - secret: The vault's secret, of 32 bytes, which is sent over a pipe. The caller remains responsible for its
    ///     copy.
    ///   - address: The agent's address.
    ///   - idleTime: The time without a lease after which it locks; `nil` for never.
    /// - Returns: Whether the new agent or another one holds the library open now.
    /// - Throws: ``AgentError/cannotStart(errno:)``, ``VaultError``.
    package func launch(
        holding secret: SecretBytes,
        at address: AgentAddress,
        lockingAfter idleTime: Duration?
    ) async throws -> Outcome {
        let bootstrap = AgentBootstrap(address: address, lockAfter: idleTime.map { Int64($0 / .milliseconds(1)) })
        let head = try bootstrap.head()
        return try await onBlockingThread { try start(head: head, secret: secret) }
    }

    private func start(head: [UInt8], secret: SecretBytes) throws -> Outcome {
        var child = child_process()
        let failure = withArrayOfCStrings([executable] + arguments) { arguments in
            withArrayOfCStrings(["SWIFT_BACKTRACE=enable=no"]) { environment in
                child_spawn(&child, executable, arguments, environment, 0)
            }
        }
        guard failure == 0 else { throw AgentError.cannotStart(errno: failure) }
        defer {
            for descriptor in [child.input, child.output, child.errors] { close(descriptor) }
            reap(child)
        }
        guard try hand(head, and: secret, to: child.input), let readiness = readiness(on: child.output) else {
            child_kill(child.pidfd)
            throw AgentError.cannotStart(errno: nil)
        }
        switch readiness {
        case .listening: return .started(process: child.pid)
        case .alreadyRunning: return .alreadyRunning
        case .unsafeFolder: throw VaultError.unsafeFolder
        case .failed(let errno): throw AgentError.cannotStart(errno: errno == 0 ? nil : errno)
        }
    }

    /// Frees the process's entry when it ends, however long this program lives.
    private func reap(_ child: child_process) {
        let source = DispatchSource.makeReadSource(fileDescriptor: child.pidfd, queue: .global())
        source.setEventHandler {
            _ = child_wait(child.pid)
            source.cancel()
        }
        source.setCancelHandler { close(child.pidfd) }
        source.resume()
    }

    /// - Returns: Whether the process took all of it.
    private func hand(_ head: [UInt8], and secret: SecretBytes, to input: Int32) throws -> Bool {
        guard head.withUnsafeBytes({ $0.writeAll(toPipe: input) }) else { return false }
        return try secret.withUnsafeBytes { $0.writeAll(toPipe: input) }
    }

    /// - Returns: `nil` if it ended, or sent nothing in time.
    private func readiness(on output: Int32) -> AgentReadiness? {
        var bytes: [UInt8] = []
        while bytes.count < AgentReadiness.length {
            var source = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = poll(&source, 1, Self.timeout)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: AgentReadiness.length - bytes.count)
            let taken = read(output, &piece, piece.count)
            guard taken > 0 else { return nil }
            bytes += piece.prefix(taken)
        }
        return AgentReadiness(bytes)
    }
}

/// The input of an agent's process on standard input: the address, the idle time and the secret.
///
/// Its bytes: a version, the length of the JSON as two bytes in little-endian order, the JSON, and 32 bytes of secret.
struct AgentBootstrap: Codable, Equatable {
    var address: AgentAddress
    /// In milliseconds; `nil` for never.
    var lockAfter: Int64?

    private static let version: UInt8 = 1

    /// The bytes before the secret.
    ///
    /// - Throws: ``VaultError/system(errno:)`` when the folder's name is longer than any can be.
    func head() throws -> [UInt8] {
        let json = try JSONEncoder().encode(self)
        guard let length = UInt16(exactly: json.count) else { throw VaultError.system(errno: ENAMETOOLONG) }
        return [Self.version, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)] + json
    }

    /// - Throws: ``AgentError/protocolViolation``.
    static func read(from descriptor: Int32) throws -> (AgentBootstrap, SecretBytes) {
        let head = try bytes(3, from: descriptor)
        guard head[0] == version else { throw AgentError.protocolViolation }
        let json = try bytes(Int(head[1]) | Int(head[2]) << 8, from: descriptor)
        guard let bootstrap = try? JSONDecoder().decode(Self.self, from: Data(json)) else {
            throw AgentError.protocolViolation
        }
        let secret = try SecretBytes(count: AgentProtocol.secretLength) { try fill($0, from: descriptor) }
        return (bootstrap, secret)
    }

    private static func bytes(_ count: Int, from descriptor: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0, from: descriptor) }
        return bytes
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws {
        var taken = 0
        while taken < buffer.count {
            let count = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: taken), buffer.count - taken)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AgentError.protocolViolation }
            taken += count
        }
    }
}

/// The single answer of an agent's process on standard output: it listens, or the reason why not.
///
/// Its bytes: a code, and the system's error number as four bytes in little-endian order.
enum AgentReadiness: Equatable {
    case listening
    case alreadyRunning
    case unsafeFolder
    case failed(errno: Int32)

    static let length = 5

    init(_ error: any Error) {
        self =
            switch error {
            case AgentError.alreadyRunning: .alreadyRunning
            case VaultError.unsafeFolder: .unsafeFolder
            case VaultError.system(let errno): .failed(errno: errno)
            default: .failed(errno: 0)
            }
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        let number = bytes[1...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch bytes[0] {
        case 0: self = .listening
        case 1: self = .alreadyRunning
        case 2: self = .unsafeFolder
        case 3: self = .failed(errno: Int32(bitPattern: number))
        default: return nil
        }
    }

    var encoded: [UInt8] {
        let (code, errno): (UInt8, Int32) =
            switch self {
            case .listening: (0, 0)
            case .alreadyRunning: (1, 0)
            case .unsafeFolder: (2, 0)
            case .failed(let errno): (3, errno)
            }
        let number = UInt32(bitPattern: errno)
        return [code] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
}

/// Holds the secret of an unlocked library, and leases it to other EchoText processes of the same person.
///
/// It listens at an ``AgentAddress`` until it locks: on request, or when there was no lease for the idle time. Locking
/// wipes the secret, releases the address, and then responds to all clients. A single thread does all this, and never
/// waits for a client.
package final class UnlockAgent: Sendable {
    /// An event for the thread.
    enum Event: Equatable {
        case lock
        /// The idle time with this number is over.
        case idle(Int)
    }

    private struct State {
        var events: [Event] = []
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUpPipe

    private init() throws {
        wakeUp = try VaultError.translating { () throws(SystemError) in try WakeUpPipe() }
    }

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    ///   - secret: The vault's secret, of 32 bytes; wiped when the agent locks.
    ///   - address: The address to listen at.
    ///   - idleTime: The time without a lease after which it locks; `nil` for never.
    ///   - clock: Measures that time.
    /// - Returns: The agent, which lives until it has locked, even without a reference.
    /// - Throws: ``AgentError/alreadyRunning``, ``AgentError/notAnswering``, ``VaultError``.
    package static func start(
        holding secret: SecretBytes,
        at address: AgentAddress,
        lockingAfter idleTime: Duration?,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> UnlockAgent {
        precondition(secret.count == AgentProtocol.secretLength, "the vault's secret has 32 bytes")
        return try await onBlockingThread {
            let agent = try UnlockAgent()
            let listener = try AgentListener(at: address)
            let thread = Thread {
                let idleWatch = IdleWatch(idleTime, clock: clock) { agent.post(.idle($0)) }
                var server = AgentServer(secret: secret, listener: listener, wakeUp: agent.wakeUp, idleWatch: idleWatch)
                server.serve { agent.takeEvents() }
                agent.end()
            }
            thread.name = "echotext agent"
            thread.start()
            return agent
        }
    }

    /// Locks soon; ``waitUntilEnded()`` returns then.
    package func lock() { post(.lock) }

    /// Waits until it has locked and answered everyone.
    package func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func post(_ event: Event) {
        state.withLock { $0.events.append(event) }
        wakeUp.call()
    }

    private func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
