import EchoText
import Testing

@Suite("Several engines as one")
struct CombinedSynthesizerTests {
    private static let rate = 8_000
    private static let natural = Voice.ID(rawValue: "piper/en-calm")
    private static let robotic = Voice.ID(rawValue: "espeak/en-US")

    /// Speaks two breaths, the first of them in two parts, each as loud as the pitch it was asked for.
    private struct Engine: SpeechSynthesizer {
        func voices() -> [Voice] { [] }

        func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
            for (count, continues) in [(10, true), (20, false), (30, false)] {
                let samples = [Float](repeating: Float(utterance.prosody.pitch), count: count)
                let clip = AudioClip(samples: samples, sampleRate: CombinedSynthesizerTests.rate)
                try await deliver(SpeechFragment(clip: clip, marks: [], continues: continues))
            }
        }
    }

    /// The fragments of an utterance; a shifted one has its samples multiplied by the pitch.
    private func fragments(by voice: Voice.ID, pitch: Double) async throws -> [[Float]] {
        let synthesizer = CombinedSynthesizer([.espeakNG: Engine(), .piper: Engine()]) { clip, pitch in
            AudioClip(samples: clip.samples.map { $0 * Float(pitch) }, sampleRate: clip.sampleRate)
        }
        let utterance = Utterance("Words.", voice: voice, prosody: try Prosody(pitch: pitch))
        var fragments: [[Float]] = []
        try await synthesizer.speak(utterance) { fragments.append($0.clip.samples) }
        return fragments
    }

    @Test("shift the sound of an engine without a pitch, each breath as a whole")
    func shifted() async throws {
        let fragments = try await fragments(by: Self.natural, pitch: 2)
        #expect(fragments == [Array(repeating: 2, count: 30), Array(repeating: 2, count: 30)])
    }

    @Test("leave the pitch to an engine that has one")
    func own() async throws {
        let fragments = try await fragments(by: Self.robotic, pitch: 2)
        #expect(fragments == [10, 20, 30].map { Array(repeating: 2, count: $0) })
    }

    @Test("deliver every part at once at the voice's own pitch", arguments: [natural, robotic])
    func unchanged(_ voice: Voice.ID) async throws {
        let fragments = try await fragments(by: voice, pitch: 1)
        #expect(fragments == [10, 20, 30].map { Array(repeating: 1, count: $0) })
    }

    @Test("have no voice of an engine that is not among them")
    func missing() async throws {
        let utterance = Utterance("Words.", voice: Self.natural)
        await #expect(throws: SynthesisError.voiceNotInstalled(Self.natural)) {
            try await CombinedSynthesizer([.espeakNG: Engine()]) { clip, _ in clip }.speak(utterance) { _ in }
        }
    }
}
