import EchoText
import Foundation
import Hummingbird

/// A recording session as the page shows it.
struct SessionResponse: ResponseEncodable {
    struct Mark: Encodable {
        let seconds: Double
        @Nullable var label: String?
    }

    let id: String
    let name: String
    let language: String
    let sampleRate: Int
    let state: String
    let samples: Int
    let seconds: Double
    let nextChunk: Int
    let marks: [Mark]
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
        marks = session.marks.map { mark in
            Mark(seconds: Double(mark.sample) / Double(session.order.sampleRate), label: mark.label)
        }
        device = session.order.sourceName
        created = session.created
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
