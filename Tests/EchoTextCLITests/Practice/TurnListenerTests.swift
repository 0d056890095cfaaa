import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoTextCLI

@Suite("Waiting for whoever repeats a segment")
struct TurnListenerTests {
    /// A voice's pitch, loud enough for every detector.
    private static func voice(_ seconds: Double) -> [Int16] {
        (0..<Int(seconds * 16_000)).map { Int16(8_000 * sin(Double($0) / 20)) }
    }

    private static func silence(_ seconds: Double) -> [Int16] { Array(repeating: 0, count: Int(seconds * 16_000)) }

    @Test("ends a turn after speech and 0.9 s of silence, and no turn without speech")
    func turns() async {
        let listener = TurnListener(ScriptedDetector())
        await listener.begin()
        #expect(await !listener.add(Self.silence(5)))
        #expect(await !listener.add(Self.voice(1)))
        #expect(await !listener.add(Self.silence(0.8)))
        #expect(await listener.add(Self.silence(0.2)))
        await listener.begin()
        #expect(await !listener.add(Self.silence(5)), "what was said in the turn before does not count")
    }

    @Test("ends a turn neither after a click nor in a short rest")
    func clicks() async {
        let listener = TurnListener(ScriptedDetector())
        await listener.begin()
        #expect(await !listener.add(Self.voice(0.1) + Self.silence(3)))
        #expect(await !listener.add(Self.voice(1) + Self.silence(0.5) + Self.voice(1)))
    }

    @Test("hears what the detector takes for a voice, whatever is loud")
    func detector() async {
        let listener = TurnListener(DeafDetector())
        await listener.begin()
        #expect(await !listener.add(Self.voice(2) + Self.silence(2)))
    }

    @Test("hears by loudness and pitch when the detector cannot be started")
    func fallback() async {
        let listener = TurnListener(AbsentDetector())
        await listener.begin()
        #expect(await listener.add(Self.silence(0.5) + Self.voice(2) + Self.silence(2)))
    }

    @Test("records all of a turn, reports its end once it is silent, and the loss of the microphone")
    func capture() async throws {
        let pieces = [Self.silence(0.5), Self.voice(1), Self.silence(1.5)]
        let silences = Mutex(0)
        let capture = TakeCapture(
            from: ScriptedMicrophones([.init(pieces: pieces)]),
            device: nil,
            listener: TurnListener(ScriptedDetector())
        )
        let end = try await capture.run(longest: 60) { silences.withLock { $0 += 1 } }
        #expect(end == .deviceGone)
        #expect(silences.withLock(\.self) > 0)
        let file = try #require(capture.file)
        #expect(file.count > 2 * 3 * 16_000)
        let unheard = TakeCapture(from: ScriptedMicrophones([.init(pieces: pieces)]), device: nil)
        _ = try await unheard.run(longest: 60) { Issue.record("nobody listens to a turn that has a length") }
        #expect(unheard.file == file)
    }

    @Test("plays back the samples that were recorded, however loud they are")
    func loud() async throws {
        let loud = (0..<16_000).map { Int16(32_000 * sin(Double($0) / 20)) }
        let capture = TakeCapture(from: ScriptedMicrophones([.init(pieces: [loud])]), device: nil)
        _ = try await capture.run(longest: 60) { Issue.record("nobody listens") }
        let clip = try #require(capture.clip)
        #expect(WAVHeader.file(of: clip.pcm16, sampleRate: clip.sampleRate) == capture.file)
    }
}

/// A detector that never detects speech.
private struct DeafDetector: VoiceActivityDetector {
    private struct Session: VoiceActivitySession {
        func detect(_ clip: AudioClip) -> [VoiceWindow] {
            Array(repeating: VoiceWindow(isSpeech: false, level: -10), count: clip.samples.count / VoiceWindow.samples)
        }

        func close() {}
    }

    func open() -> any VoiceActivitySession { Session() }
}

private struct AbsentDetector: VoiceActivityDetector {
    func open() throws -> any VoiceActivitySession { throw RecognitionError.cannotStart }
}
