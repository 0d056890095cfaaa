/// What was heard of neighbouring sentences, compared with what they say.
///
/// Letter case, punctuation and the spelling of numbers and abbreviations do not count, nor do words that were heard nearly as
/// they are written.
struct SpeechComparison {
    /// Words of a sentence in whose place others are heard, or none.
    struct Difference: Hashable {
        /// Which of the sentence's words; empty where words were added before that word.
        var expected: Range<Int>
        /// The words that are heard in their place.
        var heard: [String]
        /// Where these words stand in all that was heard; empty where none are.
        var place: TextRange = 0..<0
        /// How alike the letters of both are.
        var likeness: Likeness
    }

    /// How alike two runs of letters are.
    struct Likeness: Hashable {
        /// From 0 to 1: the share of letters that need not be changed.
        var share: Double
        var written: Int
        var heard: Int

        /// Whether so much less is heard than is written that a word must be missing.
        var isShorter: Bool {
            heard == 0 || written - heard >= SpeechComparison.surelyWord && Double(heard) < 0.55 * Double(written)
        }
        /// Whether so much more is heard that a word must have been added.
        var isLonger: Bool {
            written == 0 || heard - written >= SpeechComparison.surelyWord && Double(heard) > 1.8 * Double(written)
        }
        /// Whether it is no mishearing of a word; any short word may be heard as any other.
        var isStrange: Bool { written >= SpeechComparison.surelyWord && share < SpeechComparison.strangeLikeness }
    }

    /// Words that are as much alike count as the same: another spelling, or a sound misheard.
    static let sameLikeness = 0.75
    /// Words that are less alike have some missing or added if what is heard is much shorter or longer.
    static let otherLikeness = 0.5
    /// A word of as many letters is not easily taken for nothing, or heard where there is none.
    static let surelyWord = 4
    /// Words that are less alike than this are no mishearing of each other.
    static let strangeLikeness = 0.3

    /// The differences of each sentence, in the order of the sentences.
    ///
    /// Where a difference is in several sentences, each has its part, with all that was heard.
    let differences: [[Difference]]

    /// - Parameters:
    ///   - sentences: What was to be heard.
    ///   - heard: What was heard of all of them.
    ///   - preparation: What made them fit for speaking.
    init(of sentences: [ExpectedSpeech], with heard: String, _ preparation: TextPreparation) {
        let (words, ranges) = Self.words(of: heard)
        let places = sentences.enumerated().flatMap { index, sentence in
            sentence.words.indices.map { (sentence: index, word: $0) }
        }
        let expected = sentences.flatMap { $0.words.map(\.text) }
        var found: [[Difference]] = sentences.map { _ in [] }
        var (one, other) = (0, 0)
        let end = (left: expected.count, right: words.count)
        for pair in WordMatching.pairs(of: expected, and: words.map(\.comparedWord)) + [end] {
            let gap = (one..<pair.left, other..<pair.right)
            (one, other) = (pair.left + 1, pair.right + 1)
            if gap.0.isEmpty, gap.1.isEmpty { continue }
            let said = Array(words[gap.1])
            let touched = Self.touched(by: gap.0, in: places, sentences)
            // Spellings of several sentences would be too many; each of them is heard again alone.
            let spellings =
                touched.count == 1
                ? sentences[touched[0].sentence].spellings(of: touched[0].words)
                : [expected[gap.0].flatMap { Array($0.unicodeScalars) }]
            let likeness = Self.likeness(of: spellings, and: preparation.letters(of: said.joined(separator: " ")))
            if likeness.share >= Self.sameLikeness { continue }
            let place = Self.place(of: gap.1, in: ranges)
            for part in touched {
                found[part.sentence].append(
                    Difference(expected: part.words, heard: said, place: place, likeness: likeness)
                )
            }
        }
        differences = found
    }

    /// The parts of sentences that a gap is in; a gap without words is in the sentences at both its sides.
    private static func touched(
        by gap: Range<Int>,
        in places: [(sentence: Int, word: Int)],
        _ sentences: [ExpectedSpeech]
    ) -> [(sentence: Int, words: Range<Int>)] {
        guard gap.isEmpty else {
            let parts = Dictionary(grouping: places[gap], by: \.sentence).sorted { $0.key < $1.key }
            return parts.map { ($0.key, $0.value[0].word..<$0.value[$0.value.count - 1].word + 1) }
        }
        let before = gap.lowerBound > 0 ? places[gap.lowerBound - 1] : nil
        let after = gap.lowerBound < places.count ? places[gap.lowerBound] : nil
        var parts: [(sentence: Int, words: Range<Int>)] = []
        if let before, before.sentence != after?.sentence {
            let count = sentences[before.sentence].words.count
            parts.append((before.sentence, count..<count))
        }
        if let after { parts.append((after.sentence, after.word..<after.word)) }
        return parts
    }

    /// The words of `text` that have a letter or digit, and where they stand.
    private static func words(of text: String) -> (words: [String], ranges: [TextRange]) {
        let units = Array(text.utf16)
        let found = text.spokenWords.map { (String(decoding: units[$0], as: UTF16.self), $0) }
            .filter { !$0.0.comparedWord.isEmpty }
        return (found.map(\.0), found.map(\.1))
    }

    /// Where words stand; where there are none, the place after the word before them.
    private static func place(of words: Range<Int>, in ranges: [TextRange]) -> TextRange {
        guard let last = words.last else {
            let end = words.lowerBound > 0 ? ranges[words.lowerBound - 1].upperBound : 0
            return end..<end
        }
        return ranges[words.lowerBound].lowerBound..<ranges[last].upperBound
    }

    /// The likeness of those that are most alike.
    private static func likeness(of spellings: Set<[Unicode.Scalar]>, and others: Set<[Unicode.Scalar]>) -> Likeness {
        let all = spellings.flatMap { one in others.map { one.likeness(to: $0) } }
        return all.max { $0.share < $1.share } ?? Likeness(share: 1, written: 0, heard: 0)
    }
}

extension [SpeechComparison.Difference] {
    /// Those that another hearing of the sentence has in the same place.
    func confirmed(by others: [SpeechComparison.Difference]) -> [SpeechComparison.Difference] {
        filter { difference in
            let own = difference.expected
            return others.contains { other in
                let its = other.expected
                return own.isEmpty || its.isEmpty
                    ? its.lowerBound <= own.upperBound && own.lowerBound <= its.upperBound
                    : own.overlaps(its)
            }
        }
    }

    /// What is wrong with a sentence of so many words; `nil` when no more than a recogniser mishears.
    func fault(ofWords count: Int) -> SpeechFinding.Kind? {
        let others = map(\.likeness).filter { $0.share < SpeechComparison.otherLikeness }
        if others.contains(where: \.isShorter) { return .missing }
        if others.contains(where: \.isLonger) { return .added }
        let differing = reduce(0) { $0 + $1.expected.count }
        return others.contains(where: \.isStrange) || 3 * differing > count ? .garbled : nil
    }
}

extension [Unicode.Scalar] {
    func likeness(to other: [Unicode.Scalar]) -> SpeechComparison.Likeness {
        let longest = Swift.max(count, other.count)
        let share = longest == 0 ? 1 : 1 - Double(changes(to: other)) / Double(longest)
        return SpeechComparison.Likeness(share: share, written: count, heard: other.count)
    }

    /// How many letters must be changed, added or taken away to make these the others.
    private func changes(to other: [Unicode.Scalar]) -> Int {
        var row = [Int](0...other.count)
        for (index, letter) in enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let changed = diagonal + (letter == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(changed, Swift.min(row[column], row[column + 1]) + 1)
            }
        }
        return row[other.count]
    }
}
