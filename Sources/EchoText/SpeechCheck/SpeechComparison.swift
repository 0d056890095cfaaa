/// The recognized words of neighboring sentences, compared with the text.
///
/// Letter case, punctuation, the spelling of numbers and abbreviations, and small differences of spelling are ignored.
struct SpeechComparison {
    /// Words of a sentence that were recognized as other words, or not at all.
    struct Difference: Hashable {
        /// Which of the sentence's words; empty where words were added before that word.
        var expected: Range<Int>
        /// The words recognized instead.
        var heard: [String]
        /// The range of these words in the whole recognized text; empty if there are none.
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

        /// Whether the recognized text is so much shorter that a word must be missing.
        var isShorter: Bool {
            heard == 0 || written - heard >= SpeechComparison.surelyWord && Double(heard) < 0.55 * Double(written)
        }
        /// Whether the recognized text is so much longer that a word must have been added.
        var isLonger: Bool {
            written == 0 || heard - written >= SpeechComparison.surelyWord && Double(heard) > 1.8 * Double(written)
        }
        /// Whether the difference is no recognition error; any short word may be recognized as any other.
        var isStrange: Bool { written >= SpeechComparison.surelyWord && share < SpeechComparison.strangeLikeness }
    }

    /// The similarity from which words count as the same: a different spelling, or a misrecognized sound.
    static let sameLikeness = 0.75
    /// Below this similarity, words are missing or added if the recognized text is much shorter or longer.
    static let otherLikeness = 0.5
    /// The number of letters from which a word is unlikely to be missed or invented by a recognizer.
    static let surelyWord = 4
    /// Below this similarity, a word is no misrecognition of the other.
    static let strangeLikeness = 0.3

    /// The differences of each sentence, in order.
    ///
    /// A difference across several sentences is divided among them; each part has all recognized words.
    let differences: [[Difference]]

    /// - Parameters:
    ///   - sentences: The expected speech.
    ///   - recognized: The recognized text of all sentences.
    ///   - preparation: The preparation of the text for speech.
    init(of sentences: [ExpectedSpeech], with recognized: String, _ preparation: TextPreparation) {
        let (words, ranges) = Self.words(of: recognized)
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
            // Several sentences would have too many spellings; each of them is transcribed again alone.
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

    /// The words of `text` that have a letter or digit, with their ranges.
    private static func words(of text: String) -> (words: [String], ranges: [TextRange]) {
        let units = Array(text.utf16)
        let found = text.spokenWords.map { (String(decoding: units[$0], as: UTF16.self), $0) }
            .filter { !$0.0.comparedWord.isEmpty }
        return (found.map(\.0), found.map(\.1))
    }

    /// The range of words; without words, the empty range after the word before them.
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
    /// Returns the differences that another transcription of the sentence has at the same words.
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

    /// The fault of a sentence with `count` words; `nil` if it is within a recognizer's usual errors.
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

    /// The edit distance to `other`: how many letters have to be changed, added or removed.
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

/// The expected speech of a sentence: its spoken words, each with its range in the text.
package struct ExpectedSpeech: Sendable {
    struct Word: Sendable, Hashable {
        /// As ``Swift/String/comparedWord`` has it.
        let text: String
        /// Its range in UTF-16 units from the start of the sentence; words spoken for one sign share its range.
        let source: TextRange
    }

    let words: [Word]
    private let units: [UInt16]
    private let preparation: TextPreparation

    /// - Parameters:
    ///   - sentence: The sentence's text.
    ///   - preparation: The preparation of the text for speech.
    package init(of sentence: String, by preparation: TextPreparation) {
        self.preparation = preparation
        let units = Array(sentence.utf16)
        self.units = units
        words = preparation.prepare(sentence, at: 0).pieces.flatMap { piece -> [Word] in
            switch piece.content {
            case .written(let text): Self.words(of: text) { $0.moved(by: piece.source.lowerBound) }
            case .words(let words): Self.words(of: words) { _ in piece.source }
            case .phonemes:
                Self.words(of: String(decoding: units[piece.source.clamped(to: units.indices)], as: UTF16.self)) {
                    $0.moved(by: piece.source.lowerBound)
                }
            }
        }
    }

    /// The range in the text of the words in `range`, without the punctuation around them; empty for no words.
    func source(of range: Range<Int>) -> TextRange {
        guard let first = words[range].map(\.source.lowerBound).min(),
            let last = words[range].map(\.source.upperBound).max()
        else {
            let place = range.lowerBound < words.count ? words[range.lowerBound].source.lowerBound : units.count
            return place..<place
        }
        return first..<last
    }

    func written(_ source: TextRange) -> String {
        String(decoding: units[source.clamped(to: units.indices)], as: UTF16.self)
    }

    /// The letters that may be written down where the words in `range` are said.
    func spellings(of range: Range<Int>) -> Set<[Unicode.Scalar]> {
        let said = words[range].map(\.text).joined(separator: " ")
        return preparation.letters(of: said).union(preparation.letters(of: written(source(of: range))))
    }

    private static func words(of text: String, _ place: (TextRange) -> TextRange) -> [Word] {
        let units = Array(text.utf16)
        return text.spokenWords.compactMap { range in
            let word = String(decoding: units[range], as: UTF16.self).comparedWord
            return word.isEmpty ? nil : Word(text: word, source: place(range))
        }
    }
}

extension TextPreparation {
    /// The letters and digits of `text`, in every spelling of its spoken form.
    func letters(of text: String) -> Set<[Unicode.Scalar]> {
        Set(([text] + spellings(of: text)).map { Array($0.comparedWord.unicodeScalars) })
    }
}
