package import EchoText

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
