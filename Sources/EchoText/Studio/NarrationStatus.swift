package import Foundation

/// The progress of a narration, for a person.
package struct NarrationStatus: Sendable, Equatable, Identifiable {
    package enum State: String, Sendable, Equatable {
        /// Another is spoken first.
        case waiting
        case speaking
        /// It can be resumed, or its finished part stored.
        case stopped
        case failed
        /// It has become a recording.
        case finished
    }

    package let id: AudioItem.ID
    package let created: Date
    package let order: NarrationOrder
    package var state: State
    package var failure: Failure?
    /// UTF-16 units of the text in all, and how many of them have been spoken.
    package var length: Int
    package var position: Int
    /// Sentences that have been spoken.
    package var sentences: Int
    /// Samples that have been made.
    package var samples: Int
    /// The first words of phrases that could not be spoken since this process began or resumed the narration, at most
    /// ``maximumLeftOut``.
    package private(set) var leftOut: [String] = []
    /// How far the times of captions have been kept since this process began or resumed the narration; `nil` when they are
    /// not to be.
    package internal(set) var times: CaptionDelays?
    /// How long the rest will take to be made, in seconds; `nil` before that can be said.
    package var secondsLeft: Double?

    /// Seconds of sound that have been made.
    package var seconds: Double { Double(samples) / Double(order.voice.sampleRate) }

    /// How many omitted phrases are listed.
    package static let maximumLeftOut = 20

    /// Records a phrase that could not be spoken.
    mutating func leaveOut(_ passage: Passage) {
        guard leftOut.count < Self.maximumLeftOut else { return }
        leftOut.append(passage.excerpt)
    }

    /// About how many sentences there are in all; `nil` before that can be said.
    package var expectedSentences: Int? {
        guard position > 0, sentences > 0 else { return nil }
        if state == .finished { return sentences }
        return max(sentences, Int((Double(sentences) * Double(length) / Double(position)).rounded()))
    }

    init(_ job: NarrationJob, length: Int, state: State) {
        id = job.id
        created = job.created
        order = job.order
        self.state = state
        failure = job.failure
        self.length = length
        position = job.position
        sentences = job.sentence
        samples = job.samples
        times = job.order.cues.map { _ in CaptionDelays() }
    }

    /// The status of a job that nobody speaks.
    init(left job: NarrationJob) {
        self.init(job, length: job.length ?? job.position, state: job.state == .failed ? .failed : .stopped)
    }
}
