import EchoText
import Foundation

/// A narration that goes into the library while it is spoken.
struct KeptNarration: Sendable {
    let library: Library
    let studio: Studio
    /// How many phrases are spoken at once.
    let lanes: Int

    /// Whom a passage is shown to when it has been made, before it is kept.
    typealias Listener = @Sendable (Passage) async throws -> Void

    /// Speaks `text` as `order` says, and keeps it.
    ///
    /// - Parameters:
    ///   - text: What is spoken; it goes to the front of the history.
    ///   - order: By whom and how.
    ///   - keepsPart: Whether an interrupted narration becomes a recording of what was spoken.
    ///   - listener: Takes each passage.
    /// - Returns: The recording.
    /// - Throws: ``UserFacingError``s; the narration is an unfinished job then, unless nothing of it could be spoken.
    func make(
        _ text: String,
        as order: NarrationOrder,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        let passages = try studio.narration(of: StringSource(text), as: order, lanes: lanes).makeAsyncIterator()
        // The first passage before the job: what cannot be spoken leaves nothing behind.
        guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
        let job = try await library.jobs.begin(order, text: text)
        if try await library.settings.value(of: SettingsCatalogue.keepsHistory) {
            try await library.history.add(text, at: Date())
        }
        return try await keep(job, first, passages, keepsPart: keepsPart, listener: listener)
    }

    /// Goes on with a job where it stopped.
    ///
    /// - Parameters:
    ///   - id: The job's.
    ///   - keepsPart: As in ``make(_:as:keepsPart:listener:)``.
    ///   - listener: Takes each passage that was still missing.
    /// - Returns: The recording.
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, and what speaking throws.
    func goOn(with id: AudioItem.ID, keepsPart: Bool, listener: Listener) async throws -> AudioItem {
        let (job, text) = try await library.jobs.resume(id)
        do {
            let beginning = Narration.Beginning(sentence: job.sentence, samples: job.samples)
            let passages = try studio.narration(of: StringSource(text), as: job.order, lanes: lanes, from: beginning)
                .makeAsyncIterator()
            guard let first = try await passages.next() else { return try await library.jobs.finish(id) }
            return try await keep(job, first, passages, keepsPart: keepsPart, listener: listener)
        } catch {
            // The reason it is not gone on with is what the person has to hear, not what the leaving says.
            try? await Task { try await library.jobs.leave(id, as: .stopped, failure: nil) }.value
            throw error
        }
    }

    private func keep(
        _ job: NarrationJob,
        _ first: Passage,
        _ passages: Narration.Iterator,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        var keeper = NarrationKeeper(job, in: library.jobs)
        do {
            var passage: Passage? = first
            while let current = passage {
                try await listener(current)
                try await keeper.append(current)
                passage = try await passages.next()
            }
            return try await keeper.finish()
        } catch is CancellationError where keepsPart {
            return try await Self.shielded(keeper) { try await $0.finish() }
        } catch {
            let failure = error as? any UserFacingError
            // What could not be kept is spoken again; the first failure is the one to tell of.
            try? await Self.shielded(keeper) {
                try await $0.leave(as: failure == nil ? .stopped : .failed, failure: failure?.code)
            }
            EchoTextCommand.say(
                "what was spoken so far is kept: go on with “echotext library continue \(job.id.rawValue.prefix(8))”"
            )
            throw error
        }
    }

    /// Does the last thing for a narration whose task may have been cancelled: stores refuse to begin anything in one.
    private static func shielded<Output: Sendable>(
        _ keeper: NarrationKeeper,
        _ work: @escaping @Sendable (inout NarrationKeeper) async throws -> Output
    ) async throws -> Output {
        try await Task {
            var keeper = keeper
            return try await work(&keeper)
        }.value
    }
}
