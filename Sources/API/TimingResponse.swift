package import EchoText

/// When the sentences of a recording or a narration are heard.
package struct TimingResponse: Encodable, Sendable {
    package struct Sentence: Encodable, Sendable {
        /// In seconds from the start of the sound.
        package let start: Double
        package let end: Double
        /// Its range in the text, in UTF-16 units.
        package let from: Int
        package let to: Int
        package let words: [WordResponse]

        package init(_ sentence: TimedSentence, sampleRate: Int) {
            let rate = Double(sampleRate)
            (start, end) = (Double(sentence.samples.lowerBound) / rate, Double(sentence.samples.upperBound) / rate)
            (from, to) = (sentence.source.lowerBound, sentence.source.upperBound)
            words = sentence.words.map { WordResponse($0, sampleRate: sampleRate) }
        }
    }

    package let sampleRate: Int
    /// Oldest first.
    package let sentences: [Sentence]

    package init(_ sentences: [TimedSentence], sampleRate: Int) {
        self.sampleRate = sampleRate
        self.sentences = sentences.map { Sentence($0, sampleRate: sampleRate) }
    }
}

/// When a word is heard: one of a narration, of a transcript, or of a segment that is practiced.
package struct WordResponse: Encodable, Sendable {
    /// In seconds from the start of the sound.
    package let start: Double
    package let end: Double
    /// Its range in the text that it comes with, in UTF-16 units.
    package let from: Int
    package let to: Int
    /// Whether an engine or a recognizer reported the time.
    package let precision: TimingPrecision
    /// From 0 to 1; left out if no recognizer said so.
    package let confidence: Double?

    package init(_ word: TimedWord, sampleRate: Int) {
        let rate = Double(sampleRate)
        (start, end) = (Double(word.samples.lowerBound) / rate, Double(word.samples.upperBound) / rate)
        (from, to) = (word.source.lowerBound, word.source.upperBound)
        precision = word.precision
        confidence = nil
    }

    package init(_ word: RecognizedWord) {
        (start, end) = (word.start, word.end)
        (from, to) = (word.source.lowerBound, word.source.upperBound)
        precision = word.isEstimated ? .estimated : .exact
        confidence = word.confidence
    }
}

/// A part of a recording that a listener can jump to.
package struct ChapterResponse: Encodable, Sendable {
    package let title: String
    /// Seconds from the start.
    package let start: Double
    /// Where in the text it begins, while it is still to be spoken.
    package let ahead: Int?

    package init(_ chapter: Chapter, sampleRate: Int, ahead: Int? = nil) {
        self.ahead = ahead
        (title, start) = (chapter.title, Double(chapter.start) / Double(sampleRate))
    }
}
