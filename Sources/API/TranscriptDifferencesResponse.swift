package import EchoText

/// The differences between two versions of a transcript.
package struct TranscriptDifferencesResponse: Encodable, Sendable {
    /// Adjacent words of a version.
    package struct Side: Encodable, Sendable {
        package let text: String
        /// In seconds from the start of the recording.
        package let start: Double
        package let end: Double

        /// Is `nil` for no words.
        package init?(_ words: ArraySlice<TranscriptDifferences.Word>) {
            guard let first = words.first, let last = words.last else { return nil }
            text = words.map(\.text).joined(separator: " ")
            start = first.time.lowerBound
            end = max(start, last.time.upperBound)
        }
    }

    package struct Passage: Encodable, Sendable {
        package let kind: TranscriptDifferences.Kind
        @Nullable package var first: Side?
        @Nullable package var second: Side?
    }

    package let first: Transcript.ID
    package let second: Transcript.ID
    /// Words that only the first version has.
    package let missing: Int
    /// Words that only the second version has.
    package let added: Int
    /// All words of both versions, in order.
    package let passages: [Passage]

    package init(_ differences: TranscriptDifferences, from first: Transcript.ID, to second: Transcript.ID) {
        (self.first, self.second) = (first, second)
        (missing, added) = differences.changes
        passages = differences.passages.map { run in
            Passage(
                kind: run.kind,
                first: Side(differences.first[run.first]),
                second: Side(differences.second[run.second])
            )
        }
    }
}
