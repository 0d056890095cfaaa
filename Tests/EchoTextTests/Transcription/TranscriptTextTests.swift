import EchoText
import Foundation
import Testing

@Suite("The text of a transcript")
struct TranscriptTextTests {
    private static func transcript(_ segments: [TranscriptSegment]) -> Transcript {
        Transcript(
            item: AudioItem.ID(),
            created: Date(timeIntervalSince1970: 1),
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
    }

    private static func word(_ source: TextRange, _ start: Double, _ end: Double) -> RecognizedWord {
        RecognizedWord(source: source, start: start, end: end)
    }

    @Test("is a line for each segment in which something was said")
    func lines() {
        let transcript = Self.transcript([
            TranscriptSegment(time: 0..<1, text: "One two."),
            TranscriptSegment(kind: .silence, time: 1..<2),
            TranscriptSegment(time: 2..<3, text: "𝄞 three."),
        ])
        #expect(transcript.text == "One two.\n𝄞 three.")
        #expect(transcript.wordCount == 3, "a sign is no word")
        let sentences = transcript.timings(sampleRate: 1_000, count: 3_000)
        #expect(sentences.map(\.source) == [0..<8, 9..<18])
        #expect(sentences.map(\.samples) == [0..<1_000, 2_000..<3_000])
        #expect(Self.transcript([]).text.isEmpty && Self.transcript([]).timings(sampleRate: 1, count: 0).isEmpty)
    }

    @Test("has words that do not overlap and lie in the recording, however a recognizer times them")
    func words() {
        let words = [Self.word(0..<1, 0.1, 0.9), Self.word(2..<3, 0.4, 0.3), Self.word(4..<5, 9, 12)]
        let segment = TranscriptSegment(time: 0..<1.5, text: "a b c", words: words, timing: .tokens)
        let timed = Self.transcript([segment]).timings(sampleRate: 1_000, count: 1_200)[0]
        #expect(timed.samples == 0..<1_200)
        #expect(timed.words.map(\.samples) == [100..<400, 400..<400, 1_200..<1_200])
        #expect(timed.words.allSatisfy { $0.precision == .exact })
        var spread = segment
        spread.timing = .none
        let estimated = Self.transcript([spread]).timings(sampleRate: 1_000, count: 1_200)[0]
        #expect(estimated.words.allSatisfy { $0.precision == .estimated })
    }

    @Test("takes nothing that is no time or out of order")
    func refusals() throws {
        let good = TranscriptSegment(time: 1..<2, text: "a b", words: [Self.word(0..<1, 1, 1.5)])
        try Self.transcript([good]).check(duration: 2)
        try Self.transcript([good]).check(duration: 1.5)
        func expectRefusal(_ segments: [TranscriptSegment], duration: Double = 10) {
            #expect(throws: TranscriptError.invalidSegments) {
                try Self.transcript(segments).check(duration: duration)
            }
        }
        expectRefusal([good], duration: 0.5)
        expectRefusal([good, good])
        expectRefusal([TranscriptSegment(time: -1..<2)])
        expectRefusal([TranscriptSegment(time: 0..<(.infinity))], duration: .infinity)
        expectRefusal([TranscriptSegment(kind: .silence, time: 0..<1, text: "a")])
        for word in [
            Self.word(0..<9, 1, 2), Self.word(0..<1, .nan, 2), Self.word(0..<1, 1, .infinity), Self.word(0..<1, 2, 1),
        ] {
            var bad = good
            bad.words = [word]
            expectRefusal([bad])
        }
        var swapped = good
        swapped.words = [Self.word(2..<3, 1, 1), Self.word(0..<1, 1, 1)]
        expectRefusal([swapped])
    }
}
