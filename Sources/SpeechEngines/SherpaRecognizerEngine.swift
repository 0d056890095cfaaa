import CSherpaOnnx
import EchoText
import Foundation

/// The settings for sherpa-onnx of a recognizer.
struct SherpaRecognizerOptions: Sendable {
    let folder: RecognizerFolder
    /// As the model calls it; empty to let it find out.
    let language: String
    /// As sherpa-onnx takes them; `nil` without any.
    let hotwords: String?

    /// - Throws: ``RecognitionError/unsupportedLanguage(_:)``.
    init(_ folder: RecognizerFolder, _ settings: RecognitionSettings) throws(RecognitionError) {
        self.folder = folder
        language = try folder.language(for: settings.language) ?? ""
        hotwords = Self.hotwords(settings.hotwords, for: folder)
    }

    private static func hotwords(_ words: [String], for folder: RecognizerFolder) -> String? {
        guard folder.takesHotwords else { return nil }
        let plain = words.map { $0.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" || $0 == "-" } }
            .map(\.trimmed).filter { !$0.isEmpty }
        guard !plain.isEmpty else { return nil }
        // The tokens of some models are capitals alone.
        let tokens = folder.file(.tokens).flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        let isShouting = !tokens.split(separator: "\n").contains { line in
            !line.hasPrefix("<") && line.unicodeScalars.contains { $0.properties.isLowercase }
        }
        return plain.map { isShouting ? $0.uppercased() : $0 }.joined(separator: "/")
    }

    /// Lends the options to `body` in the form of the header.
    func withConfiguration<Result>(
        _ body: (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>) -> Result
    ) -> Result {
        withCStrings { strings in
            var config = SherpaOnnxOfflineRecognizerConfig()  // zeroed, as the header requires
            config.feat_config.sample_rate = Int32(RecognitionClip.sampleRate)
            config.feat_config.feature_dim = 80
            config.model_config.num_threads = 1
            config.model_config.provider = strings.copy("cpu")
            config.decoding_method = strings.copy(hotwords == nil ? "greedy_search" : "modified_beam_search")
            config.max_active_paths = 4
            config.hotwords_score = 1.5
            config.model_config.tokens = file(.tokens, &strings)
            fill(&config.model_config, &strings)
            return body(&config)
        }
    }

    private func file(_ part: RecognizerFolder.Part, _ strings: inout CStrings) -> UnsafePointer<CChar>? {
        folder.file(part).map { strings.copy($0) }
    }

    private func fill(_ config: inout SherpaOnnxOfflineModelConfig, _ strings: inout CStrings) {
        switch folder.layout {
        // ``WhisperModel`` opens these.
        case .whisper: break
        case .moonshine:
            config.moonshine.preprocessor = file(.preprocessor, &strings)
            config.moonshine.encoder = file(.encoder, &strings)
            config.moonshine.uncached_decoder = file(.decoder, &strings)
            config.moonshine.cached_decoder = file(.cachedDecoder, &strings)
            config.moonshine.merged_decoder = file(.mergedDecoder, &strings)
        case .transducer:
            config.transducer.encoder = file(.encoder, &strings)
            config.transducer.decoder = file(.decoder, &strings)
            config.transducer.joiner = file(.joiner, &strings)
            if folder.isOfNeMo { config.model_type = strings.copy("nemo_transducer") }
            if let vocabulary = file(.vocabulary, &strings) {
                config.modeling_unit = strings.copy("bpe")
                config.bpe_vocab = vocabulary
            }
        case .paraformer: config.paraformer.model = file(.model, &strings)
        case .nemoCTC: config.nemo_ctc.model = file(.model, &strings)
        case .zipformerCTC: config.zipformer_ctc.model = file(.model, &strings)
        case .senseVoice:
            config.sense_voice.model = file(.model, &strings)
            config.sense_voice.language = strings.copy(language.isEmpty ? "auto" : language)
            config.sense_voice.use_itn = 1
        }
    }
}

/// Owns one `SherpaOnnxOfflineRecognizer`, freed with the last reference.
final class SherpaRecognizerEngine: ClipEngine {
    /// The shortest sound that every model takes, in samples; a shorter clip gets silence behind it.
    private static let shortest = RecognitionClip.sampleRate / 2
    /// The largest sample of a clip that counts as silent: −60 dBFS.
    private static let silence: Float = 0.001

    /// The model, which threads share though it is a C pointer.
    ///
    /// That is safe: it is set once in `init` and freed in `deinit`, when no other reference exists. In between
    /// sherpa-onnx only reads it, as ONNX Runtime's `Run` does, and each clip has a stream of its own. The contract
    /// test compares overlapping clips.
    nonisolated(unsafe) private let handle: OpaquePointer
    private let library: SherpaRecognition
    private let options: SherpaRecognizerOptions

    init(_ options: SherpaRecognizerOptions, _ library: SherpaRecognition) throws {
        let created = options.withConfiguration { library.create($0) }
        guard let created else { throw RecognitionError.badModel(options.folder.mainFile) }
        (handle, self.library, self.options) = (created, library, options)
    }

    deinit { library.destroy(handle) }

    func recognize(_ clip: AudioClip) throws -> RecognizedSpeech {
        var samples = clip.samples[...].clipped
        guard samples.contains(where: { abs($0) > Self.silence }) else { return RecognizedSpeech(text: "") }
        if samples.count < Self.shortest {
            samples += Array(repeating: 0, count: Self.shortest - samples.count)
        }
        let stream = options.hotwords.map { library.streamWithHotwords(handle, $0) } ?? library.stream(handle)
        guard let stream else { throw RecognitionError.recognizerDied }
        defer { library.destroyStream(stream) }
        library.accept(stream, Int32(clip.sampleRate), samples, Int32(samples.count))
        library.decode(handle, stream)
        guard let result = library.result(stream) else { throw RecognitionError.recognizerDied }
        defer { library.destroyResult(result) }
        return speech(result.pointee, in: clip.seconds)
    }

    private func speech(_ result: SherpaOnnxOfflineRecognizerResult, in seconds: Double) -> RecognizedSpeech {
        let text = result.text.map { String(cString: $0) } ?? ""
        // SenseVoice writes `<|en|>`.
        let named = result.lang.map { String(cString: $0).filter { $0.isLetter || $0 == "-" } } ?? ""
        let language = named.isEmpty ? nil : named
        guard let tokens = result.tokens_arr, let starts = result.timestamps, result.count > 0 else {
            return RecognizedSpeech(text: text.trimmed, language: language)
        }
        let recognized = (0..<Int(result.count)).compactMap { index -> RecognizedToken? in
            guard let token = tokens[index] else { return nil }
            return RecognizedToken(
                Array(UnsafeBufferPointer(start: token, count: strlen(token)).map { UInt8(bitPattern: $0) }),
                start: Double(starts[index]),
                duration: result.durations.map { Double($0[index]) },
                probability: result.ys_log_probs.map { exp(Double($0[index])) }
            )
        }
        return RecognizedSpeech(text: text, tokens: recognized, in: seconds, language: language)
    }
}

/// The functions of sherpa-onnx that recognize, loaded at run time as ``SherpaLibrary`` loads those that speak.
struct SherpaRecognition: Sendable {
    let create: @Sendable @convention(c) (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>?) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let stream: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let streamWithHotwords: @Sendable @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
    let destroyStream: @Sendable @convention(c) (OpaquePointer?) -> Void
    let accept: @Sendable @convention(c) (OpaquePointer?, Int32, UnsafePointer<Float>?, Int32) -> Void
    let decode: @Sendable @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let result: @Sendable @convention(c) (OpaquePointer?) -> UnsafePointer<SherpaOnnxOfflineRecognizerResult>?
    let destroyResult: @Sendable @convention(c) (UnsafePointer<SherpaOnnxOfflineRecognizerResult>?) -> Void

    /// - Throws: ``EngineLibraryError``.
    init(folder: String?) throws(EngineLibraryError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateOfflineRecognizer")
        destroy = try image.function("SherpaOnnxDestroyOfflineRecognizer")
        stream = try image.function("SherpaOnnxCreateOfflineStream")
        streamWithHotwords = try image.function("SherpaOnnxCreateOfflineStreamWithHotwords")
        destroyStream = try image.function("SherpaOnnxDestroyOfflineStream")
        accept = try image.function("SherpaOnnxAcceptWaveformOffline")
        decode = try image.function("SherpaOnnxDecodeOfflineStream")
        result = try image.function("SherpaOnnxGetOfflineStreamResult")
        destroyResult = try image.function("SherpaOnnxDestroyOfflineRecognizerResult")
    }
}

/// The functions of sherpa-onnx that detect voices.
struct SherpaDetecting: Sendable {
    let create: @Sendable @convention(c) (UnsafePointer<SherpaOnnxVadModelConfig>?, Float) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let accept: @Sendable @convention(c) (OpaquePointer?, UnsafePointer<Float>?, Int32) -> Void
    let detected: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let isEmpty: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let dropFirst: @Sendable @convention(c) (OpaquePointer?) -> Void

    /// - Throws: ``EngineLibraryError``.
    init(folder: String?) throws(EngineLibraryError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateVoiceActivityDetector")
        destroy = try image.function("SherpaOnnxDestroyVoiceActivityDetector")
        accept = try image.function("SherpaOnnxVoiceActivityDetectorAcceptWaveform")
        detected = try image.function("SherpaOnnxVoiceActivityDetectorDetected")
        isEmpty = try image.function("SherpaOnnxVoiceActivityDetectorEmpty")
        dropFirst = try image.function("SherpaOnnxVoiceActivityDetectorPop")
    }
}
