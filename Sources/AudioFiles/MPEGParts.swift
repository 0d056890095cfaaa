import EchoText

/// Finds the frames of an MP3 file, which may be joined from several, and counts their sound.
///
/// Only frames are handed on: what stands between them makes decoders stop. Where there is no table, or it does not count the frames
/// that are there, decoders get one that does, since they would believe it, or guess the length by the first frame's size.
///
/// - SeeAlso: ISO/IEC 11172-3, section 2.4.1.3.
enum MPEGParts {
    /// The most stretches of frames with something else between them that are kept apart.
    private static let maximumSegments = 65_536
    /// How many frames in a row are no accident.
    private static let sure = 3
    /// The samples that decoders hold back or trim.
    private static let delay = 8_192
    /// How many frames tables may be wrong by: some count themselves.
    private static let slack = 2

    /// - Returns: `nil` where there are no frames.
    /// - Throws: ``SoundImportError/noSound`` for a file that has a table and nothing else, and what reading threw.
    static func find(in file: SoundBytes, from start: Int) throws -> [SoundPart]? {
        var parts: [Part] = []
        var hasMore = false
        // The rest of a tag that is longer than it says is no sound.
        var isBehindTag = false
        let beginning = try start > 0 ? lengthOfTag(at: 0, in: file) ?? start : 0
        // No stretch is looked through for frames twice, however many tags claim it.
        var searched = start
        var place = beginning
        while place < file.length {
            guard let head = try MPEGFrame(at: place, in: file) else {
                if let stated = try TagBytes.length(at: place, in: file), stated <= file.length - place {
                    let tag = try place < searched ? stated : lengthOfTag(at: place, in: file) ?? stated
                    searched = max(searched, place + stated)
                    place += max(1, tag)
                    isBehindTag = true
                } else if let next = try nextFrame(in: file, from: place + 1) {
                    let last = isBehindTag ? nil : parts.indices.last
                    if let last, try parts[last].isHole(place..<next, in: file) { parts[last].hasHole = true }
                    place = next
                } else {
                    break
                }
                continue
            }
            let end = min(file.length, place + head.length)
            let table = try head.table(at: place, in: file)
            let isLike = parts.last?.format == head.format
            if !isLike, try !isSure(place, head, in: file) {
                place += 1
                continue
            }
            if !isLike || table != nil {
                if parts.count == SoundParts.maximum {
                    hasMore = true
                    break
                }
                let tag = try parts.isEmpty && start > 0 ? readTag(beginning, of: start, in: file) : []
                let first = (head: try file.bytes(at: place, count: 4), length: head.length)
                parts.append(Part(format: head.format, tag: tag, table: table, first: first))
            }
            if table == nil {
                let isWhole = place + head.length <= file.length
                parts[parts.count - 1].add(place..<end, head.format.samples, isWhole: isWhole)
            } else {
                parts[parts.count - 1].tableRange = place..<end
            }
            place = end
            isBehindTag = false
        }
        guard !parts.isEmpty else { return nil }
        if place < file.length, try SoundParts.isFile(at: place, in: file) { hasMore = true }
        let full = parts.filter { $0.frames > 0 || $0.isCut }
        if full.isEmpty { throw SoundImportError.noSound }
        var found = full.map(\.part)
        if hasMore { found[found.count - 1].hasMore = true }
        return found
    }

    /// Whether such a file begins at `place`.
    static func begins(at place: Int, in file: SoundBytes) throws -> Bool {
        let start = place + (try TagBytes.length(at: place, in: file) ?? 0)
        guard let head = try MPEGFrame(at: start, in: file) else { return false }
        return try isSure(start, head, in: file)
    }

    /// The length of the tag at `place`, without the frames of sound that its size covers; `nil` where there is no tag.
    ///
    /// Its fields may hold anything, even a sound: frames in one are those of the file where they continue behind the tag.
    private static func lengthOfTag(at place: Int, in file: SoundBytes) throws -> Int? {
        guard let stated = try TagBytes.length(at: place, in: file) else { return nil }
        guard try file.has("ID3", at: place) else { return stated }
        let end = min(file.length, place + stated)
        let fields = try TagBytes.endOfFields(at: place, before: end, in: file)
        var next = place + TagBytes.headLength
        while let found = try nextFrame(in: file, from: next, before: end) {
            var (last, count) = (found, 0)
            while last < end, let frame = try MPEGFrame(at: last, in: file) {
                last += frame.length
                count += 1
            }
            if found >= fields || last >= end && count >= sure { return found - place }
            next = max(last, found + 1)
        }
        return stated
    }

    /// The tag at the beginning of the file, which ends before the frames that its size covers.
    ///
    /// - Parameters:
    ///   - length: In bytes.
    ///   - stated: The length that it states.
    ///   - file: The file.
    /// - Returns: What decoders read.
    /// - Throws: What reading threw.
    private static func readTag(_ length: Int, of stated: Int, in file: SoundBytes) throws -> [SoundPart.Segment] {
        guard length < stated else { return [.file(0..<length)] }
        var head = try file.bytes(at: 0, count: TagBytes.headLength)
        guard head.count == TagBytes.headLength else { return [] }
        // There is no foot where it says.
        head[5] &= ~0x10
        let size = length - head.count
        for index in 0..<4 { head[6 + index] = UInt8(truncatingIfNeeded: size >> (7 * (3 - index))) & 0x7F }
        return [.bytes(head), .file(head.count..<length)]
    }

    /// The value of bytes with which frames begin.
    private static let marks = (0...255).map { $0 == 0xFF }

    private static func nextFrame(in file: SoundBytes, from start: Int, before end: Int = .max) throws -> Int? {
        var place = start
        let end = min(end, file.length)
        while place < end {
            guard let mark = try file.place(in: place..<end, marked: marks) else { return nil }
            if let head = try MPEGFrame(at: mark, in: file), try isSure(mark, head, in: file) { return mark }
            place = mark + 1
        }
        return nil
    }

    /// Whether frames like `head` follow it, up to the end or long enough.
    private static func isSure(_ place: Int, _ head: MPEGFrame, in file: SoundBytes) throws -> Bool {
        var next = place + head.length
        for _ in 1..<sure {
            // A tag, or the end, comes after the last frame.
            if next >= file.length { return next == file.length }
            guard let frame = try MPEGFrame(at: next, in: file), frame.format == head.format else {
                return try TagBytes.length(at: next, in: file) != nil
            }
            next += frame.length
        }
        return true
    }

    /// Frames of one kind.
    private struct Part {
        let format: MPEGFrame.Format
        /// The tag at the beginning of the file.
        let tag: [SoundPart.Segment]
        let table: MPEGTable?
        /// The first bytes of the first frame, and its length.
        private let first: (head: [UInt8], length: Int)
        var tableRange: Range<Int>?
        /// Whether frames within it were overwritten.
        var hasHole = false
        private(set) var frames = 0
        private var samples = 0
        /// The length of the longest of its frames, in bytes.
        private var longest = 0
        /// The values of bytes that are no padding.
        private static let filled = [false] + [Bool](repeating: true, count: 255)
        private var ranges: [Range<Int>] = []

        init(
            format: MPEGFrame.Format,
            tag: [SoundPart.Segment],
            table: MPEGTable?,
            first: (head: [UInt8], length: Int)
        ) {
            (self.format, self.tag, self.table, self.first) = (format, tag, table, first)
        }

        mutating func add(_ range: Range<Int>, _ more: Int, isWhole: Bool) {
            if let last = ranges.last, last.upperBound == range.lowerBound || ranges.count >= maximumSegments {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
            guard isWhole else { return }
            longest = max(longest, range.count)
            frames += 1
            samples += more
        }

        /// Whether frames stood in `range`: it is longer than some of them, is no tag, and is followed by another frame of this part.
        func isHole(_ range: Range<Int>, in file: SoundBytes) throws -> Bool {
            let end = range.upperBound
            guard frames > 0, range.count > sure * longest, let next = try MPEGFrame(at: end, in: file),
                next.format == format, try next.table(at: end, in: file) == nil
            else { return false }
            let begin = try file.place(in: range, marked: Self.filled) ?? range.lowerBound
            for sign in ["ID3", "TAG", "APETAGEX", "LYRICSBEGIN"] {
                if try file.has(sign, at: begin) { return false }
            }
            // Some tags have only a foot, and the short one of 128 bytes behind it.
            for length in [32, 160] {
                if try file.has("APETAGEX", at: end - length) { return false }
            }
            return true
        }

        /// Whether the table counts many more frames than there are.
        var isCut: Bool {
            guard let stated = table?.frames else { return false }
            return stated > frames + slack + stated / 50
        }

        /// A frame like the first one that holds a table with the number of frames; `nil` where it has no room for one.
        private var countingFrame: [UInt8]? {
            guard format.layer == 1, first.head.count == 4, (1...Int(UInt32.max)).contains(frames) else { return nil }
            // No check follows its head.
            var frame = [first.head[0], first.head[1] | 1, first.head[2], first.head[3]]
            frame += [UInt8](repeating: 0, count: format.sideLength)
            frame += Array("Xing".utf8) + [0, 0, 0, 1]
            frame += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: frames >> $0) }
            guard frame.count <= first.length else { return nil }
            return frame + [UInt8](repeating: 0, count: first.length - frame.count)
        }

        var part: SoundPart {
            let held = Double(samples) / Double(format.rate)
            let stated = table?.frames ?? 0
            let isRight = isCut || (stated > 0 && abs(stated - frames) <= slack + (stated > frames ? stated / 50 : 0))
            var segments = tag
            if isRight, let tableRange {
                segments.append(.file(tableRange))
            } else if !isRight, let countingFrame {
                segments.append(.bytes(countingFrame))
            }
            segments += ranges.map { SoundPart.Segment.file($0) }
            var part = SoundPart(segments: segments)
            part.held = held
            part.tolerance = Double(delay) / Double(format.rate)
            if !isRight, stated > 0 { part.misstated = Double(stated * format.samples) / Double(format.rate) }
            part.isCut = isCut
            part.hasMore = hasHole
            return part
        }
    }
}

/// The table that the first frame of many files holds instead of sound.
private struct MPEGTable {
    /// `nil` where it does not say.
    let frames: Int?
}

extension MPEGFrame.Format {
    /// The bytes between a frame's head and its sound, in layer III.
    fileprivate var sideLength: Int { version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }
}

extension MPEGFrame {
    /// Fails where none begins.
    fileprivate init?(at place: Int, in file: SoundBytes) throws {
        guard try file.byte(at: place) == 0xFF else { return nil }
        self.init(head: try file.bytes(at: place, count: 4))
    }

    /// The table in the frame at `place`; `nil` where it holds sound.
    ///
    /// - SeeAlso: the Xing, Info and VBRI headers.
    fileprivate func table(at place: Int, in file: SoundBytes) throws -> MPEGTable? {
        guard format.layer == 1 else { return nil }
        let side = format.sideLength
        // Two bytes of a check come before the rest where the head says so.
        let isChecked = try (file.byte(at: place + 1) ?? 1) & 1 == 0
        for start in [4 + side, 4 + side + (isChecked ? 2 : 0)] {
            let head = try file.bytes(at: place + start, count: 12)
            guard head.count == 12 else { return nil }
            if head.starts(with: Array("Xing".utf8)) || head.starts(with: Array("Info".utf8)) {
                return MPEGTable(frames: head[7] & 1 == 1 ? head[8..<12].bigEndian : nil)
            }
        }
        let head = try file.bytes(at: place + 36, count: 18)
        guard head.starts(with: Array("VBRI".utf8)), head.count == 18 else { return nil }
        return MPEGTable(frames: head[14..<18].bigEndian)
    }
}
