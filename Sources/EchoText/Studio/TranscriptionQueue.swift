package import Foundation
import OrderedCollections

/// Transcribes recordings in sequence; each recogniser handles one at a time.
///
/// A transcription is a job of the library as soon as ``take(_:for:)`` has returned, so none is lost when the program
/// ends.
///
/// ```swift
/// let status = try await queue.take(TranscriptionOrder(recognizers: [id]), for: item)
/// let end = await queue.ending(of: status.id)
/// ```
package actor TranscriptionQueue {
    /// The most transcriptions that are under way or waiting.
    package static let maximumPending = 1_000

    let library: Library
    let tools: TranscriptionTools
    let consent: SendingConsent
    private let watch: any NetworkWatch
    let events: StudioEvents
    private let course: TranscriptionRetryPolicy
    let clock: any Clock<Duration>
    let paceClock: any Clock<Duration>
    let now: @Sendable () -> Date
    private let chance: @Sendable () -> Double
    let lanes: @Sendable () async -> Int
    var works: OrderedDictionary<TranscriptionJob.ID, Work> = [:]
    private var ends: OrderedDictionary<TranscriptionJob.ID, TranscriptionStatus> = [:]
    /// How transcriptions have failed where that could not be stored.
    private var unstored: [TranscriptionJob.ID: TranscriptionStatus] = [:]
    /// The transcriptions that recognisers of this machine are at, and whether each has had the machine to itself.
    private var undisturbed: [TranscriptionJob.ID: Bool] = [:]
    private var waiting: [TranscriptionJob.ID: [CheckedContinuation<TranscriptionStatus?, Never>]] = [:]
    private var isClosed = false
    /// What was last heard of the network.
    package private(set) var network = NetworkState.reachable
    private var watching: Task<Void, Never>?

    /// A transcription of this process.
    struct Work {
        var status: TranscriptionStatus
        /// Transcribes the recording, or waits until the next attempt.
        var task: Task<Void, Never>?
        var isRunning = false
        var isCancelled = false
        /// The time since something was heard, while it runs.
        var quiet: (@Sendable () -> Duration)?
    }

    /// - Parameters:
    ///   - library: Stores jobs and transcripts.
    ///   - tools: Transcribe the recordings.
    ///   - consent: Asks before audio is sent to a service.
    ///   - network: Reports when other machines may be reached.
    ///   - events: Receives progress, segments and results.
    ///   - course: The retry policy.
    ///   - clock: Measures waits.
    ///   - paceClock: Measures how long recognisers need; it stands still while the machine sleeps.
    ///   - now: Returns the time of day.
    ///   - chance: Returns a random number from 0 to 1.
    ///   - lanes: Returns how many clips are transcribed at once.
    package init(
        in library: Library,
        with tools: TranscriptionTools,
        consent: SendingConsent,
        network: any NetworkWatch,
        events: StudioEvents,
        course: TranscriptionRetryPolicy = TranscriptionRetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        paceClock: any Clock<Duration> = SuspendingClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        lanes: @escaping @Sendable () async -> Int
    ) {
        self.library = library
        self.tools = tools
        self.consent = consent
        watch = network
        self.events = events
        self.course = course
        self.clock = clock
        self.paceClock = paceClock
        self.now = now
        self.chance = chance
        self.lanes = lanes
    }

    /// The longest that a service may take to be waited for with the library open.
    package static let longestWait = Duration.seconds(120)

    /// Whether something is being heard, and not only waited for.
    package var isBusy: Bool {
        works.values.contains { work in
            guard work.isRunning, work.status.job.state == .running else { return false }
            guard work.status.job.asked.service != nil, let quiet = work.quiet?() else { return true }
            return quiet < Self.longestWait
        }
    }

    /// Notes that a transcription has come further.
    func noteProgress(of id: TranscriptionJob.ID) {
        works[id]?.quiet = clock.stopwatch()
    }

    /// Notes that a recogniser of this machine begins to hear.
    func beginMeasuring(_ id: TranscriptionJob.ID) {
        let isAlone = undisturbed.isEmpty
        for other in undisturbed.keys { undisturbed[other] = false }
        undisturbed[id] = isAlone
    }

    /// Notes that a recogniser of this machine has ended.
    ///
    /// - Returns: Whether no other was at work meanwhile, so that the time says how fast it is.
    func endMeasuring(_ id: TranscriptionJob.ID) -> Bool { undisturbed.removeValue(forKey: id) ?? false }

    // MARK: - Orders

    /// Adds a transcription; it begins at once unless its recogniser is at work.
    ///
    /// - Throws: ``LibraryError/itemNotFound``, ``RecognitionError/noRecognizer``, ``RecognitionError/noSuchRecognizer(_:)``,
    ///   ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func take(_ order: TranscriptionOrder, for id: AudioItem.ID) async throws -> TranscriptionStatus {
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        guard item.origin.kind != .narrated else { throw TranscriptError.ofNarration }
        guard !order.recognizers.isEmpty else { throw RecognitionError.noRecognizer }
        let known = Set(try await tools.recognizer.recognizers().map(\.id))
        for recognizer in order.recognizers where !known.contains(recognizer) {
            throw RecognitionError.noSuchRecognizer(recognizer)
        }
        guard works.count < Self.maximumPending else { throw LibraryError.tooManyJobs(limit: Self.maximumPending) }
        // The caller's task may be cancelled meanwhile; a job that was begun must still be queued.
        return try await Task {
            let job = try await self.library.transcriptions.begin(order, for: id)
            return try await self.enqueue(job, item)
        }.value
    }

    /// Resumes the jobs that an earlier process left; failed ones stay.
    package func start() async {
        watchNetwork()
        // A list that cannot be read is read again by the next call of this kind.
        for job in (try? await library.transcriptions.jobs()) ?? [] where job.state.isUnderWay {
            // Errors are ignored: another process may hold the job, and its recording may be deleted.
            _ = try? await takeUp(job.id)
        }
    }

    /// From now on, resumes jobs that wait for the network when it is back.
    package func watchNetwork() {
        guard watching == nil else { return }
        watching = Task { [weak self, watch] in
            for await state in watch.states() { await self?.notice(state) }
        }
    }

    /// Tries a transcription again that has failed, waits or was cancelled, however often it has ended the program.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    package func retry(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        if let work = works[id] {
            guard !work.isRunning else { return work.status }
            works[id]?.task?.cancel()
            works[id]?.isCancelled = false
            return try await requeue(id)
        }
        return try await takeUp(id, isWanted: true)
    }

    /// Allows a transcription to send its audio.
    ///
    /// - Parameters:
    ///   - sending: What the person has seen.
    ///   - id: The transcription.
    /// - Returns: How it stands then.
    /// - Throws: ``TranscriptError/jobNotFound``; ``TranscriptError/otherSending`` where something else is to be sent, or nothing.
    package func allow(_ sending: Sending, for id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        let status = try await status(id)
        guard await consent.allow(sending, for: id) else {
            // The same answer may come twice.
            guard await consent.hasAllowed(sending, for: id) else { throw TranscriptError.otherSending }
            return status
        }
        return try await self.status(id)
    }

    /// Resumes all jobs that wait for the network when it is back.
    private func notice(_ state: NetworkState) async {
        network = state
        guard state == .reachable else { return }
        for (id, work) in works where work.status.job.state == .waitingForNetwork {
            // A change that cannot be stored now is tried again with the next one.
            _ = try? await requeue(id)
        }
    }

    /// Stops a transcription; its job stays, and can be tried again.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``.
    package func cancel(_ id: TranscriptionJob.ID) async throws {
        guard let work = works[id] else {
            guard try await library.transcriptions.jobs().contains(where: { $0.id == id }) else {
                throw TranscriptError.jobNotFound
            }
            _ = try await library.transcriptions.resume(id)
            defer { Task { await library.transcriptions.release(id) } }
            _ = try await library.transcriptions.update(id) { $0.state = .cancelled }
            unstored[id] = nil
            return
        }
        works[id]?.isCancelled = true
        work.task?.cancel()
        await work.task?.value
        guard works[id] != nil else { return }
        try await leave(id, as: .cancelled)
    }

    /// Stops a transcription, and deletes its segments.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    package func discard(_ id: TranscriptionJob.ID) async throws {
        if works[id] != nil { try await cancel(id) }
        try await library.transcriptions.discard(id)
        unstored[id] = nil
        guard var status = ends.removeValue(forKey: id) else { return }
        status.isGone = true
        await events.post(.transcription(status))
    }

    /// Starts no job any more; new jobs are only stored.
    package func beginClosing() {
        isClosed = true
    }

    /// Stops all transcriptions; they resume when the library is open again.
    package func close() async {
        isClosed = true
        watching?.cancel()
        for work in works.values { work.task?.cancel() }
        for (id, work) in works {
            await work.task?.value
            // A job that cannot be released here is released when the process ends.
            await library.transcriptions.release(id)
        }
        for id in works.keys { finishWaiting(id, works[id]?.status) }
        works = [:]
    }

    /// The available recognisers, in the order of preference.
    package func recognizers() async throws -> [Recognizer] { try await tools.recognizer.recognizers() }

    /// How long the recognisers of this machine have needed until now.
    package func paces() async -> RecognizerPaces { await tools.paces.paces() }

    // MARK: - Status

    /// The transcriptions that are under way, waiting, failed or cancelled, oldest first.
    package func statuses() async throws -> [TranscriptionStatus] {
        var statuses: [TranscriptionStatus] = []
        for job in try await library.transcriptions.jobs() {
            if let work = works[job.id] {
                statuses.append(work.status)
            } else if let failed = unstored[job.id] {
                statuses.append(failed)
            } else if let item = try await library.audio.item(job.item) {
                statuses.append(TranscriptionStatus(job, of: item))
            }
        }
        return statuses
    }

    /// - Throws: ``TranscriptError/jobNotFound``.
    package func status(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        if let work = works[id] { return work.status }
        if let end = ends[id], end.version != nil { return end }
        guard let status = try await statuses().first(where: { $0.id == id }) else { throw TranscriptError.jobNotFound }
        return status
    }

    /// Waits until a transcription is done, has failed, or was cancelled.
    ///
    /// - Parameter id: A transcription that this queue has taken.
    /// - Returns: `nil` when the transcription is unknown.
    package func ending(of id: TranscriptionJob.ID) async -> TranscriptionStatus? {
        if let ended = ends[id] { return ended }
        guard works[id] != nil else { return nil }
        return await withCheckedContinuation { waiting[id, default: []].append($0) }
    }

    /// What was heard so far by a transcription; nothing when it is done, as it is a transcript then.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``.
    package func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment] {
        guard try await status(id).version == nil else { return [] }
        do {
            return try await library.transcriptions.segments(of: id)
        } catch TranscriptError.jobNotFound {
            return []
        }
    }

    // MARK: - Turns

    // `isWanted` where a person has asked for it: its starts begin again.
    private func takeUp(_ id: TranscriptionJob.ID, isWanted: Bool = false) async throws -> TranscriptionStatus {
        let job = try await library.transcriptions.resume(id)
        guard let item = try await library.audio.item(job.item) else {
            await library.transcriptions.release(id)
            throw LibraryError.itemNotFound
        }
        if isWanted { await forgetStarts(of: id) }
        return try await enqueue(job, item)
    }

    private func enqueue(_ job: TranscriptionJob, _ item: AudioItem) async throws -> TranscriptionStatus {
        guard !isClosed else {
            await library.transcriptions.release(job.id)
            throw VaultError.locked
        }
        ends[job.id] = nil
        let failed = unstored.removeValue(forKey: job.id)
        works[job.id] = Work(status: TranscriptionStatus(job, of: item))
        do {
            return try await requeue(job.id)
        } catch {
            // Still nothing can be stored: it has failed as before, whatever its stored state is.
            if let failed, works[job.id]?.isRunning == false {
                works[job.id] = nil
                unstored[job.id] = failed
                await library.transcriptions.release(job.id)
                finishWaiting(job.id, failed)
            }
            throw error
        }
    }

    /// Puts a transcription of this queue back into the line.
    private func requeue(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        guard let work = works[id], !work.isCancelled else { throw TranscriptError.jobNotFound }
        works[id]?.task = nil
        let job = try await library.transcriptions.update(id) { $0.state = .queued }
        works[id]?.status.job = job
        beginNext()
        let moved = renewPlaces()
        guard let status = works[id]?.status else { throw TranscriptError.jobNotFound }
        await events.post(.transcription(status))
        for other in moved where other != id { await publish(other) }
        return status
    }

    /// Recordings of which at most so much is left go before longer ones that wait, in seconds.
    private static let shortLength = 120.0

    /// The transcriptions that wait for their turn, in the order in which they have it.
    private var line: [TranscriptionJob.ID] {
        let queued = works.values.filter { work in
            work.status.job.state == .queued && !work.isRunning && !work.isCancelled
        }
        let isShort = { (work: Work) in work.status.range.upperBound - work.status.position <= Self.shortLength }
        return (queued.filter(isShort) + queued.filter { !isShort($0) }).map(\.status.id)
    }

    /// Renews the places in the line.
    ///
    /// - Returns: The transcriptions whose place has changed.
    private func renewPlaces() -> [TranscriptionJob.ID] {
        var numbers: [Recognizer.ID: Int] = [:]
        var moved: [TranscriptionJob.ID] = []
        for id in line {
            guard let status = works[id]?.status else { continue }
            let place = numbers[status.job.asked, default: 0] + 1
            numbers[status.job.asked] = place
            guard status.place != place else { continue }
            works[id]?.status.place = place
            moved.append(id)
        }
        return moved
    }

    /// Begins the first transcription of each recogniser that is free.
    private func beginNext() {
        guard !isClosed else { return }
        var engaged = Set(works.values.filter(\.isRunning).map(\.status.job.asked))
        for id in line {
            guard let asked = works[id]?.status.job.asked, engaged.insert(asked).inserted else { continue }
            works[id]?.isRunning = true
            works[id]?.status.place = nil
            works[id]?.task = Task { await self.run(id) }
        }
    }

    private func run(_ id: TranscriptionJob.ID) async {
        do {
            try await noteStart(of: id)
            noteProgress(of: id)
            let job = try await library.transcriptions.update(id) { $0.state = .running }
            works[id]?.status.job = job
            await publish(id)
            let transcript = try await transcribe(job)
            let version = try await Task { try await self.library.transcriptions.finish(id, as: transcript) }.value
            await finish(id, version)
        } catch is CancellationError where isClosed || works[id]?.isCancelled == true {
            await forgetStarts(of: id)
            works[id]?.isRunning = false
        } catch {
            await failed(id, error)
        }
        beginNext()
        for other in renewPlaces() { await publish(other) }
    }

    /// How often the program may end while it hears a recording and gets no further, before the transcription is given up.
    private static let mostEnds = 2

    /// Counts a start durably, because what ends the program would otherwise end each later one too.
    ///
    /// - Throws: ``TranscriptError/endedProgram`` when it has been enough.
    func noteStart(of id: TranscriptionJob.ID) async throws {
        let starts = try await library.transcriptions.noteStart(of: id)
        guard starts <= Self.mostEnds else { throw TranscriptError.endedProgram }
    }

    private func forgetStarts(of id: TranscriptionJob.ID) async {
        // In a task of its own: stores refuse to begin anything in a cancelled task. Where it fails, a start too many is counted.
        _ = await Task { [library] in try await library.transcriptions.forgetStarts(of: id) }.result
    }

    private func finish(_ id: TranscriptionJob.ID, _ version: TranscriptVersion) async {
        guard var status = works.removeValue(forKey: id)?.status else { return }
        await consent.end(id)
        status.version = version.id
        status.position = status.range.upperBound
        finishWaiting(id, status)
        await events.post(.transcription(status))
        await events.post(.library(changed: [status.job.item]))
    }

    private func failed(_ id: TranscriptionJob.ID, _ error: any Error) async {
        works[id]?.isRunning = false
        guard !isClosed, let work = works[id], !work.isCancelled else { return await forgetStarts(of: id) }
        let before = work.status.job
        let next = course.job(after: error, of: before, network: network, at: now(), chance: chance())
        do {
            if next.recognizer != before.recognizer { try await library.transcriptions.restart(id) }
            let job = try await library.transcriptions.update(id) { job in
                (job.state, job.failure, job.failures) = (next.state, next.failure, next.failures)
                (job.recognizer, job.progress) = (next.recognizer, max(job.progress, next.progress))
                if next.recognizer != before.recognizer { job.progress = 0 }
            }
            works[id]?.status.job = job
        } catch {
            // Its recording was deleted, or the library cannot be written to: it cannot continue.
            works[id]?.status.job.state = .failed(Failure(error))
            unstored[id] = works[id]?.status
        }
        await settle(id)
    }

    /// Handles the state of a transcription that is not running.
    private func settle(_ id: TranscriptionJob.ID) async {
        guard let status = works[id]?.status else { return }
        switch status.job.state {
        case .failed:
            await library.transcriptions.release(id)
            works[id] = nil
            finishWaiting(id, status)
        case .waitingForNetwork where network == .reachable:
            // It came back while the state was being stored.
            works[id]?.task = Task { await self.retry(id, at: self.now()) }
        case .retrying(let time):
            works[id]?.task = Task { await self.retry(id, at: time) }
        default: break
        }
        await events.post(.transcription(status))
    }

    private func retry(_ id: TranscriptionJob.ID, at time: Date) async {
        // This throws only when it is cancelled.
        guard (try? await clock.sleep(for: .seconds(max(0, time.timeIntervalSince(now()))))) != nil else { return }
        do {
            _ = try await requeue(id)
        } catch {
            await failed(id, error)
        }
    }

    private func leave(_ id: TranscriptionJob.ID, as state: TranscriptionJob.State) async throws {
        let library = library
        let job = try await Task { try await library.transcriptions.update(id) { $0.state = state } }.value
        await library.transcriptions.release(id)
        guard let work = works.removeValue(forKey: id) else { return }
        work.task?.cancel()
        var status = work.status
        (status.job, status.place) = (job, nil)
        // It continues after what is kept, which may be less than what was heard.
        status.position = max(job.progress, status.range.lowerBound)
        finishWaiting(id, status)
        await events.post(.transcription(status))
        for other in renewPlaces() { await publish(other) }
    }

    private func finishWaiting(_ id: TranscriptionJob.ID, _ status: TranscriptionStatus?) {
        ends[id] = status
        if ends.count > Self.maximumPending { ends.removeFirst() }
        for continuation in waiting.removeValue(forKey: id) ?? [] { continuation.resume(returning: status) }
    }

    // MARK: - Events

    func publish(_ id: TranscriptionJob.ID) async {
        guard let status = works[id]?.status else { return }
        await events.post(.transcription(status))
    }
}
