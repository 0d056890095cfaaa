internal import EchoText
internal import Synchronization

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
            case .fileTooLarge, .noRoomForFile: preconditionFailure("a decoder keeps no files")
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
