/// Reads a text sentence by sentence, each with its spoken form and the pause after it.
///
/// Sentences and pauses are bounded, since each is held in memory: an endless sentence is split, between words where
/// possible, and a pause longer than a tag's maximum continues in sentences without text.
struct SentenceReader {
    /// Most UTF-16 units of a sentence: some four minutes of speech.
    static let longestSentence = 4_096

    private var paragraphs: ParagraphReader
    private let segmenter: any TextSegmenter
    private let rules: TextRules
    /// The stated passages that no paragraph before has been past.
    private var passages: ArraySlice<LanguagePassage>
    private let pauses: NarrationSettings.Pauses

    /// The paragraph that the sentence which was handed on last is in.
    private(set) var paragraph: Paragraph?
    private var ready: ArraySlice<PlannedSentence> = []
    private var nextNumber = 0
    /// The pause that tags have requested so far, in seconds.
    private var silence = 0.0

    init(
        paragraphs: ParagraphReader,
        segmenter: any TextSegmenter,
        rules: TextRules,
        passages: [LanguagePassage] = [],
        pauses: NarrationSettings.Pauses
    ) {
        self.paragraphs = paragraphs
        self.segmenter = segmenter
        self.rules = rules
        self.passages = passages[...]
        self.pauses = pauses
    }

    /// Whether it is known that no sentence follows.
    var isFinished: Bool { ready.isEmpty && paragraphs.isFinished }

    /// Whether the next sentence, or the end, is here without waiting for whoever is still writing the text.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    mutating func isReady() async throws -> Bool {
        if !ready.isEmpty { return true }
        return try await paragraphs.isReady()
    }

    mutating func next() async throws -> PlannedSentence? {
        while ready.isEmpty {
            guard let paragraph = try await paragraphs.next() else { return nil }
            ready = try sentences(of: paragraph)[...]
            self.paragraph = paragraph
        }
        return ready.removeFirst()
    }

    /// The rules of the stated passage that a paragraph is in, else those of the language that its words show.
    private func rules(for paragraph: Paragraph, of units: [UInt16]) -> TextRules {
        let first = units.firstIndex { !Self.isSpace($0) } ?? 0
        let last = units.lastIndex { !Self.isSpace($0) } ?? 0
        guard let passage = passages.first, passage.range.lowerBound <= paragraph.start + first,
            passage.range.upperBound > paragraph.start + last
        else { return rules.adapted(to: paragraph.text) }
        return rules.of(passage.language)
    }

    /// The spoken form of a sentence: its stated passages by the rules of their languages, the rest by `rules`.
    private func spoken(_ text: String, at start: Int, by rules: TextRules) -> SpokenText {
        let units = Array(text.utf16)
        let end = start + units.count
        let own = passages.drop { $0.range.upperBound <= start }.prefix { $0.range.lowerBound < end }
        guard !own.isEmpty else { return rules.preparation.prepare(text, at: start) }
        var pieces: [SpokenText.Piece] = []
        var position = start
        func prepare(upTo next: Int, by rules: TextRules) {
            guard next > position else { return }
            let part = String(decoding: units[position - start..<next - start], as: UTF16.self)
            pieces += rules.preparation.prepare(part, at: position).pieces
            position = next
        }
        for passage in own {
            let range = passage.range.clamped(to: start..<end)
            let ends = [range.lowerBound - start, range.upperBound - start]
            // Rules need whole words.
            guard !ends.contains(where: { Self.isInWord($0, of: units) }) else { continue }
            prepare(upTo: range.lowerBound, by: rules)
            prepare(upTo: range.upperBound, by: self.rules.of(passage.language))
        }
        prepare(upTo: end, by: rules)
        return SpokenText(pieces: pieces)
    }

    /// Whether `place` is between two letters or digits.
    private static func isInWord(_ place: Int, of units: [UInt16]) -> Bool {
        place > 0 && place < units.count && isOfWord(units[place - 1]) && isOfWord(units[place])
    }

    private static func isOfWord(_ unit: UInt16) -> Bool {
        // Half a character is in one.
        guard let scalar = Unicode.Scalar(unit) else { return true }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private mutating func sentences(of paragraph: Paragraph) throws(SynthesisError) -> [PlannedSentence] {
        let units = Array(paragraph.text.utf16)
        passages = passages.drop { $0.range.upperBound <= paragraph.start }
        let rules = self.rules(for: paragraph, of: units)
        var sentences: [PlannedSentence] = []
        for segment in PauseTags.split(paragraph.text, at: paragraph.start) {
            switch segment {
            case .text(let range):
                let text = Self.text(of: range, in: units, at: paragraph.start)
                let own = units[range.moved(by: -paragraph.start)]
                for sentence in plainSentences(in: text, at: range.lowerBound, by: rules) {
                    let parts = Self.parts(of: sentence.moved(by: own.startIndex), in: units)
                    for part in parts {
                        let number = nextNumber
                        let place = part.moved(by: -own.startIndex)
                        append(own, place, at: range.lowerBound, by: rules, to: &sentences)
                        if nextNumber > number, part != parts.last { sentences[sentences.count - 1].pauseAfter = 0 }
                    }
                }
            case .pause(let seconds, let range):
                silence += seconds
                guard silence <= PauseTags.maximumSeconds else { throw .tooMuchSilence }
                pause(seconds, at: range, in: &sentences)
            }
        }
        if let last = sentences.indices.last, !sentences[last].isPauseExact {
            sentences[last].pauseAfter = paragraph.isWhole ? self.pause(after: paragraph.kind) : pauses.sentence
        }
        return sentences
    }

    /// The sentences of a text that begins at `start`; none ends in a passage whose own language has no end there.
    private func plainSentences(in text: String, at start: Int, by rules: TextRules) -> [TextRange] {
        let found = segmenter.plainSentences(in: text, language: rules.language)
        let end = start + text.utf16.count
        let own = passages.drop { $0.range.upperBound <= start }.prefix { $0.range.lowerBound < end }
        guard found.count > 1, !own.isEmpty else { return found }
        var others: Set<Int> = []
        for passage in own {
            let language = self.rules.of(passage.language).language
            guard language != rules.language else { continue }
            let range = passage.range.clamped(to: start..<end).moved(by: -start)
            let inner = segmenter.plainSentences(in: String(text.part(range)), language: language)
            let starts = Set(inner.map { $0.lowerBound + range.lowerBound })
            let within = found.map(\.lowerBound).filter { range.lowerBound < $0 && $0 < range.upperBound }
            others.formUnion(within.filter { !starts.contains($0) })
        }
        var joined: [TextRange] = []
        for sentence in found {
            if let last = joined.last, others.contains(sentence.lowerBound) {
                joined[joined.count - 1] = last.lowerBound..<sentence.upperBound
            } else {
                joined.append(sentence)
            }
        }
        return joined
    }

    private func pause(after kind: Paragraph.Kind) -> Double {
        switch kind {
        case .body: pauses.paragraph
        case .heading: pauses.heading
        case .item: pauses.sentence
        }
    }

    /// Plans the sentence at `range` of `units`, whose first unit is at `start` in the text, unless there is nothing to
    /// say in it.
    private mutating func append(
        _ units: ArraySlice<UInt16>,
        _ range: TextRange,
        at start: Int,
        by rules: TextRules,
        to sentences: inout [PlannedSentence]
    ) {
        let sentence = units[range.moved(by: units.startIndex)]
        guard let first = sentence.firstIndex(where: { !Self.isSpace($0) }),
            let last = sentence.lastIndex(where: { !Self.isSpace($0) })
        else { return }
        let text = String(decoding: units[first...last], as: UTF16.self)
        let begin = start + first - units.startIndex
        guard text.unicodeScalars.contains(where: \.isSpeakable) else { return }  // a rule of stars or dashes
        let spoken = self.spoken(text, at: begin, by: rules)
        guard spoken.isSpeakable || spoken.silences(text) else { return }
        let words = segmenter.plainWords(in: text, language: rules.language).map { $0.moved(by: begin) }
        sentences.append(
            PlannedSentence(
                number: nextNumber,
                source: begin..<begin + (last - first + 1),
                text: text,
                phrases: spoken.isSpeakable ? spoken.phrases(longest: NarrationPlan.longestPhrase) : [],
                words: words,
                pauseAfter: pauses.sentence
            )
        )
        nextNumber += 1
    }

    /// Lengthens the pause after the last sentence to what a tag requests.
    ///
    /// A tag at the start of the text gives an initial silence, and a pause beyond a tag's maximum becomes a silent
    /// sentence.
    private mutating func pause(_ seconds: Double, at range: TextRange, in sentences: inout [PlannedSentence]) {
        let before = sentences.last.map { $0.isPauseExact ? $0.pauseAfter : 0 } ?? 0
        guard let last = sentences.indices.last, before + seconds <= PauseTags.longestSeconds else {
            sentences.append(
                PlannedSentence(
                    number: nextNumber,
                    source: range,
                    text: "",
                    phrases: [],
                    words: [],
                    pauseAfter: seconds,
                    isPauseExact: true
                )
            )
            nextNumber += 1
            return
        }
        sentences[last].pauseAfter = before + seconds
        sentences[last].isPauseExact = true
    }

    /// Splits a sentence into parts of at most ``longestSentence`` units, after a clause in the second half if
    /// possible, else after a space.
    private static func parts(of sentence: TextRange, in units: [UInt16]) -> [TextRange] {
        var parts: [TextRange] = []
        var start = sentence.lowerBound
        while sentence.upperBound - start > longestSentence {
            let reach = start..<start + longestSentence
            let spaces = reach.dropFirst(longestSentence / 2).filter { isSpace(units[$0]) }
            let clause = spaces.last { clauseMarks.contains(units[$0 - 1]) }
            var end = (clause ?? spaces.last).map { $0 + 1 } ?? reach.upperBound
            if UTF16.isLeadSurrogate(units[end - 1]) { end -= 1 }
            parts.append(start..<end)
            start = end
        }
        return parts + [start..<sentence.upperBound]
    }

    private static let clauseMarks = Set(",;:—–，、；：،؛।፣॥၊…".utf16)

    private static func text(of range: TextRange, in units: [UInt16], at start: Int) -> String {
        String(decoding: units[range.moved(by: -start)], as: UTF16.self)
    }

    private static func isSpace(_ unit: UInt16) -> Bool {
        Unicode.Scalar(unit)?.properties.isWhitespace ?? false
    }
}

extension SpokenText {
    /// Whether an engine has something to say: a letter, a number, a symbol with a name, or phonemes.
    var isSpeakable: Bool {
        pieces.contains { piece in
            switch piece.content {
            case .phonemes(let ipa): !ipa.isEmpty
            case .written(let text), .words(let text): text.unicodeScalars.contains(where: \.isSpeakable)
            }
        }
    }

    /// Whether nothing is left to say of the words of `text` since the dictionary replaces them by mere marks; such a
    /// text is named as left out.
    func silences(_ text: some StringProtocol) -> Bool {
        !isSpeakable && hasReplacement && text.contains { $0.isLetter || $0.isNumber }
    }

    /// Whether something else, if only a mark, takes the place of some words.
    private var hasReplacement: Bool {
        pieces.contains { piece in
            if case .words(let words) = piece.content { !words.allSatisfy(\.isWhitespace) } else { false }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter, a number, or a symbol with a name.
    var isSpeakable: Bool {
        properties.isAlphabetic || properties.numericType != nil || properties.isEmojiPresentation
            || properties.generalCategory == .otherSymbol || properties.generalCategory == .mathSymbol
            || properties.generalCategory == .currencySymbol
    }
}
