/// Keeps a narration in the library as it is spoken: whole sentences, some seconds of them at a time.
///
/// What ``append(_:)`` has been given is kept after at most ``segmentSeconds`` more of speech and the end of a sentence; only that
/// much has to be spoken again after a crash.
package struct NarrationKeeper {
    /// How much speech is kept at a time, in seconds: little to lose, and few enough files.
    package static let segmentSeconds = 10.0

    private let id: AudioItem.ID
    private let jobs: any NarrationJobs
    private let sampleRate: Int
    private var timing = SentenceTiming()
    /// Of sentences that have ended.
    private var segment: NarrationSegment
    /// Of the sentence that has not.
    private var begun: [Int16] = []
    /// How much of the narration is kept.
    package private(set) var keptSamples: Int

    /// - Parameters:
    ///   - job: A job that was begun or resumed by this process.
    ///   - jobs: Where it is kept.
    package init(_ job: NarrationJob, in jobs: any NarrationJobs) {
        id = job.id
        self.jobs = jobs
        sampleRate = job.order.voice.sampleRate
        keptSamples = job.samples
        segment = NarrationSegment(samples: [], sentences: [], position: job.position, nextSentence: job.sentence)
    }

    /// Takes the next passage of the narration.
    ///
    /// - Throws: What ``NarrationJobs/keep(_:for:)`` throws.
    package mutating func append(_ passage: Passage) async throws {
        begun += passage.clip.pcm16
        let sentence = timing.add(passage)
        guard passage.endsSentence else { return }
        segment.samples += begun
        begun = []
        if let sentence { segment.sentences.append(sentence) }
        segment.position = passage.source.upperBound
        segment.nextSentence = passage.sentence + 1
        if Double(segment.samples.count) >= Self.segmentSeconds * Double(sampleRate) { try await flush() }
    }

    /// Makes what was spoken a recording.
    package mutating func finish() async throws -> AudioItem {
        try await flush()
        return try await jobs.finish(id)
    }

    /// Keeps the sentences that have ended, for another time.
    package mutating func leave(as state: NarrationJob.State, failure: String? = nil) async throws {
        try await flush()
        try await jobs.leave(id, as: state, failure: failure)
    }

    private mutating func flush() async throws {
        guard !segment.samples.isEmpty else { return }
        try await jobs.keep(segment, for: id)
        keptSamples += segment.samples.count
        segment.samples = []
        segment.sentences = []
    }
}
