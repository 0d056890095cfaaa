internal import CProcess
internal import EchoText
internal import Foundation
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

/// The only request of a ``OneShotWorker``.
private struct OnlyRequest<Reply: WorkerReply>: WorkerLedger {
    private static var number: UInt32 { 1 }

    static var kinds: Set<Frame.Kind> { Reply.kinds }

    private(set) var isAwaited = false

    func takeNumber() -> UInt32 { Self.number }

    mutating func begin(_ work: Frame.Kind, as request: UInt32) { isAwaited = true }

    mutating func receive(_ frame: Frame) throws -> Frame? {
        guard isAwaited, frame.request == Self.number else { throw WorkerError.protocolViolation }
        if frame.kind == .done { isAwaited = false }
        return frame
    }

    static func answer(in event: Frame) -> Result<Frame, any Error>? { event.kind == .done ? .success(event) : nil }
}

/// A process that answers one request.
struct OneShotWorker<Request: Encodable & Sendable, Reply: WorkerReply>: Sendable {
    private let request: Request
    private let reply: Reply
    private let longest: Duration
    private let idleTimeout: Duration?

    /// - Parameters:
    ///   - request: The request to send.
    ///   - reply: Collects the frames.
    ///   - longest: The timeout for the whole request.
    ///   - idleTimeout: The timeout between two frames; `nil` for none.
    init(_ request: Request, reply: Reply, longest: Duration, idleTimeout: Duration?) {
        (self.request, self.reply, self.longest, self.idleTimeout) = (request, reply, longest, idleTimeout)
    }

    /// Starts the process, sends the request and collects the reply.
    ///
    /// - Parameters:
    ///   - setup: The settings for starting it.
    ///   - notConfined: Thrown when its isolation is not enough.
    ///   - tooLong: Thrown when the request does not fit into a frame.
    ///   - feed: Sends the data after the request.
    /// - Returns: The reply and the outcome, once the process has exited. A failure is a ``ConnectionFault``, the worker's
    ///   refusal, an error of the reply or of `feed`, or a `CancellationError`.
    /// - Throws: `notConfined`, `tooLong`.
    func run(
        in setup: WorkerSetup,
        notConfined: any Error,
        tooLong: any Error,
        feed: (@Sendable (WorkerProcess) async throws -> Void)? = nil
    ) async throws -> (reply: Reply, outcome: Result<Void, any Error>) {
        let isolation = try await setup.isolation(orThrow: notConfined)
        let ask = try Frame.ask(request, orThrow: tooLong)
        let reply = Mutex(reply)
        let connection = WorkerConnection(
            OnlyRequest<Reply>(),
            idleTimeout: idleTimeout,
            longest: longest,
            clock: setup.clock
        )
        let feeding = Mutex<Task<Void, Never>?>(nil)
        let outcome: Result<Void, any Error>
        do {
            _ = try await connection.perform(.ask, as: connection.takeNumber(), sending: ask) {
                connection.start(setup.launch, in: isolation, logger: setup.logger) { process in
                    guard let process, let feed else { return }
                    let task = Task {
                        do {
                            try await feed(process)
                        } catch {
                            connection.end(error)
                        }
                    }
                    feeding.withLock { $0 = task }
                }
            } listener: { frame in
                try reply.withLock { try $0.receive(frame) }?.get()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        connection.end(ConnectionFault.dismissed)
        await connection.waitForExit()
        feeding.withLock { $0 }?.cancel()
        return (reply.withLock { $0 }, outcome)
    }
}

/// The worker's side of a ``OneShotWorker``: answers the program's only request, and ends.
struct OneShotServer: Sendable {
    /// The kinds that the program may send.
    let accepted: Set<Frame.Kind>
    /// Limits the processor time; `nil` for no limit.
    let confinement: WorkerConfinement?

    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    ///
    /// - Parameters:
    ///   - input: Receives the request.
    ///   - output: Receives the answer.
    ///   - refusal: Sent when `answer` throws an error of another type.
    ///   - answer: Handles the request, with the frames that follow it and the output.
    func run<Request: Decodable, Refusal: Error & Encodable>(
        input: Int32,
        output: Int32,
        refusing refusal: Refusal,
        answer: (Request, _ rest: FollowingFrames, _ output: FrameOutput) async throws -> Void
    ) async {
        guard let input = FrameInput.takeOver(input, accepting: accepted), let output = FrameOutput.takeOver(output)
        else { return }
        confinement?.allow(requests: 1)
        let frames = FollowingFrames(input)
        // A program that has ended or violates the protocol gets no answer.
        if let ask = try? frames.next(), ask.kind == .ask,
            let request = try? JSONDecoder().decode(Request.self, from: Data(ask.payload))
        {
            do {
                try await answer(request, frames, output)
                output.send(Frame(.done, request: 1).encoded)
            } catch {
                output.send(failure: error as? Refusal ?? refusal)
            }
        }
        await output.finish()
    }
}

/// The frames that follow the request.
final class FollowingFrames {
    private var input: FrameInput

    init(_ input: consuming FrameInput) {
        self.input = input
    }

    /// - Returns: `nil` when the program has closed the pipe.
    /// - Throws: ``WorkerError`` when the program violates the protocol.
    func next() throws(WorkerError) -> Frame? { try input.next() }
}
