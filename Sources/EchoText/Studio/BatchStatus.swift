/// How far a batch has come, as a person is told.
package struct BatchStatus: Sendable, Hashable, Codable {
    /// In the order they are spoken.
    package var entries: [BatchEntry]
    /// Whether it is worked on.
    package var isRunning: Bool
    /// Why it is not worked on although something is left, if that is known.
    package var failure: NarrationJob.Failure?

    package init(entries: [BatchEntry] = [], isRunning: Bool = false, failure: NarrationJob.Failure? = nil) {
        self.entries = entries
        self.isRunning = isRunning
        self.failure = failure
    }

    package var total: Int { entries.count }
    package var done: Int { entries.count { $0.state == .done } }
    package var failed: [BatchEntry] { entries.filter { $0.state == .failed } }

    /// Which one is spoken, or would be next, from 1; as many as there are when none is left.
    package var current: Int { (entries.firstIndex(where: \.isLeft) ?? entries.count - 1) + 1 }

    package var isFinished: Bool { !entries.contains(where: \.isLeft) }
}
