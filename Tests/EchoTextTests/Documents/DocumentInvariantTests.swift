import EchoText
import Testing

@Suite("Promises of documents")
struct DocumentInvariantTests {
    private func document(_ notice: DocumentNotice) -> DocumentText {
        let pages = [DocumentPage(number: 1, range: 0..<3)]
        return DocumentText(text: "abc", structure: DocumentStructure(kind: .pdf, pages: pages, notices: [notice]))
    }

    @Test(arguments: [
        DocumentNotice.unreadablePages([1]), .pagesWithoutText([2, 3]), .endsBefore(page: 1), .missingParts(1),
        .replacedCharacters(2), .furtherBooks(1), .guessedEncoding("CP1252"),
        .unknownLetters([1]), .unknownSigns([1]), .onlyRunningLines, .tickedBoxes(1), .unreadForm, .embeddedParts(1),
        .comments(1), .coverNotDrawn,
    ])
    func `are kept by every kind of notice`(notice: DocumentNotice) {
        #expect(document(notice).invariantViolation == nil)
    }

    @Test(
        arguments: [
            ([0..<1, 1..<3], [0, 0.5], true), ([], [], true), ([0..<1, 1..<4], [0, 1], false), ([1..<1], [0], false),
            ([0..<2, 1..<3], [0, 1], false), ([0..<1, 1..<3], [1, 1], false), ([0..<1], [-1], false),
            ([0..<1], [.infinity], false), ([0..<1], [.nan], false),
        ] as [([TextRange], [Double], Bool)]
    )
    func `are kept by captions in order of their times`(sample: ([TextRange], [Double], Bool)) {
        let (ranges, starts, isKept) = sample
        let cues = zip(ranges, starts).map { SubtitleCue(range: $0, start: $1) }
        let pages = [DocumentPage(number: 1, range: 0..<3)]
        let structure = DocumentStructure(kind: .srt, pages: pages, cues: cues)
        #expect((DocumentText(text: "abc", structure: structure).invariantViolation == nil) == isKept)
    }

    @Test(
        arguments: [
            ([0..<1, 1..<3], "de", true), ([], "de", true), ([0..<4], "de", false), ([1..<1], "de", false),
            ([0..<2, 1..<3], "fr", false), ([0..<1], "und", false), ([0..<1], "ger", false), ([0..<1], "", false),
        ] as [([TextRange], String, Bool)]
    )
    func `are kept by passages in order, with the codes of languages`(sample: ([TextRange], String, Bool)) {
        let (ranges, language, isKept) = sample
        let passages = ranges.map { LanguagePassage(range: $0, language: language) }
        let pages = [DocumentPage(number: 1, range: 0..<3)]
        let structure = DocumentStructure(kind: .epub, pages: pages, passages: passages)
        #expect((DocumentText(text: "abc", structure: structure).invariantViolation == nil) == isKept)
    }

    /// Results of a worker that a file has taken over are shown to a person, and used in calculations.
    @Test(arguments: [
        DocumentNotice.endsBefore(page: .min), .endsBefore(page: 0), .unreadablePages([]), .pagesWithoutText([3, -1]),
        .missingParts(0), .replacedCharacters(.min), .furtherBooks(-1), .guessedEncoding(""),
        .unknownLetters([0]), .unknownSigns([]), .tickedBoxes(0), .embeddedParts(0), .comments(0),
        .guessedEncoding("\u{1B}]0;title\u{7}"), .guessedEncoding("one\ntwo"),
    ])
    func `are broken by notices that no reader gives`(notice: DocumentNotice) {
        #expect(document(notice).invariantViolation != nil)
    }
}
