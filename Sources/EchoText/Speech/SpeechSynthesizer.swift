/// Turns utterances into speech: the port of all engines.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - calls may overlap; the engine serialises them itself where it must;
/// - a cancelled call throws `CancellationError` within one engine callback and leaves the engine usable;
/// - the same voice always speaks at the same sample rate;
/// - an utterance of any length is synthesized in bounded memory, fragment by fragment.
///
/// ```swift
/// try await synthesizer.speak(utterance) { fragment in
///     try await sink.append(fragment.clip)
/// }
/// ```
package protocol SpeechSynthesizer: Sendable {
    /// Voices that can be used right now, in a stable order.
    func voices() async throws -> [Voice]

    /// Synthesizes `utterance`, and delivers each fragment as soon as it exists.
    ///
    /// The fragments are in order, cover the whole utterance, and are not empty.
    ///
    /// - Parameters:
    ///   - utterance: The utterance.
    ///   - deliver: Receives one fragment; the engine waits for it to return before it delivers the next.
    /// - Throws: ``SynthesisError``, what `deliver` threw, or `CancellationError` when the calling task is cancelled.
    func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws
}

extension SpeechSynthesizer {
    /// Synthesizes `utterance` into a single fragment; meant for short utterances.
    package func speech(for utterance: Utterance) async throws -> SpeechFragment {
        var fragments: [SpeechFragment] = []
        try await speak(utterance) { fragments.append($0) }
        guard let whole = SpeechFragment(joining: fragments) else { throw SynthesisError.nothingToSay }
        return whole
    }
}

/// A text to speak in one voice: usually a sentence, or a part of a long one.
package struct Utterance: Sendable, Hashable {
    package let text: SpokenText
    package let voice: Voice.ID
    /// Which of the voice's people says it, from 0.
    package let speaker: Int
    package let prosody: Prosody

    package init(text: SpokenText, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.text = text
        self.voice = voice
        self.speaker = speaker
        self.prosody = prosody
    }

    package init(_ text: String, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.init(text: SpokenText(written: text), voice: voice, speaker: speaker, prosody: prosody)
    }
}
