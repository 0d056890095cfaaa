package import EchoText

/// A sentence that does not sound as it is written.
package struct SpeechFindingResponse: Encodable, Sendable {
    /// Words that differ.
    package struct Difference: Encodable, Sendable {
        /// Where their range in the sentence begins, in UTF-16 units; it is empty where words were added.
        package let from: Int
        package let to: Int
        /// Where the words begin that were recognized instead, in UTF-16 units; none if the range is empty.
        package let heardFrom: Int
        package let heardTo: Int
        /// In a command's answer: the words of the sentence.
        package let written: String?
        /// In a command's answer: the words recognized instead.
        package let heard: String?
    }

    /// The number of the sentence, from 1.
    package let number: Int
    package let kind: SpeechFinding.Kind
    /// In seconds.
    package let start: Double
    package let end: Double
    package let text: String
    package let heard: String
    /// The differing words in the text and in the transcript, in UTF-16 units.
    package let differences: [Difference]
    /// Whether the sentence was synthesized and checked again since the check.
    package let isSpokenAnew: Bool

    /// - Parameters:
    ///   - finding: The finding.
    ///   - isSpokenAnew: Whether the sentence was synthesized and checked again since the check.
    ///   - hasWords: Whether the words that differ are named, as in a command's answer.
    package init(_ finding: SpeechFinding, isSpokenAnew: Bool = false, hasWords: Bool = false) {
        (number, kind) = (finding.number, finding.kind)
        (start, end) = (finding.start, finding.end)
        (text, heard) = (finding.text, finding.heard)
        differences = finding.differences.map { difference in
            Difference(
                from: difference.source.lowerBound - finding.source.lowerBound,
                to: difference.source.upperBound - finding.source.lowerBound,
                heardFrom: difference.place.lowerBound,
                heardTo: difference.place.upperBound,
                written: hasWords ? difference.written : nil,
                heard: hasWords ? difference.heard : nil
            )
        }
        self.isSpokenAnew = isSpokenAnew
    }
}
