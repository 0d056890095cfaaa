import EchoText
import EchoTextTesting
import Testing
import TextAnalysis

@Suite("Long texts without a full stop", .endsInTime)
struct LongSentenceTests {
    struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let words: Int
        let text: String
    }

    private static let vocabulary = [
        "the", "river", "runs", "past", "an", "old", "mill", "and", "boats", "lie", "still", "while", "birds", "fly",
        "over", "hills", "at", "dawn",
    ]

    private static func chosen(_ count: Int) -> [String] {
        (0..<count).map { vocabulary[($0 * 7 + $0 / 18) % vocabulary.count] }
    }

    private static let samples = [
        Sample(testDescription: "one line", words: 1_500, text: chosen(1_500).joined(separator: " ")),
        Sample(
            testDescription: "commas alone",
            words: 1_500,
            text: (1...300).map { "item \($0) of the list" }.joined(separator: ", ")
        ),
        Sample(
            testDescription: "lines of ten words",
            words: 900,
            text: chosen(900).enumerated().map { $1 + ($0 % 10 == 9 ? "\n" : " ") }.joined()
        ),
    ]

    @Test("are spoken word by word, each once and in order, and no line ends a sentence", arguments: samples)
    func words(_ sample: Sample) async throws {
        let narration = Narration(
            of: StringSource(sample.text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: ICUSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
        let units = Array(sample.text.utf16)
        var found: [String] = []
        var sentences = 0
        for try await passage in narration {
            found += passage.words.map { String(decoding: units[$0.source], as: UTF16.self) }
            sentences = passage.sentence + 1
        }
        #expect(found.count == sample.words)
        #expect(found == sample.text.split { !$0.isLetter && !$0.isNumber }.map { String($0) })
        // A sentence that is longer than 4,096 units is cut.
        #expect(sentences <= units.count / 4_096 + 2)
    }
}
