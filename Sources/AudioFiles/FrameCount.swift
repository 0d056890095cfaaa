import EchoText

/// Counts the frames of AAC, AC-3 and E-AC-3, which stand one behind the other, whatever they were joined from.
///
/// FFmpeg leaves out a frame of AC-3 that was cut, without a word.
///
/// - SeeAlso: ISO/IEC 13818-7, section 6.2; ETSI TS 102 366, sections 4.4.1 and E.1.3.
enum FrameCount {
    /// Bytes behind which a frame must follow where something else stands.
    private static let reach = 1 << 20

    /// - Throws: What reading threw.
    static func find(_ kind: SoundFileKind, in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        var (place, seconds, strange) = (try await lengthOfTag(in: file), 0.0, 0)
        // Where the frames end so far.
        var end = place
        while place < file.length {
            let head = try await file.bytes(at: place, count: 8)
            guard let frame = Self.frame(of: kind, head) else {
                // Tags, or what is damaged.
                if place == end, isCutHead(head, of: kind) { part.isCut = true }
                strange += 1
                guard strange <= reach else { return [part] }
                place += 1
                continue
            }
            let next = place + frame.length
            let isSure = try await next >= file.length ? next == file.length : follows(kind, at: next, in: file)
            if place == end, next > file.length { part.isCut = true }
            if isSure {
                seconds += frame.seconds
                end = next
            }
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
        return frame(of: kind, head) != nil || isCutHead(head, of: kind)
    }

    private static func frame(of kind: SoundFileKind, _ head: [UInt8]) -> (length: Int, seconds: Double)? {
        kind == .aac ? adts(head) : ac3(head)
    }

    /// Whether the file ends with `head`, which a frame begins with.
    private static func isCutHead(_ head: [UInt8], of kind: SoundFileKind) -> Bool {
        (2..<8).contains(head.count) && begins(kind, with: head)
    }

    private static func begins(_ kind: SoundFileKind, with head: [UInt8]) -> Bool {
        kind == .aac ? head[0] == 0xFF && head[1] & 0xF6 == 0xF0 : head[0] == 0x0B && head[1] == 0x77
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// The frame of AAC that begins with `head`; `nil` where none does.
    static func adts(_ head: [UInt8]) -> (length: Int, seconds: Double)? {
        guard head.count >= 7, begins(.aac, with: head) else { return nil }
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
        guard head.count >= 6, begins(.ac3, with: head) else { return nil }
        let version = head[5] >> 3
        if (11...16).contains(version) { return enhancedAC3(head) }
        guard version <= 8 else { return nil }
        let (rate, size) = (Int(head[4] >> 6), Int(head[4] & 0x3F))
        guard rate < 3, size / 2 < bitRates.count else { return nil }
        let bits = bitRates[size / 2]
        let words = [2 * bits, bits * 320 / 147 + size % 2, 3 * bits][rate]
        return (2 * words, 1_536 / [48_000.0, 44_100, 32_000][rate])
    }

    /// The frame of E-AC-3 that begins with `head`, which lasts no time where it belongs to another frame or program.
    private static func enhancedAC3(_ head: [UInt8]) -> (length: Int, seconds: Double)? {
        let (type, stream) = (head[2] >> 6, head[2] >> 3 & 7)
        let (rate, detail) = (Int(head[4] >> 6), Int(head[4] >> 4 & 3))
        guard type < 3, rate < 3 || detail < 3 else { return nil }
        let length = 2 * ((Int(head[2] & 7) << 8 | Int(head[3])) + 1)
        guard type != 1, stream == 0 else { return (length, 0) }
        // Half the rates, which `detail` names, have no shorter frames.
        let hertz = rate < 3 ? [48_000.0, 44_100, 32_000][rate] : [24_000.0, 22_050, 16_000][detail]
        let blocks = rate < 3 ? [1.0, 2, 3, 6][detail] : 6
        return (length, 256 * blocks / hertz)
    }
}
