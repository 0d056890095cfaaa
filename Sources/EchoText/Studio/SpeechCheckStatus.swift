/// The state of a speech check, for a person.
package struct SpeechCheckStatus: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// Another narration is being checked.
        case queued
        case running
        case done
        case failed(Failure)
    }

    package let item: AudioItem.ID
    package let recognizer: Recognizer
    package var state = State.queued
    /// The number of checked sentences.
    package var heard = 0
    /// Sentences of the narration.
    package let total: Int
    /// The findings so far, in the order of the text.
    package var findings: [SpeechFinding] = []
    /// The sentences that were spoken again since, by their numbers.
    package var spokenAnew: Set<Int> = []

    init(of item: AudioItem.ID, by recognizer: Recognizer, sentences: Int) {
        self.item = item
        self.recognizer = recognizer
        total = sentences
    }

    package var isUnderWay: Bool { state == .queued || state == .running }

    /// From 0 to 1.
    package var progress: Double {
        if state == .done { return 1 }
        return total == 0 ? 0 : Double(heard) / Double(total)
    }
}
