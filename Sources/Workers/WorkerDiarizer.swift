package import EchoText
internal import Foundation
package import Logging

/// Diarizes speakers with local models, each sound in its own process.
///
/// That process can read only the models, write nothing and has no network. Its results are validated, and cancellation
/// ends it.
package struct WorkerDiarizer: SpeakerDiarizer {
    /// The share of the work that is done when all of a sound has been sent.
    private static let sent = 0.05

    private let installed: @Sendable () async throws -> [SpeakerModel]
    private let setup: WorkerSetup
    private let threads: Int
    private let timeout: Duration

    /// - Parameters:
    ///   - launch: The program to start; the folders of the models are added to its readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - threads: How many threads compute.
    ///   - timeout: The longest time without a sign of progress, to which a quarter of the sound's length is added: sherpa-onnx reports
    ///     of none until it compares voices.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    ///   - installed: Lists the models of this machine, the newest first.
    package init(
        _ launch: WorkerLaunch = .recognizer,
        isolation: WorkerIsolation? = nil,
        threads: Int = min(ProcessInfo.processInfo.activeProcessorCount, 4),
        timeout: Duration = .seconds(120),
        clock: any Clock<Duration> = .continuous,
        logger: Logger,
        installed: @escaping @Sendable () async throws -> [SpeakerModel]
    ) {
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
        self.threads = min(max(threads, 1), RecognitionRequest.maximumLanes)
        (self.timeout, self.installed) = (timeout, installed)
    }

    package func models() async throws -> [SpeakerModel] { try await installed() }

    package func turns(
        in sound: any ClipSource,
        seconds: Double,
        _ count: SpeakerCount,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> [SpeakerTurn] {
        try Task.checkCancellation()
        let models = try SpeakerModels(of: await installed())
        return try await turns(in: sound, seconds: seconds, count, by: models, report: report)
    }

    private func turns(
        in sound: any ClipSource,
        seconds: Double,
        _ count: SpeakerCount,
        by models: SpeakerModels,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> [SpeakerTurn] {
        guard seconds <= SpeakerDiarization.longest else { throw SpeakerError.tooLong }
        var setup = setup
        let isolation = try await setup.isolation(orThrow: RecognitionError.notConfined)
        setup.launch.readablePaths += models.paths
        setup.launch.limits.memory += 3 * UInt64(clamping: models.size) + Self.memory(for: seconds)
        let timeout = timeout + .seconds(max(0, seconds) / 4)
        let request = RecognitionRequest.speakers(models, count, seconds: max(0, seconds), threads: threads)
        do {
            let worker: RecognitionWorker
            do {
                worker = try await RecognitionWorker.open(request, in: setup, isolation, timeout: timeout) {
                    report(Self.sent + $0 * (1 - Self.sent))
                }
            } catch RecognitionError.recognizerDied {
                // sherpa-onnx ends its process over a model that it cannot read.
                throw SpeakerError.badModel(models.names)
            }
            return try await worker.closing {
                try await Self.turns(in: sound, seconds: seconds, by: worker, report: report)
            }
        } catch is WorkerError {
            throw SpeakerError.died
        } catch let error as RecognitionError {
            throw error.ofSpeakers(models)
        }
    }

    private static func turns(
        in sound: any ClipSource,
        seconds: Double,
        by worker: RecognitionWorker,
        report: @Sendable (Double) -> Void
    ) async throws -> [SpeakerTurn] {
        precondition(sound.sampleRate == RecognitionClip.sampleRate, "a sound of \(sound.sampleRate) Hz")
        var count = 0
        while let clip = try await sound.next() {
            for start in stride(from: 0, to: clip.samples.count, by: RecordingReader.longestClip) {
                let piece = clip.samples[start..<min(start + RecordingReader.longestClip, clip.samples.count)]
                let answer = try await worker.answer(to: piece.clipped)
                guard answer.kind == .taken else { throw WorkerError.protocolViolation }
            }
            count += clip.samples.count
            let secondsSent = Double(count) / Double(RecognitionClip.sampleRate)
            report(Self.sent * min(1, secondsSent / max(seconds, 1)))
        }
        let answer = try await worker.answer(to: [])
        return try SpeakerTurn.turns(answer, in: Double(count) / Double(RecognitionClip.sampleRate))
    }

    /// The memory for a sound, in bytes: its samples, and a number for every pair of the compared voices, of which
    /// there are about two in each step of 2.5 s; twice that, since sherpa-onnx copies them.
    private static func memory(for seconds: Double) -> UInt64 {
        let samples = 4.5 * (seconds + 1) * Double(RecognitionClip.sampleRate)
        let voices = 2 * seconds / 2.5
        return UInt64(samples + 8 * voices * voices)
    }
}

extension WorkerDiarizer: SpeakerModelExaminer {
    /// In seconds: longer than a segmentation window, since sherpa-onnx does not compare voices within a single window.
    private static let trial = 12

    /// Tries the models on some seconds of a faint hum, with any result.
    package func examine(_ models: SpeakerModels) async throws {
        let hum = OneClip(.faintHum(seconds: Self.trial))
        do {
            _ = try await turns(in: hum, seconds: Double(Self.trial), .unknown(), by: models) { _ in }
        } catch SpeakerError.died {
            throw SpeakerError.badModel(models.names)
        }
    }
}

/// A sound that is there already.
private actor OneClip: ClipSource {
    private var clip: AudioClip?

    nonisolated let sampleRate: Int

    init(_ clip: AudioClip) {
        (self.clip, sampleRate) = (clip, clip.sampleRate)
    }

    func next() -> AudioClip? {
        defer { clip = nil }
        return clip
    }
}

extension RecognitionError {
    /// The error for speaker diarization; its message contains nothing from the worker.
    fileprivate func ofSpeakers(_ models: SpeakerModels) -> any Error {
        switch self {
        case .badModel, .unsupportedModel: SpeakerError.badModel(models.names)
        case .tooSlow(let seconds): SpeakerError.tooSlow(seconds: seconds)
        case .cannotStart, .notConfined: self
        case .noSuchRecognizer, .noRecognizer, .unsupportedLanguage, .notARecognizer, .missingFile, .recognizerDied:
            SpeakerError.died
        }
    }
}
