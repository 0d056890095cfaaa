/// A caching synthesizer: it synthesizes what is not in the cache, and stores it there.
///
/// Errors of the cache are ignored.
package struct CachingSynthesizer: SpeechSynthesizer {
    private let synthesizer: any SpeechSynthesizer
    private let cache: any SpeechCache
    private let version: @Sendable (Voice.ID) async -> String?
    private let writer: SpeechCacheWriter

    /// - Parameters:
    ///   - synthesizer: The synthesizer behind the cache.
    ///   - cache: The cache of speech.
    ///   - version: Returns the version of a voice and its engine; without one, speech is not cached.
    package init(
        _ synthesizer: any SpeechSynthesizer,
        cache: any SpeechCache,
        version: @escaping @Sendable (Voice.ID) async -> String?
    ) {
        self.synthesizer = synthesizer
        self.cache = cache
        self.version = version
        writer = SpeechCacheWriter(cache)
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
        if let whole = SpeechFragment(joining: made) { await writer.add(request, whole) }
    }

    /// Writes pending speech to the cache.
    package func flush() async { await writer.flush() }
}

/// Collects speech for the cache, so that some seconds are written at once.
private actor SpeechCacheWriter {
    /// The amount of pending speech that triggers a write, in seconds.
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
        if seconds >= Self.fullAfter { await flush() }
    }

    func flush() async {
        let full = speech
        (speech, seconds) = ([], 0)
        guard !full.isEmpty else { return }
        let cache = cache
        // A separate task finishes even if this one was cancelled; errors are ignored, because the speech can be
        // synthesized again.
        await Task { try? await cache.keep(full) }.value
    }
}
