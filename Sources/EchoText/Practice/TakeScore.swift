/// The score of a take of a segment, compared with the model that the person heard.
package struct TakeScore: Sendable, Hashable, Codable {
    /// Times in the take or the model, in seconds.
    package typealias Time = Range<Double>

    /// The result for a word of the segment.
    package struct Word: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            case said, missed
            /// Another word was spoken instead.
            case different
        }

        package let kind: Kind
        /// Its range in the segment's text, in UTF-16 units.
        package let source: TextRange
        /// The recognized word, if it differs.
        package let heard: String?
        /// When it is said in the take; `nil` when it is not, or the recognizer gives no times.
        package let take: Time?
        package let model: Time?

        package init(kind: Kind, source: TextRange, heard: String?, take: Time?, model: Time?) {
            self.kind = kind
            self.source = source
            self.heard = heard
            self.take = take
            self.model = model
        }
    }

    /// A word that the segment does not have.
    package struct Extra: Sendable, Hashable, Codable {
        package let heard: String
        /// How many of the segment's words come before it.
        package let after: Int
        package let time: Time?

        package init(heard: String, after: Int, time: Time?) {
            self.heard = heard
            self.after = after
            self.time = time
        }
    }

    /// Why there is no score.
    package enum Reason: String, Sendable, Hashable, Codable {
        /// No recognizer on this machine knows the language.
        case noRecognizer
        /// The recognizer failed.
        case failed
    }

    /// A value of the take and of the model.
    package struct Pair<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
        package let take: Value
        package let model: Value

        package init(take: Value, model: Value) {
            (self.take, self.model) = (take, model)
        }
    }

    /// From 0 to 1: the fraction of the words that were spoken, relative to the recognized words if those are more;
    /// `nil` without a recognizer.
    package let score: Double?
    package let reason: Reason?
    /// The words of the segment, in order; none without a recognizer.
    package let words: [Word]
    package let extra: [Extra]
    /// Words per minute; `nil` where there is no speech.
    package let pace: Pair<Double?>
    /// The silences longer than ``SoundPicture/shortestPause``.
    package let pauses: Pair<[Time]>
    package let picture: Pair<SoundPicture>

    package init(
        score: Double?,
        reason: Reason?,
        words: [Word],
        extra: [Extra],
        pace: Pair<Double?>,
        pauses: Pair<[Time]>,
        picture: Pair<SoundPicture>
    ) {
        self.score = score
        self.reason = reason
        self.words = words
        self.extra = extra
        self.pace = pace
        self.pauses = pauses
        self.picture = picture
    }
}

/// Scores takes of one segment: words, pace, pauses and pitch, compared with the model.
///
/// ```swift
/// let scoring = TakeScoring(of: segment.text, preparation, model: clip, words: timedWords)
/// let score = scoring.score(of: take, recognized: try await session.recognize(take))
/// ```
package struct TakeScoring: Sendable {
    private let comparison: SegmentWords
    private let times: [TakeScore.Time?]
    private let modelSpeech: SpokenStretches
    private let modelPicture: SoundPicture

    /// - Parameters:
    ///   - segment: The segment's text.
    ///   - preparation: The preparation of the text for speech.
    ///   - model: The sound that the person heard.
    ///   - words: The times of the words; their sources are ranges in `segment`, their samples refer to `model`.
    package init(of segment: String, _ preparation: TextPreparation, model: AudioClip, words: [TimedWord]) {
        comparison = SegmentWords(of: segment, preparation)
        let rate = Double(model.sampleRate)
        let timed = words.map {
            WordPlace(
                source: $0.source,
                time: Double($0.samples.lowerBound) / rate..<Double($0.samples.upperBound) / rate
            )
        }
        times = comparison.units.map { timed.time(of: $0.source) }
        modelSpeech = SpokenStretches(in: model)
        modelPicture = SoundPicture(of: model)
    }

    /// Compares a take with the segment and the model.
    ///
    /// - Parameters:
    ///   - take: The recording.
    ///   - recognized: The recognized speech.
    /// - Returns: The score; it is 0 where nothing is loud enough to be speech, whatever was recognized.
    package func score(of take: AudioClip, recognized: RecognizedSpeech) -> TakeScore {
        let speech = SpokenStretches(in: take)
        let recognized = speech.stretches.isEmpty ? RecognizedSpeech(text: "") : recognized
        let words = RecognizedWords(of: recognized)
        let comparison = comparison.compare(with: words)
        let scored = zip(comparison.words, times).map { word, model in
            TakeScore.Word(
                kind: word.kind,
                source: word.source,
                heard: word.heard.isEmpty || word.kind == .said ? nil : words.text(of: word.heard),
                take: words.time(of: word.heard),
                model: model
            )
        }
        let extra = comparison.extra.map { extra in
            TakeScore.Extra(
                heard: words.text(of: extra.heard..<extra.heard + 1),
                after: extra.after,
                time: words.time(of: extra.heard..<extra.heard + 1)
            )
        }
        return result(comparison.score, nil, scored, extra, take, speech, words: words.count)
    }

    /// Compares a take without recognized words with the model.
    ///
    /// - Parameters:
    ///   - take: The recording.
    ///   - reason: Why it was not recognized.
    /// - Returns: Its pace, as if every word had been spoken, its pauses and its pitch.
    package func score(of take: AudioClip, without reason: TakeScore.Reason) -> TakeScore {
        result(nil, reason, [], [], take, SpokenStretches(in: take), words: comparison.units.count)
    }

    private func result(
        _ score: Double?,
        _ reason: TakeScore.Reason?,
        _ words: [TakeScore.Word],
        _ extra: [TakeScore.Extra],
        _ take: AudioClip,
        _ speech: SpokenStretches,
        words count: Int
    ) -> TakeScore {
        TakeScore(
            score: score,
            reason: reason,
            words: words,
            extra: extra,
            pace: .init(
                take: Self.pace(count, in: speech),
                model: Self.pace(comparison.units.count, in: modelSpeech)
            ),
            pauses: .init(take: speech.pauses, model: modelSpeech.pauses),
            picture: .init(take: SoundPicture(of: take), model: modelPicture)
        )
    }

    /// Words per minute, from the first sound to the last.
    private static func pace(_ words: Int, in speech: SpokenStretches) -> Double? {
        words > 0 && speech.seconds > 0 ? Double(words) * 60 / speech.seconds : nil
    }
}

/// The range of a word in the text, and its time.
struct WordPlace: Sendable, Hashable {
    let source: TextRange
    let time: TakeScore.Time
}

extension [WordPlace] {
    /// Returns the time of the text at `source`; `nil` when it is not spoken.
    ///
    /// A part of a word gets a proportional part of the word's time.
    func time(of source: TextRange) -> TakeScore.Time? {
        let own = filter { $0.source.overlaps(source) && !$0.time.isEmpty }
        guard let first = own.first, let last = own.last else { return nil }
        let (start, end) = (first.moment(at: source.lowerBound), last.moment(at: source.upperBound))
        return start..<Swift.max(start, end)
    }
}

extension WordPlace {
    fileprivate func moment(at unit: Int) -> Double {
        let share = Double(min(max(unit, source.lowerBound), source.upperBound) - source.lowerBound)
        return time.lowerBound + (time.upperBound - time.lowerBound) * share / Double(source.count)
    }
}

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
            let recognized = words.count { $0.kind != .missed } + extra.count
            let most = max(words.count, recognized)
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

    func compare(with recognized: RecognizedWords) -> Comparison {
        var comparison = Comparison()
        var (one, other) = (0, 0)
        let end = (left: units.count, right: recognized.count)
        for pair in WordMatching.pairs(of: units.map(\.text), and: recognized.compared) + [end] {
            addGap(one..<pair.left, other..<pair.right, recognized, to: &comparison)
            if pair.left < units.count {
                let source = units[pair.left].source
                comparison.words.append(Word(kind: .said, source: source, heard: pair.right..<pair.right + 1))
            }
            (one, other) = (pair.left + 1, pair.right + 1)
        }
        return comparison
    }

    /// Compares the words between two matches, in portions if they are many.
    private func addGap(
        _ own: Range<Int>,
        _ others: Range<Int>,
        _ recognized: RecognizedWords,
        to comparison: inout Comparison
    ) {
        let parts = max(1, (max(own.count, others.count) + Self.maximumAtOnce - 1) / Self.maximumAtOnce)
        for part in 0..<parts {
            let (from, until) = (own.count * part / parts, own.count * (part + 1) / parts)
            let (start, end) = (others.count * part / parts, others.count * (part + 1) / parts)
            let alignment = WordAlignment(
                of: units[own][(own.lowerBound + from)..<(own.lowerBound + until)].map(spellings),
                and: recognized.compared[others.lowerBound + start..<others.lowerBound + end].map(letters)
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

    private func letters(of recognized: String) -> Set<[Unicode.Scalar]> {
        let isNumber = recognized.unicodeScalars.contains { $0.properties.numericType != nil }
        return isNumber ? preparation.letters(of: recognized) : [Array(recognized.unicodeScalars)]
    }

    /// Groups words that are spoken for one sign; in scripts without spaces a written word is divided into characters.
    private static func units(of speech: ExpectedSpeech, in segment: String) -> [Unit] {
        var units: [Unit] = []
        for word in speech.words {
            let parts = segment.part(word.source).description.practicedWords
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
private struct WordAlignment {
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

    init(of units: [Set<[Unicode.Scalar]>], and recognized: [Set<[Unicode.Scalar]>]) {
        let width = recognized.count + 1
        var cost = [Double](repeating: .infinity, count: (units.count + 1) * width)
        var best = [Step?](repeating: nil, count: cost.count)
        cost[0] = 0
        for row in 0...units.count {
            for column in 0...recognized.count {
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
                if column < recognized.count { reach(0, 1, Self.gap, isAlike: false) }
                guard row < units.count, column < recognized.count else { continue }
                let share = Self.likeness(units[row], recognized[column])
                let isAlike = share >= Self.alike
                reach(1, 1, 1 - share + (isAlike ? 0 : Self.change), isAlike: isAlike)
                for count in 2...Self.maximum {
                    if column + count <= recognized.count {
                        let share = Self.likeness(units[row], Self.joined(recognized[column..<column + count]))
                        if share >= Self.alike { reach(1, count, 1 - share, isAlike: true) }
                    }
                    if row + count <= units.count {
                        let share = Self.likeness(Self.joined(units[row..<row + count]), recognized[column])
                        if share >= Self.alike { reach(count, 1, 1 - share, isAlike: true) }
                    }
                }
            }
        }
        var steps: [Step] = []
        var (row, column) = (units.count, recognized.count)
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
            for recognized in other {
                let (less, more) = (min(spelling.count, recognized.count), max(spelling.count, recognized.count))
                guard more > 0, Double(less) / Double(more) > best else { continue }
                best = max(best, spelling.likeness(to: recognized).share)
            }
        }
        return best
    }
}

/// The words that a recognizer returned, normalized for comparison; single characters in scripts without spaces.
struct RecognizedWords: Sendable {
    /// As ``Swift/String/comparedWord`` has them, none empty.
    let compared: [String]
    private let sources: [TextRange]
    private let units: [UInt16]
    private let places: [WordPlace]

    init(of speech: RecognizedSpeech) {
        units = Array(speech.text.utf16)
        let words = speech.text.practicedWords
        compared = words.map(\.text)
        sources = words.map(\.source)
        places = speech.words.filter { $0.start <= $0.end && !$0.source.isEmpty }
            .map { WordPlace(source: $0.source, time: $0.start..<$0.end) }
    }

    var count: Int { compared.count }

    /// The words in `range` as they were written down, without the punctuation around them.
    func text(of range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        let source = sources[first].lowerBound..<sources[last].upperBound
        let text = String(decoding: units[source], as: UTF16.self)
        let marks = { (character: Character) in String(character).comparedWord.isEmpty }
        return String(text.drop(while: marks).reversed().drop(while: marks).reversed())
    }

    /// When the words in `range` are said; `nil` for none, or without times.
    func time(of range: Range<Int>) -> TakeScore.Time? {
        guard let first = range.first, let last = range.last else { return nil }
        return places.time(of: sources[first].lowerBound..<sources[last].upperBound)
    }
}

extension String {
    /// The words that are compared, and where they are written; characters where a script has no spaces between words.
    var practicedWords: [(text: String, source: TextRange)] {
        let units = Array(utf16)
        return spokenWords.flatMap { range -> [(text: String, source: TextRange)] in
            let word = String(decoding: units[range], as: UTF16.self)
            guard word.unicodeScalars.contains(where: \.isOfUnspacedScript) else { return [(word.comparedWord, range)] }
            var start = range.lowerBound
            return word.map { character in
                defer { start += character.utf16.count }
                return (String(character).comparedWord, start..<start + character.utf16.count)
            }
        }
        .filter { !$0.text.isEmpty }
    }
}

extension Unicode.Scalar {
    /// Whether it is Thai, Lao, Tibetan, Burmese or Khmer, which have no spaces between words.
    fileprivate var isOfUnspacedScript: Bool {
        switch value {
        case 0x0E01...0x0E7F, 0x0E80...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF,
            0xAA60...0xAA7F:
            true
        default: false
        }
    }
}
