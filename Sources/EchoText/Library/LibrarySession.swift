/// An open library, and everything that works on it until it is closed.
package struct OpenLibrary: Sendable {
    package let library: Library
    package let narrations: NarrationQueue
    package let batch: BatchRunner
    package let recorder: Recorder
    package let transcriptions: TranscriptionQueue
    package let live: LiveTranscriptions
    package let speakers: SpeakerSearches
    package let speechChecks: SpeechChecks
    package let practice: PracticeSessions
    package let consent: SendingConsent
    package let waveforms = Waveforms()
    /// Comes first when the library is closed; everything that is still being sent ends with it.
    package let end = Latch()
    /// Set when it was erased.
    let erased = Latch()

    /// Whether a narration, recording or recognition is in progress.
    var isBusy: Bool {
        get async {
            if await narrations.isBusy { return true }
            if await recorder.isBusy { return true }
            if await transcriptions.isBusy { return true }
            if await live.isBusy { return true }
            if await speakers.isBusy { return true }
            if await practice.isBusy { return true }
            return await speechChecks.isBusy
        }
    }

    /// Shows under its new name what is being done with a recording.
    package func rename(_ item: AudioItem.ID, to name: ItemName) async {
        await transcriptions.rename(item, to: name)
    }

    /// Ends what is being done with recordings that were deleted, so that nothing waits for it.
    package func endAll(of items: Set<AudioItem.ID>) async {
        await transcriptions.endAll(of: items)
        await speakers.endAll(of: items)
        await speechChecks.endAll(of: items)
    }

    /// Adapts what is being done to settings that were changed.
    package func adaptToSettings() async {
        // A rule that cannot be read leaves the questions to the person.
        try? await consent.reconsider()
    }

    /// Adapts what is being done to what another process has deleted, renamed and set, unless the calling task is cancelled.
    func adaptToOthers() async {
        await adaptToSettings()
        var deleted: Set<AudioItem.ID> = []
        for id in await transcriptions.items.union(speakers.items).union(speechChecks.items) {
            do {
                let item = try await library.audio.item(id)
                guard !Task.isCancelled else { return }
                if let item {
                    await rename(id, to: item.name)
                } else {
                    deleted.insert(id)
                }
            } catch {
                // A list that cannot be read now is read after the next change.
            }
        }
        if !deleted.isEmpty { await endAll(of: deleted) }
    }
}

/// Holds the library open for a long-running program, and closes it when it is locked or idle for too long.
///
/// This is not the session of a browser: all browsers share one library session.
///
/// ```swift
/// let open = try await librarySession.use()
/// let items = try await open.library.audio.items(matching: AudioQuery())
/// ```
package actor LibrarySession {
    /// How often the idle time is checked.
    package static let idleCheck = Duration.seconds(5)
    /// How long a lock waits at most for those who work with the library; afterwards they find it closed.
    private static let longestLocking = Duration.seconds(2)
    /// How long a close without a lock waits for them, after which the program can end or the library be opened again.
    private static let longestClosing = Duration.seconds(3)

    package nonisolated let vault: any VaultControl
    package nonisolated let events: StudioEvents
    private let narrator: Narrator
    private let transcription: TranscriptionTools
    private let network: any NetworkWatch
    private let lanes: Int
    private let clock: any Clock<Duration>
    private let freeSpace: @Sendable () -> Int64?
    private let opened: @Sendable (Library) async -> Void
    private let closed: @Sendable () async -> Void
    private var openLibrary: OpenLibrary?
    private var running: Task<Void, any Error>?
    private var closing: AsyncStream<Void>.Continuation?
    /// The time since a person last used the library, by a clock that counts sleep.
    private var unused: @Sendable () -> Duration
    /// How many work for which the library stays open.
    private var keptOpen = 0
    /// The longest idle time, as last read from the settings; `nil` for no limit.
    private var longestUnused: Duration?

    /// - Parameters:
    ///   - vault: Opens and locks the library.
    ///   - narrator: Synthesizes the narrations.
    ///   - transcription: Transcribes the recordings.
    ///   - network: Reports when other machines may be reached.
    ///   - events: Receives an event when the library opens and closes.
    ///   - lanes: How many phrases are synthesized at once, unless a setting defines it.
    ///   - clock: Measures the idle time; it has to include the time for which the machine is suspended.
    ///   - opened: Called with the library each time it has been opened.
    ///   - closed: Called when the library is no longer in use, before it can be opened again.
    ///   - freeSpace: Returns the free bytes on the library's disk; `nil` if unknown.
    package init(
        to vault: any VaultControl,
        narrator: Narrator,
        transcription: TranscriptionTools,
        network: any NetworkWatch,
        events: StudioEvents,
        lanes: Int,
        clock: any Clock<Duration> = ContinuousClock(),
        opened: @escaping @Sendable (Library) async -> Void = { _ in },
        closed: @escaping @Sendable () async -> Void = {},
        freeSpace: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.vault = vault
        self.narrator = narrator
        self.transcription = transcription
        self.network = network
        self.events = events
        self.lanes = lanes
        self.clock = clock
        self.freeSpace = freeSpace
        self.opened = opened
        self.closed = closed
        unused = clock.stopwatch()
    }

    /// Returns the open library for an action of the person, and restarts the idle time.
    ///
    /// - Throws: ``VaultError/locked``, and what opening throws.
    package func use() async throws -> OpenLibrary {
        let openLibrary = try await useInBackground()
        unused = clock.stopwatch()
        return openLibrary
    }

    /// Returns the open library for work that is no use by a person; the idle time runs on.
    ///
    /// - Throws: As ``use()``.
    package func useInBackground() async throws -> OpenLibrary {
        // The timer may be late after the machine has slept, and the setting may have changed since the last check.
        if let openLibrary, unused() >= Self.idleCheck, await lockIfUnused(openLibrary) {
            await close(openLibrary)
            throw VaultError.locked
        }
        if let openLibrary {
            if await vault.isStillOpen() { return openLibrary }
            await close(openLibrary)
        }
        try await open()
        guard let openLibrary else { throw VaultError.locked }
        return openLibrary
    }

    /// Closes the library if it is still `seen`: another caller may have closed it and opened a new one.
    private func close(_ seen: OpenLibrary) async {
        if openLibrary?.end === seen.end { await close() }
    }

    /// The library if it is open, for background work; it neither opens the library nor restarts the idle time.
    package var present: OpenLibrary? { openLibrary }

    /// The state of the vault, open or not; while the library is reopened, the state that comes of it.
    package func status() async throws -> VaultStatus {
        while reopenings > 0 { await withCheckedContinuation { waitingForStatus.append($0) } }
        var status = try await vault.status()
        if case .readOnly = status.state { return status }
        if openLibrary != nil, status.protection != nil { status.state = .unlocked }
        return status
    }

    // MARK: - Opening

    /// Opens the library if that needs nothing from the person.
    ///
    /// - Throws: ``VaultError``.
    package func open() async throws {
        while closures > 0 { await withCheckedContinuation { waitingForClosures.append($0) } }
        if running == nil {
            let (end, ending) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            closing = ending
            running = Task { try await self.run(until: end) }
        }
        while openLibrary == nil, let running {
            // Either the library is open, or the run has ended and throws the reason.
            try await waitUntilOpen(or: running)
        }
    }

    /// The number of callers that prevent the library from opening, and the tasks waiting for them.
    private var closures = 0
    private var waitingForClosures: [CheckedContinuation<Void, Never>] = []
    /// The number of callers that are reopening the library, and the tasks waiting for its state.
    private var reopenings = 0
    private var waitingForStatus: [CheckedContinuation<Void, Never>] = []
    private var waitingForLibrary: [CheckedContinuation<Void, Never>] = []

    private func waitUntilOpen(or running: Task<Void, any Error>) async throws {
        await withCheckedContinuation { waitingForLibrary.append($0) }
        if openLibrary == nil { try await running.value }
    }

    private func run(until end: AsyncStream<Void>) async throws {
        do {
            try await vault.withLibrary { library in
                // Before anybody reads anything, so that no later change is missed.
                let changes = await library.watch.changesByOthers()
                let openLibrary = await self.start(library)
                // A task of its own: a lock does not wait for a look into the library that takes long.
                let following = Task { await self.follow(changes, in: openLibrary) }
                await self.waitForEnd(of: openLibrary, until: end)
                following.cancel()
                await self.shutDown(openLibrary, after: following)
            }
        } catch {
            ended()
            throw error
        }
        ended()
    }

    private func start(_ library: Library) async -> OpenLibrary {
        let fallback = lanes
        let queue = NarrationQueue(in: library, by: narrator, events: events) {
            (try? await library.settings.lanes()) ?? fallback
        }
        let consent = SendingConsent { try await library.settings.consentRule() }
        let transcriptions = TranscriptionQueue(
            in: library,
            with: transcription,
            consent: consent,
            network: network,
            events: events
        ) {
            (try? await library.settings.lanes()) ?? fallback
        }
        let opened = OpenLibrary(
            library: library,
            narrations: queue,
            batch: BatchRunner(in: library, by: queue, events: events),
            recorder: Recorder(into: library.recordings, events: events, clock: clock, freeSpace: freeSpace),
            transcriptions: transcriptions,
            live: LiveTranscriptions(in: library, with: transcription, queue: transcriptions, events: events),
            speakers: SpeakerSearches(in: library, with: transcription, events: events),
            speechChecks: SpeechChecks(in: library, by: narrator, with: transcription, events: events) {
                (try? await library.settings.lanes()) ?? fallback
            },
            practice: PracticeSessions(in: library, by: narrator, with: transcription, events: events),
            consent: consent
        )
        await opened.recorder.discardEmptyImports()
        await opened.recorder.listen { [live = opened.live] in await live.take($0) }
        longestUnused = await longestUnused(in: library)
        unused = clock.stopwatch()
        openLibrary = opened
        // Before anybody who has waited continues, so that no later event is mistaken for this one.
        await events.post(.vault)
        resumeWaiting()
        await opened.batch.start()
        await opened.transcriptions.start()
        await self.opened(library)
        return opened
    }

    /// Returns when the session is closed, the library is locked, or the idle time is over.
    private func waitForEnd(of openLibrary: OpenLibrary, until end: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { await self.lockWhenUnused(openLibrary) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Reports changes by other processes, until the task is cancelled.
    private func follow(_ changes: AsyncStream<Void>, in openLibrary: OpenLibrary) async {
        for await _ in changes {
            await openLibrary.adaptToOthers()
            guard !Task.isCancelled else { return }
            await events.post(.changedByOthers)
        }
    }

    private func shutDown(_ openLibrary: OpenLibrary, after following: Task<Void, Never>) async {
        self.openLibrary = nil
        openLibrary.end.set()
        let end = Latch()
        // Separate tasks, because this one may be cancelled and the narrations have to end in order.
        Task {
            await openLibrary.transcriptions.beginClosing()
            await openLibrary.batch.close()
            await openLibrary.recorder.close()
            await openLibrary.live.close()
            await openLibrary.speakers.close()
            await openLibrary.speechChecks.close()
            await openLibrary.practice.close()
            await openLibrary.waveforms.close()
            await openLibrary.transcriptions.close()
            await openLibrary.narrations.close()
            await openLibrary.batch.end()
            await following.value
            end.set()
        }
        // A lock cancels this task, also while a close without one is still waiting.
        let locked = Latch()
        await withTaskCancellationHandler {
            await Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await end.wait() }
                    // Nobody else cancels the two sleeps.
                    group.addTask { [clock] in try? await clock.sleep(for: Self.longestClosing) }
                    group.addTask { [clock] in
                        await locked.wait()
                        try? await clock.sleep(for: Self.longestLocking)
                    }
                    await group.next()
                    group.cancelAll()
                }
                await openLibrary.consent.forget()
                await self.closed()
            }.value
        } onCancel: {
            locked.set()
        }
        // Past events hold names, and the library may be locked from now on.
        await events.forget()
        await events.post(.vault)
        // The subscriptions were authorized while the library was open; clients reconnect, and are authorized again.
        await events.close()
    }

    private func ended() {
        running = nil
        closing = nil
        resumeWaiting()
    }

    private func resumeWaiting() {
        for waiting in waitingForLibrary { waiting.resume() }
        waitingForLibrary = []
    }

    // MARK: - Closing

    /// Closes the library without locking it.
    package func close() async {
        closing?.finish()
        // The callers inside have already received the reason.
        _ = try? await running?.value
    }

    /// Keeps the library closed while `work` runs; callers that use it meanwhile wait.
    package func close<Output: Sendable>(during work: @Sendable () async throws -> Output) async rethrows -> Output {
        closures += 1
        defer {
            closures -= 1
            if closures == 0 {
                for waiting in waitingForClosures { waiting.resume() }
                waitingForClosures = []
            }
        }
        await close()
        return try await work()
    }

    /// Destroys the library, which nobody uses meanwhile; work in ``keepingOpen(during:)`` then ends with ``VaultError/erased``.
    ///
    /// - Throws: What the vault throws.
    package func erase(passcode: String?) async throws {
        let seen = openLibrary
        // A caller that opened it meanwhile would use a deleted library.
        try await close { [vault] in
            do {
                try await vault.eraseEverything(passcode: passcode)
            } catch VaultError.erasedFilesStay {
                seen?.erased.set()
                throw VaultError.erasedFilesStay
            }
            seen?.erased.set()
        }
    }

    /// Closes the library for `work`, and opens it again; callers never see the state in between.
    ///
    /// - Throws: What `work` and ``open()`` throw.
    package func reopen(after work: @Sendable () async throws -> Void) async throws {
        reopenings += 1
        defer {
            reopenings -= 1
            if reopenings == 0 {
                for waiting in waitingForStatus { waiting.resume() }
                waitingForStatus = []
            }
        }
        try await close(during: work)
        try await open()
    }

    /// Locks the library for every program of this person.
    ///
    /// - Throws: ``VaultError/noPasscode``.
    package func lock() async throws {
        try await vault.lock()
        await close()
    }

    /// Opens the library for `work`, during which it is not locked for idleness.
    ///
    /// - Throws: As ``use()``, and what `work` throws; ``VaultError/erased`` where that fails because everything was erased.
    package func keepingOpen<Output: Sendable>(
        during work: @Sendable (OpenLibrary) async throws -> Output
    ) async throws -> Output {
        let openLibrary = try await use()
        keptOpen += 1
        defer { keptOpen -= 1 }
        do {
            return try await work(openLibrary)
        } catch let error where !(error is CancellationError) {
            throw await reason(for: error, in: openLibrary)
        }
    }

    /// Finds out whether work failed because the library was erased meanwhile, which looks like damage.
    private func reason(for error: any Error, in openLibrary: OpenLibrary) async -> any Error {
        while closures > 0 { await withCheckedContinuation { waitingForClosures.append($0) } }
        if openLibrary.erased.isSet { return VaultError.erased }
        return await vault.isErased() ? VaultError.erased : error
    }

    private func lockWhenUnused(_ openLibrary: OpenLibrary) async {
        while true {
            do {
                try await clock.sleep(for: Self.idleCheck)
            } catch {
                return
            }
            if await lockIfUnused(openLibrary) { return }
        }
    }

    /// Locks the library when the idle time is over and no narration, recording, recognition or import is running.
    ///
    /// - Returns: Whether it was locked; a library without a passcode cannot be.
    private func lockIfUnused(_ openLibrary: OpenLibrary) async -> Bool {
        longestUnused = await longestUnused(in: openLibrary.library)
        guard keptOpen == 0, await !openLibrary.isBusy, let longestUnused, unused() >= longestUnused else {
            return false
        }
        return (try? await vault.lock()) != nil
    }

    /// The setting's value; its last known value when it cannot be read.
    private func longestUnused(in library: Library) async -> Duration? {
        guard let minutes = try? await library.settings.value(of: SettingsCatalogue.lockAfter) else {
            return longestUnused
        }
        return minutes > 0 ? .seconds(60 * minutes) : nil
    }
}
