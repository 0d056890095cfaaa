import EchoText
import FileSystem
import Foundation
import Synchronization

/// The event loop of an agent: accepts connections, answers requests, and locks.
///
/// It never waits for a client: a client that does not read at once loses the answer.
struct AgentServer {
    private struct Visitor {
        let descriptor: Int32
        /// The bytes received so far.
        var words: [UInt8] = []
        var hasLease = false
    }

    /// How long no connection is accepted after the system refused one, in milliseconds.
    private static let breath: Int32 = 100
    /// How often the idle time is checked, in milliseconds, because its timer may be late after the machine has slept.
    static let idleLook: Int32 = 5_000

    private let secret: SecretBytes
    private let listener: AgentListener
    private let wakeUp: WakeUpPipe
    private var idleWatch: IdleWatch
    private let look: Int32
    /// The longest connected first.
    private var visitors: [Visitor] = []
    private var isLocked = false
    /// Whether the system has just refused a connection, for lack of descriptors or memory.
    private var isOutOfBreath = false

    init(
        secret: SecretBytes,
        listener: AgentListener,
        wakeUp: WakeUpPipe,
        idleWatch: IdleWatch,
        look: Int32 = idleLook
    ) {
        self.look = look
        self.secret = secret
        self.listener = listener
        self.wakeUp = wakeUp
        self.idleWatch = idleWatch
    }

    /// Serves until it has locked.
    ///
    /// - Parameter events: Returns the events since its last call.
    mutating func serve(events: () -> [UnlockAgent.Event]) {
        idleWatch.begin()
        while !isLocked {
            let ready = waitForWork()
            for event in events() { take(event) }
            // Departures first, then arrivals.
            for visitor in visitors.map(\.descriptor) where ready.contains(visitor) && !isLocked {
                receive(from: visitor)
            }
            if !isLocked, ready.contains(listener.descriptor) { admit() }
            if idleWatch.timeLeft == .zero { lock() }
        }
    }

    /// - Returns: The descriptors with something to read.
    private mutating func waitForWork() -> Set<Int32> {
        let listening = isOutOfBreath ? [] : [listener.descriptor]
        var sources = ([wakeUp.descriptor] + listening + visitors.map(\.descriptor)).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let timeout = isOutOfBreath ? Self.breath : idleWatch.timeLeft == nil ? -1 : look
        let count = poll(&sources, nfds_t(sources.count), timeout)
        isOutOfBreath = false
        guard count > 0 else { return [] }
        wakeUp.reset()
        return Set(sources.filter { $0.revents != 0 }.map(\.fd))
    }

    private mutating func take(_ event: UnlockAgent.Event) {
        switch event {
        case .lock: lock()
        case .idle(let number): if idleWatch.isRunning(number) { lock() }
        }
    }
}

// MARK: - Visitors

extension AgentServer {
    private mutating func admit() {
        let descriptor = accept(listener.descriptor, nil, nil)
        guard descriptor >= 0 else {
            isOutOfBreath = ![EAGAIN, EINTR, ECONNABORTED].contains(errno)
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // A peer that cannot be named is not trusted either.
        guard let peer = try? AgentPeer(of: descriptor), peer.isTrusted(by: geteuid()), !peer.isConfined else {
            close(descriptor)
            return
        }
        guard visitors.count < AgentProtocol.maximumConnections || dismissSilent() else {
            send(.busy, to: descriptor)
            close(descriptor)
            return
        }
        visitors.append(Visitor(descriptor: descriptor))
    }

    /// Makes room by closing the oldest connection without a request.
    private mutating func dismissSilent() -> Bool {
        guard let silent = visitors.first(where: { !$0.hasLease }) else { return false }
        dismiss(silent.descriptor)
        return true
    }

    private mutating func dismiss(_ descriptor: Int32) {
        close(descriptor)
        visitors.removeAll { $0.descriptor == descriptor }
        if !visitors.contains(where: \.hasLease) { idleWatch.begin() }
    }

    private mutating func receive(from descriptor: Int32) {
        guard let index = visitors.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        // A byte more than a request suffices to detect an invalid one.
        var piece = [UInt8](repeating: 0, count: AgentRequest.length + 1)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0, [EAGAIN, EINTR].contains(errno) { return }
        // A lease sends nothing; its connection only ends.
        guard count > 0, !visitors[index].hasLease else { return dismiss(descriptor) }
        visitors[index].words += piece.prefix(count)
        switch AgentGreeting(visitors[index].words) {
        case .unfinished: break
        case .request(let request): answer(request, of: index)
        case .otherVersion:
            send(.otherVersion, to: descriptor)
            dismiss(descriptor)
        case .nonsense: dismiss(descriptor)
        }
    }

    private mutating func answer(_ request: AgentRequest, of index: Int) {
        if idleWatch.timeLeft == .zero { return lock() }
        let descriptor = visitors[index].descriptor
        switch request {
        case .lease:
            visitors[index].hasLease = true
            idleWatch.interrupt()
            if !sendSecret(to: descriptor) { dismiss(descriptor) }
        case .status:
            let leaseCount = visitors.count(where: \.hasLease)
            let status = AgentStatus(leaseCount: leaseCount, timeUntilLocked: idleWatch.timeLeft)
            send(.status, status.encoded, to: descriptor)
            dismiss(descriptor)
        case .lock: lock()
        }
    }
}

// MARK: - Sending and locking

extension AgentServer {
    /// Wipes the secret, releases the address to the next agent, and only then responds to everyone, so that a client
    /// that learns of the lock can unlock again at once.
    private mutating func lock() {
        guard !isLocked else { return }
        isLocked = true
        secret.wipe()
        idleWatch.interrupt()
        listener.leave()
        for visitor in visitors {
            send(.locked, to: visitor.descriptor)
            close(visitor.descriptor)
        }
        visitors = []
    }

    @discardableResult
    private func send(_ answer: AgentAnswer, _ payload: [UInt8] = [], to descriptor: Int32) -> Bool {
        let bytes = answer.head + payload
        return bytes.withUnsafeBytes { Self.send($0, to: descriptor) }
    }

    private func sendSecret(to descriptor: Int32) -> Bool {
        guard send(.secret, to: descriptor) else { return false }
        // Wiped means locked, of which the client learns by the end of its connection.
        return (try? secret.withUnsafeBytes { Self.send($0, to: descriptor) }) ?? false
    }

    /// - Returns: Whether everything fitted into the socket, as a response always does if its client reads.
    private static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

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

/// Waits, in a starting agent, for the agent that holds the lock.
///
/// The wait ends when the lock is free, or when the folder changes: the other agent listens, or the lock's file was removed.
final class LockWaiter: Sendable {
    private let isFree: WakeUpPipe
    private let changes: FolderWatch?

    /// - Parameter changes: The folder's changes; without them only the lock is waited for.
    /// - Throws: ``VaultError/system(errno:)``.
    init(noting changes: FolderWatch?) throws(VaultError) {
        isFree = try VaultError.translating { () throws(SystemError) in try WakeUpPipe() }
        self.changes = changes
    }

    /// Acquires `lock` as soon as it is free, even after this waiter's end; its last reference then releases it.
    ///
    /// A thread blocks in the kernel for it, because when the holder is killed, the kernel's notification about the
    /// file precedes the release of the lock.
    func ask(for lock: LockableFile) {
        let thread = Thread { [isFree] in
            _ = try? lock.lock(waits: true)  // a system that knows no locks has said so before
            isFree.call()
        }
        thread.name = "echotext agent's lock"
        thread.start()
    }

    /// Blocks until something has happened since the last call, or `deadline` has come.
    func wait(until deadline: ContinuousClock.Instant) {
        var sources = [isFree.descriptor, changes?.descriptor].compactMap(\.self).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var count: Int32
        repeat {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            count = poll(&sources, nfds_t(sources.count), Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
        } while count < 0 && errno == EINTR
        isFree.reset()
        changes?.takeChanges()
    }
}

extension LockableFile {
    /// - Returns: Whether the lock was acquired; it is not while another process holds it.
    /// - Throws: ``VaultError/system(errno:)`` when the file system does not support locks.
    func take() throws(VaultError) -> Bool {
        try VaultError.translating { () throws(SystemError) in try lock() }
    }
}

/// Measures how long the library has been unused.
///
/// Each idle period has a number, so that a late notification of an interrupted period can be ignored.
struct IdleWatch {
    private let limit: Duration?
    private let clock: any Clock<Duration>
    private let expire: @Sendable (Int) -> Void
    private var number = 0
    private var running: (elapsed: () -> Duration, timer: Task<Void, Never>)?

    /// - Parameters:
    ///   - limit: The longest idle period; `nil` for no limit.
    ///   - clock: Measures the time; it has to include the time for which the machine is suspended.
    ///   - expire: Called on any thread, with the period's number, when it has lasted that long.
    init(_ limit: Duration?, clock: any Clock<Duration>, expire: @escaping @Sendable (Int) -> Void) {
        self.limit = limit
        self.clock = clock
        self.expire = expire
    }

    /// Begins a stretch, if none is running.
    mutating func begin() {
        guard let limit, running == nil else { return }
        number += 1
        let timer = Task { [clock, expire, number] in
            // It sleeps to its end, or is cancelled because the stretch was.
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            expire(number)
        }
        running = (clock.stopwatch(), timer)
    }

    /// Ends the stretch that is running.
    mutating func interrupt() {
        running?.timer.cancel()
        running = nil
    }

    /// Whether the stretch with this number is running still.
    func isRunning(_ number: Int) -> Bool { running != nil && number == self.number }

    /// The rest of the running idle time, at least 0; `nil` when none is running.
    var timeLeft: Duration? {
        guard let limit, let running else { return nil }
        return max(.zero, limit - running.elapsed())
    }
}
