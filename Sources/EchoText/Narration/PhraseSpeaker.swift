/// What a phrase sounds like: the speech, and the silence after it.
struct SpokenPhrase: Sendable {
    var clip: AudioClip
    /// In the order they are heard.
    let marks: [SpeechFragment.Mark]
    /// How many samples of the clip are speech; none when there was nothing to say.
    let speech: Int
}

/// Speaks phrases of one narration, as many at once as its turnstile lets through.
struct PhraseSpeaker: Sendable {
    let voice: Voice
    let speaker: Int
    let prosody: Prosody
    let synthesizer: any SpeechSynthesizer
    let turnstile: Turnstile

    /// Kept of the engine's own silence at either end, in seconds: enough for a soft onset, and no pause.
    private static let margin = 0.02

    /// What `phrase` sounds like, with its own pause instead of the engine's silence.
    func speak(_ phrase: PlannedPhrase) async throws -> SpokenPhrase {
        let silent = SpeechFragment(clip: AudioClip(samples: [], sampleRate: voice.sampleRate), marks: [])
        return try await Self.pausing(speech(for: phrase) ?? silent, for: phrase.pauseAfter)
    }

    private func speech(for phrase: PlannedPhrase) async throws -> SpeechFragment? {
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

    /// A long sentence is over a megabyte: it is extended here, where as a rule nobody else holds it.
    private static func pausing(_ fragment: consuming SpeechFragment, for seconds: Double) -> SpokenPhrase {
        var clip = fragment.clip
        let marks = fragment.marks
        fragment.clip.samples = []
        let speech = clip.samples.count
        let silence = Int((seconds * Double(clip.sampleRate)).rounded())
        clip.samples.reserveCapacity(speech + silence)
        clip.samples.append(contentsOf: repeatElement(0, count: silence))
        return SpokenPhrase(clip: clip, marks: marks, speech: speech)
    }
}
