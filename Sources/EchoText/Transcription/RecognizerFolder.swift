import Foundation

/// The files of a recogniser: a folder in the layout of a release archive of sherpa-onnx.
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

    /// Absolute path of a part; `nil` when the recogniser has none.
    package func file(_ part: Part) -> String? { files[part].map { "\(path)/\($0)" } }

    /// The bare name of its largest file, for errors.
    package var mainFile: String { files[.encoder] ?? files[.model] ?? files[.mergedDecoder] ?? name }
}

extension RecognizerFolder {
    /// Finds the recogniser in the folder at `path`.
    ///
    /// Of several files for one purpose it uses the one with 8-bit weights, which is the fastest on a CPU.
    ///
    /// - Throws: ``RecognitionError/notARecognizer``, ``RecognitionError/missingFile(_:)``,
    ///   ``RecognitionError/unsupportedModel(_:)``.
    package static func find(at path: String) throws(RecognitionError) -> RecognizerFolder {
        let path = URL(filePath: path).standardizedFileURL.path
        // A folder that cannot be listed contains no recogniser.
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
