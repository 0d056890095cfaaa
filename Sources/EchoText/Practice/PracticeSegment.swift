/// A sentence or paragraph that is practised by itself.
package struct PracticeSegment: Sendable, Hashable, Codable {
    /// The segment's number in the text, from 1.
    package let number: Int
    /// As it is written, line breaks turned to spaces.
    package let text: String
    /// Its range in the text, in UTF-16 units.
    package let source: TextRange
    /// Which paragraph it is in, or is, from 1.
    package let paragraph: Int
    package let isHeading: Bool

    package init(number: Int, text: String, source: TextRange, paragraph: Int, isHeading: Bool) {
        self.number = number
        self.text = text
        self.source = source
        self.paragraph = paragraph
        self.isHeading = isHeading
    }
}
