/// Turns utterances into speech: the port every engine is plugged into.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - calls may overlap; the engine serialises them itself where it must;
/// - a cancelled call throws `CancellationError` within one engine callback and leaves the engine usable;
/// - the same voice always speaks at the same sample rate;
/// - an utterance of any length is spoken in bounded memory, fragment by fragment.
package protocol SpeechSynthesizer: Sendable {
    /// Voices that can be used right now, in a stable order.
    func voices() async throws -> [Voice]

    /// Speaks `utterance`, handing on each fragment as soon as it exists.
    ///
    /// The fragments, one after another, are the whole utterance; none is empty.
    ///
    /// - Parameters:
    ///   - utterance: What to say.
    ///   - deliver: Takes one fragment; the engine waits for it before it hands on the next.
    /// - Throws: ``SynthesisError``, what `deliver` threw, or `CancellationError` when the calling task is cancelled.
    func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws
}

extension SpeechSynthesizer {
    /// The whole of `utterance` in one fragment; for short ones.
    package func speech(for utterance: Utterance) async throws -> SpeechFragment {
        var fragments: [SpeechFragment] = []
        try await speak(utterance) { fragments.append($0) }
        guard let whole = SpeechFragment(joining: fragments) else { throw SynthesisError.nothingToSay }
        return whole
    }
}
