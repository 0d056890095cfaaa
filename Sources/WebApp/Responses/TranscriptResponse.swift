import API
import EchoText
import Foundation
import Hummingbird

struct TranscriptVersionsResponse: ResponseEncodable {
    let versions: [TranscriptVersionResponse]

    init(_ versions: [TranscriptVersion]) { self.versions = versions.map(TranscriptVersionResponse.init) }
}

/// A version with all that was said.
struct TranscriptResponse: ResponseEncodable {
    let id: String
    let item: String
    let number: Int
    let created: Date
    @Nullable var recognizer: String?
    @Nullable var recognizerName: String?
    @Nullable var base: String?
    let language: String
    @Nullable var speakers: Int?
    /// The changes that a person made to the base.
    @Nullable var changes: TranscriptChanges?
    /// Whether it was heard while the recording was made.
    let isDraft: Bool
    /// The recogniser in whose place another one made it.
    @Nullable var insteadOf: FailedRecognizer?
    let isCurrent: Bool
    /// Words with less confidence are uncertain.
    let uncertainBelow: Double
    let segments: [TranscriptSegmentResponse]

    init(_ transcript: Transcript, _ version: TranscriptVersion) {
        id = transcript.id.rawValue
        item = transcript.item.rawValue
        number = version.number
        created = transcript.created
        recognizer = transcript.source.recognizer?.rawValue
        recognizerName = transcript.source.recognizerName
        base = transcript.source.base?.rawValue
        language = transcript.language
        speakers = transcript.source.speakers
        changes = transcript.source.changes
        isDraft = transcript.source.isDraft ?? false
        insteadOf = transcript.source.insteadOf
        isCurrent = version.isCurrent
        uncertainBelow = TranscriptSegment.uncertainBelow
        segments = transcript.segments.map(TranscriptSegmentResponse.init)
    }
}

/// A range of a recording with its text.
struct TranscriptSegmentResponse: Encodable {
    let kind: String
    /// In seconds.
    let start: Double
    let end: Double
    let text: String
    let words: [WordResponse]
    let timing: String
    @Nullable var speaker: String?
    @Nullable var remark: String?

    init(_ segment: TranscriptSegment) {
        kind = segment.kind.rawValue
        start = segment.time.lowerBound
        end = segment.time.upperBound
        text = segment.text
        words = segment.timedWords.map(WordResponse.init)
        timing = segment.timing.rawValue
        speaker = segment.speaker
        remark = segment.remark?.rawValue
    }
}

/// Recordings with matches in their transcripts.
struct TranscriptHitsResponse: ResponseEncodable {
    struct Hit: Encodable {
        let item: ItemResponse
        let transcript: String
        let places: [Place]
    }

    struct Place: Encodable {
        let seconds: Double
        /// The text of the segment.
        let text: String
        let from: Int
        let to: Int

        init(_ place: TranscriptPlace, in transcript: Transcript) {
            seconds = place.time.lowerBound
            text = transcript.segments[place.segment].text
            (from, to) = (place.source.lowerBound, place.source.upperBound)
        }
    }

    let hits: [Hit]
    let total: Int
}
