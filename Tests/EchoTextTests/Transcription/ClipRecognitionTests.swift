import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Recognition of a clip")
struct ClipRecognitionTests {
    /// A session that always hears the same.
    private final class Session: RecognitionSession {
        let hearsAgain: Bool
        private let text: String
        private let clips = Mutex(0)

        init(_ text: String, hearsAgain: Bool) {
            (self.text, self.hearsAgain) = (text, hearsAgain)
        }

        var count: Int { clips.withLock(\.self) }

        func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
            clips.withLock { $0 += 1 }
            return RecognizedSpeech(text: text)
        }

        func close() async {}
    }

    /// Counts how often it is closed.
    private actor Closings: Closeable {
        private(set) var count = 0

        func close() { count += 1 }
    }

    @Test("closes what it holds once after its work, also where that fails")
    func closing() async throws {
        let closings = Closings()
        let value = try await closings.closing {
            let before = await closings.count
            return before + 7
        }
        #expect(value == 7)
        #expect(await closings.count == 1)
        await #expect(throws: RecognitionError.recognizerDied) {
            try await closings.closing { () async throws -> Void in throw RecognitionError.recognizerDied }
        }
        #expect(await closings.count == 2)
    }

    @Test(
        "gives a recogniser that repeats itself the clip once more, in halves, where that is allowed",
        arguments: [
            (true, 3), (false, 1),
        ]
    )
    func again(hearsAgain: Bool, count: Int) async throws {
        let session = Session("so " + String(repeating: "the ", count: 30), hearsAgain: hearsAgain)
        let recognized = try await hear(by: session)
        #expect(session.count == count && recognized.remark == .cutShort)
        #expect(recognized.speech.text.hasPrefix("so"))
    }

    @Test("gives a recogniser speech without a word once more, where that is allowed", arguments: [true, false])
    func wordless(hearsAgain: Bool) async throws {
        let session = Session("", hearsAgain: hearsAgain)
        let recognized = try await hear(by: session)
        #expect(session.count == (hearsAgain ? 2 : 1) && recognized.gaps.count == (hearsAgain ? 1 : 0))
        #expect(recognized.speech.text.isEmpty && recognized.remark == nil)
    }

    /// 6.4 s of speech.
    private func hear(by session: Session) async throws -> ClipRecognition.RecognizedClip {
        let windows = Array(repeating: VoiceWindow(isSpeech: true, level: -20), count: 200)
        let clip = SpeechClip(range: 0..<200 * VoiceWindow.samples, windows: windows)
        return try await ClipRecognition(by: session).recognize(clip, .noise(6.4, amplitude: 0.3))
    }
}
