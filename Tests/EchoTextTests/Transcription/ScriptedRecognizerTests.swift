import EchoText
import EchoTextTesting
import Testing

@Suite
struct ScriptedRecognizerTests {
    private let clip = AudioClip.noise(2, amplitude: 0.1)

    @Test
    func `it keeps the promises of the port`() async throws {
        try await verifyContract(of: ScriptedRecognizer(), on: clip)
    }

    @Test
    func `it hears the texts of its script, one after another`() async throws {
        let recognizer = ScriptedRecognizer(saying: ["Good morning.", "Tõepoolest nii."])
        let session = try await recognizer.open(ScriptedRecognizer.standard.id, RecognitionSettings())
        let first = try await session.recognize(clip)
        #expect(first.text == "Good morning.")
        #expect(first.words.map(\.start) == [0, 1])
        #expect(first.isPossible(in: clip.seconds))
        #expect(try await session.recognize(.silence(1)).text.isEmpty)
        let second = try await session.recognize(clip)
        #expect(second.words.map(\.source) == [0..<10, 11..<15])
        #expect(try await session.recognize(clip).text == "one two three four")
        #expect(recognizer.requests.count == 4)
    }

    @Test
    func `it fails as often as it is asked to`() async throws {
        let recognizer = ScriptedRecognizer()
        recognizer.failOpening(with: RecognitionError.cannotStart)
        let id = ScriptedRecognizer.standard.id
        await #expect(throws: RecognitionError.cannotStart) {
            try await recognizer.open(id, RecognitionSettings())
        }
        let session = try await recognizer.open(id, RecognitionSettings())
        recognizer.fail(with: RecognitionError.recognizerDied, RecognitionError.tooSlow(seconds: 3))
        await #expect(throws: RecognitionError.recognizerDied) { try await session.recognize(clip) }
        await #expect(throws: RecognitionError.tooSlow(seconds: 3)) { try await session.recognize(clip) }
        #expect(try await !session.recognize(clip).text.isEmpty)
        #expect(recognizer.openSessions == 1)
        await session.close()
        #expect(recognizer.openSessions == 0)
    }
}

@Suite
struct RecognizedSpeechTests {
    private let good = ScriptedRecognizer.speech("Öö on 𝄞 pikk", in: 2)

    @Test
    func `speech as recognizers give it is possible`() {
        #expect(good.isPossible(in: 2))
        #expect(RecognizedSpeech(text: "").isPossible(in: 0))
        #expect(RecognizedSpeech(text: "no times").isPossible(in: 1))
    }

    @Test(arguments: [
        RecognizedWord(source: 0..<13, start: 0, end: 1),  // beyond the text
        RecognizedWord(source: 0..<0, start: 0, end: 1),
        RecognizedWord(source: 0..<4, start: 0, end: 1),  // white space
        RecognizedWord(source: 6..<7, start: 0, end: 1),  // half a character
        RecognizedWord(source: 7..<8, start: 0, end: 1),
        RecognizedWord(source: 0..<2, start: -0.1, end: 1),
        RecognizedWord(source: 0..<2, start: 1, end: 0.5),
        RecognizedWord(source: 0..<2, start: 1, end: 2.1),
        RecognizedWord(source: 0..<2, start: .nan, end: 1),
        RecognizedWord(source: 0..<2, start: 0, end: .nan),
        RecognizedWord(source: 0..<2, start: 0, end: 1, confidence: 1.1),
        RecognizedWord(source: 0..<2, start: 0, end: 1, confidence: .nan),
        RecognizedWord(source: 0..<2, start: 0, end: 1, passage: -0.1..<1),
        RecognizedWord(source: 0..<2, start: 0, end: 1, passage: 0..<2.1),
    ])
    func `a word that cannot be is found`(_ word: RecognizedWord) {
        var speech = good
        speech.words = [word]
        #expect(!speech.isPossible(in: 2))
    }

    @Test
    func `words out of order, white space at the ends and times of a recognizer without times are found`() {
        var speech = good
        speech.words.swapAt(0, 1)
        #expect(!speech.isPossible(in: 2))
        speech = good
        speech.words[1].start = 0.1
        speech.words[2].start = 0
        #expect(!speech.isPossible(in: 2))
        speech = good
        speech.timing = .none
        #expect(!speech.isPossible(in: 2))
        #expect(!RecognizedSpeech(text: " so").isPossible(in: 1))
        #expect(!RecognizedSpeech(text: "so\n").isPossible(in: 1))
    }
}
