package import EchoText

/// An entry of the batch.
package struct BatchEntryResponse: Encodable, Sendable {
    package let id: BatchEntry.ID
    /// Its number in the batch, from 1.
    package let number: Int
    @Nullable package var document: String?
    @Nullable package var part: String?
    package let name: String
    package let state: BatchEntry.State
    /// The narration, and the recording that it becomes.
    @Nullable package var narration: AudioItem.ID?
    @Nullable package var failure: FailureResponse?
    /// The first words of what could not be spoken and was left out, once it has ended.
    package let unspoken: [String]
    /// In a command's answer: how its document was read.
    package let notices: [NoticeReport]?

    package init(_ step: BatchProgress.Step, unspoken: [String] = [], notices: [DocumentNotice]? = nil) {
        (id, number) = (step.id, step.number)
        (document, part) = (step.document, step.part)
        (name, state) = (step.name.text, step.state)
        narration = step.narration
        failure = step.failure.map(FailureResponse.init)
        self.unspoken = unspoken
        self.notices = notices?.map(NoticeReport.init)
    }
}

package struct BatchResponse: Encodable, Sendable {
    package let entries: [BatchEntryResponse]
    package let total: Int
    package let done: Int
    package let failed: Int
    package let current: Int
    package let isRunning: Bool
    package let isFinished: Bool
    /// Why the batch is stopped although entries are left.
    @Nullable package var failure: FailureResponse?

    /// - Parameters:
    ///   - status: The batch.
    ///   - notices: In a command's answer: how each document was read, by its id.
    package init(_ status: BatchStatus, notices: [String: [DocumentNotice]]? = nil) {
        failure = status.failure.map(FailureResponse.init)
        entries = status.entries.enumerated().map { index, entry in
            let step = BatchProgress.Step(entry, number: index + 1)
            return BatchEntryResponse(
                step,
                unspoken: entry.leftOut,
                notices: notices.map { $0[step.document ?? ""] ?? [] }
            )
        }
        let counts = status.counts
        (total, done, failed) = (counts.total, counts.done, counts.failed)
        (current, isRunning, isFinished) = (counts.current, status.isRunning, counts.isFinished)
    }
}
