import EchoText
import Foundation
import Testing

@Suite("An edited transcript")
struct TranscriptEditTests {
    private let base = Transcript.sample(["one two three", "four five six"])
    private let now = Date(timeIntervalSince1970: 1_790_000_100)

    private func edited(_ segments: [TranscriptEdit.Segment], of transcript: Transcript? = nil) throws
        -> [TranscriptSegment]
    {
        try (transcript ?? base).edited(by: TranscriptEdit(segments), duration: 100, at: now).segments
    }

    private func segment(_ time: Range<Double>, _ text: String, speaker: String? = nil) -> TranscriptEdit.Segment {
        TranscriptEdit.Segment(time: time, text: text, speaker: speaker)
    }

    @Test("is a version of its own that names the one it changes")
    func source() throws {
        let edited = try base.edited(by: TranscriptEdit([]), duration: 100, at: now)
        #expect(edited.id != base.id)
        #expect(edited.source.base == base.id)
        #expect(edited.source.recognizer == nil)
        #expect((edited.item, edited.language, edited.created) == (base.item, base.language, now))
    }

    @Test("knows how many words and which speakers are new, and is compared with the origin when it replaces this one")
    func changes() throws {
        let first = try TranscriptEdit([
            segment(0..<3, "one two twenty", speaker: "Anna"), segment(3..<6, "four five six"),
        ])
        let edited = try base.edited(by: first, duration: 100, at: now)
        #expect(edited.source.changes == TranscriptChanges(words: 1, speakers: ["Anna"]))
        let second = try TranscriptEdit([
            segment(0..<3, "one two twenty", speaker: "Anna"), segment(3..<6, "four six", speaker: "Bert"),
        ])
        let again = try edited.edited(by: second, duration: 100, at: now, since: base)
        #expect(again.source.base == base.id)
        #expect(again.source.changes == TranscriptChanges(words: 2, speakers: ["Anna", "Bert"]))
    }

    @Test("keeps segments that nobody changed as they were, but for their speakers")
    func unchanged() throws {
        let edited = try edited([segment(0..<3, "one two three", speaker: "Anna"), segment(3..<6, "four five six")])
        var named = base.segments[0]
        named.speaker = "Anna"
        #expect(edited == [named, base.segments[1]])
    }

    @Test("keeps the times of words that stay, and puts new ones between their neighbors")
    func rewritten() throws {
        let edited = try edited([segment(0..<3, "One, twenty two and three.")])
        let words = edited[0].words
        #expect(words.map { edited[0].text(of: $0) } == ["One,", "twenty", "two", "and", "three."])
        #expect(words.map(\.isEstimated) == [false, true, false, true, false])
        #expect([words[0].start, words[2].start, words[4].start] == [0, 1, 2])
        #expect(words[1].start >= words[0].end && words[1].end <= words[2].start)
        #expect(words.map(\.confidence) == [0.9, nil, 0.9, nil, 0.9])
        #expect((edited[0].timing, edited[0].remark) == (.words, .edited))
    }

    @Test("keeps times when a segment is divided at a guessed place")
    func divided() throws {
        let edited = try edited([
            segment(0..<1.4, "one"), segment(1.4..<3, "two three"), segment(3..<6, "four five six"),
        ])
        #expect(edited[0].words.map(\.start) == [0])
        #expect(edited[1].words.map(\.start) == [1.4, 2])
        #expect(edited[1].words.map(\.isEstimated) == [false, false])
        #expect(edited[2] == base.segments[1])
    }

    @Test("keeps times when segments are joined")
    func joined() throws {
        let edited = try edited([segment(0..<6, "one two three four five six")])
        #expect(edited[0].words.map(\.start) == [0, 1, 2, 3, 4, 5])
    }

    @Test("is sure of the words that a person has accepted, wherever else the segment is changed")
    func accepted() throws {
        func accepting(_ text: String, _ accepted: [Double]) -> TranscriptEdit.Segment {
            TranscriptEdit.Segment(time: 0..<3, text: text, accepted: accepted)
        }
        let same = try edited([accepting("one two three", [1, 50])])
        #expect(same[0].words.map(\.confidence) == [0.9, 1, 0.9])
        #expect(same[0].remark == base.segments[0].remark)
        let changed = try edited([accepting("One, twenty two and three.", [2])])
        #expect(changed[0].words.map(\.confidence) == [0.9, nil, 0.9, nil, 1])
        for wrong in [-1, Double.infinity, Double.nan] {
            #expect(throws: TranscriptError.invalidSegments) { try TranscriptEdit([accepting("one", [wrong])]) }
        }
    }

    @Test("leaves out a segment that is deleted")
    func deleted() throws {
        #expect(try edited([segment(3..<6, "four five six")]) == [base.segments[1]])
    }

    @Test("has only estimated times for words that are all new")
    func allNew() throws {
        let edited = try edited([segment(0..<3, "nothing alike")])
        #expect(edited[0].timing == .none)
        #expect(!edited[0].words.contains { !$0.isEstimated })
    }

    @Test("has texts of one line and tidy names")
    func tidy() throws {
        let edited = try edited([segment(0..<3, " one\n\ttwo\u{0} three ", speaker: "  Anna \n B ")])
        #expect(edited[0].text == "one two three")
        #expect(edited[0].speaker == "Anna B")
    }

    @Test(
        "has no marks that turn the direction of what stands beside it",
        arguments: ["\u{202E}", "\u{2066}", "\u{200F}"]
    )
    func directions(_ mark: String) throws {
        let edited = try edited([segment(0..<3, "one \(mark)two שלום", speaker: "An\(mark)na")])
        #expect(edited[0].text == "one two שלום" && edited[0].speaker == "Anna")
    }

    @Test(
        "is refused",
        arguments: [
            [TranscriptEdit.Segment(time: -1..<2, text: "a")],
            [.init(time: 0..<Double.infinity, text: "a")],
            [.init(kind: .silence, time: 0..<2, text: "a")],
        ]
    )
    func refused(_ segments: [TranscriptEdit.Segment]) {
        #expect(throws: TranscriptError.invalidSegments) { try edited(segments) }
    }

    @Test("is refused where a segment ends behind the recording, and which is said")
    func behindEnd() {
        let segments = [segment(0..<0.5, "a"), segment(5..<400.04, "b")]
        let error = TranscriptError.segmentBehindEnd(number: 2, end: 400.04, duration: 100)
        #expect(throws: error) { try edited(segments) }
        #expect(error.failure.message == "Segment 2 ends at 400.0 s, and the recording at 100.0 s.")
    }

    @Test("is refused where segments overlap, and which is said", arguments: [1.0, 5])
    func overlapping(start: Double) {
        let segments = [segment(0..<0.5, "a"), segment(5..<6.25, "b"), segment(start..<start + 3, "c")]
        let error = TranscriptError.segmentsOverlap(number: 3, start: start, end: 6.25)
        #expect(throws: error) { try edited(segments) }
        #expect(error.failure.message == "Segment 3 begins at \(start) s, before segment 2 ends at 6.25 s.")
    }

    @Test("is refused beyond its limits, and what is refused is said")
    func beyondLimits() {
        let text = String(repeating: "a", count: TranscriptEdit.longestText + 1)
        #expect(throws: TranscriptError.textTooLong(limit: 20_000)) { try edited([segment(0..<2, text)]) }
        let name = String(repeating: "b", count: TranscriptEdit.longestSpeaker + 1)
        #expect(throws: TranscriptError.speakerTooLong(limit: 80)) { try edited([segment(0..<2, "a", speaker: name)]) }
        let many = Array(repeating: segment(0..<0, "a"), count: TranscriptEdit.maximumSegments + 1)
        #expect(throws: TranscriptError.tooManySegments(limit: 20_000)) { try edited(many) }
    }

    @Test("of four hours keeps every word when a person only names the speakers")
    func long() throws {
        let line = "this is a line of ten words as people say"
        let long = Transcript.sample((0..<4_000).map { "\($0) \(line)" })
        let segments = long.segments.map { segment($0.time, $0.text, speaker: "Anna") }
        let edited = try long.edited(by: TranscriptEdit(segments), duration: 50_000, at: now)
        #expect(edited.segments.map(\.words) == long.segments.map(\.words))
    }

    // MARK: - Files of other programs

    private func file(_ text: String, of transcript: Transcript? = nil) throws -> [TranscriptEdit.Segment] {
        try TranscriptEdit(file: text, of: transcript ?? base, duration: 6).segments
    }

    private func with(_ segments: [TranscriptSegment]) -> Transcript {
        Transcript(
            item: base.item,
            created: base.created,
            source: base.source,
            language: base.language,
            segments: segments
        )
    }

    @Test("is read of captions, whose times are in order and within the recording")
    func captions() throws {
        let written = """
            1
            00:00:00,000 --> 00:00:03,200
            one two
            three

            2
            00:00:03,000 --> 00:00:07,500
            <i>four</i> five
            """
        #expect(try file(written) == [segment(0..<3.2, "one two three"), segment(3.2..<6, "four five")])
        #expect(try file("\u{FEFF}" + written).count == 2)
    }

    @Test("names the speakers that WebVTT names, and those of SubRip that the version before knows")
    func speakers() throws {
        let voices = "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Anna>one two\n<v Bert>six\n"
        let spoken = try file(voices)
        #expect(spoken.map(\.speaker) == ["Anna", "Bert"] && spoken.map(\.text) == ["one two", "six"])
        #expect(spoken[0].time.upperBound == spoken[1].time.lowerBound && spoken[1].time.upperBound == 4)

        var first = base.segments[0]
        first.speaker = "Anna"
        let named = with([first, base.segments[1]])
        let captions = """
            1
            00:00:00,000 --> 00:00:01,000
            Anna: one

            2
            00:00:01,000 --> 00:00:02,000
            Note: two
            """
        let read = try file(captions, of: named)
        #expect(read.map(\.speaker) == ["Anna", "Anna"] && read.map(\.text) == ["one", "Note: two"])
        #expect(try file(captions).map(\.text) == ["Anna: one", "Note: two"])
    }

    @Test(
        "knows speakers whose names have signs that captions write otherwise",
        arguments: [CaptionWriter.Format.subRip, .webVTT]
    )
    func signsInNames(format: CaptionWriter.Format) throws {
        var (first, second) = (base.segments[0], base.segments[1])
        (first.speaker, second.speaker) = ("Anna", "B & <c>")
        let named = with([first, second])
        let read = try file(WrittenTranscript(named, title: "Talk").captions(format), of: named)
        #expect(read.map(\.speaker) == ["Anna", "B & <c>"] && read.map(\.text) == [first.text, second.text])
    }

    @Test("keeps what no name of HTML is in the names of WebVTT, and no control characters")
    func signsInVoices() throws {
        let read = try file("WEBVTT\n\n00:00.000 --> 00:04.000\n<v R&amp;D &nosuch; &#7;&#10;&#x41;>one two\n")
        #expect(read.map(\.speaker) == ["R&D &nosuch; A"])
    }

    @Test("leaves those without a name who follow somebody with one in SubRip")
    func nameless() throws {
        var first = base.segments[0]
        first.speaker = "Anna"
        let named = with([first, base.segments[1]])
        let captions = WrittenTranscript(named, title: "Talk").captions(.subRip)
        #expect(captions.contains("Anna: one"))
        let read = try file(captions, of: named)
        #expect(read.map(\.speaker) == ["Anna", nil] && read.map(\.text) == ["one two three", "four five six"])
    }

    @Test(
        "keeps every sign of captions that nobody has changed, and every name",
        arguments: [CaptionWriter.Format.subRip, .webVTT]
    )
    func signs(_ format: CaptionWriter.Format) throws {
        let texts = ["Was 5 < 6 and <b>bold</b>?", "♪ the tide ♪", "AT&amp;T --> here", "{\\an8}the end"]
        let marked = Transcript.sample(texts, speakers: ["Anna: B", "Anna", nil, "Anna: B"])
        let duration = marked.segments.last?.time.upperBound ?? 0
        func read(_ captions: String) throws -> [TranscriptEdit.Segment] {
            try TranscriptEdit(file: captions, of: marked, duration: duration).segments
        }
        let captions = WrittenTranscript(marked, title: "Talk").captions(format)
        #expect(try read(captions).map(\.text) == texts)
        #expect(try read(captions).map(\.speaker) == marked.segments.map(\.speaker))
        let changed = try read(captions.replacing("♪ the tide ♪", with: "the tide").replacing("end", with: "start"))
        // SubRip gets a sign that is no mark; the one of WebVTT is read as a mark.
        let end = format == .subRip ? "{＼an8}the start" : "the start"
        #expect(changed.map(\.text) == [texts[0], "the tide", texts[2], end])
    }

    @Test("keeps what captions cannot show, where nothing is said now")
    func notUnderstood() throws {
        let gaps = [0..<1.0, 4..<5].map { TranscriptSegment(kind: .notUnderstood, time: $0) }
        var spoken = base.segments[0]
        spoken.time = 1..<3
        let partial = with([gaps[0], spoken, gaps[1]])
        let read = try file("WEBVTT\n\n00:02.000 --> 00:04.500\none two\n", of: partial)
        #expect(read == [.init(kind: .notUnderstood, time: 0..<1, text: ""), segment(2..<4.5, "one two")])
    }

    @Test("read again as it was written changes nothing")
    func unchangedFile() throws {
        var first = base.segments[0]
        first.time = 0..<3.000_4
        let exact = with([first])
        let written = WrittenTranscript(exact, title: "Talk").json
        let again = try exact.edited(by: TranscriptEdit(file: written, of: exact, duration: 6), duration: 6, at: now)
        #expect(again.segments == exact.segments)
    }

    @Test("of another library's file is compared with that for marks, exact times and confidence that it does not have")
    func otherLibrary() throws {
        let mark = WrittenTranscript.Mark(seconds: 1.000_4, label: "Greeting")
        let written = WrittenTranscript(base, title: "Talk", marks: [mark]).json
        func omissions(of file: String, since base: Transcript) throws -> TranscriptOmissions {
            let edit = try TranscriptEdit(file: file, of: base, duration: 6)
            let edited = try base.edited(by: edit, duration: 6, at: now)
            return TranscriptOmissions(of: file, in: edited, marks: base.segments.isEmpty ? [] : [mark])
        }
        #expect(try omissions(of: written, since: base).words == nil)
        let changed = written.replacing(#""text":"one two"#, with: #""text":"one more"#)
        #expect(try omissions(of: changed, since: base).words == nil, "a word that is gone misses no time")
        let other = try omissions(of: written, since: with([]))
        #expect((other.marks, other.times, other.confidences) == (1, 6, 6))
        #expect(
            other.words
                == "not taken from the file: 1 mark, the exact times of 6 words, the confidence of 6 words"
        )
        let captions = WrittenTranscript(base, title: "Talk").captions(.subRip)
        #expect(try omissions(of: captions, since: with([])).words == nil)
        let words = #"[{"word":"one","start":1e308}]"#
        let hostile = #"{"segments":[{"start":0,"end":1,"text":"one","words":\#(words)}],"marks":0}"#
        #expect(try omissions(of: hostile, since: base).times == 1)
    }

    @Test("of WebVTT is compared with the comments that it has, besides those of the recording's marks")
    func comments() throws {
        let marks = [(1, "A < B"), (2, nil)].map { WrittenTranscript.Mark(seconds: $0, label: $1) }
        func omissions(of file: String) throws -> TranscriptOmissions {
            let edit = try TranscriptEdit(file: file, of: base, duration: 6)
            let edited = try base.edited(by: edit, duration: 6, at: now)
            return TranscriptOmissions(of: file, in: edited, marks: marks)
        }
        let written = WrittenTranscript(base, title: "Talk", marks: marks).captions(.webVTT)
        #expect(try omissions(of: written).words == nil, "the marks are there")
        let remarks = "NOTE\nCheck this name,\nand that.\n\nNOTE\n\nNOTE to be cut\n\nSTYLE\n::cue { color: red }\n\n"
        let commented = written.replacing("WEBVTT\n\n", with: "WEBVTT\n\n\(remarks)")
        #expect(commented != written)
        for text in [commented, "\u{FEFF}\(commented)", commented.replacing("\n", with: "\r\n")] {
            #expect(try omissions(of: text).words == "not taken from the file: 2 comments")
        }
        #expect(try omissions(of: written.replacing("A &lt; B", with: "gone")).comments == 1)
        let captions = WrittenTranscript(base, title: "Talk").captions(.subRip)
        #expect(try omissions(of: captions).comments == 0)
    }

    @Test("of WebVTT does not miss the comments on what was not understood, also where words stand there now")
    func commentsOnGaps() throws {
        var spoken = base.segments[0]
        spoken.time = 0..<3
        let partial = with([spoken, TranscriptSegment(kind: .notUnderstood, time: 4..<5)])
        func omissions(of file: String, from version: Transcript?) throws -> TranscriptOmissions {
            let edit = try TranscriptEdit(file: file, of: version, duration: 6)
            let edited = try (version ?? with([])).edited(by: edit, duration: 6, at: now)
            return TranscriptOmissions(of: file, in: edited, from: version, marks: [])
        }
        let written = WrittenTranscript(partial, title: "Talk").captions(.webVTT)
        #expect(written.contains("NOTE not understood at 0:04, 0:01\n\n"))
        #expect(try omissions(of: written, from: partial).words == nil)
        let filled = "\(written)00:00:04.000 --> 00:00:05.000\nthree\n\n"
        #expect(try omissions(of: filled, from: partial).words == nil)
        #expect(try omissions(of: written, from: nil).words == "not taken from the file: 1 comment")
    }

    @Test(
        "is refused where a file has no words for a transcript, or its times run backwards",
        arguments: [
            ("", .unreadableFile), ("one two three", .unreadableFile), ("{}", .unreadableFile),
            ("WEBVTT\n", .unreadableFile), (#"{"segments":[]}"#, .unreadableFile),
            (#"{"segments":[{"start":2,"end":1,"text":"one"}]}"#, .segmentBackwards(number: 1)),
            (
                #"{"segments":[{"start":0,"end":2,"text":"one"},{"start":1,"end":3,"text":"two"}]}"#,
                .segmentsOverlap(number: 2, start: 1, end: 2)
            ),
        ] as [(String, TranscriptError)]
    )
    func unreadable(text: String, error: TranscriptError) {
        #expect(throws: error) { try file(text) }
    }

    /// Captions of two segments with a pause that was not understood between them, whose times SubRip has to round.
    private func roundedCaptions(until end: String) -> String {
        "1\n00:00:00,000 --> 00:00:01,000\none two three\n\n2\n00:00:02,000 --> 00:00:0\(end)\nfour five six\n"
    }

    @Test("has the exact times of the version before beside a caption whose end was changed")
    func roundedTimes() throws {
        var (first, second) = (base.segments[0], base.segments[1])
        (first.time, second.time) = (0..<1.000_4, 2.000_4..<4)
        let pause = TranscriptSegment(kind: .notUnderstood, time: 1.000_4..<2.000_4)
        let read = try file(roundedCaptions(until: "5,000"), of: with([first, pause, second]))
        #expect(read.map(\.time) == [0..<1.000_4, 1.000_4..<2.000_4, 2.000_4..<5])
        #expect(read.map(\.kind) == [.speech, .notUnderstood, .speech])
    }

    @Test("has no overlap where the exact end of a caption is behind the rounded start of a changed one")
    func roundedOverlap() throws {
        var first = base.segments[0]
        first.time = 0..<2.000_4
        let captions = """
            1
            00:00:00,000 --> 00:00:02,000
            one two three

            2
            00:00:02,000 --> 00:00:03,000
            new words
            """
        #expect(try file(captions, of: with([first])).map(\.time) == [0..<2.000_4, 2.000_4..<3])
    }

    @Test(
        "is refused with times before the beginning, without end or far beyond the recording",
        arguments: [("-1", "2"), ("0", "1e308"), ("1e308", "1e308"), ("0", "1e999"), ("1e999", "1e999"), ("0", "NaN")]
    )
    func hostileTimes(start: String, end: String) {
        let written = #"{"segments":[{"start":\#(start),"end":\#(end),"text":"one"}]}"#
        #expect(throws: TranscriptError.self) {
            try base.edited(by: TranscriptEdit(file: written, of: base, duration: 6), duration: 6, at: now)
        }
    }

    @Test("is refused with a time in captions that no recording has")
    func hostileCaptions() {
        let written = "1\n999999999:59:59,999 --> 999999999:59:59,999\n<b>one\n"
        let error = #expect(throws: TranscriptError.self) {
            try base.edited(by: TranscriptEdit(file: written, of: base, duration: 6), duration: 6, at: now)
        }
        #expect(error?.failure.code == "transcript.segment-behind-end")
    }
}

@Suite("A part of a transcript that is recognized again")
struct TranscriptRangeTests {
    private let base = Transcript.sample(["one two three", "four five six", "seven eight nine"])

    private func texts(_ range: Range<Double>, _ recognized: [TranscriptSegment]) -> [String] {
        base.segments(replacing: range, by: recognized).map(\.text)
    }

    @Test("takes the place of whole segments")
    func whole() {
        let recognized = TranscriptSegment(time: 3..<6, text: "for fife")
        #expect(texts(3..<6, [recognized]) == ["one two three", "for fife", "seven eight nine"])
    }

    @Test("leaves segments without length once and where they are", arguments: [1.0..<2, 3.0..<5, 6.0..<7])
    func withoutLength(range: Range<Double>) throws {
        let times: [Range<Double>] = [0..<1, 2..<2, 2..<3, 5..<5, 5..<6, 8..<8]
        let segments = times.map { TranscriptSegment(time: $0, text: "\($0.lowerBound)") }
        let base = Transcript(
            item: AudioItem.ID(),
            created: Date(),
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
        #expect(base.segments(replacing: range, by: []) == segments, "none is in the part")
    }

    @Test("leaves the words before and after it")
    func partly() {
        let recognized = TranscriptSegment(time: 2..<7, text: "new")
        let segments = base.segments(replacing: 2..<7, by: [recognized])
        #expect(segments.map(\.text) == ["one two", "new", "eight nine"])
        #expect(segments.map(\.time) == [0..<2, 2..<7, 7..<9])
        #expect(segments[2].words.map(\.start) == [7, 8])
        #expect(segments[2].words.map(\.source) == [0..<5, 6..<10])
    }

    @Test("can lie within one segment")
    func within() {
        #expect(
            texts(1..<2, [TranscriptSegment(time: 1..<2, text: "new")]) == ["one", "new", "three"]
                + texts(0..<0, []).dropFirst()
        )
    }

    @Test("may be empty, and what is heard outside it is cut off")
    func outside() {
        #expect(texts(3..<6, []) == ["one two three", "seven eight nine"])
        let wide = Transcript.sample(["a b c d e f g h i"]).segments
        #expect(texts(3..<6, wide) == ["one two three", "d e f", "seven eight nine"])
    }
}

@Suite("Words that are found in a transcript")
struct TranscriptMatchTests {
    @Test("stand one after another within a segment, the last perhaps only begun")
    func matches() throws {
        let transcript = Transcript.sample(["The cat sat", "the CAT; the catalogue"])
        let words = try #require(SearchWords("the cat"))
        let matches = transcript.matches(of: words)
        #expect(matches.map(\.segment) == [0, 1, 1])
        #expect(matches.map(\.source) == [0..<7, 0..<7, 9..<22])
        #expect(matches.map(\.time.lowerBound) == [0, 3, 5])
        #expect(transcript.matches(of: words, limit: 2).count == 2)
        #expect(transcript.matches(of: try #require(SearchWords("dog"))).isEmpty)
    }
}
