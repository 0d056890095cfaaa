import Foundation
import Testing

@testable import SpeechEngines

@Suite("Whisper's tokens")
struct WhisperVocabularyTests {
    /// Single bytes first, then what is made of them, as Whisper has them.
    private static let pieces =
        (0..<256).map { [UInt8($0)] } + ["he", "ll", " he", "llo", " hello", " Echo"].map { Array($0.utf8) }

    private func vocabulary(count: Int = 270) throws -> WhisperVocabulary {
        let lines = Self.pieces.enumerated().map { "\(Data($1).base64EncodedString()) \($0)" }
        return try #require(WhisperVocabulary(Data((lines.joined(separator: "\n") + "\n").utf8), count: count))
    }

    @Test
    func `are bytes, and only together a text`() throws {
        let tokens = try vocabulary()
        #expect(tokens.bytes(of: 260) == Array(" hello".utf8))
        #expect(tokens.bytes(of: 269).isEmpty && tokens.bytes(of: 4_000).isEmpty && tokens.bytes(of: -1).isEmpty)
        #expect(tokens.text(of: [260, 0xC3, 0xB5]) == " helloõ", "a character of two tokens")
        #expect(tokens.text(of: [0xC3]) == " ", "half of one")
        #expect(tokens.text(of: [0x41, 0x0A, 0x1B, 0x42]) == "A  B", "controls")
        #expect(tokens.text(of: [265]).isEmpty, "no text")
    }

    @Test
    func `of a text are joined as far as they go`() throws {
        let tokens = try vocabulary()
        #expect(tokens.tokens(of: "hello", before: 262) == [260])
        #expect(tokens.tokens(of: "  hello \n hello", before: 262) == [260, 260])
        #expect(tokens.tokens(of: "hell", before: 262) == [258, 257])
        #expect(tokens.tokens(of: "hello!", before: 262) == [260, 0x21])
        #expect(tokens.tokens(of: "õ", before: 262) == [0x20, 0xC3, 0xB5])
        #expect(tokens.tokens(of: "hello", before: 256) == Array(" hello".utf8).map { Int($0) }, "only bytes")
        #expect(tokens.tokens(of: " \n", before: 262).isEmpty)
    }

    @Test
    func `are read from lines with any end, and with numbers in any order`() throws {
        let text = "aGU= 3\r\n\r\n+/8= 0\r\n 5\r\nYWJjZGVm 1"
        let tokens = try #require(WhisperVocabulary(Data(text.utf8), count: 270))
        #expect(tokens.bytes(of: 3) == Array("he".utf8))
        #expect(tokens.bytes(of: 0) == [0xFB, 0xFF])
        #expect(tokens.bytes(of: 1) == Array("abcdef".utf8))
        #expect(tokens.bytes(of: 5).isEmpty && tokens.bytes(of: 7).isEmpty)
    }

    @Test(arguments: [
        "", "x", "!!! 3", "aGU= 9000", "aGU= x", "aGU 3", "a=== 3", "aG=U 3", "=aGU 3", "aGU- 3", "aG\u{E9} 3",
        "aGU= 99999999999999999999",
    ])
    func `other files are none`(text: String) {
        #expect(WhisperVocabulary(Data(text.utf8), count: 270) == nil)
    }

    // MARK: - Metadata

    private static let metadata = [
        "model_type": "whisper-tiny", "n_mels": "80", "n_text_layer": "4", "n_text_state": "384", "n_text_ctx": "448",
        "n_vocab": "51865", "sot": "50258", "eot": "50257", "sot_prev": "50361", "transcribe": "50359",
        "no_speech": "50362", "no_timestamps": "50363", "non_speech_tokens": "1,2,7, 50300", "is_multilingual": "1",
        "all_language_codes": "en,et", "all_language_tokens": "50259,50307",
    ]

    @Test
    func `and its measures are in its metadata`() throws {
        let facts = try #require(WhisperFacts(Self.metadata))
        #expect((facts.bands, facts.layers, facts.width, facts.context) == (80, 4, 384, 448))
        #expect(facts.vocabulary == 51_865)
        #expect(facts.tokens.stamps == 50_364..<51_865 && facts.tokens.unspoken == [1, 2, 7])
        #expect(facts.tokens.languages == ["en": 50_259, "et": 50_307])
        let english = try #require(WhisperFacts(Self.metadata.merging(["is_multilingual": "0"]) { $1 }))
        #expect(english.tokens.languages.isEmpty)
    }

    @Test(
        arguments: [
            ("model_type", "paraformer"), ("n_mels", "0"), ("n_text_layer", "x"),
            ("n_text_state", "99999999999999999999"),
            ("n_vocab", "10"), ("sot", "-1"), ("eot", "60000"), ("no_timestamps", "51864"), ("eot", "50363"),
            ("all_language_tokens", "50259"), ("all_language_tokens", "50259,70000"),
        ]
    )
    func `which is not believed where it cannot be`(key: String, value: String) {
        #expect(WhisperFacts(Self.metadata.merging([key: value]) { $1 }) == nil)
        #expect(WhisperFacts(Self.metadata.filter { $0.key != "n_text_ctx" }) == nil)
    }

    @Test
    func `whose measures need more memory than the largest Whisper's are not believed`() {
        func facts(_ layers: Int, _ width: Int, _ context: Int) -> WhisperFacts? {
            let own = ["n_text_layer": "\(layers)", "n_text_state": "\(width)", "n_text_ctx": "\(context)"]
            return WhisperFacts(Self.metadata.merging(own) { $1 })
        }
        #expect(facts(32, 1_280, 448) != nil)
        #expect(facts(128, 16_384, 4_096) == nil && facts(128, 16_384, 64) == nil)
    }
}
