/// Who can make the narration that an order asks for.
package struct Narrator: Sendable {
    package let synthesizer: any SpeechSynthesizer
    package let segmenter: any TextSegmenter
    /// The version of a voice and its engine, by which speech that was kept is known to be the same; `nil` when it cannot be
    /// told.
    package let version: @Sendable (Voice.ID) async -> String?
    private let engineLanes: Int?

    /// Phrases that wait at an engine with all its lanes busy: with fewer it has nothing to choose from while one is on its way.
    private static let queued = 2

    /// - Parameters:
    ///   - synthesizer: Speaks.
    ///   - segmenter: Finds sentences and words.
    ///   - engineLanes: How many phrases the engine speaks at once at most, whatever is asked of it; `nil` when it sets no
    ///     limit of its own.
    ///   - version: Tells ``version``.
    package init(
        synthesizer: any SpeechSynthesizer,
        segmenter: any TextSegmenter,
        engineLanes: Int? = nil,
        version: @escaping @Sendable (Voice.ID) async -> String? = { _ in nil }
    ) {
        self.synthesizer = synthesizer
        self.segmenter = segmenter
        self.engineLanes = engineLanes
        self.version = version
    }

    /// The same with another engine in its place.
    func speaking(by synthesizer: any SpeechSynthesizer) -> Narrator {
        Narrator(synthesizer: synthesizer, segmenter: segmenter, engineLanes: engineLanes, version: version)
    }

    /// The narration that `order` asks for.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - order: By whom and how.
    ///   - lanes: How many phrases are spoken at once.
    ///   - beginning: What has been spoken already.
    /// - Returns: It has not begun.
    /// - Throws: ``SynthesisError`` or ``PronunciationDictionaryError`` for an order that was made elsewhere.
    package func narration(
        of source: any TextSource,
        as order: NarrationOrder,
        lanes: Int,
        from beginning: Narration.Beginning = .start
    ) throws -> Narration {
        Narration(
            of: source,
            voice: order.voice,
            speaker: order.speaker,
            prosody: try order.prosody,
            synthesizer: synthesizer,
            segmenter: segmenter,
            preparation: TextPreparation(
                language: order.voice.language,
                steps: TextPreparation.Steps.all.subtracting(.init(names: order.withoutSteps) ?? []),
                dictionary: try order.dictionary.map { try PronunciationDictionary(parsing: $0) }
            ),
            settings: settings(pauses: order.pauses, lanes: lanes),
            from: beginning
        )
    }

    /// Fewer lanes than the engine has hold only while no more is put before it.
    private func settings(pauses: NarrationSettings.Pauses, lanes: Int) -> NarrationSettings {
        let isEngineFilled = engineLanes.map { lanes >= $0 } ?? false
        return NarrationSettings(pauses: pauses, lanes: lanes, queued: isEngineFilled ? Self.queued : 0)
    }
}
