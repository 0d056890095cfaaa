/// Turns utterances into speech: the port every engine is plugged into.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - calls may overlap; the engine serialises them itself where it must;
/// - a cancelled call throws `CancellationError` within one engine callback and leaves the engine usable;
/// - the same voice always speaks at the same sample rate;
/// - an utterance of any length is spoken in bounded memory, fragment by fragment.
///
/// ```swift
/// try await synthesizer.speak(utterance) { fragment in
///     try await sink.append(fragment.clip)
/// }
/// ```
package protocol SpeechSynthesizer: Sendable {
    /// Voices that can be used right now, in a stable order.
    func voices() async throws -> [Voice]

    /// Speaks `utterance`, and delivers each fragment as soon as it exists.
    ///
    /// The fragments in their order make up the whole utterance; none is empty.
    ///
    /// - Parameters:
    ///   - utterance: What to say.
    ///   - deliver: Receives one fragment; the engine waits for it to return before it delivers the next.
    /// - Throws: ``SynthesisError``, what `deliver` threw, or `CancellationError` when the calling task is cancelled.
    func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws
}

extension SpeechSynthesizer {
    /// Speaks all of `utterance` into one fragment; meant for short utterances.
    package func speech(for utterance: Utterance) async throws -> SpeechFragment {
        var fragments: [SpeechFragment] = []
        try await speak(utterance) { fragments.append($0) }
        guard let whole = SpeechFragment(joining: fragments) else { throw SynthesisError.nothingToSay }
        return whole
    }
}
