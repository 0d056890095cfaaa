import CSndFile
package import EchoText
import Foundation

/// Decodes WAV, AIFF, AU, CAF, W64, FLAC, Ogg and MP3 by libsndfile.
///
/// A decoder that meets a stranger's file belongs into a process of its own; this one runs in the caller's.
package enum SoundFileDecoding {
    /// Decodes a file that is read by ranges.
    ///
    /// - Parameters:
    ///   - length: The size of the file, in bytes.
    ///   - read: Returns bytes of the file, at least one and possibly fewer than asked for.
    ///   - give: Receives the facts, then the sound.
    /// - Throws: ``SoundImportError/unknownKind(found:)``, ``SoundImportError/noSound``,
    ///   ``SoundImportError/damaged(seconds:)``, and what `read` and `give` throw.
    package static func decode(
        length: Int,
        read: @escaping (Range<Int>) throws -> [UInt8],
        give: (DecodedSound) throws -> Void
    ) throws {
        let source = ReadFile(length: length, read: read)
        let ending = try FileEnding(of: source)
        let file = try OpenedSound(source)
        try file.decode(expecting: ending, give)
    }
}

/// A file that libsndfile reads: with a position, a piece in memory, and failures that are kept instead of lost.
private final class ReadFile {
    private static let pieceLength = 64 << 10

    let length: Int
    private let source: (Range<Int>) throws -> [UInt8]
    private var position = 0
    /// The bytes from ``pieceStart`` on.
    private var piece: [UInt8] = []
    private var pieceStart = 0
    private(set) var failure: (any Error)?

    init(length: Int, read: @escaping (Range<Int>) throws -> [UInt8]) {
        (self.length, source) = (length, read)
    }

    /// Bytes from `start` on: `count`, or what there is of them.
    func bytes(at start: Int, count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let end = min(length, start + count)
        while start + bytes.count < end {
            let more = try source(start + bytes.count..<end)
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let base =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: length
            default: 0
            }
        let (place, overflows) = base.addingReportingOverflow(Int(offset))
        guard !overflows, place >= 0 else { return -1 }
        position = place
        return Int64(place)
    }

    var place: Int64 { Int64(position) }

    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int64 {
        var done = 0
        while done < bytes.count, position < length, failure == nil {
            if position < pieceStart || position >= pieceStart + piece.count {
                do {
                    piece = try source(position..<min(length, position + Self.pieceLength))
                } catch {
                    failure = error
                }
                pieceStart = position
                if piece.isEmpty { break }
            }
            let part = piece[(position - pieceStart)...].prefix(bytes.count - done)
            UnsafeMutableRawBufferPointer(rebasing: bytes[done...]).copyBytes(from: part)
            position += part.count
            done += part.count
        }
        return Int64(done)
    }

    /// The callbacks for libsndfile; each takes the pointer that ``pointer`` gives.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { Int64(ReadFile.at($0).length) },
            seek: { offset, whence, user in ReadFile.at(user).seek(offset, whence) },
            read: { bytes, count, user in
                ReadFile.at(user).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: max(0, Int(count))))
            },
            write: { _, _, _ in 0 },
            tell: { ReadFile.at($0).place }
        )
    }

    /// Valid as long as this object lives.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> ReadFile {
        guard let pointer else { preconditionFailure("libsndfile lost the file it was given") }
        return Unmanaged<ReadFile>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// Owns one `SNDFILE` opened for reading.
private struct OpenedSound: ~Copyable {
    /// Above it are only headers that lie.
    private static let maximumChannels = 64
    private static let rates = 100...768_000
    /// Frames that are decoded at once.
    private static let block = 16_384

    private let source: ReadFile
    private let handle: OpaquePointer
    private let info: SF_INFO

    /// - Throws: ``SoundImportError/unknownKind(found:)``, and what reading threw.
    init(_ source: ReadFile) throws {
        var info = SF_INFO()
        var callbacks = ReadFile.callbacks
        let handle = sf_open_virtual(&callbacks, Int32(SFM_READ), &info, source.pointer)
        if let failure = source.failure {
            if let handle { sf_close(handle) }
            throw failure
        }
        guard let handle else { throw SoundImportError.unknownKind(found: nil) }
        guard (1...Self.maximumChannels).contains(Int(info.channels)), Self.rates.contains(Int(info.samplerate)) else {
            sf_close(handle)
            throw SoundImportError.unknownKind(found: nil)
        }
        self.source = source
        self.handle = handle
        self.info = info
    }

    deinit { sf_close(handle) }

    borrowing func decode(expecting ending: FileEnding, _ give: (DecodedSound) throws -> Void) throws {
        let rate = Int(info.samplerate)
        let kept = SoundFacts.keptRate(of: rate)
        let converter = kept == rate ? nil : try RateConverter(from: rate, to: kept)
        let stated = ending.statesFrames && info.frames < 1 << 48 ? Int(info.frames) : nil
        try give(.facts(facts(rate: kept, samples: stated.map { $0 * kept / rate })))
        var frames = 0
        var samples = 0
        func send(_ clip: [Float]) throws {
            for start in stride(from: 0, to: clip.count, by: DecodedSound.longestPiece) {
                let piece = clip[start..<min(start + DecodedSound.longestPiece, clip.count)]
                try give(.samples(piece.map(\.sample16)))
                samples += piece.count
            }
        }
        try forEachBlock { block in
            frames += block.count
            try send(try converter?.convert(block[...], isLast: false) ?? block)
        }
        if let rest = try converter?.convert([], isLast: true) { try send(rest) }
        let isWhole =
            sf_error(handle) == 0 && !ending.isCut && (stated.map { frames >= ending.fewest(of: $0) } ?? true)
            && ending.isReached(Int(source.place))
        guard isWhole else { throw SoundImportError.damaged(seconds: Double(samples) / Double(kept)) }
        guard samples > 0 else { throw SoundImportError.noSound }
    }

    /// The sound in blocks, its channels mixed.
    private borrowing func forEachBlock(_ body: ([Float]) throws -> Void) throws {
        let channels = Int(info.channels)
        let share = 1 / Float(channels)
        var interleaved = [Float](repeating: 0, count: Self.block * channels)
        while true {
            let count = Int(sf_readf_float(handle, &interleaved, sf_count_t(Self.block)))
            if let failure = source.failure { throw failure }
            guard count > 0 else { return }
            let mixed = (0..<count).map { frame in
                channels == 1
                    ? interleaved[frame]
                    : interleaved[frame * channels..<(frame + 1) * channels].reduce(0, +) * share
            }
            try body(mixed)
        }
    }

    private borrowing func facts(rate: Int, samples: Int?) -> SoundFacts {
        func text(_ field: Int) -> String? { sf_get_string(handle, Int32(field)).map { String(cString: $0) } }
        let tags = SoundTags(
            title: text(SF_STR_TITLE),
            artist: text(SF_STR_ARTIST),
            date: text(SF_STR_DATE),
            language: LanguageField.value(in: source)
        )
        return SoundFacts(sampleRate: rate, channels: Int(info.channels), samples: samples, tags: tags)
    }
}

extension Float {
    /// The sample that libsndfile reads this value from: full scale is 32,768; what is not a number is silence.
    fileprivate var sample16: Int16 {
        isNaN ? 0 : Int16(Swift.max(-32_768, Swift.min(32_767, (self * 32_768).rounded())))
    }
}

/// What the bytes of a file say about its end, so that a file that was cut is known.
private struct FileEnding {
    /// Whether bytes that the file announces are missing.
    let isCut: Bool
    /// Whether the file says how many frames it has; MP3 files without a table only let them be guessed.
    let statesFrames: Bool
    private let isMP3: Bool
    private let length: Int

    init(of file: ReadFile) throws {
        length = file.length
        let head = try file.bytes(at: 0, count: 4_096)
        func has(_ sign: String) -> Bool { head.starts(with: Array(sign.utf8)) }
        isMP3 = has("ID3") || head.first == 0xFF
        var isCut = false
        var statesFrames = true
        if has("RIFF") || has("FORM"), head.count >= 8 {
            let size = head[4..<8]
            let announced = (has("RIFF") ? Array(size.reversed()) : Array(size)).reduce(0) { $0 << 8 | Int($1) }
            // A program that wrote into a pipe did not know.
            let isKnown = announced != 0 && announced < 0x7FFF_F000
            isCut = isKnown && announced + 8 > file.length + 1
        } else if has("OggS") {
            isCut = try !Self.endsWithLastPage(file)
            statesFrames = false
        } else if isMP3 {
            statesFrames = try Self.hasTable(file, head)
        }
        (self.isCut, self.statesFrames) = (isCut, statesFrames)
    }

    /// The fewest frames that a whole file decodes to, of the number that it states.
    ///
    /// Encoders of MP3 count their own delay, or do not.
    func fewest(of stated: Int) -> Int { isMP3 ? stated - stated / 50 - 8_192 : stated }

    /// Whether a decoder that has stopped at `place` has come to the end.
    ///
    /// libsndfile gives up on long stretches of MP3 that are no frames.
    func isReached(_ place: Int) -> Bool { !isMP3 || place >= length - length / 50 - (256 << 10) }

    /// Whether the last page of an Ogg file is whole, and says that it is the last.
    ///
    /// - SeeAlso: RFC 3533, section 6.
    private static func endsWithLastPage(_ file: ReadFile) throws -> Bool {
        let tail = try file.bytes(at: max(0, file.length - (128 << 10)), count: 128 << 10)
        let sign = Array("OggS".utf8)
        var start = tail.count - 27
        while start >= 0, tail[start] != sign[0] || !tail[start...].starts(with: sign) { start -= 1 }
        guard start >= 0 else { return false }
        let segments = Int(tail[start + 26])
        let table = start + 27
        guard table + segments <= tail.count else { return false }
        let body = tail[table..<table + segments].reduce(0) { $0 + Int($1) }
        return tail[start + 5] & 4 != 0 && table + segments + body <= tail.count
    }

    /// Whether the first frame of an MP3 file holds the number of frames.
    ///
    /// - SeeAlso: the Xing, Info and VBRI headers, which stand at most 36 bytes into the frame.
    private static func hasTable(_ file: ReadFile, _ head: [UInt8]) throws -> Bool {
        var start = 0
        if head.starts(with: Array("ID3".utf8)), head.count >= 10 {
            start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        }
        let frame = try file.bytes(at: min(start, file.length), count: 256)
        return ["Xing", "Info", "VBRI"].contains { Data(frame).range(of: Data($0.utf8)) != nil }
    }
}

/// The tag of a file that names its language, which libsndfile does not report.
private enum LanguageField {
    /// Bytes at the beginning in which it is looked for.
    private static let reach = 256 << 10
    private static let longest = 40

    /// - SeeAlso: RIFF's INFO list (ILNG), ID3v2 (TLAN), and Vorbis comments (LANGUAGE=), which FLAC and Opus have too.
    static func value(in file: ReadFile) -> String? {
        // A tag that cannot be read is none; the sound that follows says why.
        guard let head = (try? file.bytes(at: 0, count: reach)).map({ Data($0) }) else { return nil }
        if head.starts(with: Data("RIFF".utf8)) { return field("ILNG", in: head, sizeAt: 4, isLittle: true, from: 8) }
        if head.starts(with: Data("ID3".utf8)) { return field("TLAN", in: head, sizeAt: 4, isLittle: false, from: 11) }
        return ["LANGUAGE=", "language=", "Language="].lazy.compactMap { comment($0, in: head) }.first
    }

    private static func field(_ name: String, in head: Data, sizeAt: Int, isLittle: Bool, from: Int) -> String? {
        guard let place = head.range(of: Data(name.utf8))?.lowerBound, place + from < head.count else { return nil }
        let size = head[(place + sizeAt)..<(place + sizeAt + 4)]
        let count = (isLittle ? Array(size.reversed()) : Array(size)).reduce(0) { $0 << 8 | Int($1) } - (from - 8)
        guard (2...longest).contains(count), place + from + count <= head.count else { return nil }
        let text = head[(place + from)..<(place + from + count)].filter { $0 != 0 }
        return String(validating: text, as: UTF8.self)
    }

    private static func comment(_ name: String, in head: Data) -> String? {
        guard let place = head.range(of: Data(name.utf8)), place.lowerBound >= 4 else { return nil }
        let size = head[(place.lowerBound - 4)..<place.lowerBound].reversed().reduce(0) { $0 << 8 | Int($1) }
        let count = size - name.utf8.count
        guard (2...longest).contains(count), place.upperBound + count <= head.count else { return nil }
        return String(validating: head[place.upperBound..<(place.upperBound + count)], as: UTF8.self)
    }
}
