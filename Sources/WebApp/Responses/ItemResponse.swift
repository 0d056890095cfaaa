import API
import EchoText
import Foundation
import Hummingbird

/// A recording as the page shows it.
struct ItemResponse: ResponseEncodable {
    struct Place: Encodable {
        let seconds: Double
        let excerpt: String
        let from: Int
        let to: Int
    }

    let id: String
    let name: String
    let created: Date
    let duration: Double
    let size: Int
    let sampleRate: Int
    let language: String
    let words: Int
    let isFavorite: Bool
    let origin: String
    let isTranscribed: Bool
    /// Bytes of the file that it was imported from, if the library has that as it came.
    @Nullable var fileSize: Int?
    @Nullable var narration: NarrationOriginResponse?
    @Nullable var place: Place?

    init(_ item: AudioItem, place: AudioHit.Place? = nil) {
        id = item.id.rawValue
        name = item.name.text
        created = item.created
        (duration, size, sampleRate) = (item.duration, item.size, item.sampleRate)
        (language, words) = (item.language, item.words)
        isFavorite = item.isFavorite
        origin = item.origin.kind.rawValue
        isTranscribed = item.isTranscribed
        fileSize = item.source?.fileSize
        narration = item.narration.map(NarrationOriginResponse.init)
        self.place = place.map {
            Place(
                seconds: $0.seconds,
                excerpt: $0.excerpt.text,
                from: $0.excerpt.place.lowerBound,
                to: $0.excerpt.place.upperBound
            )
        }
    }
}

/// How a narration was spoken.
struct NarrationOriginResponse: Encodable {
    let voice: String
    let voiceName: String
    let speaker: Int
    let engine: String
    let speed: Double
    let pitch: Double
    @Nullable var document: DocumentLink?

    init(_ origin: NarrationOrigin) {
        (voice, voiceName, speaker) = (origin.voice.rawValue, origin.voiceName, origin.speaker)
        (engine, speed, pitch) = (origin.engine.rawValue, origin.speed, origin.pitch)
        document = origin.document
    }
}

struct PageResponse: ResponseEncodable {
    let items: [ItemResponse]
    let total: Int
    /// How many more items match but cannot be read.
    let unreadable: Int
}
