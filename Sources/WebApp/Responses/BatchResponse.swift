import EchoText
import Hummingbird

/// One of the batch as the page shows it.
struct BatchEntryResponse: Encodable {
    let id: Int
    @Nullable var document: String?
    @Nullable var part: String?
    let name: String
    let state: String
    /// The narration, and the recording it becomes.
    @Nullable var narration: String?
    @Nullable var failure: NarrationResponse.Failure?

    init(_ entry: BatchEntry) {
        id = entry.id
        (document, part) = (entry.order.document?.id, entry.order.document?.part)
        (name, state) = (entry.order.name.text, entry.state.rawValue)
        narration = entry.narration?.rawValue
        failure = entry.failure.map { NarrationResponse.Failure($0) }
    }
}

/// How far the batch has come, without all that is in it.
struct BatchSummary: Encodable {
    let total: Int
    let done: Int
    let failed: Int
    let current: Int
    let isRunning: Bool
    let isFinished: Bool
    /// Why it is not worked on although something is left.
    @Nullable var failure: NarrationResponse.Failure?
    /// The one that is worked on.
    @Nullable var entry: BatchEntryResponse?

    init(_ status: BatchStatus) {
        (total, done, failed) = (status.total, status.done, status.failed.count)
        (current, isRunning, isFinished) = (status.current, status.isRunning, status.isFinished)
        failure = status.failure.map { NarrationResponse.Failure($0) }
        entry = status.entries.first { $0.state == .begun }.map { BatchEntryResponse($0) }
    }
}

struct BatchResponse: ResponseEncodable {
    let entries: [BatchEntryResponse]
    let total: Int
    let done: Int
    let failed: Int
    let current: Int
    let isRunning: Bool
    let isFinished: Bool
    /// Why it is not worked on although something is left.
    @Nullable var failure: NarrationResponse.Failure?

    init(_ status: BatchStatus) {
        failure = status.failure.map { NarrationResponse.Failure($0) }
        entries = status.entries.map { BatchEntryResponse($0) }
        (total, done, failed) = (status.total, status.done, status.failed.count)
        (current, isRunning, isFinished) = (status.current, status.isRunning, status.isFinished)
    }
}
