internal import EchoText
internal import Foundation

/// A process with one open recognizer, detector or diarizer, which processes clips.
///
/// Clips may overlap. After the process has ended, every clip fails with the reason.
final class RecognitionWorker: Closeable {
    private let connection: WorkerConnection<ClipLedger>
    /// Called with the share of the work on a clip that is done; `nil` where an answer may not be long in coming.
    private let reached: (@Sendable (Double) -> Void)?

    private init(
        in setup: WorkerSetup,
        timeout: Duration,
        reached: (@Sendable (Double) -> Void)?
    ) {
        connection = WorkerConnection(
            ClipLedger(reportsShares: reached != nil),
            idleTimeout: timeout,
            longest: .seconds(Int64(setup.launch.limits.lifeSeconds)),
            clock: setup.clock
        )
        self.reached = reached
    }

    deinit { connection.end(ConnectionFault.dismissed) }

    /// Starts a process, and waits until it has opened its model.
    ///
    /// - Parameters:
    ///   - request: The model to open.
    ///   - setup: The settings for starting it.
    ///   - isolation: The isolation of `setup`.
    ///   - timeout: The longest time without a reply while one is pending.
    ///   - reached: Called with the fraction of the work on a clip that is done; `nil` if no progress may be reported.
    /// - Returns: The process.
    /// - Throws: ``RecognitionError``, possibly with a message of the worker; `CancellationError`.
    static func open(
        _ request: RecognitionRequest,
        in setup: WorkerSetup,
        _ isolation: WorkerIsolation,
        timeout: Duration,
        reached: (@Sendable (Double) -> Void)? = nil
    ) async throws -> RecognitionWorker {
        let ask = try Frame.ask(request, orThrow: RecognitionError.cannotStart)
        let worker = RecognitionWorker(in: setup, timeout: timeout, reached: reached)
        do {
            _ = try await worker.perform(.ask, as: worker.connection.takeNumber(), sending: ask) {
                worker.connection.start(setup.launch, in: isolation, logger: setup.logger)
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
        } catch let fault as ConnectionFault {
            // The system kills a process where memory is scarce: that says nothing against its model.
            if kind == .ask, case .died(let end, _) = fault, end.signal == SIGKILL {
                throw RecognitionError.cannotStart
            }
            throw RecognitionError(fault)
        }
    }

    /// Ends the process, which has sent something that cannot be true.
    func reject() { connection.end(ConnectionFault.dismissed) }

    /// Ends the process, and returns when it has exited.
    func close() async {
        connection.end(ConnectionFault.dismissed)
        await connection.waitForExit()
    }
}

/// The clips that a worker has not answered yet; the opening is number 0.
///
/// A cancelled clip is answered too.
private struct ClipLedger: WorkerLedger {
    /// A smaller growth of a share is none.
    private static let smallestStep = 0.005

    static var kinds: Set<Frame.Kind> { Frame.Kind.ofRecognition }

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

/// The model that a recognition worker has to open.
enum RecognitionRequest: Codable, Hashable {
    case recognizer(RecognizerModel, RecognitionSettings, lanes: Int)
    /// A recognizer that is about to be installed, of which nothing is taken for granted.
    case trial(RecognizerModel)
    /// A detector of voices, by the absolute path of its model.
    case detector(String)
    /// Diarization models; the sound comes in clips, and an empty clip ends it.
    case speakers(SpeakerModels, SpeakerCount, seconds: Double, threads: Int)

    /// The most clips that a recognizer recognizes at once.
    static let maximumLanes = 64
}

extension Frame {
    /// A clip, or windows for a detector, as a request.
    static func clip(_ samples: [Float], request: UInt32) -> [UInt8] {
        samples.withUnsafeBytes { encoded(.clip, request: request, payload: $0) }
    }

    /// The samples of a ``Kind/clip``; both sides run on one machine, whose byte order is little-endian.
    ///
    /// - Throws: ``WorkerError/protocolViolation``.
    func clipSamples() throws(WorkerError) -> [Float] {
        guard kind == .clip, payload.count.isMultiple(of: MemoryLayout<Float>.stride) else {
            throw .protocolViolation
        }
        let count = payload.count / MemoryLayout<Float>.stride
        return [Float](unsafeUninitializedCapacity: count) { samples, filled in
            payload.withUnsafeBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            filled = count
        }
    }

    /// The answer to a clip.
    static func recognized(_ speech: RecognizedSpeech, request: UInt32) throws -> [UInt8] {
        Frame(.recognized, request: request, payload: Array(try JSONEncoder().encode(speech))).encoded
    }

    /// The share of the work on a clip that is done, from 0 to 1, in ten-thousandths.
    static func reached(_ share: Double, request: UInt32) -> [UInt8] {
        var writer = PayloadWriter()
        writer.write(UInt32(min(max(share, 0), 1) * 10_000))
        return Frame(.reached, request: request, payload: writer.bytes).encoded
    }

    /// Decodes the fraction in a ``Kind/reached``.
    ///
    /// - Throws: ``WorkerError/protocolViolation``.
    func share() throws(WorkerError) -> Double {
        var reader = PayloadReader(payload)
        let parts = try reader.number()
        try reader.finish()
        guard parts <= 10_000 else { throw .protocolViolation }
        return Double(parts) / 10_000
    }

    /// The answer to a whole sound: start and end in seconds and the speaker of each turn.
    ///
    /// - Throws: ``SpeakerError/died`` for more than fit.
    static func turns(_ turns: [SpeakerTurn], request: UInt32) throws -> [UInt8] {
        var writer = PayloadWriter()
        for turn in turns {
            guard let speaker = UInt32(exactly: turn.speaker), writer.bytes.count + 20 <= Kind.turns.longestPayload
            else {
                throw SpeakerError.died
            }
            writer.write(turn.time.lowerBound)
            writer.write(turn.time.upperBound)
            writer.write(speaker)
        }
        return Frame(.turns, request: request, payload: writer.bytes).encoded
    }

    /// The answer to windows: a byte for each, 1 for speech.
    static func activity(_ windows: [VoiceWindow], request: UInt32) -> [UInt8] {
        Frame(.activity, request: request, payload: windows.map { $0.isSpeech ? 1 : 0 }).encoded
    }
}

extension RecognizedSpeech {
    /// Decodes a worker's answer to a clip.
    ///
    /// - Throws: ``WorkerError/protocolViolation`` for impossible results, and for characters that do not occur in
    ///   text.
    init(_ answer: Frame, in seconds: Double) throws(WorkerError) {
        guard answer.kind == .recognized,
            let speech = try? JSONDecoder().decode(Self.self, from: Data(answer.payload)),
            speech.isPossible(in: seconds), speech.text.unicodeScalars.allSatisfy(\.isOfTranscript),
            speech.language?.unicodeScalars.allSatisfy(\.isOfTag) ?? true
        else { throw .protocolViolation }
        self = speech
    }
}

extension Unicode.Scalar {
    fileprivate var isOfTag: Bool {
        isASCII && (properties.isAlphabetic || properties.numericType != nil || self == "-")
    }
}

extension SpeakerTurn {
    /// Decodes a worker's answer to a whole sound.
    ///
    /// - Parameters:
    ///   - answer: The frame.
    ///   - seconds: The length of the sound.
    /// - Returns: The turns, ordered by their starts.
    /// - Throws: ``WorkerError/protocolViolation`` for turns outside the sound.
    static func turns(_ answer: Frame, in seconds: Double) throws(WorkerError) -> [SpeakerTurn] {
        guard answer.kind == .turns, answer.payload.count.isMultiple(of: 20) else { throw .protocolViolation }
        var reader = PayloadReader(answer.payload)
        var turns: [SpeakerTurn] = []
        var place = 0.0
        for _ in 0..<answer.payload.count / 20 {
            let (start, end, speaker) = (try reader.fraction(), try reader.fraction(), try reader.number())
            guard place <= start, start < end, end <= seconds + 1e-6, speaker < UInt16.max else {
                throw .protocolViolation
            }
            turns.append(SpeakerTurn(start..<end, speaker: Int(speaker)))
            place = start
        }
        return turns
    }
}

extension RecognitionError {
    /// Encodes an error for the program, which does not trust its message.
    init(sending error: any Error) {
        self =
            switch error {
            case let error as RecognitionError: error
            case SpeakerError.badModel(let name): .badModel(name)
            default: .recognizerDied
            }
    }

    /// Makes the error for a person, whose message contains nothing from the worker.
    ///
    /// - Parameters:
    ///   - model: The bare name of the model.
    ///   - settings: The recognizer's settings.
    /// - Returns: An error of a recognizer.
    func naming(_ model: String, _ settings: RecognitionSettings) -> RecognitionError {
        switch self {
        case .unsupportedLanguage: .unsupportedLanguage(settings.language ?? "und")
        case .badModel: .badModel(model)
        case .unsupportedModel: .unsupportedModel(model)
        case .cannotStart: .cannotStart
        case .noSuchRecognizer, .noRecognizer, .notARecognizer, .missingFile, .recognizerDied, .notConfined, .tooSlow:
            .recognizerDied
        }
    }
}

extension RecognitionError: ExpressibleByConnectionFault {
    static var died: RecognitionError { .recognizerDied }
}
