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

    private let format: CaptionWriter.Format
    /// What has arrived of a line whose end has not.
    private var unread = ""
    private var cue: Cue?
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
    private var kept: [SubtitleCue] = []

    /// - Parameters:
    ///   - format: The file's format.
    ///   - keepsTimes: Whether ``cues`` are collected, for which memory grows with the file.
    package init(_ format: CaptionWriter.Format, keepsTimes: Bool = false) {
        self.format = format
        self.keepsTimes = keepsTimes
    }

    /// The captions that have had words so far, in order of time; `nil` when their times are not kept.
    package var cues: [SubtitleCue]? { keepsTimes ? kept : nil }

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
        endCue()
        return taken()
    }

    private mutating func taken() -> String {
        defer { text = "" }
        return text
    }

    // MARK: - Lines

    private mutating func take(_ line: Substring) {
        if let time = CaptionTime.range(line) {
            // The line before is the number of this caption.
            if format == .subRip, let last = cue?.lines.last, CaptionTime.isNumber(last) { cue?.lines.removeLast() }
            endCue()
            cue = Cue(time: time)
        } else if format == .webVTT, line.isEmpty {
            endCue()
        } else {
            cue?.lines.append(line)
        }
    }

    private mutating func endCue() {
        guard let cue else { return }
        self.cue = nil
        let words = CaptionWords(cue.lines.joined(separator: "\n"))
        isRolling = isRolling || words.haveTimes
        var lines = words.lines
        let newest = lines.last?.text
        let isMoment = cue.time.upperBound - cue.time.lowerBound < 0.05
        if isRolling, let lastLine, lines.first?.text == lastLine, lines.count > 1 || isMoment { lines.removeFirst() }
        if let newest { lastLine = newest }
        var gap = cue.time.lowerBound - end
        for line in lines {
            say(line, after: gap, at: cue.time.lowerBound)
            gap = 0
        }
        end = max(end, cue.time.upperBound)
    }

    private mutating func say(_ line: CaptionWords.Line, after gap: Double, at start: Double) {
        let endsSentence = lastSign.map { Self.sentenceEnds.contains($0) } ?? true
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
