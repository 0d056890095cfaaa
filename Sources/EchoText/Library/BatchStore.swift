/// An entry of the batch: the narration of a document, or of a part of one.
package struct BatchEntry: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable {
        case waiting
        /// It is being spoken, or was when the program ended.
        case begun
        case done
        case failed
    }

    /// Grows from entry to entry and is never used twice.
    package typealias ID = Int

    package let id: ID
    /// The settings of the narration; its document gives the text.
    package let order: NarrationOrder
    package var state: State
    /// The narration, and the recording it becomes.
    package var narration: AudioItem.ID?
    package var failure: Failure?
    /// The first words of what could not be spoken of it, once it has ended.
    package var leftOut: [String]

    package init(
        id: ID,
        order: NarrationOrder,
        state: State = .waiting,
        narration: AudioItem.ID? = nil,
        failure: Failure? = nil,
        leftOut: [String] = []
    ) {
        self.id = id
        self.order = order
        self.state = state
        self.narration = narration
        self.failure = failure
        self.leftOut = leftOut
    }

    /// Whether there is something to do for it.
    package var isLeft: Bool { state == .waiting || state == .begun }
}

/// How many entries a batch has, by state.
package struct BatchCounts: Sendable, Hashable, Codable {
    package var total = 0
    package var done = 0
    package var failed = 0
    /// The number of the entry that is being spoken or is next, from 1; the number of entries when none is left.
    package var current = 0

    package init() {}

    package init(of entries: [BatchEntry]) {
        total = entries.count
        done = entries.count { $0.state == .done }
        failed = entries.count { $0.state == .failed }
        current = (entries.firstIndex(where: \.isLeft) ?? total - 1) + 1
    }

    package var left: Int { total - done - failed }
    package var isFinished: Bool { left == 0 }
}

/// Some of a batch's entries.
package enum BatchChoice: Sendable, Hashable {
    case one(BatchEntry.ID)
    /// The unfinished entries.
    case left
    /// The entries that are done or have failed.
    case ended
}

/// The store of narrations to make in sequence, which survives the end of the program.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that changes are durable once their call has returned, and that
/// only one process at a time works on the batch.
package protocol BatchStore: Sendable {
    /// All entries of the batch, in order; one that cannot be read is listed as failed.
    func entries() async throws -> [BatchEntry]

    /// The first for which there is something to do.
    func next() async throws -> BatchEntry?

    func counts() async throws -> BatchCounts

    /// Appends entries to the batch; if no entry of it is unfinished, those that are done leave it, and failed ones stay
    /// until somebody removes them.
    ///
    /// - Returns: The new entries.
    func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry]

    /// Stores the new state of an entry; an entry that was removed meanwhile is not added again.
    ///
    /// Unless the state is `begun`, this resets its count of starts.
    ///
    /// - Returns: Whether the entry still exists.
    @discardableResult
    func update(_ entry: BatchEntry) async throws -> Bool

    /// Counts an attempt at an entry, before any work on it.
    ///
    /// - Parameters:
    ///   - id: An unfinished entry.
    ///   - position: The progress of its narration, in UTF-16 units.
    /// - Returns: The number of unfinished attempts without progress, including this one.
    /// - Throws: ``VaultError``.
    func noteStart(of id: BatchEntry.ID, at position: Int) async throws -> Int

    /// Resets the count of attempts at an entry that is postponed.
    func forgetStarts(of id: BatchEntry.ID) async throws

    /// Removes entries.
    ///
    /// - Returns: The removed entries.
    @discardableResult
    func remove(_ choice: BatchChoice) async throws -> [BatchEntry]

    /// Locks the batch for this process until it is released.
    ///
    /// - Throws: ``LibraryError/batchBusy``.
    func hold() async throws

    func release() async
}
