package import EchoText

/// Opens recognizers in this process: Whisper on ONNX Runtime, PocketSphinx by its own library, all others with sherpa-onnx.
///
/// Each of these libraries may end its process on a bad model; open untrusted models only in a worker.
package struct LocalRecognizerLoader: RecognizerLoader {
    private let libraries: String?

    /// - Parameter libraries: The folder that holds ONNX Runtime and sherpa-onnx, or `nil` for the system's search path.
    package init(libraries: String?) {
        self.libraries = libraries
    }

    package func open(
        _ model: RecognizerModel,
        _ settings: RecognitionSettings,
        lanes: Int
    ) async throws -> any RecognitionSession {
        switch model {
        case .sherpaOnnx(let folder):
            let lanes = (0..<max(lanes, 1)).map { RecognitionLane(number: $0) }
            return LaneRecognitionSession(try await engine(of: folder, settings, on: lanes[0]), lanes: lanes)
        case .pocketSphinx(let folder):
            let library: PocketSphinxLibrary
            do { library = try PocketSphinxLibrary() } catch { throw RecognitionError.cannotStart }
            return try await PocketSphinxSession(folder: folder, library, lanes: lanes)
        }
    }

    /// Compares the decoder of a Whisper, as it is prepared, with the original one; other recognizers run as they are.
    package func check(_ model: RecognizerModel) async throws {
        guard case .sherpaOnnx(let folder) = model, folder.layout == .whisper else { return }
        _ = try await whisper(in: folder, isChecked: false, on: RecognitionLane(number: 0))
    }

    private func engine(
        of folder: RecognizerFolder,
        _ settings: RecognitionSettings,
        on lane: RecognitionLane
    ) async throws -> any ClipEngine {
        guard folder.layout == .whisper else {
            let options = try SherpaRecognizerOptions(folder, settings)
            let library: SherpaRecognition
            do { library = try SherpaRecognition(folder: libraries) } catch { throw RecognitionError.cannotStart }
            return try await lane.run { try SherpaRecognizerEngine(options, library) }
        }
        let language = try folder.language(for: settings.language)
        let model = try await whisper(in: folder, isChecked: true, on: lane)
        return WhisperEngine(model, language: language, settings)
    }

    private func whisper(
        in folder: RecognizerFolder,
        isChecked: Bool,
        on lane: RecognitionLane
    ) async throws -> WhisperModel {
        let library: ONNXRuntimeLibrary
        do { library = try ONNXRuntimeLibrary(folder: libraries) } catch { throw RecognitionError.cannotStart }
        return try await lane.run {
            do {
                return try WhisperModel(folder, by: library, isChecked: isChecked)
            } catch is ONNXRuntimeError {
                throw RecognitionError.badModel(folder.mainFile)
            }
        }
    }
}

/// A thread that recognizes one clip after another.
typealias RecognitionLane = BlockingExecutor

extension RecognitionLane {
    convenience init(number: Int) { self.init(label: "echotext.recognition \(number)") }
}

/// A loaded recognizer that recognizes a clip on the calling thread; several clips at once on several threads.
protocol ClipEngine: Sendable {
    /// - Throws: ``RecognitionError``.
    func recognize(_ clip: AudioClip) throws -> RecognizedSpeech
}

/// A loaded recognizer; each lane recognizes one clip at a time on one thread.
private final class LaneRecognitionSession: RecognitionSession {
    private let engine: any ClipEngine
    private let lanes: [RecognitionLane]
    private let semaphore: PrioritySemaphore

    init(_ engine: any ClipEngine, lanes: [RecognitionLane]) {
        self.engine = engine
        self.lanes = lanes
        semaphore = PrioritySemaphore(permits: lanes.count)
    }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        try await semaphore.pass { lane in
            try Task.checkCancellation()
            let recognized = try await lanes[lane].run { [engine] in try engine.recognize(clip) }
            try Task.checkCancellation()
            return recognized
        }
    }

    /// The model is freed with the session.
    func close() async {}
}

extension RecognizerFolder {
    /// The language to set, as the model calls it.
    ///
    /// - Parameter tag: BCP 47; `nil`, `und` and `mul` let the model find out.
    /// - Returns: `nil` to let it find out, also for a model that knows one language alone.
    /// - Throws: ``RecognitionError/unsupportedLanguage(_:)``: sherpa-onnx ends its process over a language that it does not know.
    func language(for tag: String?) throws(RecognitionError) -> String? {
        guard let tag, takesLanguage, !["und", "mul"].contains(tag) else { return nil }
        let language = LanguageTag.language(of: tag)
        guard knownLanguages.contains(language) else { throw .unsupportedLanguage(tag) }
        return language
    }
}
