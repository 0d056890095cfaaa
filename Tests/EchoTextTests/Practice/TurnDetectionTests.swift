import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoText

@Suite("The detector of a turn's end", .endsInTime)
struct TurnDetectionTests {
    private static let (voice, silence) = (sound(of: 1, amplitude: 0.3), sound(of: 1, amplitude: 0))

    private static func sound(of seconds: Double, amplitude: Float, rate: Int = 16_000) -> AudioClip {
        let samples = (0..<Int(seconds * Double(rate))).map { amplitude * Float(sin(Double($0) / 20)) }
        return AudioClip(samples: samples, sampleRate: rate)
    }

    private static func tools(_ detector: any VoiceActivityDetector) -> TranscriptionTools {
        let tools = TranscriptionTools.scripted()
        return TranscriptionTools(
            recognizer: tools.recognizer,
            detector: detector,
            diarizer: tools.diarizer,
            paces: tools.paces,
            conversion: tools.conversion,
            digest: tools.digest
        )
    }

    @Test("hears a turn piece by piece, each turn again, with one detector that it starts ahead")
    func turns() async throws {
        let detector = CountingDetector()
        let detection = TurnDetection(with: Self.tools(detector))
        #expect(try await detection.detect(nil, in: 1) == SpokenTurn())
        #expect(detector.counts == [1, 0], "it is started before there is sound")
        #expect(try await detection.detect(Self.voice, in: 1)?.isOver == false)
        #expect(try await detection.detect(Self.silence, in: 1)?.isOver == true)
        #expect(try await detection.detect(Self.silence, in: 2)?.hasSpoken == false)
        #expect(try await detection.detect(Self.voice, in: 2)?.hasSpoken == true)
        #expect(try await detection.detect(nil, in: 2) == SpokenTurn(), "which is no piece of the turn")
        #expect(try await detection.detect(Self.silence, in: 2)?.isOver == true)
        await detection.close()
        #expect(detector.counts == [1, 1])
        #expect(try await detection.detect(Self.voice, in: 3) == nil, "it starts no other when it is closed")
        #expect(detector.counts == [1, 1])
    }

    @Test("hears sound at a microphone's rate")
    func rates() async throws {
        let detection = TurnDetection(with: Self.tools(CountingDetector()))
        #expect(try await detection.detect(Self.sound(of: 1, amplitude: 0.3, rate: 24_000), in: 1)?.hasSpoken == true)
        #expect(try await detection.detect(Self.sound(of: 1, amplitude: 0, rate: 24_000), in: 1)?.isOver == true)
        await detection.close()
    }

    @Test("ends after two minutes without sound, and is started again")
    func idle() async throws {
        let (detector, clock) = (CountingDetector(), ManualClock())
        let detection = TurnDetection(with: Self.tools(detector), clock: clock)
        _ = try await detection.detect(Self.voice, in: 1)
        #expect(await clock.endShortestSleep() == TurnDetection.idleTimeout)
        try await waitUntil("it ends") { detector.counts == [1, 1] }
        #expect(try await detection.detect(Self.silence, in: 1)?.hasSpoken == false, "the turn is forgotten with it")
        #expect(detector.counts == [2, 1])
        await detection.close()
    }

    @Test("leaves it to loudness where no model decides, and where the detector fails")
    func absent() async throws {
        #expect(try await TurnDetection(with: Self.tools(EnergyDetector())).detect(Self.voice, in: 1) == nil)
        let detector = CountingDetector(failures: 1)
        let detection = TurnDetection(with: Self.tools(detector))
        #expect(try await detection.detect(Self.voice, in: 1) == nil)
        #expect(try await detection.detect(Self.voice, in: 2)?.hasSpoken == true, "another turn tries again")
        await detection.close()
    }
}

/// A detector by loudness that counts how often it was started and ended, and cannot be started the first times.
private final class CountingDetector: VoiceActivityDetector {
    private struct Session: VoiceActivitySession {
        let session: any VoiceActivitySession
        let ended: @Sendable () -> Void

        func detect(_ clip: AudioClip) async throws -> [VoiceWindow] { try await session.detect(clip) }

        func close() async { ended() }
    }

    private let state: Mutex<(started: Int, ended: Int, failures: Int)>

    init(failures: Int = 0) {
        state = Mutex((0, 0, failures))
    }

    /// How often it was started and ended.
    var counts: [Int] { state.withLock { [$0.started, $0.ended] } }

    func open() async throws -> any VoiceActivitySession {
        let fails = state.withLock { state in
            defer { state.failures -= 1 }
            return state.failures > 0
        }
        guard !fails else { throw RecognitionError.cannotStart }
        let session = try await ScriptedDetector().open()
        state.withLock { $0.started += 1 }
        return Session(session: session) { [self] in state.withLock { $0.ended += 1 } }
    }
}
