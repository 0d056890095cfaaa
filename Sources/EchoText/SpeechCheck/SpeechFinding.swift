/// A sentence of a narration that does not sound as it is written.
package struct SpeechFinding: Sendable, Hashable, Identifiable {
    /// The kind of fault; of several, the first in this order.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Words of the text are not spoken.
        case missing
        /// Words are spoken that the text does not have.
        case added
        /// More than a third of the words were recognized as others, or one as a word that does not sound similar.
        case garbled
    }

    /// Words that differ.
    package struct Difference: Sendable, Hashable {
        /// The range of the words in the whole text; empty where words were added.
        package let source: TextRange
        /// As they are written.
        package let written: String
        /// The words recognized instead.
        package let heard: String
        /// Their range in the recognized text of the sentence; empty where there are none.
        package let place: TextRange

        package init(source: TextRange, written: String, heard: String, place: TextRange) {
            (self.source, self.written, self.heard, self.place) = (source, written, heard, place)
        }
    }

    /// Which sentence of the narration, from 1.
    package let number: Int
    package let kind: Kind
    /// In seconds from the start of the recording.
    package private(set) var start: Double
    package private(set) var end: Double
    /// The range of the sentence in the whole text.
    package let source: TextRange
    /// The sentence as it is written.
    package let text: String
    /// The recognized text of the sentence alone.
    package let heard: String
    /// In the order of the text, at least one.
    package let differences: [Difference]

    package var id: Int { number }

    /// - Parameters:
    ///   - number: The sentence's number, from 1.
    ///   - kind: The kind of fault.
    ///   - sentence: The sentence itself.
    ///   - sampleRate: The recording's sample rate in hertz.
    ///   - heard: The recognized text of the sentence alone.
    ///   - differences: The words that differ, in the order of the text.
    package init(
        number: Int,
        kind: Kind,
        of sentence: TimedSentence,
        sampleRate: Int,
        heard: String,
        differences: [Difference]
    ) {
        self.number = number
        self.kind = kind
        (start, end) = Self.seconds(of: sentence, sampleRate: sampleRate)
        source = sentence.source
        text = sentence.text
        self.heard = heard
        self.differences = differences
    }

    /// Returns the finding with the times after another sentence's sound became longer or shorter.
    package func moved(to sentence: TimedSentence, sampleRate: Int) -> SpeechFinding {
        var moved = self
        (moved.start, moved.end) = Self.seconds(of: sentence, sampleRate: sampleRate)
        return moved
    }

    private static func seconds(of sentence: TimedSentence, sampleRate: Int) -> (start: Double, end: Double) {
        let rate = Double(sampleRate)
        return (Double(sentence.samples.lowerBound) / rate, Double(sentence.samples.upperBound) / rate)
    }
}
