package import Foundation
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
    /// The fate of a narration that is stopped.
    package enum StopMode: Sendable {
        /// The finished part becomes a recording; without a whole sentence, the job stays unfinished.
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

    /// Returns a voice as it is installed now, or as it is given where that is not known.
    package func installed(_ voice: Voice) async -> Voice {
        // Where the voices cannot be listed, speaking says why.
        let voices = (try? await narrator.synthesizer.voices()) ?? []
        return voices.first { $0.id == voice.id } ?? voice
    }

    /// Resumes an unfinished narration.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, ``LibraryError/tooManyJobs(limit:)``.
    package func resume(_ id: AudioItem.ID) async throws -> NarrationStatus {
        // A narration that is being stopped, or has just ended, continues once its earlier task cannot end it any more.
        while !queue.isWaiting(id), queue.isAtWork(id), queue.jobs[id] == nil || queue.jobs[id]?.ending != nil,
            let task = queue.tasks[id]
        {
            await task.value
        }
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
    ///   ``LibraryError/nothingToKeep``, ``LibraryError/jobBusy``, ``LibraryError/recordingTooLong``, ``VaultError``.
    ///   The job stays unfinished then.
    package func stop(_ id: AudioItem.ID, _ ending: StopMode) async throws {
        // A resumed narration may wait while the task in which it ended before is still at work.
        if !queue.isWaiting(id), queue.isAtWork(id), let task = queue.tasks[id] {
            queue.jobs[id]?.ending = ending
            task.cancel()
            await task.value
            guard ending != .leave, let outcome = queue.end(of: id) else { return }
            if ending == .discard, outcome.state == .finished { throw LibraryError.jobNotFound }
            if outcome.state == .failed, let failure = outcome.failure { throw failure }
            guard outcome.state == .stopped else { return }
            // Others may have stopped it otherwise meanwhile, so that the store says what has become of it.
            guard let left = try await library.jobs.jobs().first(where: { $0.id == id }) else {
                if ending == .discard { return }
                throw LibraryError.jobNotFound
            }
            guard ending == .discard || left.samples > 0 else { throw LibraryError.nothingToKeep }
            return try await end(NarrationStatus(left: left), ending)
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
        for id in queue.jobs.keys where queue.isWaiting(id) {
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
            passage: { passage, sound in await self.add(passage, sound, to: id) }
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

    private func add(_ passage: Passage, _ sound: [Int16], to id: AudioItem.ID) async {
        guard let rate = queue.jobs[id]?.job.order.voice.sampleRate,
            let (sentence, isDue) = queue.jobs[id]?.add(passage, sound, at: .now)
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
        } catch LibraryError.nothingToKeep {
            // Whoever stopped it learns that from the state in which it has ended.
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
    ///
    /// - Throws: ``LibraryError/nothingToKeep`` after the job was left unfinished because no sentence of it is whole.
    private func end(_ status: NarrationStatus, _ ending: StopMode) async throws {
        var status = status
        let failure = status.failure
        status.state = .stopped
        status.secondsLeft = nil
        let (id, jobs) = (status.id, library.jobs)
        // A separate task, because stores refuse to start in a cancelled task.
        let isKept = try await Task {
            guard ending != .leave else { return false }
            do {
                let job = try await jobs.resume(id).job
                guard ending == .keepPart else {
                    try await jobs.discard(id)
                    return false
                }
                guard job.samples > 0 else {
                    try await jobs.leave(id, as: failure == nil ? .stopped : .failed, failure: failure)
                    return false
                }
            } catch LibraryError.jobDamaged where ending == .discard {
                // Nobody can work on it.
                try await jobs.discard(id)
                return false
            }
            _ = try await jobs.finish(id)
            return true
        }.value
        let keepsNothing = ending == .keepPart && !isKept
        if keepsNothing {
            status.samples = 0
            status.state = failure == nil ? .stopped : .failed
        }
        if isKept { status.state = .finished }
        await announceEnd(status)
        if isKept { await events.post(.library(added: [id])) }
        if keepsNothing { throw LibraryError.nothingToKeep }
    }
}

/// The sound and the times of a narration in progress, for its listeners.
extension NarrationQueue {
    /// The times of the sentences that have been spoken so far.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/itemNotFound``.
    package func timings(of id: AudioItem.ID) async throws -> [TimedSentence] {
        guard let work = queue.jobs[id] else { return try await library.jobs.timings(ofJob: id).sentences }
        guard work.job.samples > 0 else { return work.sentences }
        let kept = try await library.jobs.timings(ofJob: id).sentences
            .filter { $0.samples.upperBound <= work.job.samples }
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
            } else if let kept = try await library.jobs.storedSamples(of: id, from: position) {
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

/// A narration that a ``NarrationQueue`` speaks, or will speak.
struct QueuedNarration: Identifiable {
    /// The least time between two progress events.
    private static let interval = Duration.milliseconds(250)

    var status: NarrationStatus
    let job: NarrationJob
    let text: String
    var sound: LiveSound
    /// The sentences since this process began or resumed the job.
    private(set) var sentences: [TimedSentence] = []
    var ending: NarrationQueue.StopMode?
    /// When it was begun to be spoken.
    var began: ContinuousClock.Instant?
    private var timing = SentenceTiming()
    /// When progress was last published.
    private var publishedAt: ContinuousClock.Instant?

    var id: AudioItem.ID { status.id }

    init(_ status: NarrationStatus, _ job: NarrationJob, _ text: String) {
        (self.status, self.job, self.text) = (status, job, text)
        sound = LiveSound(from: job.samples)
    }

    /// Adds the next passage.
    ///
    /// - Parameters:
    ///   - passage: The passage.
    ///   - speech: The samples of its clip.
    ///   - now: When it was spoken.
    /// - Returns: The sentence that it completes, and whether progress is to be published.
    mutating func add(
        _ passage: Passage,
        _ speech: [Int16],
        at now: ContinuousClock.Instant
    ) -> (sentence: TimedSentence?, isDue: Bool) {
        sound.append(speech, silence: passage.silence)
        status.leaveOut(passage)
        status.times?.add(passage)
        status.samples = passage.end
        status.position = passage.source.upperBound
        let sentence = timing.add(passage)
        if let sentence {
            sentences.append(sentence)
            status.sentences = passage.sentence + 1
        }
        if let began, status.position > job.position {
            let taken = (now - began) / .seconds(1)
            let done = Double(status.position - job.position)
            status.secondsLeft = taken / done * Double(status.length - status.position)
        }
        let isDue = publishedAt.map { now - $0 >= Self.interval } ?? true
        if isDue { publishedAt = now }
        return (sentence, isDue)
    }
}

extension NarrationJobs {
    /// The stored samples of a job; `nil` when the job is just becoming a recording, which an event reports next.
    func storedSamples(of id: AudioItem.ID, from position: Int) async throws -> [Int16]? {
        do {
            let kept = try await samples(ofJob: id, from: position, limit: .max)
            return kept.isEmpty ? nil : kept
        } catch LibraryError.jobNotFound, VaultError.contentMissing {
            return nil
        }
    }
}

/// The progress of a narration, for a person.
package struct NarrationStatus: Sendable, Equatable, Identifiable {
    package enum State: String, Sendable, Equatable {
        /// Another is spoken first.
        case waiting
        case speaking
        /// It can be resumed, or its finished part stored.
        case stopped
        case failed
        /// It has become a recording.
        case finished
    }

    package let id: AudioItem.ID
    package let created: Date
    package let order: NarrationOrder
    package var state: State
    package var failure: Failure?
    /// UTF-16 units of the text in all, and how many of them have been spoken.
    package var length: Int
    package var position: Int
    /// Sentences that have been spoken.
    package var sentences: Int
    /// Samples that have been made.
    package var samples: Int
    /// The first words of phrases that could not be spoken, at most ``NarrationJob/maximumLeftOut``.
    package private(set) var leftOut: [String]
    /// How far the times of captions have been kept since this process began or resumed the narration; `nil` when they are
    /// not to be.
    package internal(set) var times: CaptionDelays?
    /// How long the rest will take to be made, in seconds; `nil` before that can be said.
    package var secondsLeft: Double?

    /// Seconds of sound that have been made.
    package var seconds: Double { Double(samples) / Double(order.voice.sampleRate) }

    /// Records what of a passage could not be spoken.
    mutating func leaveOut(_ passage: Passage) {
        guard leftOut.count < NarrationJob.maximumLeftOut, let part = passage.unspoken(beside: leftOut) else { return }
        leftOut.append(part)
    }

    /// About how many sentences there are in all; `nil` before that can be said.
    package var expectedSentences: Int? {
        guard position > 0, sentences > 0 else { return nil }
        if state == .finished { return sentences }
        // A sentence has at least one unit, whatever a damaged library says.
        let expected = min(Double(sentences) * Double(length) / Double(position), Double(length))
        return max(sentences, Int(expected.rounded()))
    }

    init(_ job: NarrationJob, length: Int, state: State) {
        id = job.id
        created = job.created
        order = job.order
        self.state = state
        failure = job.failure
        self.length = length
        position = job.position
        sentences = job.sentence
        samples = job.samples
        leftOut = job.leftOut
        times = job.order.cues.map { _ in CaptionDelays() }
    }

    /// The status of a job that nobody speaks.
    init(left job: NarrationJob) {
        self.init(job, length: job.length ?? job.position, state: job.state == .failed ? .failed : .stopped)
    }
}
