package import Foundation

/// The origin of a recording, with the data specific to its kind.
package enum AudioOrigin: Sendable, Hashable {
    /// Spoken by a voice.
    case narrated(NarrationOrigin)
    /// Recorded on this machine.
    case recorded(SoundOrigin = SoundOrigin())
    /// Imported from a sound file.
    case imported(SoundOrigin = SoundOrigin())

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

    package init(
        voice: Voice.ID,
        voiceName: String,
        speaker: Int,
        engine: Voice.Engine,
        speed: Double,
        pitch: Double,
        document: DocumentLink? = nil
    ) {
        self.voice = voice
        self.voiceName = Voice.name(of: voice, given: voiceName)
        self.speaker = speaker
        self.engine = engine
        self.speed = speed
        self.pitch = pitch
        self.document = document
    }

    /// Copies the values of `order`.
    package init(_ order: NarrationOrder) {
        self.init(
            voice: order.voice.id,
            voiceName: order.voice.givenName,
            speaker: order.speaker,
            engine: order.voice.engine,
            speed: order.speed,
            pitch: order.pitch,
            document: order.document
        )
    }
}
