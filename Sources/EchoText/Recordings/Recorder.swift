/// Stores the sound of recording sessions in an open library, and detects when the sender is gone.
///
/// A session without a sign of its sender for ``timeout`` is released as interrupted, and continues when its next chunk
/// arrives.
///
/// ```swift
/// let session = try await recorder.begin(order)
/// let kept = try await recorder.append(RecordingChunk(number: 0, samples: samples), to: session.id)
/// let item = try await recorder.finish(session.id)
/// ```
package actor Recorder {
    /// How long a session may be silent: a page sends four chunks a second, and says now and then that it is paused.
    package static let timeout = Duration.seconds(20)
    /// The same while it is paused; browsers let a hidden page do something once a minute only.
    package static let pausedTimeout = Duration.seconds(150)
    /// The most sessions that are recorded or wait to be continued.
    package static let mostSessions = 100
    /// How often silence is looked for.
    package static let check = Duration.seconds(5)

    /// An event of a session's sound; the events of each session are in order.
    package enum Sound: Sendable {
        /// `samples` were stored; they begin at sample `start` of the session.
        case kept(_ samples: [Int16], from: Int, of: RecordingSession)
        /// The session is a recording now; `digest` is the SHA-256 of its sound in hexadecimal, where that is known.
        case finished(AudioItem, digest: String? = nil)
        /// The session's sender is gone, or it was discarded.
        case ended(AudioItem.ID)
    }

    /// A session that this process holds.
    private struct Held {
        var session: RecordingSession
        /// The time since the last heartbeat of its sender.
        var silence: @Sendable () -> Duration
        /// The whole seconds that were published.
        var published: Int

        var isAbandoned: Bool {
            silence() >= (session.state == .paused ? Recorder.pausedTimeout : Recorder.timeout)
        }
    }

    /// The state after a chunk.
    package struct Receipt: Sendable, Hashable {
        /// The session with the chunk.
        package let session: RecordingSession
        /// In how many seconds of recording the disk will be full; `nil` if unknown.
        package let remaining: Double?
        /// The seconds for which the machine slept between the chunk before it and this one, while nothing was recorded.
        package let slept: Double
    }

    /// The last chunk of a session that is not paused.
    private struct Last {
        let number: Int
        let slept: Double
        /// How long the machine has slept since that chunk.
        let sleep: @Sendable () -> Duration
    }

    private nonisolated let recordings: any RecordingSessions
    private let events: StudioEvents
    private let clock: any Clock<Duration>
    private let wakingClock: any Clock<Duration>
    private let freeSpace: @Sendable () -> Int64?
    private var held: [AudioItem.ID: Held] = [:]
    /// A session that was released keeps its last chunk: the machine may have slept before the next one.
    private var last: [AudioItem.ID: Last] = [:]
    private var turns: [AudioItem.ID: PrioritySemaphore] = [:]
    private var listeners: [@Sendable (Sound) async -> Void] = []
    private var watch: Task<Void, Never>?
    private var isClosed = false
    /// Sessions that are just being begun.
    private var beginning = 0

    /// - Parameters:
    ///   - recordings: Keeps the sessions.
    ///   - events: Receives an event when a session changes, and once a second while it grows.
    ///   - clock: Measures silence, including the time for which the machine is suspended.
    ///   - wakingClock: Measures time without that.
    ///   - freeSpace: Returns the bytes that can still be written where the library is; `nil` if unknown.
    package init(
        into recordings: any RecordingSessions,
        events: StudioEvents,
        clock: any Clock<Duration> = ContinuousClock(),
        wakingClock: any Clock<Duration> = SuspendingClock(),
        freeSpace: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.recordings = recordings
        self.events = events
        (self.clock, self.wakingClock) = (clock, wakingClock)
        self.freeSpace = freeSpace
    }

    /// Hands `listener` the sound of every session from now on; a chunk's sender waits for it.
    package func listen(_ listener: @escaping @Sendable (Sound) async -> Void) { listeners.append(listener) }

    /// Whether something is being recorded.
    package var isBusy: Bool { held.values.contains { $0.session.state == .recording && !$0.isAbandoned } }

    // MARK: - Sessions

    /// All sessions, oldest first.
    ///
    /// - Throws: ``VaultError``.
    package func sessions() async throws -> [RecordingSession] {
        try await recordings.sessions().map(known)
    }

    /// - Throws: ``RecordingError/sessionNotFound``, ``VaultError``.
    package func session(_ id: AudioItem.ID) async throws -> RecordingSession {
        known(try await recordings.session(id))
    }

    /// Reports a session whose page has been silent for too long as interrupted even before the check; likewise one
    /// that was left paused.
    private func known(_ session: RecordingSession) -> RecordingSession {
        guard let held = held[session.id] else { return session.state == .paused ? session.interrupted : session }
        return held.isAbandoned ? session.interrupted : session
    }

    /// Begins a session.
    ///
    /// - Throws: ``RecordingError/tooManySessions(limit:)``, ``VaultError``.
    package func begin(_ order: RecordingOrder) async throws -> RecordingSession {
        let recordings = recordings
        beginning += 1
        defer { beginning -= 1 }
        let present = try await recordings.sessions().filter { $0.order.source == .microphone }.count
        guard present + beginning <= Self.mostSessions else {
            throw RecordingError.tooManySessions(limit: Self.mostSessions)
        }
        // The caller's task may be cancelled meanwhile; a session that was begun must still be watched.
        return try await Task {
            try await self.hold(try await recordings.begin(order))
        }.value
    }

    /// Resumes an interrupted session; does nothing for a running one.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``, ``VaultError``.
    package func resume(_ id: AudioItem.ID) async throws -> RecordingSession {
        try await inTurn(id) {
            try await self.reopen(id)
            await self.forgetLast(of: id)
            return try await self.update(id) { $0.state = .recording }
        }
    }

    /// Keeps a chunk.
    ///
    /// A chunk that is sent again is answered as before.
    ///
    /// - Throws: As ``RecordingSessions/append(_:to:)``, and ``RecordingError/sessionBusy``.
    package func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> Receipt {
        try await inTurn(id) {
            try await self.reopen(id)
            let session = try await self.keep(chunk, of: id)
            let slept = await self.sleep(before: chunk.number, of: session)
            return await Receipt(session: session, remaining: self.remaining(for: session), slept: slept)
        }
    }

    /// Returns for how many seconds the machine slept since the chunk before, and remembers this one as the last.
    private func sleep(before number: Int, of session: RecordingSession) -> Double {
        let before = last[session.id]
        if let before, number <= before.number { return number == before.number ? before.slept : 0 }
        let slept = before?.sleep() ?? .zero
        // Two clocks are never read at once.
        let seconds = slept < .milliseconds(500) ? 0 : slept / .seconds(1)
        let (all, waking) = (clock.stopwatch(), wakingClock.stopwatch())
        last[session.id] =
            session.state == .paused ? nil : Last(number: number, slept: seconds) { all() - waking() }
        return seconds
    }

    private func forgetLast(of id: AudioItem.ID) { last[id] = nil }

    private func keep(_ chunk: RecordingChunk, of id: AudioItem.ID) async throws -> RecordingSession {
        let session = try await recordings.append(chunk, to: id)
        let start = held[id]?.session.samples ?? session.samples
        await heartbeat(of: session)
        if session.samples > start { await report(.kept(chunk.samples, from: start, of: session)) }
        return session
    }

    /// Estimates after how many seconds of recording the disk will be too full to finish; `nil` if unknown.
    ///
    /// Finishing writes the whole sound again before it deletes the chunks.
    private func remaining(for session: RecordingSession) -> Double? {
        freeSpace().map { max(0, Double($0) - Double(2 * session.samples)) / Double(4 * session.order.sampleRate) }
    }

    /// Changes the state, the name or the language of a session.
    ///
    /// The call counts as a heartbeat; a session that becomes interrupted is released.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``, ``VaultError``.
    package func change(
        _ id: AudioItem.ID,
        state: RecordingSession.State? = nil,
        name: ItemName? = nil,
        language: String? = nil
    ) async throws -> RecordingSession {
        try await inTurn(id) {
            if let state, state != .interrupted { try await self.reopen(id) }
            let session = try await self.update(id) { session in
                session.state = state ?? session.state
                session.order.name = name ?? session.order.name
                session.order.language = language ?? session.order.language
            }
            // Until it continues, nothing is missed.
            if state == .paused || state == .interrupted { await self.forgetLast(of: id) }
            if state == .interrupted { await self.release(id) }
            return session
        }
    }

    /// Adds a mark to a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - seconds: From its start; a later place than its end is its end so far.
    ///   - label: What the person calls it.
    /// - Returns: The session after it.
    /// - Throws: ``RecordingError/tooManyMarks(limit:)``, ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``,
    ///   ``VaultError``.
    package func mark(_ id: AudioItem.ID, at seconds: Double, label: String?) async throws -> RecordingSession {
        try await inTurn(id) {
            guard try await self.recordings.session(id).marks.count < RecordingMark.most else {
                throw RecordingError.tooManyMarks(limit: RecordingMark.most)
            }
            return try await self.update(id) { session in
                session.marks.append(
                    RecordingMark(at: seconds, label: label, sampleRate: session.order.sampleRate)
                )
                session.marks.sort { $0.sample < $1.sample }
            }
        }
    }

    /// Makes a session a recording of the library.
    ///
    /// - Throws: As ``RecordingSessions/finish(_:)``.
    package func finish(_ id: AudioItem.ID) async throws -> AudioItem {
        try await inTurn(id) {
            let (item, digest) = try await self.recordings.finishWithDigest(id)
            await self.forget(id)
            await self.report(.finished(item, digest: digest))
            await self.events.post(.library(added: [id]))
            return item
        }
    }

    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``, ``VaultError``.
    package func discard(_ id: AudioItem.ID) async throws {
        try await inTurn(id) {
            try await self.recordings.discard(id)
            await self.forget(id)
            await self.report(.ended(id))
        }
    }

    /// Discards what is left of files whose import has ended before there was any sound of them.
    ///
    /// The beginning of a file stays: the file may be gone by now, and nobody would hear that it was not imported.
    package func discardEmptyImports() async {
        // A session that cannot be read or deleted now is discarded another time.
        for session in (try? await recordings.sessions()) ?? []
        where session.isInterruptedImport && session.samples == 0 && !session.isUnreadable {
            try? await recordings.discard(session.id)
        }
    }

    /// Releases all sessions, which are interrupted then and can be continued.
    package func close() async {
        isClosed = true
        watch?.cancel()
        for id in held.keys { await release(id) }
    }

    // MARK: - Holding

    /// Runs `work` exclusively for the session, even if the caller's task is cancelled meanwhile.
    private func inTurn<Output: Sendable>(
        _ id: AudioItem.ID,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let turn = turns[id] ?? PrioritySemaphore(permits: 1)
        turns[id] = turn
        do {
            return try await Task { try await turn.pass { _ in try await work() } }.value
        } catch let error as RecordingError where error.isOfAbsence {
            turns[id] = nil
            throw error
        }
    }

    private func reopen(_ id: AudioItem.ID) async throws {
        if held[id] == nil { _ = try await hold(try await recordings.resume(id)) }
    }

    /// - Throws: ``VaultError/locked`` when the recorder was closed meanwhile; the session stays.
    private func hold(_ session: RecordingSession) async throws -> RecordingSession {
        guard !isClosed else {
            await recordings.release(session.id)
            throw VaultError.locked
        }
        held[session.id] = Held(session: session, silence: clock.stopwatch(), published: Int(session.duration))
        watchSilence()
        await events.post(.recording(session.id, session))
        return session
    }

    private func update(
        _ id: AudioItem.ID,
        _ change: @Sendable (inout RecordingSession) -> Void
    ) async throws -> RecordingSession {
        let session = try await recordings.update(id, change)
        held[id]?.session = session
        held[id]?.silence = clock.stopwatch()
        await events.post(.recording(id, session))
        return session
    }

    /// Updates the state for a session that has grown.
    private func heartbeat(of session: RecordingSession) async {
        let seconds = Int(session.duration)
        let isDue = held[session.id].map { $0.published != seconds || $0.session.state != session.state } ?? false
        held[session.id]?.session = session
        held[session.id]?.silence = clock.stopwatch()
        guard isDue else { return }
        held[session.id]?.published = seconds
        await events.post(.recording(session.id, session))
    }

    private func release(_ id: AudioItem.ID) async {
        guard let session = held.removeValue(forKey: id)?.session else { return }
        // The store says of a session that nobody holds that it is interrupted, also when this cannot be written.
        _ = try? await recordings.update(id) { $0.state = .interrupted }
        await recordings.release(id)
        await report(.ended(id))
        await events.post(.recording(id, session.interrupted))
    }

    private func forget(_ id: AudioItem.ID) async {
        held[id] = nil
        last[id] = nil
        turns[id] = nil
        await events.post(.recording(id, nil))
    }

    private func report(_ sound: Sound) async {
        for listener in listeners { await listener(sound) }
    }

    // MARK: - Silence

    private func watchSilence() {
        guard watch == nil, !isClosed else { return }
        watch = Task { await self.releaseSilent() }
    }

    private func releaseSilent() async {
        while !held.isEmpty, (try? await clock.sleep(for: Self.check)) != nil {
            for id in held.filter({ $0.value.isAbandoned }).keys {
                // It throws only in a cancelled task, and then this one ends too.
                try? await inTurn(id) { await self.releaseIfSilent(id) }
            }
        }
        watch = nil
        if !held.isEmpty { watchSilence() }
    }

    private func releaseIfSilent(_ id: AudioItem.ID) async {
        if held[id]?.isAbandoned == true { await release(id) }
    }
}

extension RecordingSession {
    /// Whether it is the beginning of a file whose import was interrupted.
    package var isInterruptedImport: Bool { order.source == .file && state == .interrupted }

    /// As it is when nobody feeds it.
    fileprivate var interrupted: Self {
        var session = self
        session.state = .interrupted
        return session
    }
}

/// Stores captured sound in a recording session, and buffers for some minutes what cannot be stored.
///
/// ```swift
/// let writer = SessionWriter(into: library.recordings) { error in show(error) }
/// await writer.hold(try await library.recordings.begin(order))
/// try await writer.append(samples)
/// let item = try await writer.finish()
/// ```
package actor SessionWriter {
    /// The rest of a failed recording.
    package struct Left: Sendable, Hashable {
        /// The session that can be continued; `nil` where there is no sound.
        package let session: AudioItem.ID?
        /// Seconds of sound that could not be stored.
        package let lost: Double
    }

    /// The most seconds of sound that wait; 58 MB at 48,000 Hz.
    package static let longestWaiting = 600
    /// The number of final attempts to store the buffered sound, and the pause between them.
    private static let (lastAttempts, lastPause) = (4, Duration.seconds(2))

    private let sessions: any RecordingSessions
    private let clock: any Clock<Duration>
    private let cannotStore: @Sendable (any Error) async -> Void
    private var session: RecordingSession?
    /// Sound that is not stored yet.
    private var waiting: [[Int16]] = []
    /// The marks that are not stored yet.
    private var marks: [RecordingMark] = []
    private var storingMarks: Task<Void, Never>?
    private var hasReported = false

    /// - Parameters:
    ///   - sessions: Store the sound.
    ///   - clock: Measures the pauses at the end.
    ///   - cannotStore: Called once for each row of failures, with the first of them.
    package init(
        into sessions: any RecordingSessions,
        clock: any Clock<Duration> = ContinuousClock(),
        cannotStore: @escaping @Sendable (any Error) async -> Void
    ) {
        (self.sessions, self.clock, self.cannotStore) = (sessions, clock, cannotStore)
    }

    /// In hertz; `nil` before ``hold(_:)``.
    package var sampleRate: Int? { session?.order.sampleRate }

    /// Sets the session, which this process holds.
    package func hold(_ session: RecordingSession) { self.session = session }

    /// Stores the sound, or buffers it until it can be stored.
    ///
    /// - Throws: Errors that are permanent, and others once the buffer is full.
    package func append(_ samples: [Int16]) async throws {
        waiting.append(samples)
        do {
            try await store()
        } catch {
            guard Self.mayPass(error), waitingSeconds < Double(Self.longestWaiting) else { throw error }
            guard !hasReported else { return }
            hasReported = true
            await cannotStore(error)
        }
    }

    /// Marks a place of the session; where that cannot be stored now, it is tried again at the end.
    package func mark(_ mark: RecordingMark) async {
        marks.append(mark)
        await storeMarks()
    }

    /// Makes the session a recording.
    ///
    /// - Throws: ``RecordingError/nothingRecorded``, after which nothing is left; otherwise as
    ///   ``RecordingSessions/finish(_:)``.
    package func finish() async throws -> AudioItem {
        try await storeRest()
        guard let session else { throw RecordingError.nothingRecorded }
        guard session.samples > 0 else {
            try await sessions.discard(session.id)
            throw RecordingError.nothingRecorded
        }
        await storeMarks()
        return try await sessions.finish(session.id)
    }

    /// Leaves the stored sound as an interrupted session, or nothing if there is no sound.
    package func leave() async -> Left {
        let lost = waitingSeconds
        guard let session else { return Left(session: nil, lost: lost) }
        guard session.samples > 0 else {
            // A session that cannot be discarded now is listed as interrupted later.
            try? await sessions.discard(session.id)
            return Left(session: nil, lost: lost)
        }
        await storeMarks()
        await sessions.release(session.id)
        return Left(session: session.id, lost: lost)
    }

    // MARK: - Storing

    private var waitingSeconds: Double {
        Double(waiting.reduce(0) { $0 + $1.count }) / Double(session?.order.sampleRate ?? 1)
    }

    /// Whether the operation may succeed later: a disk may have space again, and a library in use may become free.
    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? VaultError else { return false }
        return error != .locked
    }

    private func store() async throws {
        guard var session else { return }
        while let samples = waiting.first {
            let chunk = try RecordingChunk(number: session.nextChunk, samples: samples)
            session = try await sessions.append(chunk, to: session.id)
            self.session = session
            waiting.removeFirst()
        }
        hasReported = false
    }

    /// Stores the marks that wait, as far as the session takes any, after those that another call is storing.
    private func storeMarks() async {
        guard let id = session?.id else { return }
        while let storingMarks { await storingMarks.value }
        guard !marks.isEmpty else { return }
        // A task of its own, so that it continues when the call is cancelled that others wait for.
        let storing = Task { await self.storeMarks(of: id) }
        storingMarks = storing
        await storing.value
    }

    private func storeMarks(of id: AudioItem.ID) async {
        defer { storingMarks = nil }
        while !marks.isEmpty {
            let added = marks
            let stored = try? await sessions.update(id) { session in
                session.marks += added.prefix(max(0, RecordingMark.most - session.marks.count))
            }
            // The next mark, or the end, tries again.
            guard stored != nil else { return }
            marks.removeFirst(added.count)
        }
    }

    private func storeRest() async throws {
        for attempt in 1...Self.lastAttempts {
            do {
                return try await store()
            } catch {
                guard Self.mayPass(error), attempt < Self.lastAttempts else { throw error }
                // No event says that a disk has room again, so that is tried. A cancellation ends the wait, and is thrown.
                try await clock.sleep(for: Self.lastPause)
            }
        }
    }
}
