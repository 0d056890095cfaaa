/// Changes the pitch of voices whose engine cannot.
package struct PitchShiftingSynthesizer: SpeechSynthesizer {
    private let engine: any SpeechSynthesizer
    private let shift: @Sendable (AudioClip, Double) async throws -> AudioClip

    /// - Parameters:
    ///   - engine: The engine, which always gets pitch 1.
    ///   - shift: Returns a clip at a multiple of its frequency, 0.5 to 2 (2 is an octave up), with as many samples; throws
    ///     `CancellationError` when the calling task is cancelled.
    package init(
        _ engine: any SpeechSynthesizer,
        shift: @escaping @Sendable (AudioClip, Double) async throws -> AudioClip
    ) {
        self.engine = engine
        self.shift = shift
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
            shifted.clip = try await shift(shifted.clip, pitch)
            try await deliver(shifted)
        }
    }
}
