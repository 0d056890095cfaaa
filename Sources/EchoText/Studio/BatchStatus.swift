/// The progress of a batch, for a person.
package struct BatchStatus: Sendable, Hashable, Codable {
    /// In the order of their narration.
    package var entries: [BatchEntry]
    /// Whether it is worked on.
    package var isRunning: Bool
    /// Why the batch is stopped although entries are left, if known.
    package var failure: Failure?

    package init(entries: [BatchEntry] = [], isRunning: Bool = false, failure: Failure? = nil) {
        self.entries = entries
        self.isRunning = isRunning
        self.failure = failure
    }

    package var counts: BatchCounts { BatchCounts(of: entries) }
}

/// The progress of a running batch, without its entries.
package struct BatchProgress: Sendable, Hashable {
    /// An entry without its order.
    package struct Step: Sendable, Hashable {
        package let id: BatchEntry.ID
        /// Which of the batch it is, from 1.
        package let number: Int
        package let name: ItemName
        /// The document, and which part of it.
        package let document: String?
        package let part: String?
        package let state: BatchEntry.State
        package let narration: AudioItem.ID?
        package let failure: Failure?

        package init(_ entry: BatchEntry, number: Int) {
            (id, self.number, name) = (entry.id, number, entry.order.name)
            (document, part) = (entry.order.document?.id, entry.order.document?.part)
            (state, narration, failure) = (entry.state, entry.narration, entry.failure)
        }
    }

    package var counts: BatchCounts
    /// Whether it is worked on.
    package var isRunning: Bool
    /// Why the batch is stopped although entries are left, if known.
    package var failure: Failure?
    /// The entry in progress.
    package var working: Step?
    /// The entry that has just finished or failed.
    package var ended: Step?

    package init(
        counts: BatchCounts,
        isRunning: Bool,
        failure: Failure? = nil,
        working: Step? = nil,
        ended: Step? = nil
    ) {
        self.counts = counts
        self.isRunning = isRunning
        self.failure = failure
        self.working = working
        self.ended = ended
    }
}
