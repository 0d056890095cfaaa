package import EchoText
package import Foundation

/// A recording session.
package struct SessionResponse: Encodable, Sendable {
    /// The recording's, once it is one.
    package let id: AudioItem.ID
    package let name: String
    /// A BCP 47 tag; und when it is not known.
    package let language: String
    /// In hertz.
    package let sampleRate: Int
    package let state: RecordingSession.State
    package let samples: Int
    package let seconds: Double
    /// The number of the first chunk that is not there.
    package let nextChunk: Int
    /// Sorted by time.
    package let marks: [MarkResponse]
    @Nullable package var device: String?
    package let created: Date
    /// Whether it can only be discarded, as it is damaged.
    package let isUnreadable: Bool
    /// Whether it is the beginning of an imported file.
    package let isOfFile: Bool

    package init(_ session: RecordingSession) {
        (id, created, state) = (session.id, session.created, session.state)
        (isUnreadable, isOfFile) = (session.isUnreadable, session.isInterruptedImport)
        let order = session.order
        (name, language, sampleRate) = (order.name.text, order.language, order.sampleRate)
        (samples, seconds, nextChunk) = (session.samples, session.duration, session.nextChunk)
        marks = session.marks.map { MarkResponse($0, sampleRate: order.sampleRate) }
        device = order.sourceName
    }
}

/// A mark of a recording, or of a recording session.
package struct MarkResponse: Encodable, Sendable {
    /// In a command's list: from 1.
    package let number: Int?
    package let seconds: Double
    @Nullable package var label: String?

    package init(_ mark: RecordingMark, sampleRate: Int, number: Int? = nil) {
        self.number = number
        (seconds, label) = (mark.seconds(at: sampleRate), mark.label)
    }
}
