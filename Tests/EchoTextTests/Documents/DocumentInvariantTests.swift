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
    ])
    func `are kept by every kind of notice`(notice: DocumentNotice) {
        #expect(document(notice).invariantViolation == nil)
    }

    /// Results of a worker that a file has taken over are shown to a person, and used in calculations.
    @Test(arguments: [
        DocumentNotice.endsBefore(page: .min), .endsBefore(page: 0), .unreadablePages([]), .pagesWithoutText([3, -1]),
        .missingParts(0), .replacedCharacters(.min), .furtherBooks(-1), .guessedEncoding(""),
        .unknownLetters([0]), .unknownSigns([]), .tickedBoxes(0), .embeddedParts(0),
        .guessedEncoding("\u{1B}]0;title\u{7}"), .guessedEncoding("one\ntwo"),
    ])
    func `are broken by notices that no reader gives`(notice: DocumentNotice) {
        #expect(document(notice).invariantViolation != nil)
    }
}
