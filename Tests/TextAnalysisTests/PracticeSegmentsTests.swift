import EchoText
import EchoTextTesting
import Synchronization
import Testing
import TextAnalysis

@Suite("Practice segments")
struct PracticeSegmentsTests {
    private func segments(
        of source: any TextSource,
        _ language: String = "en",
        by granularity: PracticeSettings.Granularity = .sentence
    ) -> PracticeSegments {
        PracticeSegments(
            of: source,
            language: language,
            by: granularity,
            segmenter: ICUSegmenter(),
            preparation: TextPreparation(language: language)
        )
    }

    private func all(
        _ text: String,
        _ language: String = "en",
        by granularity: PracticeSettings.Granularity = .sentence
    ) async throws -> [PracticeSegment] {
        try await segments(of: StringSource(text), language, by: granularity).segments(from: 1, count: .max)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let language: String
        let sentences: [String]
        var testDescription: String { language }
    }

    static let examples: [Example] = [
        Example(
            language: "en",
            sentences: ["Dr. Smith came at 5 p.m. today.", "“Really?” she asked.", "It cost $3.50!"]
        ),
        Example(language: "et", sentences: ["Ta tuli 21. novembril.", "Dr. Tamm ootas kell 14.30.", "Õues on külm."]),
        Example(language: "de", sentences: ["Dr. Müller kam am 3. Mai heim.", "Es regnete.", "Schöne Grüße!"]),
        Example(language: "fr", sentences: ["M. Dupont arrive.", "Il est tard !", "Et vous ?"]),
        Example(language: "es", sentences: ["El Sr. García llegó.", "¿Qué tal?", "¡Muy bien!"]),
        Example(language: "fi", sentences: ["Hyvää huomenta kaikille.", "Mitä kuuluu?", "Kiitos, hyvää."]),
        Example(language: "ru", sentences: ["Привет, мир!", "Как дела?", "Хорошо."]),
        Example(language: "el", sentences: ["Καλημέρα κόσμε.", "Είμαι καλά!"]),
        Example(language: "ar", sentences: ["مرحبا بالعالم.", "كيف حالك؟", "أنا بخير!"]),
        Example(language: "he", sentences: ["שלום עולם.", "מה שלומך?", "אני בסדר!"]),
        Example(language: "hi", sentences: ["नमस्ते दुनिया।", "आप कैसे हैं?", "मैं ठीक हूँ।"]),
        Example(language: "zh", sentences: ["你好，世界。", "今天天气怎么样？", "很好！"]),
        Example(language: "ja", sentences: ["こんにちは、世界。", "元気ですか？", "はい！"]),
        Example(language: "ko", sentences: ["안녕하세요, 세계.", "잘 지내세요?", "네!"]),
    ]

    @Test("SP2: are the sentences of many languages", arguments: examples)
    func sentences(_ example: Example) async throws {
        let isSpaced = !["zh", "ja"].contains(example.language)
        let text = example.sentences.joined(separator: isSpaced ? " " : "")
        let found = try await all(text, example.language)
        #expect(found.map(\.text) == example.sentences)
        #expect(found.map(\.number) == Array(1...example.sentences.count))
        let units = Array(text.utf16)
        #expect(found.map { String(decoding: units[$0.source], as: UTF16.self) } == example.sentences)
    }

    @Test("SP3: are the paragraphs of many languages", arguments: examples)
    func paragraphs(_ example: Example) async throws {
        let paragraph = example.sentences.joined(separator: " ")
        let found = try await all("\(paragraph)\n\n\(paragraph)\n", example.language, by: .paragraph)
        #expect(found.map(\.text) == [paragraph, paragraph])
        #expect(found.map(\.paragraph) == [1, 2])
    }

    @Test("have the numbers of their paragraphs, and leave out what nothing is said for")
    func structure() async throws {
        let text = "A title\n\nOne. Two\nlines.\n\n* * *\n\n[pause:2s]\n\nThree."
        let found = try await all(text)
        #expect(found.map(\.text) == ["A title", "One.", "Two lines.", "Three."])
        #expect(found.map(\.paragraph) == [1, 2, 2, 3])
        #expect(found.map(\.isHeading) == [true, false, false, false])
        #expect(try await all(text, by: .paragraph).map(\.text) == ["A title", "One. Two lines.", "Three."])
    }

    @Test("are none in a text without words", arguments: ["", " \n\n ", "* * *", "—"])
    func nothing(_ text: String) async throws {
        let segments = segments(of: StringSource(text))
        #expect(try await segments.segments(from: 1, count: 5).isEmpty)
        #expect(await segments.isComplete)
    }

    @Test("SP8: are cut only as far as they are asked for")
    func laziness() async throws {
        let book = CountedSource()
        let segments = segments(of: book)
        #expect(try await segments.segments(from: 1, count: 3).count == 3)
        #expect(book.pieces <= 2)
        #expect(await !segments.isComplete)
        #expect(try await segments.segment(100)?.number == 100)
        #expect(book.pieces < 40)
    }

    @Test("are found by their place in the text")
    func places() async throws {
        let segments = segments(of: StringSource("One. Two. Three."))
        for (unit, number) in [(0, 1), (3, 1), (4, 2), (6, 2), (12, 3), (99, 3)] {
            #expect(try await segments.number(at: unit) == number, "\(unit)")
        }
    }

    @Test("are the same for many who ask at once")
    func together() async throws {
        let segments = segments(of: CountedSource())
        let answers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask { try await segments.segments(from: 1, count: 60).map(\.number) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == Array(1...60) })
    }
}

/// A book without end, in pieces of three sentences.
private final class CountedSource: TextSource {
    private let count = Mutex(0)

    var pieces: Int { count.withLock(\.self) }

    var length: Int? { nil }

    func next() async throws -> String? {
        count.withLock { $0 += 1 }
        return "The keeper sleeps. Waves come in. It is night.\n\n"
    }
}
