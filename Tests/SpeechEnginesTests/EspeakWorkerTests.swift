import EchoText
import EchoTextTesting
import Foundation
import SpeechEngines
import Testing
import Workers

@Suite("espeak-ng in a worker", .endsInTime)
struct EspeakWorkerTests {
    private let english = Voice.ID(rawValue: "espeak/en-US")

    @Test func `keeps the contract of an engine`() async throws {
        let workers = Fixtures.workers()
        try await verifyContract(of: EspeakSynthesizer(engine: workers))
        await workers.endAll()
    }

    @Test func `writes and says what it does in process`() async throws {
        let (workers, others, own) = (Fixtures.workers(), Fixtures.workers(), try await EspeakEngine())
        #expect(try await workers.introduction() == own.introduction())
        let texts = ["Hello, world! 3.50 dollars; U.S. troops…", "", "hello", "(Yes) — “Done”."]
        #expect(try await workers.phonemes(of: texts, in: "en-us") == own.phonemes(of: texts, in: "en-us"))
        let phrase = SpokenText(pieces: [
            .init(.written("Héllo wörld, "), source: 10..<23), .init(.words("nineteen"), source: 23..<25),
            .init(.phonemes("həlˈoʊ"), source: 26..<31),
        ])
        let speech = try await workers.speech(of: phrase, by: english, prosody: .natural)
        #expect(speech.sampleRate == 22_050)
        // The engine of this process speaks for other tests and keeps state from what it has spoken, so the sound is compared
        // with that of another process, which has done the same.
        #expect(try await others.phonemes(of: texts, in: "en-us") == workers.phonemes(of: texts, in: "en-us"))
        #expect(try await others.speech(of: phrase, by: english, prosody: .natural) == speech)
        #expect(speech.marks.map(\.source) == [10..<15, 16..<21, 23..<25, 26..<31])
        await workers.endAll()
        await others.endAll()
    }

    @Test func `is ended by a word of too many phonemes, which takes nothing else with it`() async throws {
        let workers = Fixtures.workers()
        let deadly = SpokenText(pieces: [.init(.phonemes(String(repeating: "ə", count: 400)), source: 0..<4)])
        let synthesizer = EspeakSynthesizer(engine: workers)
        async let before = synthesizer.speech(for: Utterance("Before it.", voice: english)).clip.seconds
        async let after = workers.phonemes(of: ["after"], in: "en-us")
        await #expect(throws: SynthesisError.engineDied(.espeakNG)) {
            try await workers.speech(of: deadly, by: english, prosody: .natural)
        }
        #expect(try await before > 0.3)
        #expect(try await after == ["ˈæftɚ"])
        #expect(try await synthesizer.speech(for: Utterance("After it.", voice: english)).clip.seconds > 0.3)
        await workers.endAll()
    }
}
