package import Foundation

/// A narration that goes into the library while it is spoken.
package struct KeptNarration: Sendable {
    private let library: Library
    private let narrator: Narrator
    /// How many phrases are spoken at once.
    private let lanes: Int
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - library: Where it is kept.
    ///   - narrator: Who speaks.
    ///   - lanes: How many phrases are spoken at once.
    ///   - clock: Measures how fast the voice speaks.
    ///   - now: Tells when the voice was used, and the text was spoken.
    package init(
        in library: Library,
        by narrator: Narrator,
        lanes: Int,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.library = library
        self.narrator = narrator
        self.lanes = lanes
        self.clock = clock
        self.now = now
    }

    /// Who is told what becomes of it.
    package struct Listener: Sendable {
        /// Takes each passage when it has been made, before it is kept.
        var passage: @Sendable (Passage) async throws -> Void
        /// Told how many samples are kept, after a passage was taken.
        var kept: @Sendable (Int) async -> Void
        /// Told that the narration was left unfinished.
        var left: @Sendable (AudioItem.ID) -> Void

        package init(
            left: @escaping @Sendable (AudioItem.ID) -> Void = { _ in },
            kept: @escaping @Sendable (Int) async -> Void = { _ in },
            passage: @escaping @Sendable (Passage) async throws -> Void = { _ in }
        ) {
            (self.passage, self.kept, self.left) = (passage, kept, left)
        }
    }

    /// Speaks `text` as `order` says, and keeps it.
    ///
    /// - Parameters:
    ///   - text: What is spoken; unless a document has it, it goes to the front of the history.
    ///   - order: By whom and how.
    ///   - keepsPart: Whether an interrupted narration becomes a recording of what was spoken.
    ///   - listener: Told what becomes of it.
    /// - Returns: The recording.
    /// - Throws: ``UserFacingError``s; the narration is an unfinished job then, unless nothing of it could be spoken.
    package func make(
        _ text: String,
        as order: NarrationOrder,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        try PauseTags.check(text)
        return try await speaking(order) { narrator in
            let passages = try narrator.narration(of: StringSource(text), as: order, lanes: lanes).makeAsyncIterator()
            // The first passage before the job: what cannot be spoken leaves nothing behind.
            guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
            let job = try await library.jobs.begin(order, text: text)
            if order.document == nil { try await library.remember(text, at: now()) }
            return try await keep(job, first, passages, keepsPart: keepsPart, listener: listener)
        }
    }

    /// Goes on with a job that another process left.
    ///
    /// - Parameters:
    ///   - id: The job's.
    ///   - keepsPart: As in ``make(_:as:keepsPart:listener:)``.
    ///   - listener: Told of each passage that was still missing.
    /// - Returns: The recording.
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, and what speaking throws.
    package func goOn(with id: AudioItem.ID, keepsPart: Bool, listener: Listener) async throws -> AudioItem {
        let (job, text) = try await library.jobs.resume(id)
        return try await goOn(with: job, text, keepsPart: keepsPart, listener: listener)
    }

    /// Goes on with a job that this process has taken into work.
    ///
    /// - Parameters:
    ///   - job: As far as it has come.
    ///   - text: All of its text.
    ///   - keepsPart: As in ``make(_:as:keepsPart:listener:)``.
    ///   - listener: Told of each passage that was still missing.
    /// - Returns: The recording.
    /// - Throws: What speaking and keeping throw.
    package func goOn(with job: NarrationJob, _ text: String, keepsPart: Bool, listener: Listener) async throws
        -> AudioItem
    {
        try await speaking(job.order) { narrator in
            try await goOn(with: job, text, by: narrator, keepsPart: keepsPart, listener: listener)
        }
    }

    /// Lends who speaks as `order` says, and takes down what was learned of the voice.
    private func speaking<Output>(_ order: NarrationOrder, _ work: (Narrator) async throws -> Output) async throws
        -> Output
    {
        let paced = PacedSynthesizer(narrator.synthesizer, clock: clock)
        do {
            let output = try await remembering(order, paced, work)
            await note(order, speed: paced.speed)
            return output
        } catch {
            await library.voices.note(error, of: order.voice.id)
            throw error
        }
    }

    /// What a document has is not spoken twice.
    private func remembering<Output>(
        _ order: NarrationOrder,
        _ synthesizer: any SpeechSynthesizer,
        _ work: (Narrator) async throws -> Output
    ) async throws -> Output {
        guard order.document != nil else { return try await work(narrator.speaking(by: synthesizer)) }
        let memory = RememberingSynthesizer(synthesizer, cache: library.speech, version: narrator.version)
        do {
            let output = try await work(narrator.speaking(by: memory))
            await memory.flush()
            return output
        } catch {
            await memory.flush()
            throw error
        }
    }

    private func goOn(
        with job: NarrationJob,
        _ text: String,
        by narrator: Narrator,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        let first: Passage?
        let passages: Narration.Iterator
        do {
            let beginning = Narration.Beginning(position: job.position, samples: job.samples)
            passages = try narrator.narration(of: StringSource(text), as: job.order, lanes: lanes, from: beginning)
                .makeAsyncIterator()
            first = try await passages.next()
            if first == nil, job.samples == 0 { throw SynthesisError.nothingToSay }
        } catch {
            let failure = (error as? any UserFacingError)?.failure
            // The reason it is not gone on with is what the person has to hear, not what the leaving says.
            try? await Task {
                try await library.jobs.leave(job.id, as: failure == nil ? .stopped : .failed, failure: failure)
            }.value
            throw error
        }
        guard let first else { return try await library.jobs.finish(job.id) }
        return try await keep(job, first, passages, keepsPart: keepsPart, listener: listener)
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
                try await listener.passage(current)
                try await keeper.append(current)
                await listener.kept(keeper.keptSamples)
                passage = try await passages.next()
            }
            return try await keeper.finish()
        } catch is CancellationError where keepsPart {
            return try await Self.shielded(keeper) { try await $0.finish() }
        } catch {
            let failure = (error as? any UserFacingError)?.failure
            // What could not be kept is spoken again; the first failure is the one to tell of.
            try? await Self.shielded(keeper) {
                try await $0.leave(as: failure == nil ? .stopped : .failed, failure: failure)
            }
            listener.left(job.id)
            throw error
        }
    }

    /// Remembers when the voice was used, and how fast it speaks on this machine where that can be told.
    private func note(_ order: NarrationOrder, speed: Double?) async {
        let time = now().timeIntervalSince1970
        // A recording is not given up for what is remembered beside it.
        _ = try? await library.voices.update(order.voice.id) { record in
            record.lastUsed = time
            record.speed = speed ?? record.speed
            record.setAside = nil
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

extension Library {
    /// Puts `text` into the history, where the person wants one.
    package func remember(_ text: String, at time: Date) async throws {
        guard try await settings.value(of: SettingsCatalogue.keepsHistory) else { return }
        try await history.add(text, at: time)
    }
}
