internal import EchoText
internal import Foundation

/// A process with one open recogniser, detector or diarizer, which processes clips.
///
/// Clips may overlap. After the process has ended, every clip fails with the reason.
final class RecognitionWorker: Closeable {
    private let connection: WorkerConnection<ClipLedger>
    /// Called with the share of the work on a clip that is done; `nil` where an answer may not be long in coming.
    private let reached: (@Sendable (Double) -> Void)?

    private init(
        in surroundings: WorkerSurroundings,
        timeout: Duration,
        reached: (@Sendable (Double) -> Void)?
    ) {
        connection = WorkerConnection(
            ClipLedger(reportsShares: reached != nil),
            idleTimeout: timeout,
            longest: .seconds(Int64(surroundings.launch.limits.lifeSeconds)),
            clock: surroundings.clock
        )
        self.reached = reached
    }

    deinit { connection.end(WorkerFault.dismissed) }

    /// Starts a process, and waits until it has opened its model.
    ///
    /// - Parameters:
    ///   - request: The model to open.
    ///   - surroundings: The settings for starting it.
    ///   - isolation: The isolation of `surroundings`.
    ///   - timeout: The longest time without a reply while one is pending.
    ///   - reached: Called with the fraction of the work on a clip that is done; `nil` if no progress may be reported.
    /// - Returns: The process.
    /// - Throws: ``RecognitionError``, possibly with a message of the worker; `CancellationError`.
    static func open(
        _ request: RecognitionRequest,
        in surroundings: WorkerSurroundings,
        _ isolation: WorkerIsolation,
        timeout: Duration,
        reached: (@Sendable (Double) -> Void)? = nil
    ) async throws -> RecognitionWorker {
        let ask = try Frame.ask(request, orThrow: RecognitionError.cannotStart)
        let worker = RecognitionWorker(in: surroundings, timeout: timeout, reached: reached)
        do {
            _ = try await worker.perform(.ask, as: worker.connection.takeNumber(), sending: ask) {
                worker.connection.start(surroundings.launch, in: isolation, logger: surroundings.logger)
            }
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
        let number = connection.takeNumber()
        return try await perform(.clip, as: number, sending: Frame.clip(samples, request: number))
    }

    private func perform(
        _ kind: Frame.Kind,
        as number: UInt32,
        sending bytes: [UInt8],
        afterwards: () -> Void = {}
    ) async throws -> Frame {
        do {
            return try await connection.perform(
                kind,
                as: number,
                sending: bytes,
                afterwards: afterwards,
                listener: { [reached] frame in reached?(try frame.share()) }
            )
        } catch let fault as WorkerFault {
            throw RecognitionError(fault)
        }
    }

    /// Ends the process, which has sent something that cannot be true.
    func reject() { connection.end(WorkerFault.dismissed) }

    /// Ends the process, and returns when it has exited.
    func close() async {
        connection.end(WorkerFault.dismissed)
        await connection.waitForExit()
    }
}

/// The clips that a worker has not answered yet; the opening is number 0.
///
/// A cancelled clip is answered too.
private struct ClipLedger: WorkerLedger {
    /// A smaller growth of a share is none.
    private static let smallestStep = 0.005

    static var kinds: Set<Frame.Kind> { Frame.Kind.ofHearing }

    private let reportsShares: Bool
    private var nextNumber: UInt32 = 0
    private var pending: Set<UInt32> = []
    /// The greatest share that was reported.
    private var reached = -1.0
    private(set) var hasProgressed = true

    /// - Parameter reportsShares: Whether the worker may report shares of its work.
    init(reportsShares: Bool) {
        self.reportsShares = reportsShares
    }

    var isAwaited: Bool { !pending.isEmpty }

    mutating func takeNumber() -> UInt32 {
        defer { nextNumber = nextNumber == .max ? 1 : nextNumber + 1 }
        return nextNumber
    }

    mutating func begin(_ work: Frame.Kind, as request: UInt32) { pending.insert(request) }

    mutating func receive(_ frame: Frame) throws -> Frame? {
        switch frame.kind {
        case .failed: throw try JSONDecoder().decode(RecognitionError.self, from: Data(frame.payload))
        case .reached:
            let share = try frame.share()
            guard reportsShares, pending.contains(frame.request) else { throw WorkerError.protocolViolation }
            // A report without progress does not count as a heartbeat.
            hasProgressed = share >= reached + Self.smallestStep
            if hasProgressed { reached = share }
            return hasProgressed ? frame : nil
        default:
            guard pending.remove(frame.request) != nil else { throw WorkerError.protocolViolation }
            hasProgressed = true
            return frame
        }
    }

    static func answer(in event: Frame) -> Result<Frame, any Error>? { event.kind == .reached ? nil : .success(event) }
}
