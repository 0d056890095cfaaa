import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Recognition of a clip")
struct ClipRecognitionTests {
    /// A session that always hears the same.
    private final class Session: RecognitionSession {
        let recognizesAgain: Bool
        private let text: String
        private let clips = Mutex(0)

        init(_ text: String, recognizesAgain: Bool) {
            (self.text, self.recognizesAgain) = (text, recognizesAgain)
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
    func again(recognizesAgain: Bool, count: Int) async throws {
        let session = Session("so " + String(repeating: "the ", count: 30), recognizesAgain: recognizesAgain)
        let recognized = try await hear(by: session)
        #expect(session.count == count && recognized.remark == .cutShort)
        #expect(recognized.speech.text.hasPrefix("so"))
    }

    @Test(
        "gives a recogniser speech without a word once more where that is allowed, and marks it",
        arguments: [true, false]
    )
    func wordless(recognizesAgain: Bool) async throws {
        let session = Session("", recognizesAgain: recognizesAgain)
        let recognized = try await hear(by: session)
        #expect(session.count == (recognizesAgain ? 2 : 1) && recognized.gaps.count == 1)
        #expect(recognized.speech.text.isEmpty && recognized.remark == nil)
    }

    @Test("marks what a recognizer that is given a clip once has left out, with and without times")
    func onlyOnce() async throws {
        let few = try await hear(by: Session("Good morning.", recognizesAgain: false))
        #expect(few.speech.text == "Good morning." && few.gaps.count == 1)
        #expect((few.gaps.first?.lowerBound ?? 0) > 2 && few.gaps.first?.upperBound == 6.4)
        let many = Session("Good morning, and thank you all for coming here today.", recognizesAgain: false)
        #expect(try await hear(by: many).gaps.isEmpty && many.count == 1)
    }

    @Test("gives a recognizer halves of a clip of which it has written few words without times")
    func fewWords() async throws {
        let session = Session("Good morning.", recognizesAgain: true)
        let recognized = try await hear(by: session)
        #expect(recognized.speech.text == "Good morning. Good morning. Good morning." && recognized.gaps.isEmpty)
        #expect(session.count == 5, "the whole, a half of 2.1 s, one of 4.3 s, and the halves of that one")
        let many = Session("Good morning, and thank you all for coming here today.", recognizesAgain: true)
        #expect(try await hear(by: many).gaps.isEmpty && many.count == 1)
    }

    @Test("has a mark behind the words that a service has written, in the transcript")
    func marked() async throws {
        let few = try await hear(by: Session("Good morning.", recognizesAgain: false))
        var assembly = TranscriptAssembly()
        let segments = assembly.add(few.speech, of: Self.clip, gaps: few.gaps)
        #expect(segments.map(\.kind) == [.speech, .notUnderstood])
        #expect(segments.map(\.text) == ["Good morning.", ""] && segments.last?.time.upperBound == 6.4)
    }

    /// 6.4 s of speech.
    private static let clip = SpeechClip(
        range: 0..<200 * VoiceWindow.samples,
        windows: Array(repeating: VoiceWindow(isSpeech: true, level: -20), count: 200)
    )

    private func hear(by session: Session) async throws -> ClipRecognition.RecognizedClip {
        try await ClipRecognition(by: session).recognize(Self.clip, .noise(6.4, amplitude: 0.3))
    }
}
