/// What a person says of how a text is to be spoken; what they leave out comes from a profile.
package struct NarrationWish: Sendable, Hashable {
    /// An id or a language.
    package var voice: String?
    package var speaker: Int?
    /// Times the voice's own.
    package var speed: Double?
    package var pitch: Double?
    package var liveliness: Double?
    package var rhythm: Double?
    /// The id of a voice profile; the chosen one when absent.
    package var profile: VoiceProfile.ID?
    /// The recording's name; the text's first words when absent.
    package var name: String?

    package init() {}

    /// The order for `text`, with the pauses and the dictionary of `library`'s settings.
    ///
    /// - Parameters:
    ///   - text: What is to be spoken.
    ///   - voices: Those there are.
    ///   - library: Where profiles and settings are.
    /// - Returns: An order that can be spoken.
    /// - Throws: ``SynthesisError``, ``LibraryError``, ``VaultError``.
    package func order(for text: String, among voices: [Voice], in library: Library) async throws -> NarrationOrder {
        let profile = try await profile(in: library)
        let voice = try self.voice(of: profile, among: VoiceSearch(among: voices))
        // A speaker belongs to a voice: another voice's number says nothing.
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
        let dictionary = try await library.settings.value(of: SettingsCatalogue.dictionary)
        return NarrationOrder(
            name: try name.map { try ItemName($0) } ?? ItemName(firstWordsOf: text) ?? "Recording",
            voice: voice,
            speaker: speaker,
            pauses: try await library.settings.pauses(),
            dictionary: dictionary.isEmpty ? nil : dictionary
        ).spoken(with: prosody)
    }

    /// The voice that is named; else the profile's or, where that is not installed any more, the standard one.
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

extension SettingsStore {
    /// The pauses that are set.
    package func pauses() async throws -> NarrationSettings.Pauses {
        NarrationSettings.Pauses(
            sentence: try await value(of: SettingsCatalogue.sentencePause),
            paragraph: try await value(of: SettingsCatalogue.paragraphPause),
            heading: try await value(of: SettingsCatalogue.headingPause)
        )
    }
}
