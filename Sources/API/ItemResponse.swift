package import EchoText
package import Foundation

/// A recording.
package struct ItemResponse: Encodable, Sendable {
    /// Where a search found its words.
    package struct Place: Encodable, Sendable {
        package let seconds: Double
        package let excerpt: String
        /// Where the found words begin in the excerpt, in UTF-16 units.
        package let from: Int
        package let to: Int
    }

    package let id: AudioItem.ID
    package let name: String
    package let created: Date
    /// In seconds.
    package let duration: Double
    /// Bytes of sound.
    package let size: Int
    /// Hertz.
    package let sampleRate: Int
    /// A BCP 47 tag; und when it is not known.
    package let language: String
    package let words: Int
    package let isFavorite: Bool
    package let origin: AudioOrigin.Kind
    /// Whether it has a transcript; a narration's text needs none.
    package let isTranscribed: Bool
    /// Bytes of the file that it was imported from, if the library has that as it came.
    @Nullable package var fileSize: Int?
    /// How a voice spoke it; null for other origins.
    @Nullable package var narration: NarrationOriginResponse?
    /// Where its sound is from; left out of a narration.
    package let source: SoundOrigin?
    /// Where the search words are spoken.
    @Nullable package var place: Place?

    package init(_ item: AudioItem, place: AudioHit.Place? = nil) {
        (id, name, created) = (item.id, item.name.text, item.created)
        (duration, size, sampleRate) = (item.duration, item.size, item.sampleRate)
        (language, words) = (item.language, item.words)
        (isFavorite, isTranscribed) = (item.isFavorite, item.isTranscribed)
        (origin, source) = (item.origin.kind, item.source)
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
package struct NarrationOriginResponse: Encodable, Sendable {
    package let voice: Voice.ID
    package let voiceName: String
    package let speaker: Int
    package let engine: Voice.Engine
    package let speed: Double
    package let pitch: Double
    @Nullable package var document: DocumentLink?
    package let unspoken: [String]?

    package init(_ origin: NarrationOrigin) {
        (voice, voiceName, speaker) = (origin.voice, origin.voiceName, origin.speaker)
        (engine, speed, pitch) = (origin.engine, origin.speed, origin.pitch)
        document = origin.document
        unspoken = origin.leftOut.isEmpty ? nil : origin.leftOut
    }
}

/// Some of the recordings that match.
package struct PageResponse: Encodable, Sendable {
    package let items: [ItemResponse]
    package let total: Int
    /// How many more items match but cannot be read.
    package let unreadable: Int

    package init(items: [ItemResponse], total: Int, unreadable: Int) {
        (self.items, self.total, self.unreadable) = (items, total, unreadable)
    }
}

/// The text of a recording or a narration.
package struct ItemTextResponse: Encodable, Sendable {
    package let text: String
    package let paragraphs: [ParagraphResponse]

    /// - Throws: `CancellationError` when the calling task is cancelled.
    package init(_ text: String) async throws {
        self.text = text
        paragraphs = try await ParagraphResponse.all(in: text)
    }
}

/// A paragraph of a text, with its range in UTF-16 units; white space around it is not in it.
package struct ParagraphResponse: Encodable, Sendable {
    package let from: Int
    package let to: Int
    package let isHeading: Bool

    private init(_ range: ParagraphRange) {
        (from, to, isHeading) = (range.source.lowerBound, range.source.upperBound, range.isHeading)
    }

    /// The paragraphs of a text, in order.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func all(in text: String) async throws -> [ParagraphResponse] {
        try await ParagraphRange.all(in: text).map { ParagraphResponse($0) }
    }
}
