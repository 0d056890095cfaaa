import EchoText
import Foundation

/// A part of a file that is a sound or video file by itself: files are joined by writing one behind the other.
struct ContainerPart {
    /// Where it is in the file.
    var range: Range<Int>
    /// The bytes that are read instead; `nil` where those are the file's own.
    var content: [UInt8]?
    /// Bytes that are read in place of as many of the file's, by their place in the part; `nil` where none are.
    var change: (place: Int, bytes: [UInt8])?
    /// How much sound each track holds by a count of its packets, in seconds; empty where they cannot be counted.
    ///
    /// Sound that decoders leave out on purpose does not count: less comes of it only where sound is lost.
    var held: [Double] = []
    /// How much later than the part each track begins by its own statement, in seconds; empty where that is not said.
    ///
    /// The part begins with the first of several tracks.
    var late: [Double] = []
    /// The tracks, from 0, of a codec for speech that leaves out pauses, which FFmpeg takes for damage.
    var pausing: Set<Int> = []
    /// The length of its only track as the part states it, in seconds.
    var stated: Double?
    /// Whether bytes that it announces are missing.
    var isCut = false
    /// Whether sound follows that is in no part, since there are too many of them.
    var hasMore = false

    /// Whether its bytes are read as they are.
    var isAsStored: Bool { content == nil && change == nil }
}

/// The parts of a file that FFmpeg reads, counted without relying on FFmpeg.
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
            case .ogg: try await OggLinks.find(in: window)
            case .wav, .aiff, .caf: try await ChunkLinks.find(in: window)
            case .au: try await ChunkLinks.findAU(in: window)
            case .wavPack: try await WavPackParts.find(in: window)
            case .dsf: try await DSFParts.find(in: window)
            case .mpegTransport: try await TransportParts.find(in: window)
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

    /// Whether there is more from `place` on than zeros, as far as a piece of the file reaches.
    func isFilled(from place: Int) async throws -> Bool {
        try await bytes(at: place, count: Self.pieceLength).contains { $0 != 0 }
    }

    /// The kind of the sound or video file that begins at `place`, by its first bytes; a tag is taken for that of MP3.
    func kind(at place: Int) async throws -> SoundFileKind? {
        let head = try await bytes(at: place, count: 64)
        return head.starts(with: Array("ID3".utf8)) ? .mp3 : SoundFileKind(head: Data(head))
    }

    /// Where `sign` stands next, from `place` on and before `limit`.
    func place(of sign: [UInt8], from place: Int, before limit: Int) async throws -> Int? {
        var start = max(0, place)
        while start < min(limit, length) {
            // Signs that follow each other closely are found without reading a piece for each.
            let isHeld = start >= pieceStart && start + sign.count <= pieceStart + piece.count
            if !isHeld { _ = try await self.bytes(at: start, count: Self.pieceLength) }
            let (held, offset) = (piece, start - pieceStart)
            let last = held.count - sign.count
            if offset <= last,
                let found = (offset...last).first(where: { held[$0] == sign[0] && held[$0...].starts(with: sign) })
            {
                return pieceStart + found < limit ? pieceStart + found : nil
            }
            guard pieceStart + held.count < length else { return nil }
            // A match that begins at the end of a piece is whole in the next.
            start = max(start + 1, pieceStart + last + 1)
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

    /// Puts what `divide` makes of the last part, which ends at `place`, in its stead, as far as so many are told apart.
    mutating func divide(at place: Int, _ divide: (ContainerPart) -> [ContainerPart]) {
        end(at: place)
        guard let last = parts.popLast() else { return }
        let (new, room) = (divide(last), ContainerParts.maximum - parts.count)
        parts += new.prefix(room)
        if new.count > room { change { $0.hasMore = true } }
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
        var data = try await file.read(start + range.lowerBound..<start + range.upperBound)
        if let change = part.change {
            let changed = (change.place..<change.place + change.bytes.count).clamped(to: range)
            for place in changed {
                data[data.startIndex + place - range.lowerBound] = change.bytes[place - change.place]
            }
        }
        return data
    }
}

/// The parts that were decoded, against what they hold.
struct ContainerCount {
    /// The length that decoders hold back or trim, in seconds.
    private static let tolerance = 0.5
    /// The share by which a length that is only stated may be wrong, and its least, in seconds.
    private static let (share, slack) = (0.01, 1.0)

    private var isDamaged = false
    private var isIncomplete = false
    private var isMisstated = false
    /// The sum of the lengths that the parts state, in seconds.
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

    /// How much later than `part` the track that was taken of it begins by its own statement, in seconds.
    static func lateness(_ part: ContainerPart, _ choice: TrackChoice) -> Double {
        guard part.late.count == choice.count, part.late.indices.contains(choice.track) else { return 0 }
        return part.late[choice.track]
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

    /// The notices about the whole file, for a person.
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

/// Finds the parts of an AMR file, which may be joined from several, and counts their frames.
///
/// Where a phone said nothing, it wrote frames of comfort noise or none at all, which FFmpeg does not decode: frames that are nearly
/// silent are read in their place, so that the sound keeps its length.
///
/// - SeeAlso: RFC 4867, section 5.
enum AMRParts {
    /// Bytes of a part that are put right, of some ten hours.
    private static let longestContent = 64 << 20
    /// The length of a frame, in seconds.
    private static let frame = 0.02

    private enum Band: CaseIterable {
        case narrow, wide

        var mark: [UInt8] { Array((self == .narrow ? "#!AMR\n" : "#!AMR-WB\n").utf8) }

        /// Bytes of a frame by its type, of those that hold speech.
        var lengths: [Int] {
            self == .narrow ? [13, 14, 16, 18, 20, 21, 27, 32] : [18, 24, 33, 37, 41, 47, 51, 59, 61]
        }

        /// A nearly silent frame.
        var silence: [UInt8] { [4] + [UInt8](repeating: 0, count: lengths[0] - 1) }
    }

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var part = Part()
        var place = 0
        while let first = try await file.bytes(at: place, count: 1).first {
            if first == 0x23, let begun = try await band(at: place, in: file) {
                parts.change { part.finish(&$0) }
                guard parts.begin(at: place) else { return parts.all(until: place) }
                part = Part(begun)
                place += begun.mark.count
                continue
            }
            // A file of several channels is not told apart.
            guard let lengths = part.band?.lengths else { return [] }
            let type = Int(first >> 3 & 0xF)
            let isSpeech = type < lengths.count
            let length = isSpeech ? lengths[type] : type == lengths.count ? 6 : 1
            if first & 0x83 != 0 {
                part.isPlain = false
            } else if place + length > file.length {
                part.isCut = true
            } else {
                let frame = try await isSpeech ? file.bytes(at: place, count: length) : nil
                part.add(frame, upTo: longestContent)
            }
            place += first & 0x83 != 0 ? 1 : length
        }
        parts.change { part.finish(&$0) }
        return parts.all(until: file.length)
    }

    private static func band(at place: Int, in file: FileWindow) async throws -> Band? {
        for band in Band.allCases {
            if try await file.has(band.mark, at: place) { return band }
        }
        return nil
    }

    private struct Part {
        let band: Band?
        var isCut = false
        /// Whether it can be read as it is.
        var isPlain = true
        private var frames = 0
        private var content: [UInt8]

        init(_ band: Band? = nil) {
            self.band = band
            content = band?.mark ?? []
        }

        /// Adds a frame, or the silence that stands for one.
        mutating func add(_ bytes: [UInt8]?, upTo limit: Int) {
            frames += 1
            if bytes == nil { isPlain = false }
            if content.count < limit { content += bytes ?? band?.silence ?? [] }
        }

        func finish(_ part: inout ContainerPart) {
            part.held = [Double(frames) * AMRParts.frame]
            part.isCut = isCut
            if !isPlain, content.count < AMRParts.longestContent { part.content = content }
        }
    }
}

/// Finds the parts of a True Audio file, which may be joined from several, and what they say of their length.
///
/// - SeeAlso: “The lossless true audio (TTA) format”, version 1.
enum TrueAudioParts {
    private static let mark = Array("TTA1".utf8)
    private static let maximumFrames = 1 << 18

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var place = 0
        while true {
            let head = try await file.bytes(at: place, count: 22)
            guard head.count == 22, head.starts(with: mark) else { break }
            guard parts.begin(at: place) else { return parts.all(until: place) }
            let (rate, samples) = (head[10..<14].littleEndian, head[14..<18].littleEndian)
            let frame = rate * 256 / 245
            guard frame > 0, samples > 0, samples / frame < maximumFrames else { break }
            let frames = (samples + frame - 1) / frame
            let table = try await file.bytes(at: place + 22, count: 4 * frames)
            guard table.count == 4 * frames else { break }
            let sizes = stride(from: 0, to: table.count, by: 4).map { table[$0..<$0 + 4].littleEndian }
            parts.change { $0.held = [Double(samples) / Double(rate)] }
            place += 22 + table.count + 4 + sizes.reduce(0, +)
            while let tag = try await lengthOfTag(at: place, in: file) { place += tag }
        }
        return parts.all(until: file.length)
    }

    /// The length of a tag behind the frames; `nil` where there is none (APE tags version 2; ID3v1).
    private static func lengthOfTag(at place: Int, in file: FileWindow) async throws -> Int? {
        let head = try await file.bytes(at: place, count: 32)
        if head.count == 32, head.starts(with: Array("APETAGEX".utf8)) {
            return head[23] & 0x20 == 0 ? 32 : 32 + head[12..<16].littleEndian
        }
        return head.starts(with: Array("TAG".utf8)) ? 128 : nil
    }
}

/// Finds the links of an Ogg file, which may be joined from several; FFmpeg ends where other streams begin.
///
/// Their sound is not counted: it is of codecs or films that the library for sound files does not read.
///
/// - SeeAlso: RFC 3533, sections 4 and 6.
enum OggLinks {
    private static let mark = Array("OggS".utf8)

    /// - Returns: Nothing where there are too many to be told apart, so that FFmpeg gets the whole file.
    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var place = 0
        var hasContent = true
        while true {
            let head = try await file.bytes(at: place, count: 27)
            guard head.count == 27, head.starts(with: mark), head[4] == 0 else {
                // FFmpeg leaves out what was overwritten, or stands between pages, without a word.
                let next = try await file.place(of: mark, from: place + 1, before: file.length)
                let isMore = if next != nil { true } else { try await isStrange(at: place, in: file) }
                if isMore { parts.change { $0.hasMore = true } }
                break
            }
            let isFirst = head[5] & 2 != 0
            // The middle of a stream has no heads.
            guard isFirst || place > 0 else { return [] }
            if isFirst, hasContent, !parts.begin(at: place) { return [] }
            hasContent = !isFirst
            let table = try await file.bytes(at: place + 27, count: Int(head[26]))
            place += 27 + table.count + table.reduce(0) { $0 + Int($1) }
            // FFmpeg leaves out a page that was cut, without a word.
            if table.count < Int(head[26]) || place > file.length { parts.change { $0.isCut = true } }
        }
        return parts.all(until: file.length)
    }

    /// Whether something stands behind the last page that is neither a tag nor filling, such as a page without its beginning.
    private static func isStrange(at place: Int, in file: FileWindow) async throws -> Bool {
        let head = try await file.bytes(at: place, count: 8)
        guard !["TAG", "ID3", "APETAGEX"].contains(where: { head.starts(with: Array($0.utf8)) }) else { return false }
        return try await file.isFilled(from: place)
    }
}

/// Finds out whether an AVI file was cut or overwritten: FFmpeg, which reads it from its beginning to its end, does not notice.
///
/// - SeeAlso: Microsoft, “AVI RIFF File Reference”; “OpenDML AVI File Format Extensions”, for files of several chunks.
enum AVIParts {
    /// Bytes by which sizes are wrong in files that are whole.
    private static let slack = 1_024
    /// Larger sizes are those of programs that did not know them.
    private static let largest = 0x7FFF_F000
    private static let maximumChunks = 1 << 22

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        var place = 0
        while try await file.has(Array("RIFF".utf8), at: place) {
            let size = try await file.bytes(at: place + 4, count: 4).littleEndian
            guard size > 0, size < largest else { break }
            part.isCut = place + 8 + size > file.length + slack
            let end = min(file.length, place + 8 + size)
            if try await isOverwritten(place + 12, until: end, in: file) { part.hasMore = true }
            place += 8 + size + size % 2
        }
        return [part]
    }

    /// Whether something that is no chunk stands among those from `start` on.
    private static func isOverwritten(_ start: Int, until end: Int, in file: FileWindow) async throws -> Bool {
        var place = start
        // Behind the sound and pictures may stand anything.
        var contentEnd = start
        var isFilledUp = false
        for _ in 0..<maximumChunks where place + 12 <= end {
            var head = try await file.bytes(at: place, count: 12)
            if isFilledUp, !beginsChunk(head) {
                // Not all programs fill an odd one up.
                place -= 1
                head = try await file.bytes(at: place, count: 12)
            }
            guard head.count == 12 else { return false }
            guard beginsChunk(head) else { return try await place < contentEnd ? file.isFilled(from: place) : false }
            let size = head[4..<8].littleEndian
            let list = String(decoding: head[8...], as: UTF8.self)
            if head.starts(with: Array("LIST".utf8)), ["movi", "rec "].contains(list) {
                if list == "movi" { contentEnd = place + 8 + size }
                place += 12
                isFilledUp = false
                continue
            }
            place += 8 + size + size % 2
            isFilledUp = size % 2 == 1
        }
        return false
    }

    private static func beginsChunk(_ head: [UInt8]) -> Bool {
        head.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
    }
}
