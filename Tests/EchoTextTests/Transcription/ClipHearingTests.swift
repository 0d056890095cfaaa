import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Hearing a clip")
struct ClipHearingTests {
    /// One that always repeats itself.
    private final class Session: RecognitionSession {
        let hearsAgain: Bool
        private let clips = Mutex(0)

        init(hearsAgain: Bool) {
            self.hearsAgain = hearsAgain
        }

        var count: Int { clips.withLock(\.self) }

        func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
            clips.withLock { $0 += 1 }
            return RecognizedSpeech(text: "so " + String(repeating: "the ", count: 30))
        }

        func close() async {}
    }

    @Test(
        "gives a recogniser that repeats itself the clip once more, in halves, where that is allowed",
        arguments: [
            (true, 3), (false, 1),
        ]
    )
    func again(hearsAgain: Bool, count: Int) async throws {
        let session = Session(hearsAgain: hearsAgain)
        let windows = Array(repeating: VoiceWindow(isSpeech: true, level: -20), count: 200)
        let clip = SpeechClip(range: 0..<200 * VoiceWindow.samples, windows: windows)
        let sound = AudioClip.noise(6.4, amplitude: 0.3)
        let heard = try await ClipHearing(by: session).hear(clip, sound)
        #expect(session.count == count && heard.remark == .cutShort)
        #expect(heard.speech.text.hasPrefix("so"))
    }
}
