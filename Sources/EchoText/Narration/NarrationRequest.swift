import Foundation

/// A person's request for a narration; missing values come from ``NarrationDefaults``.
///
/// The page, the commands, the batch and samples all resolve their requests here, so that the same request sounds the
/// same from each:
///
/// ```swift
/// var request = NarrationRequest()
/// request.speed = 1.2
/// let order = try await request.resolve(in: library, among: voices, naming: text).order
/// ```
package struct NarrationRequest: Sendable, Hashable {
    /// Pauses in seconds, each as the defaults say when absent.
    package struct Pauses: Sendable, Hashable {
        package var sentence: Double?
        package var paragraph: Double?
        package var heading: Double?

        package init(sentence: Double? = nil, paragraph: Double? = nil, heading: Double? = nil) {
            self.sentence = sentence
            self.paragraph = paragraph
            self.heading = heading
        }
    }

    /// An id or a language.
    package var voice: String?
    /// The text's language: where no voice and no profile is named, one that speaks it replaces a selected one that
    /// does not.
    package var language: String?
    package var speaker: VoiceSpeaker?
    /// Times the voice's own.
    package var speed: Double?
    package var pitch: Double?
    package var liveliness: Double?
    package var rhythm: Double?
    /// The voice profile that supplies missing values; the selected one when absent.
    package var profile: VoiceProfile.ID?
    /// The recording's name; the text's first words when absent.
    package var name: String?
    /// Whether the captions of subtitles begin at their own times.
    package var keepsTimes = false
    package var pauses = Pauses()
    /// The text of the pronunciation dictionary.
    package var dictionary: String?
    /// The names of omitted steps of text preparation.
    package var withoutSteps: [String] = []
    /// The folder of ``voice``, if it is not installed.
    package var voiceFolder: String?
    /// How many phrases are spoken at once.
    package var lanes: Int?

    /// A substitute for a part of the request.
    package enum Substitution: Sendable {
        /// The default profile, because the selected one is missing or cannot be read.
        case profile
        /// A voice of the text's language, for a selected one of another; if there is none, that one speaks.
        case language(String, isSpoken: Bool)
        /// The standard voice, for a profile's voice that cannot speak, with the reason.
        case voice(Voice.ID, SynthesisError)
    }

    package init() {}

    /// Makes a complete order.
    ///
    /// - Parameters:
    ///   - defaults: The values for what is missing, those of ``profile`` if there is one.
    ///   - voices: The voices that can speak now.
    ///   - text: The text, whose first words name the recording when ``name`` is absent.
    /// - Returns: The order, and what had to be replaced for it.
    /// - Throws: ``SynthesisError`` for an unknown voice or speaker, or an invalid value,
    ///   ``PronunciationDictionaryError``, ``ItemNameError``.
    package func resolve(
        with defaults: NarrationDefaults,
        among voices: [Voice],
        naming text: String
    ) throws -> (order: NarrationOrder, substitution: Substitution?) {
        let profile = defaults.chosen.profile
        let (voice, substitution) = try self.voice(of: profile, among: VoiceSearch(among: voices))
        // A speaker's number means something for one voice only.
        let speaker = try voice.number(of: speaker ?? .number(voice.id == profile.voice ? profile.speaker : 0))
        let dictionary = dictionary ?? defaults.dictionary
        if let dictionary { _ = try PronunciationDictionary(parsing: dictionary) }
        let order = NarrationOrder(
            name: try name.map { try ItemName($0) } ?? ItemName(firstWordsOf: text) ?? "Recording",
            voice: voice,
            speaker: speaker,
            pauses: NarrationSettings.Pauses(
                sentence: pauses.sentence ?? defaults.pauses.sentence,
                paragraph: pauses.paragraph ?? defaults.pauses.paragraph,
                heading: pauses.heading ?? defaults.pauses.heading
            ),
            withoutSteps: withoutSteps,
            dictionary: dictionary,
            voiceFolder: voiceFolder
        ).spoken(with: try prosody(of: profile))
        return (order, substitution ?? (defaults.chosen.isStandIn ? .profile : nil))
    }

    /// Makes a complete order with the defaults of `library`.
    ///
    /// - Throws: ``LibraryError/profileNotFound`` and ``VaultError`` as well.
    package func resolve(
        in library: Library,
        among voices: [Voice],
        naming text: String
    ) async throws -> (order: NarrationOrder, substitution: Substitution?) {
        try resolve(with: try await NarrationDefaults(of: library, profile: profile), among: voices, naming: text)
    }

    /// How many phrases are synthesized at once: as the request says, else `defaults`, else one for each of `cores`.
    package func lanes(with defaults: NarrationDefaults, cores: Int) -> Int { lanes ?? defaults.lanes ?? cores }

    private func prosody(of profile: VoiceProfile) throws(SynthesisError) -> Prosody {
        try Prosody(
            speed: speed ?? profile.speed,
            pitch: pitch ?? profile.pitch,
            liveliness: liveliness ?? profile.liveliness,
            rhythm: rhythm ?? profile.rhythm
        )
    }

    /// The named voice, else the profile's voice, else the standard voice when the profile's is no longer installed.
    private func voice(
        of profile: VoiceProfile,
        among search: VoiceSearch
    ) throws(SynthesisError) -> (Voice, Substitution?) {
        if let voice { return (try search.voice(called: voice), nil) }
        do {
            let own = try search.voice(called: profile.voice.rawValue)
            guard let language, self.profile == nil, !own.speaks(language) else { return (own, nil) }
            guard let other = search.best(for: language) else { return (own, .language(language, isSpoken: false)) }
            return (other, .language(language, isSpoken: true))
        } catch {
            let standard = try search.voice(called: VoiceProfile.standard.voice.rawValue)
            return (standard, .voice(profile.voice, error))
        }
    }
}

/// The settings of a narration that neither the request nor the command sets.
///
/// The page, the batch and the commands read them from the library, so that a text sounds the same from each.
package struct NarrationDefaults: Sendable {
    /// The profile that speaks.
    package var chosen: ChosenProfile
    package var pauses = NarrationSettings.Pauses()
    /// The text of the pronunciation dictionary; `nil` when it has no lines.
    package var dictionary: String?
    /// Phrases that are spoken at once; `nil` for as many as there are cores.
    package var lanes: Int?

    /// The defaults where there is no library.
    ///
    /// - Parameter voice: The voice.
    package init(voice: Voice.ID = VoiceProfile.standard.voice) {
        var profile = VoiceProfile.standard
        profile.voice = voice
        chosen = ChosenProfile(profile: profile, isStandIn: false)
    }

    /// Reads the defaults of `library`.
    ///
    /// - Parameters:
    ///   - library: Holds the profiles and the settings.
    ///   - profile: The profile to use; the selected one when absent.
    /// - Throws: ``LibraryError/profileNotFound``, ``VaultError``.
    package init(of library: Library, profile: VoiceProfile.ID? = nil) async throws {
        chosen = try await library.profiles.profile(profile)
        pauses = try await library.settings.pauses()
        dictionary = try await library.settings.dictionary()
        lanes = try await library.settings.lanes()
    }
}

extension VoiceProfiles {
    /// The profile with an id, or the selected one without an id.
    fileprivate func profile(_ id: VoiceProfile.ID?) async throws -> ChosenProfile {
        guard let id else { return try await chosen() }
        guard let profile = try await profiles().first(where: { $0.id == id }) else {
            throw LibraryError.profileNotFound
        }
        return ChosenProfile(profile: profile, isStandIn: false)
    }
}

extension SettingsStore {
    /// The pauses that the settings define.
    package func pauses() async throws -> NarrationSettings.Pauses {
        NarrationSettings.Pauses(
            sentence: try await value(of: SettingsCatalogue.sentencePause),
            paragraph: try await value(of: SettingsCatalogue.paragraphPause),
            heading: try await value(of: SettingsCatalogue.headingPause)
        )
    }

    /// The text of the pronunciation dictionary; `nil` when it has no lines.
    ///
    /// It is as a person has written it, also where this version cannot read it, so that whoever uses it says so.
    package func dictionary() async throws -> String? {
        let text = try await stored()[SettingsCatalogue.dictionary.name] ?? ""
        return text.isEmpty ? nil : text
    }

    /// Replaces the pronunciation dictionary as it is at that moment, whatever another program writes meanwhile.
    ///
    /// - Parameter text: The new one; `nil` for none.
    /// - Returns: The one that was replaced, as a person has written it, also where this version cannot read it.
    /// - Throws: What the store throws.
    package func replaceDictionary(by text: String?) async throws -> String {
        let name = SettingsCatalogue.dictionary.name
        while true {
            let before = try await stored()[name]
            if try await store(text, for: name, insteadOf: before) { return before ?? "" }
        }
    }

    /// Phrases that are spoken at once; `nil` for as many as there are cores.
    package func lanes() async throws -> Int? {
        let lanes = try await value(of: SettingsCatalogue.lanes)
        return lanes > 0 ? lanes : nil
    }
}
