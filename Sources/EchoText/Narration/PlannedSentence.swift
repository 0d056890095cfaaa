/// A sentence that is to be spoken.
package struct PlannedSentence: Sendable, Hashable {
    /// Which one of the text, from 0.
    package var number: Int
    /// Where it is written, without the white space around it.
    package var source: TextRange
    /// The sentence as it is written.
    package var text: String
    /// The spoken text, in parts short enough for the engine; together they make up the whole sentence.
    package var phrases: [SpokenText]
    /// Where its words are written, in order.
    package var words: [TextRange]
    /// Silence after it, in seconds at speed 1.
    package var pauseAfter: Double
    /// Whether a tag in the text asks for that silence, so that it stays as long at any speed.
    package var isPauseExact = false
}

/// Sentences that are prepared together and forgotten together.
package typealias NarrationChunk = [PlannedSentence]
