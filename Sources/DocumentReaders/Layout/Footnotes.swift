/// Finds the footnotes of a column: the small print at its foot.
enum Footnotes {
    /// - Parameters:
    ///   - rows: The rows of one column, from top to bottom.
    ///   - bodySize: The size of the document's text, in points.
    ///   - height: The height of the page.
    /// - Returns: The number of rows at the end that are footnotes.
    static func count(in rows: [PrintedRow], bodySize: Float, height: Float) -> Int {
        let small = rows.reversed().prefix { $0.size < 0.93 * bodySize }.count
        let start = rows.count - small
        guard small > 0, start > 0, small * 2 <= rows.count + 4 else { return 0 }
        let first = rows[start]
        guard first.box.top > 0.4 * height, first.box.top > rows[start - 1].box.middle else { return 0 }
        if starts(first) { return small }
        let gap = first.box.top - rows[start - 1].box.bottom
        return gap > 0.5 * bodySize && !first.text.hasPrefix("Fig") && !first.text.hasPrefix("Tab") ? small : 0
    }

    /// Whether the row starts with a footnote's number or sign.
    static func starts(_ row: PrintedRow) -> Bool {
        guard let cell = row.cells.first, let first = cell.text.first else { return false }
        if cell.raised.first?.lowerBound == 0 || "*∗†‡§¶".contains(first) { return true }
        let digits = cell.text.prefix { $0.isASCII && $0.isNumber }
        guard (1...3).contains(digits.count) else { return false }
        let next = cell.text.dropFirst(digits.count).first
        return next.map { $0 == " " || $0 == "." || $0 == ")" || $0.isLetter } ?? (row.cells.count > 1)
    }
}
