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
        let library = try await EspeakLibrary()
        let voice = Voice.ID(rawValue: "espeak/\(language)")
        let synthesizer = EspeakSynthesizer(library: library, watch: EngineWatch(timeout: .seconds(60)))
        _ = try await synthesizer.speech(for: Utterance("a", voice: voice))  // the library learns the voice's sounds
        let identifier = try #require(library.identifier(of: voice))
        #expect(await EspeakPhonemeSpelling.ofVoice(identifier).mnemonics(for: ipa) == mnemonics)
    }
}
