import API
import EchoText
import Foundation
import Hummingbird

/// An unfinished narration as the page shows it.
struct UnfinishedResponse: ResponseEncodable {
    /// The narration; absent if it was never begun.
    @Nullable var id: String?
    /// The entry of the batch that failed with it.
    @Nullable var entry: Int?
    let name: String
    let reason: String
    @Nullable var failure: FailureResponse?
    let voiceName: String
    @Nullable var created: Date?
    /// UTF-16 units of the text, where that is known.
    @Nullable var characters: Int?
    let position: Int
    let seconds: Double
    @Nullable var document: DocumentLink?

    init(_ narration: UnfinishedNarration) {
        (id, entry) = (narration.id?.rawValue, narration.entry)
        (name, voiceName) = (narration.order.name.text, narration.order.voice.name)
        (reason, failure) = (narration.reason.rawValue, narration.failure.map(FailureResponse.init))
        (created, document) = (narration.created, narration.order.document)
        (characters, position, seconds) = (narration.length, narration.position, narration.seconds)
    }
}
