package import EchoText
package import Foundation

/// Speech that is being made; it becomes a recording with the same id.
package struct NarrationResponse: Encodable, Sendable {
    package let id: AudioItem.ID
    package let name: String
    package let state: String
    package let voice: Voice.ID
    package let voiceName: String
    package let speaker: Int
    package let speed: Double
    package let pitch: Double
    package let created: Date
    /// UTF-16 units of the text.
    package let characters: Int
    /// UTF-16 units that have been spoken.
    package let position: Int
    /// How many have been spoken.
    package let sentence: Int
    /// How many it has; an estimate.
    @Nullable package var sentences: Int?
    /// The length of the sound that has been made.
    package let seconds: Double
    /// An estimate.
    @Nullable package var secondsLeft: Double?
    package let sampleRate: Int
    /// The first words of what could not be spoken and was left out; 20 at most.
    package let unspoken: [String]
    /// How far the times of captions have been kept since the server began or continued it.
    @Nullable package var times: CaptionDelays?
    @Nullable package var failure: FailureResponse?
    /// The document that it is spoken from.
    @Nullable package var document: DocumentLink?
    /// Those of its text, in the answer to a request that has the text.
    package var paragraphs: [ParagraphResponse]?

    package init(_ status: NarrationStatus, paragraphs: [ParagraphResponse]? = nil) {
        let order = status.order
        (id, name, state) = (status.id, order.name.text, status.state.rawValue)
        (voice, voiceName, speaker) = (order.voice.id, order.voice.name, order.speaker)
        (speed, pitch) = (order.speed, order.pitch)
        created = status.created
        (characters, position) = (status.length, status.position)
        (sentence, sentences) = (status.sentences, status.expectedSentences)
        (seconds, secondsLeft) = (status.seconds, status.secondsLeft)
        sampleRate = order.voice.sampleRate
        (unspoken, times) = (status.leftOut, status.times)
        failure = status.failure.map { FailureResponse($0) }
        document = order.document
        self.paragraphs = paragraphs
    }
}
