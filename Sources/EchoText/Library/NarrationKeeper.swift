/// Keeps a narration in the library as it is spoken: whole sentences, some seconds of them at a time.
///
/// What ``append(_:)`` has been given is kept at the end of a sentence, once that is worth a file of its own; only what was spoken
/// since has to be spoken again after a crash.
package struct NarrationKeeper {
    /// How much speech is kept at a time at least and at most, in seconds, but for sentences that are longer.
    package static let segmentSeconds = 10.0...60.0
    /// How long an engine works for what is kept at a time, unless it reaches the most: making a file last through a power cut
    /// takes some 40 ms on an ordinary disk, which is to be little beside the speaking.
    package static let segmentWork = Duration.seconds(2)

    private let id: AudioItem.ID
    private let jobs: any NarrationJobs
    private let sampleRate: Int
    private var timing = SentenceTiming()
    /// Of sentences that have ended.
    private var segment: NarrationSegment
    /// Of the sentence that has not.
    private var begun = SampleRuns()
    private let now: @Sendable () -> ContinuousClock.Instant
    private var lastKept: ContinuousClock.Instant
    /// How much of the narration is kept.
    package private(set) var keptSamples: Int

    /// - Parameters:
    ///   - job: A job that was begun or resumed by this process.
    ///   - jobs: Where it is kept.
    ///   - now: The time, by which it is told how long the engine works.
    package init(
        _ job: NarrationJob,
        in jobs: any NarrationJobs,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.now, lastKept) = (now, now())
        id = job.id
        self.jobs = jobs
        sampleRate = job.order.voice.sampleRate
        keptSamples = job.samples
        segment = NarrationSegment(sound: .init(), sentences: [], position: job.position, nextSentence: job.sentence)
    }

    /// Takes the next passage of the narration.
    ///
    /// - Throws: What ``NarrationJobs/keep(_:for:)`` throws.
    package mutating func append(_ passage: Passage) async throws {
        begun.append(passage.clip.pcm16)
        begun.append(silence: passage.silence)
        let sentence = timing.add(passage)
        guard passage.endsSentence else { return }
        segment.sound.append(begun)
        begun = SampleRuns()
        if let sentence { segment.sentences.append(sentence) }
        segment.position = passage.source.upperBound
        segment.nextSentence = passage.sentence + 1
        if isWorthAFile { try await flush() }
    }

    private var isWorthAFile: Bool {
        let seconds = Double(segment.sound.count) / Double(sampleRate)
        if seconds >= Self.segmentSeconds.upperBound { return true }
        return seconds >= Self.segmentSeconds.lowerBound && now() - lastKept >= Self.segmentWork
    }

    /// Makes what was spoken a recording.
    package mutating func finish() async throws -> AudioItem {
        try await flush()
        return try await jobs.finish(id)
    }

    /// Keeps the sentences that have ended, for another time.
    package mutating func leave(as state: NarrationJob.State, failure: Failure? = nil) async throws {
        try await flush()
        try await jobs.leave(id, as: state, failure: failure)
    }

    private mutating func flush() async throws {
        guard !segment.sound.isEmpty else { return }
        try await jobs.keep(segment, for: id)
        lastKept = now()
        keptSamples += segment.sound.count
        segment.sound = SampleRuns()
        segment.sentences = []
    }
}
