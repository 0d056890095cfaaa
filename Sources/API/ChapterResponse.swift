package import EchoText

/// A part of a recording that a listener can jump to.
package struct ChapterResponse: Encodable, Sendable {
    package let title: String
    /// Seconds from the start.
    package let start: Double

    package init(_ chapter: Chapter, sampleRate: Int) {
        (title, start) = (chapter.title, Double(chapter.start) / Double(sampleRate))
    }
}
