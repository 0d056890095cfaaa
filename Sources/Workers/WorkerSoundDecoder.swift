package import EchoText
internal import Foundation
package import Logging
internal import Synchronization

/// Decodes each sound file in its own process, which requests the file's bytes and cannot open files.
///
/// This side validates the output.
package actor WorkerSoundDecoder: SoundFileDecoder {
    /// The limit on files that are decoded at once.
    private static let maximumConcurrent = 2

    private let setup: WorkerSetup
    private let idleTimeout: Duration
    private let longest: Duration
    private let lanes = PrioritySemaphore(permits: maximumConcurrent)

    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - idleTimeout: The timeout between two pieces of output.
    ///   - longest: The timeout for the whole file.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        _ launch: WorkerLaunch = .decoder,
        isolation: WorkerIsolation? = nil,
        idleTimeout: Duration = .seconds(60),
        longest: Duration = .seconds(6 * 3_600),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
        self.idleTimeout = idleTimeout
        self.longest = longest
    }

    /// Such a file has one track.
    package func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard file.length > 0 else { throw SoundImportError.empty }
        if let track, track != 1 { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
        try await lanes.pass { _ in try await run(file, take: take) }
    }

    private func run(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        let exchange = DecoderExchange()
        let worker = OneShotWorker(
            DecoderRequest(length: file.length),
            reply: DecoderIntake(exchange, length: file.length),
            longest: longest,
            idleTimeout: idleTimeout
        )
        let (intake, outcome) = try await worker.run(
            in: setup,
            notConfined: SoundImportError.notConfined,
            tooLong: SoundImportError.decoderDied
        ) { process in
            for await turn in exchange.turns {
                let answer: Frame
                switch turn {
                case .wantsBytes(let range):
                    answer = Frame(.piece, request: 1, payload: Array(try await file.read(range)))
                case .sound(let sound):
                    try await take(sound)
                    answer = Frame(.more, request: 1)
                }
                exchange.answer()
                process.send(answer.encoded)
            }
        }
        do {
            try outcome.get()
        } catch let fault as ConnectionFault {
            throw SoundImportError(fault)
        } catch let refusal as DecoderRefusal {
            throw SoundImportError(refusal, after: intake)
        }
        // A decoder that ends before its last piece was consumed would lose it.
        guard exchange.isAnswered, intake.facts != nil else { throw SoundImportError.decoderDied }
    }
}

extension SoundImportError: ExpressibleByConnectionFault {
    static var died: SoundImportError { .decoderDied }

    fileprivate init(_ refusal: DecoderRefusal, after intake: DecoderIntake) {
        switch (refusal, intake.facts) {
        case (.damaged, let facts?): self = .damaged(seconds: Double(intake.samples) / Double(facts.sampleRate))
        case (.damaged, nil): self = .damaged(seconds: 0)
        case (.unknownKind, nil): self = .unknownKind(found: nil)
        // The facts come before it is known whether there is any sound.
        case (.noSound, _) where intake.samples == 0: self = .noSound
        // A file that has begun is of a known kind, and has sound.
        case (.unknownKind, _), (.noSound, _): self = .decoderDied
        }
    }
}

extension WorkerLimits {
    /// The limits of a decoder: half an hour of processor time.
    package static var decoder: WorkerLimits { .forOneFile(processorSeconds: 1_800) }
}

extension WorkerLaunch {
    /// This program, as a decoder of sound files.
    package static var decoder: WorkerLaunch { .confined("decoder", .decoder) }
}

/// A request to a decoder's worker, which then reads the file by ranges.
struct DecoderRequest: Codable, Hashable {
    /// The size of the file, in bytes.
    var length: Int
}

/// Why a decoder's worker did not decode the whole file.
enum DecoderRefusal: String, Error, Codable {
    /// The format or codec is unknown.
    case unknownKind
    case noSound
    case damaged
}

/// A turn of a decoder's worker.
///
/// The two sides alternate: the worker sends a turn and waits; the program answers a request for bytes with the bytes,
/// and everything else with a request for more.
enum DecoderTurn: Sendable {
    case sound(DecodedSound)
    case wantsBytes(Range<Int>)
}

extension DecodedSound {
    /// The piece as an encoded frame.
    ///
    /// - Precondition: It has at most ``longestPiece`` samples.
    var frame: [UInt8] {
        switch self {
        case .facts(let facts):
            var payload = PayloadWriter()
            payload.write(UInt32(clamping: facts.sampleRate))
            payload.write(UInt32(clamping: facts.channels ?? 0))
            payload.write(Int64(facts.samples ?? -1))
            for tag in [facts.tags.title, facts.tags.artist, facts.tags.date, facts.tags.language] {
                payload.write(tag ?? "")
            }
            return Frame(.facts, request: 1, payload: payload.bytes).encoded
        case .samples(let samples):
            // Little-endian, as every machine is that Swift runs on.
            return samples.withUnsafeBytes { Frame.encoded(.samples, request: 1, payload: $0) }
        case .notice(let notice): return Frame(.notice, request: 1, payload: notice.payload).encoded
        }
    }
}

extension SoundImportNotice {
    /// Which it is, then two numbers.
    fileprivate var payload: [UInt8] {
        let (kind, first, second): (UInt32, Double, Double) =
            switch self {
            case .damaged: (0, 0, 0)
            case .lengthDiffers(let stated, let kept): (1, stated, kept)
            case .incomplete(let kept): (2, kept, 0)
            case .tracks(let count, let taken): (3, Double(count), Double(taken))
            case .fileTooLarge, .noRoomForFile, .notTranscribed:
                preconditionFailure("a decoder keeps and transcribes no files")
            }
        var payload = PayloadWriter()
        payload.write(kind)
        payload.write(first)
        payload.write(second)
        return payload.bytes
    }

    /// - Throws: ``WorkerError/protocolViolation`` for what is true of no file.
    init(_ payload: [UInt8]) throws(WorkerError) {
        var reader = PayloadReader(payload)
        let kind = try reader.number()
        let (first, second) = (try reader.fraction(), try reader.fraction())
        try reader.finish()
        guard (0...1e12).contains(first), (0...1e12).contains(second) else { throw .protocolViolation }
        switch kind {
        case 0: self = .damaged
        case 1: self = .lengthDiffers(stated: first, kept: second)
        case 2: self = .incomplete(kept: first)
        case 3: self = .tracks(count: Int(first), taken: Int(second))
        default: throw .protocolViolation
        }
    }
}

extension SoundFacts {
    /// More samples than any file that can be stored has.
    private static let maximumSamples = Int64(1) << 48
    private static let maximumChannels = 1_024

    /// - Throws: ``WorkerError/protocolViolation`` for values that no file has.
    init(_ payload: [UInt8]) throws(WorkerError) {
        var reader = PayloadReader(payload)
        let rate = Int(try reader.number())
        let channels = Int(try reader.number())
        let samples = try reader.signedNumber()
        let (title, artist) = (try reader.string(), try reader.string())
        let (date, language) = (try reader.string(), try reader.string())
        try reader.finish()
        guard RecordingOrder.sampleRates.contains(rate), channels <= Self.maximumChannels,
            (-1...Self.maximumSamples).contains(samples)
        else { throw .protocolViolation }
        self.init(
            sampleRate: rate,
            channels: channels > 0 ? channels : nil,
            samples: samples >= 0 ? Int(samples) : nil,
            tags: SoundTags(title: title, artist: artist, date: date, language: language)
        )
    }
}

/// Whose turn it is, and the worker's turns.
final class DecoderExchange: Sendable {
    private let isWorkersTurn = Mutex(true)
    private let intoTurns: AsyncStream<DecoderTurn>.Continuation
    /// At most one turn, because the sides alternate.
    let turns: AsyncStream<DecoderTurn>

    init() {
        (turns, intoTurns) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Whether all of the worker's turns were answered.
    var isAnswered: Bool { isWorkersTurn.withLock(\.self) }

    /// - Throws: ``WorkerError/protocolViolation`` when the worker did not wait for its turn.
    func take(_ turn: DecoderTurn) throws(WorkerError) {
        let isInOrder = isWorkersTurn.withLock { isWorkersTurn in
            defer { isWorkersTurn = false }
            return isWorkersTurn
        }
        guard isInOrder else { throw .protocolViolation }
        intoTurns.yield(turn)
    }

    /// The answer to a turn is about to be sent.
    func answer() { isWorkersTurn.withLock { $0 = true } }
}

/// A decoder's reply, validated: a hostile file may have taken over the process.
struct DecoderIntake: WorkerReply {
    static var kinds: Set<Frame.Kind> { Frame.Kind.ofDecoder }
    /// More than can be said of one file.
    private static let maximumNotices = 16

    private let exchange: DecoderExchange
    private let length: Int
    private(set) var facts: SoundFacts?
    /// Samples that were delivered.
    private(set) var samples = 0
    /// Notices that were delivered.
    private var notices = 0

    /// - Parameters:
    ///   - exchange: Receives the turns.
    ///   - length: The size of the file, in bytes.
    init(_ exchange: DecoderExchange, length: Int) {
        (self.exchange, self.length) = (exchange, length)
    }

    mutating func take(_ frame: Frame) throws {
        switch frame.kind {
        case .facts:
            guard facts == nil else { throw WorkerError.protocolViolation }
            let facts = try SoundFacts(frame.payload)
            self.facts = facts
            try exchange.take(.sound(.facts(facts)))
        case .samples:
            let count = frame.payload.count / 2
            guard facts != nil, count > 0, frame.payload.count.isMultiple(of: 2) else {
                throw WorkerError.protocolViolation
            }
            samples += count
            let piece = [Int16](unsafeUninitializedCapacity: count) { buffer, used in
                UnsafeMutableRawBufferPointer(buffer).copyBytes(from: frame.payload)
                used = count
            }
            try exchange.take(.sound(.samples(piece)))
        case .notice:
            notices += 1
            guard facts != nil, notices <= Self.maximumNotices else { throw WorkerError.protocolViolation }
            try exchange.take(.sound(.notice(try SoundImportNotice(frame.payload))))
        case .want:
            var reader = PayloadReader(frame.payload)
            let start = try reader.signedNumber()
            let count = Int64(try reader.number())
            try reader.finish()
            guard start >= 0, start <= length, (1...Int64(Frame.longestPiece)).contains(count),
                count <= Int64(length) - start
            else { throw WorkerError.protocolViolation }
            try exchange.take(.wantsBytes(Int(start)..<Int(start + count)))
        default: throw WorkerError.protocolViolation
        }
    }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        // A word in quotes.
        let word = String(decoding: payload.dropFirst().dropLast(), as: UTF8.self)
        guard let refusal = DecoderRefusal(rawValue: word) else { throw WorkerError.protocolViolation }
        return refusal
    }
}

/// The worker's side: decodes one sound file for the program.
package struct DecoderWorkerServer: Sendable {
    /// Decodes a file of `length` bytes that it reads by ranges; throws ``SoundImportError``.
    package typealias Decoding =
        @Sendable (
            _ length: Int, _ read: @escaping (Range<Int>) throws -> [UInt8], _ give: (DecodedSound) throws -> Void
        ) throws -> Void

    private let decoding: Decoding
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - confinement: Limits the processor time; `nil` for no limit.
    ///   - decoding: Decodes the file.
    package init(confinement: WorkerConfinement? = nil, decoding: @escaping Decoding) {
        self.confinement = confinement
        self.decoding = decoding
    }

    /// Answers the program's one request.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        await OneShotServer(accepted: Frame.Kind.toDecoder, confinement: confinement).run(
            input: input,
            output: output,
            refusing: DecoderRefusal.damaged
        ) { (request: DecoderRequest, rest, output) in
            let program = DecoderProgram(rest, output, length: request.length)
            do {
                try decoding(request.length, program.read, program.give)
            } catch SoundImportError.unknownKind {
                throw DecoderRefusal.unknownKind
            } catch SoundImportError.noSound {
                throw DecoderRefusal.noSound
            }
        }
    }
}

/// The program, as a decoder's worker sees it.
private final class DecoderProgram {
    private let frames: FollowingFrames
    private let output: FrameOutput
    private let length: Int

    init(_ frames: FollowingFrames, _ output: FrameOutput, length: Int) {
        (self.frames, self.output, self.length) = (frames, output, length)
    }

    /// The bytes of the file in `range`, cut at its end and to the length of a frame.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length).prefix(Frame.longestPiece)
        guard !range.isEmpty else { return [] }
        var payload = PayloadWriter()
        payload.write(Int64(range.lowerBound))
        payload.write(UInt32(range.count))
        output.sendNow(Frame(.want, request: 1, payload: payload.bytes).encoded)
        return try answer(.piece).payload
    }

    /// Sends `sound`, and waits until the program requests more.
    func give(_ sound: DecodedSound) throws {
        output.sendNow(sound.frame)
        _ = try answer(.more)
    }

    /// - Throws: ``WorkerError`` when the program violates the protocol or has closed the pipe.
    private func answer(_ kind: Frame.Kind) throws -> Frame {
        guard let frame = try frames.next(), frame.kind == kind else { throw WorkerError.protocolViolation }
        return frame
    }
}
