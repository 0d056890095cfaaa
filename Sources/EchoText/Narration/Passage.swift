/// A piece of a narration that is ready to play: one phrase and the silence after it.
package struct Passage: Sendable {
    /// Which sentence of the text it belongs to, from 0.
    package let sentence: Int
    /// The range in the text of the spoken part of the sentence.
    package let source: TextRange
    /// The written text.
    package let text: String
    /// Whether the sentence begins, or ends, with it.
    package let beginsSentence: Bool
    package let endsSentence: Bool
    /// The speech and its decay.
    package let clip: AudioClip
    /// How many samples at the end of the clip are the decay of the speech, which belongs to the pause after it.
    package let decay: Int
    /// How many samples of silence follow the clip.
    package let silence: Int
    /// The start of the clip in the narration, in samples.
    package let start: Int
    /// The words in it, in order; their samples are counted from the start of the narration.
    package let words: [TimedWord]
    /// Whether it is silent because the engine's process crashed on it, or as ``isSilenced`` says.
    package let isLeftOut: Bool
    /// Whether it is silent because the dictionary left nothing to say of its words or the voice has no sound for them.
    package let isSilenced: Bool
    /// How many samples later than its own time a caption begins with it; `nil` where none begins whose time is kept.
    package let delay: Int?
    /// Symbols of it that the voice does not know, so that they were left out or said as another sound, as far as no
    /// earlier passage has named them.
    package var unknown: [Unicode.Scalar] = []

    /// How many samples are speech.
    package var speech: Int { clip.samples.count - decay }

    /// The end of the passage in the narration, including its silence, in samples.
    package var end: Int { start + clip.samples.count + silence }

    /// Passes on the clip and then the silence, the latter in clips of at most a second, so that silence uses no
    /// memory until it is written.
    package func forEachClip(_ take: (AudioClip) async throws -> Void) async rethrows {
        if !clip.samples.isEmpty { try await take(clip) }
        var left = silence
        while left > 0 {
            let count = min(left, clip.sampleRate)
            try await take(AudioClip(samples: Array(repeating: 0, count: count), sampleRate: clip.sampleRate))
            left -= count
        }
    }

    /// Shortens it where its sound ends early, to the words that begin before.
    ///
    /// - Parameter end: Where the sound ends, in samples from the start of the narration.
    /// - Returns: The passage without the silence after it; `nil` where nothing of it is heard.
    package func cut(at end: Int) -> Passage? {
        let count = min(end - start, clip.samples.count)
        guard count > 0 else { return nil }
        let isWhole = count >= speech
        let last = words.lastIndex { !$0.samples.isEmpty && $0.samples.lowerBound < end }
        guard isWhole || last != nil else { return nil }
        let heard = isWhole ? words[...] : words.prefix(through: last ?? 0)
        let sourceEnd = isWhole ? source.upperBound : heard.last?.source.upperBound ?? source.upperBound
        return Passage(
            sentence: sentence,
            source: source.lowerBound..<sourceEnd,
            text: String(decoding: text.utf16.prefix(sourceEnd - source.lowerBound), as: UTF16.self),
            beginsSentence: beginsSentence,
            endsSentence: endsSentence || !isWhole,
            clip: AudioClip(samples: Array(clip.samples[..<count]), sampleRate: clip.sampleRate),
            decay: max(0, count - speech),
            silence: 0,
            start: start,
            words: heard.map { word in
                let samples = word.samples.clamped(to: start..<start + count)
                return TimedWord(source: word.source, samples: samples, precision: word.precision)
            },
            isLeftOut: isLeftOut,
            isSilenced: isSilenced,
            delay: delay,
            unknown: unknown
        )
    }

    /// Names what could not be spoken of it, for a person: its first words when it is left out, or in front of them the
    /// symbols that the voice does not know, `[ɕ ʑ] (Miś …)`.
    ///
    /// - Parameter named: The names that are shown already; a symbol that is in them is not shown again.
    /// - Returns: The name; `nil` when everything was spoken.
    package func unspoken(beside named: [String] = []) -> String? {
        if isLeftOut { return excerpt }
        guard !unknown.isEmpty else { return nil }
        let shown = Set(named.flatMap(Self.symbols))
        let symbols = unknown.map(Self.shown).filter { !shown.contains($0) }
        return symbols.isEmpty ? nil : "[\(symbols.joined(separator: " "))] (\(excerpt))"
    }

    /// The symbols that are shown in front of words.
    private static func symbols(in unspoken: String) -> [String] {
        guard unspoken.hasPrefix("["), let end = unspoken.firstRange(of: "] (") else { return [] }
        return unspoken[..<end.lowerBound].dropFirst().split(separator: " ").map(String.init)
    }

    private static func shown(_ symbol: Unicode.Scalar) -> String {
        switch symbol.properties.generalCategory {
        // Without a letter, it would stand on the bracket.
        case .nonspacingMark, .spacingMark, .enclosingMark: "◌\(symbol)"
        default: String(symbol)
        }
    }

    /// Its first words, as they are shown to a person.
    package var excerpt: String { text.excerpt }
}

extension String {
    /// Its first words, as they are shown to a person.
    var excerpt: String {
        let shown = unicodeScalars.lazy.filter(\.isSafeToShow)
        var excerpt = String.UnicodeScalarView()
        excerpt.append(contentsOf: shown.prefix(Self.longestExcerpt))
        return String(excerpt) + (excerpt.count == Self.longestExcerpt ? "…" : "")
    }

    /// The most Unicode scalars of an excerpt.
    private static let longestExcerpt = 80

    /// Whether it has letters or digits, and not only such as draw a line (U+0640).
    var hasWords: Bool {
        unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return properties.isAlphabetic && properties.generalCategory != .modifierLetter
                || properties.numericType != nil
        }
    }
}

/// A word, or another range of the text, with its time in the speech.
package struct TimedWord: Sendable, Hashable {
    package var source: TextRange
    package var samples: Range<Int>
    package var precision: TimingPrecision

    package init(source: TextRange, samples: Range<Int>, precision: TimingPrecision) {
        self.source = source
        self.samples = samples
        self.precision = precision
    }
}

extension TimedWord {
    /// Aligns `words` with the engine's `marks`.
    ///
    /// A word with several marks lasts from the first to the last; several words under one mark (“5 km” spoken as one)
    /// share its time in proportion to their lengths; a word without a mark is not spoken and gets an empty range at
    /// the end of the word before.
    ///
    /// - Parameters:
    ///   - words: The ranges of the words in the text, in order.
    ///   - marks: The marks in order of time.
    ///   - offset: Added to every sample.
    /// - Returns: As many as `words`.
    package static func align(_ words: [TextRange], to marks: [TimedWord], offset: Int) -> [TimedWord] {
        var timed: [TimedWord] = []
        timed.reserveCapacity(words.count)
        var first = 0
        var end = offset
        for word in words {
            while first < marks.count, marks[first].source.upperBound <= word.lowerBound { first += 1 }
            let own = marks[first...].prefix { $0.source.lowerBound < word.upperBound }
            guard let start = own.first, let last = own.last else {
                timed.append(TimedWord(source: word, samples: end..<end, precision: .estimated))
                continue
            }
            let from = max(end, offset + start.sample(at: word.lowerBound))
            let until = max(from, offset + last.sample(at: word.upperBound))
            let isWhole = start.covers(word.lowerBound) && last.covers(word.upperBound)
            let isExact = isWhole && own.allSatisfy { $0.precision == .exact }
            timed.append(TimedWord(source: word, samples: from..<until, precision: isExact ? .exact : .estimated))
            end = until
        }
        return timed
    }
}

extension TimedWord {
    /// Whether `unit` is where the mark begins or ends, or outside it, so that no time within it must be guessed.
    fileprivate func covers(_ unit: Int) -> Bool { unit <= source.lowerBound || unit >= source.upperBound }

    /// Interpolates the time of UTF-16 unit `unit` linearly within the mark.
    fileprivate func sample(at unit: Int) -> Int {
        if unit <= source.lowerBound { return samples.lowerBound }
        if unit >= source.upperBound { return samples.upperBound }
        let share = Double(unit - source.lowerBound) / Double(source.count)
        return samples.lowerBound + Int(share * Double(samples.count))
    }
}

/// The times of a sentence and its words: one row of a narration's timing table.
package struct TimedSentence: Sendable, Hashable {
    /// Its range in the text.
    package var source: TextRange
    package var text: String
    /// In samples from the start of the narration, without the pause after it.
    package var samples: Range<Int>
    package var words: [TimedWord]

    package init(source: TextRange, text: String, samples: Range<Int>, words: [TimedWord]) {
        self.source = source
        self.text = text
        self.samples = samples
        self.words = words
    }

    /// The word's letters as they are written.
    package func text(of word: TimedWord) -> String {
        let units = Array(text.utf16)
        let range = word.source.moved(by: -source.lowerBound)
        return String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self)
    }
}

/// Assembles sentences from the passages of a narration.
package struct SentenceTiming: Sendable {
    private var begun: TimedSentence?

    package init() {}

    /// Returns the sentence that ends with `passage`, if any; a passage of silence ends none.
    package mutating func add(_ passage: Passage) -> TimedSentence? {
        let speech = passage.start..<passage.start + passage.speech
        if var sentence = begun, !passage.beginsSentence {
            sentence.source = sentence.source.lowerBound..<passage.source.upperBound
            sentence.text += passage.text
            sentence.samples = sentence.samples.lowerBound..<speech.upperBound
            sentence.words += passage.words
            begun = sentence
        } else {
            begun = TimedSentence(source: passage.source, text: passage.text, samples: speech, words: passage.words)
        }
        return passage.endsSentence ? take() : nil
    }

    /// The sentence that was begun and not ended, for a narration that is cut short.
    package mutating func take() -> TimedSentence? {
        defer { begun = nil }
        return begun.flatMap { $0.samples.isEmpty ? nil : $0 }
    }
}

/// When something of a narration that keeps times is to be heard, in seconds from its start.
enum PlannedTime: Sendable, Hashable {
    /// Silence that lasts until then; none when it is later already.
    case silence(until: Double)
    /// Speech that begins when its range does, or once what is before it has ended, and that should end with its range.
    case speech(Range<Double>)

    /// The time of one of the phrases that are said one after another in it: each should end when its share is over.
    ///
    /// - Parameters:
    ///   - index: Which phrase it is, from 0.
    ///   - lengths: How long each of the phrases is, in any unit.
    /// - Returns: The same for silence.
    func part(_ index: Int, of lengths: [Int]) -> PlannedTime {
        guard case .speech(let range) = self, index < lengths.count - 1 else { return self }
        let said = Double(lengths[...index].reduce(0, +)) / Double(lengths.reduce(0, +))
        return .speech(range.lowerBound..<range.lowerBound + (range.upperBound - range.lowerBound) * said)
    }
}
