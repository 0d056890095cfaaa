import EchoText

/// A printed page: lines and their positions.
///
/// Lengths are in points from the page's upper left corner; on a right-to-left page, from the upper right corner.
struct PrintedPage: Sendable {
    /// Counted from 0.
    var index: Int
    var width: Float
    var height: Float
    var lines: [PrintedLine]
    /// How most of its text is turned; lengths and lines are those of the page turned upright.
    var turn = TextTurn.upright
    /// Rotated lines, in groups with their own coordinates.
    var turned: [[PrintedLine]] = []

    /// Whether most of its text is right-to-left; the boxes of its lines are mirrored then.
    var isRightToLeft = false
    /// The signs without a meaning: a font that does not say which letters it shows gives them.
    var unknown = UnknownSigns()
    /// The signs of each font, until the page is added to its document.
    var letters: [String: FontLetters] = [:]
    /// How many boxes of a form are ticked.
    var tickedBoxes = 0
    /// The number of form fields on the page.
    var formFields = 0
    /// How many files are attached to the page, and how many notes of free text have their words nowhere but in a drawing.
    var unreadParts = 0
    /// How many comments and highlights are on the page.
    var comments = 0
    var hasPictures = false

    var isBlank: Bool { lines.isEmpty && turned.isEmpty }
    /// The length of its text in UTF-8.
    var bytes: Int { (lines + turned.joined()).reduce(0) { $0 + $1.text.utf8.count } }

    /// The limit on coordinates and letter sizes, larger than any page.
    private static let reach: Float = 1_000_000

    mutating func take(_ unknown: UnknownSigns, _ fonts: PageFonts) {
        self.unknown.add(unknown)
        letters.merge(fonts.byName) { $1 }
    }

    /// Adds those of `more` with valid coordinates, and turns the page as most of its text is.
    mutating func take(_ more: [TextTurn: [PrintedLine]]) {
        func length(_ turn: TextTurn) -> Int { more[turn]?.reduce(0) { $0 + $1.text.utf8.count } ?? 0 }
        // The first of equals counts, so that a page without text stays as it is.
        turn = TextTurn.allCases.dropFirst().reduce(.upright) { length($1) > length($0) ? $1 : $0 }
        if turn.exchangesSides { (width, height) = (height, width) }
        take(more[turn] ?? [])
        turned = TextTurn.allCases.filter { $0 != turn }.compactMap { more[$0].map(Self.valid) }
            .filter { !$0.isEmpty }
    }

    /// Adds those of `more` with valid coordinates.
    mutating func take(_ more: [PrintedLine]) {
        lines += Self.valid(more)
    }

    private static func valid(_ lines: [PrintedLine]) -> [PrintedLine] {
        lines.filter { line in
            // A comparison with NaN is false.
            [line.box.left, line.box.top, line.box.right, line.box.bottom, line.size].allSatisfy {
                abs($0) <= Self.reach
            }
        }
    }
}

/// Text on one line without a wide gap.
struct PrintedLine: Sendable {
    /// The text, without line breaks; never blank.
    var text: String
    var box: PrintedBox
    /// The most common size of its characters, in points.
    var size: Float
    var isBold: Bool
    /// Small characters set higher than the rest, in UTF-16 units.
    var raised: [Range<Int>] = []

    /// The line on a page of the given width, seen in a mirror.
    func mirrored(width: Float) -> PrintedLine {
        var line = self
        line.box = box.mirrored(width: width)
        return line
    }
}

struct PrintedBox: Sendable, Hashable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    func mirrored(width: Float) -> PrintedBox {
        PrintedBox(left: width - right, top: top, right: width - left, bottom: bottom)
    }

    var width: Float { right - left }
    var height: Float { bottom - top }
    var middle: Float { (top + bottom) / 2 }

    func union(_ other: PrintedBox) -> PrintedBox {
        PrintedBox(
            left: min(left, other.left),
            top: min(top, other.top),
            right: max(right, other.right),
            bottom: max(bottom, other.bottom)
        )
    }

    /// Whether both are on one line: they overlap vertically by more than half of the smaller height.
    func isBeside(_ other: PrintedBox) -> Bool {
        let shared = min(bottom, other.bottom) - max(top, other.top)
        return shared > 0.5 * min(height, other.height)
    }
}

extension [PrintedLine] {
    var box: PrintedBox? {
        guard let first else { return nil }
        return dropFirst().reduce(first.box) { $0.union($1.box) }
    }
}

extension Sequence<Float> {
    /// The median, or `fallback` for an empty collection.
    func median(or fallback: Float) -> Float {
        let sorted = sorted()
        return sorted.isEmpty ? fallback : sorted[sorted.count / 2]
    }
}

/// A line of a column: one or more cells of text with gaps between them.
struct PrintedRow: Sendable {
    /// The limit on the cells of a row, since each new cell is compared with those before; further cells start another
    /// row.
    private static let maximumCells = 256

    var cells: [PrintedLine]
    var box: PrintedBox

    init(_ cells: [PrintedLine], box: PrintedBox) {
        self.cells = cells
        self.box = box
    }

    var size: Float { cells.max { $0.text.utf8.count < $1.text.utf8.count }?.size ?? 0 }
    var isBold: Bool { cells.allSatisfy(\.isBold) }
    var text: String { cells.count == 1 ? cells[0].text : cells.map(\.text).joined(separator: " ") }

    /// Groups `lines` into rows from top to bottom, each with its cells in reading order.
    static func rows(of lines: [PrintedLine]) -> [PrintedRow] {
        var rows: [PrintedRow] = []
        for line in lines.sorted(by: { $0.box.top < $1.box.top }) {
            if let last = rows.indices.last, rows[last].takes(line) {
                rows[last].cells.append(line)
                rows[last].box = rows[last].box.union(line.box)
            } else {
                rows.append(PrintedRow([line], box: line.box))
            }
        }
        for index in rows.indices where rows[index].cells.count > 1 {
            rows[index].cells.sort { $0.box.left < $1.box.left }
        }
        return rows
    }

    private func takes(_ line: PrintedLine) -> Bool {
        cells.count < Self.maximumCells && cells[0].box.isBeside(line.box)
            && cells.allSatisfy { line.box.left >= $0.box.right - 2 || line.box.right <= $0.box.left + 2 }
    }
}

extension PrintedRow {
    /// Whether its cells are aligned with those of `other`, all by the same edge or by their centers.
    ///
    /// The words of justified lines share the column's left edge or its right one.
    func isAligned(with other: PrintedRow) -> Bool {
        let fewer = cells.count < other.cells.count ? self : other
        let more = cells.count < other.cells.count ? other : self
        guard fewer.cells.count > 1 else { return false }
        let places: [(PrintedBox) -> Float] = [\.left, \.right, \.center]
        return places.contains { place in
            let aligned = fewer.cells.count { cell in
                more.cells.contains { abs(place($0.box) - place(cell.box)) < 3 }
            }
            return aligned >= 2 && aligned + 1 >= fewer.cells.count
        }
    }

    /// Whether its cells seem to be the words of a justified line: the gaps between them are equal.
    var isStretched: Bool {
        guard cells.count > 1, cells.allSatisfy({ !$0.text.contains(" ") }) else { return false }
        let gaps = zip(cells, cells.dropFirst()).map { $1.box.left - $0.box.right }
        return gaps.allSatisfy { abs($0 - gaps[0]) < 0.1 * size }
    }
}

extension PrintedBox {
    fileprivate var center: Float { (left + right) / 2 }
}

/// A paragraph, heading, list item or row of a table of a printed page.
struct PrintedParagraph: Sendable {
    enum Kind: Sendable, Hashable {
        case plain
        case heading
        case listItem
        case tableRow
        case caption
    }

    var kind: Kind
    var text: String
    /// Its footnote references, in UTF-16 units.
    var references: [Range<Int>] = []
    /// The index of its page.
    var page: Int
    var size: Float
    var isBold: Bool
    /// The top of its first row.
    var top: Float
    /// Whether its last row reaches the column's right edge, so that it may continue in the next column.
    var endsFull = false
    /// Whether its first row is indented.
    var isIndented = false

    /// Decides whether `next` continues it.
    ///
    /// - Parameters:
    ///   - next: The following paragraph.
    ///   - isRest: Whether `next` starts a column like the rest of a paragraph.
    /// - Returns: Whether the two are one paragraph.
    func continues(in next: PrintedParagraph, isRest: Bool) -> Bool {
        guard kind == .plain || kind == .listItem, next.kind == .plain, abs(size - next.size) < 0.06 * size,
            isBold == next.isBold, let last = text.unicodeScalars.last, let first = next.text.unicodeScalars.first
        else { return false }
        if LineEnds.isDivided(text, before: next.text) { return first.properties.isLowercase || endsFull }
        if Self.closing.contains(last) { return isRest }
        return first.properties.isLowercase || (endsFull && !next.isIndented)
    }

    /// The characters that end a sentence.
    private static let closing: Set<Unicode.Scalar> = [
        ".", "?", "!", ":", ";", "…", "”", "\"", "»", "。", "！", "？", "؟", "۔", "।",
    ]

    /// Adds `next`, which continues where this one ends.
    mutating func append(_ next: String, references more: [Range<Int>], ends: LineEnds) {
        let joint = ends.joint(of: text, and: next)
        if joint.dropping > 0 { text.unicodeScalars.removeLast() }
        text += joint.adding
        let offset = text.utf16.count
        text += next
        references += more.map { $0.moved(by: offset) }
    }
}
