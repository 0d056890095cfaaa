package import EchoText
internal import Foundation
internal import Synchronization

/// A detector of voice activity that takes everything louder than a bound for speech.
package struct ScriptedDetector: VoiceActivityDetector {
    /// In dBFS.
    private let bound: Float

    package init(bound: Float = -50) {
        self.bound = bound
    }

    package func open() async throws -> any VoiceActivitySession { ScriptedActivity(bound: bound) }
}

private final class ScriptedActivity: VoiceActivitySession {
    private let bound: Float
    private let rest = Mutex<[Float]>([])

    init(bound: Float) {
        self.bound = bound
    }

    func detect(_ clip: AudioClip) async throws -> [VoiceWindow] {
        rest.withLock { rest in
            rest += clip.samples
            var windows: [VoiceWindow] = []
            while rest.count >= VoiceWindow.samples {
                let power = rest[..<VoiceWindow.samples].reduce(0) { $0 + $1 * $1 } / Float(VoiceWindow.samples)
                let level = power > 0 ? max(-120, 10 * log10(power)) : -120
                windows.append(VoiceWindow(isSpeech: level > bound, level: level))
                rest.removeFirst(VoiceWindow.samples)
            }
            return windows
        }
    }

    func close() async {}
}

extension TranscriptionTools {
    /// Tools without a model, for sound that is already at ``RecognitionClip/sampleRate``.
    package static func scripted(
        _ recognizer: any SpeechRecognizer = ScriptedRecognizer(),
        detector: any VoiceActivityDetector = ScriptedDetector(),
        diarizer: any SpeakerDiarizer = ScriptedDiarizer(),
        paces: any RecognizerPaceStore = MemoryPaces(),
        sending: @escaping @Sendable (Recognizer.ID, _ seconds: Double) async throws -> Sending? = { _, _ in nil }
    ) -> TranscriptionTools {
        TranscriptionTools(
            recognizer: recognizer,
            detector: detector,
            diarizer: diarizer,
            paces: paces,
            conversion: { _, _ in PlainConversion() },
            digest: { "\($0.length)" },
            sending: sending
        )
    }
}

/// Repeats or drops samples, without a filter.
private struct PlainConversion: RateConversion {
    func convert(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip {
        let count = clip.samples.count * RecognitionClip.sampleRate / clip.sampleRate
        let samples = (0..<count).map { clip.samples[$0 * clip.sampleRate / RecognitionClip.sampleRate] }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}

/// A network whose state a test sets.
package final class ScriptedNetwork: NetworkWatch {
    private let state: Mutex<(now: NetworkState, readers: [AsyncStream<NetworkState>.Continuation])>

    package init(_ now: NetworkState = .reachable) {
        state = Mutex((now, []))
    }

    package func states() -> AsyncStream<NetworkState> {
        let (stream, continuation) = AsyncStream.makeStream(of: NetworkState.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            continuation.yield(state.now)
            state.readers.append(continuation)
        }
        return stream
    }

    package func change(to next: NetworkState) {
        state.withLock { state in
            guard state.now != next else { return }
            state.now = next
            for reader in state.readers { reader.yield(next) }
        }
    }
}
