package import EchoText
package import Foundation

/// A transcription that is under way, waits, has failed or was cancelled.
package struct TranscriptionResponse: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case queued
        case running
        case waitingForNetwork = "waiting-for-network"
        case waitingForConsent = "waiting-for-consent"
        case retrying
        case failed
        case cancelled
        case done
        /// It was stopped and is no job any more.
        case gone

        fileprivate init(_ status: TranscriptionStatus) {
            if status.version != nil {
                self = .done
            } else if status.isGone {
                self = .gone
            } else {
                self =
                    switch status.job.state {
                    case .queued: .queued
                    case .running: .running
                    case .waitingForNetwork: .waitingForNetwork
                    case .waitingForConsent: .waitingForConsent
                    case .retrying: .retrying
                    case .failed: .failed
                    case .cancelled: .cancelled
                    }
            }
        }
    }

    package let id: TranscriptionJob.ID
    /// The recording's id.
    package let item: AudioItem.ID
    /// The recording's.
    package let name: String
    package let created: Date
    package let state: State
    /// The recognizer that is asked.
    package let recognizer: Recognizer.ID
    /// All that are asked, in this order.
    package let recognizers: [Recognizer.ID]
    @Nullable package var language: String?
    /// Where the part of the recording begins that is to be transcribed, in seconds.
    package let from: Double
    package let to: Double
    /// Up to where it has been heard, in seconds.
    package let position: Double
    /// Its place among those that wait for the same recognizer, from 1.
    @Nullable package var place: Int?
    package let tries: Int
    @Nullable package var retryAt: Date?
    @Nullable package var failure: FailureResponse?
    /// The sound that it waits to send to a service.
    @Nullable package var sending: SendingResponse?
    /// The transcript that it has become.
    @Nullable package var transcript: Transcript.ID?

    package init(_ status: TranscriptionStatus) {
        let job = status.job
        (id, item, created) = (job.id, job.item, job.created)
        name = status.name.text
        state = State(status)
        (recognizer, recognizers) = (job.asked, job.order.recognizers)
        language = job.order.settings.language
        from = status.range.lowerBound
        to = status.range.upperBound
        position = status.position
        place = status.queuePosition
        tries = job.failures
        retryAt = if case .retrying(let time) = job.state { time } else { nil }
        let last: Failure? = if case .failed(let failure) = job.state { failure } else { job.failure }
        failure = last.map(FailureResponse.init)
        sending = status.sending.map(SendingResponse.init)
        transcript = status.version
    }
}
