import Foundation

/// A voice with the way it speaks, under a name.
package struct VoiceProfile: Sendable, Hashable, Codable, Identifiable {
    package struct ID: Sendable, Hashable, Codable, RawRepresentable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a new id.
        package init() {
            rawValue = UUID().uuidString.lowercased()
        }

        /// The default profile, which always exists.
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
    /// The scale of the random variation of the voice's sound and of its phoneme lengths, relative to the voice's own,
    /// 0 to 1.5.
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

    /// Gives it the values that are not `nil`.
    ///
    /// - Throws: ``SynthesisError`` for a voice or speaker that is not there.
    package mutating func change(
        voice: String?,
        speaker: VoiceSpeaker?,
        among voices: [Voice],
        speed: Double?,
        pitch: Double?,
        liveliness: Double?,
        rhythm: Double?
    ) throws(SynthesisError) {
        if voice != nil || speaker != nil {
            let found = try VoiceSearch(among: voices).voice(called: voice ?? self.voice.rawValue)
            // A speaker's number means something for one voice only.
            self.speaker = try found.number(of: speaker ?? 0)
            self.voice = found.id
        }
        self.speed = speed ?? self.speed
        self.pitch = pitch ?? self.pitch
        self.liveliness = liveliness ?? self.liveliness
        self.rhythm = rhythm ?? self.rhythm
    }
}

extension VoiceProfile {
    /// The initial default profile, also used when the stored one cannot be read.
    package static let standard = VoiceProfile(
        id: .standard,
        name: "Default",
        voice: Voice.ID(rawValue: "espeak/en-US")
    )
}

/// The voice profiles; the default one always exists.
package protocol VoiceProfiles: Sendable {
    /// The default profile first, the others by name; those that cannot be read are left out.
    func profiles() async throws -> [VoiceProfile]

    /// The number of profiles that cannot be read.
    func unreadable() async throws -> Int

    /// Adds `profile`, or replaces the profile with the same id.
    ///
    /// - Throws: ``LibraryError/profileNameTaken`` when another profile has its name, ignoring case; ``SynthesisError``
    ///   for a value that is out of range.
    func save(_ profile: VoiceProfile) async throws

    /// Changes a profile; what another page or process changes at the same time stays.
    ///
    /// - Parameters:
    ///   - id: The profile.
    ///   - change: Is given the profile as it is stored.
    /// - Returns: The profile as it is stored then.
    /// - Throws: ``LibraryError/profileNotFound``; what `change` throws, which changes nothing; as ``save(_:)`` does.
    func change(
        _ id: VoiceProfile.ID,
        _ change: @escaping @Sendable (inout VoiceProfile) throws -> Void
    ) async throws -> VoiceProfile

    /// Deletes a profile; if it was selected, the default is selected.
    ///
    /// - Throws: ``LibraryError/profileNotFound``, ``LibraryError/defaultProfileStays``.
    func delete(_ id: VoiceProfile.ID) async throws

    /// Gives the default profile a voice, unless the person has saved that profile.
    func suggest(_ voice: Voice.ID) async throws

    /// - Throws: ``LibraryError/profileNotFound``.
    func choose(_ id: VoiceProfile.ID) async throws

    /// The profile used when none is named; if it cannot be read, the default one.
    func chosen() async throws -> ChosenProfile
}

extension VoiceProfiles {
    /// Changes the voice of the selected profile.
    ///
    /// - Returns: The updated profile.
    /// - Throws: ``VaultError``; ``LibraryError/profileNotFound`` when it is deleted meanwhile.
    package func select(_ voice: Voice.ID, speaker: Int) async throws -> VoiceProfile {
        let id = try await chosen().profile.id
        return try await change(id) { ($0.voice, $0.speaker) = (voice, speaker) }
    }
}

/// The profile in use, and whether it is a substitute.
package struct ChosenProfile: Sendable, Hashable {
    package var profile: VoiceProfile
    /// Whether the selected profile is missing or cannot be read, so that the default is used.
    package var isStandIn: Bool

    package init(profile: VoiceProfile, isStandIn: Bool) {
        self.profile = profile
        self.isStandIn = isStandIn
    }
}
