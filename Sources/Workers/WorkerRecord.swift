internal import EchoText

/// The deaths of a voice's workers; reset after enough answers or when the voice's files change.
struct WorkerRecord: Sendable, Equatable {
    private(set) var deaths = 0
    private var answersSince = 0
    /// The earliest start of the next worker, on the clock of the record's owner.
    private(set) var notBefore: Duration = .zero
    /// The stamp of the voice's files.
    private var files: VoiceStamp

    init(_ files: VoiceStamp) {
        self.files = files
    }

    mutating func died(at now: Duration, _ timing: WorkerTiming) {
        deaths += 1
        answersSince = 0
        let doublings = min(deaths - 1, 20)
        notBefore = now + min(timing.firstBackOff * (1 << doublings), timing.longestBackOff)
    }

    mutating func answered(_ timing: WorkerTiming) {
        guard deaths > 0 else { return }
        answersSince += 1
        if answersSince >= timing.answersToForgive { self = WorkerRecord(files) }
    }

    /// Resets the record if the files have changed.
    ///
    /// - Returns: Whether they have changed.
    mutating func update(files: VoiceStamp) -> Bool {
        guard files != self.files else { return false }
        self = WorkerRecord(files)
        return true
    }

    func isSetAside(_ timing: WorkerTiming) -> Bool { deaths >= timing.maximumDeaths }
}
