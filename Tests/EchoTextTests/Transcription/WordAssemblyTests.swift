import EchoText
import Testing

@Suite
struct WordAssemblyTests {
    private func speech(_ text: String, _ tokens: [String], every step: Double = 0.5, in seconds: Double = 10)
        -> RecognizedSpeech
    {
        let tokens = tokens.enumerated().map { RecognizedToken(Array($1.utf8), start: Double($0) * step) }
        return RecognizedSpeech(text: text, tokens: tokens, in: seconds)
    }

    private func words(of speech: RecognizedSpeech) -> [String] {
        let units = Array(speech.text.utf16)
        return speech.words.map { String(decoding: units[$0.source], as: UTF16.self) }
    }

    @Test
    func `tokens with leading spaces become words with their signs`() {
        let recognized = speech(
            " And so, my “fellow” friends.",
            [" And", " so", ",", " my", " “", "f", "ellow", "”", " friends", "."]
        )
        #expect(recognized.text == "And so, my “fellow” friends.")
        #expect(words(of: recognized) == ["And", "so,", "my", "“fellow”", "friends."])
        #expect(recognized.words.map(\.start) == [0, 0.5, 1.5, 2.5, 4])
        #expect(recognized.timing == .tokens && recognized.isPossible(in: 10))
    }

    @Test
    func `pieces with the sign of a word's begin become words`() {
        let recognized = speech("good morning", ["▁good", "▁mor", "ning"])
        #expect(words(of: recognized) == ["good", "morning"])
        #expect(recognized.words.map(\.start) == [0, 0.5])
        #expect(recognized.words.map(\.end) == [0.4, 1.4])
    }

    @Test
    func `capitals and signs that only the text has do not matter`() {
        let recognized = speech("Hello, World 5!", ["▁HELLO", "▁WORLD", "▁5"])
        #expect(words(of: recognized) == ["Hello,", "World", "5!"])
    }

    @Test
    func `in scripts without spaces each token is a word`() {
        let recognized = speech("我们去。你好 hello吗", ["我", "们", "去", "你", "好", "hello", "吗"])
        #expect(words(of: recognized) == ["我", "们", "去。", "你", "好", "hello", "吗"])
    }

    @Test
    func `a character whose bytes are in two tokens is one`() {
        let letters = Array("öö on".utf8)
        let cut = [Array(letters[..<1]), Array(letters[1..<4]), Array(letters[4...])]
        let tokens = cut.enumerated().map { RecognizedToken($1, start: Double($0), duration: 0.25, probability: 0.5) }
        let recognized = RecognizedSpeech(text: "öö on", tokens: tokens, in: 3)
        #expect(words(of: recognized) == ["öö", "on"])
        #expect(recognized.words.map(\.start) == [0, 2])
        #expect(recognized.words.map(\.end) == [1.25, 2.25])
        #expect(recognized.words.allSatisfy { abs(($0.confidence ?? 0) - 0.5) < 1e-9 })
    }

    @Test
    func `marks among the tokens are passed over`() {
        let recognized = speech("so", ["<|en|>", "▁so"])
        #expect(words(of: recognized) == ["so"])
        #expect(recognized.words.map(\.start) == [0.5])
    }

    @Test(arguments: [["▁other"], ["▁go", "od"], [], ["<unk>"]])
    func `tokens that are not the text's give no times`(tokens: [String]) {
        let recognized = speech("good day", tokens)
        #expect(recognized == RecognizedSpeech(text: "good day"))
    }

    @Test
    func `times stay within the clip and in order, whatever the tokens say`() {
        let times: [(Double, Double)] = [(1, 9), (0.5, 0.1), (.nan, .nan), (99, 1), (-1, -1)]
        let tokens = zip([" a", " b", " c", " d", " e"], times).map { text, time in
            RecognizedToken(Array(text.utf8), start: time.0, duration: time.1)
        }
        let recognized = RecognizedSpeech(text: "a b c d e", tokens: tokens, in: 2)
        #expect(recognized.words.count == 5)
        #expect(recognized.isPossible(in: 2), "\(recognized)")
    }

    @Test
    func `a word is in the passages of its tokens, within the clip`() {
        let tokens = [(" go", 0..<2.0), ("od", 2..<3.0), (" day", 3..<9.0)].map { text, passage in
            RecognizedToken(Array(text.utf8), start: passage.lowerBound, passage: passage)
        }
        let recognized = RecognizedSpeech(text: "good day", tokens: tokens, in: 4)
        let passages: [Range<Double>?] = [0..<3, 3..<4]
        #expect(recognized.words.map(\.passage) == passages)
        #expect(recognized.isPossible(in: 4) && !recognized.isPossible(in: 3.9))
        #expect(speech("good day", [" good", " day"]).words.allSatisfy { $0.passage == nil })
    }

    @Test
    func `nothing heard is nothing`() {
        #expect(speech("  ", [" "]) == RecognizedSpeech(text: ""))
        #expect(speech("…", ["…"]) == RecognizedSpeech(text: "…"))
        #expect(RecognizedSpeech(text: "a", tokens: [RecognizedToken([0xFF], start: 0)], in: 1).words.isEmpty)
    }
}
