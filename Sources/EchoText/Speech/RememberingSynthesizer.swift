/// Speaks what was not spoken before, and remembers it.
///
/// A cache that fails is as none: what can be spoken is spoken.
package struct RememberingSynthesizer: SpeechSynthesizer {
    private let synthesizer: any SpeechSynthesizer
    private let cache: any SpeechCache
    private let version: @Sendable (Voice.ID) async -> String?
    private let basket: SpeechBasket

    /// - Parameters:
    ///   - synthesizer: Who speaks.
    ///   - cache: Where speech is kept.
    ///   - version: The version of a voice and its engine; what has none is not kept.
    package init(
        _ synthesizer: any SpeechSynthesizer,
        cache: any SpeechCache,
        version: @escaping @Sendable (Voice.ID) async -> String?
    ) {
        self.synthesizer = synthesizer
        self.cache = cache
        self.version = version
        basket = SpeechBasket(cache)
    }

    package func voices() async throws -> [Voice] { try await synthesizer.voices() }

    package func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        guard let version = await version(utterance.voice) else {
            return try await synthesizer.speak(utterance, deliver: deliver)
        }
        let request = SpeechRequest(utterance, version: version)
        if let kept = try? await cache.speech(for: request) { return try await deliver(kept) }
        var made: [SpeechFragment] = []
        try await synthesizer.speak(utterance) { fragment in
            made.append(fragment)
            try await deliver(fragment)
        }
        if let whole = SpeechFragment(joining: made) { await basket.add(request, whole) }
    }

    /// Keeps what was spoken lately.
    package func flush() async { await basket.empty() }
}

/// Speech on its way into the cache, so that some seconds of it are kept at once.
private actor SpeechBasket {
    /// In seconds of speech.
    private static let fullAfter = 20.0

    private let cache: any SpeechCache
    private var speech: [(request: SpeechRequest, fragment: SpeechFragment)] = []
    private var seconds = 0.0

    init(_ cache: any SpeechCache) {
        self.cache = cache
    }

    func add(_ request: SpeechRequest, _ fragment: SpeechFragment) async {
        speech.append((request, fragment))
        seconds += Double(fragment.clip.samples.count) / Double(fragment.clip.sampleRate)
        if seconds >= Self.fullAfter { await empty() }
    }

    func empty() async {
        let full = speech
        (speech, seconds) = ([], 0)
        guard !full.isEmpty else { return }
        let cache = cache
        // Done also when the task was cancelled; what cannot be kept is spoken again another time.
        await Task { try? await cache.keep(full) }.value
    }
}
