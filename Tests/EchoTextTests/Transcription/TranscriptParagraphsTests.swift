import EchoText
import Foundation
import Testing

@Suite("The paragraphs of a transcript")
struct TranscriptParagraphsTests {
    /// A segment of one second, or of more.
    private func segment(
        _ start: Double,
        _ text: String,
        kind: TranscriptSegment.Kind = .speech,
        until end: Double? = nil,
        speaker: String? = nil
    ) -> TranscriptSegment {
        TranscriptSegment(kind: kind, time: start..<(end ?? start + 1), text: text, speaker: speaker)
    }

    private func beginnings(_ segments: TranscriptSegment...) -> [Bool] {
        var paragraphs = TranscriptParagraphs()
        return paragraphs.beginnings(of: segments)
    }

    @Test("end at another speaker and at a long pause")
    func ends() {
        let said = [
            segment(0, "a"), segment(1, "b"), segment(2, "c", speaker: "B"), segment(5, "d", speaker: "B"),
        ]
        var paragraphs = TranscriptParagraphs()
        #expect(said.map { paragraphs.begins(with: $0) } == [true, false, true, true])
    }

    @Test("continue over a short silence, and end at a long one and at what was not understood")
    func gaps() {
        let short = segment(1, "", kind: .silence, until: 1.5)
        #expect(beginnings(segment(0, "a"), short, segment(1.5, "b")) == [true, false, false])
        let long = segment(1, "", kind: .silence, until: 4)
        #expect(beginnings(segment(0, "a"), long, segment(4, "b")) == [true, false, true])
        let unclear = segment(1, "", kind: .notUnderstood, until: 1.5)
        #expect(beginnings(segment(0, "a"), unclear, segment(1.5, "b")) == [true, false, true])
    }

    @Test("end with a sentence once they are long, on the screen")
    func long() {
        let said = [
            segment(0, String(repeating: "word ", count: 200) + "and"), segment(1, "on it goes."),
            segment(2, "Another."),
        ]
        var paragraphs = TranscriptParagraphs()
        #expect(paragraphs.beginnings(of: said) == [true, false, true])
        var written = TranscriptParagraphs(longest: .max)
        #expect(written.beginnings(of: said) == [true, false, false])
    }

    @Test("continue from one time to the next, and end where they are asked to")
    func parts() {
        var paragraphs = TranscriptParagraphs()
        #expect(paragraphs.beginnings(of: [segment(0, "a")]) == [true])
        #expect(paragraphs.beginnings(of: [segment(1, "b")]) == [false])
        paragraphs.end()
        #expect(paragraphs.beginnings(of: [segment(2, "c")]) == [true])
    }

    @Test("have lines that begin where they do in the text")
    func lines() {
        let segments = [
            segment(0, "one two three"), segment(1, "", kind: .silence, until: 4), segment(4, "four õ 😀"),
            segment(5, "five"),
        ]
        let transcript = Transcript(
            item: AudioItem.ID(rawValue: "talk"),
            created: Date(timeIntervalSince1970: 0),
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
        #expect(transcript.text == "one two three\nfour õ 😀\nfive")
        #expect(transcript.lineStarts == [0, 14, 14, 24])
        #expect(transcript.timings(sampleRate: 10, count: 60).map(\.source) == [0..<13, 14..<23, 24..<28])
    }
}
