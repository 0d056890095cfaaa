package import Foundation

/// A recording of the library, with the way it was made.
///
/// Its sound, text and timing table are read apart, because lists need none of them.
package struct AudioItem: Sendable, Hashable, Codable, Identifiable {
    /// Never used twice, also not after the item is deleted.
    package struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A new one.
        package init() {
            rawValue = UUID().uuidString.lowercased()
        }

        package init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        package var description: String { rawValue }
    }

    package let id: ID
    package var name: ItemName
    package let created: Date
    /// In seconds.
    package let duration: Double
    /// Bytes of sound.
    package let size: Int
    /// In hertz.
    package let sampleRate: Int
    package let voice: Voice.ID
    package let voiceName: String
    package let speaker: Int
    package let engine: Voice.Engine
    /// BCP 47.
    package let language: String
    /// Times the voice's own pace.
    package let speed: Double
    /// Times the voice's own pitch.
    package let pitch: Double
    /// Words of the text.
    package let words: Int
    package var isFavorite: Bool
    /// The document that it was made from, if any.
    package var document: DocumentLink?

    package init(
        id: ID = ID(),
        name: ItemName,
        created: Date,
        duration: Double,
        size: Int,
        sampleRate: Int,
        voice: Voice.ID,
        voiceName: String,
        speaker: Int,
        engine: Voice.Engine,
        language: String,
        speed: Double,
        pitch: Double,
        words: Int,
        isFavorite: Bool = false,
        document: DocumentLink? = nil
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.duration = duration
        self.size = size
        self.sampleRate = sampleRate
        self.voice = voice
        self.voiceName = voiceName
        self.speaker = speaker
        self.engine = engine
        self.language = language
        self.speed = speed
        self.pitch = pitch
        self.words = words
        self.isFavorite = isFavorite
        self.document = document
    }
}

/// The document, or the part of one, that a recording reads.
package struct DocumentLink: Sendable, Hashable, Codable {
    /// The document's id; the document may be gone.
    package var id: String
    /// Which part, in words: “Chapter 3”, “pages 4–9”.
    package var part: String?
    /// The selection of the document, which maps its text to the recording's.
    package var selection: DocumentSelection?

    package init(id: String, part: String? = nil, selection: DocumentSelection? = nil) {
        self.id = id
        self.part = part
        self.selection = selection
    }
}
