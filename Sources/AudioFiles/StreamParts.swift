/// Finds the parts of an ASF or WMA file, which may be joined from several, and what they say of their length.
///
/// - SeeAlso: Microsoft, “Advanced Systems Format (ASF) Specification”, sections 2 to 5.
enum ASFParts {
    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let data: [UInt8] = [
        0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let properties: [UInt8] = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    private static let stream: [UInt8] = [
        0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    private static let longestHeader = 16 << 20
    private static let longestLength = 1_000_000.0
    /// Bytes by which sizes are wrong in files that are whole.
    private static let slack = 1_024

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var facts = Facts()
        var place = 0
        while true {
            let head = try await file.bytes(at: place, count: 24)
            guard head.count == 24 else { break }
            let size = head[16...].littleEndian
            let rest = file.length - place
            if head.starts(with: header) {
                guard parts.begin(at: place) else { return parts.all(until: place) }
                guard size >= 30, size <= min(rest, longestHeader) else { break }
                facts = Facts(try await file.bytes(at: place, count: size))
                let stated = facts.seconds
                parts.change { $0.stated = stated }
            } else if head.starts(with: data) {
                // Of what is written while it is sent, the size is not known.
                guard size >= 24, !facts.isBroadcast else { break }
                if size > rest + slack { parts.change { $0.isCut = true } }
            }
            guard (24...rest).contains(size) else { break }
            place += size
        }
        return parts.all(until: file.length)
    }

    /// What stands in a header.
    private struct Facts {
        private(set) var isBroadcast = false
        private var length: Double?
        private var streams = 0

        init() {}

        init(_ bytes: [UInt8]) {
            var place = 30
            while place + 24 <= bytes.count {
                let size = bytes[place + 16..<place + 24].littleEndian
                guard size >= 24, size <= bytes.count - place else { break }
                if bytes[place...].starts(with: stream) { streams += 1 }
                if bytes[place...].starts(with: properties), size >= 92 { read(bytes[place..<place + size]) }
                place += size
            }
        }

        private mutating func read(_ bytes: ArraySlice<UInt8>) {
            func number(_ offset: Int, _ count: Int) -> Int { bytes.dropFirst(offset).prefix(count).littleEndian }
            isBroadcast = number(88, 4) & 1 == 1
            // In tenths of a microsecond, with the milliseconds before anything is played.
            let seconds = Double(number(64, 8)) / 1e7 - Double(number(80, 8)) / 1e3
            if !isBroadcast, (0...longestLength).contains(seconds) { length = seconds }
        }

        /// How long the only stream is; pictures may be longer than the sound.
        var seconds: Double? { streams == 1 ? length : nil }
    }
}

/// Finds the parts of an FLV file, which may be joined from several, and counts their sound.
///
/// - SeeAlso: Adobe, “Flash Video File Format Specification 10.1”, annex E.
enum FlashParts {
    private static let mark: [UInt8] = Array("FLV".utf8) + [1]
    /// In seconds; a longer step begins another programme.
    private static let longestStep = 600.0

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var stamps = StampCount()
        var place = 0
        while true {
            let head = try await file.bytes(at: place, count: 13)
            if head.starts(with: mark), head.count >= 9 {
                let held = stamps.seconds
                parts.change { $0.held = [held] }
                stamps = StampCount()
                guard parts.begin(at: place) else { return parts.all(until: place) }
                place += max(9, head[5..<9].bigEndian) + 4
                continue
            }
            guard head.count >= 11, [8, 9, 18].contains(head[0] & 0x1F) else { break }
            let size = head[1..<4].bigEndian
            // What AAC begins with is no sound.
            let isSetUp = head.count == 13 && head[11] >> 4 == 10 && head[12] == 0
            if head[0] & 0x1F == 8, size > 0, !isSetUp {
                let time = Int(head[7]) << 24 | head[4..<7].bigEndian
                stamps.add(Double(time) / 1_000, longest: longestStep)
            }
            place += 11 + size + 4
        }
        parts.change { $0.held = [stamps.seconds] }
        return parts.all(until: file.length)
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

/// Finds out whether an AVI file was cut: FFmpeg, which reads it from its beginning to its end, does not notice.
///
/// - SeeAlso: Microsoft, “AVI RIFF File Reference”; “OpenDML AVI File Format Extensions”, for files of several chunks.
enum AVIParts {
    /// Bytes by which sizes are wrong in files that are whole.
    private static let slack = 1_024
    /// Larger sizes are those of programs that did not know them.
    private static let largest = 0x7FFF_F000

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        var place = 0
        while try await file.has(Array("RIFF".utf8), at: place) {
            let size = try await file.bytes(at: place + 4, count: 4).littleEndian
            guard size > 0, size < largest else { break }
            part.isCut = place + 8 + size > file.length + slack
            place += 8 + size + size % 2
        }
        return [part]
    }
}
