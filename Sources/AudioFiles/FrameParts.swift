import EchoText

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

        /// One that is nearly silent.
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

/// Counts the frames of AAC and AC-3, which stand one behind the other, whatever they were joined from.
///
/// - SeeAlso: ISO/IEC 13818-7, section 6.2; ETSI TS 102 366, sections 4.4.1 and E.1.3.
enum FrameCount {
    /// Bytes behind which a frame must follow where something else stands.
    private static let reach = 1 << 20

    /// - Throws: What reading threw.
    static func find(_ kind: SoundFileKind, in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        var (place, seconds, strange) = (try await lengthOfTag(in: file), 0.0, 0)
        while place < file.length {
            let head = try await file.bytes(at: place, count: 8)
            guard let frame = kind == .aac ? adts(head) : ac3(head) else {
                // Tags, or what is damaged.
                strange += 1
                guard strange <= reach else { return [part] }
                place += 1
                continue
            }
            let next = place + frame.length
            let isSure = try await next >= file.length ? next == file.length : follows(kind, at: next, in: file)
            if isSure { seconds += frame.seconds }
            place = isSure ? next : place + 1
        }
        part.held = [seconds]
        return [part]
    }

    /// The length of the ID3v2 tag at the beginning (ID3 tag version 2.4.0, section 3.1).
    private static func lengthOfTag(in file: FileWindow) async throws -> Int {
        let head = try await file.bytes(at: 0, count: 10)
        guard head.count == 10, head.starts(with: Array("ID3".utf8)) else { return 0 }
        return 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    private static func follows(_ kind: SoundFileKind, at place: Int, in file: FileWindow) async throws -> Bool {
        let head = try await file.bytes(at: place, count: 8)
        return (kind == .aac ? adts(head) : ac3(head)) != nil
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private static func adts(_ head: [UInt8]) -> (length: Int, seconds: Double)? {
        guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
        let rate = Int(head[2] >> 2 & 0xF)
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        guard rate < rates.count, length > 7 else { return nil }
        return (length, Double(1_024 * (Int(head[6] & 3) + 1)) / Double(rates[rate]))
    }

    /// In thousands of bits a second.
    private static let bitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    private static func ac3(_ head: [UInt8]) -> (length: Int, seconds: Double)? {
        guard head.count >= 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
        // Later versions have other heads.
        guard head[5] >> 3 <= 8 else { return nil }
        let (rate, size) = (Int(head[4] >> 6), Int(head[4] & 0x3F))
        guard rate < 3, size / 2 < bitRates.count else { return nil }
        let bits = bitRates[size / 2]
        let words = [2 * bits, bits * 320 / 147 + size % 2, 3 * bits][rate]
        return (2 * words, 1_536 / [48_000.0, 44_100, 32_000][rate])
    }
}
