import Foundation

/// A voice with the way it speaks, under a name.
package struct VoiceProfile: Sendable, Hashable, Codable, Identifiable {
    package struct ID: Sendable, Hashable, Codable, RawRepresentable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A new one.
        package init() {
            rawValue = UUID().uuidString.lowercased()
        }

        /// The one that is always there.
        package static let standard = ID(rawValue: "default")
    }

    package let id: ID
    package var name: ItemName
    package var voice: Voice.ID
    package var speaker: Int
    /// Times the voice's own, 0.5 to 1.5.
    package var speed: Double
    /// Times the voice's own, 0.5 to 2.
    package var pitch: Double
    /// How much the voice's sound is left to chance, and how much the length of its sounds; times the voice's own, 0 to 1.5.
    package var liveliness: Double
    package var rhythm: Double

    package init(
        id: ID = ID(),
        name: ItemName,
        voice: Voice.ID,
        speaker: Int = 0,
        speed: Double = 1,
        pitch: Double = 1,
        liveliness: Double = 1,
        rhythm: Double = 1
    ) {
        self.id = id
        self.name = name
        self.voice = voice
        self.speaker = speaker
        self.speed = speed
        self.pitch = pitch
        self.liveliness = liveliness
        self.rhythm = rhythm
    }

    /// How it speaks.
    ///
    /// - Throws: ``SynthesisError``.
    package var prosody: Prosody {
        get throws(SynthesisError) {
            try Prosody(speed: speed, pitch: pitch, liveliness: liveliness, rhythm: rhythm)
        }
    }
}

extension VoiceProfile {
    /// The default one as it is at first, or when what is kept of it cannot be read.
    package static let standard = VoiceProfile(
        id: .standard,
        name: "Default",
        voice: Voice.ID(rawValue: "espeak/en-US")
    )
}

/// The voice profiles; there is always the default one.
package protocol VoiceProfiles: Sendable {
    /// The default first, the others by name.
    func profiles() async throws -> [VoiceProfile]

    /// Adds `profile`, or replaces the one with its id.
    ///
    /// - Throws: ``LibraryError/profileNameTaken`` when another has its name, in whatever case;
    ///   ``SynthesisError`` for a value that is out of range.
    func save(_ profile: VoiceProfile) async throws

    /// Deletes a profile; when it was the chosen one, the default is chosen.
    ///
    /// - Throws: ``LibraryError/profileNotFound``, ``LibraryError/defaultProfileStays``.
    func delete(_ id: VoiceProfile.ID) async throws

    /// Gives the default profile a voice, unless a person has saved it: what speaks as long as nobody has chosen.
    func suggest(_ voice: Voice.ID) async throws

    /// - Throws: ``LibraryError/profileNotFound``.
    func choose(_ id: VoiceProfile.ID) async throws

    /// The profile that speaks when none is named. One that cannot be read is replaced by the default.
    func chosen() async throws -> ChosenProfile
}

extension VoiceProfiles {
    /// Gives the chosen profile another voice.
    ///
    /// - Returns: The profile as it is now.
    /// - Throws: ``VaultError``.
    package func select(_ voice: Voice.ID, speaker: Int) async throws -> VoiceProfile {
        var profile = try await chosen().profile
        (profile.voice, profile.speaker) = (voice, speaker)
        try await save(profile)
        return profile
    }
}

/// The profile that speaks, and whether it is a stand-in.
package struct ChosenProfile: Sendable, Hashable {
    package var profile: VoiceProfile
    /// Whether the one that was chosen is missing or cannot be read, so that the default stands in.
    package var isStandIn: Bool

    package init(profile: VoiceProfile, isStandIn: Bool) {
        self.profile = profile
        self.isStandIn = isStandIn
    }
}
