/// Where a recording comes from, with what only such recordings have.
package enum AudioOrigin: Sendable, Hashable {
    /// Spoken by a voice.
    case narrated(NarrationOrigin)
    /// Recorded on this machine.
    case recorded
    /// Imported from a sound file.
    case imported

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

/// How a narration was spoken.
package struct NarrationOrigin: Sendable, Hashable, Encodable {
    package let voice: Voice.ID
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
        self.voiceName = voiceName
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
            voiceName: order.voice.name,
            speaker: order.speaker,
            engine: order.voice.engine,
            speed: order.speed,
            pitch: order.pitch,
            document: order.document
        )
    }
}
