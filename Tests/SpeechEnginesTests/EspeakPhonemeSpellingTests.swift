import EchoText
import Testing

@testable import SpeechEngines

@Suite("espeak-ng's spelling of phonemes")
struct EspeakPhonemeSpellingTests {
    @Test(
        "leaves out no sound that the voice has",
        arguments: [
            ("en-US", "θˈɪŋ", "T'IN"), ("en-US", "vˈɪʒən", "v'IZ@n"), ("et", "tˈerɛ", "t'ere"),
            ("de", "bˈyːçɜ", "b'y:C3"), ("fr-FR", "fˈij", "f'ij"),
        ]
    )
    func spelling(_ language: String, _ ipa: String, _ mnemonics: String) async throws {
        let engine = try await EspeakEngine()
        let voice = Voice.ID(rawValue: "espeak/\(language)")
        // The library learns the voice's sounds.
        _ = try await EspeakSynthesizer(engine: engine).speech(for: Utterance("a", voice: voice))
        let identifier = try #require(engine.voices.identifier(of: voice))
        let spelling = await EspeakPhonemeSpelling.ofVoice(identifier, by: engine.library)
        #expect(spelling.mnemonics(for: ipa) == mnemonics)
    }
}
