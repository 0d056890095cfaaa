import Foundation

/// Facts about a recogniser from its name and layout.
extension RecognizerFolder {
    private static let prefix = "sherpa-onnx-"

    /// The folder's name without the common prefix: `whisper-tiny.en`.
    private var shortName: String { name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name }

    /// The words of the name in small letters.
    private var words: [String] { shortName.lowercased().split { "-_.".contains($0) }.map(String.init) }

    private var traits: RecognizerTraits { RecognizerTraits(ofModel: name) }

    /// Whether it is a model of NVIDIA's NeMo, whose transducers work differently.
    package var isOfNeMo: Bool { words.contains("nemo") || words.contains("parakeet") }

    package var takesLanguage: Bool {
        switch layout {
        case .whisper: !words.contains("en")
        case .senseVoice: true
        case .moonshine, .transducer, .paraformer, .nemoCTC, .zipformerCTC: false
        }
    }

    /// A transducer's search weighs words where they can be spelled in its tokens; Whisper reads them before it hears.
    package var takesHotwords: Bool {
        layout == .whisper || layout == .transducer && !isOfNeMo && file(.vocabulary) != nil
    }

    /// Whether it reports where it looks in the sound, from which words get their times; such archives say so in their names.
    package var reportsLooks: Bool { layout == .whisper && words.contains("attention") }

    private var timing: Recognizer.Timing {
        switch layout {
        case .whisper: reportsLooks ? .tokens : .segments
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
        // Some know English alone and do not say so.
        case .transducer, .nemoCTC: words.contains("parakeet") && traits.isEnglishOnly ? ["en"] : ["mul"]
        case .whisper: traits.isEnglishOnly ? ["en"] : ["mul"]
        case .paraformer, .zipformerCTC: ["mul"]
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
        let files = VoiceReceipt(at: path)?.files ?? VoiceReceipt.files(in: path)
        let recognizer = Recognizer(
            id: Recognizer.ID(rawValue: "sherpa/\(shortName)"),
            name: traits.title,
            engine: .sherpaOnnx,
            languages: languages,
            hears: languages == ["mul"] ? traits.hears : [],
            timing: timing,
            takesLanguage: takesLanguage,
            takesHotwords: takesHotwords,
            takesPrompt: layout == .whisper,
            size: files.values.totalSize
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
    static let whisperLanguages = Set(
        """
        af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it \
        ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn \
        so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh
        """.split(separator: " ").map(String.init)
    )
}
