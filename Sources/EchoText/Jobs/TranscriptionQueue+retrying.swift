import Foundation
import OrderedCollections

extension TranscriptionQueue {
    /// Tries a transcription again that has failed, waits or was cancelled, however often it has ended the program.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    package func retry(_ id: TranscriptionJob.ID) async throws -> TranscriptionStatus {
        // A job that is being cancelled can be tried again only once that is stored.
        if queue.jobs[id]?.isCancelled == true { _ = await ending(of: id) }
        // It is removed at once, so that two requests begin it once.
        if let failed = unbegun.removeValue(forKey: id) {
            return try await Task { try await self.begin(failed) }.value
        }
        if let work = queue.jobs[id] {
            guard !queue.isAtWork(id) else { return work.status }
            queue.tasks[id]?.cancel()
            return try await requeue(id)
        }
        return try await takeUp(id, isWanted: true)
    }

    // `isWanted` where a person has asked for it: its starts begin again.
    func takeUp(_ id: TranscriptionJob.ID, isWanted: Bool = false) async throws -> TranscriptionStatus {
        let job = try await library.transcriptions.resume(id)
        guard let item = try await library.audio.item(job.item) else {
            await library.transcriptions.release(id)
            throw LibraryError.itemNotFound
        }
        if isWanted {
            // The caller's task may be cancelled meanwhile; a job that was begun must still be queued.
            if job.order.isUnlisted { return try await Task { try await self.beginListed(job, of: item) }.value }
            await forgetStarts(of: id)
        }
        return try await enqueue(job, item)
    }

    /// Begins a transcription of which nothing could be stored; until that succeeds, it stays among those that have failed.
    private func begin(_ failed: TranscriptionStatus) async throws -> TranscriptionStatus {
        let begun: (job: TranscriptionJob, item: AudioItem)
        do {
            begun = try await begin(listed(failed.job.order), for: failed.job.item)
        } catch {
            unbegun[failed.id] = failed
            throw error
        }
        // It is another job from now on.
        await postGone(failed)
        return try await enqueue(begun.job, begun.item)
    }

    /// Begins a job again, which is held, with the recognizers that could not be listed before; it stays if that fails.
    private func beginListed(_ job: TranscriptionJob, of item: AudioItem) async throws -> TranscriptionStatus {
        let begun: (job: TranscriptionJob, item: AudioItem)
        do {
            begun = try await begin(listed(job.order), for: item.id)
        } catch {
            await library.transcriptions.release(job.id)
            throw error
        }
        do {
            try await library.transcriptions.discard(job.id)
            unstored[job.id] = nil
            await postGone(TranscriptionStatus(job, of: item))
        } catch {
            // It stays among those that have failed, and can be discarded.
            await library.transcriptions.release(job.id)
        }
        return try await enqueue(begun.job, begun.item)
    }

    /// Returns an order with the recognizers that the settings choose where none could be listed when it was given.
    private func listed(_ order: TranscriptionOrder) async throws -> TranscriptionOrder {
        guard order.isUnlisted else { return order }
        let language = order.settings.language ?? "und"
        let all = try await tools.recognizer.recognizers()
        // Settings that cannot be read permit no sending, nor does a person who wants nothing transcribed afterwards.
        let preferred = try? await library.settings.recognizerOrder()
        let isWanted = (try? await library.settings.value(of: SettingsCatalogue.transcribesAfter)) ?? false
        let mayBeSent = isWanted && preferred != nil
        let asked = preferred?.asked(of: all, for: language) ?? all
        let chosen = asked.filter { (mayBeSent || $0.engine != .remote) && $0.knows(language) }
        var listed = order
        listed.recognizers = chosen.map(\.id)
        listed.settings.language = nil
        listed.settings.settleLanguage(spoken: language, among: chosen)
        return listed
    }

    // MARK: - Failures

    /// How often the program may end while it hears a recording and gets no further, before the transcription is given up.
    private static let mostEnds = 2

    /// Counts a start durably, because what ends the program would otherwise end each later one too.
    ///
    /// - Throws: ``TranscriptError/endedProgram`` when it has been enough.
    func noteStart(of id: TranscriptionJob.ID) async throws {
        let starts = try await library.transcriptions.noteStart(of: id)
        guard starts <= Self.mostEnds else { throw TranscriptError.endedProgram }
    }

    func forgetStarts(of id: TranscriptionJob.ID) async {
        // In a task of its own: stores refuse to begin anything in a cancelled task. Where it fails, a start too many is counted.
        _ = await Task { [library] in try await library.transcriptions.forgetStarts(of: id) }.result
    }

    func failed(_ id: TranscriptionJob.ID, _ error: any Error) async {
        queue.free(id)
        guard !queue.isClosed, let work = queue.jobs[id], !work.isCancelled else { return await forgetStarts(of: id) }
        let before = work.status.job
        let next = retryPolicy.job(after: error, of: before, network: network, at: now(), chance: chance())
        do {
            if next.recognizer != before.recognizer { try await library.transcriptions.restart(id) }
            let job = try await library.transcriptions.update(id) { job in
                (job.state, job.failure, job.failures) = (next.state, next.failure, next.failures)
                (job.recognizer, job.progress) = (next.recognizer, max(job.progress, next.progress))
                if next.recognizer != before.recognizer { job.progress = 0 }
            }
            queue.jobs[id]?.status.job = job
            if before.recognizer == 0 { queue.jobs[id]?.replaced = job.replaced }
        } catch {
            if await isDeleted(before.item) { return await endGone(id) }
            // The library cannot be written to: it cannot continue.
            queue.jobs[id]?.status.job.state = .failed(Failure(error))
            unstored[id] = queue.jobs[id]?.status
        }
        await settle(id)
    }

    private func isDeleted(_ item: AudioItem.ID) async -> Bool {
        do {
            return try await library.audio.item(item) == nil
        } catch {
            return false
        }
    }

    /// Handles the state of a transcription that is not running.
    func settle(_ id: TranscriptionJob.ID) async {
        guard let status = queue.jobs[id]?.status else { return }
        switch status.job.state {
        case .failed:
            await library.transcriptions.release(id)
            queue.remove(id)
            queue.end(id, as: status)
        case .queued: lineUp(id)
        case .waitingForNetwork where network == .reachable:
            // It came back while the state was being stored.
            queue.tasks[id] = Task { await self.retry(id, at: self.now()) }
        case .retrying(let time):
            queue.tasks[id] = Task { await self.retry(id, at: time) }
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
}
