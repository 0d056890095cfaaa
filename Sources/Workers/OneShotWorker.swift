internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// What a worker's frames are made into, one after the other.
///
/// A file may have taken the worker over, so whoever takes its words holds each of them to the rules.
protocol WorkerReply: Sendable {
    /// What the worker may send.
    static var kinds: Set<Frame.Kind> { get }

    /// Takes a frame that is neither the end nor a refusal.
    ///
    /// - Throws: ``WorkerError``, or `DecodingError`, for what no worker says; every other error is the request's.
    mutating func take(_ frame: Frame) throws

    /// Why the worker says that it gives no answer, in words that are not its own.
    ///
    /// - Throws: As ``take(_:)`` does.
    static func refusal(_ payload: [UInt8]) throws -> any Error
}

extension WorkerReply {
    /// Takes a frame.
    ///
    /// - Returns: How the reply has ended, if it has.
    /// - Throws: As ``take(_:)`` does.
    mutating func hear(_ frame: Frame) throws -> Result<Void, any Error>? {
        switch frame.kind {
        case .done: return .success(())
        case .failed: return .failure(try Self.refusal(frame.payload))
        default:
            try take(frame)
            return nil
        }
    }
}

/// Why a worker came to no end of its own.
enum WorkerStop: Error {
    case cannotStart
    /// It ended too soon, or said what no worker says.
    case died
    case tooSlow(after: Duration)

    /// The whole seconds of a wait, rounded up.
    static func seconds(of wait: Duration) -> Int { Int((wait / .seconds(1)).rounded(.up)) }
}

/// One process at one request, from its start until nothing is left of it.
final class OneShotWorker<Request: Encodable & Sendable, Reply: WorkerReply>: Sendable {
    /// Used on the thread that listens to the process.
    private struct Intake {
        var decoder = FrameDecoder(accepting: Reply.kinds)
        var reply: Reply
    }

    private struct State {
        var outcome: Result<Void, any Error>?
        var process: WorkerProcess?
        /// Wait for the time to be over, and send what follows the request.
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
    ///   - request: What it is asked.
    ///   - reply: What its frames are added to.
    ///   - longest: How long it may take, whatever it says.
    ///   - idleTimeout: How long it may say nothing; `nil` for as long as it may take.
    ///   - clock: What measures that.
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

    /// Starts the process, asks, and listens; call once.
    ///
    /// - Parameters:
    ///   - launch: What to start.
    ///   - isolation: What to start it in.
    ///   - logger: Takes what the process prints, and why it ended.
    ///   - tooLong: What to throw when no frame holds the request.
    ///   - feed: Sends what follows the request.
    /// - Returns: When the process is gone: what it said, and how that ended. The failure is a ``WorkerStop``, its own refusal,
    ///   what taking its words or `feed` threw, or a `CancellationError`.
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

    /// Whatever it says, it has only so long in all.
    private func watches() -> [Task<Void, Never>] {
        let idle = watchdog.map { watchdog in
            Task { [weak self] in
                // Thrown only when there is nothing to wait for any more.
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
        // A whole frame is a sign of life; bytes of one that never comes to its end are none.
        var hasFrame = false
        let outcome = intake.withLock { intake -> Result<Void, any Error>? in
            intake.decoder.append(bytes)
            do {
                while state.withLock({ $0.outcome == nil }), let frame = try intake.decoder.next() {
                    hasFrame = true
                    if let outcome = try intake.reply.hear(frame) { return outcome }
                }
                return nil
            } catch is WorkerError, is DecodingError {
                return .failure(WorkerStop.died)
            } catch {
                return .failure(error)
            }
        }
        // Reported after the reply has it: the time that a write of it takes does not count as the worker's.
        if hasFrame { watchdog?.heard() }
        return state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.outcome == nil
        }
    }

    /// Ends the process, if it is still at work.
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
