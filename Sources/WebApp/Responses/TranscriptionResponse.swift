import API
import EchoText
import Foundation
import Hummingbird

/// A transcription that is under way, waits, has failed or was cancelled.
struct TranscriptionResponse: ResponseEncodable {
    let id: String
    let item: String
    let name: String
    let created: Date
    let state: String
    /// The recogniser that is asked, and all in the order in which they are.
    let recognizer: String
    let recognizers: [String]
    @Nullable var language: String?
    /// The part of the recording to transcribe, and the progress in it, in seconds.
    let from: Double
    let to: Double
    let position: Double
    /// Its place among those that wait for the same recogniser, from 1.
    @Nullable var place: Int?
    let tries: Int
    @Nullable var retryAt: Date?
    @Nullable var failure: FailureResponse?
    /// What is to be sent to a service.
    @Nullable var sending: SendingResponse?
    /// The transcript that it has become.
    @Nullable var transcript: String?

    init(_ status: TranscriptionStatus) {
        let job = status.job
        id = job.id.rawValue
        item = job.item.rawValue
        name = status.name.text
        created = job.created
        state = status.stateName
        recognizer = job.asked.rawValue
        recognizers = job.order.recognizers.map(\.rawValue)
        language = job.order.settings.language
        from = status.range.lowerBound
        to = status.range.upperBound
        position = status.position
        place = status.place
        tries = job.failures
        retryAt = if case .retrying(let time) = job.state { time } else { nil }
        failure = job.failure.map(FailureResponse.init)
        sending = status.sending.map(SendingResponse.init)
        transcript = status.version?.rawValue
    }
}

extension TranscriptionStatus {
    /// As programs match it.
    package var stateName: String {
        if version != nil { return "done" }
        if isGone { return "gone" }
        return switch job.state {
        case .queued: "queued"
        case .running: "running"
        case .waitingForNetwork: "waiting-for-network"
        case .waitingForConsent: "waiting-for-consent"
        case .retrying: "retrying"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

/// A range of a recording with its text.
struct TranscriptSegmentResponse: Encodable {
    struct Word: Encodable {
        /// In seconds.
        let start: Double
        let end: Double
        /// Its range in the segment's text, in UTF-16 units.
        let from: Int
        let to: Int
        /// Whether its time is a guess.
        let estimated: Bool
        @Nullable var confidence: Double?
    }

    let kind: String
    /// In seconds.
    let start: Double
    let end: Double
    let text: String
    let words: [Word]
    let timing: String
    @Nullable var speaker: String?
    @Nullable var remark: String?

    init(_ segment: TranscriptSegment) {
        kind = segment.kind.rawValue
        start = segment.time.lowerBound
        end = segment.time.upperBound
        text = segment.text
        words = segment.timedWords.map { word in
            Word(
                start: word.start,
                end: word.end,
                from: word.source.lowerBound,
                to: word.source.upperBound,
                estimated: word.isEstimated,
                confidence: word.confidence
            )
        }
        timing = segment.timing.rawValue
        speaker = segment.speaker
        remark = segment.remark?.rawValue
    }
}
