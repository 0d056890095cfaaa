package import EchoText

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
