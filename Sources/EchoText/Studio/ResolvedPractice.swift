import Foundation

/// An order for practice, combined with the library's settings, the profile and the voices.
struct ResolvedPractice {
    let text: PracticeText
    let voice: Voice
    /// The number of the voice's speaker, from 0.
    let speaker: Int
    /// BCP 47.
    let language: String
    let settings: PracticeSettings
    let defaults: NarrationDefaults

    /// - Parameters:
    ///   - order: The person's order.
    ///   - library: The library with the text, the settings, the profile and the dictionary.
    ///   - voices: The voices that can speak now.
    ///   - time: The time at which hard segments have to be due.
    /// - Throws: ``PracticeError``, ``SynthesisError``, and what reading the source throws.
    init(
        _ order: PracticeSessions.Order,
        in library: Library,
        among voices: [Voice],
        at time: Date
    ) async throws {
        text = try await PracticeText(of: order.source, in: library, at: time)
        defaults = try await NarrationDefaults(of: library)
        let profile = defaults.chosen.profile
        let given = order.language.map { LanguageTag.canonical($0) }
        voice = try VoiceSearch(among: voices).voice(called: order.voice, for: text.language ?? given, of: profile)
        let usual = voice.id == profile.voice && profile.speaker < voice.speakers ? profile.speaker : 0
        speaker = try voice.number(of: order.speaker ?? .number(usual))
        language = text.language ?? given ?? voice.language
        var settings = try await library.settings.practice().applying(order.settings)
        // A hard segment is a paragraph of this text, and is known by all its words.
        if text.source == .hard, order.settings.granularity == nil { settings.granularity = .paragraph }
        self.settings = settings
    }
}

extension NarrationDefaults {
    /// - Returns: How a voice reads segments aloud.
    /// - Throws: ``SynthesisError``.
    func speaking(
        by narrator: Narrator,
        as voice: Voice,
        speaker: Int,
        naming title: String
    ) throws -> SegmentSpeaking {
        var request = NarrationRequest()
        request.voice = voice.id.rawValue
        request.speaker = .number(speaker)
        let order = try request.resolve(with: self, among: [voice], naming: title).order
        return SegmentSpeaking(by: narrator, as: order, lanes: lanes ?? 1)
    }

    /// - Parameter language: BCP 47.
    /// - Returns: How texts in that language are made ready to be spoken.
    /// - Throws: ``PronunciationDictionaryError``.
    func preparation(for language: String) throws -> TextPreparation {
        try TextPreparation(
            language: language,
            dictionary: dictionary.map { try PronunciationDictionary(parsing: $0) }
        )
    }
}
