import EchoText
import Foundation
import Testing

@Suite("A written transcript")
struct WrittenTranscriptTests {
    private let talk = Transcript.sample(
        ["Hello there.", "Say \"<b>\" & go, on", "Bye"],
        speakers: ["Anna", "Bob <b>", "Bob <b>"],
        gap: 0.5
    )

    private func written(_ transcript: Transcript, title: String = "Talk") -> WrittenTranscript {
        WrittenTranscript(transcript, title: title)
    }

    @Test("has a paragraph for what a speaker says without a long pause")
    func plain() {
        #expect(
            written(talk).plainText == "Anna: Hello there.\n\nBob <b>: Say \"<b>\" & go, on Bye\n"
        )
        var timed = written(.sample(["One.", "Two."], gap: 3_600))
        timed.showsTimes = true
        #expect(timed.plainText == "[0:00] One.\n\n[1:00:01] Two.\n")
    }

    /// A mark within the first segment, one before the second, and one after all.
    private static let marks: [WrittenTranscript.Mark] = [
        WrittenTranscript.Mark(seconds: 0.5, label: "Greeting"), WrittenTranscript.Mark(seconds: 1.25, label: nil),
        WrittenTranscript.Mark(seconds: 90, label: "End, of it"),
    ]

    @Test("has a line for each mark, before the passage in which it is")
    func marks() {
        var marked = WrittenTranscript(.sample(["One.", "Two."], gap: 0.5), title: "Talk", marks: Self.marks)
        #expect(
            marked.plainText.components(separatedBy: "\n\n") == [
                "[mark at 0:00: Greeting]", "One.", "[mark at 0:01]", "Two.", "[mark at 1:30: End, of it]\n",
            ]
        )
        #expect(marked.markdown.contains("\n\\[mark at 0:00: Greeting\\]\n\nOne.\n"))
        #expect(
            marked.table.components(separatedBy: "\r\n").filter { $0.contains("mark") } == [
                "0.500,0.500,,[mark at 0:00: Greeting]", "1.250,1.250,,[mark at 0:01]",
                "90.000,90.000,,\"[mark at 1:30: End, of it]\"",
            ]
        )
        marked.showsTimes = true
        #expect(marked.plainText.hasPrefix("[0:00] [mark: Greeting]\n\n[0:00] One.\n\n[0:01] [mark]\n"))
    }

    @Test("has the marks in JSON")
    func marksInJSON() throws {
        let written = WrittenTranscript(.sample(["One."]), title: "Talk", marks: Self.marks)
        let table = try #require(try JSONSerialization.jsonObject(with: Data(written.json.utf8)) as? [String: Any])
        let marks = try #require(table["marks"] as? [[String: Any]])
        #expect(marks.map { $0["seconds"] as? Double } == [0.5, 1.25, 90])
        #expect(marks.map { $0["label"] as? String } == ["Greeting", nil, "End, of it"])
    }

    @Test("has the marks as comments in WebVTT, where no player takes them for captions, and not in SubRip")
    func marksInCaptions() {
        let marks = Self.marks + [WrittenTranscript.Mark(seconds: 91, label: "<b> --> 00:00:09.000 & so on")]
        let marked = WrittenTranscript(.sample(["One.", "Two."], gap: 0.5), title: "Talk", marks: marks)
        let blocks = marked.captions(.webVTT).components(separatedBy: "\n\n")
        #expect(blocks.filter { $0.hasPrefix("NOTE") }.count == 4)
        #expect(Array(blocks[...1]) == ["WEBVTT", "NOTE mark at 0:00: Greeting"])
        #expect(blocks[2].hasSuffix("One.") && blocks[3] == "NOTE mark at 0:01" && blocks[4].hasSuffix("Two."))
        #expect(blocks[5] == "NOTE mark at 1:30: End, of it")
        #expect(blocks[6] == "NOTE mark at 1:31: &lt;b&gt; --&gt; 00:00:09.000 &amp; so on")
        let plain = WrittenTranscript(.sample(["One.", "Two."], gap: 0.5), title: "Talk")
        #expect(marked.captions(.subRip) == plain.captions(.subRip))
    }

    @Test("joins Chinese without spaces")
    func chinese() {
        #expect(written(.sample(["你好。", "再见。"])).plainText == "你好。再见。\n")
    }

    @Test(
        "escapes what Markdown would take for marks",
        arguments: [
            ("a*b_c", "a\\*b\\_c"), ("# no", "\\# no"), ("- no", "\\- no"), ("1. no", "1\\. no"),
            ("12) no", "12\\) no"),
            ("<b>", "\\<b\\>"), ("1.5 is", "1\\.5 is"), ("well - yes", "well - yes"),
        ]
    )
    func markdown(_ text: String, _ escaped: String) {
        #expect(written(.sample([text])).markdown == "# Talk\n\n\(escaped)\n")
    }

    @Test("names speakers in Markdown")
    func markdownSpeakers() {
        #expect(written(talk, title: "A [talk]").markdown.hasPrefix("# A \\[talk\\]\n\n**Anna:** Hello there.\n"))
    }

    @Test("is SubRip, which names a speaker who is another than before")
    func subRip() {
        #expect(
            written(talk).captions(.subRip) == """
                1
                00:00:00,000 --> 00:00:01,800
                Anna: Hello there.

                2
                00:00:02,500 --> 00:00:07,300
                Bob ‹b›: Say "‹b›" & go, on

                3
                00:00:08,000 --> 00:00:08,833
                Bye


                """
        )
    }

    @Test("is SubRip without marks that a player would obey")
    func subRipMarks() {
        let text = "<font size=99>a</font> --> 00:00:01,000 --> 00:00:09,000"
        let captions = written(.sample([text])).captions(.subRip)
        #expect(!captions.contains("<") && captions.contains("‹font"))
        #expect(captions.components(separatedBy: "-->").count == captions.components(separatedBy: "\n\n").count)
    }

    @Test("is WebVTT, with voices and its marks escaped")
    func webVTT() {
        #expect(
            written(talk).captions(.webVTT).hasPrefix(
                """
                WEBVTT

                00:00:00.000 --> 00:00:01.800
                <v Anna>Hello there.

                00:00:02.500 --> 00:00:07.300
                <v Bob &lt;b&gt;>Say "&lt;b&gt;" &amp; go, on


                """
            )
        )
    }

    @Test("is a table by RFC 4180")
    func table() {
        #expect(
            written(talk).table == """
                start,end,speaker,text\r
                0.000,2.000,Anna,Hello there.\r
                2.500,7.500,Bob <b>,"Say ""<b>"" & go, on"\r
                8.000,9.000,Bob <b>,Bye\r

                """
        )
        var words = written(.sample(["One, two"]))
        words.isByWord = true
        #expect(
            words.table == """
                start,end,speaker,word,confidence,estimated\r
                0.000,0.800,,"One,",0.900,false\r
                1.000,1.800,,two,0.900,false\r

                """
        )
    }

    @Test(
        "is a table in which a spreadsheet finds no formula, in text, speaker or word",
        arguments: [
            "=1", "+1", "-x", "@SUM(1)", "=cmd|'/C calc'!A0", "\t=1", "\r=1", " =1", "\u{A0}@x", "＝1", "＋1", "－1",
            "＠1",
        ]
    )
    func formulas(text: String) {
        var written = written(.sample([text], speakers: [text]))
        let spoken = written.table.components(separatedBy: "\r\n")[1]
        let isQuoted = text.contains("\r")
        let cell = isQuoted ? "\"'\(text)\"" : "'\(text)"
        #expect(spoken.hasPrefix("0.000,") && spoken.hasSuffix(",\(cell),\(cell)"))
        written.isByWord = true
        for row in written.table.components(separatedBy: "\r\n").dropFirst() where !row.isEmpty {
            #expect(row.components(separatedBy: cell).count >= 2, "\(row)")
            #expect(!row.contains(",\(text)") && !row.contains(",\"\(text)"), "\(row)")
        }
    }

    @Test("is JSON with every word")
    func json() throws {
        let data = Data(written(talk).json.utf8)
        let table = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(table["version"] as? Int == 1)
        #expect(table["recognizer"] as? String == "sherpa/tiny")
        let segments = try #require(table["segments"] as? [[String: Any]])
        #expect(segments.map { $0["speaker"] as? String } == ["Anna", "Bob <b>", "Bob <b>"])
        #expect(segments[1]["text"] as? String == "Say \"<b>\" & go, on")
        #expect(segments[0]["remark"] is NSNull)
        let words = try #require(segments[1]["words"] as? [[String: Any]])
        #expect(words.map { $0["word"] as? String } == ["Say", "\"<b>\"", "&", "go,", "on"])
        #expect(words[1]["start"] as? Double == 3.5)
        #expect(words[1]["range"] as? [Int] == [4, 9])
        #expect(words[1]["estimated"] as? Bool == false)
    }

    @Test(
        "has text from the right and of any script as it is",
        arguments: ["שלום, עולם", "مرحبا \"بك\"", "今天。", "😀 õ"]
    )
    func scripts(_ text: String) throws {
        let transcript = written(.sample([text]))
        #expect(transcript.plainText == text + "\n")
        #expect(transcript.captions(.webVTT).contains("\n\(text)\n"))
        #expect(transcript.table.contains(text.contains("\"") ? text.replacing("\"", with: "\"\"") : text))
        let json = try JSONSerialization.jsonObject(with: Data(transcript.json.utf8)) as? [String: Any]
        #expect((json?["segments"] as? [[String: Any]])?.first?["text"] as? String == text)
    }

    @Test("of nothing is empty in every format")
    func empty() throws {
        for transcript in [Transcript.sample([]), .sample([""])] {
            let written = written(transcript)
            #expect(written.plainText.isEmpty)
            #expect(written.markdown == "# Talk\n")
            #expect(written.captions(.subRip).isEmpty)
            #expect(written.captions(.webVTT) == "WEBVTT\n\n")
            #expect(written.table == "start,end,speaker,text\r\n")
            _ = try JSONSerialization.jsonObject(with: Data(written.json.utf8))
        }
    }
}
