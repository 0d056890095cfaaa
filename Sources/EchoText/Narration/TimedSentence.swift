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
        let range = word.source.lowerBound - source.lowerBound..<word.source.upperBound - source.lowerBound
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
