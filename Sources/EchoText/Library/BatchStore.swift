/// An entry of the batch: the narration of a document, or of a part of one.
package struct BatchEntry: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable {
        case waiting
        /// It is being spoken, or unfinished because the program ended.
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
    package var failure: Failure?

    package init(
        id: ID,
        order: NarrationOrder,
        state: State = .waiting,
        narration: AudioItem.ID? = nil,
        failure: Failure? = nil
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

/// How many entries a batch has, and what became of them.
package struct BatchCounts: Sendable, Hashable, Codable {
    package var total = 0
    package var done = 0
    package var failed = 0
    /// Which one is spoken, or would be next, from 1; as many as there are when none is left.
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
    /// The entries that are left to do.
    case left
    /// The entries that are done or have failed.
    case ended
}

/// The narrations that are made one after another, also after the program has ended in the middle.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that what a call has returned from is found again, and that only one at a
/// time works through them.
package protocol BatchStore: Sendable {
    /// All entries of the batch, in order.
    func entries() async throws -> [BatchEntry]

    /// The first for which there is something to do.
    func next() async throws -> BatchEntry?

    func counts() async throws -> BatchCounts

    /// Puts entries at the batch's end; when nothing is left of it, a new one begins.
    ///
    /// - Returns: The new entries.
    func add(_ orders: [NarrationOrder]) async throws -> [BatchEntry]

    /// Keeps what became of an entry; one that was taken away meanwhile stays away.
    ///
    /// Unless it is begun, its starts are forgotten.
    ///
    /// - Returns: Whether it is still there.
    @discardableResult
    func update(_ entry: BatchEntry) async throws -> Bool

    /// Counts a start on an entry, before anything is done for it.
    ///
    /// - Parameters:
    ///   - id: One that is left to do.
    ///   - position: How far its narration is, in UTF-16 units.
    /// - Returns: The starts that came to no end while it got no further, this one included.
    /// - Throws: ``VaultError``.
    func noteStart(of id: BatchEntry.ID, at position: Int) async throws -> Int

    /// Forgets the starts on an entry that is left for another time.
    func forgetStarts(of id: BatchEntry.ID) async throws

    /// Takes entries away.
    ///
    /// - Returns: Those that were there, as they were.
    @discardableResult
    func remove(_ choice: BatchChoice) async throws -> [BatchEntry]

    /// Holds the batch; no other process can until it is released.
    ///
    /// - Throws: ``LibraryError/batchBusy``.
    func hold() async throws

    func release() async
}
