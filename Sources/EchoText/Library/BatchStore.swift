/// One of several narrations that are made one after another: a document, or a part of one.
package struct BatchEntry: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable {
        case waiting
        /// It is spoken, or lies unfinished because the program ended.
        case begun
        case done
        case failed
    }

    /// Grows from entry to entry and is never used twice.
    package typealias ID = Int

    package let id: ID
    /// How it is spoken; its document says of what.
    package let order: NarrationOrder
    package var state: State
    /// The narration, and the recording it becomes.
    package var narration: AudioItem.ID?
    package var failure: NarrationJob.Failure?

    package init(
        id: ID,
        order: NarrationOrder,
        state: State = .waiting,
        narration: AudioItem.ID? = nil,
        failure: NarrationJob.Failure? = nil
    ) {
        self.id = id
        self.order = order
        self.state = state
        self.narration = narration
        self.failure = failure
    }

    /// Whether there is something to do for it.
    package var isLeft: Bool { state == .waiting || state == .begun }
}

/// The narrations that are made one after another, also after the program has ended in the middle.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that what a call has returned from is found again, and that only one at a
/// time works through them.
package protocol BatchStore: Sendable {
    /// All of the batch, in their order.
    func entries() async throws -> [BatchEntry]

    /// Puts entries at the batch's end; when nothing is left of it, a new one begins.
    ///
    /// - Returns: The new entries.
    func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry]

    /// Keeps what became of an entry; one that was taken away meanwhile stays away.
    func update(_ entry: BatchEntry) async throws

    /// Takes entries away.
    func remove(_ ids: Set<BatchEntry.ID>) async throws

    /// Takes the batch into work; nobody else can until it is let go of.
    ///
    /// - Throws: ``LibraryError/batchBusy``.
    func hold() async throws

    func letGo() async
}
