import API
import EchoText
import Hummingbird

/// An entry of the batch, for the page.
struct BatchEntryResponse: Encodable {
    let id: Int
    @Nullable var document: String?
    @Nullable var part: String?
    let name: String
    let state: String
    /// The narration, and the recording that it becomes.
    @Nullable var narration: String?
    @Nullable var failure: FailureResponse?

    init(_ step: BatchProgress.Step) {
        id = step.id
        (document, part) = (step.document, step.part)
        (name, state) = (step.name.text, step.state.rawValue)
        narration = step.narration?.rawValue
        failure = step.failure.map(FailureResponse.init)
    }
}

/// The progress of the batch, without its entries.
struct BatchSummary: Encodable {
    let total: Int
    let done: Int
    let failed: Int
    let current: Int
    let isRunning: Bool
    let isFinished: Bool
    /// Why the batch is stopped although entries are left.
    @Nullable var failure: FailureResponse?
    /// The entry in progress.
    @Nullable var entry: BatchEntryResponse?

    init(_ progress: BatchProgress) {
        let counts = progress.counts
        (total, done, failed) = (counts.total, counts.done, counts.failed)
        (current, isRunning, isFinished) = (counts.current, progress.isRunning, counts.isFinished)
        failure = progress.failure.map(FailureResponse.init)
        entry = progress.working.map { BatchEntryResponse($0) }
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
    /// Why the batch is stopped although entries are left.
    @Nullable var failure: FailureResponse?

    init(_ status: BatchStatus) {
        failure = status.failure.map(FailureResponse.init)
        entries = status.entries.enumerated().map { index, entry in
            BatchEntryResponse(BatchProgress.Step(entry, number: index + 1))
        }
        let counts = status.counts
        (total, done, failed) = (counts.total, counts.done, counts.failed)
        (current, isRunning, isFinished) = (counts.current, status.isRunning, counts.isFinished)
    }
}
