/// How a session went.
package struct PracticeSummary: Sendable, Hashable, Codable {
    /// A segment with the score of its last take.
    package struct Segment: Sendable, Hashable, Codable {
        package let number: Int
        package let score: Double

        package init(number: Int, score: Double) {
            (self.number, self.score) = (number, score)
        }
    }

    /// The number of segments that were played or repeated to their end.
    package var segments: Int
    package var takes: Int
    /// The mean of the scores there are; `nil` when there is none.
    package var score: Double?
    /// The mean of the takes' words per minute; `nil` when none is known.
    package var pace: Double?
    /// The segment with the best last take; `nil` when there is no score.
    package var best: Segment?
    package var worst: Segment?
    /// Time that was spent hearing and repeating, in seconds.
    package var seconds: Double

    package init(
        segments: Int,
        takes: Int,
        score: Double?,
        pace: Double?,
        best: Segment?,
        worst: Segment?,
        seconds: Double
    ) {
        self.segments = segments
        self.takes = takes
        self.score = score
        self.pace = pace
        self.best = best
        self.worst = worst
        self.seconds = seconds
    }
}
