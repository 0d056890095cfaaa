import EchoText
import FileSystem
import Foundation

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
        // One byte more than a request suffices to detect an invalid one.
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
