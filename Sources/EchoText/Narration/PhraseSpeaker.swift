/// A stretch of what a phrase sounds like: speech, and after its last stretch the silence that follows it.
struct SpokenPiece: Sendable {
    var clip: AudioClip
    /// In the order they are heard.
    let marks: [SpeechFragment.Mark]
    /// How many samples of the clip are speech; none when there was nothing to say.
    let speech: Int
    /// Whether the phrase ends with it.
    let isLast: Bool
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
    func speak(_ phrase: PlannedPhrase) async throws -> SpokenPiece {
        var fragments: [SpeechFragment] = []
        try await fragmentsOf(phrase) { fragments.append($0) }
        let silent = SpeechFragment(clip: AudioClip(samples: [], sampleRate: voice.sampleRate), marks: [])
        let whole = SpeechFragment(joining: fragments)?.trimmed(margin: Self.margin)
        return pausing(whole ?? silent, for: phrase.pauseAfter)
    }

    /// The same in stretches, each as soon as the engine has made it.
    ///
    /// - Returns: The stretches, and the work that makes them, which whoever asked for it ends.
    func pieces(
        of phrase: PlannedPhrase
    ) -> (pieces: AsyncThrowingStream<SpokenPiece, any Error>, job: Task<Void, Never>) {
        let (pieces, listener) = AsyncThrowingStream.makeStream(
            of: SpokenPiece.self,
            bufferingPolicy: .unbounded  // all of one phrase, whose length is bounded
        )
        let job = Task {
            do {
                try await stretches(of: phrase) { listener.yield($0) }
                listener.finish()
            } catch {
                listener.finish(throwing: error)
            }
        }
        return (pieces, job)
    }

    private func stretches(of phrase: PlannedPhrase, deliver: (SpokenPiece) -> Void) async throws {
        // What ends a breath is held back: the last of all ends with the pause. So is a beginning in which nothing is heard yet.
        var held: SpeechFragment?
        var passed = 0
        try await fragmentsOf(phrase) { fragment in
            var fragment = fragment
            if let before = held {
                held = nil
                if passed == 0, before.clip.soundRange().isEmpty {
                    let continues = fragment.continues
                    fragment = SpeechFragment(joining: [before, fragment]) ?? fragment
                    fragment.continues = continues
                } else {
                    deliver(going(before, after: &passed))
                }
            }
            if fragment.continues, passed > 0 || !fragment.clip.soundRange().isEmpty {
                deliver(going(fragment, after: &passed))
            } else {
                held = fragment
            }
        }
        let last = held?.trimmed(start: passed == 0, margin: Self.margin, offset: passed)
        let silent = SpeechFragment(clip: AudioClip(samples: [], sampleRate: voice.sampleRate), marks: [])
        deliver(pausing(last ?? silent, for: phrase.pauseAfter))
    }

    private func fragmentsOf(_ phrase: PlannedPhrase, take: (SpeechFragment) async throws -> Void) async throws {
        guard !phrase.text.isBlank else { return }
        let utterance = Utterance(text: phrase.text, voice: voice.id, speaker: speaker, prosody: prosody)
        try await turnstile.pass { _ in
            do {
                try await synthesizer.speak(utterance, deliver: take)
            } catch SynthesisError.nothingToSay {
                // Marks and symbols that the engine passes over in silence.
            }
        }
    }

    /// A fragment that others follow, `passed` samples after the beginning of the phrase.
    private func going(_ fragment: SpeechFragment, after passed: inout Int) -> SpokenPiece {
        defer { passed += fragment.clip.samples.count }
        let begun = fragment.trimmed(start: passed == 0, end: false, margin: Self.margin)
        return SpokenPiece(clip: begun.clip, marks: begun.marks, speech: begun.clip.samples.count, isLast: false)
    }

    /// A long sentence is over a megabyte: it is extended here, where as a rule nobody else holds it.
    private func pausing(_ fragment: consuming SpeechFragment, for seconds: Double) -> SpokenPiece {
        var clip = fragment.clip
        let marks = fragment.marks
        fragment.clip.samples = []
        let speech = clip.samples.count
        let silence = Int((seconds * Double(clip.sampleRate)).rounded())
        clip.samples.reserveCapacity(speech + silence)
        clip.samples.append(contentsOf: repeatElement(0, count: silence))
        return SpokenPiece(clip: clip, marks: marks, speech: speech, isLast: true)
    }
}
