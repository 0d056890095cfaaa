/// How far a narration has kept the times of the captions that it speaks.
package struct CaptionDelays: Sendable, Hashable, Codable {
    /// A caption that begins this much later than its time is not late, in seconds: it cannot be heard.
    package static let tolerance = 0.05

    /// Captions that have been spoken.
    package private(set) var captions = 0
    /// How many of them begin later than their times.
    package private(set) var late = 0
    /// By how much the latest of them is late, in seconds.
    package private(set) var seconds = 0.0

    package init() {}

    /// Counts a passage, if a caption begins with it.
    package mutating func add(_ passage: Passage) {
        guard let delay = passage.delay else { return }
        let late = Double(delay) / Double(passage.clip.sampleRate)
        captions += 1
        guard late > Self.tolerance else { return }
        self.late += 1
        seconds = max(seconds, late)
    }

    /// What could not be kept, in words; `nil` when all times were kept.
    package var words: String? {
        guard late > 0 else { return nil }
        let latest = (seconds * 10).rounded() / 10
        return late == 1
            ? "1 of \(captions) captions begins \(latest) seconds later than its time"
            : "\(late) of \(captions) captions begin later than their times, by up to \(latest) seconds"
    }
}
