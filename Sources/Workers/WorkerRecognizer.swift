package import EchoText
import Foundation
package import Logging

/// Recognizes speech with local recognizers, each session in its own process.
///
/// That process can read only the recognizer's files, write nothing and has no network. Its results are validated: a
/// process that dies, hangs or violates the protocol is an error of its session.
package struct WorkerRecognizer: SpeechRecognizer {
    private let installed: @Sendable () async throws -> [LocalRecognizer]
    private let setup: WorkerSetup
    private let lanes: Int
    private let timeout: Duration

    /// - Parameters:
    ///   - launch: The program to start; a recognizer's folder is added to its readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - lanes: How many clips of a session are recognized at once.
    ///   - timeout: The longest time to open a recognizer of up to half a GiB, or to recognize a clip with it.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    ///   - installed: Lists the local recognizers.
    package init(
        _ launch: WorkerLaunch = .recognizer,
        isolation: WorkerIsolation? = nil,
        lanes: Int = ProcessInfo.processInfo.activeProcessorCount,
        timeout: Duration = .seconds(120),
        clock: any Clock<Duration> = .continuous,
        logger: Logger,
        installed: @escaping @Sendable () async throws -> [LocalRecognizer]
    ) {
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
        self.lanes = min(max(lanes, 1), RecognitionRequest.maximumLanes)
        (self.timeout, self.installed) = (timeout, installed)
    }

    package func recognizers() async throws -> [Recognizer] { try await installed().map(\.recognizer) }

    package func open(_ id: Recognizer.ID, _ settings: RecognitionSettings) async throws -> any RecognitionSession {
        try Task.checkCancellation()
        guard let found = try await installed().first(where: { $0.recognizer.id == id }) else {
            throw RecognitionError.noSuchRecognizer(id)
        }
        try found.recognizer.check(settings)
        return try await open(found, settings, by: .recognizer(found.model, settings, lanes: lanes))
    }

    /// The factor by which a recognizer may take longer than a small one: one more for each half GiB of it.
    private static func slowness(of recognizer: LocalRecognizer) -> Int {
        1 + Int(clamping: (recognizer.recognizer.size ?? 0) >> 29)
    }

    private func open(
        _ recognizer: LocalRecognizer,
        _ settings: RecognitionSettings,
        by request: RecognitionRequest
    ) async throws -> any RecognitionSession {
        var setup = setup
        let isolation = try await setup.isolation(orThrow: RecognitionError.notConfined)
        setup.launch.readablePaths.append(recognizer.model.path)
        setup.launch.limits.memory += 3 * UInt64(clamping: recognizer.recognizer.size ?? 0)
        let timeout = timeout * Self.slowness(of: recognizer)
        let name = (recognizer.model.path as NSString).lastPathComponent
        do {
            let worker = try await RecognitionWorker.open(request, in: setup, isolation, timeout: timeout)
            return WorkerRecognitionSession(worker, of: recognizer, name: name, settings)
        } catch RecognitionError.recognizerDied {
            // sherpa-onnx ends its process over a model that it cannot read.
            throw RecognitionError.badModel(name)
        } catch let error as RecognitionError {
            throw error.isOfTheProgram ? error : error.naming(name, settings)
        }
    }
}

extension WorkerRecognizer: RecognizerExaminer {
    /// In seconds.
    private static let trial = 1

    /// Checks the files of a recognizer that is not yet installed, and tries it on a second of a faint hum, with any
    /// result.
    package func examine(_ recognizer: LocalRecognizer) async throws {
        let session = try await open(recognizer, RecognitionSettings(), by: .trial(recognizer.model))
        do {
            _ = try await session.closing { try await session.recognize(.faintHum(seconds: Self.trial)) }
        } catch RecognitionError.recognizerDied {
            throw RecognitionError.badModel((recognizer.model.path as NSString).lastPathComponent)
        }
    }
}

extension RecognitionError {
    /// Whether this process made it, and not the worker: then its number is the program's own.
    fileprivate var isOfTheProgram: Bool {
        if case .tooSlow = self { true } else { false }
    }
}

private final class WorkerRecognitionSession: RecognitionSession {
    private let worker: RecognitionWorker
    private let name: String
    private let settings: RecognitionSettings

    let prefersLongClips: Bool
    let pauseInPacks: Int?

    init(_ worker: RecognitionWorker, of recognizer: LocalRecognizer, name: String, _ settings: RecognitionSettings) {
        (self.worker, self.name, self.settings) = (worker, name, settings)
        prefersLongClips = recognizer.model.prefersLongClips
        pauseInPacks = recognizer.pauseInPacks(with: settings)
    }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        precondition(clip.sampleRate == RecognitionClip.sampleRate, "a clip of \(clip.sampleRate) Hz")
        precondition(clip.seconds <= RecognitionClip.longest, "a clip of \(clip.seconds) s")
        try Task.checkCancellation()
        guard !clip.samples.isEmpty else { return RecognizedSpeech(text: "") }
        do {
            let answer = try await worker.answer(to: clip.samples[...].clipped)
            return try RecognizedSpeech(answer, in: clip.seconds)
        } catch is WorkerError {
            worker.reject()
            throw RecognitionError.recognizerDied
        } catch let error as RecognitionError {
            throw error.isOfTheProgram ? error : error.naming(name, settings)
        }
    }

    func close() async { await worker.close() }
}

/// Detects voice activity, in a separate process for each sound.
package struct WorkerVoiceDetector: VoiceActivityDetector {
    private let model: String
    private let setup: WorkerSetup
    private let timeout: Duration

    /// - Parameters:
    ///   - model: Absolute path of the detector's model.
    ///   - launch: The program to start; the model is added to its readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - timeout: The longest time to open the model, or to analyze a minute of sound.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        model: String,
        _ launch: WorkerLaunch = .recognizer,
        isolation: WorkerIsolation? = nil,
        timeout: Duration = .seconds(60),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        (self.model, self.timeout) = (model, timeout)
        var launch = launch
        launch.readablePaths.append(model)
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
    }

    package func open() async throws -> any VoiceActivitySession {
        try Task.checkCancellation()
        let isolation = try await setup.isolation(orThrow: RecognitionError.notConfined)
        let name = (model as NSString).lastPathComponent
        do {
            return WorkerVoiceSession(
                try await RecognitionWorker.open(.detector(model), in: setup, isolation, timeout: timeout)
            )
        } catch RecognitionError.recognizerDied {
            throw RecognitionError.badModel(name)
        } catch let error as RecognitionError {
            throw error.isOfTheProgram ? error : error.naming(name, RecognitionSettings())
        }
    }
}

/// Cuts the sound into windows here, so that the worker's answer can be checked.
private actor WorkerVoiceSession: VoiceActivitySession {
    /// The most samples that are sent at once: a minute.
    private static let longest = 60 * RecognitionClip.sampleRate / VoiceWindow.samples * VoiceWindow.samples

    private let worker: RecognitionWorker
    private var cutter = VoiceWindowCutter()

    init(_ worker: RecognitionWorker) {
        self.worker = worker
    }

    func detect(_ clip: AudioClip) async throws -> [VoiceWindow] {
        precondition(clip.sampleRate == RecognitionClip.sampleRate, "a clip of \(clip.sampleRate) Hz")
        try Task.checkCancellation()
        let samples = cutter.cut(clip)
        var windows: [VoiceWindow] = []
        for start in stride(from: 0, to: samples.count, by: Self.longest) {
            windows += try await detect(samples[start..<min(start + Self.longest, samples.count)])
        }
        return windows
    }

    private func detect(_ samples: ArraySlice<Float>) async throws -> [VoiceWindow] {
        let answer: Frame
        do {
            answer = try await worker.answer(to: Array(samples))
        } catch let error as RecognitionError {
            throw error.isOfTheProgram ? error : RecognitionError.recognizerDied
        }
        let starts = stride(from: samples.startIndex, to: samples.endIndex, by: VoiceWindow.samples)
        guard answer.kind == .activity, answer.payload.count == samples.count / VoiceWindow.samples,
            answer.payload.allSatisfy({ $0 <= 1 })
        else {
            worker.reject()
            throw RecognitionError.recognizerDied
        }
        return zip(starts, answer.payload).map { start, speech in
            VoiceWindow(
                isSpeech: speech == 1,
                level: VoiceWindow.level(of: samples[start..<start + VoiceWindow.samples])
            )
        }
    }

    func close() async { await worker.close() }
}

extension WorkerLimits {
    /// The limits of a recognition worker: two GiB in addition to its model, ten minutes of processor time for a clip.
    package static var recognizer: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 2 << 30 + UInt64(ProcessInfo.processInfo.activeProcessorCount) << 27
        limits.processorSeconds = 600
        limits.openFiles = 64
        limits.processes = 128
        return limits
    }
}

extension WorkerLaunch {
    /// This program, as a recognition worker.
    package static var recognizer: WorkerLaunch { .confined("recognizer", .recognizer) }
}

extension AudioClip {
    /// A sawtooth of 160 Hz at −45 dBFS (RMS), for trying a model: silence might be skipped.
    static func faintHum(seconds: Int) -> AudioClip {
        let samples = (0..<seconds * RecognitionClip.sampleRate).map { Float($0 % 100) / 5_000 - 0.01 }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}
