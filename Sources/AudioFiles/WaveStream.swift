import EchoText
import Foundation

/// Reads the WAV file that FFmpeg writes into a pipe: 16 bits, of unknown length.
struct WaveStream {
    /// In bytes.
    private static let longestHeader = 64 << 10

    private var header: [UInt8]? = []
    /// The first byte of a sample that is not complete yet.
    private var rest: [UInt8] = []

    /// Takes bytes as they come.
    ///
    /// - Returns: What is complete with them.
    /// - Throws: ``SoundImportError/decoderDied`` for what is no such file.
    mutating func take(_ bytes: [UInt8]) throws(SoundImportError) -> (facts: WaveFacts?, samples: [Int16]) {
        guard var header else { return (nil, samples(bytes)) }
        header += bytes
        guard let facts = try WaveFacts(header) else {
            guard header.count <= Self.longestHeader else { throw .decoderDied }
            self.header = header
            return (nil, [])
        }
        self.header = nil
        return (facts, samples(Array(header[facts.length...])))
    }

    private mutating func samples(_ bytes: [UInt8]) -> [Int16] {
        let all = rest.isEmpty ? bytes : rest + bytes
        rest = all.count.isMultiple(of: 2) ? [] : all.suffix(1)
        return [Int16](unsafeUninitializedCapacity: all.count / 2) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: all.prefix(all.count & ~1))
            count = all.count / 2
        }
    }
}

/// The head before the samples.
struct WaveFacts {
    let sampleRate: Int
    let channels: Int
    /// The channel in the middle, where there are more than two and it is known.
    let center: Int?
    let tags: SoundTags
    /// Bytes before the samples.
    let length: Int

    /// Below are no rates of sound, above only headers that lie; in hertz.
    private static let rates = 100...768_000

    /// - Returns: `nil` while `bytes` end before the samples.
    /// - Throws: ``SoundImportError/decoderDied``; ``SoundImportError/damaged(seconds:)`` for a rate that no sound has.
    init?(_ bytes: [UInt8]) throws(SoundImportError) {
        guard bytes.count >= 12 else { return nil }
        guard bytes.starts(with: Array("RIFF".utf8)) || bytes.starts(with: Array("RF64".utf8)),
            Self.name(bytes, 8) == "WAVE"
        else { throw .decoderDied }
        var rate: Int?
        var (channels, mask) = (0, 0)
        var texts: [String: String] = [:]
        var start = 12
        while start + 8 <= bytes.count {
            let (name, size) = (Self.name(bytes, start), Self.number(bytes, start + 4, 4))
            let inside = start + 8
            if name == "data" {
                guard let rate else { throw .decoderDied }
                guard Self.rates.contains(rate) else { throw .damaged(seconds: 0) }
                self.sampleRate = rate
                self.channels = channels
                // A bit for each loudspeaker, in the order of the channels; those in front come first.
                center = channels > 2 && mask & 4 != 0 ? (mask & 3).nonzeroBitCount : nil
                tags = SoundTags(
                    title: texts["INAM"],
                    artist: texts["IART"],
                    date: texts["ICRD"],
                    language: texts["ILNG"]
                )
                length = inside
                return
            }
            guard inside + size <= bytes.count else { return nil }
            if name == "fmt " {
                guard size >= 16, Self.number(bytes, inside + 14, 2) == 16 else { throw .decoderDied }
                channels = Self.number(bytes, inside + 2, 2)
                // With many channels, it names another format, and their positions.
                let isExtensible = Self.number(bytes, inside, 2) == 0xFFFE && size >= 40
                mask = isExtensible ? Self.number(bytes, inside + 20, 4) : 0
                let format = Self.number(bytes, inside + (isExtensible ? 24 : 0), 2)
                guard format == 1, (1...64).contains(channels) else { throw .decoderDied }
                rate = Self.number(bytes, inside + 4, 4)
            } else if name == "LIST" {
                texts = Self.texts(bytes[inside..<inside + size])
            }
            start = inside + size + size % 2
        }
        return nil
    }

    private static func texts(_ list: ArraySlice<UInt8>) -> [String: String] {
        let bytes = Array(list)
        var texts: [String: String] = [:]
        var start = 4
        while start + 8 <= bytes.count {
            let size = number(bytes, start + 4, 4)
            guard start + 8 + size <= bytes.count else { break }
            let text = bytes[start + 8..<start + 8 + size].prefix { $0 != 0 }
            texts[name(bytes, start)] = String(decoding: text, as: UTF8.self)
            start += 8 + size + size % 2
        }
        return texts
    }

    private static func name(_ bytes: [UInt8], _ place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Finds how much sound is in WAV files, whatever their heads say.
///
/// Programs that write into a pipe do not know the size and put a placeholder there, and what is appended to a file leaves the
/// size of the first piece.
enum WaveParts {
    /// The longest head that is put right, in bytes.
    private static let longestHead = 1 << 20
    /// The share of a second that may follow the sound without being taken for more of it.
    private static let scrap = 0.05

    /// - Returns: `nil` where the file has no sound to count, so that the library may judge it.
    /// - Throws: ``SoundImportError/noSound``, and what reading threw.
    static func find(in file: SoundBytes) throws -> [SoundPart]? {
        var parts: [SoundPart] = []
        var start: Int? = 0
        var isEmpty = false
        // Heads without sound count as well, so that they cannot keep the search up.
        var heads = 0
        while let begin = start, let head = try Head(at: begin, in: file) {
            guard heads < SoundParts.maximum else {
                if !parts.isEmpty { parts[parts.count - 1].hasMore = true }
                break
            }
            heads += 1
            let (found, next) = try Self.part(head, in: file)
            if found.held == 0, !found.isCut { isEmpty = true } else { parts.append(found) }
            start = next
        }
        if parts.isEmpty, isEmpty { throw SoundImportError.noSound }
        return parts.isEmpty ? nil : parts
    }

    /// The part that begins with `head`, and where the next one begins.
    private static func part(_ head: Head, in file: SoundBytes) throws -> (SoundPart, next: Int?) {
        let rest = file.length - head.data
        var size = head.size
        var part = SoundPart(segments: [], statesFrames: true)
        var end = file.length
        var next: Int?
        var others: [Range<Int>] = []
        if head.isUnknown {
            let ending = head.size == 0 ? try Ending(from: head.data, in: file) : nil
            let isEmpty = ending?.isChunks == true
            if isEmpty { others = ending?.samples ?? [] }
            next = try Self.nextFile(from: head.data, in: file)
            end = next ?? file.length
            size = isEmpty ? 0 : end - head.data
        } else if head.size > rest {
            size = rest
            if head.isCut(file.length) {
                part.isCut = true
            } else if head.seconds(head.size - rest) >= scrap {
                part.misstated = head.statedSeconds
            }
        } else {
            let ending = try Ending(after: head.data + head.size, in: file)
            next = ending.next
            end = ending.next ?? file.length
            if ending.isChunks { others = ending.samples }
            let hasMore = !ending.isChunks && head.seconds(rest - head.size) >= scrap
            if hasMore, let other = try Self.otherFile(from: head.data + head.size, in: file) {
                end = other
                part.hasMore = true
            } else if hasMore {
                next = try Self.nextFile(from: head.data + head.size, in: file)
                end = next ?? file.length
                size = end - head.data
                part.misstated = head.statedSeconds
            }
        }
        let samples = ([head.data..<head.data + size] + others).map(head.frames)
        let length = samples.reduce(0) { $0 + $1.count }
        if head.isPlain {
            part.held = Double(length / head.frameLength) / Double(head.rate)
        } else if size == 0 {
            part.held = 0
        }
        guard others.isEmpty || head.data - head.start > longestHead else {
            let corrected = SoundPart.Segment.bytes(try head.corrected(to: length, in: file))
            part.segments = [corrected] + samples.map(SoundPart.Segment.file)
            if others.count == SoundParts.maximum { part.hasMore = true }
            return (part, next)
        }
        if !others.isEmpty { part.hasMore = true }
        let isRight = size == head.size || part.isCut
        let isLow = try head.isPadded ? head.isLow(head.data..<head.data + size, in: file) : nil
        if head.data - head.start > longestHead || isRight && isLow == nil {
            part.segments = [.file(head.start..<end)]
        } else {
            var sound = head.data..<head.data + size
            var start = try head.corrected(to: size, in: file)
            if isLow == true {
                // A byte later, each sample is at the upper end of its four bytes.
                start.append(0)
                sound = sound.dropLast()
            }
            part.segments = [.bytes(start), .file(sound)]
        }
        return (part, next)
    }

    /// Where a sound file of another kind begins at `end`, or behind the byte that may make the number of samples even.
    private static func otherFile(from end: Int, in file: SoundBytes) throws -> Int? {
        for place in [end, end + 1] {
            if try SoundParts.isFile(at: place, in: file) || MPEGParts.begins(at: place, in: file) { return place }
        }
        return nil
    }

    /// Where a file begins among the samples of the one before it.
    private static func nextFile(from start: Int, in file: SoundBytes) throws -> Int? {
        var place = start
        while let found = try file.place(of: Array("RIFF".utf8), from: place) {
            if try file.has("WAVEfmt ", at: found + 8) { return found }
            place = found + 4
        }
        return nil
    }

    /// The head before the samples.
    private struct Head {
        let start: Int
        /// Where the samples begin.
        let data: Int
        /// Their size in bytes, as the head states it.
        let size: Int
        /// The size of all that follows, as the head states it.
        private let whole: Int
        /// The most bytes by which programs that count the head as well are wrong.
        private static let longestSlip = 64
        let rate: Int
        let frameLength: Int
        private let bytesPerSecond: Int
        /// Bytes of a second at a low bit rate.
        private static let fewest = 1_000
        /// Whether each frame has the same number of bytes.
        let isPlain: Bool
        /// Whether samples of 24 bits or less stand in four bytes each, which the library takes for something else.
        let isPadded: Bool
        /// Where the description of the samples stands.
        private let format: Int
        /// Bytes in which it is looked for the end of its four bytes at which a sample stands.
        private static let reach = 16 << 20

        /// Fails where no samples are announced, or nothing is said of them.
        init?(at start: Int, in file: SoundBytes) throws {
            guard try file.has("RIFF", at: start), try file.has("WAVE", at: start + 8) else { return nil }
            var (format, formatPlace): ([UInt8], Int) = ([], 0)
            var place = start + 12
            while true {
                let chunk = try file.bytes(at: place, count: 8)
                guard chunk.count == 8 else { return nil }
                let size = chunk[4...].littleEndian
                if chunk.starts(with: Array("data".utf8)) {
                    guard format.count == 16 else { return nil }
                    self.start = start
                    data = place + 8
                    self.size = size
                    break
                }
                if chunk.starts(with: Array("fmt ".utf8)) {
                    (format, formatPlace) = (try file.bytes(at: place + 8, count: 16), place + 8)
                }
                guard place + 8 + size <= file.length else { return nil }
                place = try Ending.following(place + 8 + size, isOdd: size % 2 != 0, in: file)
            }
            whole = try file.bytes(at: start + 4, count: 4).littleEndian
            rate = format[4..<8].littleEndian
            bytesPerSecond = format[8..<12].littleEndian
            // PCM, floating point, A-law, µ-law, and what names one of them further on.
            let codec = format[0..<2].littleEndian
            let isPlain = [1, 3, 6, 7, 0xFFFE].contains(codec)
            self.isPlain = isPlain
            let (channels, bits) = (format[2..<4].littleEndian, format[14..<16].littleEndian)
            // Some programs leave out what can be reckoned, or write what a single channel has.
            let width = [6, 7].contains(codec) ? 1 : (bits + 7) / 8
            let least = isPlain && (1...8).contains(width) ? channels * width : 0
            let frame = max(least, format[12..<14].littleEndian)
            frameLength = frame
            isPadded = [1, 0xFFFE].contains(codec) && (17...24).contains(bits) && frame == 4 * channels
            self.format = formatPlace - start
            guard rate > 0, frameLength > 0 else { return nil }
        }

        /// Whether padded samples stand at the lower end of their four bytes; at the upper end, the lowest byte is empty.
        ///
        /// - Returns: `nil` where they stand at neither: some programs mark floating-point numbers like this, which the library knows.
        func isLow(_ samples: Range<Int>, in file: SoundBytes) throws -> Bool? {
            var (mayBeLow, mayBeHigh) = (true, true)
            var place = samples.lowerBound
            let end = min(samples.upperBound, samples.lowerBound + Self.reach)
            while place + 4 <= end {
                let bytes = try file.bytes(at: place, count: min(32_768, (end - place) & ~3))
                guard bytes.count >= 4 else { break }
                for index in stride(from: 0, to: bytes.count - 3, by: 4) {
                    if bytes[index + 3] != (bytes[index + 2] < 0x80 ? 0 : 0xFF) { mayBeLow = false }
                    if bytes[index] != 0 { mayBeHigh = false }
                    guard mayBeLow || mayBeHigh else { return nil }
                }
                place += bytes.count & ~3
            }
            return !mayBeHigh
        }

        func seconds(_ bytes: Int) -> Double {
            if isPlain { return Double(bytes / frameLength) / Double(rate) }
            return Double(bytes) / Double(bytesPerSecond > 0 ? bytesPerSecond : Self.fewest)
        }

        /// The length of the samples as the head states it; `nil` where it leaves out how many bytes a second has.
        var statedSeconds: Double? { isPlain || bytesPerSecond > 0 ? seconds(size) : nil }

        /// The part of a range of samples that is whole frames.
        func frames(_ range: Range<Int>) -> Range<Int> {
            isPlain ? range.lowerBound..<range.upperBound - range.count % frameLength : range
        }

        /// Whether the size is what programs write that do not know it.
        var isUnknown: Bool {
            size == 0 || size >= 0xFFFF_F000 || (0x7FFF_F000...0x8000_0000).contains(size)
        }

        /// Whether a file of `length` bytes, in which there are fewer samples than announced, was cut short.
        ///
        /// Else their size was made up, or is that of something more than the samples.
        func isCut(_ length: Int) -> Bool {
            let rest = length - data
            let isWhole = whole > data - start && start + 8 + whole <= length + 1
            guard !isWhole, size - rest > Self.longestSlip else { return false }
            let isRound = [0, 36, 44, 8].contains { added in
                (size >= 100_000_000 && (size + added) % 1_000_000 == 0)
                    || (size >= 0x1000_0000 && [0, 0xFFFF].contains((size + added) & 0xFFFF))
            }
            return !isRound && StatedSize.isMeant(size, beside: rest)
        }

        /// The head of a file that has `size` bytes of samples.
        func corrected(to size: Int, in file: SoundBytes) throws -> [UInt8] {
            var bytes = try file.bytes(at: start, count: data - start)
            func set(_ number: Int, at place: Int) {
                for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            }
            set(min(0xFFFF_FFFF, data - start + size - 8), at: 4)
            set(min(0xFFFF_FFFF, size), at: bytes.count - 4)
            if isPadded, format + 16 <= bytes.count { (bytes[format + 14], bytes[format + 15]) = (32, 0) }
            return bytes
        }
    }

    /// The bytes behind the samples.
    private struct Ending {
        /// Whether it is nothing, chunks of other kinds, tags, padding or another file.
        let isChunks: Bool
        /// Where another file begins.
        let next: Int?
        /// The samples in further chunks of them, by which some programs continue a file.
        private(set) var samples: [Range<Int>] = []

        /// Looks where the samples end, and behind the byte that may make their number even.
        init(after end: Int, in file: SoundBytes) throws {
            let first = try Ending(from: end, in: file)
            guard !first.isChunks, end < file.length else {
                self = first
                return
            }
            let second = try Ending(from: end + 1, in: file)
            self = second.isChunks ? second : first
        }

        init(from start: Int, in file: SoundBytes) throws {
            var place = start
            while place < file.length {
                if try file.has("RIFF", at: place), try file.has("WAVE", at: place + 8) {
                    (isChunks, next) = (true, place)
                    return
                }
                if let tag = try TagBytes.length(at: place, in: file) {
                    place += tag
                    continue
                }
                let head = try file.bytes(at: place, count: 8)
                let size = head.count == 8 ? head[4...].littleEndian : 0
                let isName = head.count == 8 && head[..<4].allSatisfy { (0x20...0x7E).contains($0) }
                if isName, place + 8 + size > file.length, Self.others.contains(where: { head.starts(with: $0) }) {
                    // A chunk that was cut is no sound either.
                    (isChunks, next) = (true, nil)
                    return
                }
                let isSound = head.starts(with: Array("data".utf8)) && size > 0 && place + 8 + size <= file.length
                if isSound, samples.count < SoundParts.maximum { samples.append(place + 8..<place + 8 + size) }
                guard isName, place + 8 + size <= file.length else {
                    // Whole blocks of a disk or a tape are filled up.
                    let rest = try file.bytes(at: place, count: 65_536)
                    isChunks = place + rest.count == file.length && rest.allSatisfy { $0 == 0 }
                    next = nil
                    return
                }
                place = try Self.following(place + 8 + size, isOdd: size % 2 != 0, in: file)
            }
            (isChunks, next) = (true, nil)
        }

        /// The names of chunks that often stand behind the samples.
        private static let others = ["LIST", "id3 ", "ID3 ", "bext", "iXML", "JUNK", "cue ", "smpl"].map {
            Array($0.utf8)
        }

        /// Where the next chunk begins; not all programs fill an odd one up.
        static func following(_ end: Int, isOdd: Bool, in file: SoundBytes) throws -> Int {
            guard isOdd else { return end }
            let name = try file.bytes(at: end, count: 4)
            let isName = name.count == 4 && name.allSatisfy { (0x20...0x7E).contains($0) }
            return isName ? end : end + 1
        }
    }
}
