/// Writes a narration into the library while it is synthesized, some seconds of whole sentences at a time.
///
/// ``append(_:sound:)`` collects passages, and stores them at the end of a sentence once there is enough for a file of
/// its own. After a crash, only the passages since then have to be spoken again.
package struct NarrationWriter {
    /// The least and the most speech in one file, in seconds; a longer sentence makes a longer file.
    package static let segmentSeconds = 10.0...60.0
    /// The least time an engine works for one file, unless the file reaches its maximum: syncing a file takes some 40
    /// ms on an ordinary disk, which should be small compared with the synthesis.
    package static let segmentWork = Duration.seconds(2)

    private let id: AudioItem.ID
    private let jobs: any NarrationJobs
    private let sampleRate: Int
    private var timing = SentenceTiming()
    /// The sentences that have ended.
    private var segment: NarrationSegment
    /// The sound of the sentence that has not ended yet.
    private var begun = SampleRuns()
    /// Names of parts of that sentence that could not be spoken.
    private var begunLeftOut: [String] = []
    /// Those that were stored before, and those of sounds alone since.
    private var named: [String]
    private let now: @Sendable () -> ContinuousClock.Instant
    private var lastKept: ContinuousClock.Instant
    /// How many samples of the narration are stored.
    package private(set) var storedSamples: Int

    /// - Parameters:
    ///   - job: A job that was begun or resumed by this process.
    ///   - jobs: The store of the job.
    ///   - now: Measures how long the engine works.
    package init(
        _ job: NarrationJob,
        in jobs: any NarrationJobs,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.now, lastKept) = (now, now())
        id = job.id
        self.jobs = jobs
        sampleRate = job.order.voice.sampleRate
        storedSamples = job.samples
        named = job.leftOut
        segment = NarrationSegment(sound: .init(), sentences: [], position: job.position, nextSentence: job.sentence)
    }

    /// Adds the next passage of the narration.
    ///
    /// - Parameters:
    ///   - passage: The passage.
    ///   - sound: The samples of its clip, as ``AudioClip/pcm16`` gives them.
    /// - Throws: What ``NarrationJobs/keep(_:for:)`` throws.
    package mutating func append(_ passage: Passage, sound: [Int16]) async throws {
        begun.append(sound)
        begun.append(silence: passage.silence)
        if let part = passage.unspoken(beside: named) {
            begunLeftOut.append(part)
            if !passage.isLeftOut { named.append(part) }
        }
        let sentence = timing.add(passage)
        guard passage.endsSentence else { return }
        segment.sound.append(begun)
        begun = SampleRuns()
        segment.leftOut += begunLeftOut
        begunLeftOut = []
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

    /// Whether there is anything to make a recording of.
    package var hasWholeSentence: Bool { storedSamples > 0 || !segment.sound.isEmpty }

    /// Makes a recording of what was spoken.
    package mutating func finish() async throws -> AudioItem {
        // A stored segment has sound, and sentences at the end that could not be spoken have none.
        if segment.sound.isEmpty, !segment.leftOut.isEmpty, storedSamples > 0 { segment.sound.append(silence: 1) }
        try await flush()
        return try await jobs.finish(id)
    }

    /// Stores the sentences that have ended, and leaves the job unfinished.
    package mutating func leave(as state: NarrationJob.State, failure: Failure? = nil) async throws {
        try await flush()
        try await jobs.leave(id, as: state, failure: failure)
    }

    private mutating func flush() async throws {
        guard !segment.sound.isEmpty else { return }
        try await jobs.keep(segment, for: id)
        lastKept = now()
        storedSamples += segment.sound.count
        segment.sound = SampleRuns()
        segment.sentences = []
        segment.leftOut = []
    }
}
