import EchoText
import Foundation
import Testing

@testable import DocumentReaders

@Suite("Text from right to left")
struct ReadingDirectionTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../Fixtures/right-to-left")
        .standardizedFileURL

    @Test(arguments: ["hebrew", "arabic"])
    func `of a printed page is read whole, each line and column from its right`(name: String) async throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).pdf"))
        let written = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
        let document = try await LocalDocumentReader().read(DocumentFile(name: "a.pdf", bytes: bytes))
        let words = document.text.split(whereSeparator: \.isWhitespace)
        #expect(words == written.split(whereSeparator: \.isWhitespace))
        #expect(document.blocks(.heading) == written.split(separator: "\n").prefix(1).map(String.init))
    }

    @Test func `of a column beside one from the left is read whole, and so is that`() async throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "beside.pdf"))
        let written = try String(contentsOf: Self.folder.appending(path: "beside.txt"), encoding: .utf8)
        let document = try await LocalDocumentReader().read(DocumentFile(name: "a.pdf", bytes: bytes))
        let words = document.text.split(whereSeparator: \.isWhitespace)
        #expect(words == written.split(whereSeparator: \.isWhitespace))
        #expect(document.notices.isEmpty)
    }

    @Test func `is not held up by places that no page has`() {
        #expect([-1.5, 0.4, 2.5, 1e8].map { Float($0).nearestWhole } == [-2, 0, 3, 100_000_000])
        for place in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e19, -1e19] {
            #expect(place.nearestWhole == 0)
        }
    }

    private func line(_ text: String, raised: [Range<Int>] = []) -> PrintedLine {
        PrintedLine(
            text: text,
            box: PrintedBox(left: 0, top: 0, right: 100, bottom: 10),
            size: 10,
            isBold: false,
            raised: raised
        )
    }

    static let lines: [(visual: String, isRightToLeft: Bool, logical: String)] = [
        (".והד Harbour Light גבא", true, "אבג Harbour Light דהו."), ("הנבנ 1984 תנשב", true, "בשנת 1984 נבנה"),
        ("דבלב Windows 10 םע", true, "עם Windows 10 בלבד"), (".12.50 ריחמה", true, "המחיר 12.50."),
        ("Harbour Light 12.", true, "Harbour Light 12."),
        ("the words םלוע םולש, spoken", false, "the words שלום עולם, spoken"),
        ("in םולש 12 םלוע it", false, "in עולם 12 שלום it"), (".םולש", false, "שלום."),
        ("plain (words)", false, "plain (words)"),
    ]

    @Test(arguments: lines)
    func `is brought into reading order`(sample: (visual: String, isRightToLeft: Bool, logical: String)) {
        let order = ReadingDirection(isRightToLeft: sample.isRightToLeft)
        #expect(order.logical(line(sample.visual)).text == sample.logical)
    }

    @Test func `keeps its raised characters, and turns brackets that are given as they look`() {
        var order = ReadingDirection(isRightToLeft: true)
        let note = order.logical(line("םיה 12לא", raised: [4..<6]))
        #expect(note.text == "אל12 הים" && note.raised == [2..<4])
        let visual = line("(b) (הובגה) שדח")
        #expect(ReadingDirection.areBracketsTurned(in: [order.logical(visual).text]))
        order.mirrorsBrackets = true
        #expect(order.logical(visual).text == "חדש (הגבוה) (b)")
        #expect(!ReadingDirection.areBracketsTurned(in: [order.logical(visual).text]))
    }
}
