/// The progress of a transcription, for a person.
package struct TranscriptionStatus: Sendable, Equatable, Identifiable {
    package var job: TranscriptionJob
    /// The recording's name and length in seconds.
    package let name: ItemName
    package let duration: Double
    /// How much of the recording was transcribed, in seconds.
    package var position: Double
    /// Its place among those that wait for the same recogniser, from 1; `nil` when it does not wait for its turn.
    package var place: Int?
    /// The audio it would send, while the person has to decide.
    package var sending: Sending?
    /// The finished transcript.
    package var version: Transcript.ID?
    /// Whether it was stopped and is no job any more.
    package var isGone = false

    package var id: TranscriptionJob.ID { job.id }

    /// The part of the recording to transcribe, in seconds.
    package var range: Range<Double> { job.order.range ?? 0..<max(duration, 0) }

    package init(_ job: TranscriptionJob, of item: AudioItem) {
        self.job = job
        name = item.name
        duration = item.duration
        position = max(job.progress, job.order.range?.lowerBound ?? 0)
    }
}
