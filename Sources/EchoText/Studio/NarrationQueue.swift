import OrderedCollections

/// Makes narrations in sequence and stores them in the library; several listeners can follow the current one.
///
/// Each narration is a job of the library as soon as ``take(_:text:)`` has returned, so none is lost when the program
/// ends.
///
/// ```swift
/// let status = try await queue.take(order, text: text)
/// for try await samples in queue.sound(of: status.id, from: 0) { play(samples) }
/// ```
package actor NarrationQueue {
    /// What happens to a narration that is stopped.
    package enum StopMode: Sendable {
        /// The finished part becomes a recording.
        case keepPart
        case discard
        /// The job stays unfinished and can be resumed.
        case leave
    }

    /// The most narrations that are being spoken or waiting.
    package static let maximumPending = 100

    nonisolated let library: Library
    private let narrator: Narrator
    private let events: StudioEvents
    private let lanes: @Sendable () async -> Int
    var queue = JobQueue<QueuedNarration, NarrationStatus>(limit: NarrationQueue.maximumPending)

    /// - Parameters:
    ///   - library: Stores the narrations.
    ///   - narrator: Synthesizes them.
    ///   - events: Receives progress and ends.
    ///   - lanes: Returns how many phrases are synthesized at once.
    package init(
        in library: Library,
        by narrator: Narrator,
        events: StudioEvents,
        lanes: @escaping @Sendable () async -> Int
    ) {
        self.library = library
        self.narrator = narrator
        self.events = events
        self.lanes = lanes
    }

    /// Whether something is being spoken.
    package var isBusy: Bool { !queue.atWork.isEmpty }

    // MARK: - Orders

    /// Adds a narration to the queue; it starts at once unless another is in progress.
    ///
    /// - Throws: ``SynthesisError/nothingToSay`` for blank text, ``SynthesisError/tooMuchSilence``,
    ///   ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func take(_ order: NarrationOrder, text: String) async throws -> NarrationStatus {
        guard !text.allSatisfy(\.isWhitespace) else { throw SynthesisError.nothingToSay }
        try PauseTags.check(text)
        try queue.checkRoom()
        // The caller's task may be cancelled meanwhile; a job that was begun must still be queued or discarded.
        return try await Task { try await self.begin(order, text) }.value
    }

    private func begin(_ order: NarrationOrder, _ text: String) async throws -> NarrationStatus {
        let job = try await library.jobs.begin(order, text: text)
        if order.document == nil {
            do {
                try await library.remember(text, at: job.created)
            } catch {
                // The reason for the refusal matters to the person, not a second error from the clean-up.
                try? await library.jobs.discard(job.id)
                throw error
            }
            await events.post(.history)
        }
        return try await enqueue(job, text)
    }

    /// Resumes an unfinished narration.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, ``LibraryError/tooManyJobs(limit:)``.
    package func resume(_ id: AudioItem.ID) async throws -> NarrationStatus {
        if let work = queue.jobs[id] { return work.status }
        try queue.checkRoom()
        let (job, text) = try await library.jobs.resume(id)
        return try await enqueue(job, text)
    }

    /// - Throws: ``VaultError/locked`` when the queue was closed meanwhile; the job stays unfinished.
    private func enqueue(_ job: NarrationJob, _ text: String) async throws -> NarrationStatus {
        guard !queue.isClosed else {
            // A job that cannot be released here is released when the process ends.
            try? await library.jobs.leave(job.id, as: .stopped, failure: nil)
            throw VaultError.locked
        }
        let status = NarrationStatus(job, length: text.utf16.count, state: isBusy ? .waiting : .speaking)
        queue.take(QueuedNarration(status, job, text))
        queue.lineUp(job.id)
        speakNext()
        await publish(job.id)
        return status
    }

    /// Stops a narration, or ends an unfinished job.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, also when a job to discard became a recording meanwhile;
    ///   ``LibraryError/jobBusy``, ``LibraryError/recordingTooLong``, ``VaultError``. The job stays unfinished then.
    package func stop(_ id: AudioItem.ID, _ ending: StopMode) async throws {
        if queue.isAtWork(id), let task = queue.tasks[id] {
            queue.jobs[id]?.ending = ending
            task.cancel()
            await task.value
            guard ending != .leave, let outcome = queue.end(of: id) else { return }
            if ending == .discard, outcome.state == .finished { throw LibraryError.jobNotFound }
            if outcome.state == .failed, let failure = outcome.failure { throw failure }
            return
        }
        if var work = queue.remove(id) {
            work.sound.finish()
            do {
                try await library.jobs.leave(id, as: .stopped, failure: nil)
                try await end(work.status, ending)
            } catch {
                // Callers of ``ending(of:)`` must not wait forever.
                work.status.state = .stopped
                queue.end(id, as: work.status)
                throw error
            }
            return
        }
        guard let job = try await library.jobs.jobs().first(where: { $0.id == id }) else {
            throw LibraryError.jobNotFound
        }
        try await end(NarrationStatus(left: job), ending)
    }

    /// Stops all narrations; their jobs stay unfinished and can be resumed.
    package func close() async {
        queue.close()
        for id in queue.jobs.keys where !queue.isAtWork(id) {
            // A job that cannot be released here is released when the process ends.
            try? await library.jobs.leave(id, as: .stopped, failure: nil)
            guard var work = queue.remove(id) else { continue }
            work.sound.finish()
            work.status.state = .stopped
            queue.end(id, as: work.status)
        }
        for id in queue.atWork {
            queue.jobs[id]?.ending = .leave
            queue.tasks[id]?.cancel()
            await queue.tasks[id]?.value
        }
    }

    /// Waits until a narration has become a recording, failed, or was stopped.
    ///
    /// - Parameter id: A narration that this queue has taken.
    /// - Returns: `nil` when the narration is unknown, or when more than ``maximumPending`` others have ended since.
    package func ending(of id: AudioItem.ID) async -> NarrationStatus? {
        await withCheckedContinuation { queue.wait(for: id, $0) }
    }

    private func announceEnd(_ status: NarrationStatus) async {
        queue.end(status.id, as: status)
        await events.post(.narration(status))
    }

    // MARK: - Status

    /// The narrations that are being spoken or waiting.
    var pending: Set<AudioItem.ID> { Set(queue.jobs.keys) }

    /// The narrations that are being spoken, waiting or unfinished, oldest first.
    package func narrations() async throws -> [NarrationStatus] {
        try await library.jobs.jobs().map { job in
            if let work = queue.jobs[job.id] { return work.status }
            return NarrationStatus(left: job)
        }
    }

    /// - Throws: ``LibraryError/jobNotFound``.
    package func narration(_ id: AudioItem.ID) async throws -> NarrationStatus {
        if let work = queue.jobs[id] { return work.status }
        guard let job = try await library.jobs.jobs().first(where: { $0.id == id }) else {
            throw LibraryError.jobNotFound
        }
        return NarrationStatus(left: job)
    }

    // MARK: - Speaking

    private func speakNext() {
        for id in queue.begin() { queue.tasks[id] = Task { await self.speak(id) } }
    }

    private func speak(_ id: AudioItem.ID) async {
        defer {
            queue.free(id)
            speakNext()
        }
        guard let work = queue.jobs[id] else { return }
        queue.jobs[id]?.began = .now
        if work.status.state != .speaking {
            queue.jobs[id]?.status.state = .speaking
            await publish(id)
        }
        let narration = StoredNarration(in: library, by: narrator, lanes: await lanes())
        let listener = StoredNarration.Listener(
            kept: { await self.didKeep($0, of: id) },
            passage: { await self.add($0, to: id) }
        )
        do {
            _ = try await narration.resume(work.job, work.text, keepsPart: false, listener: listener)
            await finish(id)
        } catch is CancellationError {
            await stopped(id)
        } catch {
            await fail(id, error)
        }
    }

    private func add(_ passage: Passage, to id: AudioItem.ID) async {
        guard let rate = queue.jobs[id]?.job.order.voice.sampleRate,
            let (sentence, isDue) = queue.jobs[id]?.add(passage, at: .now)
        else { return }
        if let sentence { await events.post(.sentence(sentence, of: id, sampleRate: rate)) }
        if isDue { await publish(id) }
    }

    private func didKeep(_ samples: Int, of id: AudioItem.ID) {
        queue.jobs[id]?.sound.keepFrom(samples)
    }

    private func publish(_ id: AudioItem.ID) async {
        guard let status = queue.jobs[id]?.status else { return }
        await events.post(.narration(status))
    }

    // MARK: - Ending

    private func finish(_ id: AudioItem.ID) async {
        guard var work = queue.remove(id) else { return }
        work.sound.finish()
        work.status.state = .finished
        work.status.position = work.status.length
        work.status.secondsLeft = 0
        await announceEnd(work.status)
        await events.post(.library(added: [id]))
    }

    private func stopped(_ id: AudioItem.ID) async {
        guard var work = queue.remove(id) else { return }
        work.sound.finish()
        do {
            try await end(work.status, work.ending ?? .leave)
        } catch {
            await publishFailure(work.status, error)
        }
    }

    private func fail(_ id: AudioItem.ID, _ error: any Error) async {
        guard var work = queue.remove(id) else { return }
        work.sound.finish()
        await publishFailure(work.status, error)
    }

    private func publishFailure(_ status: NarrationStatus, _ error: any Error) async {
        var status = status
        status.state = .failed
        status.secondsLeft = nil
        status.failure = Failure(error)
        await announceEnd(status)
    }

    /// Ends a job that is not being spoken.
    private func end(_ status: NarrationStatus, _ ending: StopMode) async throws {
        var status = status
        status.state = .stopped
        status.secondsLeft = nil
        let (id, jobs) = (status.id, library.jobs)
        // A separate task, because stores refuse to start in a cancelled task.
        let isKept = try await Task {
            guard ending != .leave else { return false }
            let job = try await jobs.resume(id).job
            guard ending == .keepPart, job.samples > 0 else {
                try await jobs.discard(id)
                return false
            }
            _ = try await jobs.finish(id)
            return true
        }.value
        if isKept { status.state = .finished }
        await announceEnd(status)
        if isKept { await events.post(.library(added: [id])) }
    }
}
