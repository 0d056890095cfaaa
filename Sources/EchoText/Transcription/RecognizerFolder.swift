import Foundation

/// The files of a recognizer: a folder in the layout of a release archive of sherpa-onnx.
package struct RecognizerFolder: Sendable, Hashable, Codable {
    /// Which files there are, and how they work together.
    package enum Layout: String, Sendable, Hashable, Codable, CaseIterable {
        case whisper
        case moonshine
        /// Encoder, decoder and joiner, by icefall or NeMo; Parakeet TDT is one.
        case transducer
        case paraformer
        case nemoCTC
        case zipformerCTC
        case senseVoice
    }

    /// The purpose of a file.
    package enum Part: String, Sendable, Hashable, Codable, CaseIterable {
        case model
        case preprocessor
        case encoder
        case decoder
        /// The decoder of later tokens, where there are two.
        case cachedDecoder
        case mergedDecoder
        case joiner
        case tokens
        /// Pieces of words with their scores, from which words can be spelled in tokens.
        case vocabulary
    }

    /// Absolute path of the folder.
    package let path: String
    package let layout: Layout
    /// Bare file names.
    private let files: [Part: String]

    fileprivate init(path: String, layout: Layout, files: [Part: String]) {
        (self.path, self.layout, self.files) = (path, layout, files)
    }

    /// The folder's bare name, which is the archive's.
    package var name: String { (path as NSString).lastPathComponent }

    /// Absolute path of a part; `nil` when the recognizer has none.
    package func file(_ part: Part) -> String? { files[part].map { "\(path)/\($0)" } }

    /// The bare name of its largest file, for errors.
    package var mainFile: String { files[.encoder] ?? files[.model] ?? files[.mergedDecoder] ?? name }
}

extension RecognizerFolder {
    /// Finds the recognizer in the folder at `path`.
    ///
    /// Among several files for one purpose it uses the one with 8-bit weights, which is the fastest on a CPU.
    ///
    /// - Throws: ``RecognitionError/notARecognizer``, ``RecognitionError/missingFile(_:)``,
    ///   ``RecognitionError/unsupportedModel(_:)``.
    package static func find(at path: String) throws(RecognitionError) -> RecognizerFolder {
        let path = URL(filePath: path).standardizedFileURL.path
        // A folder that cannot be listed contains no recognizer.
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: path) else { throw .notARecognizer }
        let names = ModelFiles(all.filter { !$0.hasPrefix(".") }.sorted())
        let folder = (path as NSString).lastPathComponent.lowercased()
        var found = try whisper(names)
        if found == nil { found = try moonshine(names) }
        if found == nil { found = try transducer(names, folder) }
        if found == nil { found = try single(names, folder) }
        if let found { return RecognizerFolder(path: path, layout: found.layout, files: found.files) }
        throw .notARecognizer
    }

    private static func whisper(
        _ names: ModelFiles
    ) throws(RecognitionError) -> (layout: Layout, files: [Part: String])? {
        guard let decoder = names.model("-decoder", isEnd: true), names.model("joiner") == nil else { return nil }
        let prefix = decoder.components(separatedBy: "-decoder")[0]
        let encoder = try names.required("\(prefix)-encoder")
        let tokens = try names.tokens("\(prefix)-tokens.txt")
        return (.whisper, [.encoder: encoder, .decoder: decoder, .tokens: tokens])
    }

    private static func moonshine(
        _ names: ModelFiles
    ) throws(RecognitionError) -> (layout: Layout, files: [Part: String])? {
        if let merged = names.model("decoder_model_merged") {
            let encoder = try names.required("encoder_model")
            return (.moonshine, [.encoder: encoder, .mergedDecoder: merged, .tokens: try names.tokens()])
        }
        guard let preprocessor = names.model("preprocess") else { return nil }
        return (
            .moonshine,
            [
                .preprocessor: preprocessor, .encoder: try names.required("encode"),
                .decoder: try names.required("uncached_decode"), .cachedDecoder: try names.required("cached_decode"),
                .tokens: try names.tokens(),
            ]
        )
    }

    private static func transducer(
        _ names: ModelFiles,
        _ folder: String
    ) throws(RecognitionError) -> (layout: Layout, files: [Part: String])? {
        guard let joiner = names.model("joiner") else { return nil }
        guard !folder.contains("streaming") else { throw .unsupportedModel(joiner) }
        var files: [Part: String] = [
            .encoder: try names.required("encoder"), .decoder: try names.required("decoder"), .joiner: joiner,
            .tokens: try names.tokens(),
        ]
        files[.vocabulary] = names.all.first { $0 == "bpe.vocab" }
        return (.transducer, files)
    }

    /// A single model, whose family only the folder's name indicates.
    private static func single(
        _ names: ModelFiles,
        _ folder: String
    ) throws(RecognitionError) -> (layout: Layout, files: [Part: String])? {
        guard let model = names.model("") else { return nil }
        let families: [(word: String, layout: Layout)] = [
            ("sense-voice", .senseVoice), ("paraformer", .paraformer), ("zipformer-ctc", .zipformerCTC),
            ("zipformer2-ctc", .zipformerCTC), ("nemo", .nemoCTC), ("parakeet", .nemoCTC),
        ]
        guard !folder.contains("streaming"), let family = families.first(where: { folder.contains($0.word) }) else {
            throw .unsupportedModel(model)
        }
        return (family.layout, [.model: model, .tokens: try names.tokens()])
    }
}

/// The names of a folder's files, without hidden ones, sorted.
private struct ModelFiles {
    let all: [String]

    init(_ all: [String]) {
        self.all = all
    }

    /// The best of the models whose names, without extensions, begin or end with `word`; several are the same model in
    /// different precisions.
    func model(_ word: String, isEnd: Bool = false) -> String? {
        let found = all.filter { name in
            guard name.hasSuffix(".onnx") || name.hasSuffix(".ort") else { return false }
            let stem = Self.stem(name)
            return isEnd ? stem.hasSuffix(word) : stem.hasPrefix(word)
        }
        return found.first { $0.contains(".int8.") } ?? found.first { !$0.contains(".fp16.") } ?? found.first
    }

    func required(_ word: String) throws(RecognitionError) -> String {
        guard let name = model(word) else { throw .missingFile("\(word).onnx") }
        return name
    }

    func tokens(_ name: String = "tokens.txt") throws(RecognitionError) -> String {
        guard all.contains(name) else { throw .missingFile(name) }
        return name
    }

    /// Removes from the name the suffixes that indicate the precision.
    private static func stem(_ name: String) -> String {
        var stem = name
        for ending in [".onnx", ".ort", ".int8", ".fp16"] where stem.hasSuffix(ending) {
            stem.removeLast(ending.count)
        }
        return stem
    }
}

/// Facts about a recognizer from its name and layout.
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

    /// The recognizer in this folder.
    package var recognizer: LocalRecognizer {
        let files = ModelReceipt(at: path)?.files ?? ModelReceipt.files(in: path)
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

/// The folder in which recognizers and diarization models are installed, each in its own folder.
package struct RecognizerFolders: Sendable {
    private let path: String

    /// - Parameter path: Absolute path; the folder need not exist.
    package init(in path: String) {
        self.path = path
    }

    /// The recognizers whose files are unchanged since their installation, by name.
    ///
    /// Where several have the same name for people, each has that of its folder beside it.
    package func recognizers() -> [LocalRecognizer] {
        // Unusable ones are skipped; ``contents()`` has the reasons.
        let usable = contents().compactMap { try? $0.result.get() }
        let counts = Dictionary(usable.map { ($0.recognizer.name, 1) }, uniquingKeysWith: +)
        return usable.map { one in
            guard counts[one.recognizer.name] != 1 else { return one }
            var recognizer = one.recognizer
            recognizer.name = "\(recognizer.name) (\(recognizer.id.modelName))"
            return LocalRecognizer(recognizer, model: one.model)
        }
    }

    /// All folders with their recognizers or errors, by name; hidden folders are skipped.
    ///
    /// A diarization model is among them only if it has an error.
    package func contents() -> [(name: String, result: Result<LocalRecognizer, RecognitionError>)] {
        names.compactMap { name in
            if let model = SpeakerModel.find(at: "\(path)/\(name)") {
                let file = ModelReceipt(at: model.path)?.difference(at: model.path)
                return file.map { (name, .failure(.missingFile(($0 as NSString).lastPathComponent))) }
            }
            return (name, Result { () throws(RecognitionError) in try recognizer(in: name) })
        }
    }

    /// The diarization models, the last added first; a model whose files have changed is skipped.
    package func speakerModels() -> [SpeakerModel] {
        names.compactMap { SpeakerModel.find(at: "\(path)/\($0)") }
            .map { (model: $0, receipt: ModelReceipt(at: $0.path)) }
            .filter { $0.receipt?.difference(at: $0.model.path) == nil }
            .sorted { ($0.receipt?.installedAt ?? 0) > ($1.receipt?.installedAt ?? 0) }
            .map(\.model)
    }

    /// The names of the folders, sorted, without hidden ones.
    private var names: [String] {
        // A home for recognizers that does not exist yet holds none.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.sorted().filter { !$0.hasPrefix(".") }
    }

    private func recognizer(in name: String) throws(RecognitionError) -> LocalRecognizer {
        let folder = try RecognizerFolder.find(at: "\(path)/\(name)")
        if let file = ModelReceipt(at: folder.path)?.difference(at: folder.path) {
            throw .missingFile((file as NSString).lastPathComponent)
        }
        return folder.recognizer
    }
}
