internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// A reply that is assembled from a worker's frames.
///
/// A hostile file may have taken over the worker, so an implementation validates every frame.
protocol WorkerReply: Sendable {
    /// The kinds that the worker may send.
    static var kinds: Set<Frame.Kind> { get }

    /// Adds a frame that neither ends nor refuses the request.
    ///
    /// - Throws: ``WorkerError``, or `DecodingError`, for an invalid frame; every other error belongs to the request.
    mutating func take(_ frame: Frame) throws

    /// Decodes a refusal into an error whose message does not come from the worker.
    ///
    /// - Throws: As ``take(_:)``.
    static func refusal(_ payload: [UInt8]) throws -> any Error
}

extension WorkerReply {
    /// Adds a frame.
    ///
    /// - Returns: The result, if the frame ends the reply.
    /// - Throws: As ``take(_:)`` does.
    mutating func receive(_ frame: Frame) throws -> Result<Void, any Error>? {
        switch frame.kind {
        case .done: return .success(())
        case .failed: return .failure(try Self.refusal(frame.payload))
        default:
            try take(frame)
            return nil
        }
    }
}

/// Why a worker did not finish its request.
enum WorkerStop: Error {
    case cannotStart
    /// The worker exited too early or violated the protocol.
    case died
    case tooSlow(after: Duration)

    /// The seconds of a wait, rounded up.
    static func seconds(of wait: Duration) -> Int { Int((wait / .seconds(1)).rounded(.up)) }
}

/// A process that answers one request.
final class OneShotWorker<Request: Encodable & Sendable, Reply: WorkerReply>: Sendable {
    /// Used on the thread that listens to the process.
    private struct Intake {
        var decoder = FrameDecoder(accepting: Reply.kinds)
        var reply: Reply
    }

    private struct State {
        var outcome: Result<Void, any Error>?
        var process: WorkerProcess?
        /// The timeouts, and the task that sends the data after the request.
        var tasks: [Task<Void, Never>] = []
        var continuation: CheckedContinuation<Result<Void, any Error>, Never>?
    }

    private let request: Request
    private let intake: Mutex<Intake>
    private let state = Mutex(State())
    private let longest: Duration
    private let watchdog: Watchdog?
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - request: The request to send.
    ///   - reply: Collects the frames.
    ///   - longest: The timeout for the whole request.
    ///   - idleTimeout: The timeout between two frames; `nil` for none.
    ///   - clock: Measures the timeouts.
    init(
        _ request: Request,
        reply: Reply,
        longest: Duration,
        idleTimeout: Duration?,
        clock: any Clock<Duration>
    ) {
        self.request = request
        intake = Mutex(Intake(reply: reply))
        self.longest = longest
        watchdog = idleTimeout.map { Watchdog(timeout: $0, clock: clock) }
        self.clock = clock
    }

    /// Starts the process, sends the request and collects the reply; call it once.
    ///
    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in.
    ///   - logger: Logs how the process ended and how much it printed.
    ///   - tooLong: Thrown when the request does not fit into a frame.
    ///   - feed: Sends the data after the request.
    /// - Returns: The reply and the outcome, once the process has exited. A failure is a ``WorkerStop``, the worker's
    ///   refusal, an error of the reply or of `feed`, or a `CancellationError`.
    /// - Throws: `tooLong`.
    func run(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        logger: Logger,
        orThrow tooLong: any Error,
        feed: (@Sendable (WorkerProcess) async throws -> Void)? = nil
    ) async throws -> (reply: Reply, outcome: Result<Void, any Error>) {
        let payload = try JSONEncoder().encode(request)
        guard payload.count <= Frame.Kind.ask.longestPayload else { throw tooLong }
        let asked = Frame(.ask, request: 1, payload: Array(payload)).encoded
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                WorkerProcess.start(launch, in: isolation, logger: logger) { [self] in
                    receive($0)
                } started: { [self] process in
                    begin(process, asked, feed)
                } ended: { [self] _ in
                    finish(.died)
                }
            }
        } onCancel: {
            end(CancellationError())
        }
        return (intake.withLock(\.reply), outcome)
    }

    private func begin(
        _ process: WorkerProcess?,
        _ asked: [UInt8],
        _ feed: (@Sendable (WorkerProcess) async throws -> Void)?
    ) {
        guard let process else { return finish(.cannotStart) }
        let isOver = state.withLock { state in
            state.process = process
            guard state.outcome == nil else { return true }
            state.tasks = watches()
            return false
        }
        if isOver { return process.kill() }
        process.send(FrameFormat.preamble)
        process.send(asked)
        if let feed { add(feeding(process, by: feed)) }
    }

    private func feeding(
        _ process: WorkerProcess,
        by feed: @escaping @Sendable (WorkerProcess) async throws -> Void
    ) -> Task<Void, Never> {
        Task { [weak self] in
            do {
                try await feed(process)
            } catch {
                self?.end(error)
            }
        }
    }

    private func add(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.tasks.append(task)
            return state.continuation == nil
        }
        if isOver { task.cancel() }
    }

    /// The tasks of both timeouts.
    private func watches() -> [Task<Void, Never>] {
        let idle = watchdog.map { watchdog in
            Task { [weak self] in
                // This throws only when the request has ended.
                guard (try? await watchdog.expiration()) != nil else { return }
                self?.end(WorkerStop.tooSlow(after: watchdog.timeout))
            }
        }
        let whole = Task { [weak self, clock, longest] in
            guard (try? await clock.sleep(for: longest)) != nil else { return }
            self?.end(WorkerStop.tooSlow(after: longest))
        }
        return [idle, whole].compactMap(\.self)
    }

    /// - Returns: Whether to continue listening.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Only the preamble and complete frames count as progress, so that an endless frame cannot prolong the request.
        var hasProgressed = false
        let outcome = intake.withLock { intake -> Result<Void, any Error>? in
            let hadGreeted = intake.decoder.hasGreeted
            intake.decoder.append(bytes)
            defer { hasProgressed = hasProgressed || intake.decoder.hasGreeted != hadGreeted }
            do {
                while state.withLock({ $0.outcome == nil }), let frame = try intake.decoder.next() {
                    hasProgressed = true
                    if let outcome = try intake.reply.receive(frame) { return outcome }
                }
                return nil
            } catch is WorkerError, is DecodingError {
                return .failure(WorkerStop.died)
            } catch {
                return .failure(error)
            }
        }
        // Reported after the reply has handled the frame: the time for that does not count as the worker's.
        if hasProgressed { watchdog?.heartbeat() }
        return state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.outcome == nil
        }
    }

    /// Ends the process, if it is still running.
    private func end(_ failure: any Error) {
        let process = state.withLock { state in
            state.outcome = state.outcome ?? .failure(failure)
            return state.process
        }
        process?.kill()
    }

    private func finish(_ fallback: WorkerStop) {
        let (continuation, outcome) = state.withLock { state in
            for task in state.tasks { task.cancel() }
            defer {
                state.continuation = nil
                state.process = nil
            }
            return (state.continuation, state.outcome ?? .failure(fallback))
        }
        continuation?.resume(returning: outcome)
    }
}
