/// Text shown at once while it is spoken.
package struct Caption: Sendable, Hashable {
    /// At most ``maximumLines``, each without line ends.
    package var lines: [String]
    /// In seconds.
    package var time: Range<Double>
    package var speaker: String?

    package init(lines: [String], time: Range<Double>, speaker: String? = nil) {
        (self.lines, self.time, self.speaker) = (lines, time, speaker)
    }

    // Netflix, Timed Text Style Guide: General Requirements (“Duration”, “Line Treatment”) and English, Chinese and Korean guides
    // (“Character Limitation”): 42 letters or 16 full-width characters a line, two lines, 5/6 s to 7 s.

    /// Letters of a line.
    package static let lineLength = 42
    package static let maximumLines = 2
    /// The longest caption, in seconds.
    package static let longest = 7.0
    /// The shortest caption, in seconds, where the next caption leaves time for it.
    package static let shortest = 5.0 / 6
    /// The shortest caption in any case, in seconds.
    private static let least = 0.04
    /// How many letters a full-width character counts for.
    private static let fullWidth = 42.0 / 16
    /// A pause of this length, in seconds, ends a caption.
    private static let pause = 1.0
    /// The pause, in seconds, at which a caption may well end.
    private static let breath = 0.3

    /// A word with its time, as captions are made of it.
    package struct Word: Sendable, Hashable {
        package var text: String
        package var time: Range<Double>
        /// Whether white space precedes it.
        package var isApart: Bool

        package init(text: String, time: Range<Double>, isApart: Bool = true) {
            (self.text, self.time, self.isApart) = (text, time, isApart)
        }

        fileprivate var width: Double { Caption.width(of: text) }
    }

    /// Makes captions of consecutive words.
    ///
    /// A caption ends at the end of a sentence, at a pause or between any words, in this order of preference; captions
    /// do not overlap.
    ///
    /// - Parameters:
    ///   - words: In order.
    ///   - start: The earliest start of a caption, in seconds: the end of the previous caption.
    ///   - limit: The latest end of the last caption, in seconds.
    /// - Returns: Captions with all words, in order.
    package static func captions(of words: [Word], from start: Double = 0, until limit: Double = .infinity) -> [Caption]
    {
        var captions: [Caption] = []
        var rest = words.flatMap(\.pieces)[...]
        while !rest.isEmpty {
            let own = rest.prefix(end(of: rest))
            rest = rest.dropFirst(own.count)
            let from = max(own.first?.time.lowerBound ?? start, captions.last?.time.upperBound ?? start)
            let next = max(rest.first?.time.lowerBound ?? limit, from + least)
            let heard = min(own.last?.time.upperBound ?? from, from + longest)
            let until = min(max(heard, from + shortest), next)
            captions.append(Caption(lines: lines(of: own), time: from..<until))
        }
        return captions
    }

    /// How wide `text` is, in letters.
    private static func width(of text: String) -> Double {
        text.reduce(0) { $0 + ($1.unicodeScalars.first?.isFullWidth == true ? fullWidth : 1) }
    }

    // MARK: - Where captions and lines end

    /// Returns how many of `words` fit into one caption.
    private static func end(of words: ArraySlice<Word>) -> Int {
        let first = words.startIndex
        var most = first + 1
        while most < words.endIndex, fits(words[first...most]) {
            if words[most].time.lowerBound - words[most - 1].time.upperBound >= pause { return most - first }
            most += 1
        }
        if most == words.endIndex { return most - first }
        // The last half, so that captions do not become many and short.
        let candidates = first + (most - first) / 2..<most
        let strongest = candidates.map { strength(after: $0, of: words) }.max() ?? 0
        let best = strongest > 0 ? candidates.last { strength(after: $0, of: words) == strongest } : nil
        return (best ?? most - 1) - first + 1
    }

    private static func fits(_ words: ArraySlice<Word>) -> Bool {
        guard let first = words.first, let last = words.last else { return true }
        return last.time.upperBound - first.time.lowerBound <= longest && secondLine(of: words) != nil
    }

    /// Rates the end of a word as the end of a line: 2 after a sentence, 1 after a clause or before a short pause.
    private static func strength(after index: Int, of words: ArraySlice<Word>) -> Int {
        let closing: Set<Character> = ["\"", "”", "’", "'", "»", ")", "]", "」", "』"]
        if let last = words[index].text.last(where: { !closing.contains($0) }) {
            if ".!?…。！？؟۔।".contains(last) { return 2 }
            if ",;:—–、，；：،؛".contains(last) { return 1 }
        }
        guard index + 1 < words.endIndex else { return 0 }
        return words[index + 1].time.lowerBound - words[index].time.upperBound >= breath ? 1 : 0
    }

    private static func lines(of words: ArraySlice<Word>) -> [String] {
        guard let cut = secondLine(of: words), cut > words.startIndex else { return [line(words)] }
        return [line(words[..<cut]), line(words[cut...])]
    }

    /// Returns the index of the second line's first word; the start index for a single line; `nil` when two lines are
    /// not enough.
    private static func secondLine(of words: ArraySlice<Word>) -> Int? {
        let limit = Double(lineLength)
        // How wide the words before each are.
        var widths: [Double] = [0]
        for (number, word) in words.enumerated() {
            widths.append(widths[number] + (number > 0 && word.isApart ? 1 : 0) + word.width)
        }
        let whole = widths[words.count]
        if whole <= limit { return words.startIndex }
        func badness(_ cut: Int) -> Double? {
            let first = widths[cut - words.startIndex]
            let second = whole - first - (words[cut].isApart ? 1 : 0)
            guard first <= limit, second <= limit else { return nil }
            // A line that ends with a clause may be a third of a line shorter than the other.
            return abs(first - second) - Double(strength(after: cut - 1, of: words)) * limit / 3
        }
        return words.indices.dropFirst().compactMap { cut in badness(cut).map { (cut, $0) } }.min { $0.1 < $1.1 }?.0
    }

    private static func line(_ words: ArraySlice<Word>) -> String {
        words.enumerated().map { ($0 > 0 && $1.isApart ? " " : "") + $1.text }.joined()
    }
}

extension Caption.Word {
    /// The word itself; a word longer than a line is split into parts, which share its time.
    fileprivate var pieces: [Caption.Word] {
        guard width > Double(Caption.lineLength) else { return [self] }
        var pieces: [Caption.Word] = []
        var characters = Array(text)[...]
        let length = (time.upperBound - time.lowerBound) / Double(characters.count)
        while !characters.isEmpty {
            let place = time.lowerBound + length * Double(characters.startIndex)
            let own = characters.prefix(Caption.piece)
            characters = characters.dropFirst(own.count)
            pieces.append(
                Caption.Word(
                    text: String(own),
                    time: place..<place + length * Double(own.count),
                    isApart: isApart && pieces.isEmpty
                )
            )
        }
        return pieces
    }
}

extension Caption {
    /// How many characters of a word that is longer than a line stay together: as many as fit, were they all of full width.
    fileprivate static let piece = 16
}
