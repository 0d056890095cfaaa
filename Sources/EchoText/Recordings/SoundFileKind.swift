package import Foundation

/// The kind of a sound or video file, detected from its content alone.
package enum SoundFileKind: String, Sendable, Hashable, CaseIterable {
    case wav, aiff, au, caf, w64, flac, ogg, mp3
    /// MPEG-4 and QuickTime, and formats based on them: M4A, M4B, MOV, 3GP.
    case movie
    /// Matroska and WebM.
    case matroska
    case avi, asf, flv, mpegTransport, mpegProgram
    case aac, ac3, amr, wavPack, monkey, musepack, musepack8, trueAudio, dsf

    /// Whether libsndfile reads it, at least with the usual codecs.
    package var isSimple: Bool {
        switch self {
        case .wav, .aiff, .au, .caf, .w64, .flac, .ogg, .mp3: true
        default: false
        }
    }

    /// Reads as much of `file` as is needed to detect its kind.
    ///
    /// - Throws: ``SoundImportError/empty``, ``SoundImportError/unknownKind(found:)``, and what reading throws.
    package init(of file: any StoredBytes) async throws {
        guard file.length > 0 else { throw SoundImportError.empty }
        let head = try await file.read(0..<min(file.length, 4_096))
        if let tag = Self.lengthOfTag(head) {
            // An ID3 tag precedes the frames of MP3, and of some AAC and FLAC files.
            guard tag < file.length else {
                // The tag was cut, or says that it is longer than it is.
                guard let kind = try await Self.lateFrames(in: file) else { throw SoundImportError.damaged(seconds: 0) }
                self = kind
                return
            }
            let rest = try await file.read(tag..<min(file.length, tag + 4_096))
            self = Self(head: rest) ?? .mp3
            return
        }
        guard let kind = Self(head: head) else {
            let found = BinaryContent(head).flatMap(\.name)
            if found == nil, Self.hasLatePackets([UInt8](head)) {
                self = .mpegTransport
                return
            }
            if found == nil, let kind = try await Self.lateFrames(in: file) {
                self = kind
                return
            }
            // A sound of a kind that is not read here is still a sound.
            throw SoundImportError.unknownKind(found: found?.contains("sound") == true ? nil : found)
        }
        self = kind
    }

    /// Bytes before the first frame that are no sound.
    private static let longestJunk = 128 << 10
    /// Frames in a row that are no accident.
    private static let sureFrames = 4

    /// The kind of the frames of MP3 or AAC that begin somewhat behind the beginning: what was cut out of a stream begins anywhere.
    private static func lateFrames(in file: any StoredBytes) async throws -> SoundFileKind? {
        let bytes = [UInt8](try await file.read(0..<min(file.length, longestJunk)))
        for start in bytes.indices where bytes[start] == 0xFF {
            if hasFrames(.mp3, at: start, in: bytes) { return .mp3 }
            if hasFrames(.aac, at: start, in: bytes) { return .aac }
        }
        return nil
    }

    /// Whether packets of a broadcast begin within the first one, all of them up to the end of `head`.
    private static func hasLatePackets(_ head: [UInt8]) -> Bool {
        (1..<192).contains { start in
            [188, 192].contains { step in
                let places = stride(from: start, to: head.count, by: step)
                return head.count >= 10 * step && places.allSatisfy { head[$0] == 0x47 }
            }
        }
    }

    private static func hasFrames(_ kind: SoundFileKind, at start: Int, in bytes: [UInt8]) -> Bool {
        var place = start
        var format: [Int]?
        for _ in 0..<sureFrames {
            guard place < bytes.count, let frame = Self.frame(of: kind, Array(bytes[place...].prefix(6))),
                frame.format == format ?? frame.format
            else { return false }
            format = frame.format
            place += frame.length
        }
        return true
    }

    /// The frame of MP3 or AAC that begins with `head`, with what all frames of a sound share.
    private static func frame(of kind: SoundFileKind, _ head: [UInt8]) -> (format: [Int], length: Int)? {
        if kind == .mp3 {
            guard let frame = MPEGFrame(head: Array(head.prefix(4))) else { return nil }
            let format = frame.format
            return ([Int(format.version), Int(format.layer), format.rate, format.isMono ? 1 : 0], frame.length)
        }
        guard head.count >= 6, head[0] == 0xFF, head[1] & 0xF6 == 0xF0, head[2] >> 2 & 0xF < 13 else { return nil }
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        guard length > 7 else { return nil }
        return ([Int(head[1]), Int(head[2])], length)
    }

    /// The length of the ID3v2 tag at the beginning; `nil` when there is none.
    ///
    /// - SeeAlso: ID3 tag version 2.4.0, section 3.1.
    private static func lengthOfTag(_ head: Data) -> Int? {
        let head = [UInt8](head.prefix(10))
        guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6...].allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        return 10 + head[6...].reduce(0) { $0 << 7 | Int($1) } + (head[5] & 0x10 == 0 ? 0 : 10)
    }

    /// Fails when the first bytes of a file are those of no sound or video file.
    package init?(head: Data) {
        let head = [UInt8](head)
        func has(_ sign: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: Array(sign.utf8)) }
        func has(_ sign: [UInt8]) -> Bool { head.starts(with: sign) }
        if has("RIFF") || has("RF64") || has("BW64") || has("RIFX") {
            guard has("WAVE", at: 8) || has("AVI ", at: 8) else { return nil }
            self = has("WAVE", at: 8) ? .wav : .avi
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aiff
        } else if let (_, kind) = Self.signs.first(where: { has($0.0) }) {
            self = kind
        } else if ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { has($0, at: 4) }) {
            self = .movie
        } else if Self.isTransport(head, step: 188, from: 0) || Self.isTransport(head, step: 192, from: 4) {
            self = .mpegTransport
        } else if let kind = Self.frame(head) {
            self = kind
        } else {
            return nil
        }
    }

    private static let signs: [([UInt8], SoundFileKind)] = [
        (Array(".snd".utf8), .au), (Array("caff".utf8), .caf), (Array("fLaC".utf8), .flac), (Array("OggS".utf8), .ogg),
        ([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11], .w64), ([0x1A, 0x45, 0xDF, 0xA3], .matroska),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .asf), (Array("FLV\u{1}".utf8), .flv),
        ([0, 0, 1, 0xBA], .mpegProgram), (Array("#!AMR".utf8), .amr), (Array("wvpk".utf8), .wavPack),
        (Array("MAC ".utf8), .monkey), (Array("MP+".utf8), .musepack), (Array("MPCK".utf8), .musepack8),
        (Array("TTA1".utf8), .trueAudio), (Array("DSD ".utf8), .dsf),
    ]

    /// - SeeAlso: ISO/IEC 13818-1, section 2.4.3.2; packets of Blu-ray discs have four bytes before each.
    private static func isTransport(_ head: [UInt8], step: Int, from start: Int) -> Bool {
        let places = stride(from: start, to: min(head.count, start + 4 * step), by: step)
        return head.count > start + step && places.allSatisfy { head[$0] == 0x47 }
    }

    /// The kind of a file that begins with a frame of sound.
    ///
    /// - SeeAlso: ISO/IEC 11172-3, section 2.4.1.3 (MP3), and 13818-7, section 6.2 (AAC); ETSI TS 102 366 (AC-3).
    private static func frame(_ head: [UInt8]) -> SoundFileKind? {
        guard head.count >= 4 else { return nil }
        if head[0] == 0x0B, head[1] == 0x77 { return .ac3 }
        guard head[0] == 0xFF else { return nil }
        if head[1] & 0xF6 == 0xF0, head.count < 6 || frame(of: .aac, head) != nil { return .aac }
        let isFrame = head[1] & 0xE0 == 0xE0 && head[1] & 0x18 != 0x08 && [2, 4].contains(head[1] & 0x06)
        return isFrame && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C ? .mp3 : nil
    }
}

/// A frame of MPEG sound.
///
/// - SeeAlso: ISO/IEC 11172-3, section 2.4.1.3.
package struct MPEGFrame: Sendable, Hashable {
    /// The properties that all frames of a sound share.
    package struct Format: Sendable, Hashable {
        /// 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5.
        package let version: UInt8
        /// 3 for layer I, 2 for layer II, 1 for layer III.
        package let layer: UInt8
        /// In hertz.
        package let rate: Int
        package let isMono: Bool

        /// Samples of a frame.
        package var samples: Int {
            switch layer {
            case 3: 384
            case 2: 1_152
            default: version == 3 ? 1_152 : 576
            }
        }
    }

    package let format: Format
    /// In bytes.
    package let length: Int

    /// Fails where `head`, its first four bytes, is that of none, or does not say how long it is.
    package init?(head: [UInt8]) {
        guard head.count == 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
        let (version, layer) = (head[1] >> 3 & 3, head[1] >> 1 & 3)
        let (rateIndex, bitRateIndex) = (Int(head[2] >> 2 & 3), Int(head[2] >> 4))
        guard version != 1, layer != 0, rateIndex != 3, (1...14).contains(bitRateIndex), head[3] & 3 != 2 else {
            return nil
        }
        let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        format = Format(version: version, layer: layer, rate: rate, isMono: head[3] >> 6 == 3)
        let rates = version == 3 ? Self.bitRates[Int(3 - layer)] : Self.lowBitRates[layer == 3 ? 0 : 1]
        let bits = rates[bitRateIndex - 1] * 1_000
        let padding = Int(head[2] >> 1 & 1)
        length = layer == 3 ? (12 * bits / rate + padding) * 4 : format.samples / 8 * bits / rate + padding
        guard length >= 24 else { return nil }
    }

    /// Thousands of bits a second, by the layer, for the full sample rates.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    /// The same for the lower sample rates: layer I, and the others.
    private static let lowBitRates = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
