package import EchoText
package import Foundation

/// An unfinished narration.
package struct UnfinishedResponse: Encodable, Sendable {
    /// The narration; absent if it was never begun.
    @Nullable package var id: AudioItem.ID?
    /// The entry of the batch that failed with it.
    @Nullable package var entry: BatchEntry.ID?
    package let name: String
    package let reason: UnfinishedNarration.Reason
    @Nullable package var failure: FailureResponse?
    package let voiceName: String
    @Nullable package var created: Date?
    /// UTF-16 units of the text, where that is known.
    @Nullable package var characters: Int?
    /// UTF-16 units that have been spoken.
    package let position: Int
    /// The length of the sound that is stored.
    package let seconds: Double
    @Nullable package var document: DocumentLink?

    package init(_ narration: UnfinishedNarration) {
        (id, entry) = (narration.id, narration.entry)
        (name, voiceName) = (narration.order.name.text, narration.order.voice.name)
        (reason, failure) = (narration.reason, narration.failure.map(FailureResponse.init))
        (created, document) = (narration.created, narration.order.document)
        (characters, position, seconds) = (narration.length, narration.position, narration.seconds)
    }
}
