/// Makes the narrations of the batch in sequence; a failed entry does not stop the others.
package actor BatchRunner {
    private nonisolated let library: Library
    private let queue: NarrationQueue
    private let events: StudioEvents
    private var run: Task<Void, Never>?
    /// Why the last run stopped early.
    private var failure: (any Error)?
    /// Whether something was added while a run was about to end.
    private var isWantedAgain = false
    private var isClosed = false
    /// How many callers in this process share the hold on the batch.
    private var holders = 0
    /// Locks the batch for the first of them, or unlocks it after the last.
    private var hold: Task<Void, any Error>?
    /// The entry that is being spoken.
    private var working: BatchProgress.Step?
    /// Entries whose narrations are being stored or discarded.
    private var removals: [BatchEntry.ID: Task<Void, any Error>] = [:]

    /// - Parameters:
    ///   - library: Holds the batch, the documents and the recordings.
    ///   - queue: Speaks the entries.
    ///   - events: Receives progress and the end of each entry.
    package init(in library: Library, by queue: NarrationQueue, events: StudioEvents) {
        self.library = library
        self.queue = queue
        self.events = events
    }

    package func status() async throws -> BatchStatus {
        let entries = try await library.batch.entries()
        return BatchStatus(entries: entries, isRunning: run != nil, failure: stop)
    }

    /// Why the batch is stopped.
    private var stop: Failure? { run == nil ? failure.map { Failure($0) } : nil }

    /// Adds narrations of documents to the end of the batch, and starts the batch.
    ///
    /// - Parameter orders: Each names its document and the selection of it.
    /// - Returns: The batch.
    /// - Throws: ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func add(_ orders: [NarrationOrder]) async throws -> BatchStatus {
        let counts = try await library.batch.counts()
        guard counts.left + orders.count <= Self.most else { throw LibraryError.tooManyJobs(limit: Self.most) }
        _ = try await library.batch.add(orders)
        start()
        await publish()
        return try await status()
    }

    /// The most unfinished entries that a batch may hold.
    package static let most = 10_000

    /// Starts the batch; does nothing while it is running or when nothing is left.
    package func start() {
        guard !isClosed else { return }
        isWantedAgain = run != nil
        guard run == nil else { return }
        failure = nil
        run = Task { await self.runToEnd() }
    }

    private func runToEnd() async {
        var hasWorked = false
        repeat {
            isWantedAgain = false
            do {
                while try await isLeft, !isClosed {
                    hasWorked = true
                    try await work()
                }
            } catch {
                failure = error
            }
        } while isWantedAgain && failure == nil
        run = nil
        if hasWorked { await publish() }
    }

    private var isLeft: Bool {
        get async throws { try await library.batch.next() != nil }
    }

    /// Waits until no entry is left or the batch was closed.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when another process is working on it, and ``VaultError``.
    package func finish() async throws {
        while let run { await run.value }
        if let failure { throw failure }
    }

    /// Removes all unfinished entries; the one in progress becomes an unfinished narration.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when another process is working on it, ``VaultError``.
    package func cancel() async throws {
        // Another process that works on the batch would not notice.
        try await holding { try await self.takeAway(.left) }
    }

    /// Removes an entry; the one in progress becomes an unfinished narration.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when it is unfinished and another process is working on the batch,
    ///   ``LibraryError/batchEntryNotFound``, ``VaultError``.
    package func remove(_ id: BatchEntry.ID) async throws {
        guard let entry = try await library.batch.entries().first(where: { $0.id == id }) else {
            throw LibraryError.batchEntryNotFound
        }
        guard entry.isLeft else { return try await takeAway(.one(id)) }
        try await holding { try await self.takeAway(.one(id)) }
    }

    /// Puts a failed entry back into the queue, and starts the batch; does nothing for any other entry.
    ///
    /// - Throws: ``LibraryError/batchEntryNotFound``, ``VaultError``.
    package func retry(_ id: BatchEntry.ID) async throws {
        guard let entry = try await library.batch.entries().first(where: { $0.id == id }) else {
            throw LibraryError.batchEntryNotFound
        }
        try await retry([entry])
    }

    private func retry(_ entries: [BatchEntry]) async throws {
        for var entry in entries where entry.state == .failed {
            (entry.state, entry.failure) = (.waiting, nil)
            try await library.batch.update(entry)
        }
        start()
        await publish()
    }

    /// The entry that failed while this narration of it was spoken.
    private func failedEntry(of narration: AudioItem.ID) async throws -> BatchEntry? {
        try await library.batch.entries().first { $0.state == .failed && $0.narration == narration }
    }

    /// Records that the narration of a failed entry was resumed.
    func resumed(_ narration: AudioItem.ID) async throws {
        if let entry = try await failedEntry(of: narration) { try await retry([entry]) }
    }

    /// Ends a narration, and then removes its entry, if it has one.
    ///
    /// - Parameters:
    ///   - narration: The narration.
    ///   - end: Turns the narration's finished part into a recording, or discards it.
    /// - Throws: ``LibraryError/batchBusy`` when the entry is unfinished and another process is working on the batch,
    ///   ``VaultError``, and what `end` throws; the entry stays then.
    package func forget(
        _ narration: AudioItem.ID,
        ending end: @escaping @Sendable () async throws -> Void
    ) async throws {
        let entries = try await library.batch.entries()
        guard let entry = entries.first(where: { $0.narration == narration && $0.state != .done }) else {
            return try await end()
        }
        // A separate task, because the entry has to be removed once the narration has ended, even if the caller is
        // cancelled.
        let removal = Task<Void, any Error> {
            defer { self.removals[entry.id] = nil }
            guard entry.isLeft else { return try await self.remove(entry, after: end) }
            try await self.holding { try await self.remove(entry, after: end) }
        }
        removals[entry.id] = removal
        try await removal.value
    }

    private func remove(_ entry: BatchEntry, after end: () async throws -> Void) async throws {
        try await end()
        try await takeAway(.one(entry.id))
    }

    /// Removes all entries that are done or have failed.
    ///
    /// - Throws: ``VaultError``.
    package func dismiss() async throws { try await takeAway(.ended) }

    private func takeAway(_ choice: BatchChoice) async throws {
        let gone = try await library.batch.remove(choice)
        for id in gone.filter(\.isLeft).compactMap(\.narration) { try await leave(id) }
        if !gone.isEmpty { await publish() }
    }

    /// Runs `work` while this process holds the lock of the batch.
    private func holding(_ work: () async throws -> Void) async throws {
        let taken = hold(after: hold)
        let outcome: Result<Void, any Error>
        do {
            try await taken.value
            outcome = .success(try await work())
        } catch {
            outcome = .failure(error)
        }
        await release(of: taken)
        try outcome.get()
    }

    /// The lock that all callers in this process share; the first caller acquires it.
    private func hold(after earlier: Task<Void, any Error>?) -> Task<Void, any Error> {
        holders += 1
        if holders > 1, let earlier { return earlier }
        let taken = Task { [library] in
            _ = await earlier?.result  // it has been released
            try await library.batch.hold()
        }
        hold = taken
        return taken
    }

    private func release(of taken: Task<Void, any Error>) async {
        holders -= 1
        guard holders == 0 else { return }
        let released = Task { [library] in
            try await taken.value
            await library.batch.release()
        }
        hold = released
        _ = await released.result  // it was never held when taking it failed
    }

    private func leave(_ id: AudioItem.ID) async throws {
        do {
            try await queue.stop(id, .leave)
        } catch LibraryError.jobNotFound {
            // The job became a recording meanwhile.
        }
    }

    /// Starts no further entry; the rest stays in the batch.
    package func close() { isClosed = true }

    /// Waits until the last run has ended; call it after ``close()`` and after the queue was closed.
    package func end() async { await run?.value }

    // MARK: - Working

    private func work() async throws {
        try await holding {
            while !isClosed, let entry = try await library.batch.next() {
                if let removal = removals[entry.id] {
                    _ = await removal.result  // a failed removal leaves the entry
                } else {
                    try await work(on: entry)
                }
            }
        }
    }

    /// - Throws: Errors of the batch's store; errors of the narration are stored with the entry.
    private func work(on entry: BatchEntry) async throws {
        var entry = entry
        let number = try await library.batch.counts().current
        do {
            try await noteStart(of: entry)
            if let id = try await begin(&entry, number: number) {
                let status = await queue.ending(of: id)
                if let status { entry.leftOut = status.leftOut }
                _ = await removals[entry.id]?.result  // a failed removal leaves the entry
                if isClosed, status?.state != .finished { return await forgetStarts(of: entry.id) }
                guard status?.state == .finished else { throw status?.failure ?? LibraryError.narrationStopped.failure }
            }
            entry.state = .done
        } catch let error where Self.concernsAll(error) {
            await forgetStarts(of: entry.id)
            working = nil
            throw error
        } catch let failure as Failure {
            entry.failure = failure
        } catch {
            if isClosed { return await forgetStarts(of: entry.id) }
            entry.failure = Failure(error)
        }
        if entry.failure != nil { entry.state = .failed }
        // A separate task, because stores refuse to start in a cancelled task.
        let ended = entry
        let isThere = try await Task { try await library.batch.update(ended) }.value
        working = nil
        await publish(ended: isThere ? BatchProgress.Step(ended, number: number) : nil)
    }

    /// How often the program may crash during an entry without progress before the entry fails.
    private static let mostEnds = 2

    /// Counts the attempt durably, because an entry that crashes the program would otherwise crash it each time.
    ///
    /// - Throws: ``LibraryError/narrationEndedProgram`` after the last allowed crash.
    private func noteStart(of entry: BatchEntry) async throws {
        let position = try await begunJob(of: entry)?.position ?? 0
        let starts = try await library.batch.noteStart(of: entry.id, at: position)
        guard starts <= Self.mostEnds else { throw LibraryError.narrationEndedProgram }
    }

    private func forgetStarts(of id: BatchEntry.ID) async {
        // A separate task, because stores refuse to start in a cancelled task. If it fails, the count is one too high.
        _ = await Task { [library] in try await library.batch.forgetStarts(of: id) }.result
    }

    /// Whether `error` is independent of the entry: the entry then stays in the batch, like those after it.
    private static func concernsAll(_ error: any Error) -> Bool {
        switch error {
        case LibraryError.tooManyJobs, LibraryError.jobBusy: true
        case VaultError.locked, VaultError.readOnly, VaultError.system: true
        // A narration that has ended keeps no more of its error, as on a disk that is full.
        case let failure as Failure:
            [VaultError.locked.code, VaultError.readOnly(.diskFull).code].contains(failure.code)
        default: false
        }
    }

    /// Begins or resumes the narration of an entry.
    ///
    /// - Returns: The narration; `nil` when it is a recording already.
    private func begin(_ entry: inout BatchEntry, number: Int) async throws -> AudioItem.ID? {
        if let id = entry.narration, let item = try await library.audio.item(id) {
            entry.leftOut = item.narration?.leftOut ?? []
            return nil
        }
        let status: NarrationStatus
        if let begun = try await begunJob(of: entry) {
            status = try await queue.resume(begun.id)
        } else {
            entry.leftOut = []
            var order = entry.order
            order.batch = entry.id
            // The voice may have been installed again since, with another rate of sound, and nothing is spoken yet.
            let voice = await queue.installed(order.voice)
            if order.voiceFolder == nil, voice.sampleRate != order.voice.sampleRate, order.speaker < voice.speakers {
                order.voice = voice
            }
            guard let link = order.document else { throw LibraryError.documentNotFound }
            let document = Document.ID(rawValue: link.id)
            let spoken = try await library.documents.spoken(link.selection ?? DocumentSelection(), of: document)
            order.languages = spoken.languages(of: try await library.documents.structure(of: document))
            status = try await queue.take(order, text: spoken.text)
        }
        entry.narration = status.id
        entry.state = .begun
        guard try await library.batch.update(entry) else {
            // Taken away while it was begun.
            try await leave(status.id)
            return nil
        }
        working = BatchProgress.Step(entry, number: number)
        await publish()
        return status.id
    }

    private func begunJob(of entry: BatchEntry) async throws -> NarrationJob? {
        // A program that ended right after it began a narration has not written down which.
        try await library.jobs.jobs().first { $0.id == entry.narration || $0.order.batch == entry.id }
    }

    private func publish(ended: BatchProgress.Step? = nil) async {
        // Without the event, a page polls.
        guard let counts = try? await library.batch.counts() else { return }
        let progress = BatchProgress(
            counts: counts,
            isRunning: run != nil,
            failure: stop,
            working: working,
            ended: ended
        )
        await events.post(.batch(progress))
    }
}

/// The progress of a batch, for a person.
package struct BatchStatus: Sendable, Hashable, Codable {
    /// In the order of their narration.
    package var entries: [BatchEntry]
    /// Whether it is worked on.
    package var isRunning: Bool
    /// Why the batch is stopped although entries are left, if known.
    package var failure: Failure?

    package init(
        entries: [BatchEntry] = [],
        isRunning: Bool = false,
        failure: Failure? = nil
    ) {
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
