import EchoText
import Testing

@Suite("The words of a transcript's text")
struct SpokenWordTests {
    @Test(
        "are divided by white space, and in Chinese and Japanese by characters",
        arguments: [
            ("", []),
            ("  ", []),
            ("Hello, world.", ["Hello,", "world."]),
            ("It's “so” — right?", ["It's", "“so”", "—", "right?"]),
            ("õhtul\u{A0}kell 5", ["õhtul", "kell", "5"]),
            ("今天很好。", ["今", "天", "很", "好。"]),
            ("「はい」と iPhoneで", ["「は", "い」", "と", "iPhone", "で"]),
            ("שלום עולם", ["שלום", "עולם"]),
            ("안녕 하세요", ["안녕", "하세요"]),
            ("e\u{301}te\u{301} 😀 ok", ["e\u{301}te\u{301}", "😀", "ok"]),
        ]
    )
    func words(_ text: String, _ words: [String]) {
        #expect(text.spokenWords.map { String(text.part($0)) } == words)
    }

    @Test(
        "are compared without capitals and punctuation",
        arguments: [
            ("Hello,", "hello"), ("DON'T", "dont"), ("—", ""), ("“5”", "5"), ("Õ", "õ"), ("e\u{301}", "é"),
        ]
    )
    func compared(_ word: String, _ compared: String) {
        #expect(word.comparedWord == compared)
    }

    @Test("without times share their segment's by their lengths, and are estimated")
    func estimated() {
        let segment = TranscriptSegment(time: 10..<20, text: "aaaa aaaa")
        #expect(segment.timedWords.map(\.start) == [10, 15])
        #expect(segment.timedWords.map(\.end) == [15, 20])
        #expect(!segment.timedWords.contains { !$0.isEstimated })
    }

    @Test("keep the times a recognizer gave, and let others lie between them")
    func between() {
        let segment = TranscriptSegment(
            time: 0..<10,
            text: "one two three",
            words: [
                RecognizedWord(source: 0..<3, start: 1, end: 2, confidence: 0.9),
                RecognizedWord(source: 8..<13, start: 4, end: 5, confidence: 0.2),
            ],
            timing: .words
        )
        let words = segment.timedWords
        #expect(words.map(\.start) == [1, 2, 4])
        #expect(words.map(\.end) == [2, 4, 5])
        #expect(words.map(\.isEstimated) == [false, true, false])
        #expect(words.map(\.confidence) == [0.9, nil, 0.2])
    }

    @Test("that a recognizer cut in pieces last from the first piece to the last")
    func pieces() {
        let segment = TranscriptSegment(
            time: 0..<2,
            text: "well-known",
            words: [
                RecognizedWord(source: 0..<4, start: 0, end: 0.5, confidence: 0.9),
                RecognizedWord(source: 5..<10, start: 0.6, end: 1, confidence: 0.4),
            ],
            timing: .tokens
        )
        #expect(segment.timedWords == [RecognizedWord(source: 0..<10, start: 0, end: 1, confidence: 0.4)])
    }
}
