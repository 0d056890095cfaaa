import OrderedCollections

/// What listeners receive of a narration in progress: its sound, and the times of its sentences.
extension NarrationQueue {
    /// The times of the sentences that have been spoken so far.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/itemNotFound``.
    package func timings(of id: AudioItem.ID) async throws -> [TimedSentence] {
        guard let work = queue.jobs[id] else { return try await library.jobs.timings(ofJob: id) }
        guard work.job.samples > 0 else { return work.sentences }
        let kept = try await library.jobs.timings(ofJob: id).filter { $0.samples.upperBound <= work.job.samples }
        // The narration may have ended meanwhile.
        return kept + (queue.jobs[id] ?? work).sentences
    }

    /// Returns the sound of a narration, or of the recording that it became.
    ///
    /// - Parameters:
    ///   - id: The narration or the recording.
    ///   - start: The first sample to deliver.
    /// - Returns: A lazy sequence of samples.
    package nonisolated func sound(of id: AudioItem.ID, from start: Int) -> NarrationSound {
        NarrationSound(of: id, from: start, at: self, in: library)
    }

    /// The sound of a narration that is being spoken or waiting.
    enum Live: Sendable {
        /// At least one sample.
        case samples([Int16])
        case over
        /// It is a recording, an unfinished job, or unknown.
        case notSpoken
    }

    /// The next samples from `position` on; waits until there is at least one.
    ///
    /// - Throws: ``VaultError``, `CancellationError`.
    func live(_ id: AudioItem.ID, from position: Int) async throws -> Live {
        while let sound = queue.jobs[id]?.sound {
            try Task.checkCancellation()
            if position >= sound.start {
                if position < sound.end { return .samples(sound.samples(from: position)) }
                if sound.isOver { return .over }
            } else if let kept = try await library.jobs.keptSamples(of: id, from: position) {
                return .samples(kept)
            }
            await moreSound(of: id)
        }
        return .notSpoken
    }

    private func moreSound(of id: AudioItem.ID) async {
        guard let ticket = queue.jobs[id]?.sound.ticket() else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard queue.jobs[id] != nil, !Task.isCancelled else { return continuation.resume() }
                queue.jobs[id]?.sound.wait(ticket, continuation)
            }
        } onCancel: {
            Task { await self.wake(ticket, of: id) }
        }
    }

    private func wake(_ ticket: Int, of id: AudioItem.ID) {
        queue.jobs[id]?.sound.wake(ticket)
    }
}
