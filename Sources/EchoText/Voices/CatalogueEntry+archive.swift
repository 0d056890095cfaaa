extension CatalogueEntry {
    /// Derives the content of an archive of sherpa-onnx's releases, or of a model's file, from its name.
    ///
    /// `vits-piper-<language>-<name>-<quality>[-int8|-fp16].tar.bz2` is a voice. The name of a recogniser begins with
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
            self.init(recogniser: name)
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

    private init?(recogniser id: String) {
        guard let family = Self.families.first(where: { id.hasPrefix($0.prefix) }) else { return nil }
        let name = String(id.dropFirst(family.prefix.count))
        let words = name.split { "-_.".contains($0) }.map(String.init)
        guard !words.isEmpty else { return nil }
        self.init(
            id: ID(rawValue: id),
            kind: .recogniser(family.layout),
            language: Self.language(of: words, isEnglishOnly: RecognizerTraits(ofModel: id).isEnglishOnly),
            name: name,
            variant: words.last.flatMap { Variant(rawValue: $0) }
        )
    }

    /// The only language in a recogniser's name, else `mul`.
    private static func language(of words: [String], isEnglishOnly: Bool) -> String {
        let named = words.filter { recogniserLanguages.contains($0) }
        if named.count == 1 { return named[0] }
        return named.isEmpty && isEnglishOnly ? "en" : "mul"
    }

    private static let recogniserLanguages: Set = [
        "ar", "bn", "de", "en", "es", "et", "fr", "id", "ja", "ko", "ru", "th", "uk", "vi", "zh",
    ]
}
