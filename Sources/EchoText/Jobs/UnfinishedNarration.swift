package import Foundation

/// A narration that nobody speaks now though it is no recording yet, for a person.
package struct UnfinishedNarration: Sendable, Equatable {
    /// Why it is not spoken on.
    package enum Reason: String, Sendable, Equatable, Codable {
        /// The program ended.
        case interrupted
        /// The person stopped it, or locked the library.
        case stopped
        case failed
    }

    /// Its job; `nil` for an entry of the batch that failed before it was begun.
    package let id: AudioItem.ID?
    /// The entry of the batch that failed with it.
    package let entry: BatchEntry.ID?
    /// When it was begun.
    package let created: Date?
    package let order: NarrationOrder
    package let reason: Reason
    /// The error, for ``Reason/failed``.
    package let failure: Failure?
    /// UTF-16 units of the text, where that is known, and how many of them have been spoken.
    package let length: Int?
    package let position: Int
    /// The stored sound, in seconds.
    package let seconds: Double

    package init(_ job: NarrationJob, entry: BatchEntry.ID?) {
        (id, self.entry, created, order) = (job.id, entry, job.created, job.order)
        reason =
            switch job.state {
            case .open: .interrupted
            case .stopped: .stopped
            case .failed: .failed
            }
        (failure, length, position) = (job.failure, job.length, job.position)
        seconds = Double(job.samples) / Double(job.order.voice.sampleRate)
    }

    /// An entry of the batch that was never begun.
    init(_ entry: BatchEntry) {
        (id, self.entry, created, order) = (nil, entry.id, nil, entry.order)
        (reason, failure, length, position, seconds) = (.failed, entry.failure, nil, 0, 0)
    }
}

extension OpenLibrary {
    /// Lists all unfinished narrations: the begun ones, latest first, then entries that the batch could not begin.
    ///
    /// Unfinished entries of the batch are not among them, because the batch resumes them.
    ///
    /// - Throws: ``VaultError``.
    package func unfinished() async throws -> [UnfinishedNarration] {
        // A narration that begins or ends while the jobs are read is in one of the two lists.
        let before = await narrations.pending
        let jobs = try await library.jobs.jobs()
        let entries = try await library.batch.entries()
        let pending = before.union(await narrations.pending)
        let left = Set(entries.filter(\.isLeft).map(\.id))
        let failed = entries.filter { $0.state == .failed }
        let begun = jobs.reversed().filter { job in
            !pending.contains(job.id) && !(job.order.batch.map(left.contains) ?? false)
        }.map { job in UnfinishedNarration(job, entry: failed.first { $0.narration == job.id }?.id) }
        return begun + (try await library.unbegun(of: failed, beside: jobs).map(UnfinishedNarration.init))
    }

    /// Resumes an unfinished narration, and has the batch count it again if it failed there.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, ``LibraryError/tooManyJobs(limit:)``, ``VaultError``.
    package func resume(_ id: AudioItem.ID) async throws -> NarrationStatus {
        let status = try await narrations.resume(id)
        try await batch.resumed(id)
        return status
    }

    /// Stops a narration, or ends an unfinished one; its entry leaves the batch, unless it stays unfinished.
    ///
    /// - Throws: ``LibraryError/batchBusy``, and as ``NarrationQueue/stop(_:_:)``.
    package func stop(_ id: AudioItem.ID, _ ending: NarrationQueue.StopMode) async throws {
        guard ending != .leave else { return try await narrations.stop(id, .leave) }
        try await batch.forget(id) { [narrations] in try await narrations.stop(id, ending) }
    }
}

extension Library {
    /// Finds the failed entries of the batch that have neither an unfinished narration nor a recording.
    ///
    /// - Parameters:
    ///   - failed: The failed entries.
    ///   - jobs: All unfinished narrations.
    /// - Returns: The entries found, in order.
    /// - Throws: ``VaultError``.
    package func unbegun(of failed: [BatchEntry], beside jobs: [NarrationJob]) async throws -> [BatchEntry] {
        var unbegun: [BatchEntry] = []
        for entry in failed where !jobs.contains(where: { $0.id == entry.narration }) {
            if let id = entry.narration, try await audio.item(id) != nil { continue }
            unbegun.append(entry)
        }
        return unbegun
    }
}
