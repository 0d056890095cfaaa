/// Speaks phrases of one narration, as many at once as its turnstile lets through.
struct PhraseSpeaker: Sendable {
    let voice: Voice
    let speaker: Int
    let prosody: Prosody
    let synthesizer: any SpeechSynthesizer
    let turnstile: Turnstile

    /// Kept of the engine's own silence at either end, in seconds: enough for a soft onset, and no pause.
    private static let margin = 0.02

    /// What `phrase` sounds like, without the engine's silence around it; `nil` when there is nothing to say.
    func speak(_ phrase: PlannedPhrase) async throws -> SpeechFragment? {
        guard !phrase.text.isBlank else { return nil }
        let utterance = Utterance(text: phrase.text, voice: voice.id, speaker: speaker, prosody: prosody)
        return try await turnstile.pass { _ in
            do {
                return try await synthesizer.speech(for: utterance).trimmed(margin: Self.margin)
            } catch SynthesisError.nothingToSay {
                return nil  // marks and symbols that the engine passes over in silence
            }
        }
    }
}
