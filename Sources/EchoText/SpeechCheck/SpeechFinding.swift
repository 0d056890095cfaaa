/// A sentence of a narration that does not sound as it is written.
package struct SpeechFinding: Sendable, Hashable, Encodable, Identifiable {
    /// What is wrong with the sentence; of several faults the first one here.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Words of the text are not heard.
        case missing
        /// Words are heard that the text does not have.
        case added
        /// More than a third of the words are heard as others, or one as another that does not sound like it.
        case garbled
    }

    /// Words that differ.
    package struct Difference: Sendable, Hashable, Encodable {
        /// Where the words stand in the whole text; empty where words were added.
        package let source: TextRange
        /// As they are written.
        package let written: String
        /// What is heard in their place.
        package let heard: String

        private enum CodingKeys: CodingKey {
            case from, to, written, heard
        }

        package init(source: TextRange, written: String, heard: String) {
            (self.source, self.written, self.heard) = (source, written, heard)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(source.lowerBound, forKey: .from)
            try container.encode(source.upperBound, forKey: .to)
            try container.encode(written, forKey: .written)
            try container.encode(heard, forKey: .heard)
        }
    }

    /// Which sentence of the narration, from 1.
    package let number: Int
    package let kind: Kind
    /// In seconds from the start of the recording.
    package let start: Double
    package let end: Double
    /// The sentence as it is written.
    package let text: String
    /// What was heard of it when it was heard alone.
    package let heard: String
    /// In the order of the text, at least one.
    package let differences: [Difference]

    package var id: Int { number }

    package init(
        number: Int,
        kind: Kind,
        start: Double,
        end: Double,
        text: String,
        heard: String,
        differences: [Difference]
    ) {
        self.number = number
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.heard = heard
        self.differences = differences
    }
}
