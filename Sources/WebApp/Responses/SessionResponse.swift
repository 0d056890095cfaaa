import API
import EchoText
import Foundation
import Hummingbird

/// A recording session as the page shows it.
struct SessionResponse: ResponseEncodable {
    let id: String
    let name: String
    let language: String
    let sampleRate: Int
    let state: String
    let samples: Int
    let seconds: Double
    let nextChunk: Int
    let marks: [MarkResponse]
    @Nullable var device: String?
    let created: Date

    init(_ session: RecordingSession) {
        id = session.id.rawValue
        name = session.order.name.text
        language = session.order.language
        sampleRate = session.order.sampleRate
        state = session.state.rawValue
        samples = session.samples
        seconds = session.duration
        nextChunk = session.nextChunk
        marks = session.marks.map { MarkResponse($0, sampleRate: session.order.sampleRate) }
        device = session.order.sourceName
        created = session.created
    }
}

/// A mark of a recording, or of a recording session.
struct MarkResponse: ResponseEncodable {
    let seconds: Double
    @Nullable var label: String?

    init(_ mark: RecordingMark, sampleRate: Int) {
        seconds = mark.seconds(at: sampleRate)
        label = mark.label
    }
}

/// A change of a recording session, for the event of it.
struct RecordingChange: Encodable {
    let id: String
    /// `nil` when it is none any more.
    @Nullable var session: SessionResponse?

    init(of id: AudioItem.ID, _ session: RecordingSession?) {
        self.id = id.rawValue
        self.session = session.map { SessionResponse($0) }
    }
}
