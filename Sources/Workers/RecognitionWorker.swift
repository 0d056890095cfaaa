internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// A process with one open recogniser, detector or diarizer, which processes clips.
///
/// Clips may overlap. After the process has ended, every clip fails with the reason.
final class RecognitionWorker: Closeable {
    private struct State {
        var process: WorkerProcess?
        /// Frames to send once the process is known.
        var outbox: [[UInt8]] = []
        /// The next clip's number; that of the opening is 0.
        var nextNumber: UInt32 = 1
        var waiting: [UInt32: CheckedContinuation<Frame, any Error>] = [:]
        /// Clips that nobody waits for any more, and that the worker has not answered yet.
        var dropped: Set<UInt32> = []
        var watchdog: Watchdog?
        /// Watches for a missing answer while there is something to answer.
        var watch: Task<Void, Never>?
        var end: (any Error)?
        /// The greatest share that was reported.
        var reached = -1.0
    }

    /// A smaller growth of a share is none.
    private static let smallestStep = 0.005

    private let state = Mutex(State())
    private let running = Mutex<Task<Void, Never>?>(nil)
    private let timeout: Duration
    private let clock: any Clock<Duration>
    /// Called with the share of the work on a clip that is done; `nil` where an answer may not be long in coming.
    private let reached: (@Sendable (Double) -> Void)?

    private init(timeout: Duration, clock: any Clock<Duration>, reached: (@Sendable (Double) -> Void)?) {
        (self.timeout, self.clock, self.reached) = (timeout, clock, reached)
    }

    deinit { running.withLock { $0 }?.cancel() }

    /// How a worker is started and watched.
    struct Surroundings: Sendable {
        var launch: WorkerLaunch
        var isolation: WorkerIsolation
        /// The longest time without a reply while one is pending.
        var timeout: Duration
        var clock: any Clock<Duration>
        var logger: Logger
    }

    /// Starts a process, and waits until it has opened its model.
    ///
    /// - Parameters:
    ///   - request: The model to open.
    ///   - surroundings: The settings for starting and watching it.
    ///   - reached: Called with the fraction of the work on a clip that is done; `nil` if no progress may be reported.
    /// - Returns: The process.
    /// - Throws: ``RecognitionError``, possibly with a message of the worker; `CancellationError`.
    static func open(
        _ request: RecognitionRequest,
        in surroundings: Surroundings,
        reached: (@Sendable (Double) -> Void)? = nil
    ) async throws -> RecognitionWorker {
        let worker = RecognitionWorker(timeout: surroundings.timeout, clock: surroundings.clock, reached: reached)
        do {
            _ = try await worker.wait(for: 0) { worker.start(request, in: surroundings) }
            return worker
        } catch {
            await worker.close()
            throw error
        }
    }

    /// Sends samples, and waits for the answer.
    ///
    /// - Throws: ``RecognitionError``, possibly with words of the worker's; `CancellationError`.
    func answer(to samples: [Float]) async throws -> Frame {
        let number = state.withLock { state in
            defer { state.nextNumber = state.nextNumber == .max ? 1 : state.nextNumber + 1 }
            return state.nextNumber
        }
        return try await wait(for: number) { self.send(Frame.clip(samples, request: number)) }
    }

    /// Ends the process, which has sent something that cannot be true.
    func reject() { finish(RecognitionError.recognizerDied) }

    /// Ends the process, and returns when it has exited.
    func close() async {
        finish(RecognitionError.recognizerDied)
        let task = running.withLock { $0 }
        await task?.value
    }

    // MARK: - Waiting

    private func wait(for number: UInt32, after begin: () -> Void) async throws -> Frame {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let end = state.withLock { state -> (any Error)? in
                    guard state.end == nil else { return state.end }
                    if state.waiting.isEmpty, state.dropped.isEmpty { watch(&state) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let end { return continuation.resume(throwing: end) }
                begin()
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { drop(number) }
            }
        } onCancel: {
            drop(number)
        }
    }

    private func drop(_ number: UInt32) {
        let continuation = state.withLock { state in
            guard let continuation = state.waiting.removeValue(forKey: number) else {
                return nil as CheckedContinuation<Frame, any Error>?
            }
            state.dropped.insert(number)
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func watch(_ state: inout State) {
        let watchdog = Watchdog(timeout: timeout, clock: clock)
        state.watch?.cancel()
        state.watchdog = watchdog
        state.watch = Task { [weak self, timeout] in
            // This throws only when no reply is pending any more.
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.finish(RecognitionError(WorkerStop.tooSlow(after: timeout)))
        }
    }

    // MARK: - Process

    private func start(_ request: RecognitionRequest, in surroundings: Surroundings) {
        let reply = RecognitionReply { [weak self] in try self?.take($0) }
        let worker = OneShotWorker(
            request,
            reply: reply,
            // It ends when the session is closed, and is watched here.
            longest: .seconds(Int64(surroundings.launch.limits.lifeSeconds)),
            idleTimeout: nil,
            clock: surroundings.clock
        )
        let begin: @Sendable (WorkerProcess) -> Void = { [weak self] in self?.begin($0) }
        let task = Task { [weak self] in
            do {
                let (_, outcome) = try await worker.run(
                    surroundings.launch,
                    in: surroundings.isolation,
                    logger: surroundings.logger,
                    orThrow: RecognitionError.cannotStart
                ) { process in
                    begin(process)
                }
                try outcome.get()
                self?.finish(RecognitionError.recognizerDied)
            } catch let stop as WorkerStop {
                self?.finish(RecognitionError(stop))
            } catch {
                self?.finish(error as? RecognitionError ?? .recognizerDied)
            }
        }
        running.withLock { $0 = task }
        if state.withLock({ $0.end != nil }) { task.cancel() }
    }

    private func begin(_ process: WorkerProcess) {
        state.withLock { state in
            state.process = process
            for bytes in state.outbox { process.send(bytes) }
            state.outbox = []
        }
    }

    private func send(_ bytes: [UInt8]) {
        state.withLock { state in
            if let process = state.process { process.send(bytes) } else { state.outbox.append(bytes) }
        }
    }

    /// Passes a reply to the caller that waits for it.
    ///
    /// - Throws: ``WorkerError/protocolViolation`` for a reply without a request.
    private func take(_ frame: Frame) throws(WorkerError) {
        guard frame.kind != .reached else { return try reach(frame) }
        let continuation = try state.withLock { state throws(WorkerError) in
            let continuation = state.waiting.removeValue(forKey: frame.request)
            guard continuation != nil || state.dropped.remove(frame.request) != nil else { throw .protocolViolation }
            if state.waiting.isEmpty, state.dropped.isEmpty {
                state.watch?.cancel()
                (state.watch, state.watchdog) = (nil, nil)
            } else {
                state.watchdog?.heartbeat()
            }
            return continuation
        }
        continuation?.resume(returning: frame)
    }

    /// Passes on the progress of the work on a clip.
    ///
    /// - Throws: ``WorkerError/protocolViolation`` when no reply is pending, or no progress may be reported.
    private func reach(_ frame: Frame) throws(WorkerError) {
        let share = try frame.share()
        let (isDue, hasGrown) = state.withLock { state in
            // A report without progress does not count as a heartbeat.
            let hasGrown = share >= state.reached + Self.smallestStep
            if hasGrown {
                state.reached = share
                state.watchdog?.heartbeat()
            }
            return (state.waiting[frame.request] != nil || state.dropped.contains(frame.request), hasGrown)
        }
        guard let reached, isDue else { throw .protocolViolation }
        if hasGrown { reached(share) }
    }

    /// Fails all waiting calls, and ends the process.
    private func finish(_ error: any Error) {
        let waiting = state.withLock { state in
            state.end = state.end ?? error
            state.watch?.cancel()
            defer { state.waiting = [:] }
            state.process = nil
            state.outbox = []
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: error) }
        running.withLock { $0 }?.cancel()
    }
}

/// The replies of a recognition worker.
private struct RecognitionReply: WorkerReply {
    static var kinds: Set<Frame.Kind> { Frame.Kind.ofHearing }

    let answer: @Sendable (Frame) throws -> Void

    init(answer: @escaping @Sendable (Frame) throws -> Void) {
        self.answer = answer
    }

    func take(_ frame: Frame) throws { try answer(frame) }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        try JSONDecoder().decode(RecognitionError.self, from: Data(payload))
    }
}
