import CSherpaOnnx
package import EchoText

/// Opens voices whole with sherpa-onnx in this process.
///
/// The library ends its process on some models; open untrusted models only in a worker.
package struct SherpaModelLoader: AcousticModelLoader {
    private let library: SherpaLibrary
    private let obstacle: ModelLayout.Obstacle

    /// - Parameters:
    ///   - library: The loaded library.
    ///   - obstacle: Why the models are not split.
    package init(library: SherpaLibrary, obstacle: ModelLayout.Obstacle = .ports) {
        self.library = library
        self.obstacle = obstacle
    }

    package func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        let description = try PiperVoiceDescription(of: folder)
        let lanes = (0..<max(lanes, 1)).map { SherpaLane(number: $0) }
        let engine = try await lanes[0].open(folder, noise: description.inference, library: library)
        return SherpaModel(folder.id, engine: engine, lanes: lanes, layout: .whole(obstacle))
    }
}

/// A voice loaded by sherpa-onnx; each lane speaks one request at a time on one thread.
private final class SherpaModel: AcousticModel {
    private let name: Voice.ID
    private let engine: SherpaEngine
    private let lanes: [SherpaLane]
    let layout: ModelLayout
    private let semaphore: PrioritySemaphore

    init(_ name: Voice.ID, engine: SherpaEngine, lanes: [SherpaLane], layout: ModelLayout) {
        self.name = name
        self.engine = engine
        self.lanes = lanes
        self.layout = layout
        semaphore = PrioritySemaphore(permits: lanes.count)
    }

    var sampleRate: Int { engine.sampleRate }
    var speakers: Int { engine.speakers }

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        try request.check(of: name, speakers: speakers)
        let clip = try await semaphore.pass { lane in try await lanes[lane].speak(request, with: engine) }
        try await deliver(.samples(clip.samples))
    }
}

/// A thread that speaks one request after another.
private actor SherpaLane {
    private let executor: BlockingExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(number: Int) {
        executor = BlockingExecutor(label: "sherpa-onnx \(number)")
    }

    func open(
        _ folder: VoiceFolder,
        noise: PiperVoiceDescription.Inference,
        library: SherpaLibrary
    ) throws -> SherpaEngine {
        try SherpaEngine(folder: folder, noise: noise, library: library)
    }

    func speak(_ request: PhonemeRequest, with engine: SherpaEngine) throws -> AudioClip {
        try Task.checkCancellation()
        EngineProgress.report()
        return try engine.speak(request)
    }
}

/// Owns one `SherpaOnnxOfflineTts`, freed with the last reference.
private final class SherpaEngine: Sendable {
    /// The model, which threads share though it is a C pointer.
    ///
    /// That is safe: it is set once in `init` and freed in `deinit`, when no other reference exists. In between
    /// sherpa-onnx's generate call only reads it, as ONNX Runtime's `Run` does, so several threads may call it at
    /// once. The contract test of models compares overlapping requests.
    nonisolated(unsafe) private let handle: OpaquePointer
    private let library: SherpaLibrary
    let sampleRate: Int
    let speakers: Int

    init(folder: VoiceFolder, noise: PiperVoiceDescription.Inference, library: SherpaLibrary) throws {
        let created = withCStrings { strings in
            var config = SherpaOnnxOfflineTtsConfig()  // zeroed, as the header requires
            config.model.vits.model = strings.copy(folder.model)
            config.model.vits.tokens = strings.copy(folder.tokens)
            config.model.vits.noise_scale = Float(noise.noiseScale)
            config.model.vits.noise_scale_w = Float(noise.durationNoiseScale)
            config.model.vits.length_scale = Float(noise.lengthScale)
            config.model.num_threads = 1
            config.model.provider = strings.copy("cpu")
            config.max_num_sentences = 1
            config.silence_scale = 1
            return library.create(&config)
        }
        guard let created else { throw VoiceFolderError.badModel("\(folder.name).onnx") }
        handle = created
        self.library = library
        sampleRate = Int(library.sampleRate(created))
        speakers = max(1, Int(library.speakers(created)))
        guard sampleRate > 0 else {
            library.destroy(created)
            throw VoiceFolderError.badModel("\(folder.name).onnx")
        }
    }

    deinit { library.destroy(handle) }

    func speak(_ request: PhonemeRequest) throws -> AudioClip {
        let codepoints = request.phonemes.map { Int32(bitPattern: $0.value) }
        var lengths = [Int32(codepoints.count)]
        let audio = codepoints.withUnsafeBufferPointer { codepoints in
            lengths.withUnsafeMutableBufferPointer { lengths in
                var config = SherpaOnnxGenerationConfig()
                config.speed = Float(request.speed)
                config.sid = Int32(request.speaker)
                config.silence_scale = 1
                config.phoneme_codepoints = codepoints.baseAddress
                config.phoneme_codepoints_lens = UnsafePointer(lengths.baseAddress)
                config.phoneme_codepoints_num_sentences = 1
                return library.generate(handle, "", &config, reportProgress, nil)
            }
        }
        defer { library.destroyAudio(audio) }
        try Task.checkCancellation()
        guard let audio, audio.pointee.n > 0, audio.pointee.sample_rate > 0 else {
            throw SynthesisError.engineFailed(.piper, status: nil)
        }
        let samples = UnsafeBufferPointer(start: audio.pointee.samples, count: Int(audio.pointee.n))
        return AudioClip(samples: Array(samples), sampleRate: Int(audio.pointee.sample_rate))
    }
}

/// Returns 1 to continue or 0 to stop; runs on the thread of the caller, and so within its task.
private func reportProgress(
    _ samples: UnsafePointer<Float>?,
    _ count: Int32,
    _ fraction: Float,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    EngineProgress.report()
    return Task.isCancelled ? 0 : 1
}
