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
    let voice: String
    let voiceName: String
    let speaker: Int
    let engine: String
    let language: String
    let speed: Double
    let pitch: Double
    let words: Int
    let isFavorite: Bool
    @Nullable var document: DocumentLink?
    @Nullable var place: Place?

    init(_ item: AudioItem, place: AudioHit.Place? = nil) {
        id = item.id.rawValue
        name = item.name.text
        created = item.created
        (duration, size, sampleRate) = (item.duration, item.size, item.sampleRate)
        (voice, voiceName, speaker) = (item.voice.rawValue, item.voiceName, item.speaker)
        (engine, language) = (item.engine.rawValue, item.language)
        (speed, pitch, words) = (item.speed, item.pitch, item.words)
        isFavorite = item.isFavorite
        document = item.document
        self.place = place.map {
            Place(
                seconds: $0.seconds,
                excerpt: $0.excerpt,
                from: $0.source.lowerBound,
                to: $0.source.upperBound
            )
        }
    }
}

struct PageResponse: ResponseEncodable {
    let items: [ItemResponse]
    let total: Int
}
