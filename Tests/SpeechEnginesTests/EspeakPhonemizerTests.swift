import EchoText
import Testing

@testable import SpeechEngines

@Suite("espeak-ng's phonemes")
struct EspeakPhonemizerTests {
    private func phonemes(_ text: String, _ language: String) async throws -> String {
        try await EspeakEngine().phonemes(of: [text], in: language).joined()
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let language: String
        let text: String
        let marks: String
        var testDescription: String { "\(language): \(text)" }

        init(_ language: String, _ text: String, _ marks: String) {
            self.language = language
            self.text = text
            self.marks = marks
        }
    }

    static let examples: [Example] = [
        .init("en-us", "Hello, world! How are you? (Yes) — “Done”. 3.50 dollars... U.S. troops; end", ",!?,..;"),
        .init("en-us", "Hello.\r\nWorld!\r\n", ".!"),
        .init("en-us", "no mark at the end", ""),
        .init("en-us", "He said: “Go!” and left", ":!"),
        .init("en-us", "Hi, é, e\u{301}, yes", ",,,"),
        .init("en-us", "a\0b\0.", "."),
        .init("en-us", ". , ?", ""),
        .init("es", "¡Hola! ¿Qué tal? Dime, ¿vienes? Sí; no: tal vez", "!?,?;:"),
        .init("fr-fr", "Il dit « bonjour », puis : rien ! Ah ?", ",:!?"),
        .init("el", "Καλημέρα, κόσμε. Τι κάνεις; Είμαι καλά! Ναι\u{37E} όχι.", ",.?!?."),
        .init("ar", "مرحبا، بالعالم. كيف حالك؟ أنا بخير؛ شكرا!", ",.?;!"),
        .init("hi", "नमस्ते दुनिया। आप कैसे हैं? मैं ठीक हूँ।", ".?."),
    ]

    @Test("keep the mark of each clause, once", arguments: examples)
    func marks(_ example: Example) async throws {
        let written = try await phonemes(example.text, example.language)
        #expect(written.filter { ".,;:!?".contains($0) } == example.marks, "in “\(written)”")
    }

    @Test("keep their words whatever controls stand between them")
    func controls() async throws {
        #expect(try await phonemes("hello\u{1}0A there", "en-us") == phonemes("hello 0A there", "en-us"))
    }
}
