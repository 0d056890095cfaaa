/// A stretch of a narration that is ready to be heard: one phrase and the silence after it.
package struct Passage: Sendable {
    /// Which sentence of the text it belongs to, from 0.
    package let sentence: Int
    /// Where the part of the sentence that is heard here is written.
    package let source: TextRange
    /// What is written there.
    package let text: String
    /// Whether the sentence begins, or ends, with it.
    package let beginsSentence: Bool
    package let endsSentence: Bool
    /// The speech and then the silence.
    package let clip: AudioClip
    /// Where in the narration the clip begins, in samples.
    package let start: Int
    /// How many samples of the clip are speech; the rest is silence.
    package let speech: Int
    /// The words in it, in order; their samples are counted from the start of the narration.
    package let words: [TimedWord]

    /// Where in the narration the clip ends, in samples.
    package var end: Int { start + clip.samples.count }
}

/// When a word of the text is heard.
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
    /// When each of `words` is heard, by the engine's `marks`.
    ///
    /// A word with several marks lasts from the first to the last; several words under one mark (“5 km” said as one) share it
    /// by their lengths; a word without a mark is not heard and stands, with no length, where the one before it ends.
    ///
    /// - Parameters:
    ///   - words: Where the words are written, in order.
    ///   - marks: In the order they are heard.
    ///   - offset: Added to every sample.
    /// - Returns: As many as `words`.
    package static func align(_ words: [TextRange], to marks: [SpeechFragment.Mark], offset: Int) -> [TimedWord] {
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

extension SpeechFragment.Mark {
    /// Whether `unit` is where the mark begins or ends, or outside it, so that no time within it must be guessed.
    fileprivate func covers(_ unit: Int) -> Bool { unit <= source.lowerBound || unit >= source.upperBound }

    /// When the writing at `unit` is heard, the mark's time shared out evenly over what is written.
    fileprivate func sample(at unit: Int) -> Int {
        if unit <= source.lowerBound { return samples.lowerBound }
        if unit >= source.upperBound { return samples.upperBound }
        let share = Double(unit - source.lowerBound) / Double(source.count)
        return samples.lowerBound + Int(share * Double(samples.count))
    }
}
