import EchoText
import Foundation
import Testing

@Suite("Speakers' labels")
struct SpeakerLabellingTests {
    private static let time = Date(timeIntervalSince1970: 1_790_000_100)

    /// A turn of a speaker from one second to another.
    private func turn(_ speaker: Int, _ start: Double, _ end: Double) -> SpeakerTurn {
        SpeakerTurn(start..<end, speaker: speaker)
    }

    private func labelled(_ texts: [String], by turns: [SpeakerTurn]) -> Transcript {
        Transcript.sample(texts).labelled(by: turns, at: Self.time)
    }

    /// Texts with their speakers' numbers.
    private func said(_ transcript: Transcript) -> [String] {
        transcript.segments.map { segment in
            "\(segment.speaker?.dropFirst("Speaker ".count) ?? "-"): \(segment.text)"
        }
    }

    /// The parts that do not depend on the speakers: each word, its letters, time and confidence.
    private func words(_ transcript: Transcript) -> [String] {
        transcript.segments.flatMap { segment in
            segment.words.map { "\(segment.text(of: $0)) \($0.start) \($0.end) \($0.confidence ?? 0)" }
        }
    }

    @Test("are numbered in the order in which the speakers first speak")
    func order() {
        let labelled = labelled(
            ["one two", "three", "four five", "six"],
            by: [turn(7, 0, 2), turn(3, 2, 3), turn(7, 3, 5), turn(0, 5, 6)]
        )
        #expect(said(labelled) == ["1: one two", "2: three", "1: four five", "3: six"])
        #expect(labelled.source.speakers == 3)
    }

    @Test("are of a new version, by the same recognizer")
    func version() {
        let sample = Transcript.sample(["one two"])
        var source = sample.source
        source.range = 0..<1
        let base = Transcript(
            item: sample.item,
            created: sample.created,
            source: source,
            language: "en",
            segments: sample.segments
        )
        let labelled = base.labelled(by: [turn(0, 0, 2)], at: Self.time)
        #expect(labelled.source.range == nil, "no part of it was recognised again")
        #expect(labelled.id != base.id && labelled.source.base == base.id && labelled.created == Self.time)
        #expect(labelled.source.recognizer == base.source.recognizer && labelled.language == base.language)
        #expect(base.segments[0].speaker == nil)
    }

    @Test(
        "divide a segment in which two speak at the nearest gap between words",
        arguments: [
            // Words last 0.8 s and begin with each second.
            ([0.0, 2.0, 4.0], ["1: one two", "2: three four"]),
            ([0.0, 1.9, 4.0], ["1: one two", "2: three four"]),
            ([0.0, 2.3, 4.0], ["1: one two", "2: three four"]),
            ([0.0, 2.5, 4.0], ["1: one two three", "2: four"]),
            ([0.0, 0.1, 4.0], ["1: one two three four"]),
            ([0.0, 3.9, 4.0], ["1: one two three four"]),
        ]
    )
    func division(times: [Double], expected: [String]) throws {
        let base = Transcript.sample(["one two three four"])
        let turns = [turn(0, times[0], times[1]), turn(1, times[1], times[2])]
        let labelled = base.labelled(by: turns, at: Self.time)
        #expect(said(labelled) == expected)
        #expect(words(labelled) == words(base))
        try labelled.check(duration: 4)
    }

    @Test("leave every text, word, time and confidence as they are, however often speakers change")
    func kept() throws {
        let texts = ["“One,” two — three? (four) five…", "six seven", "eight nine ten"]
        let base = Transcript.sample(texts)
        let turns = (0..<30).map { turn($0 % 3, Double($0) * 0.37, Double($0) * 0.37 + 0.5) }
        let labelled = base.labelled(by: turns, at: Self.time)
        #expect(labelled.segments.count > 5)
        #expect(labelled.segments.map(\.text).joined(separator: " ") == texts.joined(separator: " "))
        #expect(words(labelled) == words(base))
        #expect(labelled.segments.allSatisfy { $0.speaker != nil })
        try labelled.check(duration: 11)
        #expect(labelled.segments.first?.time.lowerBound == 0)
        #expect(labelled.segments.last?.time.upperBound == base.segments.last?.time.upperBound)
        for (one, next) in zip(labelled.segments, labelled.segments.dropFirst()) {
            #expect(one.time.upperBound == next.time.lowerBound)
        }
    }

    @Test("keep what stands before a word with it, in scripts without spaces too")
    func marks() {
        #expect(
            said(labelled(["yes “no” yes"], by: [turn(0, 0, 0.9), turn(1, 1, 1.9), turn(0, 2, 3)])) == [
                "1: yes", "2: “no”", "1: yes",
            ]
        )
        let text = "你好"
        let words = [
            RecognizedWord(source: 0..<1, start: 0, end: 0.5), RecognizedWord(source: 1..<2, start: 1, end: 1.5),
        ]
        let segment = TranscriptSegment(time: 0..<2, text: text, words: words, timing: .tokens)
        let base = Transcript(
            item: AudioItem.ID(rawValue: "item"),
            created: Self.time,
            source: TranscriptSource(),
            language: "zh",
            segments: [segment]
        )
        #expect(said(base.labelled(by: [turn(0, 0, 0.8), turn(1, 0.8, 2)], at: Self.time)) == ["1: 你", "2: 好"])
    }

    @Test("go by the longer time where two speak at once, and stay where both do as long")
    func overlap() {
        #expect(said(labelled(["one two three"], by: [turn(0, 0, 3), turn(1, 0.9, 1.9)])) == ["1: one two three"])
        #expect(said(labelled(["one two"], by: [turn(0, 0, 0.3), turn(1, 0.3, 2)])) == ["1: one two"])
    }

    @Test("do not divide a segment whose words have no times of their own")
    func estimated() {
        var segment = TranscriptSegment(time: 0..<4, text: "one two three four")
        segment.words = segment.timedWords
        let base = Transcript(
            item: AudioItem.ID(rawValue: "item"),
            created: Self.time,
            source: TranscriptSource(),
            language: "en",
            segments: [segment, TranscriptSegment(kind: .silence, time: 4..<9)]
        )
        let labelled = base.labelled(by: [turn(0, 0, 1.5), turn(1, 1.5, 4), turn(0, 4, 9)], at: Self.time)
        #expect(said(labelled) == ["1: one two three four", "-: "])
        #expect(labelled.source.speakers == 1)
    }

    @Test("are those of the neighbors for words beside all turns, and none beside all of them")
    func gaps() {
        #expect(
            said(labelled(["one two three", "four"], by: [turn(0, 1, 1.5), turn(1, 2.1, 2.7)])) == [
                "1: one two", "2: three", "-: four",
            ]
        )
        var base = Transcript.sample(["one"], speakers: ["Anna"])
        base = base.labelled(by: [turn(0, 50, 60)], at: Self.time)
        #expect(base.segments[0].speaker == "Anna" && base.source.speakers == 0)
        #expect(said(labelled(["one"], by: [])) == ["-: one"])
    }

    @Test("are no longer those of an earlier search where nobody is heard now; a name that somebody gave stays")
    func earlierNumbers() {
        let base = Transcript.sample(["one", "two", "three"], speakers: ["Speaker 3", "Anna", "Speaker 7"])
        let labelled = base.labelled(by: [turn(4, 2, 3)], at: Self.time)
        #expect(labelled.segments.map(\.speaker) == [nil, "Anna", "Speaker 1"])
        #expect(labelled.source.speakers == 1)
    }

    @Test("give a word without length the speaker at its time")
    func pointWord() {
        var base = Transcript.sample(["one two"])
        base = Transcript(
            item: base.item,
            created: base.created,
            source: base.source,
            language: "en",
            segments: base.segments.map { segment in
                var segment = segment
                segment.words[1].end = segment.words[1].start
                return segment
            }
        )
        #expect(said(base.labelled(by: [turn(0, 0, 0.9), turn(1, 0.9, 2)], at: Self.time)) == ["1: one", "2: two"])
    }
}
