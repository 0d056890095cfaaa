internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// The requests that a worker has not answered yet, and what its frames mean for them.
///
/// It holds no continuations and no clock. A hostile file may have taken over the worker, so an implementation validates
/// every frame.
protocol WorkerLedger: Sendable {
    associatedtype Work: Sendable
    /// A part of an answer, or its end.
    associatedtype Event: Sendable
    associatedtype Answer: Sendable

    /// The kinds that the worker may send.
    static var kinds: Set<Frame.Kind> { get }

    /// Whether the worker owes an answer, and is watched.
    var isAwaited: Bool { get }
    /// Whether the last frame counts as a heartbeat.
    var hasProgressed: Bool { get }
    /// Whether the worker has reported work on a pending request.
    var isAtWork: Bool { get }
    /// Cancelled requests that the worker has to end, and has not ended yet.
    var cancelled: Set<UInt32> { get }

    /// The number of the next request.
    mutating func takeNumber() -> UInt32

    mutating func begin(_ work: Work, as request: UInt32)

    /// - Returns: Whether the worker has to end the request; otherwise its answer is ignored.
    mutating func cancel(_ request: UInt32) -> Bool

    /// Handles a frame of the worker.
    ///
    /// - Returns: What the frame means for its request; `nil` if the caller need not know.
    /// - Throws: ``WorkerError``, or `DecodingError`, for an invalid frame; every other error is the worker's refusal
    ///   to work.
    mutating func receive(_ frame: Frame) throws -> Event?

    /// The result of the request, if the event is its end.
    static func answer(in event: Event) -> Result<Answer, any Error>?

    /// The fault of a worker that has sent nothing for too long.
    func fault(afterSilenceOf timeout: Duration) -> ConnectionFault
}

extension WorkerLedger {
    var hasProgressed: Bool { true }
    var isAtWork: Bool { false }
    var cancelled: Set<UInt32> { [] }

    func cancel(_ request: UInt32) -> Bool { false }

    func fault(afterSilenceOf timeout: Duration) -> ConnectionFault { .tooSlow(after: timeout) }
}

/// Why a worker has ended or is about to end.
enum ConnectionFault: Error, Equatable {
    case notStarted
    /// The process ended by itself; `hasGreeted` is whether it ever sent anything valid.
    case died(WorkerEnd, hasGreeted: Bool)
    case broken(WorkerError)
    /// The worker reported no progress for longer than the watchdog allows, or lived longer than it may.
    case tooSlow(after: Duration)
    /// As ``tooSlow(after:)``, for an engine's worker.
    case unresponsive(Voice.Engine, SynthesisError.Phase)
    /// The worker did not end a cancelled request in time.
    case ignoredCancellation
    /// The program ended the worker.
    case dismissed
}

/// The errors of work that a worker does.
protocol ExpressibleByConnectionFault: Error {
    static var cannotStart: Self { get }
    /// The worker exited too early or violated the protocol.
    static var died: Self { get }
    static func tooSlow(seconds: Int) -> Self
}

extension ExpressibleByConnectionFault {
    init(_ fault: ConnectionFault) {
        switch fault {
        case .notStarted: self = .cannotStart
        case .tooSlow(let wait): self = .tooSlow(seconds: Int((wait / .seconds(1)).rounded(.up)))
        case .died, .broken, .unresponsive, .ignoredCancellation, .dismissed: self = .died
        }
    }
}

extension Frame {
    /// A request in JSON, encoded.
    ///
    /// - Throws: `tooLong` when it does not fit into a frame.
    static func ask(_ request: some Encodable, orThrow tooLong: any Error) throws -> [UInt8] {
        let payload = try JSONEncoder().encode(request)
        guard payload.count <= Kind.ask.longestPayload else { throw tooLong }
        return Frame(.ask, request: 1, payload: Array(payload)).encoded
    }
}

/// A child process, the requests that it is answering, and its watchdog.
///
/// Requests may overlap; each is answered independently. After the process has ended, every request fails with the
/// reason.
final class WorkerConnection<Ledger: WorkerLedger>: Sendable {
    /// Receives the parts of an answer, on the thread that listens to the process; an error ends the process.
    typealias Listener = @Sendable (Ledger.Event) throws -> Void

    private struct State {
        var ledger: Ledger
        var decoder = FrameDecoder(accepting: Ledger.kinds)
        var waiting: [UInt32: CheckedContinuation<Ledger.Answer, any Error>] = [:]
        var listeners: [UInt32: Listener] = [:]
        /// Whether the process was started and has not exited.
        var isRunning = false
        var process: WorkerProcess?
        /// Frames to send once the process is known.
        var outbox: [[UInt8]] = []
        var end: (any Error)?
        var isRetiring = false
        var watchdog: Watchdog?
        /// Watches for a missing frame while the worker owes an answer.
        var watch: Task<Void, Never>?
        /// Ends the process at the end of its time.
        var lifetime: Task<Void, Never>?
        /// Waits for the worker to end cancelled requests.
        var cancellationTimeout: Task<Void, Never>?
        var exitWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let idleTimeout: Duration?
    private let longest: Duration?
    private let cancelGrace: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - ledger: Holds no request.
    ///   - idleTimeout: The longest time without progress while an answer is owed; `nil` for no limit.
    ///   - longest: The longest life of the process; `nil` for no limit.
    ///   - cancelGrace: How long the worker may take to end a cancelled request.
    ///   - clock: Measures the timeouts.
    init(
        _ ledger: Ledger,
        idleTimeout: Duration?,
        longest: Duration? = nil,
        cancelGrace: Duration = .zero,
        clock: any Clock<Duration>
    ) {
        state = Mutex(State(ledger: ledger))
        (self.idleTimeout, self.longest, self.cancelGrace, self.clock) = (idleTimeout, longest, cancelGrace, clock)
    }

    /// Starts the process; call it once.
    ///
    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in.
    ///   - logger: Logs how the process ended and how much it printed.
    ///   - started: Called when it has been sent the requests so far; with `nil` if it could not be started.
    func start(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        logger: Logger,
        started: @escaping @Sendable (WorkerProcess?) -> Void = { _ in }
    ) {
        state.withLock { $0.isRunning = true }
        WorkerProcess.start(launch, in: isolation, logger: logger) { [self] bytes in
            receive(bytes)
        } started: { [self] process in
            begin(process)
            started(process)
        } ended: { [self] end in
            finish(.died(end, hasGreeted: state.withLock { $0.decoder.hasGreeted }))
        }
    }

    /// The worker's first fault; `nil` while it runs, and if it has ended with another error.
    var fault: ConnectionFault? { state.withLock { $0.end } as? ConnectionFault }
    /// Whether the process has exited and its resources are freed.
    var hasExited: Bool { state.withLock { !$0.isRunning } }
    var ledger: Ledger { state.withLock { $0.ledger } }
    /// Watches the process while it owes an answer.
    var watchdog: Watchdog? { state.withLock { $0.watchdog } }

    /// The number of the next request.
    func takeNumber() -> UInt32 { state.withLock { $0.ledger.takeNumber() } }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - work: The kind of request, for the ledger.
    ///   - request: Its number.
    ///   - bytes: Its frame.
    ///   - afterwards: Called when the worker may answer: a process that starts only now may do so before it is asked.
    ///   - listener: Called with each part of the answer, in order.
    /// - Returns: The answer.
    /// - Throws: The request's failure; the reason of the worker's end; `CancellationError`.
    func perform(
        _ work: Ledger.Work,
        as request: UInt32,
        sending bytes: [UInt8],
        afterwards: () -> Void = {},
        listener: Listener? = nil
    ) async throws -> Ledger.Answer {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(continuation, listener, for: bytes, work, as: request)
                afterwards()
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { cancel(request) }
            }
        } onCancel: {
            cancel(request)
        }
    }

    /// Ends the process at once; pending requests fail with the first reason, which is `reason` if there was none.
    func end(_ reason: any Error) {
        let process = state.withLock { state in
            state.end = state.end ?? reason
            return state.process
        }
        process?.kill()
    }

    /// Ends the process as soon as no answer is owed.
    func retire() {
        let isIdle = state.withLock { state in
            state.isRetiring = true
            return !state.ledger.isAwaited
        }
        if isIdle { end(ConnectionFault.dismissed) }
    }

    /// Returns when the process has exited and its resources are freed; at once if it was not started.
    func waitForExit() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.isRunning { state.exitWaiters.append(continuation) }
                return state.isRunning
            }
            if !isRunning { continuation.resume() }
        }
    }
}

// MARK: Requests

extension WorkerConnection {
    private func register(
        _ continuation: CheckedContinuation<Ledger.Answer, any Error>,
        _ listener: Listener?,
        for bytes: [UInt8],
        _ work: Ledger.Work,
        as request: UInt32
    ) {
        let end = state.withLock { state -> (any Error)? in
            guard state.end == nil else { return state.end }
            if !state.ledger.isAwaited { watch(&state) }
            state.ledger.begin(work, as: request)
            state.waiting[request] = continuation
            state.listeners[request] = listener
            if let process = state.process { process.send(bytes) } else { state.outbox.append(bytes) }
            return nil
        }
        if let end { continuation.resume(throwing: end) }
    }

    private func cancel(_ request: UInt32) {
        let continuation = state.withLock { state -> CheckedContinuation<Ledger.Answer, any Error>? in
            guard let continuation = state.waiting.removeValue(forKey: request) else { return nil }
            state.listeners[request] = nil
            if state.ledger.cancel(request) {
                state.process?.send(Frame(.cancel, request: request).encoded)
                limitCancellation(&state, of: request)
            }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
        afterFrame(isHeartbeat: false)
    }

    /// Passes a frame on to its request.
    ///
    /// - Returns: Whether there was a complete frame.
    private func receiveFrame() throws -> Bool {
        let deliver = try state.withLock { state -> (@Sendable () throws -> Void)? in
            guard state.end == nil else { return nil }
            let hadGreeted = state.decoder.hasGreeted
            let next = try state.decoder.next()
            if state.decoder.hasGreeted != hadGreeted { state.watchdog?.heartbeat() }
            guard let frame = next else { return nil }
            guard let event = try state.ledger.receive(frame) else { return {} }
            guard let answer = Ledger.answer(in: event) else {
                let listener = state.listeners[frame.request]
                return { try listener?(event) }
            }
            state.listeners[frame.request] = nil
            let continuation = state.waiting.removeValue(forKey: frame.request)
            return { continuation?.resume(with: answer) }
        }
        guard let deliver else { return false }
        try deliver()
        // Reported after the frame was handled: the time for that does not count as the worker's.
        afterFrame(isHeartbeat: true)
        return true
    }

    /// Stops watching when no answer is owed, and ends the worker if that was requested.
    private func afterFrame(isHeartbeat: Bool) {
        let shouldEnd = state.withLock { state in
            guard !state.ledger.isAwaited else {
                if isHeartbeat, state.ledger.hasProgressed { state.watchdog?.heartbeat() }
                return false
            }
            state.watch?.cancel()
            state.watch = nil
            state.watchdog = nil
            return state.isRetiring
        }
        if shouldEnd { end(ConnectionFault.dismissed) }
    }
}

// MARK: Time

extension WorkerConnection {
    private func watch(_ state: inout State) {
        guard let idleTimeout else { return }
        let watchdog = Watchdog(timeout: idleTimeout, clock: clock)
        state.watch?.cancel()  // It may remain from a request that was answered a moment ago.
        state.watchdog = watchdog
        state.watch = Task { [weak self] in
            // This throws only when no answer is owed any more.
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.timeOut(watchdog)
        }
    }

    /// Ends the process when `watchdog`, which has expired, still watches it: another one may have begun with a request
    /// that was sent meanwhile.
    func timeOut(_ watchdog: Watchdog) {
        let fault = state.withLock { state -> ConnectionFault? in
            guard state.watchdog === watchdog, state.ledger.isAwaited else { return nil }
            return state.ledger.fault(afterSilenceOf: watchdog.timeout)
        }
        if let fault { end(fault) }
    }

    private func limitCancellation(_ state: inout State, of request: UInt32) {
        guard state.cancellationTimeout == nil else { return }
        state.cancellationTimeout = Task { [weak self, clock, cancelGrace] in
            var kept: Set<UInt32>? = [request]
            while let before = kept, !before.isEmpty {
                // This throws only when the worker has ended.
                guard (try? await clock.sleep(for: cancelGrace)) != nil else { return }
                kept = self?.expireCancellation(since: before)
            }
        }
    }

    /// Ends the worker if it still holds a cancelled request after the grace period and is working on no other.
    ///
    /// - Returns: The cancelled requests that the worker still holds; empty when the wait is over.
    private func expireCancellation(since before: Set<UInt32>) -> Set<UInt32> {
        let (kept, isStuck) = state.withLock { state in
            let kept = state.ledger.cancelled
            let isStuck = !kept.isDisjoint(with: before) && !state.ledger.isAtWork
            if kept.isEmpty || isStuck { state.cancellationTimeout = nil }
            return (kept, isStuck)
        }
        if isStuck { end(ConnectionFault.ignoredCancellation) }
        return isStuck ? [] : kept
    }
}

// MARK: Process

extension WorkerConnection {
    private func begin(_ process: WorkerProcess?) {
        guard let process else { return finish(.notStarted) }
        let isOver = state.withLock { state in
            state.process = process
            for bytes in [FrameFormat.preamble] + state.outbox { process.send(bytes) }
            state.outbox = []
            state.lifetime = longest.map { longest in
                Task { [weak self, clock] in
                    guard (try? await clock.sleep(for: longest)) != nil else { return }
                    self?.end(ConnectionFault.tooSlow(after: longest))
                }
            }
            return state.end != nil
        }
        if isOver { process.kill() }
    }

    /// - Returns: Whether to continue listening.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            // Only the preamble and complete frames count as progress, so that an endless frame cannot prolong a request.
            state.withLock { $0.decoder.append(bytes) }
            while try receiveFrame() {}
        } catch let error as WorkerError {
            end(ConnectionFault.broken(error))
        } catch is DecodingError {
            end(ConnectionFault.broken(.protocolViolation))
        } catch {
            end(error)
        }
        return state.withLock { $0.end == nil }
    }

    private func finish(_ fault: ConnectionFault) {
        let (waiting, exitWaiters, end) = state.withLock { state in
            let end: any Error = state.end ?? fault
            defer {
                state.waiting = [:]
                state.listeners = [:]
                state.exitWaiters = []
            }
            state.end = end
            state.isRunning = false
            state.process = nil
            for task in [state.watch, state.lifetime, state.cancellationTimeout] { task?.cancel() }
            return (Array(state.waiting.values), state.exitWaiters, end)
        }
        for continuation in waiting { continuation.resume(throwing: end) }
        for waiter in exitWaiters { waiter.resume() }
    }
}
