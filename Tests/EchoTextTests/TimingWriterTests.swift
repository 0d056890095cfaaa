import EchoText
import Foundation
import Testing

@Suite("Timing writer")
struct TimingWriterTests {
    private let sentence = TimedSentence(
        source: 10..<27,
        text: "Say \"<b>\" & go on",
        samples: 1_000..<3_000,
        words: [
            TimedWord(source: 10..<13, samples: 1_000..<1_500, precision: .exact),
            TimedWord(source: 22..<24, samples: 1_500..<3_000, precision: .estimated),
        ]
    )

    private func written(_ format: TimingFormat, _ sentences: [TimedSentence], samples: Int = 4_000) -> String {
        var writer = TimingWriter(format, sampleRate: 1_000)
        return writer.head + sentences.map { writer.row($0) }.joined() + writer.tail(samples: samples)
    }

    @Test("writes JSON that other programs read")
    func json() throws {
        let data = Data(written(.json, [sentence, sentence]).utf8)
        let table = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(table["duration"] as? Double == 4)
        let rows = try #require(table["sentences"] as? [[String: Any]])
        #expect(rows.count == 2)
        #expect(rows[0]["text"] as? String == sentence.text)
        #expect(rows[0]["range"] as? [Int] == [10, 27])
        let words = try #require(rows[0]["words"] as? [[String: Any]])
        #expect(words.map { $0["word"] as? String } == ["Say", "go"])
        #expect(words[1]["start"] as? Double == 1.5)
        #expect(words[1]["precision"] as? String == "estimated")
    }

    @Test("writes an empty table that is still JSON")
    func empty() throws {
        _ = try JSONSerialization.jsonObject(with: Data(written(.json, []).utf8))
        #expect(written(.vtt, []) == "WEBVTT\n\n")
    }

    @Test(
        "escapes what JSON does not allow",
        arguments: ["\u{0}", "\u{1F}", "\u{2028}", "\\", "\"", "\t\r\n", "😀", "\u{7F}"]
    )
    func escapes(_ text: String) throws {
        let row = TimedSentence(source: 0..<text.utf16.count, text: text, samples: 0..<10, words: [])
        let table = try JSONSerialization.jsonObject(with: Data(written(.json, [row]).utf8)) as? [String: Any]
        #expect((table?["sentences"] as? [[String: Any]])?.first?["text"] as? String == text)
    }

    @Test("writes SubRip")
    func srt() {
        #expect(written(.srt, [sentence]) == "1\n00:00:01,000 --> 00:00:03,000\nSay \"‹b›\" & go on\n\n")
    }

    @Test("writes WebVTT, its marks escaped")
    func vtt() {
        #expect(
            written(.vtt, [sentence]) == "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nSay \"&lt;b&gt;\" &amp; go on\n\n"
        )
    }

    @Test("counts hours")
    func hours() {
        var late = sentence
        late.samples = 36_061_001..<36_062_000
        #expect(written(.srt, [late]).contains("10:01:01,001 --> 10:01:02,000"))
    }

    @Test("shows a long sentence in several captions, none too long, none without time")
    func longSentence() {
        let words = (0..<60).map { "word\($0)" }
        let text = words.joined(separator: " ")
        var start = 0
        let timed = words.enumerated().map { index, word in
            defer { start += word.utf16.count + 1 }
            return TimedWord(
                source: start..<start + word.utf16.count,
                samples: index * 100..<index * 100 + 90,
                precision: .exact
            )
        }
        let sentence = TimedSentence(source: 0..<text.utf16.count, text: text, samples: 0..<6_000, words: timed)
        let lines = written(.srt, [sentence]).split(separator: "\n").map(String.init)
        let captions = lines.filter { $0.hasPrefix("word") }
        #expect(captions.count > 4)
        #expect(captions.allSatisfy { $0.count <= 84 })
        #expect(captions.joined(separator: " ") == text)
    }
}
