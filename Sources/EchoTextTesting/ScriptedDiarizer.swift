package import EchoText
internal import Foundation
internal import Synchronization

/// A diarizer without models: positive samples are one person's, negative samples another's, and zeros nobody's.
package final class ScriptedDiarizer: SpeakerDiarizer {
    private struct State {
        var counts: [SpeakerCount] = []
        var failures: [any Error] = []
    }

    private let state = Mutex(State())
    private let isInstalled: Bool
    private let gate: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - isInstalled: Whether its models are there.
    ///   - gate: Called when all of a sound has been read, and half of the work reported.
    package init(isInstalled: Bool = true, gate: @escaping @Sendable () async throws -> Void = {}) {
        (self.isInstalled, self.gate) = (isInstalled, gate)
    }

    /// The speaker counts it was given, one for each sound.
    package var counts: [SpeakerCount] { state.withLock(\.counts) }

    /// Makes the next sounds fail with these errors, in order.
    package func fail(with errors: any Error...) { state.withLock { $0.failures += errors } }

    package func models() async throws -> [SpeakerModel] { isInstalled ? try Self.installed.get() : [] }

    package func turns(
        in sound: any ClipSource,
        seconds: Double,
        _ count: SpeakerCount,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> [SpeakerTurn] {
        try Task.checkCancellation()
        _ = try SpeakerModels(of: await models())
        guard seconds <= SpeakerDiarization.longest else { throw SpeakerError.tooLong }
        let failure = state.withLock { state in
            state.counts.append(count)
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        var samples: [Float] = []
        while let clip = try await sound.next() { samples += clip.samples }
        report(0.5)
        try await gate()
        try Task.checkCancellation()
        if let failure { throw failure }
        report(1)
        return Self.turns(in: samples)
    }

    private static func turns(in samples: [Float]) -> [SpeakerTurn] {
        var turns: [SpeakerTurn] = []
        var start = 0
        while start < samples.count {
            let sign = samples[start].sign
            let isSilent = samples[start] == 0
            let end = samples[start...].firstIndex { ($0 == 0) != isSilent || !isSilent && $0.sign != sign }
            let stop = end ?? samples.count
            if !isSilent {
                let rate = Double(RecognitionClip.sampleRate)
                turns.append(SpeakerTurn(Double(start) / rate..<Double(stop) / rate, speaker: sign == .plus ? 0 : 1))
            }
            start = stop
        }
        return turns
    }

    /// Models whose files are empty.
    private static let installed = Result<[SpeakerModel], any Error> {
        let folder = TemporaryFolder()
        return try ["scripted-segmentation": "model", "scripted-voices": "scripted-voices"].compactMap { place, name in
            try FileManager.default.createDirectory(atPath: folder(place), withIntermediateDirectories: true)
            try folder.write("", to: "\(place)/\(name).onnx")
            return SpeakerModel.find(at: folder(place))
        }
    }
}
