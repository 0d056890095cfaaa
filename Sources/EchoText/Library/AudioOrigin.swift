package import Foundation

/// Where a recording comes from, with what only such recordings have.
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

/// What is known of sound that no voice of this program spoke.
package struct SoundOrigin: Sendable, Hashable, Codable {
    /// What the device or the file is called, for the person.
    package var name: String?
    /// When the sound was made, if that is known and not when it came into the library.
    package var made: Date?
    /// Samples that were found damaged when the recording was kept, and are silence now; by time, without overlaps.
    package var lost: [Range<Int>]

    package init(name: String? = nil, made: Date? = nil, lost: [Range<Int>] = []) {
        (self.name, self.made, self.lost) = (name, made, lost)
    }
}

/// How a narration was spoken.
package struct NarrationOrigin: Sendable, Hashable, Encodable {
    package let voice: Voice.ID
    /// What a person calls it.
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

    /// What `order` says.
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
