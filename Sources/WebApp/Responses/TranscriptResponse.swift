import API
import EchoText
import Hummingbird

struct TranscriptVersionsResponse: ResponseEncodable {
    let versions: [TranscriptVersionResponse]

    init(_ versions: [TranscriptVersion]) { self.versions = versions.map(TranscriptVersionResponse.init) }
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

        init(_ place: TranscriptMatch, in transcript: Transcript) {
            seconds = place.time.lowerBound
            text = transcript.segments[place.segment].text
            (from, to) = (place.source.lowerBound, place.source.upperBound)
        }
    }

    let hits: [Hit]
    let total: Int
}
