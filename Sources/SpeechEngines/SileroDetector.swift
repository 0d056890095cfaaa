import CSherpaOnnx
package import EchoText
import Synchronization

/// Detects speech by silero's model, which sherpa-onnx runs in this process.
package struct SileroDetector: VoiceActivityDetector {
    private let model: String
    private let libraries: String?

    /// - Parameters:
    ///   - model: Absolute path of `silero_vad.onnx`.
    ///   - libraries: The folder that holds sherpa-onnx, or `nil` for the system's search path.
    package init(model: String, libraries: String?) {
        (self.model, self.libraries) = (model, libraries)
    }

    package func open() async throws -> any VoiceActivitySession {
        let detecting: SherpaDetecting
        do { detecting = try SherpaDetecting(folder: libraries) } catch { throw RecognitionError.cannotStart }
        return try await SileroSession(model: model, detecting)
    }
}

private actor SileroSession: VoiceActivitySession {
    private let executor = BlockingExecutor(label: "echotext.voice-activity")
    private var engine: SileroEngine?
    private var cutter = VoiceWindowCutter()
    private var offset = OffsetFilter()
    private var detectionLevel = DetectionLevel()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(model: String, _ library: SherpaDetecting) async throws {
        engine = try SileroEngine(model: model, library)
    }

    func detect(_ clip: AudioClip) throws -> [VoiceWindow] {
        try Task.checkCancellation()
        guard let engine else { throw RecognitionError.recognizerDied }
        let samples = cutter.cut(clip)
        return stride(from: 0, to: samples.count, by: VoiceWindow.samples).map { start in
            let window = offset.filtered(samples[start..<start + VoiceWindow.samples])
            let level = VoiceWindow.level(of: window)
            let leveled = detectionLevel.leveled(window[...], level: level)
            return VoiceWindow(isSpeech: engine.isSpeech(leveled[...]), level: level)
        }
    }

    func close() { engine = nil }
}

/// Owns one `SherpaOnnxVoiceActivityDetector`, freed with the last reference; only ``SileroSession`` calls it.
private final class SileroEngine {
    private let handle: OpaquePointer
    private let library: SherpaDetecting

    init(model: String, _ library: SherpaDetecting) throws {
        let created = withCStrings { strings in
            var config = SherpaOnnxVadModelConfig()  // zeroed, as the header requires
            config.silero_vad.model = strings.copy(model)
            config.silero_vad.threshold = 0.5
            config.silero_vad.min_silence_duration = 0.1
            config.silero_vad.min_speech_duration = 0.064
            config.silero_vad.window_size = Int32(VoiceWindow.samples)
            config.silero_vad.max_speech_duration = 20
            config.sample_rate = Int32(RecognitionClip.sampleRate)
            config.num_threads = 1
            config.provider = strings.copy("cpu")
            return library.create(&config, 60)
        }
        guard let created else { throw RecognitionError.badModel("silero_vad.onnx") }
        (handle, self.library) = (created, library)
    }

    deinit { library.destroy(handle) }

    func isSpeech(_ window: ArraySlice<Float>) -> Bool {
        window.withUnsafeBufferPointer { library.accept(handle, $0.baseAddress, Int32($0.count)) }
        // The segments that sherpa-onnx cuts out are not needed, and would stay in memory.
        while library.isEmpty(handle) == 0 { library.dropFirst(handle) }
        return library.detected(handle) != 0
    }
}
