import API
import EchoText
import Foundation
import Hummingbird

/// A narration as the page shows it.
struct NarrationResponse: ResponseEncodable {
    let id: String
    let name: String
    let state: String
    let voice: String
    let voiceName: String
    let speaker: Int
    let speed: Double
    let pitch: Double
    let created: Date
    let characters: Int
    let position: Int
    let sentence: Int
    @Nullable var sentences: Int?
    let seconds: Double
    @Nullable var secondsLeft: Double?
    let sampleRate: Int
    @Nullable var document: DocumentLink?
    @Nullable var failure: FailureResponse?
    let unspoken: [String]
    @Nullable var times: CaptionDelays?
    /// Those of its text, in the answer to a request that has the text.
    var paragraphs: [ParagraphResponse]?

    init(_ status: NarrationStatus) {
        let order = status.order
        id = status.id.rawValue
        name = order.name.text
        state = status.state.rawValue
        (voice, voiceName, speaker) = (order.voice.id.rawValue, order.voice.name, order.speaker)
        (speed, pitch) = (order.speed, order.pitch)
        created = status.created
        (characters, position) = (status.length, status.position)
        (sentence, sentences) = (status.sentences, status.expectedSentences)
        (seconds, secondsLeft) = (status.seconds, status.secondsLeft)
        sampleRate = order.voice.sampleRate
        document = order.document
        failure = status.failure.map(FailureResponse.init)
        unspoken = status.leftOut
        times = status.times
    }
}
