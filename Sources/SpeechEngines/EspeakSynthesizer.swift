package import EchoText

/// Speaks with espeak-ng's own voices: small, robotic, always available.
///
/// Word times are espeak-ng's own, exact to the sample.
package struct EspeakSynthesizer: SpeechSynthesizer {
    /// Most UTF-16 units given to the library at once, about a minute of speech; a cancelled call stops much sooner.
    private static let longestPhrase = 800

    private let engine: any Phonemizer

    /// - Parameter engine: espeak-ng, in this or another process.
    package init(engine: any Phonemizer) {
        self.engine = engine
    }

    package func voices() async throws -> [Voice] { try await engine.introduction().voices }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard !utterance.text.isBlank else { throw SynthesisError.nothingToSay }
        guard utterance.speaker == 0 else {
            throw SynthesisError.noSuchSpeaker(utterance.speaker, of: utterance.voice, count: 1)
        }
        var spoke = false
        for phrase in utterance.text.phrases(longest: Self.longestPhrase) where !phrase.isBlank {
            try Task.checkCancellation()
            let speech = try await engine.speech(of: phrase, by: utterance.voice, prosody: utterance.prosody)
            guard !speech.samples.isEmpty else { continue }
            spoke = true
            try await deliver(speech.fragment)
        }
        guard spoke else { throw SynthesisError.nothingToSay }
    }
}
