import Foundation

/// Facts about a recogniser from its name and layout.
extension RecognizerFolder {
    private static let prefix = "sherpa-onnx-"

    /// The folder's name without the common prefix: `whisper-tiny.en`.
    private var shortName: String { name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name }

    /// The words of the name in small letters.
    private var words: [String] { shortName.lowercased().split { "-_.".contains($0) }.map(String.init) }

    /// Whether it is a model of NVIDIA's NeMo, whose transducers work differently.
    package var isOfNeMo: Bool { words.contains("nemo") || words.contains("parakeet") }

    package var takesLanguage: Bool {
        switch layout {
        case .whisper: !words.contains("en")
        case .senseVoice: true
        case .moonshine, .transducer, .paraformer, .nemoCTC, .zipformerCTC: false
        }
    }

    /// Only a transducer's search weighs words, and only where they can be spelled in its tokens.
    package var takesHotwords: Bool { layout == .transducer && !isOfNeMo && file(.vocabulary) != nil }

    /// Whisper reports when a token was said only if it was exported with its attention, which such archives say in their names.
    private var timing: Recognizer.Timing {
        switch layout {
        case .whisper: words.contains("attention") ? .tokens : .none
        case .moonshine: .none
        case .transducer, .paraformer, .nemoCTC, .zipformerCTC, .senseVoice: .tokens
        }
    }

    /// BCP 47; only `mul` for many or unknown languages.
    private var languages: [String] {
        let named = words.filter { Self.nameable.contains($0) }
        if !named.isEmpty { return named }
        return switch layout {
        case .senseVoice: Self.senseVoiceLanguages.sorted()
        case .moonshine: ["en"]
        // Parakeet's second version and those before it know English alone and do not say so.
        case .transducer, .nemoCTC: words.contains("parakeet") && !words.contains("v3") ? ["en"] : ["mul"]
        case .whisper, .paraformer, .zipformerCTC: ["mul"]
        }
    }

    /// The languages that it can be set to, as it calls them.
    package var knownLanguages: Set<String> {
        switch layout {
        case .whisper: Self.whisperLanguages
        case .senseVoice: Self.senseVoiceLanguages
        case .moonshine, .transducer, .paraformer, .nemoCTC, .zipformerCTC: []
        }
    }

    /// The recogniser in this folder.
    package var recognizer: LocalRecognizer {
        let words = shortName.split(separator: "-").joined(separator: " ")
        let files = VoiceReceipt(at: path)?.files ?? VoiceReceipt.files(in: path)
        let recognizer = Recognizer(
            id: Recognizer.ID(rawValue: "sherpa/\(shortName)"),
            name: words.prefix(1).uppercased() + words.dropFirst(),
            engine: .sherpaOnnx,
            languages: languages,
            timing: timing,
            takesLanguage: takesLanguage,
            takesHotwords: takesHotwords,
            size: files.values.reduce(0, +)
        )
        return LocalRecognizer(recognizer, model: .sherpaOnnx(self))
    }

    /// Languages by the names of archives.
    private static let nameable: Set = [
        "ar", "bn", "ca", "cs", "de", "en", "es", "et", "fa", "fi", "fr", "id", "it", "ja", "ko", "lt", "lv", "nl",
        "pl",
        "pt", "ru", "sv", "th", "tr", "uk", "vi", "zh",
    ]
    private static let senseVoiceLanguages: Set = ["en", "ja", "ko", "yue", "zh"]
    /// - SeeAlso: `LANGUAGES` of `whisper/tokenizer.py` in github.com/openai/whisper.
    private static let whisperLanguages = Set(
        """
        af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it \
        ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn \
        so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh
        """.split(separator: " ").map(String.init)
    )
}
