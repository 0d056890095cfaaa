import EchoText

/// The size that a file states for its sound, of which there are fewer bytes.
enum StatedSize {
    /// Tells a file that was cut from one of a program that did not know its size, and made a large one up.
    ///
    /// - Parameters:
    ///   - size: In bytes.
    ///   - rest: The bytes that there are.
    /// - Returns: Whether the size is meant, so that the file was cut.
    static func isMeant(_ size: Int, beside rest: Int) -> Bool { size < 500_000_000 || size / 64 <= rest }
}

/// The bytes of a file that is read by ranges; the last piece stays in memory.
final class SoundBytes {
    private static let pieceLength = 64 << 10

    let length: Int
    private let source: (Range<Int>) throws -> [UInt8]
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// - Parameters:
    ///   - length: The size of the file, in bytes.
    ///   - read: Returns bytes of the file, at least one and possibly fewer than asked for.
    init(length: Int, read: @escaping (Range<Int>) throws -> [UInt8]) {
        (self.length, source) = (length, read)
    }

    /// The byte at `place`; `nil` where there is none.
    func byte(at place: Int) throws -> UInt8? {
        guard (0..<length).contains(place) else { return nil }
        try bring(place)
        return piece.isEmpty ? nil : piece[place - pieceStart]
    }

    /// Bytes from `place` on: `count`, or what there is of them.
    func bytes(at place: Int, count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var next = max(0, place)
        let end = min(length, next + max(0, count))
        while next < end {
            try bring(next)
            guard !piece.isEmpty else { break }
            let part = piece[(next - pieceStart)...].prefix(end - next)
            bytes += part
            next += part.count
        }
        return bytes
    }

    /// Whether `sign` stands at `place`.
    func has(_ sign: String, at place: Int) throws -> Bool {
        try bytes(at: place, count: sign.utf8.count) == Array(sign.utf8)
    }

    /// Where `sign` stands next, from `place` on.
    func place(of sign: [UInt8], from place: Int) throws -> Int? {
        var next = place
        while let found = try self.place(of: sign[0], from: next) {
            if try bytes(at: found, count: sign.count) == sign { return found }
            next = found + 1
        }
        return nil
    }

    /// Where `byte` stands next, from `place` on.
    func place(of byte: UInt8, from place: Int) throws -> Int? {
        var next = place
        while next < length {
            try bring(next)
            guard !piece.isEmpty else { return nil }
            if let found = piece[(next - pieceStart)...].firstIndex(of: byte) { return pieceStart + found }
            next = pieceStart + piece.count
        }
        return nil
    }

    /// Where a byte that is marked in `table`, by its value, stands next in `range`.
    func place(in range: Range<Int>, marked table: [Bool]) throws -> Int? {
        var next = range.lowerBound
        while next < range.upperBound {
            try bring(next)
            guard !piece.isEmpty else { return nil }
            if let found = piece[(next - pieceStart)...].firstIndex(where: { table[Int($0)] }) {
                return pieceStart + found < range.upperBound ? pieceStart + found : nil
            }
            next = pieceStart + piece.count
        }
        return nil
    }

    private func bring(_ place: Int) throws {
        guard place < pieceStart || place >= pieceStart + piece.count else { return }
        piece = []
        piece = try source(place..<min(length, place + Self.pieceLength))
        pieceStart = place
    }
}

extension Collection<UInt8> {
    /// The number that these bytes are, the least significant first.
    var littleEndian: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// The number that these bytes are, the most significant first.
    var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}

/// A part of a file that is a sound file by itself: files are joined by writing one behind the other.
struct SoundPart {
    enum Segment {
        case bytes([UInt8])
        case file(Range<Int>)

        /// The same in a file in which it begins `start` bytes later.
        func moved(by start: Int) -> Segment {
            switch self {
            case .bytes: self
            case .file(let range): .file(range.moved(by: start))
            }
        }
    }

    /// The bytes that the library reads instead of the file.
    var segments: [Segment]
    /// How much sound there is by the count of its bytes, frames or pages, in seconds; `nil` where they cannot be counted.
    var held: Double?
    /// How far what is decoded may fall short of ``held``, in seconds: encoders and decoders have delays.
    var tolerance = 0.0
    /// The length that the part states wrongly, in seconds; `nil` where it is right.
    var misstated: Double?
    /// Whether bytes that it announces are missing.
    var isCut = false
    /// Whether the number of frames that the library reads from it can be believed.
    var statesFrames = false
    /// Whether sound follows that is in no part, since there are too many of them.
    var hasMore = false
}

/// The parts of a file, counted without relying on its own statements.
enum SoundParts {
    /// The parts of `file` in their order; the part is the whole file where its kind is not counted.
    ///
    /// - Throws: ``SoundImportError/noSound`` for a whole file that has none, and what reading threw.
    static func find(in file: SoundBytes) throws -> [SoundPart] {
        let stated = try TagBytes.length(at: 0, in: file) ?? 0
        // A tag that says that it is longer than the file has frames in it.
        let tag = stated < file.length ? stated : 0
        let head = try file.bytes(at: tag, count: 12)
        func has(_ sign: String) -> Bool { head.starts(with: Array(sign.utf8)) }
        if has("RIFF") { return try WaveParts.find(in: file) ?? [whole(file)] }
        if has("OggS") { return try OggParts.find(in: file, from: tag) ?? [whole(file)] }
        if has("fLaC") { return try flac(file, from: tag) }
        let chunked = ["FORM", "RF64", "BW64", "RIFX", "caff", ".snd"]
        if chunked.contains(where: has) { return try Self.chunked(file, head) }
        if has("riff") { return [try w64(file)] }
        return try MPEGParts.find(in: file, from: tag) ?? [whole(file)]
    }

    /// Whether a sound file other than MP3 begins at `place`.
    static func isFile(at place: Int, in file: SoundBytes) throws -> Bool {
        for sign in ["OggS", "fLaC", "caff", "wvpk"] {
            if try file.has(sign, at: place) { return true }
        }
        // MPEG-4, and Matroska.
        if try file.has("ftyp", at: place + 4) { return true }
        if try file.bytes(at: place, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] { return true }
        if try isAAC(at: place, in: file) { return true }
        for (sign, form) in [("RIFF", "WAVE"), ("RF64", "WAVE"), ("FORM", "AIFF"), ("FORM", "AIFC")] {
            if try file.has(sign, at: place), try file.has(form, at: place + 8) { return true }
        }
        return false
    }

    /// Whether several frames of AAC follow each other from `place` on.
    private static func isAAC(at place: Int, in file: SoundBytes) throws -> Bool {
        var next = place
        for _ in 0..<3 {
            guard let frame = FrameCount.adts(try file.bytes(at: next, count: 8)) else { return false }
            next += frame.length
        }
        return true
    }

    private static func whole(_ file: SoundBytes) -> SoundPart {
        SoundPart(segments: [.file(0..<file.length)], statesFrames: true)
    }

    /// - SeeAlso: Sonic Foundry, “Wave 64”: chunks begin at multiples of eight, and their sizes count their heads.
    private static func w64(_ file: SoundBytes) throws -> SoundPart {
        var part = whole(file)
        var place = 40
        while true {
            let head = try file.bytes(at: place, count: 24)
            guard head.count == 24 else { return part }
            let (size, rest) = (head[16...].littleEndian, file.length - place)
            if head.starts(with: Array("data".utf8)) {
                // A program that does not know the size makes one up.
                part.isCut = size > rest && StatedSize.isMeant(size, beside: rest)
                return part
            }
            guard (24...rest).contains(size) else { return part }
            place += (size + 7) & ~7
        }
    }

    /// AIFF, CAF and RF64 files may stand one behind the other, each of the size that it states.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - head: The first bytes behind its tag.
    /// - Returns: Those that have sound.
    /// - Throws: ``SoundImportError/noSound`` where none has any, and what reading threw.
    private static func chunked(_ file: SoundBytes, _ head: [UInt8]) throws -> [SoundPart] {
        var starts = [0]
        while starts.count <= maximum, let next = try ChunkedParts.next(behind: starts[starts.count - 1], in: file) {
            starts.append(next)
        }
        if starts.count == 1 { return [try chunkedPart(file, head)] }
        var parts: [SoundPart] = []
        for (index, start) in starts.prefix(maximum).enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : file.length
            let one = SoundBytes(length: end - start) { range in
                try file.bytes(at: start + range.lowerBound, count: range.count)
            }
            do {
                var part = try chunkedPart(one, try one.bytes(at: 0, count: 12))
                part.segments = part.segments.map { $0.moved(by: start) }
                parts.append(part)
            } catch SoundImportError.noSound {
                // The others may have some.
            }
        }
        guard !parts.isEmpty else { throw SoundImportError.noSound }
        parts[parts.count - 1].hasMore = starts.count > maximum
        return parts
    }

    private static func chunkedPart(_ file: SoundBytes, _ head: [UInt8]) throws -> SoundPart {
        if let part = try ChunkedParts.find(in: file) { return part }
        return head.starts(with: Array("FORM".utf8)) ? try aiff(file, head) : whole(file)
    }

    private static func aiff(_ file: SoundBytes, _ head: [UInt8]) throws -> SoundPart {
        var part = whole(file)
        guard head.count >= 8 else { return part }
        let announced = head[4..<8].bigEndian
        // A program that wrote into a pipe did not know.
        part.isCut = announced != 0 && announced < 0x7FFF_F000 && announced + 8 > file.length + 1
        return part
    }

    /// Each begins with its mark and a block of 34 bytes, which comes first (RFC 9639, section 8).
    private static func flac(_ file: SoundBytes, from start: Int) throws -> [SoundPart] {
        let mark = Array("fLaC".utf8)
        var starts = [0]
        var place = start + mark.count
        while starts.count <= maximum, let next = try file.place(of: mark, from: place) {
            let block = try file.bytes(at: next + mark.count, count: 4)
            if block.count == 4, block[0] & 0x7F == 0, block[1...].elementsEqual([0, 0, 34]) { starts.append(next) }
            place = next + mark.count
        }
        return try starts.prefix(maximum).enumerated().map { index, begin -> SoundPart in
            let end = index + 1 < starts.count ? starts[index + 1] : file.length
            let place = index == 0 ? start : begin
            let frames = try flacFrames(from: place, to: end, in: file)
            let isTooMany = index + 1 == maximum && starts.count > maximum
            let hasMore = try isTooMany || hasOtherFile(in: frames, of: file)
            var part = SoundPart(segments: [.file(begin..<end)], statesFrames: true, hasMore: hasMore)
            try FLACFrames(at: place, in: file)?.correct(&part, at: begin..<end, frames: frames, in: file)
            return part
        }
    }

    /// Where the frames of the FLAC file at `start` are: behind its metadata, which may hold anything.
    private static func flacFrames(from start: Int, to end: Int, in file: SoundBytes) throws -> Range<Int> {
        // Blocks of metadata follow the mark.
        var place = start + 4
        var isLast = false
        while !isLast, place + 4 <= end {
            let head = try file.bytes(at: place, count: 4)
            guard head.count == 4 else { break }
            isLast = head[0] & 0x80 != 0
            place += 4 + head[1...].bigEndian
        }
        return min(place, end)..<end
    }

    /// The bytes with which the files begin that ``isOtherFile(at:in:)`` knows.
    private static let firstBytes: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in Array("ORFc".utf8) + [0xFF] { table[Int(byte)] = true }
        return table
    }()

    /// Whether a sound file of another kind begins among the frames of FLAC: it was joined to them.
    private static func hasOtherFile(in frames: Range<Int>, of file: SoundBytes) throws -> Bool {
        var place = frames.lowerBound
        while let found = try file.place(in: place..<frames.upperBound, marked: firstBytes) {
            if try isOtherFile(at: found, in: file) { return true }
            place = found + 1
        }
        return false
    }

    /// Whether a sound file other than FLAC begins at `place`, with so much of it that this is no accident.
    private static func isOtherFile(at place: Int, in file: SoundBytes) throws -> Bool {
        let head = try file.bytes(at: place, count: 12)
        guard head.count == 12 else { return false }
        func has(_ sign: String) -> Bool { head.starts(with: sign.utf8) }
        if head[0] == 0xFF {
            // Several frames of MP3 fit into what is left; a tag before them says nothing that they do not.
            guard head[1] & 0xE0 == 0xE0, file.length - place >= 8_192 else { return false }
            return try MPEGParts.begins(at: place, in: file)
        }
        // The first page of an Ogg file, and the version of a CAF file.
        if has("OggS") { return head[4] == 0 && head[5] & 2 != 0 }
        if has("caff") { return head[4] == 0 && head[5] == 1 }
        guard has("RIFF") || has("RF64") || has("FORM") else { return false }
        return try isFile(at: place, in: file)
    }

    /// Most parts that are told apart.
    static let maximum = 4_096
}

/// Tags that stand before, between and behind the frames of a sound.
enum TagBytes {
    /// The bytes before the fields of an ID3v2 tag.
    static let headLength = 10

    /// The length of the tag at `place`; `nil` where there is none.
    ///
    /// - SeeAlso: ID3 tag version 2.4.0, section 3.1; APE tags version 2.
    static func length(at place: Int, in file: SoundBytes) throws -> Int? {
        let head = try file.bytes(at: place, count: 32)
        if head.starts(with: Array("ID3".utf8)), head.count >= 10, head[3] <= 4, head[6..<10].allSatisfy({ $0 < 0x80 })
        {
            let size = head[6..<10].reduce(0) { $0 << 7 | Int($1) }
            return 10 + size + (head[5] & 0x10 == 0 ? 0 : 10)
        }
        if head.starts(with: Array("TAG".utf8)), file.length - place == 128 { return 128 }
        if head.starts(with: Array("APETAGEX".utf8)), head.count == 32 {
            let size = head[12..<16].littleEndian
            // The head counts where it says that it is one; a foot ends the tag.
            return head[23] & 0x20 == 0 ? 32 : 32 + size
        }
        return nil
    }

    /// Where the fields of the ID3v2 tag at `place`, which ends at `end`, do; padding follows.
    ///
    /// - SeeAlso: ID3 tag versions 2.2.0, 2.3.0 and 2.4.0, sections 3 and 4.
    static func endOfFields(at place: Int, before end: Int, in file: SoundBytes) throws -> Int {
        let head = try file.bytes(at: place, count: headLength + 4)
        let fields = place + headLength
        // No frames of sound look like ones in a tag that is written to avoid that.
        guard head.count == headLength + 4, head[5] & 0x80 == 0 else { return min(fields, end) }
        let version = head[3]
        func size(_ bytes: ArraySlice<UInt8>) -> Int {
            version == 4 && bytes.allSatisfy { $0 < 0x80 } ? bytes.reduce(0) { $0 << 7 | Int($1) } : bytes.bigEndian
        }
        let (name, length) = version < 3 ? (3, 6) : (4, 10)
        // Version 2.4 counts the size's own bytes.
        let isExtended = version > 2 && head[5] & 0x40 != 0
        var next = fields + (isExtended ? size(head[10...]) + (version == 4 ? 0 : 4) : 0)
        while next + length <= end {
            let field = try file.bytes(at: next, count: length)
            let isField =
                field.count == length
                && field[..<name].allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                }
            guard isField else { break }
            next += length + (version < 3 ? field[3...].bigEndian : size(field[4..<8]))
        }
        return min(next, end)
    }
}
