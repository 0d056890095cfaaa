/// Changes the pitch of voices whose engine cannot.
package struct PitchShiftingSynthesizer: SpeechSynthesizer {
    private let engine: any SpeechSynthesizer
    private let shifter: any PitchShifter

    /// - Parameters:
    ///   - engine: The engine, which always gets pitch 1.
    ///   - shifter: Raises or lowers the pitch of its speech.
    package init(_ engine: any SpeechSynthesizer, shifter: any PitchShifter) {
        self.engine = engine
        self.shifter = shifter
    }

    package func voices() async throws -> [Voice] { try await engine.voices() }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        let pitch = utterance.prosody.pitch
        guard pitch != 1 else { return try await engine.speak(utterance, deliver: deliver) }
        let natural = Utterance(
            text: utterance.text,
            voice: utterance.voice,
            speaker: utterance.speaker,
            prosody: try utterance.prosody.pitched(1)
        )
        // Shifted apart, the parts of a breath would not meet without a click.
        var breath: [SpeechFragment] = []
        try await engine.speak(natural) { fragment in
            breath.append(fragment)
            guard !fragment.continues, var shifted = SpeechFragment(joining: breath) else { return }
            breath = []
            shifted.clip = try await shifter.shift(shifted.clip, by: pitch)
            try await deliver(shifted)
        }
    }
}

/// Raises or lowers a voice without changing how long it speaks.
package protocol PitchShifter: Sendable {
    /// The clip at `ratio` times its frequency (2 is an octave up), with exactly as many samples as before.
    ///
    /// - Parameters:
    ///   - clip: Any length, also empty.
    ///   - ratio: 0.5 to 2; 1 returns the clip unchanged.
    /// - Returns: As many samples as `clip` has, at its rate.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func shift(_ clip: AudioClip, by ratio: Double) async throws -> AudioClip
}
