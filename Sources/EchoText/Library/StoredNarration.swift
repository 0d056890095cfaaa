package import Foundation

/// Speaks a narration into the library, so that an interruption leaves an unfinished job.
package struct StoredNarration: Sendable {
    private let library: Library
    private let narrator: Narrator
    /// How many phrases are spoken at once.
    private let lanes: Int
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - library: Stores the narration.
    ///   - narrator: Synthesizes the narration.
    ///   - lanes: How many phrases are spoken at once.
    ///   - clock: Measures how fast the voice speaks.
    ///   - now: Returns the time of day, for the last use of the voice and the history of texts.
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

    /// Callbacks for the events of a narration.
    package struct Listener: Sendable {
        /// Called with each passage, and the samples of its clip, before it is stored.
        var passage: @Sendable (Passage, _ sound: [Int16]) async throws -> Void
        /// Called with the number of stored samples, after a passage was taken.
        var kept: @Sendable (Int) async -> Void
        /// Called when the narration was left unfinished.
        var left: @Sendable (AudioItem.ID) -> Void

        package init(
            left: @escaping @Sendable (AudioItem.ID) -> Void = { _ in },
            kept: @escaping @Sendable (Int) async -> Void = { _ in },
            passage: @escaping @Sendable (Passage, _ sound: [Int16]) async throws -> Void = { _, _ in }
        ) {
            (self.passage, self.kept, self.left) = (passage, kept, left)
        }
    }

    /// Speaks `text` as `order` says, and stores it as a recording.
    ///
    /// - Parameters:
    ///   - text: The text; unless it is a document's, it becomes the first of the history.
    ///   - order: The voice, its settings, pauses and dictionary.
    ///   - keepsPart: Whether an interrupted narration becomes a recording of the spoken part, once a sentence is whole.
    ///   - listener: Callbacks for the events of the narration.
    /// - Returns: The recording.
    /// - Throws: ``UserFacingError``s; the narration is an unfinished job then, unless nothing could be spoken.
    package func make(
        _ text: String,
        as order: NarrationOrder,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        try PauseTags.check(text)
        return try await speaking(order) { narrator in
            let passages = try narrator.narration(of: StringSource(text), as: order, lanes: lanes).makeAsyncIterator()
            // The first passage is made before the job, so that a text that cannot be spoken leaves no job.
            guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
            let job = try await library.jobs.begin(order, text: text)
            if order.document == nil { try await library.remember(text, at: now()) }
            return try await keep(job, first, passages, keepsPart: keepsPart, listener: listener)
        }
    }

    /// Resumes a job that another process left.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - keepsPart: As in ``make(_:as:keepsPart:listener:)``.
    ///   - listener: Its passage callback gets the passages that were still missing.
    /// - Returns: The recording.
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, and what speaking throws.
    package func resume(_ id: AudioItem.ID, keepsPart: Bool, listener: Listener) async throws -> AudioItem {
        let (job, text) = try await library.jobs.resume(id)
        return try await resume(job, text, keepsPart: keepsPart, listener: listener)
    }

    /// Resumes a job that this process holds.
    ///
    /// - Parameters:
    ///   - job: The job, with its present progress.
    ///   - text: The whole text of the job.
    ///   - keepsPart: As in ``make(_:as:keepsPart:listener:)``.
    ///   - listener: Its passage callback gets the passages that were still missing.
    /// - Returns: The recording.
    /// - Throws: Errors of speaking and of the store.
    package func resume(_ job: NarrationJob, _ text: String, keepsPart: Bool, listener: Listener) async throws
        -> AudioItem
    {
        try await speaking(job.order) { narrator in
            let first: Passage?
            let passages: Narration.Iterator
            do {
                try await checkVoice(of: job, spokenBy: narrator)
                let beginning = Narration.Beginning(position: job.position, samples: job.samples)
                passages = try narrator.narration(of: StringSource(text), as: job.order, lanes: lanes, from: beginning)
                    .makeAsyncIterator()
                first = try await passages.next()
                if first == nil, job.samples == 0 { throw SynthesisError.nothingToSay }
            } catch {
                let failure = (error as? any UserFacingError)?.failure
                // The reason why it cannot be resumed matters to the person, not a second error from leaving it.
                try? await Task {
                    try await library.jobs.leave(job.id, as: failure == nil ? .stopped : .failed, failure: failure)
                }.value
                throw error
            }
            guard let passage = first else { return try await library.jobs.finish(job.id) }
            return try await keep(job, passage, passages, keepsPart: keepsPart, listener: listener)
        }
    }

    /// Runs `work` with a narrator for `order`, then records the use and the speed of the voice.
    ///
    /// Documents are spoken through the cache of speech, so that no passage is spoken twice.
    private func speaking<Output>(_ order: NarrationOrder, _ work: (Narrator) async throws -> Output) async throws
        -> Output
    {
        let synthesizer = CachingSynthesizer(
            narrator.synthesizer,
            cache: order.document == nil ? nil : library.speech,
            version: narrator.version,
            clock: clock
        )
        do {
            let output = try await work(narrator.speaking(by: synthesizer))
            await synthesizer.flush()
            await note(order, speed: synthesizer.speed)
            return output
        } catch {
            await synthesizer.flush()
            await library.voices.note(error, of: order.voice.id)
            throw error
        }
    }

    /// Refuses to add to stored sound what another voice of the same name would say.
    ///
    /// - Throws: ``SynthesisError/voiceChanged(_:)``.
    private func checkVoice(of job: NarrationJob, spokenBy narrator: Narrator) async throws {
        let voice = job.order.voice
        guard job.samples > 0, job.order.voiceFolder == nil,
            // Where the voices cannot be listed, speaking says why.
            let present = (try? await narrator.synthesizer.voices())?.first(where: { $0.id == voice.id })
        else { return }
        guard present.sampleRate == voice.sampleRate, present.speakers == voice.speakers else {
            throw SynthesisError.voiceChanged(voice.id)
        }
    }

    private func keep(
        _ job: NarrationJob,
        _ first: Passage,
        _ passages: Narration.Iterator,
        keepsPart: Bool,
        listener: Listener
    ) async throws -> AudioItem {
        var writer = NarrationWriter(job, in: library.jobs)
        do {
            var passage: Passage? = first
            while let current = passage {
                let sound = current.clip.pcm16
                try await listener.passage(current, sound)
                try await writer.append(current, sound: sound)
                await listener.kept(writer.storedSamples)
                passage = try await passages.next()
            }
            return try await writer.finish()
        } catch is CancellationError where keepsPart && writer.hasWholeSentence {
            return try await Self.shielded(writer) { try await $0.finish() }
        } catch {
            let failure = (error as? any UserFacingError)?.failure
            // Passages that were not stored are spoken again; the first error is the one to report.
            try? await Self.shielded(writer) {
                try await $0.leave(as: failure == nil ? .stopped : .failed, failure: failure)
            }
            listener.left(job.id)
            throw error
        }
    }

    /// Records when the voice was used, and how fast it speaks on this machine where that is known.
    private func note(_ order: NarrationOrder, speed: Double?) async {
        let time = now().timeIntervalSince1970
        // Errors here do not fail the narration.
        _ = try? await library.voices.update(order.voice.id) { record in
            record.lastUsed = time
            record.speed = speed ?? record.speed
            record.disabledBy = nil
        }
    }

    /// Runs final work for a narration whose task may have been cancelled; stores refuse to start in a cancelled task.
    private static func shielded<Output: Sendable>(
        _ writer: NarrationWriter,
        _ work: @escaping @Sendable (inout NarrationWriter) async throws -> Output
    ) async throws -> Output {
        try await Task {
            var writer = writer
            return try await work(&writer)
        }.value
    }
}

extension Library {
    /// Adds `text` to the history, unless the person disabled it.
    package func remember(_ text: String, at time: Date) async throws {
        guard try await settings.value(of: SettingsCatalogue.keepsHistory) else { return }
        try await history.add(text, at: time)
    }
}
