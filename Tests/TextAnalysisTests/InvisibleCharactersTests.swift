import EchoText
import Testing
import TextAnalysis

@Suite("Characters that nobody sees")
struct InvisibleCharactersTests {
    private static let clean =
        "The particular gardeners are usually efficient multiplication teachers. Ten thousand people met Mr. Gray at half "
        + "past nine. A coffee costs five euros."
    private static let dirty =
        "\u{FEFF}The par\u{AD}tic\u{AD}u\u{AD}lar gardeners are usu\u{200B}al\u{200B}ly effi\u{2060}cient "
        + "multi\u{FEFF}pli\u{200D}cation teachers. Ten thousand people met Mr.\u{A0}Gray at half\u{202F}past nine. "
        + "\u{202A}A cof\u{200C}fee\u{202C} costs five\u{3000}euros."

    private func sentences(_ text: String) async throws -> [PlannedSentence] {
        var plan = NarrationPlan(
            of: StringSource(text),
            language: "en-US",
            segmenter: ICUSegmenter(),
            preparation: TextPreparation(language: "en-US"),
            pauses: NarrationSettings.Pauses()
        )
        var sentences: [PlannedSentence] = []
        while let chunk = try await plan.nextChunk() { sentences += chunk }
        return sentences
    }

    @Test("change neither the sentences nor the words nor what is said")
    func changeNothing() async throws {
        let plain = try await sentences(Self.clean)
        let odd = try await sentences(Self.dirty)
        #expect(plain.map(\.words.count) == [8, 10, 5])
        #expect(odd.map(\.words.count) == [8, 10, 5])
        #expect(odd.map { Self.saying($0) } == plain.map { Self.saying($0) })
    }

    @Test("belong to the word around them")
    func belongToWords() async throws {
        let units = Array(Self.dirty.utf16)
        let words = try await sentences(Self.dirty).flatMap(\.words).map { String(decoding: units[$0], as: UTF16.self) }
        #expect(words.contains { $0.utf16.elementsEqual("par\u{AD}tic\u{AD}u\u{AD}lar".utf16) })
        #expect(words.contains { $0.utf16.elementsEqual("usu\u{200B}al\u{200B}ly".utf16) })
        #expect(words.contains("half") && words.contains("past"))
    }

    private static func saying(_ sentence: PlannedSentence) -> String {
        sentence.phrases.flatMap(\.pieces).map { piece in
            switch piece.content {
            case .written(let text), .words(let text), .phonemes(let text): text
            }
        }.joined()
    }
}
