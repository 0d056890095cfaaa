/// Has the entries of the batch spoken one after another; one that fails does not keep the others.
package actor BatchDesk {
    private nonisolated let library: Library
    private let desk: NarrationDesk
    private let events: StudioEvents
    private var run: Task<Void, Never>?
    /// Why the last run ended before its end.
    private var failure: (any Error)?
    /// Whether something was added while a run was about to end.
    private var isWantedAgain = false
    private var isClosed = false
    /// How many here have the batch to themselves together.
    private var holders = 0
    /// What takes the batch into work for them, or lets go of it after the last.
    private var hold: Task<Void, any Error>?
    /// The entry that is spoken.
    private var working: BatchProgress.Step?

    /// - Parameters:
    ///   - library: Where the batch, the documents and the recordings are.
    ///   - desk: Who speaks.
    ///   - events: Told of everything.
    package init(in library: Library, by desk: NarrationDesk, events: StudioEvents) {
        self.library = library
        self.desk = desk
        self.events = events
    }

    package func status() async throws -> BatchStatus {
        BatchStatus(entries: try await library.batch.entries(), isRunning: run != nil, failure: stop)
    }

    /// Why nothing is worked on.
    private var stop: Failure? { run == nil ? failure.map { Failure($0) } : nil }

    /// Puts narrations of documents at the batch's end, and begins with them unless others come first.
    ///
    /// - Parameter orders: Each names its document, and what of it is chosen.
    /// - Returns: The batch.
    /// - Throws: ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func add(_ orders: [NarrationOrder]) async throws -> BatchStatus {
        let counts = try await library.batch.counts()
        guard counts.left + orders.count <= Self.most else { throw LibraryError.tooManyJobs(limit: Self.most) }
        _ = try await library.batch.add(orders)
        start()
        await tell()
        return try await status()
    }

    /// The most entries that are left to do.
    package static let most = 10_000

    /// Begins with what is left, or does nothing when that is going on or nothing is left.
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
        if hasWorked { await tell() }
    }

    private var isLeft: Bool {
        get async throws { try await library.batch.next() != nil }
    }

    /// Waits until nothing is left to do, or the batch was closed.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when another process works on it, and ``VaultError``.
    package func finish() async throws {
        while let run { await run.value }
        if let failure { throw failure }
    }

    /// Takes away everything that is left to do; what was begun lies among the unfinished narrations then.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when another process works on it, ``VaultError``.
    package func cancel() async throws {
        // Who works on it elsewhere would not notice.
        try await holding { try await self.takeAway(.left) }
    }

    /// Takes one away; when it was begun, it lies among the unfinished narrations then.
    ///
    /// - Throws: ``LibraryError/batchBusy`` when it is left to do and another process works on the batch,
    ///   ``LibraryError/batchEntryNotFound``, ``VaultError``.
    package func remove(_ id: BatchEntry.ID) async throws {
        guard let entry = try await library.batch.entries().first(where: { $0.id == id }) else {
            throw LibraryError.batchEntryNotFound
        }
        guard entry.isLeft else { return try await takeAway(.one(id)) }
        try await holding { try await self.takeAway(.one(id)) }
    }

    /// Takes away everything that is done or has failed.
    ///
    /// - Throws: ``VaultError``.
    package func dismiss() async throws { try await takeAway(.ended) }

    private func takeAway(_ choice: BatchChoice) async throws {
        let gone = try await library.batch.remove(choice)
        for id in gone.filter(\.isLeft).compactMap(\.narration) { try await leave(id) }
        if !gone.isEmpty { await tell() }
    }

    /// Does something while no other process works on the batch.
    private func holding(_ work: () async throws -> Void) async throws {
        let taken = hold(after: hold)
        let outcome: Result<Void, any Error>
        do {
            try await taken.value
            outcome = .success(try await work())
        } catch {
            outcome = .failure(error)
        }
        await letGo(of: taken)
        try outcome.get()
    }

    /// The hold that all here share, which the first of them takes.
    private func hold(after earlier: Task<Void, any Error>?) -> Task<Void, any Error> {
        holders += 1
        if holders > 1, let earlier { return earlier }
        let taken = Task { [library] in
            _ = await earlier?.result  // it is let go of
            try await library.batch.hold()
        }
        hold = taken
        return taken
    }

    private func letGo(of taken: Task<Void, any Error>) async {
        holders -= 1
        guard holders == 0 else { return }
        let released = Task { [library] in
            try await taken.value
            await library.batch.letGo()
        }
        hold = released
        _ = await released.result  // it was never held when taking it failed
    }

    private func leave(_ id: AudioItem.ID) async throws {
        do {
            try await desk.stop(id, .leave)
        } catch LibraryError.jobNotFound {
            // It has become a recording meanwhile.
        }
    }

    /// Begins with nothing more; what is left is gone on with another time.
    package func close() { isClosed = true }

    /// Waits until what was begun has been let go of, after ``close()`` and the end of the desk.
    package func end() async { await run?.value }

    // MARK: - Working

    private func work() async throws {
        try await holding {
            while !isClosed, let entry = try await library.batch.next() {
                try await work(on: entry)
            }
        }
    }

    /// - Throws: What keeping track of it throws; what becomes of the narration is kept with the entry.
    private func work(on entry: BatchEntry) async throws {
        var entry = entry
        let number = try await library.batch.counts().current
        do {
            if let id = try await begin(&entry, number: number) {
                let status = await desk.ending(of: id)
                if isClosed, status?.state != .finished { return }
                guard status?.state == .finished else { throw status?.failure ?? LibraryError.narrationStopped.failure }
            }
            entry.state = .done
        } catch let failure as Failure {
            entry.failure = failure
        } catch let error where Self.concernsAll(error) {
            throw error
        } catch {
            if isClosed { return }
            entry.failure = Failure(error)
        }
        if entry.failure != nil { entry.state = .failed }
        // Done also when the task was cancelled: stores begin nothing in one.
        let ended = entry
        let isThere = try await Task { try await library.batch.update(ended) }.value
        working = nil
        await tell(ended: isThere ? BatchProgress.Step(ended, number: number) : nil)
    }

    /// Whether what went wrong has nothing to do with the entry: it waits for another time then, as do those after it.
    private static func concernsAll(_ error: any Error) -> Bool {
        switch error {
        case LibraryError.tooManyJobs, LibraryError.jobBusy: true
        case VaultError.locked, VaultError.readOnly, VaultError.system: true
        default: false
        }
    }

    /// Has an entry spoken, from where it was left.
    ///
    /// - Returns: The narration; `nil` when it is a recording already.
    private func begin(_ entry: inout BatchEntry, number: Int) async throws -> AudioItem.ID? {
        if let id = entry.narration, try await library.audio.item(id) != nil { return nil }
        // A program that ended right after it began a narration has not written down which.
        let begun = try await library.jobs.jobs().first { [entry] job in
            job.id == entry.narration || job.order.batch == entry.id
        }
        let status: NarrationStatus
        if let begun {
            status = try await desk.goOn(with: begun.id)
        } else {
            var order = entry.order
            order.batch = entry.id
            guard let link = order.document else { throw LibraryError.documentNotFound }
            let document = Document.ID(rawValue: link.id)
            let spoken = try await library.documents.spoken(link.selection ?? DocumentSelection(), of: document)
            status = try await desk.take(order, text: spoken.text)
        }
        entry.narration = status.id
        entry.state = .begun
        guard try await library.batch.update(entry) else {
            // Taken away while it was begun.
            try await leave(status.id)
            return nil
        }
        working = BatchProgress.Step(entry, number: number)
        await tell()
        return status.id
    }

    private func tell(ended: BatchProgress.Step? = nil) async {
        // Who looks on asks again when they are told nothing.
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
