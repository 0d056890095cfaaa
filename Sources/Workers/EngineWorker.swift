internal import EchoText
internal import Glibc
internal import Logging
internal import Synchronization

/// A child process that loads one voice, or the rule-based engine, and answers requests to it.
///
/// Requests may overlap; each is answered independently. After the process has ended, every request fails.
final class EngineWorker: Sendable {
    private let connection: WorkerConnection<RequestLedger>
    private let timing: WorkerTiming

    /// The worker ended during another request, before it started this one; the next worker can run it.
    struct RequestNotStarted: Error {}

    /// The worker ended after the engine had finished with this request, before all of the reply had arrived.
    struct ReplyLost: Error {}

    private init(timing: WorkerTiming, clock: any Clock<Duration>) {
        self.timing = timing
        connection = WorkerConnection(
            RequestLedger(),
            idleTimeout: timing.responseTimeout,
            cancelGrace: timing.cancelGrace,
            clock: clock
        )
    }

    /// Starts the process.
    ///
    /// - Throws: ``WorkerError/cannotStart``.
    static func start(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        timing: WorkerTiming,
        clock: any Clock<Duration>,
        logger: Logger
    ) async throws -> EngineWorker {
        let worker = EngineWorker(timing: timing, clock: clock)
        let hasStarted = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            worker.connection.start(launch, in: isolation, logger: logger) { process in
                continuation.resume(returning: process != nil)
            }
        }
        guard hasStarted else { throw WorkerError.cannotStart }
        return worker
    }

    var fault: ConnectionFault? { connection.fault }
    /// Whether the process has exited and its resources are freed.
    var hasExited: Bool { connection.hasExited }

    /// Loads a voice; call it once, before any other request.
    ///
    /// - Throws: What the worker's loader threw; ``VoiceFolderError/badModel(_:)`` when the engine ended its own
    ///   process while it loaded the voice, as sherpa-onnx does with some models; ``WorkerError``,
    ///   ``SynthesisError/timedOut(_:phase:seconds:)`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> OpenedVoice {
        do {
            let settled = try await perform(.open(folder, lanes: lanes, layout: layout), .opening)
            guard case .opened(let voice) = settled else { throw WorkerError.protocolViolation }
            return voice
        } catch WorkerError.died(signal: nil) {
            throw VoiceFolderError.badModel(folder.modelFile)
        }
    }

    /// - Parameters:
    ///   - request: The phonemes to synthesize.
    ///   - take: Called with each piece in order, before this returns; must not block.
    /// - Throws: What the worker's model threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or
    ///   `CancellationError`.
    func speak(_ request: PhonemeRequest, take: @escaping @Sendable (AcousticPiece) -> Void) async throws {
        let settled = try await perform(.speak(request), .speaking) { if case .piece(let piece) = $0 { take(piece) } }
        guard case .spoken = settled else { throw WorkerError.protocolViolation }
    }

    /// Loads the rule-based engine; call it once, before any other request.
    ///
    /// - Throws: What the worker's engine threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or
    ///   `CancellationError`, like the two methods below.
    func introduce() async throws -> EngineIntroduction {
        guard case .introduced(let introduction) = try await perform(.introduce, .introducing) else {
            throw WorkerError.protocolViolation
        }
        return introduction
    }

    /// - Throws: ``RequestNotStarted``, ``ReplyLost``, and the errors of ``introduce()``.
    func pronounce(_ texts: [String], language: String) async throws -> [String] {
        let settled = try await perform(.pronounce(texts, language: language), .pronouncing(texts.count))
        guard case .pronounced(let phonemes) = settled else { throw WorkerError.protocolViolation }
        return phonemes
    }

    /// - Parameters:
    ///   - phrase: The text to synthesize.
    ///   - voice: A voice that ``introduce()`` returned, or a variant of one.
    ///   - prosody: The speed and pitch.
    /// - Returns: The sound, and the times of the words of `phrase`.
    /// - Throws: ``RequestNotStarted``, ``ReplyLost``, and the errors of ``introduce()``.
    func say(
        _ phrase: SpokenText,
        by voice: Voice.ID,
        prosody: Prosody
    ) async throws -> (samples: [Int16], marks: [TimedWord]) {
        let sound = Mutex<[Int16]>([])
        let settled = try await perform(.say(phrase, voice: voice, prosody: prosody), .saying) { event in
            if case .sound(let samples) = event { sound.withLock { $0 += samples } }
        }
        let written = phrase.extent
        guard case .said(let marks) = settled, marks.allSatisfy({ written.contains($0.source) }) else {
            throw WorkerError.protocolViolation
        }
        let samples = sound.withLock { sound in
            defer { sound = [] }
            return sound
        }
        return (samples, marks)
    }

    /// Ends the process at once; pending requests fail with the worker's first fault.
    func end() { connection.end(ConnectionFault.dismissed) }

    /// Ends the process as soon as no request is pending.
    func retire() { connection.retire() }

    /// Returns when the process has exited and its resources are freed.
    func waitForExit() async { await connection.waitForExit() }

    /// Sends a request and waits for its result.
    ///
    /// - Parameters:
    ///   - command: The request to send.
    ///   - work: The kind of request, for the ledger.
    ///   - take: Called with each piece of sound.
    /// - Returns: The result.
    /// - Throws: As ``speak(_:take:)``.
    private func perform(
        _ command: EngineCommand,
        _ work: RequestLedger.Work,
        take: (@Sendable (RequestLedger.Event) -> Void)? = nil
    ) async throws -> RequestLedger.Settlement {
        try Task.checkCancellation()
        let request = connection.takeNumber()
        let frame = command.frame(request: request)
        guard frame.payload.count <= frame.kind.longestPayload else {
            throw SynthesisError.engineFailed(work.engine, status: nil)
        }
        do {
            return try await connection.perform(work, as: request, sending: frame.encoded, listener: take)
        } catch let fault as ConnectionFault {
            guard work.isSerial, fault.sparesOtherRequests else { throw fault.error(timing) }
            switch connection.ledger.progress(of: request) {
            case .waiting?, nil: throw RequestNotStarted()
            case .finished?: throw ReplyLost()
            case .atWork?: throw fault.error(timing)
            }
        }
    }
}

extension ConnectionFault {
    /// Whether the voice may be the cause.
    var isOfVoice: Bool {
        switch self {
        case .died(_, let hasGreeted): hasGreeted
        case .broken, .unresponsive, .tooSlow: true
        case .ignoredCancellation, .dismissed, .notStarted: false
        }
    }

    /// Whether serial requests that the engine did not work on are unaffected.
    fileprivate var sparesOtherRequests: Bool { isOfVoice || self == .ignoredCancellation }

    /// The error of an engine's request that was pending when this fault occurred.
    fileprivate func error(_ timing: WorkerTiming) -> any Error {
        switch self {
        case .died(_, hasGreeted: false), .notStarted: WorkerError.cannotStart
        case .died(let end, hasGreeted: true): WorkerError.died(signal: end.signal)
        case .broken(let error): error
        case .unresponsive(let engine, let phase):
            SynthesisError.timedOut(engine, phase: phase, seconds: timing.responseTimeout / .seconds(1))
        case .ignoredCancellation, .tooSlow: WorkerError.died(signal: SIGKILL)
        case .dismissed: CancellationError()
        }
    }
}

/// Counts how much of a request's sound has been delivered, over all attempts.
struct DeliveryProgress {
    private var hasTimes = false
    private var samples = 0
    /// The samples received in this attempt.
    private var repeated = 0

    mutating func begin() { repeated = 0 }

    /// Returns the part of `piece` that was not delivered yet; a model gives the same answer to the same request.
    mutating func new(_ piece: AcousticPiece) -> AcousticPiece? {
        switch piece {
        case .times:
            defer { hasTimes = true }
            return hasTimes ? nil : piece
        case .samples(let stretch):
            let known = min(stretch.count, samples - repeated)
            repeated += stretch.count
            samples = max(samples, repeated)
            return known == stretch.count ? nil : .samples(known > 0 ? Array(stretch[known...]) : stretch)
        }
    }
}
