import EchoText
import Foundation

/// A part of a file that is a sound or video file by itself: files are joined by writing one behind the other.
struct ContainerPart {
    /// Where it is in the file.
    var range: Range<Int>
    /// What is read in its place; `nil` where that is the file's own bytes.
    var content: [UInt8]?
    /// How much sound each track holds by a count of its packets, in seconds; empty where they cannot be counted.
    ///
    /// That is never more than comes of it: what decoders and their programs leave out on purpose does not count.
    var held: [Double] = []
    /// The tracks, from 0, of a codec for speech that leaves out pauses, which FFmpeg takes for damage.
    var pausing: Set<Int> = []
    /// What the part says of the length of its only track, in seconds.
    var stated: Double?
    /// Whether bytes that it announces are missing.
    var isCut = false
    /// Whether sound follows that is in no part, since there are too many of them.
    var hasMore = false
}

/// What a file that FFmpeg reads consists of, by a count that does not rely on FFmpeg.
enum ContainerParts {
    /// Most parts that are told apart.
    static let maximum = 64
    /// A step between two time stamps that is longer is a mistake in the file, in seconds.
    static let longestStep = 3_600.0

    /// The parts of `file` in their order; the part is the whole file where its kind is not counted.
    ///
    /// - Throws: What reading threw, and `CancellationError`.
    static func find(_ kind: SoundFileKind, in file: any StoredBytes) async throws -> [ContainerPart] {
        let window = FileWindow(file)
        let parts: [ContainerPart] =
            switch kind {
            case .movie: try await MovieParts.find(in: window)
            case .matroska: try await MatroskaParts.find(in: window)
            case .amr: try await AMRParts.find(in: window)
            case .aac, .ac3: try await FrameCount.find(kind, in: window)
            case .asf: try await ASFParts.find(in: window)
            case .flv: try await FlashParts.find(in: window)
            case .trueAudio: try await TrueAudioParts.find(in: window)
            case .avi: try await AVIParts.find(in: window)
            default: []
            }
        return parts.isEmpty ? [ContainerPart(range: 0..<file.length)] : parts
    }
}

/// The bytes of a stored file; the last piece that was read stays in memory.
final class FileWindow {
    private static let pieceLength = 64 << 10

    let length: Int
    private let file: any StoredBytes
    private var piece: [UInt8] = []
    private var pieceStart = 0

    init(_ file: any StoredBytes) {
        (self.file, length) = (file, file.length)
    }

    /// Bytes from `place` on: `count`, or what there is of them.
    func bytes(at place: Int, count: Int) async throws -> [UInt8] {
        guard place >= 0, place < length, count > 0 else { return [] }
        let end = place + min(count, length - place)
        if place < pieceStart || end > pieceStart + piece.count {
            try Task.checkCancellation()
            if count > Self.pieceLength { return [UInt8](try await file.read(place..<end)) }
            piece = [UInt8](try await file.read(place..<min(length, place + Self.pieceLength)))
            pieceStart = place
        }
        return Array(piece[(place - pieceStart)..<(end - pieceStart)])
    }

    /// Whether `sign` stands at `place`.
    func has(_ sign: [UInt8], at place: Int) async throws -> Bool {
        try await bytes(at: place, count: sign.count) == sign
    }

    /// Where `sign` stands next, from `place` on and before `limit`.
    func place(of sign: [UInt8], from place: Int, before limit: Int) async throws -> Int? {
        var start = max(0, place)
        while start < min(limit, length) {
            let bytes = try await self.bytes(at: start, count: Self.pieceLength)
            let last = bytes.count - sign.count
            if last >= 0,
                let found = (0...last).first(where: { bytes[$0] == sign[0] && bytes[$0...].starts(with: sign) })
            {
                return start + found < limit ? start + found : nil
            }
            guard start + bytes.count < length else { return nil }
            // What begins at the end of a piece is whole in the next.
            start += max(1, last + 1)
        }
        return nil
    }
}

/// The parts of a file as their beginnings are met.
struct PartList {
    private var parts: [ContainerPart] = []

    /// Ends the last part, and begins one at `place`.
    ///
    /// - Returns: Whether it is told apart; there are too many of them otherwise.
    mutating func begin(at place: Int) -> Bool {
        end(at: place)
        guard parts.count < ContainerParts.maximum else {
            parts[parts.count - 1].hasMore = true
            return false
        }
        parts.append(ContainerPart(range: place..<place))
        return true
    }

    /// Changes the last part.
    mutating func change(_ change: (inout ContainerPart) -> Void) {
        guard !parts.isEmpty else { return }
        change(&parts[parts.count - 1])
    }

    /// All parts, the last of which ends at `place`, unless it has ended.
    func all(until place: Int) -> [ContainerPart] {
        var list = self
        list.end(at: place)
        return list.parts
    }

    private mutating func end(at place: Int) {
        change { part in
            if part.range.isEmpty { part.range = part.range.lowerBound..<place }
        }
    }
}

/// How much sound the time stamps of a track span.
struct StampCount {
    private(set) var seconds = 0.0
    private var last: Double?

    /// - Parameters:
    ///   - time: The next time stamp, in seconds.
    ///   - longest: The longest step that counts.
    mutating func add(_ time: Double, longest: Double = ContainerParts.longestStep) {
        if let last, (0...longest).contains(time - last) { seconds += time - last }
        last = time
    }
}

/// A part of a stored file, as a file by itself.
struct StoredPart: StoredBytes {
    private let file: any StoredBytes
    private let part: ContainerPart

    init(_ part: ContainerPart, of file: any StoredBytes) {
        (self.part, self.file) = (part, file)
    }

    var length: Int { part.content?.count ?? part.range.count }

    func read(_ range: Range<Int>) async throws -> Data {
        if let content = part.content { return Data(content[range]) }
        let start = part.range.lowerBound
        return try await file.read(start + range.lowerBound..<start + range.upperBound)
    }
}

/// The parts that were decoded, against what they hold.
struct ContainerCount {
    /// What decoders hold back or trim, in seconds.
    private static let tolerance = 0.5
    /// The share by which a length that is only stated may be wrong, and its least, in seconds.
    private static let (share, slack) = (0.01, 1.0)

    private var isDamaged = false
    private var isIncomplete = false
    private var isMisstated = false
    /// What the parts say of their lengths, in seconds.
    private var stated = 0.0
    private var failure: SoundImportError?

    /// Adds that a part could not be decoded.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - index: The part's place.
    ///   - count: How many parts there are.
    /// - Throws: `error`, where the others are of no use.
    mutating func add(_ error: SoundImportError, of index: Int, among count: Int) throws(SoundImportError) {
        guard count > 1 else { throw error }
        switch error {
        case .damaged: isDamaged = true
        case .noSound: break
        case .unknownKind: isIncomplete = true
        case .noSuchTrack where index > 0: isIncomplete = true
        default: throw error
        }
        failure = failure ?? error
    }

    /// How much sound the track that was taken of `part` holds, in seconds; `nil` where its tracks were not counted.
    static func held(_ part: ContainerPart, _ choice: TrackChoice) -> Double? {
        guard part.held.count == choice.count, part.held.indices.contains(choice.track) else { return nil }
        return part.held[choice.track]
    }

    /// Adds a part of which `seconds` of sound came, from all of its packets or from some.
    mutating func add(_ part: ContainerPart, _ choice: TrackChoice?, isWhole: Bool = true, seconds: Double) {
        if part.isCut { isDamaged = true }
        if part.hasMore || !isWhole { isIncomplete = true }
        if let choice, let held = Self.held(part, choice) {
            if seconds - choice.delay < held - Self.tolerance { isIncomplete = true }
        }
        if let length = part.stated, seconds < length - max(Self.slack, Self.share * length) {
            isMisstated = true
            stated += length
        } else {
            stated += seconds
        }
    }

    /// What a person is to know of the whole file.
    ///
    /// - Parameter kept: The sound of all parts, in seconds.
    /// - Returns: `nil` where it is as it says.
    /// - Throws: ``SoundImportError/damaged(seconds:)``; why nothing was kept, where that is so.
    func notice(kept: Double) throws(SoundImportError) -> SoundImportNotice? {
        guard kept > 0 else { throw failure ?? .noSound }
        if isDamaged { throw .damaged(seconds: kept) }
        if isIncomplete { return .incomplete(kept: kept) }
        return isMisstated ? .lengthDiffers(stated: stated, kept: kept) : nil
    }
}
