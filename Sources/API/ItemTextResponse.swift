import EchoText

/// The text of a recording or a narration.
package struct ItemTextResponse: Encodable, Sendable {
    package let text: String
    package let paragraphs: [ParagraphResponse]

    /// - Throws: `CancellationError` when the calling task is cancelled.
    package init(_ text: String) async throws {
        self.text = text
        paragraphs = try await ParagraphResponse.all(in: text)
    }
}

/// A paragraph of a text, with its range in UTF-16 units; white space around it is not in it.
package struct ParagraphResponse: Encodable, Sendable {
    package let from: Int
    package let to: Int
    package let isHeading: Bool

    private init(_ range: ParagraphRange) {
        (from, to, isHeading) = (range.source.lowerBound, range.source.upperBound, range.isHeading)
    }

    /// The paragraphs of a text, in order.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func all(in text: String) async throws -> [ParagraphResponse] {
        try await ParagraphRange.all(in: text).map { ParagraphResponse($0) }
    }
}
