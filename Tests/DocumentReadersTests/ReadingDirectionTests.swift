import EchoText
import EchoTextTesting
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

    /// The operators that draw a line from right to left, of letters 6 points wide, with the given text matrix.
    private static func drawn(_ text: String, _ matrix: String) -> String {
        let codes = text.unicodeScalars.reversed().map { scalar in
            let digits = String(scalar.value, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "BT /S 10 Tf \(matrix) Tm <\(codes.joined())> Tj ET\n"
    }

    private static func drawn(_ text: String, right: Int, y: Int) -> String {
        drawn(text, "1 0 0 1 \(right - 6 * text.unicodeScalars.count) \(y)")
    }

    private func words(_ content: String) async throws -> [Substring] {
        let page = WrittenPDF(content: content, fonts: "/S 100 0 R", further: PDFAddedTextTests.silentFont)
        return try await LocalDocumentReader().read(page.file).text.split { !$0.isLetter }
    }

    @Test func `is found where each line stands alone`() async throws {
        let lines = Self.drawn("המגדלור בחורף", right: 160, y: 344) + Self.drawn("מאת דוד", right: 530, y: 250)
        #expect(try await words(lines) == ["המגדלור", "בחורף", "מאת", "דוד"])
    }

    @Test(arguments: UInt64(1)...40)
    func `is read whole of blocks anywhere on a page`(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        var written: [String] = []
        var content = ""
        for cell in 0..<15 where cell == 0 || Int.random(in: 0..<5, using: &numbers) < 2 {
            let right = 200 + 190 * (cell % 3) - Int.random(in: 0...60, using: &numbers)
            let top = 740 - 140 * (cell / 3) - Int.random(in: 0...20, using: &numbers)
            for row in 0..<Int.random(in: 1...5, using: &numbers) {
                var line: [String] = []
                for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                    let number = written.count
                    let places = [number / 64, number / 8 % 8, number % 8]
                    line.append(String(places.map { Character(Unicode.Scalar(0x5D0 + UInt16($0)) ?? "?") }))
                    written.append(line[line.count - 1])
                }
                content += Self.drawn(line.joined(separator: " "), right: right, y: top - 14 * row)
            }
        }
        #expect(try await words(content).map(String.init).sorted() == written.sorted())
    }

    @Test func `has words that are one glyph with their letters in order`() async throws {
        let letters = """
            begincmap /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange
            2 beginbfrange <0600> <06ff> <0600> <0020> <0020> <0020> endbfrange
            1 beginbfchar <0041> <0627064406440647> endbfchar endcmap
            """
        var font = PDFAddedTextTests.silentFont
        font[0] = font[0].replacing("/DescendantFonts", with: "/ToUnicode 102 0 R/DescendantFonts")
        font.append("<</Length \(letters.utf8.count)>>stream\n\(letters)\nendstream")
        let page = WrittenPDF(
            // All letters of this font are equally wide. Lam and alef are no ligature, as they stand alone elsewhere.
            content: Self.drawn("بسم A الرحمن سلم باب", right: 500, y: 700),
            fonts: "/S 100 0 R",
            further: font
        )
        let document = try await LocalDocumentReader().read(page.file)
        #expect(document.text == "بسم الله الرحمن سلم باب")
    }

    private static let story = [
        "המגדלור עומד על החוף כבר", "מאה שנים והאור שלו נראה", "בכל לילה מן הים הרחוק", "עד שהבוקר בא על ההרים",
    ]

    /// The text matrix of a line of `length` letters, the first of them at the right when the page is turned upright.
    private static func matrix(_ turn: TextTurn, line: Int, length: Int) -> String {
        switch turn {
        case .upright: "1 0 0 1 \(500 - 6 * length) \(700 - 14 * line)"
        case .upwards: "0 1 -1 0 \(100 + 14 * line) \(500 - 6 * length)"
        case .downwards: "0 -1 1 0 \(500 - 14 * line) \(100 + 6 * length)"
        case .upsideDown: "-1 0 0 -1 \(100 + 6 * length) \(100 + 14 * line)"
        }
    }

    @Test(arguments: TextTurn.allCases)
    func `is brought into order however it is turned on its page`(turn: TextTurn) async throws {
        let lines = Self.story.enumerated().map { number, line in
            Self.drawn(line, Self.matrix(turn, line: number, length: line.unicodeScalars.count))
        }
        #expect(try await words(lines.joined()) == Self.story.flatMap { $0.split(separator: " ") })
    }

    @Test func `is read with a line beside it that is turned`() async throws {
        let lines = Self.story.enumerated().map { Self.drawn($1, right: 500, y: 700 - 14 * $0) }
        let stamp = "BT /F 9 Tf 0 1 -1 0 30 300 Tm (Printed in the harbour) Tj ET\n"
        let page = WrittenPDF(
            content: lines.joined() + stamp,
            fonts: "/S 100 0 R",
            further: PDFAddedTextTests.silentFont
        )
        let document = try await LocalDocumentReader().read(page.file)
        let spoken = document.cut().split { !$0.isLetter }
        #expect(spoken == Self.story.flatMap { $0.split(separator: " ") } + ["Printed", "in", "the", "harbour"])
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
