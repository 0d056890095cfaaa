import Foundation

/// How a transcript is stored outside the library.
package enum TranscriptFormat: String, Sendable, Hashable, CaseIterable {
    /// Paragraphs.
    case txt
    /// Paragraphs under a title, in Markdown.
    case md
    /// SubRip captions.
    case srt
    /// WebVTT captions.
    case vtt
    /// Everything that is known of it.
    case json
    /// A table.
    case csv
    /// A document for Word and LibreOffice.
    case docx

    /// The format that the ending of `fileName` names.
    package init?(fileName: String) {
        self.init(rawValue: (fileName as NSString).pathExtension.lowercased())
    }
}

/// A transcript, written for a person or another program.
///
/// ```swift
/// let written = WrittenTranscript(transcript, title: item.name.text)
/// let captions = written.captions(.subRip)
/// ```
package struct WrittenTranscript: Sendable {
    package let transcript: Transcript
    /// The recording's name.
    package let title: String
    /// The places that a person has marked, by time.
    package let marks: [Mark]
    /// The segments, by index, that begin a paragraph wherever the pauses are.
    package let openings: Set<Int>
    /// Whether paragraphs say when they begin.
    package var showsTimes: Bool
    /// Whether a table has a row for each word instead of each segment.
    package var isByWord: Bool

    package init(
        _ transcript: Transcript,
        title: String,
        marks: [Mark] = [],
        openings: Set<Int> = [],
        showsTimes: Bool = false,
        isByWord: Bool = false
    ) {
        self.transcript = transcript
        self.title = title
        self.marks = marks
        self.openings = openings
        self.showsTimes = showsTimes
        self.isByWord = isByWord
    }

    /// A place that a person has marked.
    package struct Mark: Sendable, Hashable {
        /// In seconds from the start of the recording.
        package let seconds: Double
        package let label: String?

        package init(seconds: Double, label: String?) {
            (self.seconds, self.label) = (seconds, label)
        }

        package init(_ mark: RecordingMark, of item: AudioItem) {
            self.init(seconds: mark.seconds(at: item.sampleRate), label: mark.label)
        }
    }

    /// The speech of one speaker without a long pause.
    package struct Paragraph: Sendable, Hashable {
        package var speaker: String?
        /// In seconds from the start of the recording.
        package var start: Double
        package var text: String
    }

    /// The transcript, divided at changes of speaker, at pauses, at marks and at the openings of paragraphs, with a note
    /// for each mark and each passage that was not understood.
    package var paragraphs: [Paragraph] {
        var paragraphs: [Paragraph] = []
        var beginnings = TranscriptParagraphs(longest: .max)
        var marks = marks[...]
        for (index, segment) in transcript.segments.enumerated() where segment.isWritten {
            while let mark = marks.first, mark.seconds < segment.time.upperBound {
                paragraphs.append(Paragraph(speaker: nil, start: mark.seconds, text: note(on: mark)))
                marks.removeFirst()
                beginnings.end()
            }
            if openings.contains(index) { beginnings.end() }
            let begins = beginnings.begins(with: segment)
            if let note = segment.note {
                paragraphs.append(Paragraph(speaker: nil, start: segment.time.lowerBound, text: note))
            } else if begins {
                let start = segment.words.first?.start ?? segment.time.lowerBound
                paragraphs.append(Paragraph(speaker: segment.speaker, start: start, text: segment.text))
            } else {
                let text = paragraphs[paragraphs.count - 1].text
                paragraphs[paragraphs.count - 1].text += Self.separator(text, segment.text) + segment.text
            }
        }
        return paragraphs + marks.map { Paragraph(speaker: nil, start: $0.seconds, text: note(on: $0)) }
    }

    /// The note that stands for a mark in a text, before the passage in which it is.
    private func note(on mark: Mark) -> String {
        let place = showsTimes ? "" : " at " + Self.clock(mark.seconds)
        let label = mark.label.map { ": \($0)" } ?? ""
        return "[mark\(place)\(label)]"
    }

    /// The separator between two segments: empty where the words have no spaces either.
    fileprivate static func separator(_ before: String, _ after: String) -> String {
        let isDense = before.unicodeScalars.last?.isFullWidth == true && after.unicodeScalars.first?.isFullWidth == true
        return isDense ? "" : " "
    }

    /// `0:07`, `12:07` or `1:02:07`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = whole / 60 % 60
        return whole < 3_600
            ? "\(minutes):\(padded(whole % 60))" : "\(whole / 3_600):\(padded(minutes)):\(padded(whole % 60))"
    }

    // MARK: - Text

    /// Paragraphs with an empty line between them.
    package var plainText: String {
        paragraphs.map { paragraph in
            let time = showsTimes ? "[\(Self.clock(paragraph.start))] " : ""
            return time + (paragraph.speaker.map { "\($0): " } ?? "") + paragraph.text + "\n"
        }
        .joined(separator: "\n")
    }

    /// The transcript as Markdown, with special characters escaped.
    ///
    /// - SeeAlso: CommonMark 0.31.2, “Backslash escapes”.
    package var markdown: String {
        let body = paragraphs.map { paragraph in
            let time = showsTimes ? "`\(Self.clock(paragraph.start))` " : ""
            let speaker = paragraph.speaker.map { "**\(Self.escaped($0)):** " } ?? ""
            return "\n" + time + speaker + Self.escaped(paragraph.text) + "\n"
        }
        return "# \(Self.escaped(title))\n" + body.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\`*_{}[]<>#|~".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        // A list item or the underline of a heading; inside a line they have no meaning.
        if let first = text.first, "+-=".contains(first) { return "\\" + escaped }
        if let number = text.prefixMatch(of: /\d{1,9}(?=[.)])/) {
            return "\(number.output)\\" + escaped.dropFirst(number.output.count)
        }
        return escaped
    }

    // MARK: - Captions

    /// Captions of all that was said; in WebVTT with a comment for each mark, before the caption in which it is, and
    /// for each passage that was not understood.
    ///
    /// SubRip has no comments, and a note as a caption would be shown as though it were said.
    package func captions(_ format: CaptionWriter.Format) -> String {
        var writer = CaptionWriter(format)
        var text = writer.head
        var comments = comments[...]
        for caption in captions(namingSpeakers: format == .subRip) {
            let reached = comments.prefix { $0.end < caption.time.upperBound }
            for comment in reached { text += writer.comment(comment.words) }
            comments.removeFirst(reached.count)
            text += writer.cue(caption)
        }
        for comment in comments { text += writer.comment(comment.words) }
        return text
    }

    /// The comments in WebVTT, and where what they are about ends, in seconds.
    private var comments: [(end: Double, words: String)] {
        let marked = marks.map { (end: $0.seconds, words: Self.comment(on: $0)) }
        let gaps = transcript.gaps.map { (end: $0.time.upperBound, words: Self.comment(onGap: $0.time)) }
        return (marked + gaps).sorted { $0.end < $1.end }
    }

    /// The comment in which WebVTT has a mark.
    static func comment(on mark: Mark) -> String {
        "mark at \(Self.clock(mark.seconds))" + (mark.label.map { ": \($0)" } ?? "")
    }

    /// The comment in which WebVTT has speech that was not understood.
    static func comment(onGap time: Range<Double>) -> String {
        "not understood at \(clock(time.lowerBound)), \(clock((time.upperBound - time.lowerBound).rounded()))"
    }

    /// - Parameter namesSpeakers: Whether the text names the speaker where that changes.
    /// - Returns: Captions that do not overlap.
    func captions(namingSpeakers namesSpeakers: Bool) -> [Caption] {
        let spoken = transcript.segments.filter { !$0.text.isEmpty }
        var captions: [Caption] = []
        var speaker: String?
        for (index, segment) in spoken.enumerated() {
            let name = segment.speaker == speaker || !namesSpeakers ? nil : segment.speaker
            speaker = segment.speaker
            let next = index + 1 < spoken.count ? spoken[index + 1].words.first?.start : nil
            let own = Caption.captions(
                of: segment.captionWords(after: name),
                from: captions.last?.time.upperBound ?? 0,
                until: index + 1 < spoken.count ? next ?? spoken[index + 1].time.lowerBound : .infinity
            )
            captions += own.map { Caption(lines: $0.lines, time: $0.time, speaker: segment.speaker) }
        }
        return captions
    }

    // MARK: - Tables

    /// A table with a head, in seconds, encoded as UTF-8.
    ///
    /// - SeeAlso: RFC 4180.
    package var table: String {
        let rows =
            isByWord
            ? [["start", "end", "speaker", "word", "confidence", "estimated"]] + wordRows
            : [["start", "end", "speaker", "text"]] + segmentRows
        return rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A row for each segment, and before it those of the marks that are in it or before it.
    private var segmentRows: [[String]] {
        var rows: [[String]] = []
        var marks = marks[...]
        for segment in transcript.segments where segment.isWritten {
            let reached = marks.prefix { $0.seconds < segment.time.upperBound }
            rows += reached.map { row(of: $0) }
            marks.removeFirst(reached.count)
            let (start, end) = (Self.seconds(segment.time.lowerBound), Self.seconds(segment.time.upperBound))
            rows.append([start, end, segment.speaker ?? "", segment.note ?? segment.text])
        }
        return rows + marks.map { row(of: $0) }
    }

    private func row(of mark: Mark) -> [String] {
        let time = Self.seconds(mark.seconds)
        return [time, time, "", note(on: mark)]
    }

    private var wordRows: [[String]] {
        transcript.segments.flatMap { segment in
            segment.timedWords.map { word in
                [
                    Self.seconds(word.start), Self.seconds(word.end), segment.speaker ?? "", segment.text(of: word),
                    word.confidence.map(Self.seconds) ?? "", word.isEstimated ? "true" : "false",
                ]
            }
        }
    }

    /// A spreadsheet takes these for the beginning of a formula, and computes it whoever has written it.
    ///
    /// - SeeAlso: OWASP, “CSV Injection”.
    private static let formulaSigns: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    private static func field(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let start = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let isFormula = start.map(formulaSigns.contains) == true || first == "\t" || first == "\r" || first == "\n"
        let text = isFormula ? "'" + text : text
        let isPlain = !text.unicodeScalars.contains { ["\"", ",", "\r", "\n"].contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Formats seconds with three decimals.
    private static func seconds(_ value: Double) -> String {
        let thousandths = Int((max(0, value) * 1_000).rounded())
        let fraction = String(thousandths % 1_000)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    // MARK: - JSON

    /// A JSON object with everything that is known: `version` 1, `title`, `language`, `created`, `recognizer`, `marks` and
    /// `segments`.
    ///
    /// A mark has `seconds` and `label`.
    /// A segment has `kind`, `start`, `end`, `text`, `speaker`, `remark`, `timing` and `words`; a word has `word`,
    /// `start`, `end`, `range` (in UTF-16 units of the segment's text), `confidence` and `estimated`. Unknown values
    /// are `null`. Times are in seconds from the start of the recording.
    package var json: String {
        let transcript = transcript
        let head = [
            #""version":1"#, #""rangeUnit":"utf-16""#, #""title":\#(title.quotedJSON)"#,
            #""language":\#(transcript.language.quotedJSON)"#,
            #""created":\#(transcript.created.formatted(.iso8601).quotedJSON)"#,
            #""recognizer":\#(Self.value(transcript.source.recognizer?.rawValue))"#,
            #""recognizerName":\#(Self.value(transcript.source.recognizerName))"#,
            #""marks":[\#(marks.map { Self.json($0) }.joined(separator: ","))]"#,
        ]
        let segments = transcript.segments.map { Self.json($0) }.joined(separator: ",\n")
        return "{" + head.joined(separator: ",") + ",\"segments\":[\n\(segments)\n]}\n"
    }

    private static func json(_ mark: Mark) -> String {
        #"{"seconds":\#(seconds(mark.seconds)),"label":\#(value(mark.label))}"#
    }

    private static func json(_ segment: TranscriptSegment) -> String {
        let words = segment.timedWords.map { word in
            #"{"word":\#(segment.text(of: word).quotedJSON),"start":\#(seconds(word.start)),"end":\#(seconds(word.end)),"#
                + #""range":[\#(word.source.lowerBound),\#(word.source.upperBound)],"#
                + #""confidence":\#(word.confidence.map(seconds) ?? "null"),"estimated":\#(word.isEstimated)}"#
        }
        let fields = [
            #""kind":"\#(segment.kind.rawValue)""#, #""start":\#(seconds(segment.time.lowerBound))"#,
            #""end":\#(seconds(segment.time.upperBound))"#, #""text":\#(segment.text.quotedJSON)"#,
            #""speaker":\#(value(segment.speaker))"#, #""remark":\#(value(segment.remark?.rawValue))"#,
            #""timing":"\#(segment.timing.rawValue)""#, #""words":[\#(words.joined(separator: ","))]"#,
        ]
        return "{" + fields.joined(separator: ",") + "}"
    }

    private static func value(_ text: String?) -> String { text?.quotedJSON ?? "null" }
}

extension TranscriptSegment {
    /// Its words for captions.
    package var captionWords: [Caption.Word] { captionWords(after: nil) }

    /// - Parameter name: The speaker, put in front.
    /// - Returns: The words in order.
    fileprivate func captionWords(after name: String?) -> [Caption.Word] {
        var end: Int?
        var words = timedWords.map { word in
            defer { end = word.source.upperBound }
            return Caption.Word(
                text: text(of: word),
                time: word.start..<max(word.start, word.end),
                isApart: word.source.lowerBound != end
            )
        }
        if let name, let first = words.first {
            words[0].isApart = true
            let label = "\(name):".split(separator: " ")
            words =
                label.map { Caption.Word(text: String($0), time: first.time.lowerBound..<first.time.lowerBound) }
                + words
        }
        return words
    }
}

extension TranscriptSegment {
    /// Whether a text has something of it.
    fileprivate var isWritten: Bool { kind == .notUnderstood || !text.isEmpty }

    /// The note that stands in a text for speech that was not understood; `nil` for everything else.
    fileprivate var note: String? {
        guard kind == .notUnderstood else { return nil }
        return "[not understood, \(WrittenTranscript.clock((time.upperBound - time.lowerBound).rounded()))]"
    }
}

extension Library {
    /// The marks of a recording, for a transcript of it.
    package func writtenMarks(of item: AudioItem) async throws -> [WrittenTranscript.Mark] {
        try await audio.marks(of: item.id).map { WrittenTranscript.Mark($0, of: item) }
    }
}

extension Transcript {
    /// Everything that was said, in one line.
    package var line: String {
        var line = ""
        for segment in segments where !segment.text.isEmpty {
            line += (line.isEmpty ? "" : WrittenTranscript.separator(line, segment.text)) + segment.text
        }
        return line
    }
}
