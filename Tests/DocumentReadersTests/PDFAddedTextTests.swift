import EchoText
import Foundation
import Synchronization
import Testing

@testable import DocumentReaders

@Suite("Text added to a PDF")
struct PDFAddedTextTests {
    private let reader = LocalDocumentReader()

    private static func label(_ text: String, y: Int) -> String { "BT /F 10 Tf 54 \(y) Td (\(text)) Tj ET\n" }

    private static func field(_ rest: String, y: Int) -> String {
        "<</Type/Annot/Subtype/Widget/T(f\(y))/Rect[250 \(y - 5) 500 \(y + 15)]/F 4\(rest)>>"
    }

    private static func note(_ words: String, flags: Int = 4) -> String {
        "<</Type/Annot/Subtype/FreeText/Rect[54 500 400 560]/F \(flags)/DA(/F 10 Tf)/Contents(\(words))>>"
    }

    @Test func `is read beside the label of each field, and ticked boxes are counted`() async throws {
        let form = WrittenPDF(
            content: Self.label("Name", y: 700) + Self.label("Town", y: 670) + Self.label("Secret", y: 640)
                + Self.label("Agreed", y: 610) + Self.label("Remarks", y: 580),
            annotations: [
                Self.field("/FT/Tx/V(None so far)", y: 580), Self.field("/FT/Btn/V/Yes/AS/Yes", y: 610),
                Self.field("/FT/Tx/Ff 8192/V(hidden)", y: 640),
                Self.field("/FT/Ch/Ff 131072/Opt[(Harbour hill)(Barley field)]/V(Barley field)", y: 670),
                Self.field("/FT/Tx/V(Lantern keeper)", y: 700),
            ]
        )
        let document = try await reader.read(form.file)
        let words = document.text.split { !$0.isLetter }
        #expect(
            words.joined(separator: " ")
                == "Name Lantern keeper Town Barley field Secret Agreed Remarks None so far"
        )
        #expect(document.notices == [.tickedBoxes(1)])
    }

    @Test func `is enough for a document to have text`() async throws {
        let form = WrittenPDF(annotations: [Self.field("/FT/Tx/V(Lantern keeper)", y: 700)])
        #expect(try await reader.read(form.file).text == "Lantern keeper")
        let note = WrittenPDF(annotations: [Self.note("The lantern is lit."), Self.note("Unseen.", flags: 2)])
        let document = try await reader.read(note.file)
        #expect(document.text == "The lantern is lit." && document.notices.isEmpty)
        // Another program shows of this note only what is in its drawing.
        let drawn = WrittenPDF(annotations: [Self.note("The lantern is lit."), Self.note(""), Self.note("", flags: 2)])
        #expect(try await reader.read(drawn.file).notices == [.embeddedParts(1)])
    }

    private static func mark(_ kind: String, flags: Int = 4) -> String {
        let place = "/Rect[54 696 400 712]/QuadPoints[54 712 400 712 54 696 400 696]"
        return "<</Type/Annot/Subtype/\(kind)\(place)/F \(flags)/Contents(Unheard.)>>"
    }

    @Test func `leaves out the comments and highlights of readers, and counts those that are seen`() async throws {
        let kinds = ["Text", "Highlight", "Underline", "Squiggly", "StrikeOut", "Caret"]
        let popup = "<</Type/Annot/Subtype/Popup/Rect[400 600 500 700]/F 4>>"
        let link = "<</Type/Annot/Subtype/Link/Rect[54 696 400 712]/F 4/A<</S/URI/URI(https://example.org)>>>>"
        let pdf = WrittenPDF(
            content: Self.label("The lantern is lit.", y: 700),
            annotations: kinds.map { Self.mark($0) } + [Self.mark("Highlight", flags: 2), popup, link]
        )
        let document = try await reader.read(pdf.file)
        #expect(document.text == "The lantern is lit.")
        #expect(document.notices == [.comments(6)])
        #expect(document.notices.first?.message == "6 comments and highlights were not read.")
    }

    @Test func `of many lines is read from top to bottom`() async throws {
        let note = WrittenPDF(
            content: Self.label("Above all of it.", y: 700) + Self.label("Below all of it.", y: 400),
            annotations: [Self.note("The first line of the note is here,\\rand the second below it.")]
        )
        let words = try await reader.read(note.file).text.split(whereSeparator: \.isWhitespace)
        #expect(
            words.joined(separator: " ")
                == "Above all of it. The first line of the note is here, and the second below it. Below all of it."
        )
    }

    /// The operators that write text upright at a displayed position of a rotated page.
    private static func shown(_ text: String, x: Int, y: Int, turned degrees: Int) -> String {
        let matrix =
            switch degrees {
            case 90: "0 1 -1 0 \(612 - y) \(x)"
            case 180: "-1 0 0 -1 \(612 - x) \(792 - y)"
            case 270: "0 -1 1 0 \(y) \(792 - x)"
            default: "1 0 0 1 \(x) \(y)"
            }
        return "BT /F 10 Tf \(matrix) Tm (\(text)) Tj ET\n"
    }

    /// A field from 250 to 450 points from the left of the displayed page.
    private static func shownField(_ words: String, y: Int, turned degrees: Int) -> String {
        let (low, high) = (y - 5, y + 15)
        let box =
            switch degrees {
            case 90: "\(612 - high) 250 \(612 - low) 450"
            case 180: "\(612 - 450) \(792 - high) \(612 - 250) \(792 - low)"
            case 270: "\(low) \(792 - 450) \(high) \(792 - 250)"
            default: "250 \(low) 450 \(high)"
            }
        return "<</Type/Annot/Subtype/Widget/T(g\(y))/Rect[\(box)]/F 4/FT/Tx/V(\(words))>>"
    }

    @Test(arguments: [0, 90, 180, 270])
    func `is read beside its label on a page that is turned to be shown`(degrees: Int) async throws {
        let rows = [("Name", "Lantern keeper", 500), ("Town", "Barley field", 460), ("Trade", "None so far", 420)]
        let form = WrittenPDF(
            content: rows.map { Self.shown($0.0, x: 54, y: $0.2, turned: degrees) }.joined(),
            annotations: rows.reversed().map { Self.shownField($0.1, y: $0.2, turned: degrees) },
            page: "/Rotate \(degrees)"
        )
        let words = try await reader.read(form.file).text.split { !$0.isLetter }
        #expect(words.joined(separator: " ") == "Name Lantern keeper Town Barley field Trade None so far")
    }

    @Test func `is read beside its label where the text runs upwards on its page`() async throws {
        // The page is that of the test before, but no program turns it.
        let rows = [("Name", "Lantern keeper", 500), ("Town", "Barley field", 460), ("Trade", "None so far", 420)]
        let form = WrittenPDF(
            content: rows.map { Self.shown($0.0, x: 54, y: $0.2, turned: 90) }.joined(),
            annotations: rows.reversed().map { Self.shownField($0.1, y: $0.2, turned: 90) }
        )
        let words = try await reader.read(form.file).text.split { !$0.isLetter }
        #expect(words.joined(separator: " ") == "Name Lantern keeper Town Barley field Trade None so far")
    }

    @Test func `is read beside its label on a page from right to left`() async throws {
        // The font's glyph numbers equal the letters' code points, drawn from left to right.
        func label(_ letters: String, y: Int) -> String {
            let codes = letters.unicodeScalars.reversed().map { "0" + String($0.value, radix: 16) }.joined()
            return "BT /S 10 Tf 500 \(y) Td <\(codes)> Tj ET\n"
        }
        let form = WrittenPDF(
            content: label("מגדלור", y: 700) + label("ספינה", y: 660) + label("לילה", y: 620),
            fonts: "/S 100 0 R",
            annotations: [Self.field("/FT/Tx/V(10)", y: 620), Self.field("/FT/Tx/V(20)", y: 700)],
            further: Self.silentFont
        )
        let words = try await reader.read(form.file).text.split { !$0.isLetter && !$0.isNumber }
        #expect(words == ["מגדלור", "20", "ספינה", "לילה", "10"])
    }

    @Test func `is not read from fields that are not seen`() async throws {
        let form = WrittenPDF(
            content: Self.label("Name", y: 700),
            annotations: [
                Self.field("/FT/Tx/V(Lantern keeper)", y: 700),
                Self.field("/FT/Tx/V(concealed)", y: 660).replacing("/F 4", with: "/F 2"),
                Self.field("/FT/Tx/V(unviewed)", y: 620).replacing("/F 4", with: "/F 32"),
                Self.field("/FT/Btn/V/Yes/AS/Yes", y: 580).replacing("/F 4", with: "/F 2"),
            ]
        )
        let document = try await reader.read(form.file)
        #expect(document.text.split { !$0.isLetter } == ["Name", "Lantern", "keeper"] && document.notices.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is read of a turned page that has thousands of fields`() async throws {
        let empty = (0..<4_000).map { number in
            let (x, y) = (5 + number % 80 * 7, 5 + number / 80 * 15)
            return "<</Type/Annot/Subtype/Widget/T(e\(number))/Rect[\(x) \(y) \(x + 5) \(y + 9)]/F 4/FT/Tx>>"
        }
        let form = WrittenPDF(
            content: Self.shown("Name", x: 54, y: 500, turned: 90),
            annotations: empty + [
                Self.shownField("Lantern keeper", y: 500, turned: 90),
                Self.shownField("concealed", y: 460, turned: 90).replacing("/F 4", with: "/F 2"),
            ],
            page: "/Rotate 90"
        )
        let words = try await reader.read(form.file).text.split { !$0.isLetter }
        #expect(words == ["Name", "Lantern", "keeper"])
    }

    @Test func `of a high field for many lines begins at its top`() async throws {
        let form = WrittenPDF(
            content: Self.label("In the middle", y: 450),
            annotations: [
                "<</Type/Annot/Subtype/Widget/T(a)/Rect[250 300 500 600]/F 4/FT/Tx/Ff 4096/V(The remarks)>>"
            ]
        )
        let words = try await reader.read(form.file).text.split { !$0.isLetter }
        #expect(words.joined(separator: " ") == "The remarks In the middle")
    }

    @Test func `of forms that are not read is reported`() async throws {
        var form = WrittenPDF(
            content: Self.label("Please open this with another program.", y: 700),
            form: "/XFA 100 0 R"
        )
        #expect(try await reader.read(form.file).notices == [.unreadForm])
        // Forms that both kinds of readers know have fields.
        form.annotations = [Self.field("/FT/Tx/V(Lantern keeper)", y: 600)]
        #expect(try await reader.read(form.file).notices.isEmpty)
        let waiting = WrittenPDF(
            content: Self.label("Please wait...", y: 700) + Self.label("It needs Adobe Reader 8 or higher.", y: 680)
        )
        #expect(try await reader.read(waiting.file).notices == [.unreadForm])
    }

    @Test func `that is only ticked boxes, or drawn as outlines, asks for recognition`() async throws {
        let ticked = WrittenPDF(annotations: [Self.field("/FT/Btn/V/Yes/AS/Yes", y: 610)])
        await #expect(throws: DocumentError.noText) { try await reader.read(ticked.file) }
        let outlines = WrittenPDF(content: "100 600 m 120 650 l 140 600 l f\n")
        await #expect(throws: DocumentError.noText) { try await reader.read(outlines.file) }
        let white = WrittenPDF(content: "1 1 1 rg 0 0 612 792 re f\n")
        await #expect(throws: DocumentError.blank) { try await reader.read(white.file) }
    }

    @Test func `of pages that have none is looked for in drawings, each reported before it is drawn`() async throws {
        let begun = Mutex<[Int]>([])
        let reader = LocalDocumentReader { page in begun.withLock { $0.append(page) } }
        let outlines = WrittenPDF(content: "100 600 m 120 650 l 140 600 l f\n")
        await #expect(throws: DocumentError.noText) { try await reader.read(outlines.file) }
        let pages = begun.withLock(\.self)
        #expect(pages == [1, 1])
    }

    /// A font that names glyphs by number and does not say which letters they are.
    static let silentFont = [
        "<</Type/Font/Subtype/Type0/BaseFont/Silent/Encoding/Identity-H/DescendantFonts[101 0 R]>>",
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/Silent/DW 600/CIDSystemInfo"
            + "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
    ]
}
