package import Foundation
import Synchronization

/// Makes the speech that is not in a cache, and measures the real-time factor of its engine meanwhile.
///
/// Only the engine's own working time counts, so neither a slow listener nor cached speech changes the figure. The
/// first utterance does not count, since the voice may have to be loaded for it. Errors of the cache are ignored.
package struct CachingSynthesizer: SpeechSynthesizer {
    private let engine: any SpeechSynthesizer
    private let cache: (any SpeechCache)?
    private let writer: SpeechCacheWriter?
    private let version: @Sendable (Voice.ID) async -> String?
    private let meter: RealTimeFactorMeter

    /// - Parameters:
    ///   - engine: Makes the speech.
    ///   - cache: Where speech is kept; `nil` to make all of it.
    ///   - version: Returns the version of a voice and its engine; without one, speech is not cached.
    ///   - clock: Measures the working time.
    package init(
        _ engine: any SpeechSynthesizer,
        cache: (any SpeechCache)?,
        version: @escaping @Sendable (Voice.ID) async -> String? = { _ in nil },
        clock: any Clock<Duration>
    ) {
        self.engine = engine
        self.cache = cache
        writer = cache.map { SpeechCacheWriter($0) }
        self.version = version
        meter = RealTimeFactorMeter(clock: clock)
    }

    /// Seconds of speech that the engine makes in a second of work; `nil` before there is enough speech to measure.
    package var speed: Double? { meter.speed }

    package func voices() async throws -> [Voice] { try await engine.voices() }

    package func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        guard let cache, let version = await version(utterance.voice) else {
            return try await make(utterance, deliver: deliver)
        }
        let request = SpeechRequest(utterance, version: version)
        if let kept = try? await cache.speech(for: request) { return try await deliver(kept) }
        var made: [SpeechFragment] = []
        try await make(utterance) { fragment in
            made.append(fragment)
            try await deliver(fragment)
        }
        // Stored speech does not say what it lacks, which is reported each time.
        guard let whole = SpeechFragment(joining: made), whole.unknown.isEmpty else { return }
        await writer?.add(request, whole)
    }

    /// Has the engine speak, and measures it.
    private func make(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        meter.begin()
        var sound = 0.0
        defer { meter.end(sound) }
        try await engine.speak(utterance) { fragment in
            sound += Double(fragment.clip.samples.count) / Double(fragment.clip.sampleRate)
            try await deliver(fragment)
        }
    }

    /// Writes pending speech to the cache.
    package func flush() async { await writer?.flush() }
}

/// How much speech was made, and how long someone was at it.
private final class RealTimeFactorMeter: Sendable {
    private struct State {
        /// How many utterances are being spoken.
        var speaking = 0
        /// Since when someone speaks without a break.
        var since = Duration.zero
        var work = Duration.zero
        /// The duration of the sound, in seconds.
        var sound = 0.0
        var isWarm = false
    }

    /// The least speech for a measurement, in seconds.
    private static let measuredSound = 10.0

    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    init(clock: any Clock<Duration>) {
        elapsed = clock.stopwatch()
    }

    var speed: Double? {
        state.withLock { state in
            let seconds = state.work / .seconds(1)
            return state.sound >= Self.measuredSound && seconds > 0 ? state.sound / seconds : nil
        }
    }

    func begin() {
        let now = elapsed()
        state.withLock { state in
            if state.speaking == 0 { state.since = now }
            state.speaking += 1
        }
    }

    func end(_ sound: Double) {
        let now = elapsed()
        state.withLock { state in
            state.speaking -= 1
            if state.isWarm {
                state.sound += sound
                state.work += now - state.since
            }
            state.since = now
            state.isWarm = true
        }
    }
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
            moved.marks[index].source = source.moved(by: distance)
        }
        return moved
    }
}
