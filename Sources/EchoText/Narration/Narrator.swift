/// Makes narrations: combines an engine with the analysis of text, the pauses and the dictionary of an order.
///
/// ```swift
/// let narration = try narrator.narration(of: StringSource(text), as: order, lanes: 2)
/// for try await passage in narration { try await sink.append(passage.clip) }
/// ```
package struct Narrator: Sendable {
    package let synthesizer: any SpeechSynthesizer
    package let segmenter: any TextSegmenter
    /// Identifies the version of a voice and its engine, so that stored speech can be used again; `nil` when it is unknown.
    package let version: @Sendable (Voice.ID) async -> String?
    private let engineLanes: Int?

    /// How many phrases wait at an engine whose threads are all busy; without them a thread would idle until the next
    /// phrase arrives.
    private static let queued = 2

    /// - Parameters:
    ///   - synthesizer: The engine that speaks.
    ///   - segmenter: Finds sentences and words.
    ///   - engineLanes: The most phrases that the engine synthesizes at once; `nil` when it has no limit.
    ///   - version: See ``version``.
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

    /// A copy that uses another engine.
    func speaking(by synthesizer: any SpeechSynthesizer) -> Narrator {
        Narrator(synthesizer: synthesizer, segmenter: segmenter, engineLanes: engineLanes, version: version)
    }

    /// Prepares the narration that `order` describes.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - order: The voice, its settings, pauses and dictionary.
    ///   - lanes: How many phrases are synthesized at once.
    ///   - beginning: The position to start at.
    /// - Returns: A sequence that synthesizes while it is iterated.
    /// - Throws: ``SynthesisError`` or ``PronunciationDictionaryError`` when the order holds values out of range.
    package func narration(
        of source: any TextSource,
        as order: NarrationOrder,
        lanes: Int,
        from beginning: Narration.Beginning = .start
    ) throws -> Narration {
        try order.cues?.check()
        return Narration(
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
            in: order.languages,
            at: order.cues,
            from: beginning
        )
    }

    /// Phrases are queued only when all of the engine's threads are used; otherwise the engine would use more threads
    /// than requested.
    private func settings(pauses: NarrationSettings.Pauses, lanes: Int) -> NarrationSettings {
        let isEngineFilled = engineLanes.map { lanes >= $0 } ?? false
        return NarrationSettings(pauses: pauses, lanes: lanes, queued: isEngineFilled ? Self.queued : 0)
    }
}
