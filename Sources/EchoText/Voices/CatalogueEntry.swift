/// Something that can be downloaded: a voice, a recogniser, or a model for speaker diarization.
package struct CatalogueEntry: Sendable, Hashable, Codable, Identifiable {
    /// The archive's name without its ending, such as `vits-piper-en_US-lessac-medium`.
    ///
    /// An id that ``init(archive:)`` accepted is a visible file name of letters, digits and `_`, `-`, `.`, `+`.
    package struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
    }

    package enum Kind: Sendable, Hashable, Codable {
        case piperVoice
        case recogniser(RecognizerLayout)
        case speakers(SpeakerModel.Kind)
    }

    /// Which files a recogniser of sherpa-onnx consists of.
    package enum RecognizerLayout: String, Sendable, Hashable, Codable, CaseIterable {
        case whisper
        case moonshine
        case zipformer
        case parakeet
    }

    /// The number format of the model's weights.
    package enum Variant: String, Sendable, Hashable, Codable, CaseIterable {
        case int8
        case fp16
    }

    package let id: ID
    package let kind: Kind
    /// A BCP 47 tag in canonical case, such as `en-US`; `mul` for several languages.
    package let language: String
    package let name: String
    package let quality: VoiceQuality?
    /// `nil` for 32-bit floats, as models are made.
    package let variant: Variant?
    /// How many people the voice can be; `nil` when that is not known before it is here.
    package var speakers: Int?
    /// Samples per second, in hertz.
    package var sampleRate: Int?
    /// How many bytes the archive has.
    package var archiveBytes: Int64?
    /// The archive's SHA-256 in 64 small hexadecimal digits.
    package var sha256: String?

    package init(
        id: ID,
        kind: Kind,
        language: String,
        name: String,
        quality: VoiceQuality? = nil,
        variant: Variant? = nil,
        speakers: Int? = nil,
        sampleRate: Int? = nil,
        archiveBytes: Int64? = nil,
        sha256: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.language = language
        self.name = name
        self.quality = quality
        self.variant = variant
        self.speakers = speakers
        self.sampleRate = sampleRate
        self.archiveBytes = archiveBytes
        self.sha256 = sha256
    }

    /// The file name of the download.
    package var archive: String { id.rawValue + (isPacked ? Self.ending : SpeakerModel.ending) }

    /// Whether the download is an archive, and not a model's only file.
    package var isPacked: Bool { kind != .speakers(.embedding) }

    /// The release of sherpa-onnx that the archive belongs to.
    package var release: CatalogueRelease {
        switch kind {
        case .piperVoice: .voices
        case .recogniser: .recognisers
        case .speakers(.segmentation): .speakerSegmentation
        case .speakers(.embedding): .speakerEmbedding
        }
    }

    /// The id of the installed voice; `nil` for anything else.
    ///
    /// Each variant is a separate voice.
    package var voice: Voice.ID? {
        guard kind == .piperVoice else { return nil }
        return Voice.ID(ofFolder: id.rawValue, model: name)
    }

    /// The size of the archive in bytes, estimated from its quality if unknown.
    ///
    /// Rounded from the sizes of published voices: models of 20 to 137 MB, which hardly compress.
    package var expectedBytes: Int64 {
        if let archiveBytes { return archiveBytes }
        switch kind {
        case .recogniser: return Self.expectedMegabytes(ofRecogniser: id.rawValue) * 1_000_000
        case .speakers(.segmentation): return 7_000_000
        case .speakers(.embedding): return 40_000_000
        case .piperVoice: break
        }
        let megabytes: Int64 =
            switch quality {
            case .extraLow?: 25
            case .high?: 115
            default: 65
            }
        // 8-bit weights take a quarter of the space and 16-bit ones half, but other files stay the same.
        let divisor: Int64 = variant == .int8 ? 3 : variant == .fp16 ? 2 : 1
        return megabytes * 1_000_000 / divisor
    }

    /// Rounded from the sizes of published archives, which hold most models in two kinds of numbers.
    private static func expectedMegabytes(ofRecogniser name: String) -> Int64 {
        let sizes: [(word: String, megabytes: Int64)] = [
            ("moonshine-tiny", 100), ("moonshine-base", 250), ("parakeet", 480), ("zipformer-small", 60),
            ("distil-small", 500), ("distil-medium", 1_200), ("distil-large", 2_000), ("large", 1_900), ("turbo", 540),
            ("medium", 1_800), ("small", 610), ("base", 200), ("tiny", 110),
        ]
        return sizes.first { name.contains($0.word) }?.megabytes ?? 300
    }

    static let ending = ".tar.bz2"
}

/// How good a voice sounds, as its maker calls it.
package struct VoiceQuality: Sendable, Hashable, Codable, RawRepresentable, Comparable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static let extraLow = VoiceQuality(rawValue: "x_low")
    package static let low = VoiceQuality(rawValue: "low")
    package static let medium = VoiceQuality(rawValue: "medium")
    package static let high = VoiceQuality(rawValue: "high")

    private static let order = [extraLow, low, medium, high]

    /// An unknown quality counts as medium.
    private var rank: Int { Self.order.firstIndex(of: self) ?? 2 }

    package static func < (one: Self, other: Self) -> Bool {
        (one.rank, one.rawValue) < (other.rank, other.rawValue)
    }
}

/// A release of sherpa-onnx, which is a list of archives.
package enum CatalogueRelease: String, Sendable, Hashable, Codable, CaseIterable {
    case voices = "tts-models"
    case recognisers = "asr-models"
    case speakerSegmentation = "speaker-segmentation-models"
    /// So it is spelt.
    case speakerEmbedding = "speaker-recongition-models"
}

extension CatalogueEntry {
    /// An estimate of the files other than the unpacked model.
    private static let beside: Int64 = 32 << 20

    /// How many bytes are needed to unpack an archive: voices compress to nine tenths, so a quarter more is enough.
    package static func room(forUnpacking archive: Int64) -> Int64 {
        [archive, archive / 4, beside].totalSize
    }
}
