/// A piece of a phrase's sound: speech, and after its last piece the silence that follows.
struct SpokenPiece: Sendable {
    /// The speech; empty when there was nothing to say.
    let clip: AudioClip
    /// In order of time.
    let marks: [SpeechFragment.Mark]
    /// How many samples of silence follow.
    let silence: Int
    /// Whether the phrase ends with it.
    let isLast: Bool
    /// Why it was not said, when the engine's process ended over it.
    var fault: SynthesisError?
}

/// Synthesizes the phrases of one narration, as many at once as its semaphore permits.
struct PhraseSpeaker: Sendable {
    let voice: Voice
    let speaker: Int
    let prosody: Prosody
    let synthesizer: any SpeechSynthesizer
    let semaphore: PrioritySemaphore

    /// Kept of the engine's own silence at either end, in seconds: enough for a soft onset, and no pause.
    private static let margin = 0.02

    /// Speaks `phrase`, with its own pause instead of the engine's silence.
    func speak(_ phrase: PlannedPhrase) async throws -> SpokenPiece {
        var fragments: [SpeechFragment] = []
        let fault = try await fragmentsOf(phrase) { fragments.append($0) }
        let whole = SpeechFragment(joining: fragments)?.trimmed(margin: Self.margin)
        return pausing(whole, for: phrase.pauseAfter, fault)
    }

    /// The same in stretches, each as soon as the engine has made it.
    ///
    /// - Returns: The stretches, and the task that makes them, which the caller has to end.
    func pieces(
        of phrase: PlannedPhrase
    ) -> (pieces: AsyncThrowingStream<SpokenPiece, any Error>, job: Task<Void, Never>) {
        let (pieces, listener) = AsyncThrowingStream.makeStream(
            of: SpokenPiece.self,
            bufferingPolicy: .unbounded  // It holds one phrase, whose length is bounded.
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
        // The last fragment is held back, because the end of the phrase gets the pause; so are leading fragments
        // without sound.
        var held: SpeechFragment?
        var passed = 0
        let fault = try await fragmentsOf(phrase) { fragment in
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
        deliver(pausing(last, for: phrase.pauseAfter, fault))
    }

    /// - Returns: Why the phrase was not said, when the engine's process ended over it.
    private func fragmentsOf(
        _ phrase: PlannedPhrase,
        take: (SpeechFragment) async throws -> Void
    ) async throws -> SynthesisError? {
        guard !phrase.text.isBlank else { return nil }
        let utterance = Utterance(text: phrase.text, voice: voice.id, speaker: speaker, prosody: prosody)
        return try await semaphore.pass { _ in
            do {
                try await synthesizer.speak(utterance, deliver: take)
                return nil
            } catch SynthesisError.nothingToSay {
                return nil  // marks and symbols that the engine passes over in silence
            } catch let error as SynthesisError {
                guard case .engineDied = error else { throw error }
                return error
            }
        }
    }

    /// Makes the piece of a fragment that others follow, `passed` samples after the start of the phrase.
    private func going(_ fragment: SpeechFragment, after passed: inout Int) -> SpokenPiece {
        defer { passed += fragment.clip.samples.count }
        let begun = fragment.trimmed(start: passed == 0, end: false, margin: Self.margin)
        return SpokenPiece(clip: begun.clip, marks: begun.marks, silence: 0, isLast: false)
    }

    /// Makes the last piece of a phrase, or the only one of a phrase without sound.
    private func pausing(_ fragment: SpeechFragment?, for seconds: Double, _ fault: SynthesisError?) -> SpokenPiece {
        let clip = fragment?.clip ?? AudioClip(samples: [], sampleRate: voice.sampleRate)
        let silence = Int((seconds * Double(clip.sampleRate)).rounded())
        return SpokenPiece(clip: clip, marks: fragment?.marks ?? [], silence: silence, isLast: true, fault: fault)
    }
}
