internal import EchoText

/// How a voice has behaved: what its workers died of is remembered, until it answers well or its files change.
struct WorkerRecord: Sendable, Equatable {
    private(set) var deaths = 0
    private var answersSince = 0
    /// When the next worker may be started, on the clock of the record's owner.
    private(set) var notBefore: Duration = .zero
    /// What the files looked like.
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

    /// Forgets what was of other files than these.
    ///
    /// - Returns: Whether these are others.
    mutating func look(at files: VoiceStamp) -> Bool {
        guard files != self.files else { return false }
        self = WorkerRecord(files)
        return true
    }

    func isSetAside(_ timing: WorkerTiming) -> Bool { deaths >= timing.mostDeaths }
}
