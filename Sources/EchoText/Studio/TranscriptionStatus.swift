/// The progress of a transcription, for a person.
package struct TranscriptionStatus: Sendable, Equatable, Identifiable {
    package var job: TranscriptionJob
    /// The recording's name and length in seconds.
    package let name: ItemName
    package let duration: Double
    /// Up to where the recording has been heard, in seconds.
    package var position: Double
    /// What it waits to send, while a person has to decide on it.
    package var sending: Sending?
    /// What it has become, if it is done.
    package var version: Transcript.ID?
    /// Whether it was stopped and is no job any more.
    package var isGone = false

    package var id: TranscriptionJob.ID { job.id }

    /// The part of the recording that is heard, in seconds.
    package var range: Range<Double> { job.order.range ?? 0..<max(duration, 0) }

    init(_ job: TranscriptionJob, of item: AudioItem) {
        self.job = job
        name = item.name
        duration = item.duration
        position = max(job.progress, job.order.range?.lowerBound ?? 0)
    }
}
