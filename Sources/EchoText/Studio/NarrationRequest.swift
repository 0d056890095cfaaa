/// How a person wants a text to be spoken; what is missing is taken from ``NarrationDefaults``.
///
/// Page, command, batch and samples state what was asked for and resolve it here, so that the same request sounds the same from each:
///
/// ```swift
/// var request = NarrationRequest()
/// request.speed = 1.2
/// let resolved = try await request.resolve(in: library, among: voices, naming: text)
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
    package var speaker: VoiceSpeaker?
    /// Times the voice's own.
    package var speed: Double?
    package var pitch: Double?
    package var liveliness: Double?
    package var rhythm: Double?
    /// The voice profile to take missing values from; the chosen one when absent.
    package var profile: VoiceProfile.ID?
    /// The recording's name; the text's first words when absent.
    package var name: String?
    package var pauses = Pauses()
    /// The text of the pronunciation dictionary.
    package var dictionary: String?
    /// Names of the steps of text preparation that are left out.
    package var withoutSteps: [String] = []
    /// The folder of ``voice``, when it is not among the installed ones.
    package var voiceFolder: String?
    /// How many phrases are spoken at once.
    package var lanes: Int?

    package init() {}

    /// Makes an order that can be spoken.
    ///
    /// - Parameters:
    ///   - defaults: What is missing, those of ``profile`` if it names one.
    ///   - voices: The voices that can speak now.
    ///   - text: What is spoken, whose first words name the recording when ``name`` is absent.
    /// - Returns: The order, and what had to be replaced for it.
    /// - Throws: ``SynthesisError`` for a voice, a speaker or a value that there is not, ``PronunciationDictionaryError``,
    ///   ``ItemNameError``.
    package func resolve(
        with defaults: NarrationDefaults,
        among voices: [Voice],
        naming text: String
    ) throws -> ResolvedNarration {
        let profile = defaults.chosen.profile
        let (voice, substitution) = try self.voice(of: profile, among: VoiceSearch(among: voices))
        // A speaker's number has a meaning for one voice only.
        let speaker = try voice.number(of: speaker ?? .number(voice.id == profile.voice ? profile.speaker : 0))
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
            dictionary: dictionary ?? defaults.dictionary,
            voiceFolder: voiceFolder
        ).spoken(with: try prosody(of: profile))
        return ResolvedNarration(
            order: order,
            substitution: substitution ?? (defaults.chosen.isStandIn ? .profile : nil)
        )
    }

    /// The same with what `library` says of the rest.
    ///
    /// - Throws: ``LibraryError/profileNotFound`` and ``VaultError`` as well.
    package func resolve(
        in library: Library,
        among voices: [Voice],
        naming text: String
    ) async throws -> ResolvedNarration {
        try resolve(with: try await NarrationDefaults(of: library, profile: profile), among: voices, naming: text)
    }

    /// How many phrases are spoken at once: as many as the request says, else `defaults`, else one for each of `cores`.
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
    ) throws(SynthesisError) -> (Voice, ResolvedNarration.Substitution?) {
        if let voice { return (try search.voice(called: voice), nil) }
        do {
            return (try search.voice(called: profile.voice.rawValue), nil)
        } catch {
            let standard = try search.voice(called: VoiceProfile.standard.voice.rawValue)
            return (standard, .voice(profile.voice, error))
        }
    }
}

/// What a request comes to.
package struct ResolvedNarration: Sendable {
    /// What speaks in place of something else.
    package enum Substitution: Sendable {
        /// The default profile, for the chosen one, which is missing or cannot be read.
        case profile
        /// The standard voice, for a profile's voice that cannot speak, with the reason.
        case voice(Voice.ID, SynthesisError)
    }

    package var order: NarrationOrder
    package var substitution: Substitution?
}
