import EchoText
import EchoTextTesting
import Testing
import TextAnalysis

@Suite("ICU segmenter")
struct ICUSegmenterTests {
    private let segmenter = ICUSegmenter()

    @Test("keeps the contract in every script", arguments: scriptSamples)
    func contract(_ sample: (language: String, text: String)) {
        verifyContract(of: segmenter, text: sample.text, language: sample.language)
        verifyContract(of: segmenter, text: sample.text + "\n\n" + sample.text, language: sample.language)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let language: String
        let sentences: [String]
        var testDescription: String { "\(language): \(sentences.joined(separator: "|"))" }

        init(_ language: String, _ sentences: String...) {
            self.language = language
            self.sentences = sentences
        }
    }

    static let examples: [Example] = [
        .init("en", "Mr. Jones came. ", "He sat down."),
        .init("en", "Dr. Smith is in. ", "Prof. Lee is not."),
        .init("en", "“Really?” she asked. ", "He nodded."),
        .init("en", "I read J. R. R. Tolkien. ", "So do you."),
        .init("en", "It is so, e.g. Here and there."),
        .init("en", "See Fig. 3 and Vol. 2. ", "They help."),
        .init("en", "He lives at No. 7 Park St. now. ", "See p. 12 of it."),
        .init("en", "Is it so? ", "No. ", "It is not."),
        .init("en", "It cost 3.50 dollars. ", "Too much!"),
        .init("en", "So did I. ", "Then we went."),
        .init("en", "Stop! ", "Who goes there? ", "A friend."),
        .init("en", "no stop at the end"),
        .init("et", "Ta tuli 21. novembril. ", "Me ootasime."),
        .init("et", "Tule kell 14.30. ", "Ootan sind."),
        .init("et", "Dr. Tamm ja prof. Kask tulid. ", "Kõik olid kohal."),
        .init("de", "Am 3. Mai regnet es. ", "Dann nicht mehr."),
        .init("de", "Dr. Müller kommt, z.B. Heute. ", "Gut."),
        .init("de", "Das ist z. B. Absicht. ", "Gut."),
        .init("es", "Vive en EE. UU. ", "Es feliz."),
        .init("fr", "M. Dupont arrive. ", "Il est tard."),
        .init("es", "El Sr. García llegó. ", "¿Qué tal?"),
        .init("ru", "Привет! ", "Как дела?"),
        .init("zh", "你好。", "今天好吗？", "很好。"),
        .init("ja", "元気ですか？", "はい。"),
        .init("hi", "नमस्ते। ", "आप कैसे हैं?"),
        .init("xx", "An unknown language. ", "It works."),
    ]

    @Test("finds sentences", arguments: examples)
    func sentences(_ example: Example) {
        let text = example.sentences.joined()
        let units = Array(text.utf16)
        let found = segmenter.sentences(in: text, language: example.language)
            .map { String(decoding: units[$0], as: UTF16.self) }
        #expect(found == example.sentences)
    }

    @Test(
        "finds words",
        arguments: [
            ("en", "Don't stop, it's 3.5 km!", ["Don't", "stop", "it's", "3.5", "km"]),
            ("et", "Tere, õhtu!", ["Tere", "õhtu"]),
            ("th", "สวัสดีชาวโลก", ["สวัสดี", "ชาว", "โลก"]),
            ("en", "… — !", []),
        ] as [(String, String, [String])]
    )
    func words(_ language: String, _ text: String, _ expected: [String]) {
        let units = Array(text.utf16)
        let found = segmenter.words(in: text, language: language).map { String(decoding: units[$0], as: UTF16.self) }
        #expect(found == expected)
    }

    @Test("serves many callers at once")
    func overlap() async {
        let text = "One sentence. Another one? Yes! And Dr. Who."
        let expected = segmenter.sentences(in: text, language: "en")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { segmenter.sentences(in: text, language: "en") == expected }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("joins a hundred thousand empty lines in no more than linear work")
    func emptyLines() {
        let text = String(repeating: "\n", count: 100_000) + "End."
        #expect(segmenter.sentences(in: text, language: "en") == [0..<text.utf16.count])
    }

    @Test("cuts a text without marks in no more than linear work")
    func withoutMarks() {
        let text = String(repeating: "word ", count: 200_000)
        #expect(segmenter.sentences(in: text, language: "en") == [0..<text.utf16.count])
    }
}
