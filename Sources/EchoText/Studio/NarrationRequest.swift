/// How a person wants a text to be spoken; missing values come from a voice profile.
package struct NarrationRequest: Sendable, Hashable {
    /// An id or a language.
    package var voice: String?
    package var speaker: Int?
    /// Times the voice's own.
    package var speed: Double?
    package var pitch: Double?
    package var liveliness: Double?
    package var rhythm: Double?
    /// The voice profile to take missing values from; the chosen one when absent.
    package var profile: VoiceProfile.ID?
    /// The recording's name; the text's first words when absent.
    package var name: String?

    package init() {}

    /// Makes the order for `text`, with the pauses and the dictionary of `library`'s settings.
    ///
    /// - Parameters:
    ///   - text: The text to speak, which names the recording when ``name`` is absent.
    ///   - voices: The voices that can speak now.
    ///   - library: Holds the profiles and the settings.
    /// - Returns: An order that can be spoken.
    /// - Throws: ``SynthesisError``, ``LibraryError``, ``VaultError``.
    package func order(for text: String, among voices: [Voice], in library: Library) async throws -> NarrationOrder {
        let profile = try await profile(in: library)
        let voice = try self.voice(of: profile, among: VoiceSearch(among: voices))
        // A speaker's number has a meaning for one voice only.
        let speaker = speaker ?? (voice.id == profile.voice ? profile.speaker : 0)
        guard (0..<voice.speakers).contains(speaker) else {
            throw SynthesisError.noSuchSpeaker(speaker, of: voice.id, count: voice.speakers)
        }
        let prosody = try Prosody(
            speed: speed ?? profile.speed,
            pitch: pitch ?? profile.pitch,
            liveliness: liveliness ?? profile.liveliness,
            rhythm: rhythm ?? profile.rhythm
        )
        return NarrationOrder(
            name: try name.map { try ItemName($0) } ?? ItemName(firstWordsOf: text) ?? "Recording",
            voice: voice,
            speaker: speaker,
            pauses: try await library.settings.pauses(),
            dictionary: try await library.settings.dictionary()
        ).spoken(with: prosody)
    }

    /// The named voice, else the profile's voice, else the standard voice when the profile's is no longer installed.
    private func voice(of profile: VoiceProfile, among search: VoiceSearch) throws -> Voice {
        if let voice { return try search.voice(called: voice) }
        do {
            return try search.voice(called: profile.voice.rawValue)
        } catch SynthesisError.voiceNotInstalled {
            return try search.voice(called: VoiceProfile.standard.voice.rawValue)
        }
    }

    private func profile(in library: Library) async throws -> VoiceProfile {
        guard let id = profile else { return try await library.profiles.chosen().profile }
        guard let profile = try await library.profiles.profiles().first(where: { $0.id == id }) else {
            throw LibraryError.profileNotFound
        }
        return profile
    }
}
