package import Foundation

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

/// The identity of a request to an engine, different for anything that sounds different: the words after all rules, the voice, speed and
/// pitch, and the engine's version.
package struct SpeechRequest: Sendable, Hashable {
    package let utterance: Utterance
    /// The version of the engine and the voice's model.
    package let version: String

    package init(_ utterance: Utterance, version: String) {
        self.utterance = utterance
        self.version = version
    }

    /// The utterance's start in the whole text, which does not influence the sound.
    package var start: Int { utterance.text.pieces.first?.source.lowerBound ?? 0 }

    /// The same bytes for the same request, wherever it is in a text.
    package var canonical: Data {
        var bytes = Data("echotext speech 1".utf8)
        func add(_ text: String) {
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text.utf8)
        }
        add(version)
        add(utterance.voice.rawValue)
        let prosody = utterance.prosody
        add("\(utterance.speaker) \(prosody.speed) \(prosody.pitch) \(prosody.liveliness) \(prosody.rhythm)")
        for piece in utterance.text.pieces {
            let (kind, text) =
                switch piece.content {
                case .written(let text): ("written", text)
                case .words(let text): ("words", text)
                case .phonemes(let text): ("phonemes", text)
                }
            add("\(kind) \(piece.source.lowerBound - start) \(piece.source.count)")
            add(text)
        }
        return bytes
    }
}

/// A cache of speech, so that a text with small changes is not synthesized again as a whole.
///
/// Its size is bounded; the least recently used speech is evicted first. `verifyContract(of:)` in `EchoTextTesting`
/// checks that lookups return the stored speech, to a 16-bit sample, with its marks moved to the position of the
/// request.
package protocol SpeechCache: Sendable {
    /// Returns `nil` if the speech was never stored or was evicted.
    func speech(for request: SpeechRequest) async throws -> SpeechFragment?

    /// Keeps speech, all of it together.
    func keep(_ speech: [(request: SpeechRequest, fragment: SpeechFragment)]) async throws

    /// The size of the stored sound, in bytes.
    func size() async throws -> Int

    func clear() async throws
}

extension SpeechFragment {
    /// Returns the speech with its marks moved by `distance` UTF-16 units.
    package func moved(by distance: Int) -> SpeechFragment {
        var moved = self
        for index in moved.marks.indices {
            let source = moved.marks[index].source
            moved.marks[index].source = source.lowerBound + distance..<source.upperBound + distance
        }
        return moved
    }
}
