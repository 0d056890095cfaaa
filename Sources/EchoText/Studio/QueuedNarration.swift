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
    /// - Returns: The sentence that it completes, and whether progress is to be published.
    mutating func add(
        _ passage: Passage,
        at now: ContinuousClock.Instant
    ) -> (sentence: TimedSentence?, isDue: Bool) {
        sound.append(passage.clip.pcm16, silence: passage.silence)
        if passage.isLeftOut { status.leaveOut(passage) }
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
    func keptSamples(of id: AudioItem.ID, from position: Int) async throws -> [Int16]? {
        do {
            let kept = try await samples(ofJob: id, from: position, limit: .max)
            return kept.isEmpty ? nil : kept
        } catch LibraryError.jobNotFound, VaultError.contentMissing {
            return nil
        }
    }
}
