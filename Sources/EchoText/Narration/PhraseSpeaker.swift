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
                return Self.trimmed(try await synthesizer.speech(for: utterance))
            } catch SynthesisError.nothingToSay {
                return nil  // marks and symbols that the engine passes over in silence
            }
        }
    }

    private static func trimmed(_ fragment: SpeechFragment) -> SpeechFragment {
        let sound = fragment.clip.soundRange()
        guard !sound.isEmpty else { return fragment }
        let margin = Int(margin * Double(fragment.clip.sampleRate))
        let kept = max(0, sound.lowerBound - margin)..<min(fragment.clip.samples.count, sound.upperBound + margin)
        guard kept.count < fragment.clip.samples.count else { return fragment }
        return SpeechFragment(
            clip: AudioClip(samples: Array(fragment.clip.samples[kept]), sampleRate: fragment.clip.sampleRate),
            marks: fragment.marks.map { mark in
                var mark = mark
                let inside = mark.samples.clamped(to: kept)
                mark.samples = inside.lowerBound - kept.lowerBound..<inside.upperBound - kept.lowerBound
                return mark
            }
        )
    }
}
