/// How a narration is paced and worked on.
package struct NarrationSettings: Sendable, Hashable {
    /// Silence after sentences and other units, in seconds at speed 1; faster speech has shorter pauses.
    package struct Pauses: Sendable, Hashable, Codable {
        package var sentence: Double
        package var paragraph: Double
        package var heading: Double

        /// - Precondition: none is negative.
        package init(sentence: Double = 0.3, paragraph: Double = 0.7, heading: Double = 1) {
            precondition(min(sentence, paragraph, heading) >= 0, "a pause lasts 0 seconds or more")
            self.sentence = sentence
            self.paragraph = paragraph
            self.heading = heading
        }

        private enum CodingKeys: String, CodingKey {
            case sentence, paragraph, heading
        }

        /// - Throws: `DecodingError` for pauses that nobody can have asked for, too.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let lengths = try [CodingKeys.sentence, .paragraph, .heading].map { key in
                let seconds = try container.decode(Double.self, forKey: key)
                guard (0...PauseTags.longestSeconds).contains(seconds) else {
                    let problem = "a pause lasts from 0 to \(PauseTags.longestSeconds) seconds"
                    throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: problem)
                }
                return seconds
            }
            self.init(sentence: lengths[0], paragraph: lengths[1], heading: lengths[2])
        }
    }

    package var pauses: Pauses
    /// How many phrases are spoken at once, at least 1.
    package var lanes: Int
    /// How many more phrases are queued at the engine, which picks one once a thread is free.
    ///
    /// It is above 0 only for an engine that itself limits its concurrency to ``lanes``.
    package var queued: Int
    /// The most speech that is made ahead of the consumer, in seconds.
    package var readAhead: Double

    /// - Precondition: `lanes` is at least 1, `queued` is not negative and `readAhead` is above 0.
    package init(pauses: Pauses = Pauses(), lanes: Int, queued: Int = 0, readAhead: Double = 30) {
        precondition(
            lanes >= 1 && queued >= 0 && readAhead > 0,
            "a narration needs a lane and some room ahead, got \(lanes) lanes, \(queued) queued and \(readAhead) s"
        )
        self.pauses = pauses
        self.lanes = lanes
        self.queued = queued
        self.readAhead = readAhead
    }
}
