import Foundation

/// Makes the captions of a subtitle file a text of sentences, as the file arrives.
///
/// Numbers, times, names of captions, notes and markup are left out. A caption continues the sentence of the one before; a
/// paragraph begins where the speaker changes, after a silence, and where the last one has become long.
///
/// - SeeAlso: ``CaptionWriter``.
package struct CaptionReader: Sendable {
    /// Seconds without a caption after which a paragraph of some length ends.
    private static let silence = 2.0
    /// Characters of a paragraph that a silence may end, that the end of a sentence ends, and that any caption ends.
    private static let (shortest, usual, longest) = (200, 1_000, 4_000)

    private struct Cue {
        var time: Range<Double>
        var lines: [Substring] = []
    }

    /// The part of a WebVTT file that a line without a time belongs to.
    private enum Place {
        case caption
        /// An empty line is before it.
        case start
        case block
        /// A comment, which is not said.
        case comment
        /// A style, a region, or the head of a file, none of which are said.
        case aside
    }

    private let format: CaptionWriter.Format
    /// The beginning of a line whose end has not arrived.
    private var unread = ""
    private var cue: Cue?
    private var place = Place.start
    /// The lines of a block of WebVTT that has no time: a name, where a time follows, or words.
    private var block: [Substring] = []
    /// Such words behind the caption, which an empty line in it or a misspelt time has parted from it.
    private var strays: [Substring] = []
    /// The text that has not been handed on.
    private var text = ""
    private var paragraphLength = 0
    private var lastSign: Character?
    private var speaker: String?
    private var end = 0.0
    /// Whether captions show words one by one and repeat the line before, as those that a machine wrote do.
    private var isRolling = false
    private var lastLine: String?
    /// UTF-16 units of all the text so far.
    private var length = 0
    private let keepsTimes: Bool
    /// Whether the signs of music are part of the words.
    private var keepsNotes = false
    private var kept: [SubtitleCue] = []
    private var spoken: [TranscriptEdit.Segment] = []
    private var comments: [String] = []

    /// - Parameters:
    ///   - format: The file's format.
    ///   - keepsTimes: Whether ``cues`` are collected, for which memory grows with the file.
    package init(_ format: CaptionWriter.Format, keepsTimes: Bool = false) {
        self.format = format
        self.keepsTimes = keepsTimes
    }

    /// The captions that have had words so far, in order of time; `nil` when their times are not kept.
    package var cues: [SubtitleCue]? { keepsTimes ? kept : nil }

    /// Reads a whole file as what was said: a segment for each caption, in the file's order, as the file has it.
    package static func segments(of text: String, _ format: CaptionWriter.Format) -> [TranscriptEdit.Segment] {
        var reader = CaptionReader(format, keepsTimes: true)
        reader.keepsNotes = true
        _ = reader.read(text)
        _ = reader.finish()
        return reader.spoken
    }

    /// The comments of a WebVTT file, in order, without those that are empty.
    static func comments(in text: String) -> [String] {
        var reader = CaptionReader(.webVTT, keepsTimes: true)
        _ = reader.read(text)
        _ = reader.finish()
        return reader.comments.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }

    /// Takes the next piece of the file.
    ///
    /// - Returns: The text that is certain now, often empty.
    package mutating func read(_ piece: String) -> String {
        unread += piece
        // A line feed that belongs to the last sign may follow.
        let arrived = unread.last == "\r" ? unread.dropLast() : unread[...]
        guard let last = arrived.lastIndex(where: \.isNewline) else { return "" }
        let lines = arrived[..<last].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        unread = String(unread[unread.index(after: last)...])
        for line in lines { take(line) }
        return taken()
    }

    /// Takes the end of the file.
    package mutating func finish() -> String {
        for line in unread.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) { take(line) }
        unread = ""
        endBlock()
        endCue()
        return taken()
    }

    private mutating func taken() -> String {
        defer { text = "" }
        return text
    }

    // MARK: - Lines

    /// Takes a line; where files were joined, the mark at the beginning of another one may stand in it.
    private mutating func take(_ line: Substring) {
        guard let mark = line.lastIndex(of: Self.mark) else { return takeUnmarked(line) }
        let before = String(line[..<mark]).replacing(String(Self.mark), with: "")
        let rest = line[line.index(after: mark)...]
        if rest.hasPrefix("WEBVTT") || CaptionTime.isNumber(rest) || CaptionTime.range(rest) != nil {
            takeUnmarked(before[...])
            takeUnmarked("")
            takeUnmarked(rest)
        } else {
            takeUnmarked((before + rest)[...])
        }
    }

    private static let mark: Character = "\u{FEFF}"

    private mutating func takeUnmarked(_ line: Substring) {
        if let time = CaptionTime.range(line) {
            // The line before is the number of this caption, or its name.
            if format == .subRip, let last = cue?.lines.last, CaptionTime.isNumber(last) { cue?.lines.removeLast() }
            if !block.isEmpty {
                block.removeLast()
            } else if let last = strays.last, CaptionTime.isNumber(last) {
                strays.removeLast()
            }
            endBlock()
            endCue()
            cue = Cue(time: time)
            place = .caption
        } else if format == .webVTT {
            takeUntimed(line)
        } else {
            cue?.lines.append(line)
        }
    }

    /// Takes a line of a WebVTT file that has no time.
    private mutating func takeUntimed(_ line: Substring) {
        guard !line.isEmpty else {
            endBlock()
            place = .start
            return
        }
        switch place {
        case .caption: cue?.lines.append(line)
        case .start:
            place = Self.place(ofBlockBeginning: line)
            if place == .block { block = [line] }
            if place == .comment, keepsTimes { comments.append(String(line.dropFirst(Self.note.count))) }
        case .block: block.append(line)
        case .comment: if keepsTimes { comments[comments.count - 1] += "\n" + line }
        case .aside: break
        }
    }

    private mutating func endBlock() {
        strays += block
        block = []
    }

    private static let note = "NOTE"

    private static func place(ofBlockBeginning line: Substring) -> Place {
        switch line.prefix(while: { !$0.isWhitespace }) {
        case note: .comment
        case "STYLE", "REGION", "WEBVTT": .aside
        default: .block
        }
    }

    private mutating func endCue() {
        defer { strays = [] }
        guard let cue else { return }
        self.cue = nil
        let words = CaptionWords((cue.lines + strays).joined(separator: "\n"), keepsNotes: keepsNotes)
        var lines = words.lines
        let newest = lines.last?.text
        let isMoment = cue.time.upperBound - cue.time.lowerBound < 0.05
        let repeatsLine = lines.count == 1 && lines.first?.text == lastLine
        isRolling = isRolling || words.haveTimes || isMoment && repeatsLine
        if isRolling, let lastLine, lines.first?.text == lastLine, lines.count > 1 || isMoment { lines.removeFirst() }
        if let newest { lastLine = newest }
        keep(lines, at: cue.time)
        var gap = cue.time.lowerBound - end
        let isDialogue = lines.count { Self.beginsWithDash($0.text) } > 1
        for line in lines {
            say(line, after: gap, at: cue.time.lowerBound, isDialogue: isDialogue)
            gap = 0
        }
        end = max(end, cue.time.upperBound)
    }

    private static func beginsWithDash(_ line: String) -> Bool { line.first.map { "-–‐".contains($0) } == true }

    /// Says a line; in a dialogue, in which several lines begin with a dash, each such line is another speaker's.
    private mutating func say(_ line: CaptionWords.Line, after gap: Double, at start: Double, isDialogue: Bool) {
        let isTold = lastSign.map { Self.sentenceEnds.contains($0) } ?? true
        let endsSentence = isTold || isDialogue && Self.beginsWithDash(line.text)
        var words = line.text[...]
        var isTurn = false
        if let other = line.speaker {
            isTurn = other != speaker && (endsSentence || speaker != nil)
            speaker = other
        }
        if endsSentence, let first = words.first, "-–‐".contains(first) {
            let rest = words.dropFirst()
            if let next = rest.first, next.isWhitespace || next.isLetter {
                words = rest.drop(while: \.isWhitespace)
                isTurn = true
            }
        }
        if endsSentence, Self.beginsWithLabel(words) { isTurn = true }
        guard !words.isEmpty else { return }
        if lastSign != nil {
            let isPause = endsSentence && gap >= Self.silence && paragraphLength >= Self.shortest
            let isLong = paragraphLength >= (endsSentence ? Self.usual : Self.longest)
            let ends = isTurn || isPause || isLong
            let separator = ends ? "\n\n" : " "
            text += separator
            length += separator.utf16.count
            if ends { paragraphLength = 0 }
        }
        text += words
        keep(length..<length + words.utf16.count, at: start)
        length += words.utf16.count
        paragraphLength += words.count
        lastSign = words.last
    }

    /// Keeps a caption as what its speakers said, who share its time by the length of their words.
    private mutating func keep(_ lines: [CaptionWords.Line], at time: Range<Double>) {
        guard keepsTimes else { return }
        let length = lines.reduce(0) { $0 + $1.text.count }
        let second = (time.upperBound - time.lowerBound) / Double(max(1, length))
        var turns: [TranscriptEdit.Segment] = []
        var place = 0
        for line in lines {
            let start = time.lowerBound + second * Double(place)
            place += line.text.count
            let end = place == length ? time.upperBound : time.lowerBound + second * Double(place)
            if var turn = turns.last, turn.speaker == line.speaker {
                turn.text += " " + line.text
                turn.time = turn.time.lowerBound..<max(start, end)
                turns[turns.count - 1] = turn
            } else {
                turns.append(
                    TranscriptEdit.Segment(time: start..<max(start, end), text: line.text, speaker: line.speaker)
                )
            }
        }
        spoken += turns
    }

    /// Keeps the time of words; those of a caption that is not later than the one before belong to that one.
    private mutating func keep(_ words: TextRange, at start: Double) {
        guard keepsTimes else { return }
        if let last = kept.last, start <= last.start {
            kept[kept.count - 1].range = last.range.lowerBound..<words.upperBound
        } else {
            kept.append(SubtitleCue(range: words, start: start))
        }
    }

    private static let sentenceEnds: Set<Character> = [
        ".", "!", "?", "…", "\"", "”", "’", "»", ")", "]", "。", "！", "？", "」", "।", "۔", "؟",
    ]

    /// Whether a line begins with the name of who speaks, in capitals and with a colon.
    private static func beginsWithLabel(_ line: Substring) -> Bool {
        guard let colon = line.prefix(32).firstIndex(of: ":") else { return false }
        let label = line[..<colon]
        return label.count { $0.isLetter } >= 2
            && label.allSatisfy { $0.isUppercase || $0.isNumber || " .'’-#".contains($0) }
    }
}

extension CaptionWriter.Format {
    /// Most characters in which a subtitle file shows that it is one.
    private static let head = 4_096

    /// The format of a subtitle file that begins with `text`; `nil` for any other text.
    package init?(ofTextBeginning text: String) {
        let lines = Self.firstLines(of: text)
        guard let first = lines.first else { return nil }
        if first == "WEBVTT" {
            self = .webVTT
        } else if first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t"), text.prefix(Self.head).contains("-->") {
            self = .webVTT
        } else if CaptionTime.range(first) != nil {
            self = .subRip
        } else if CaptionTime.isNumber(first), lines.count > 1, CaptionTime.range(lines[1]) != nil {
            self = .subRip
        } else {
            return nil
        }
    }

    /// Whether only more of a text shows whether it is a subtitle file.
    static func isOpen(for text: String) -> Bool {
        let lines = firstLines(of: text)
        guard text.utf8.count < head, let first = lines.first else { return text.utf8.count < head }
        let whole = text.last?.isNewline == true ? lines.count : lines.count - 1
        if whole == 0 { return CaptionTime.isNumber(first) || "WEBVTT".hasPrefix(first) }
        return whole == 1 && CaptionTime.isNumber(first)
    }

    private static func firstLines(of text: String) -> [Substring] {
        String(text.prefix(head).drop { $0 == "\u{FEFF}" || $0.isWhitespace })
            .split(maxSplits: 2, whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
    }
}

/// Numbers and times of captions.
private enum CaptionTime {
    static func isNumber(_ line: Substring) -> Bool {
        let digits = line.filter { !$0.isWhitespace }
        return (1...9).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// The time that a line such as `00:01:02,345 --> 00:01:04,000 align:start` gives, in seconds.
    static func range(_ line: Substring) -> Range<Double>? {
        guard let arrow = line.firstRange(of: "-->"), let start = seconds(line[..<arrow.lowerBound]),
            let second = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace).first,
            let end = seconds(second)
        else { return nil }
        return start..<max(start, end)
    }

    private static func seconds(_ text: Substring) -> Double? {
        let signs = text.filter { !$0.isWhitespace }.map { (sign: Character) -> Character in sign == "," ? "." : sign }
        let parts = signs.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for part in parts {
            guard part.count <= 9, part.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let number = Double(String(part))
            else { return nil }
            seconds = seconds * 60 + number
        }
        return seconds
    }
}

/// A caption of a subtitle file: where its words stand in the text, and when they are to be heard.
package struct SubtitleCue: Sendable, Hashable, Codable {
    /// Its words in the text, never empty.
    package var range: TextRange
    /// Seconds from the start, not negative.
    package var start: Double

    package init(range: TextRange, start: Double) {
        self.range = range
        self.start = start
    }
}

extension [SubtitleCue] {
    /// Refuses captions whose times nobody can wait for.
    ///
    /// - Throws: ``SynthesisError/tooMuchSilence``.
    package func check() throws(SynthesisError) {
        guard allSatisfy({ $0.start <= PauseTags.maximumSeconds }) else { throw .tooMuchSilence }
    }

    /// Describes what is wrong with the captions of a text of `length` UTF-16 units; `nil` if nothing is.
    func violation(ofLength length: Int) -> String? {
        var end = 0
        var start = -1.0
        for cue in self {
            guard cue.range.lowerBound >= end, cue.range.upperBound <= length, !cue.range.isEmpty else {
                return "captions are in the text, in order, apart"
            }
            guard cue.start > start, cue.start >= 0, cue.start.isFinite else { return "captions are in order of time" }
            (end, start) = (cue.range.upperBound, cue.start)
        }
        return nil
    }
}

/// The words of a caption, without its markup.
///
/// - SeeAlso: WebVTT: The Web Video Text Tracks Format (W3C), “WebVTT cue text parsing rules”. SubRip's tags are those that
///   players know: HTML's, and `{\an8}`.
struct CaptionWords {
    struct Line {
        var speaker: String?
        /// Never empty.
        var text: String
    }

    /// Most characters of a tag, and of a reading above a word.
    private static let longestTag = 200

    private(set) var lines: [Line] = []
    /// Whether times stand between the words.
    private(set) var haveTimes = false
    private var line = ""
    private var speaker: String?

    /// - Parameters:
    ///   - written: The lines of a caption.
    ///   - keepsNotes: Whether the signs of music are words, too.
    init(_ written: String, keepsNotes: Bool = false) {
        var rest = written[...]
        while let sign = rest.first {
            switch sign {
            case "<":
                if let tag = Self.tag(in: rest) {
                    rest = rest[tag.endIndex...].dropFirst()
                    take(tag.dropFirst())
                    if tag == "<rt", let end = rest.prefix(Self.longestTag).firstRange(of: "</rt>") {
                        rest = rest[end.upperBound...]
                    }
                    continue
                }
            case "{":
                if rest.hasPrefix("{\\"), let end = rest.prefix(Self.longestTag).firstIndex(of: "}") {
                    rest = rest[end...].dropFirst()
                    continue
                }
            case "&":
                if let end = rest.prefix(10).firstIndex(of: ";"), let meant = Self.sign(rest[..<end].dropFirst()) {
                    line += meant
                    rest = rest[end...].dropFirst()
                    continue
                }
            case "\\" where !keepsNotes && rest.hasPrefix("\\N"):
                endLine()
                rest = rest.dropFirst(2)
                continue
            case "♪" where !keepsNotes, "♫" where !keepsNotes:
                rest = rest.dropFirst()
                continue
            default: break
            }
            if sign.isNewline { endLine() } else { line.append(sign) }
            rest = rest.dropFirst()
        }
        endLine()
    }

    private mutating func endLine() {
        line.unicodeScalars.removeAll {
            $0.properties.generalCategory == .control && $0 != "\t" && !$0.isInformationSeparator
        }
        let words = line.split { sign in
            sign.isWhitespace || sign.unicodeScalars.contains(where: \.isInformationSeparator)
        }
        line = ""
        if !words.isEmpty { lines.append(Line(speaker: speaker, text: words.joined(separator: " "))) }
    }

    /// The tag that `text` begins with, without its last sign; `nil` when its first sign is one of comparison.
    private static func tag(in text: Substring) -> Substring? {
        let inside = text.dropFirst()
        guard let end = inside.prefix(longestTag).firstIndex(where: { $0 == ">" || $0 == "<" }), text[end] == ">" else {
            return nil
        }
        let name = inside[..<end].drop { $0 == "/" }
        guard let first = name.first, first.isASCII else { return nil }
        let isTime = first.isNumber && name.contains(":") && name.allSatisfy { $0.isNumber || ":.,".contains($0) }
        return first.isLetter || isTime ? text[..<end] : nil
    }

    private mutating func take(_ tag: Substring) {
        if tag.first?.isNumber == true { haveTimes = true }
        guard tag.hasPrefix("v ") || tag.hasPrefix("v.") || tag.hasPrefix("v\t") else { return }
        var written = Self.withSigns(String(tag.drop { !$0.isWhitespace }))
        written.unicodeScalars.removeAll {
            $0.properties.generalCategory == .control && !$0.properties.isWhitespace
        }
        let name = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty, name != speaker else { return }
        endLine()
        speaker = name
    }

    /// A text with the signs that names and numbers of HTML in it stand for.
    private static func withSigns(_ text: String) -> String {
        text.replacing(#/&([#A-Za-z0-9]{1,8});/#) { Self.sign($0.1) ?? String($0.0) }
    }

    /// The sign that a name or number of HTML stands for.
    private static func sign(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        case "lrm", "rlm": return ""
        case "hellip": return "…"
        case "mdash": return "—"
        case "ndash": return "–"
        case "lsquo": return "‘"
        case "rsquo": return "’"
        case "ldquo": return "“"
        case "rdquo": return "”"
        case "laquo": return "«"
        case "raquo": return "»"
        case "iexcl": return "¡"
        case "iquest": return "¿"
        case "szlig": return "ß"
        case "oelig": return "œ"
        case "aelig": return "æ"
        case "oslash": return "ø"
        case "deg": return "°"
        case "euro": return "€"
        case "pound": return "£"
        default:
            guard name.first == "#" else { return accented(name) }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            guard let value = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(value)
            else { return nil }
            return String(Character(scalar))
        }
    }

    /// A letter with an accent, by its name in HTML (`eacute`).
    private static func accented(_ name: Substring) -> String? {
        guard let letter = name.first, letter.isASCII, letter.isLetter, let accent = accents[String(name.dropFirst())]
        else { return nil }
        return "\(letter)\(accent)"
    }

    private static let accents = [
        "acute": "\u{301}", "cedil": "\u{327}", "circ": "\u{302}", "grave": "\u{300}", "ring": "\u{30A}",
        "tilde": "\u{303}", "uml": "\u{308}",
    ]
}

/// Gives a text's words: those of a subtitle file without its numbers, times and markup, and any other text as it is.
package actor CaptionTextSource: TextSource {
    private let source: any TextSource
    /// The text so far, while it does not show whether it is a subtitle file; `nil` once it does.
    private var head: String? = ""
    /// `nil` for a text that is no subtitle file.
    private var reader: CaptionReader?
    /// Words that have not been handed on.
    private var words = ""
    private var isAtEnd = false
    /// Why the source cannot be read on.
    private var failure: (any Error)?

    package init(of source: any TextSource) {
        self.source = source
    }

    /// The text's length; `nil` for a subtitle file, whose words are counted only by reading them.
    package var length: Int? {
        get async {
            guard reader == nil else { return nil }
            return await source.length
        }
    }

    package func next() async throws -> String? {
        while words.isEmpty, !isAtEnd {
            if let failure { throw failure }
            try await read()
        }
        defer { words = "" }
        return words.isEmpty ? nil : words
    }

    /// Reads on until there are words, since a subtitle file has much that is not said.
    package func isReady(within seconds: Double) async throws -> Bool {
        while words.isEmpty, !isAtEnd, failure == nil {
            guard try await source.isReady(within: seconds) else { return false }
            do {
                try await read()
            } catch let error where !(error is CancellationError) {
                failure = error
            }
        }
        return true
    }

    private func read() async throws {
        let piece = try await source.next()
        if let begun = head {
            let text = begun + (piece ?? "")
            guard piece == nil || !CaptionWriter.Format.isOpen(for: text) else {
                head = text
                return
            }
            head = nil
            reader = CaptionWriter.Format(ofTextBeginning: text).map { CaptionReader($0) }
            words = reader?.read(text) ?? text
        } else if let piece {
            words = reader?.read(piece) ?? piece
        }
        guard piece == nil else { return }
        isAtEnd = true
        words += reader?.finish() ?? ""
    }
}
