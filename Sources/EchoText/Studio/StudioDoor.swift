/// The open studio: the library, and who speaks into it.
package struct OpenStudio: Sendable {
    package let library: Library
    package let narrations: NarrationDesk
    package let batch: BatchDesk
    /// Comes first of all when the library is closed: what is still being told or sent ends with it.
    package let end = Ending()
}

/// Keeps the library open for a program that runs for long, and closes it when it is locked or has lain unused.
package actor StudioDoor {
    /// How often is looked whether the library lies unused.
    package static let idleCheck = Duration.seconds(5)

    package nonisolated let vault: any VaultKeeper
    package nonisolated let events: StudioEvents
    private let narrator: Narrator
    private let lanes: Int
    private let clock: any Clock<Duration>
    private let opened: @Sendable (Library) async -> Void
    private let closed: @Sendable () async -> Void
    private var studio: OpenStudio?
    private var visit: Task<Void, any Error>?
    private var closing: AsyncStream<Void>.Continuation?
    /// How long ago a person came in last, by a clock that counts sleep.
    private var unused: @Sendable () -> Duration
    /// How long it may lie unused, as last looked up; `nil` for no end.
    private var longestUnused: Duration?

    /// - Parameters:
    ///   - vault: Where the library lies.
    ///   - narrator: Who speaks.
    ///   - events: Told when the door opens and closes.
    ///   - lanes: How many phrases are spoken at once where no setting says.
    ///   - clock: Measures how long the library lies unused; it has to count the time that the machine sleeps.
    ///   - opened: Told of the library whenever it has been opened and others are let in.
    ///   - closed: Told when nothing of it is used any more, before it can be opened again.
    package init(
        to vault: any VaultKeeper,
        narrator: Narrator,
        events: StudioEvents,
        lanes: Int,
        clock: any Clock<Duration> = ContinuousClock(),
        opened: @escaping @Sendable (Library) async -> Void = { _ in },
        closed: @escaping @Sendable () async -> Void = {}
    ) {
        self.vault = vault
        self.narrator = narrator
        self.events = events
        self.lanes = lanes
        self.clock = clock
        self.opened = opened
        self.closed = closed
        unused = clock.stopwatch()
    }

    /// The open studio, for something a person does.
    ///
    /// - Throws: ``VaultError/locked``, and what opening throws.
    package func enter() async throws -> OpenStudio {
        let studio = try await admit()
        unused = clock.stopwatch()
        return studio
    }

    /// The open studio, for what is no use by a person.
    ///
    /// - Throws: As ``enter()``.
    package func admit() async throws -> OpenStudio {
        // The timer may be late, after the machine has slept, and the setting another than when it last looked.
        if let studio, unused() >= Self.idleCheck, await lockIfUnused(studio) {
            await close(studio)
            throw VaultError.locked
        }
        if let studio {
            if await vault.isStillOpen() { return studio }
            await close(studio)
        }
        try await open()
        guard let studio else { throw VaultError.locked }
        return studio
    }

    /// Closes it where it is still this one: somebody else may have closed it, and opened another, meanwhile.
    private func close(_ seen: OpenStudio) async {
        if studio?.end === seen.end { await close() }
    }

    /// The studio if it is open, for what goes on by itself and is no use by a person.
    package var present: OpenStudio? { studio }

    /// What there is to know of the vault, opened or not.
    package func status() async throws -> VaultStatus {
        var status = try await vault.status()
        if case .readOnly = status.state { return status }
        if studio != nil, status.protection != nil { status.state = .unlocked }
        return status
    }

    // MARK: - Opening

    /// Opens the library if that takes nothing from the person.
    ///
    /// - Throws: ``VaultError``.
    package func open() async throws {
        while closures > 0 { await withCheckedContinuation { kept.append($0) } }
        if visit == nil {
            let (end, ending) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            closing = ending
            visit = Task { try await self.visit(until: end) }
        }
        while studio == nil, let visit {
            // Either the visitor is in, or the visit is over and says why.
            try await waitUntilIn(or: visit)
        }
    }

    /// How many keep the door closed for now, and who waits for them.
    private var closures = 0
    private var kept: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []

    private func waitUntilIn(or visit: Task<Void, any Error>) async throws {
        await withCheckedContinuation { arrivals.append($0) }
        if studio == nil { try await visit.value }
    }

    private func visit(until end: AsyncStream<Void>) async throws {
        do {
            try await vault.lend { library in
                let studio = await self.enter(library)
                await self.stay(in: studio, until: end)
                await self.leave(studio)
            }
        } catch {
            left()
            throw error
        }
        left()
    }

    private func enter(_ library: Library) async -> OpenStudio {
        let fallback = lanes
        let desk = NarrationDesk(in: library, by: narrator, events: events) {
            let wished = try? await library.settings.value(of: SettingsCatalogue.lanes)
            return wished.flatMap { $0 > 0 ? $0 : nil } ?? fallback
        }
        let opened = OpenStudio(
            library: library,
            narrations: desk,
            batch: BatchDesk(in: library, by: desk, events: events)
        )
        longestUnused = await longestUnused(in: library)
        unused = clock.stopwatch()
        studio = opened
        wakeArrivals()
        await events.post(.vault)
        await opened.batch.start()
        await self.opened(library)
        return opened
    }

    /// Until the door is closed, the library locked, or nobody has come for as long as the person wants.
    private func stay(in studio: OpenStudio, until end: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { await self.lockWhenUnused(studio) }
            await group.next()
            group.cancelAll()
        }
    }

    private func leave(_ studio: OpenStudio) async {
        self.studio = nil
        studio.end.come()
        // In a task of its own, because this one may have been cancelled and what is begun has to be left in order.
        await Task {
            await studio.batch.close()
            await studio.narrations.close()
            await studio.batch.end()
            await self.closed()
        }.value
        // What happened inside has names in it, and the library may be locked from now on.
        await events.forget()
        await events.post(.vault)
        // Whoever looked on was let in while it was open; they come back and see what there is to see now.
        await events.close()
    }

    private func left() {
        visit = nil
        closing = nil
        wakeArrivals()
    }

    private func wakeArrivals() {
        for arrival in arrivals { arrival.resume() }
        arrivals = []
    }

    // MARK: - Closing

    /// Lets go of the library; nothing is locked by that.
    package func close() async {
        closing?.finish()
        // Why it ended is known to those who were in it.
        _ = try? await visit?.value
    }

    /// Lets go of the library for as long as something is done with it that nobody may be in for; who comes waits.
    package func close<Output: Sendable>(during work: @Sendable () async throws -> Output) async rethrows -> Output {
        closures += 1
        defer {
            closures -= 1
            if closures == 0 {
                for waiting in kept { waiting.resume() }
                kept = []
            }
        }
        await close()
        return try await work()
    }

    /// Locks the library for every program of this person.
    ///
    /// - Throws: ``VaultError/noPasscode``.
    package func lock() async throws {
        try await vault.lock()
        await close()
    }

    private func lockWhenUnused(_ studio: OpenStudio) async {
        while true {
            do {
                try await clock.sleep(for: Self.idleCheck)
            } catch {
                return
            }
            if await lockIfUnused(studio) { return }
        }
    }

    /// Locks the library when it has lain unused for as long as the person wants, and nothing is spoken in it.
    ///
    /// - Returns: Whether it did; a library without a passcode has nothing to lock.
    private func lockIfUnused(_ studio: OpenStudio) async -> Bool {
        longestUnused = await longestUnused(in: studio.library)
        guard await !studio.narrations.isBusy, let longestUnused, unused() >= longestUnused else { return false }
        return (try? await vault.lock()) != nil
    }

    /// What the setting says; what it said last where it cannot be read.
    private func longestUnused(in library: Library) async -> Duration? {
        guard let minutes = try? await library.settings.value(of: SettingsCatalogue.lockAfter) else {
            return longestUnused
        }
        return minutes > 0 ? .seconds(60 * minutes) : nil
    }
}
