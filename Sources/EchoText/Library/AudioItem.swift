package import Foundation

/// A recording of the library, with the way it came there.
///
/// Its sound, text and timing table are read apart, because lists need none of them.
package struct AudioItem: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<AudioItem>

    package let id: ID
    package var name: ItemName
    package let created: Date
    /// In seconds.
    package var duration: Double
    /// Bytes of sound.
    package var size: Int
    /// In hertz.
    package let sampleRate: Int
    /// BCP 47; `und` when it is not known.
    package var language: String
    /// Words of the text.
    package var words: Int
    package var isFavorite: Bool
    package private(set) var origin: AudioOrigin
    /// Whether it has a transcript; a narration's text needs none.
    package var isTranscribed: Bool

    package init(
        id: ID = ID(),
        name: ItemName,
        created: Date,
        duration: Double,
        size: Int,
        sampleRate: Int,
        language: String,
        words: Int,
        isFavorite: Bool = false,
        origin: AudioOrigin,
        isTranscribed: Bool = false
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.duration = duration
        self.size = size
        self.sampleRate = sampleRate
        self.language = language
        self.words = words
        self.isFavorite = isFavorite
        self.origin = origin
        self.isTranscribed = isTranscribed
    }

    /// In samples.
    package var sampleCount: Int { Int((duration * Double(sampleRate)).rounded()) }

    /// How it was spoken, if a voice did.
    package var narration: NarrationOrigin? { if case .narrated(let narration) = origin { narration } else { nil } }

    /// Whether the library has the file that it was imported from, as it came.
    package var hasFile: Bool { source?.fileSize != nil }

    /// The name of that file as far as it is known, and a valid file name in any case.
    package var fileName: String {
        let known = source?.name ?? name.text
        var names = FileNames()
        guard let ending = known.fileEnding else { return names.name(for: known) }
        return names.name(for: String(known.dropLast(ending.count + 1)), fileExtension: ending)
    }

    /// Makes it one whose file the library does not have.
    package mutating func forgetFile() {
        guard case .imported(var source) = origin else { return }
        source.fileSize = nil
        origin = .imported(source)
    }

    /// The source of its sound, unless a voice spoke it.
    package var source: SoundOrigin? {
        switch origin {
        case .narrated: nil
        case .recorded(let source), .imported(let source): source
        }
    }
}

extension AudioItem: Encodable {
    private enum Key: CodingKey {
        case id, name, created, duration, size, sampleRate, language, words, isFavorite, origin, narration, source,
            isTranscribed
    }

    /// Encodes the origin as its kind, with the fields of a narration or of other sound next to it.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(created, forKey: .created)
        try container.encode(duration, forKey: .duration)
        try container.encode(size, forKey: .size)
        try container.encode(sampleRate, forKey: .sampleRate)
        try container.encode(language, forKey: .language)
        try container.encode(words, forKey: .words)
        try container.encode(isFavorite, forKey: .isFavorite)
        try container.encode(origin.kind, forKey: .origin)
        try container.encodeIfPresent(narration, forKey: .narration)
        try container.encodeIfPresent(source, forKey: .source)
        try container.encode(isTranscribed, forKey: .isTranscribed)
    }
}

/// The document, or the part of one, that a recording was made from.
package struct DocumentLink: Sendable, Hashable, Codable {
    /// The document's id; the document may have been deleted.
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

/// The origin of a recording, with the data specific to its kind.
package enum AudioOrigin: Sendable, Hashable {
    /// Spoken by a voice.
    case narrated(NarrationOrigin)
    /// Recorded on this machine.
    case recorded(SoundOrigin = SoundOrigin())
    /// Imported from a sound file.
    case imported(SoundOrigin = SoundOrigin())

    /// Where a recording comes from.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case narrated
        case recorded
        case imported
    }

    package var kind: Kind {
        switch self {
        case .narrated: .narrated
        case .recorded: .recorded
        case .imported: .imported
        }
    }
}

/// The source of sound that no voice of this program spoke.
package struct SoundOrigin: Sendable, Hashable, Codable {
    /// The name of the device or file, for the person.
    package var name: String?
    /// When the sound was made, if that is known and not when it came into the library.
    package var made: Date?
    /// Ranges of samples that were damaged when the recording was stored, and are silent now; in order, without
    /// overlaps.
    package var lost: [Range<Int>]
    /// The bytes of the file that it was imported from, if the library has that as it came.
    package var fileSize: Int?
    /// Which of that file's sound tracks was asked for, from 1; `nil` if none was.
    package var track: Int?

    package init(
        name: String? = nil,
        made: Date? = nil,
        lost: [Range<Int>] = [],
        fileSize: Int? = nil,
        track: Int? = nil
    ) {
        (self.name, self.made, self.lost, self.fileSize, self.track) = (name, made, lost, fileSize, track)
    }
}

/// How a narration was spoken.
package struct NarrationOrigin: Sendable, Hashable, Encodable {
    package let voice: Voice.ID
    /// The voice's name for people.
    package let voiceName: String
    /// From 0.
    package let speaker: Int
    package let engine: Voice.Engine
    /// Times the voice's own pace.
    package let speed: Double
    /// Times the voice's own pitch.
    package let pitch: Double
    /// The document that it was made from, if any.
    package var document: DocumentLink?
    /// The first words of phrases that could not be spoken, at most ``NarrationJob/maximumLeftOut``.
    package var leftOut: [String]

    package init(
        voice: Voice.ID,
        voiceName: String,
        speaker: Int,
        engine: Voice.Engine,
        speed: Double,
        pitch: Double,
        document: DocumentLink? = nil,
        leftOut: [String] = []
    ) {
        self.voice = voice
        self.voiceName = Voice.name(of: voice, given: voiceName)
        self.speaker = speaker
        self.engine = engine
        self.speed = speed
        self.pitch = pitch
        self.document = document
        self.leftOut = leftOut
    }

    /// Copies the values of `order`.
    package init(_ order: NarrationOrder, leftOut: [String] = []) {
        self.init(
            voice: order.voice.id,
            voiceName: order.voice.givenName,
            speaker: order.speaker,
            engine: order.voice.engine,
            speed: order.speed,
            pitch: order.pitch,
            document: order.document,
            leftOut: leftOut
        )
    }
}
