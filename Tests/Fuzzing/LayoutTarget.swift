#if TESTABLE
internal import EchoText

@testable internal import DocumentReaders

/// Printed pages: lines at impossible positions, and lines at nearly regular ones.
enum LayoutTarget: FuzzTarget {
    private static let words = [
        "and words that fill a line as far as it goes", "The beginning of a sentence.", "divi-", "ded", "1", "12 / 300",
        "xiv", "•", "• an item", "1. an item", "a) an item", "Figure 1: a caption", "*", "1 A note", "Chapter One",
        "日本語", "שלום",
        "soft\u{AD}", "UTF-", "8", "x²", "km2", "—", "A", "Page 3", "column of running text that is long enough", "0.5",
        "",
    ]

    /// The most lines of a page; a dense one has some 500.
    private static let maximumLines = 600

    /// Pages, each with its size and its lines; then the outline.
    static var seeds: [[UInt8]] {
        let column = (0..<20).flatMap { _ in [UInt8]([1, 10, 12, 20, 0]) }
        let columns = (0..<10).flatMap { _ in [UInt8]([1, 10, 0, 20, 25, 1, 150, 12, 20, 25]) }
        let table = (0..<6).flatMap { _ in [UInt8]([1, 10, 0, 20, 3, 1, 150, 14, 20, 26]) }
        let notes: [UInt8] = [1, 10, 12, 20, 21, 3, 2, 1, 10, 200, 12, 13, 1, 10, 12, 12, 0]
        let heads: [UInt8] = [1, 10, 5, 20, 14] + column + [1, 100, 250, 20, 4]
        let odd: [UInt8] = [2] + [UInt8](repeating: 0x40, count: 20) + [4, 2, 0x41, 0x42]
        let pages = [column, columns, table, notes, heads, odd].map { [1, 60, 80] + $0 + [0] }
        return pages + [pages.flatMap(\.self) + [0, 3, 1, 0, 1, 65, 9, 9, 9, 9]]
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        var document = PrintedDocument()
        while input.byte() & 7 != 0, document.pages.count < 40 {
            document.pages.append(page(document.pages.count, from: &input))
        }
        for _ in 0..<input.choice(of: 8) { document.entries.append(entry(from: &input)) }
        guard let text = try? document.text() else { return }
        demand(text.invariantViolation == nil, "\(text.invariantViolation ?? "")")
        demand(text.pages.count == document.pages.count, "each page is there")
    }

    private static func page(_ index: Int, from input: inout FuzzInput) -> PrintedPage {
        var page = PrintedPage(
            index: index,
            width: Float(input.byte()) * 10,
            height: Float(input.byte()) * 10,
            lines: []
        )
        var top: Float = 20
        while page.lines.count < maximumLines {
            switch input.byte() & 7 {
            case 0: return page
            case 1, 5, 7:
                let left = Float(input.byte()) * 2
                let step = Float(input.byte())
                let size = Float(input.byte()) / 2
                let text = words[input.choice(of: words.count)]
                add(
                    text,
                    PrintedBox(left: left, top: top, right: left + size / 2 * Float(text.count), bottom: top + size),
                    size
                )
                top += step
            case 2:
                let box = PrintedBox(
                    left: input.float(),
                    top: input.float(),
                    right: input.float(),
                    bottom: input.float()
                )
                let size = input.float()
                add(input.text(), box, size)
            case 6:
                let (count, right, down) = (Int(input.byte()), Float(input.byte()), Float(input.byte()))
                let last = page.lines.suffix(1 + input.choice(of: 8))
                for step in 1...max(count, 1) where page.lines.count < maximumLines {
                    page.take(last.map { moved($0, right: right * Float(step), down: down * Float(step)) })
                }
            case 3:
                guard let last = page.lines.indices.last else { break }
                let length = page.lines[last].text.utf16.count
                // As a reader of pages reports them: in order, without overlap.
                let start = (page.lines[last].raised.last?.upperBound ?? 0) + Int(input.byte())
                let end = min(start + 1 + input.choice(of: 3), length)
                if start < end { page.lines[last].raised.append(start..<end) }
            default:
                let (size, box) = (Float(input.byte()) / 2, Float(input.byte()) * 2)
                add(
                    input.text(),
                    PrintedBox(left: box, top: top, right: box + size * 8, bottom: top + size),
                    size,
                    isBold: true
                )
                top += size
            }
        }
        return page

        func add(_ text: String, _ box: PrintedBox, _ size: Float, isBold: Bool = false) {
            let shown = text.unicodeScalars.filter { !$0.properties.isWhitespace || $0 == " " }
            let line = String(String.UnicodeScalarView(shown)).trimmed
            guard !line.isEmpty else { return }
            page.take([PrintedLine(text: line, box: box, size: size, isBold: isBold)])
        }
    }

    private static func moved(_ line: PrintedLine, right: Float, down: Float) -> PrintedLine {
        var line = line
        line.box.left += right
        line.box.right += right
        line.box.top += down
        line.box.bottom += down
        return line
    }

    private static func entry(from input: inout FuzzInput) -> PrintedDocument.Entry {
        let (title, level, page) = (input.text(), Int(input.byte()), Int(input.byte()))
        return PrintedDocument.Entry(
            title: title,
            level: level,
            page: page - 1,
            top: input.byte() & 1 == 0 ? nil : input.float()
        )
    }
}
#endif
