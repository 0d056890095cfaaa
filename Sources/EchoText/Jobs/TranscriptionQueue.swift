package import Foundation
import OrderedCollections

/// Transcribes recordings in sequence; each recognizer handles one at a time.
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
    package nonisolated let tools: TranscriptionTools
    let consent: SendingConsent
    private let watch: any NetworkWatch
    let events: StudioEvents
    let retryPolicy: TranscriptionRetryPolicy
    let clock: any Clock<Duration>
    let paceClock: any Clock<Duration>
    let now: @Sendable () -> Date
    let chance: @Sendable () -> Double
    let lanes: @Sendable () async -> Int
    var queue = JobQueue<Work, TranscriptionStatus>(limit: TranscriptionQueue.maximumPending)
    /// The transcriptions that are being added.
    private var additions: [Addition: Task<TranscriptionStatus, any Error>] = [:]
    /// How transcriptions have failed where that could not be stored.
    var unstored: [TranscriptionJob.ID: TranscriptionStatus] = [:]
    /// Transcriptions that nobody waits for and of which nothing could be stored, in the order in which they were wanted.
    var unbegun: OrderedDictionary<TranscriptionJob.ID, TranscriptionStatus> = [:]
    /// The transcriptions that recognizers of this machine are at, and whether each has had the machine to itself.
    private var undisturbed: [TranscriptionJob.ID: Bool] = [:]
    /// The last known state of the network.
    package private(set) var network = NetworkState.reachable
    private var watching: Task<Void, Never>?

    private struct Addition: Hashable {
        let order: TranscriptionOrder
        let item: AudioItem.ID
    }

    /// A transcription of this process.
    struct Work: Identifiable {
        var status: TranscriptionStatus
        var isCancelled = false
        /// The time since something was heard, while it runs.
        var quiet: (@Sendable () -> Duration)?
        /// The recognizer that was asked first, with its own failure; another one's may follow, which the job has then.
        var replaced: FailedRecognizer?
        /// Finds the paragraphs of what is heard.
        var paragraphs = TranscriptParagraphs()

        var id: TranscriptionJob.ID { status.id }
    }

    /// - Parameters:
    ///   - library: Stores jobs and transcripts.
    ///   - tools: Transcribe the recordings.
    ///   - consent: Asks before audio is sent to a service.
    ///   - network: Reports when other machines may be reached.
    ///   - events: Receives progress, segments and results.
    ///   - retryPolicy: When a failed recognizer is tried again, and when the next one is.
    ///   - clock: Measures waits.
    ///   - paceClock: Measures how long recognizers need; it stands still while the machine sleeps.
    ///   - now: Returns the time of day.
    ///   - chance: Returns a random number from 0 to 1.
    ///   - lanes: Returns how many clips are transcribed at once.
    package init(
        in library: Library,
        with tools: TranscriptionTools,
        consent: SendingConsent,
        network: any NetworkWatch,
        events: StudioEvents,
        retryPolicy: TranscriptionRetryPolicy = TranscriptionRetryPolicy(),
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
        self.retryPolicy = retryPolicy
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
        queue.jobs.values.contains { work in
            guard queue.isAtWork(work.id), work.status.job.state == .running else { return false }
            guard work.status.job.asked.service != nil, let quiet = work.quiet?() else { return true }
            return quiet < Self.longestWait
        }
    }

    /// Notes that a transcription has come further.
    func noteProgress(of id: TranscriptionJob.ID) {
        queue.jobs[id]?.quiet = clock.stopwatch()
    }

    /// Notes that a recognizer of this machine begins to hear.
    func beginMeasuring(_ id: TranscriptionJob.ID) {
        let isAlone = undisturbed.isEmpty
        for other in undisturbed.keys { undisturbed[other] = false }
        undisturbed[id] = isAlone
    }

    /// Notes that a recognizer of this machine has ended.
    ///
    /// - Returns: Whether no other was at work meanwhile, so that the time says how fast it is.
    func endMeasuring(_ id: TranscriptionJob.ID) -> Bool { undisturbed.removeValue(forKey: id) ?? false }

    // MARK: - Orders

    /// Adds a transcription; it begins at once unless its recognizer is at work.
    ///
    /// While one of the same recording by an equal order runs or waits, that is the answer: a button may be pressed twice.
    ///
    /// - Throws: ``LibraryError/itemNotFound``, ``RecognitionError/noRecognizer``, ``RecognitionError/noSuchRecognizer(_:)``,
    ///   ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func take(_ order: TranscriptionOrder, for id: AudioItem.ID) async throws -> TranscriptionStatus {
        let addition = Addition(order: order, item: id)
        if let same = additions[addition] { return try await same.value }
        let same = queue.jobs.values.first { work in
            let job = work.status.job
            return job.item == id && job.order.asGiven == order.asGiven && job.state.isUnderWay && !work.isCancelled
        }
        if let same { return same.status }
        // The caller's task may be cancelled meanwhile; a job that was begun must still be queued.
        let adding = Task<TranscriptionStatus, any Error> {
            defer { self.additions[addition] = nil }
            let (job, item) = try await self.begin(order, for: id)
            return try await self.enqueue(job, item)
        }
        additions[addition] = adding
        return try await adding.value
    }

    /// Adds a transcription that nobody waits for; one that cannot be begun has failed, and can be tried again.
    ///
    /// Where not even that can be stored, it is known as long as the library is open.
    package func takeUnawaited(_ order: TranscriptionOrder, for item: AudioItem) async {
        do {
            let begun = try await begin(order, for: item.id)
            // Where that fails, it has been reported.
            _ = try? await enqueue(begun.job, begun.item)
        } catch LibraryError.itemNotFound {
            // The recording was deleted, and needs no transcript.
        } catch {
            guard !queue.isClosed else { return }
            await keepFailed(order, for: item, Failure(error))
        }
    }

    /// Stores a transcription that has failed before it began.
    private func keepFailed(_ order: TranscriptionOrder, for item: AudioItem, _ failure: Failure) async {
        var job = TranscriptionJob(item: item.id, created: now(), order: order)
        var (isBegun, isStored) = (false, false)
        do {
            job = try await library.transcriptions.begin(order, for: item.id)
            isBegun = true
            try await library.transcriptions.update(job.id) { job in
                (job.state, job.failure) = (.failed(failure), failure)
            }
            isStored = true
        } catch {
            // It is reported from memory.
        }
        (job.state, job.failure) = (.failed(failure), failure)
        let status = TranscriptionStatus(job, of: item)
        if isBegun {
            if !isStored { unstored[job.id] = status }
            await library.transcriptions.release(job.id)
        } else {
            unbegun[job.id] = status
            if unbegun.count > Self.maximumPending { unbegun.removeFirst() }
        }
        await events.post(.transcription(status))
    }

    func postGone(_ status: TranscriptionStatus) async {
        var status = status
        status.isGone = true
        await events.post(.transcription(status))
    }

    func begin(_ order: TranscriptionOrder, for id: AudioItem.ID) async throws
        -> (job: TranscriptionJob, item: AudioItem)
    {
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        guard item.origin.kind != .narrated else { throw TranscriptError.ofNarration }
        guard !order.recognizers.isEmpty else { throw RecognitionError.noRecognizer }
        let known = Set(try await tools.recognizer.recognizers().map(\.id))
        for recognizer in order.recognizers where !known.contains(recognizer) {
            throw RecognitionError.noSuchRecognizer(recognizer)
        }
        var order = order
        // Where the versions cannot be read, no text of a person is replaced.
        order.current = (try? await library.transcripts.versions(of: id))?.first(where: \.isCurrent)?.id
        try queue.checkRoom()
        return (try await library.transcriptions.begin(order, for: id), item)
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
        for (id, work) in queue.jobs where work.status.job.state == .waitingForNetwork {
            do {
                _ = try await requeue(id)
            } catch {
                // The network may not change again, so that waiting for it could have no end.
                await failed(id, error)
            }
        }
    }

    /// Stops a transcription; its job stays, and can be tried again.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``; ``VaultError`` where this cannot be stored: it has failed then.
    package func cancel(_ id: TranscriptionJob.ID) async throws {
        guard unbegun[id] == nil else {
            unbegun[id]?.job.state = .cancelled
            return
        }
        guard queue.jobs[id] != nil else {
            guard try await library.transcriptions.jobs().contains(where: { $0.id == id }) else {
                throw TranscriptError.jobNotFound
            }
            _ = try await library.transcriptions.resume(id)
            defer { Task { await library.transcriptions.release(id) } }
            _ = try await library.transcriptions.update(id) { $0.state = .cancelled }
            unstored[id] = nil
            return
        }
        queue.jobs[id]?.isCancelled = true
        queue.leaveLine(id)
        let task = queue.tasks[id]
        task?.cancel()
        await task?.value
        guard queue.jobs[id] != nil else { return }
        try await leave(id, as: .cancelled)
    }

    /// Stops a transcription, and deletes its segments.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    package func discard(_ id: TranscriptionJob.ID) async throws {
        if let failed = unbegun.removeValue(forKey: id) { return await postGone(failed) }
        if queue.jobs[id] != nil { try await cancel(id) }
        try await library.transcriptions.discard(id)
        unstored[id] = nil
        guard let status = queue.forgetEnd(of: id) else { return }
        await postGone(status)
    }

    /// The recordings of the transcriptions that this process knows of.
    var items: Set<AudioItem.ID> {
        let failed = unstored.values.map(\.job.item) + unbegun.values.map(\.job.item)
        return Set(queue.jobs.values.map(\.status.job.item) + failed)
    }

    /// Ends the transcriptions of recordings that were deleted, and reports that they are gone.
    package func endAll(of items: Set<AudioItem.ID>) async {
        for (id, failed) in unbegun where items.contains(failed.job.item) {
            unbegun[id] = nil
            await postGone(failed)
        }
        unstored = unstored.filter { !items.contains($0.value.job.item) }
        for (id, work) in queue.jobs where items.contains(work.status.job.item) {
            // Its recognizer may need a while to stop; its lane is free then.
            queue.tasks[id]?.cancel()
            await endGone(id)
        }
        beginNext()
        for other in renewQueuePositions() { await publish(other) }
    }

    /// Ends a transcription whose recording was deleted.
    func endGone(_ id: TranscriptionJob.ID) async {
        guard var status = queue.remove(id)?.status else { return }
        (status.isGone, status.queuePosition) = (true, nil)
        unstored[id] = nil
        queue.end(id, as: status)
        await consent.end(id)
        await library.transcriptions.release(id)
        await events.post(.transcription(status))
    }

    /// Shows the transcriptions of a recording under its new name.
    package func rename(_ item: AudioItem.ID, to name: ItemName) async {
        for id in unstored.keys where unstored[id]?.job.item == item { unstored[id]?.name = name }
        for id in unbegun.keys where unbegun[id]?.job.item == item { unbegun[id]?.name = name }
        for (id, work) in queue.jobs where work.status.job.item == item && work.status.name != name {
            queue.jobs[id]?.status.name = name
            await publish(id)
        }
    }

    /// Starts no job any more; new jobs are only stored.
    package func beginClosing() {
        queue.close()
    }

    /// Stops all transcriptions; they resume when the library is open again.
    package func close() async {
        queue.close()
        watching?.cancel()
        let tasks = queue.tasks
        for task in tasks.values { task.cancel() }
        // Those that do not end before the library is closed have not ended the program.
        for id in queue.atWork { await forgetStarts(of: id) }
        for id in queue.jobs.keys {
            await tasks[id]?.value
            // A job that cannot be released here is released when the process ends.
            await library.transcriptions.release(id)
        }
        for (id, work) in queue.jobs { queue.end(id, as: work.status) }
        queue.removeAll()
    }

    /// The available recognizers, in the order of preference.
    package func recognizers() async throws -> [Recognizer] { try await tools.recognizer.recognizers() }

    /// How long the recognizers of this machine have needed until now.
    package func paces() async -> RecognizerPaces { await tools.paces.paces() }

    // MARK: - Status

    /// The transcriptions that are under way, waiting, failed or cancelled, oldest first.
    package func statuses() async throws -> [TranscriptionStatus] {
        var statuses: [TranscriptionStatus] = []
        for job in try await library.transcriptions.jobs() {
            if let work = queue.jobs[job.id] {
                statuses.append(work.status)
            } else if let failed = unstored[job.id] {
                statuses.append(failed)
            } else if let item = try await library.audio.readableItem(job.item) {
                statuses.append(TranscriptionStatus(job, of: item))
            }
        }
        guard !unbegun.isEmpty else { return statuses }
        for (id, failed) in unbegun {
            if try await library.audio.readableItem(failed.job.item) == nil {
                unbegun[id] = nil
            } else {
                statuses.append(failed)
            }
        }
        return statuses.sorted { $0.job.created < $1.job.created }
    }

    /// - Throws: ``TranscriptError/jobNotFound``.
    package func status(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        if let work = queue.jobs[id] { return work.status }
        if let end = queue.end(of: id), end.version != nil { return end }
        guard let status = try await statuses().first(where: { $0.id == id }) else { throw TranscriptError.jobNotFound }
        return status
    }

    /// Waits until a transcription is done, has failed, or was cancelled.
    ///
    /// - Parameter id: A transcription that this queue has taken.
    /// - Returns: `nil` when the transcription is unknown.
    package func ending(of id: TranscriptionJob.ID) async -> TranscriptionStatus? {
        await withCheckedContinuation { queue.wait(for: id, $0) }
    }

    /// The segments of a transcription so far; none when it is done, as it is a transcript then.
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

    func enqueue(_ job: TranscriptionJob, _ item: AudioItem) async throws -> TranscriptionStatus {
        guard !queue.isClosed else {
            await library.transcriptions.release(job.id)
            throw VaultError.locked
        }
        let failed = unstored.removeValue(forKey: job.id)
        queue.take(Work(status: TranscriptionStatus(job, of: item)))
        if job.state == .queued { lineUp(job.id) }
        do {
            return try await requeue(job.id)
        } catch {
            // Nothing can be stored: it has failed, or still has, whatever its stored state is. In the line it would wait until
            // another one ends.
            let isCancelled = queue.jobs[job.id]?.isCancelled ?? true
            if !isCancelled, !queue.isAtWork(job.id), var status = queue.remove(job.id)?.status {
                status.job.state = .failed(Failure(error))
                status.queuePosition = nil
                unstored[job.id] = failed ?? status
                await library.transcriptions.release(job.id)
                queue.end(job.id, as: failed ?? status)
                await events.post(.transcription(failed ?? status))
            }
            throw error
        }
    }

    /// Puts a transcription of this queue back into the line.
    func requeue(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        guard let work = queue.jobs[id], !work.isCancelled else { throw TranscriptError.jobNotFound }
        queue.tasks[id] = nil
        let job = try await library.transcriptions.update(id) { $0.state = .queued }
        queue.jobs[id]?.status.job = job
        lineUp(id)
        beginNext()
        let moved = renewQueuePositions()
        guard let status = queue.jobs[id]?.status else { throw TranscriptError.jobNotFound }
        await events.post(.transcription(status))
        for other in moved where other != id { await publish(other) }
        return status
    }

    /// Recordings of which at most so much is left may go before longer ones that wait, in seconds.
    private static let shortLength = 120.0

    /// Lets a transcription wait for its recognizer, unless it is under way or was cancelled.
    func lineUp(_ id: TranscriptionJob.ID) {
        guard let work = queue.jobs[id], !work.isCancelled, !queue.isAtWork(id) else { return }
        let left = work.status.range.upperBound - work.status.position
        queue.lineUp(id, in: work.status.job.asked.rawValue, isShort: left <= Self.shortLength)
    }

    /// Renews the positions in the queue.
    ///
    /// - Returns: The transcriptions whose position has changed.
    private func renewQueuePositions() -> [TranscriptionJob.ID] {
        let moved = queue.positions.filter { queue.jobs[$0.id]?.status.queuePosition != $0.position }
        for (id, position) in moved { queue.jobs[id]?.status.queuePosition = position }
        return moved.map(\.id)
    }

    /// Begins the first transcription of each recognizer that is free.
    private func beginNext() {
        for id in queue.begin() {
            queue.jobs[id]?.status.queuePosition = nil
            queue.tasks[id] = Task { await self.run(id) }
        }
    }

    private func run(_ id: TranscriptionJob.ID) async {
        do {
            try await noteStart(of: id)
            noteProgress(of: id)
            let job = try await library.transcriptions.update(id) { $0.state = .running }
            queue.jobs[id]?.status.job = job
            await publish(id)
            let transcript = try await transcribe(job)
            let version = try await Task { try await self.library.transcriptions.finish(id, as: transcript) }.value
            await finish(id, version)
        } catch is CancellationError where queue.isClosed || queue.jobs[id]?.isCancelled == true {
            await forgetStarts(of: id)
            queue.free(id)
        } catch {
            await failed(id, error)
        }
        beginNext()
        for other in renewQueuePositions() { await publish(other) }
    }

    private func finish(_ id: TranscriptionJob.ID, _ version: TranscriptVersion) async {
        // Before it is removed: until its end is remembered, it has to be known as a job.
        await consent.end(id)
        queue.free(id)
        guard var status = queue.remove(id)?.status else { return }
        status.version = version.id
        status.position = status.range.upperBound
        queue.end(id, as: status)
        await events.post(.transcription(status))
        await events.post(.library(changed: [status.job.item]))
    }

    private func leave(_ id: TranscriptionJob.ID, as state: TranscriptionJob.State) async throws {
        let library = library
        let job: TranscriptionJob
        do {
            job = try await Task { try await library.transcriptions.update(id) { $0.state = state } }.value
        } catch {
            guard queue.jobs[id] != nil else { throw error }
            // Nothing works on it any more: in the queue it would seem to be under way, and never end.
            queue.tasks[id]?.cancel()
            queue.free(id)
            queue.jobs[id]?.status.job.state = .failed(Failure(error))
            unstored[id] = queue.jobs[id]?.status
            await settle(id)
            throw error
        }
        await library.transcriptions.release(id)
        queue.tasks[id]?.cancel()
        queue.free(id)
        guard var status = queue.remove(id)?.status else { return }
        (status.job, status.queuePosition) = (job, nil)
        // It continues after what is kept, which may be less than what was heard.
        status.position = max(job.progress, status.range.lowerBound)
        queue.end(id, as: status)
        await events.post(.transcription(status))
        for other in renewQueuePositions() { await publish(other) }
    }

    // MARK: - Events

    func publish(_ id: TranscriptionJob.ID) async {
        guard let status = queue.jobs[id]?.status else { return }
        await events.post(.transcription(status))
    }
}
