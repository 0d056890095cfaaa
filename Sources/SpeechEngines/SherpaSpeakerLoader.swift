import CSherpaOnnx
package import EchoText
import Foundation
import Synchronization

/// Opens models that tell speakers apart, in this process.
///
/// sherpa-onnx ends its process on some models; open untrusted models only in a worker.
package struct SherpaSpeakerLoader: SpeakerModelLoader {
    private let libraries: String?

    /// - Parameter libraries: The folder that holds sherpa-onnx, or `nil` for the system's search path.
    package init(libraries: String?) {
        self.libraries = libraries
    }

    package func open(
        _ models: SpeakerModels,
        _ count: SpeakerCount,
        threads: Int
    ) async throws -> any DiarizationSession {
        let library: SherpaDiarizing
        do { library = try SherpaDiarizing(folder: libraries) } catch { throw RecognitionError.cannotStart }
        return try await SherpaDiarizationSession(SherpaSpeakerOptions(models, count, threads: threads), library)
    }
}

/// The functions of sherpa-onnx that tell speakers apart, loaded at run time as ``SherpaLibrary`` loads those that speak.
private struct SherpaDiarizing: Sendable {
    typealias Configuration = UnsafePointer<SherpaOnnxOfflineSpeakerDiarizationConfig>
    typealias Segments = UnsafePointer<SherpaOnnxOfflineSpeakerDiarizationSegment>

    let create: @Sendable @convention(c) (Configuration?) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let sampleRate: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let configure: @Sendable @convention(c) (OpaquePointer?, Configuration?) -> Void
    let process:
        @Sendable @convention(c) (
            OpaquePointer?, UnsafePointer<Float>?, Int32, SherpaOnnxOfflineSpeakerDiarizationProgressCallback?,
            UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    let count: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let segments: @Sendable @convention(c) (OpaquePointer?) -> Segments?
    let destroySegments: @Sendable @convention(c) (Segments?) -> Void
    let destroyResult: @Sendable @convention(c) (OpaquePointer?) -> Void

    /// - Throws: ``EngineLibraryError``.
    init(folder: String?) throws(EngineLibraryError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateOfflineSpeakerDiarization")
        destroy = try image.function("SherpaOnnxDestroyOfflineSpeakerDiarization")
        sampleRate = try image.function("SherpaOnnxOfflineSpeakerDiarizationGetSampleRate")
        configure = try image.function("SherpaOnnxOfflineSpeakerDiarizationSetConfig")
        process = try image.function("SherpaOnnxOfflineSpeakerDiarizationProcessWithCallback")
        count = try image.function("SherpaOnnxOfflineSpeakerDiarizationResultGetNumSegments")
        segments = try image.function("SherpaOnnxOfflineSpeakerDiarizationResultSortByStartTime")
        destroySegments = try image.function("SherpaOnnxOfflineSpeakerDiarizationDestroySegment")
        destroyResult = try image.function("SherpaOnnxOfflineSpeakerDiarizationDestroyResult")
    }
}

/// The settings for sherpa-onnx.
private struct SherpaSpeakerOptions: Sendable {
    /// The share of its length by which the window of the segmentation moves.
    ///
    /// sherpa-onnx's own tenth takes 2.5 times as long, and six times the memory to compare voices.
    private static let step: Float = 0.25
    /// In seconds; shorter turns are left out.
    private static let shortestTurn: Float = 0.3
    /// In seconds; shorter pauses of one speaker are passed over.
    private static let shortestPause: Float = 0.5

    let models: SpeakerModels
    var count: SpeakerCount
    let threads: Int

    init(_ models: SpeakerModels, _ count: SpeakerCount, threads: Int) {
        (self.models, self.count, self.threads) = (models, count, threads)
    }

    /// Lends the options to `body` in the form of the header.
    func withConfiguration<Result>(_ body: (SherpaDiarizing.Configuration) -> Result) -> Result {
        withCStrings { strings in
            var config = SherpaOnnxOfflineSpeakerDiarizationConfig()  // zeroed, as the header requires
            config.segmentation.pyannote.model = strings.copy(models.segmentation.model)
            config.segmentation.pyannote.window_shift_ratio = Self.step
            config.segmentation.num_threads = Int32(threads)
            config.segmentation.provider = strings.copy("cpu")
            config.embedding.model = strings.copy(models.embedding.model)
            config.embedding.num_threads = Int32(threads)
            config.embedding.provider = strings.copy("cpu")
            switch count {
            case .known(let speakers): config.clustering.num_clusters = Int32(clamping: speakers)
            case .unknown(let distance):
                config.clustering.num_clusters = -1
                config.clustering.threshold = Float(distance)
            }
            config.min_duration_on = Self.shortestTurn
            config.min_duration_off = Self.shortestPause
            return body(&config)
        }
    }
}

/// Models loaded by sherpa-onnx; one sound after another runs on one thread.
private actor SherpaDiarizationSession: DiarizationSession {
    private let executor = BlockingExecutor(label: "echotext.speakers")
    private let engine: SherpaSpeakerEngine

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ options: SherpaSpeakerOptions, _ library: SherpaDiarizing) async throws {
        engine = try SherpaSpeakerEngine(options, library)
    }

    func turns(in samples: [Float], report: @escaping @Sendable (Double) -> Void) throws -> [SpeakerTurn] {
        try engine.turns(in: samples, report: report)
    }
}

/// Owns one `SherpaOnnxOfflineSpeakerDiarization`, freed with the last reference; only ``SherpaDiarizationSession`` calls it.
private final class SherpaSpeakerEngine {
    private let handle: OpaquePointer
    private let library: SherpaDiarizing
    private let options: SherpaSpeakerOptions

    init(_ options: SherpaSpeakerOptions, _ library: SherpaDiarizing) throws {
        guard let created = options.withConfiguration({ library.create($0) }) else {
            throw SpeakerError.badModel(options.models.names)
        }
        guard library.sampleRate(created) == Int32(RecognitionClip.sampleRate) else {
            library.destroy(created)
            throw SpeakerError.badModel(options.models.segmentation.name)
        }
        (handle, self.library, self.options) = (created, library, options)
    }

    deinit { library.destroy(handle) }

    func turns(in samples: [Float], report: @escaping @Sendable (Double) -> Void) throws -> [SpeakerTurn] {
        guard !samples.isEmpty else { return [] }
        let progress = SpeakerProgress(report)
        options.withConfiguration { library.configure(handle, $0) }
        let turns = try process(samples, progress)
        guard case .known(let speakers) = options.count, let voices = progress.total, speakers > voices else {
            return turns
        }
        // With fewer voices than people, sherpa-onnx takes all for one person's.
        var others = options
        others.count = .unknown()
        others.withConfiguration { library.configure(handle, $0) }
        return try process(samples, progress)
    }

    private func process(_ samples: [Float], _ progress: SpeakerProgress) throws -> [SpeakerTurn] {
        let result = library.process(
            handle,
            samples,
            Int32(samples.count),
            { done, total, progress in
                guard let progress else { return 0 }
                Unmanaged<SpeakerProgress>.fromOpaque(progress).takeUnretainedValue().reach(done, of: total)
                return 0
            },
            Unmanaged.passUnretained(progress).toOpaque()
        )
        guard let result else { throw SpeakerError.died }
        defer { library.destroyResult(result) }
        let count = Int(library.count(result))
        guard count > 0, let segments = library.segments(result) else { return [] }
        defer { library.destroySegments(segments) }
        let end = Double(samples.count) / Double(RecognitionClip.sampleRate)
        return UnsafeBufferPointer(start: segments, count: count).compactMap { segment in
            let (start, stop) = (max(0, Double(segment.start)), min(end, Double(segment.end)))
            return start < stop ? SpeakerTurn(start..<stop, speaker: Int(segment.speaker)) : nil
        }
    }
}

/// Passes on by how many hundredths the work has come on.
private final class SpeakerProgress: Sendable {
    private struct State {
        var hundredth = -1
        var total: Int?
    }

    private let state = Mutex(State())
    private let report: @Sendable (Double) -> Void

    init(_ report: @escaping @Sendable (Double) -> Void) {
        self.report = report
    }

    /// How many voices have been compared; `nil` before that.
    var total: Int? { state.withLock(\.total) }

    func reach(_ done: Int32, of total: Int32) {
        guard total > 0 else { return }
        let share = Double(done) / Double(total)
        let isNews = state.withLock { state in
            state.total = Int(total)
            defer { state.hundredth = max(state.hundredth, Int(share * 100)) }
            return Int(share * 100) > state.hundredth
        }
        if isNews { report(share) }
    }
}
