/// Something that can be downloaded: a voice, a recognizer, or a model for speaker diarization.
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
        case recognizer(RecognizerLayout)
        case speakers(SpeakerModel.Kind)

        private enum CodingKeys: String, CodingKey {
            case piperVoice
            case recognizer = "recogniser"
            case speakers
        }
    }

    /// Which files a recognizer of sherpa-onnx consists of.
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
        case .recognizer: .recognizers
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
        case .recognizer: return Self.expectedMegabytes(ofRecognizer: id.rawValue) * 1_000_000
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
    private static func expectedMegabytes(ofRecognizer name: String) -> Int64 {
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
    case recognizers = "asr-models"
    case speakerSegmentation = "speaker-segmentation-models"
    /// So it is spelled.
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

extension CatalogueEntry {
    /// Derives the content of an archive of sherpa-onnx's releases, or of a model's file, from its name.
    ///
    /// `vits-piper-<language>-<name>-<quality>[-int8|-fp16].tar.bz2` is a voice. The name of a recognizer begins with
    /// its family, and that of a model for speaker diarization with those who made it.
    ///
    /// - Returns: `nil` for an archive that EchoText cannot use, and for an invalid file name.
    package init?(archive: String) {
        if archive.hasSuffix(SpeakerModel.ending) {
            self.init(.embedding, called: String(archive.dropLast(SpeakerModel.ending.count)))
            return
        }
        guard archive.hasSuffix(Self.ending) else { return nil }
        let name = String(archive.dropLast(Self.ending.count))
        guard Self.isPlain(name) else { return nil }
        if name.hasPrefix(Voice.ID.folderPrefix) {
            self.init(voice: name)
        } else if Self.makers(of: .segmentation).contains(where: { name.hasPrefix($0) }) {
            self.init(.segmentation, called: name)
        } else {
            self.init(recognizer: name)
        }
    }

    /// How the names of the models of a kind begin.
    private static func makers(of kind: SpeakerModel.Kind) -> [String] {
        switch kind {
        case .segmentation: ["sherpa-onnx-pyannote-segmentation-", "sherpa-onnx-reverb-diarization-"]
        case .embedding: ["3dspeaker_", "nemo_", "wespeaker_"]
        }
    }

    private init?(_ kind: SpeakerModel.Kind, called name: String) {
        guard Self.isPlain(name), let maker = Self.makers(of: kind).first(where: { name.hasPrefix($0) }), name != maker
        else {
            return nil
        }
        self.init(id: ID(rawValue: name), kind: .speakers(kind), language: "mul", name: name)
    }

    private static func isPlain(_ name: String) -> Bool {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
        // Leaves room for the suffixes of temporary files.
        return allowed && !name.hasPrefix(".") && !name.contains("..") && name.utf8.count <= 120
    }

    private init?(voice id: String) {
        var parts = id.dropFirst(Voice.ID.folderPrefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let variant = parts.last.flatMap { Variant(rawValue: String($0)) }
        if variant != nil { parts.removeLast() }
        guard parts.count >= 3, let language = Self.language(parts[0]) else { return nil }
        self.init(
            id: ID(rawValue: id),
            kind: .piperVoice,
            language: language,
            name: parts[1..<parts.count - 1].joined(separator: "-"),
            quality: VoiceQuality(rawValue: String(parts[parts.count - 1])),
            variant: variant
        )
    }

    /// The tag that a name's part such as `en_US` means.
    private static func language(_ part: Substring) -> String? {
        let pieces = part.split(separator: "_", omittingEmptySubsequences: false)
        guard pieces.count <= 3, (2...3).contains(pieces[0].count),
            pieces.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }),
            pieces[0].allSatisfy({ $0.isLetter && $0.isLowercase })
        else { return nil }
        return LanguageTag.canonical(String(part))
    }

    /// The prefix of the names of each family.
    private static let families: [(prefix: String, layout: RecognizerLayout)] = [
        ("sherpa-onnx-whisper-", .whisper),
        ("sherpa-onnx-moonshine-", .moonshine),
        ("sherpa-onnx-streaming-zipformer-", .zipformer),
        ("sherpa-onnx-zipformer-", .zipformer),
        ("sherpa-onnx-nemo-parakeet-", .parakeet),
        ("sherpa-onnx-nemo-parakeet_", .parakeet),
    ]

    private init?(recognizer id: String) {
        guard let family = Self.families.first(where: { id.hasPrefix($0.prefix) }) else { return nil }
        let name = String(id.dropFirst(family.prefix.count))
        let words = name.split { "-_.".contains($0) }.map(String.init)
        guard !words.isEmpty else { return nil }
        self.init(
            id: ID(rawValue: id),
            kind: .recognizer(family.layout),
            language: Self.language(of: words, isEnglishOnly: RecognizerTraits(ofModel: id).isEnglishOnly),
            name: name,
            variant: words.last.flatMap { Variant(rawValue: $0) }
        )
    }

    /// The only language in a recognizer's name, else `mul`.
    private static func language(of words: [String], isEnglishOnly: Bool) -> String {
        let named = words.filter { recognizerLanguages.contains($0) }
        if named.count == 1 { return named[0] }
        return named.isEmpty && isEnglishOnly ? "en" : "mul"
    }

    private static let recognizerLanguages: Set = [
        "ar", "bn", "de", "en", "es", "et", "fr", "id", "ja", "ko", "ru", "th", "uk", "vi", "zh",
    ]
}

extension Sequence<Int64> {
    /// The sum of sizes in bytes; the largest number where it is more than that.
    ///
    /// A file may say that it has exabytes, and so may a receipt.
    package var totalSize: Int64 {
        reduce(0) { sum, size in
            let (total, isTooMuch) = sum.addingReportingOverflow(Swift.max(0, size))
            return isTooMuch ? .max : total
        }
    }
}
