/// The words of a segment, aligned with the recognized words.
///
/// Letter case, punctuation, the spelling of numbers and abbreviations, and small differences of spelling are ignored.
struct SegmentWords: Sendable {
    /// A written word, for which several words may be spoken.
    struct Unit: Sendable, Hashable {
        /// Its spoken form as one word.
        let text: String
        /// In UTF-16 units of the segment.
        let source: TextRange
    }

    /// The result for a unit.
    struct Word: Hashable {
        let kind: TakeScore.Word.Kind
        let source: TextRange
        /// The range of the recognized words that match it.
        let heard: Range<Int>
    }

    /// A word that belongs to none.
    struct Extra: Hashable {
        /// The index of the recognized word.
        let heard: Int
        /// How many of the segment's words come before it.
        let after: Int
    }

    struct Comparison: Hashable {
        var words: [Word] = []
        var extra: [Extra] = []

        /// The fraction of the words that were spoken, relative to the recognized words if those are more.
        var score: Double {
            let said = words.count { $0.kind == .said }
            let heard = words.count { $0.kind != .missed } + extra.count
            let most = max(words.count, heard)
            return most == 0 ? 0 : Double(said) / Double(most)
        }
    }

    /// In order.
    let units: [Unit]
    private let preparation: TextPreparation
    private let writing: [UInt16]

    init(of segment: String, _ preparation: TextPreparation) {
        self.preparation = preparation
        writing = Array(segment.utf16)
        units = Self.units(of: ExpectedSpeech(of: segment, by: preparation), in: segment)
    }

    func compare(with heard: HeardWords) -> Comparison {
        var comparison = Comparison()
        var (one, other) = (0, 0)
        let end = (left: units.count, right: heard.count)
        for pair in WordMatching.pairs(of: units.map(\.text), and: heard.compared) + [end] {
            addGap(one..<pair.left, other..<pair.right, heard, to: &comparison)
            if pair.left < units.count {
                let source = units[pair.left].source
                comparison.words.append(Word(kind: .said, source: source, heard: pair.right..<pair.right + 1))
            }
            (one, other) = (pair.left + 1, pair.right + 1)
        }
        return comparison
    }

    /// Compares the words between two matches, in portions if they are many.
    private func addGap(_ own: Range<Int>, _ others: Range<Int>, _ heard: HeardWords, to comparison: inout Comparison) {
        let parts = max(1, (max(own.count, others.count) + Self.maximumAtOnce - 1) / Self.maximumAtOnce)
        for part in 0..<parts {
            let (from, until) = (own.count * part / parts, own.count * (part + 1) / parts)
            let (start, end) = (others.count * part / parts, others.count * (part + 1) / parts)
            let alignment = TakeAlignment(
                of: units[own][(own.lowerBound + from)..<(own.lowerBound + until)].map(spellings),
                and: heard.compared[others.lowerBound + start..<others.lowerBound + end].map(letters)
            )
            for step in alignment.steps {
                let place = others.lowerBound + start + step.heard.lowerBound
                for unit in step.units {
                    let kind: TakeScore.Word.Kind = step.isAlike ? .said : step.heard.isEmpty ? .missed : .different
                    let source = units[own.lowerBound + from + unit].source
                    comparison.words.append(Word(kind: kind, source: source, heard: place..<place + step.heard.count))
                }
                if step.units.isEmpty { comparison.extra.append(Extra(heard: place, after: comparison.words.count)) }
            }
        }
    }

    /// Words that are aligned letter by letter at once.
    private static let maximumAtOnce = 120

    /// The letters that may be written down where a word is said.
    private func spellings(of unit: Unit) -> Set<[Unicode.Scalar]> {
        let written = String(decoding: writing[unit.source], as: UTF16.self)
        let isPlain =
            unit.text == written.comparedWord && !written.unicodeScalars.contains { $0.properties.numericType != nil }
        let said: Set = [Array(unit.text.unicodeScalars)]
        return isPlain ? said : said.union(preparation.letters(of: written))
    }

    private func letters(of heard: String) -> Set<[Unicode.Scalar]> {
        let isNumber = heard.unicodeScalars.contains { $0.properties.numericType != nil }
        return isNumber ? preparation.letters(of: heard) : [Array(heard.unicodeScalars)]
    }

    /// Groups words that are spoken for one sign; in scripts without spaces a written word is divided into characters.
    private static func units(of speech: ExpectedSpeech, in segment: String) -> [Unit] {
        var units: [Unit] = []
        for word in speech.words {
            let parts = segment.part(word.source).description.practisedWords
            if parts.count > 1, parts.map(\.text).joined() == word.text {
                units += parts.map { part in
                    let start = word.source.lowerBound
                    return Unit(
                        text: part.text,
                        source: start + part.source.lowerBound..<start + part.source.upperBound
                    )
                }
            } else if let last = units.last, last.source == word.source {
                units[units.count - 1] = Unit(text: last.text + word.text, source: last.source)
            } else {
                units.append(Unit(text: word.text, source: word.source))
            }
        }
        return units
    }
}

/// The alignment of lowest cost between the written and the recognized words.
private struct TakeAlignment {
    struct Step {
        /// Which of the written words; none for a word that was added.
        let units: Range<Int>
        /// The recognized words; empty for a missed word.
        let heard: Range<Int>
        /// Whether both are equal but for their spelling.
        let isAlike: Bool
    }

    /// In order.
    let steps: [Step]

    /// The cost of a missed or added word.
    private static let gap = 1.0
    /// The cost of a substituted word, in addition to its dissimilarity; together less than a missed and an added word.
    private static let change = 0.3
    /// The most words that may match a single one on the other side.
    private static let maximum = 5
    private static let alike = SpeechComparison.sameLikeness

    init(of units: [Set<[Unicode.Scalar]>], and heard: [Set<[Unicode.Scalar]>]) {
        let width = heard.count + 1
        var cost = [Double](repeating: .infinity, count: (units.count + 1) * width)
        var best = [Step?](repeating: nil, count: cost.count)
        cost[0] = 0
        for row in 0...units.count {
            for column in 0...heard.count {
                let place = row * width + column
                func reach(_ written: Int, _ said: Int, _ price: Double, isAlike: Bool) {
                    let target = (row + written) * width + column + said
                    guard cost[place] + price < cost[target] else { return }
                    cost[target] = cost[place] + price
                    best[target] = Step(
                        units: row..<row + written,
                        heard: column..<column + said,
                        isAlike: isAlike
                    )
                }
                if row < units.count { reach(1, 0, Self.gap, isAlike: false) }
                if column < heard.count { reach(0, 1, Self.gap, isAlike: false) }
                guard row < units.count, column < heard.count else { continue }
                let share = Self.likeness(units[row], heard[column])
                let isAlike = share >= Self.alike
                reach(1, 1, 1 - share + (isAlike ? 0 : Self.change), isAlike: isAlike)
                for count in 2...Self.maximum {
                    if column + count <= heard.count {
                        let share = Self.likeness(units[row], Self.joined(heard[column..<column + count]))
                        if share >= Self.alike { reach(1, count, 1 - share, isAlike: true) }
                    }
                    if row + count <= units.count {
                        let share = Self.likeness(Self.joined(units[row..<row + count]), heard[column])
                        if share >= Self.alike { reach(count, 1, 1 - share, isAlike: true) }
                    }
                }
            }
        }
        var steps: [Step] = []
        var (row, column) = (units.count, heard.count)
        while let step = best[row * width + column] {
            steps.append(step)
            (row, column) = (step.units.lowerBound, step.heard.lowerBound)
        }
        self.steps = steps.reversed()
    }

    /// All ways to join words; only the first of each if there would be too many.
    private static func joined(_ words: ArraySlice<Set<[Unicode.Scalar]>>) -> Set<[Unicode.Scalar]> {
        guard words.allSatisfy({ $0.count == 1 }) else {
            return words.reduce([[]]) { all, word in
                all.count * word.count > 16
                    ? Set(all.map { $0 + (word.first ?? []) })
                    : Set(all.flatMap { start in word.map { start + $0 } })
            }
        }
        return [words.flatMap { $0.first ?? [] }]
    }

    /// The similarity of the most similar spellings.
    private static func likeness(_ one: Set<[Unicode.Scalar]>, _ other: Set<[Unicode.Scalar]>) -> Double {
        var best = 0.0
        for spelling in one {
            for heard in other {
                let (less, more) = (min(spelling.count, heard.count), max(spelling.count, heard.count))
                guard more > 0, Double(less) / Double(more) > best else { continue }
                best = max(best, spelling.likeness(to: heard).share)
            }
        }
        return best
    }
}
