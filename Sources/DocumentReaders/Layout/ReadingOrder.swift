/// Puts the lines of a page into reading order.
///
/// A page is divided at its gutters, the white strips between columns, wherever running text is on both sides; content
/// across a gutter, such as a title, a wide figure or table, is a separate region. Each piece is divided again until it
/// is one column. Cells of a table are not columns: they are short, and stay in their rows.
struct ReadingOrder {
    private static let maximumCuts = 6

    /// - Returns: The columns in order, each with its lines from top to bottom.
    static func columns(of lines: [PrintedLine]) -> [[PrintedLine]] {
        var columns: [[PrintedLine]] = []
        cut(PlacedLine.placed(lines), depth: 0, into: &columns)
        return columns
    }

    /// - Parameters:
    ///   - lines: From top to bottom.
    ///   - depth: How often the page was divided before.
    ///   - columns: Receives the columns.
    private static func cut(_ lines: [PlacedLine], depth: Int, into columns: inout [[PrintedLine]]) {
        guard depth < maximumCuts, let gutter = Gutter.best(in: lines) else {
            if !lines.isEmpty { columns.append(lines.map(\.line)) }
            return
        }
        var across: [PlacedLine] = []
        let bands = gutter.bands(of: lines)
        for (index, band) in bands.enumerated() {
            guard band.isDivided else {
                across += band.lines
                continue
            }
            let (rest, beside) = gutter.endOfParagraph(above: band.lines, after: across)
            let next = bands.indices.contains(index + 1) ? bands[index + 1].lines : []
            let (sides, caption) = gutter.caption(under: beside, above: next)
            cut(across + rest, depth: depth + 1, into: &columns)
            across = caption
            cut(sides.filter { !gutter.isBefore($0.box) }, depth: depth + 1, into: &columns)
            cut(sides.filter { gutter.isBefore($0.box) }, depth: depth + 1, into: &columns)
        }
        cut(across, depth: depth + 1, into: &columns)
    }
}

/// A line, and the extent of its unit: for a table's cell, the whole row.
private struct PlacedLine {
    let line: PrintedLine
    let reach: PrintedBox
    var box: PrintedBox { line.box }

    /// - Returns: `lines` from top to bottom.
    static func placed(_ lines: [PrintedLine]) -> [PlacedLine] {
        let rows = PrintedRow.rows(of: lines)
        let edges = textEdges(of: lines)
        let isTable = rows.indices.map { index in
            [index - 1, index + 1].contains {
                rows.indices.contains($0) && isTableRow(rows[index], beside: rows[$0], edges)
            }
        }
        var placed = zip(rows, isTable).flatMap { row, isTable in
            row.cells.map { PlacedLine(line: $0, reach: isTable ? row.box : $0.box) }
        }
        placed.sort { $0.box.top < $1.box.top }
        if let page = placed.box { reachAcross(page, &placed) }
        return placed
    }

    /// Lets the caption of a wide figure reach from side to side, as the figure does.
    ///
    /// Nothing is beside the caption or, for several lines, above it, and below it the text has all columns again. Where it
    /// has fewer, the figure is in a column that the others do not reach down to.
    private static func reachAcross(_ page: PrintedBox, _ lines: inout [PlacedLine]) {
        var end = Float.infinity
        for (index, line) in lines.enumerated() {
            let rest = lines[(index + 1)...]
            if line.box.top - end > 4 * line.line.size, line.line.text.startsCaption,
                !rest.prefix(2).contains(where: { $0.box.isBeside(line.box) }),
                rest.contains(where: { $0.box.right > page.right - page.width / 6 })
            {
                let box = PrintedBox(left: page.left, top: line.box.top, right: page.right, bottom: line.box.bottom)
                lines[index] = PlacedLine(line: line.line, reach: box)
            }
            end = end == .infinity ? line.box.bottom : max(end, line.box.bottom)
        }
    }

    /// The left edges of lines of running text, in steps of 3 points.
    private static func textEdges(of lines: [PrintedLine]) -> Set<Int> {
        let groups = Dictionary(grouping: lines) { Int($0.box.left / 3) }
        return Set(groups.filter { $1.usualLength >= Gutter.narrowestColumn }.keys)
    }

    /// Whether the cells of two rows are short and vertically aligned, and do not all start columns of text.
    private static func isTableRow(_ row: PrintedRow, beside other: PrintedRow, _ edges: Set<Int>) -> Bool {
        guard row.isAligned(with: other), row.cells.usualLength < Gutter.narrowestColumn,
            other.cells.usualLength < Gutter.narrowestColumn
        else { return false }
        let fewer = row.cells.count < other.cells.count ? row : other
        return fewer.cells.contains { cell in
            let place = Int(cell.box.left / 3)
            return !edges.contains(place - 1) && !edges.contains(place) && !edges.contains(place + 1)
        }
    }
}

extension [PlacedLine] {
    fileprivate var box: PrintedBox? {
        guard let first else { return nil }
        return dropFirst().reduce(first.box) { $0.union($1.box) }
    }
}

extension [PrintedLine] {
    /// The weighted median of the lines' lengths in characters: the length of the line that contains the median
    /// character.
    fileprivate var usualLength: Float { map { $0.text.utf8.count }.usualLength }
}

extension [Int] {
    /// The weighted median of the lines' lengths: the length of the line that contains the median character.
    fileprivate var usualLength: Float {
        let lengths = sorted()
        var rest = lengths.reduce(0, +) / 2
        for length in lengths {
            rest -= length
            if rest <= 0 { return Float(length) }
        }
        return 0
    }
}

/// A white strip between columns.
private struct Gutter {
    /// Columns narrower than this many characters are a table's.
    static let narrowestColumn: Float = 18
    /// The limit on the places at which a column may begin that are tried, those first where most lines do: the cost of each
    /// grows with the number of lines.
    private static let maximumEdges = 64
    /// The minimum width of the strip to the left of the column behind it, in points.
    private static let narrowest: Float = 4

    /// The left edge of the column behind it.
    private let right: Float
    private var left: Float { right - Self.narrowest }

    private init(right: Float) {
        self.right = right
    }

    /// A part of a page between lines that lie across the strip, or these.
    struct Band {
        var lines: [PlacedLine]
        /// Whether there is running text on both sides of the strip.
        var isDivided: Bool
    }

    private func isCrossed(by box: PrintedBox) -> Bool { box.left < left && box.right > right + 1 }

    /// Whether a line that does not cross the strip is behind it.
    func isBefore(_ box: PrintedBox) -> Bool { box.left >= left }

    /// Finds the strip with most lines of running text in columns on its sides; `nil` when there is none.
    ///
    /// - Parameter lines: From top to bottom.
    /// - Returns: The strip.
    static func best(in lines: [PlacedLine]) -> Gutter? {
        guard lines.count >= 6, let page = lines.box, page.width > 100 else { return nil }
        var best: (gutter: Gutter, count: Int)?
        for edge in edges(of: lines, in: page) {
            let gutter = Gutter(right: edge)
            let count = gutter.bands(of: lines).reduce(0) { $0 + ($1.isDivided ? $1.lines.count : 0) }
            if count > best?.count ?? 0 { best = (gutter, count) }
        }
        return best?.gutter
    }

    /// The positions within a page at which several lines begin, from left to right, including those behind white
    /// strips.
    private static func edges(of lines: [PlacedLine], in page: PrintedBox) -> [Float] {
        var found: [Int: (count: Int, least: Float)] = [:]
        for line in lines where line.box.left > page.left + page.width / 8 && line.box.left < page.right {
            let place = Int(line.box.left / 2)
            let known = found[place, default: (0, line.box.left)]
            found[place] = (known.count + 1, min(known.least, line.box.left))
        }
        return found.values.filter { $0.count > 1 }
            .sorted { ($0.count, -$0.least) > ($1.count, -$1.least) }
            .prefix(maximumEdges).map(\.least).sorted() + strips(in: lines, of: page)
    }

    /// The positions behind white strips that only wide lines cross, from left to right.
    ///
    /// The lines of a column in the opposite direction to its page do not begin at one position.
    private static func strips(in lines: [PlacedLine], of page: PrintedBox) -> [Float] {
        let narrow = lines.map(\.box).filter { $0.width < 0.6 * page.width }.sorted { $0.left < $1.left }
        var strips: [Float] = []
        var end = Float.infinity
        for box in narrow {
            if box.left > end + narrowest { strips.append(box.left) }
            end = end == .infinity ? box.right : max(end, box.right)
        }
        return strips
    }

    /// Divides a page between the lines across the strip and those on its sides.
    ///
    /// - Parameter lines: From top to bottom.
    /// - Returns: The bands from top to bottom.
    func bands(of lines: [PlacedLine]) -> [Band] {
        var bands: [Band] = []
        var beside: [PlacedLine] = []
        var across: PlacedLine?
        for line in lines {
            if isCrossed(by: line.reach) {
                // Lines at the same height belong together, like the cells of a row.
                let row = beside.filter { $0.box.isBeside(line.box) }
                beside.removeAll { $0.box.isBeside(line.box) }
                close(&beside, into: &bands)
                bands.append(Band(lines: row + [line], isDivided: false))
                across = line
            } else if let across, across.box.isBeside(line.box) {
                bands.append(Band(lines: [line], isDivided: false))
            } else {
                beside.append(line)
            }
        }
        close(&beside, into: &bands)
        return bands
    }

    private func close(_ lines: inout [PlacedLine], into bands: inout [Band]) {
        if !lines.isEmpty { bands.append(Band(lines: lines, isDivided: divides(lines))) }
        lines = []
    }

    /// Whether there is running text on both sides of the strip, side by side.
    private func divides(_ lines: [PlacedLine]) -> Bool {
        let left = lines.filter { !isBefore($0.box) }
        let right = lines.filter { isBefore($0.box) }
        guard left.count >= 3, right.count >= 3, let leftBox = left.box, let rightBox = right.box else { return false }
        let shared = min(leftBox.bottom, rightBox.bottom) - max(leftBox.top, rightBox.top)
        guard shared > 0.3 * min(leftBox.height, rightBox.height) else { return false }
        let lengths = [left, right].map { Self.wholeLines(of: $0).usualLength }
        let fewer = left.count < right.count ? left : right
        let others = left.count < right.count ? right : left
        let isLevel = Self.areLevel(fewer, others)
        if lengths.allSatisfy({ $0 >= Self.narrowestColumn }) { return !isLevel || Self.isRunning(left, in: leftBox) }
        // A box next to running text: unlike a table's cells, its lines are not aligned with those of the text.
        return left.count >= 4 && right.count >= 4 && !isLevel
            && lengths.contains { $0 >= 2 * Self.narrowestColumn }
    }

    /// The lengths of the lines of one side; the words of a justified line count as one line.
    private static func wholeLines(of side: [PlacedLine]) -> [Int] {
        PrintedRow.rows(of: side.map(\.line)).flatMap { row in
            row.isStretched ? [row.text.utf8.count] : row.cells.map { $0.text.utf8.count }
        }
    }

    /// Whether at least half of `lines` are at the same height as one of `others`.
    private static func areLevel(_ lines: [PlacedLine], _ others: [PlacedLine]) -> Bool {
        let bottoms = others.map(\.box.bottom).sorted()
        let level = lines.count { line in
            let place = bottoms.partition { $0 > line.box.bottom - 1 }
            return place < bottoms.count && bottoms[place] < line.box.bottom + 1
        }
        return level * 2 >= lines.count
    }

    /// Whether most lines reach the right edge, or are spaced like those of a paragraph: the labels of a form differ in
    /// length, and are further apart.
    private static func isRunning(_ lines: [PlacedLine], in box: PrintedBox) -> Bool {
        let full = lines.count { $0.box.right > box.right - 0.2 * box.width }
        if full * 2 > lines.count { return true }
        let steps = zip(lines, lines.dropFirst()).map { ($1.box.bottom - $0.box.bottom) / max($0.line.size, 1) }
        return steps.filter { $0 > 0.1 }.median(or: 0) < 1.5
    }

    /// Splits from the lines of a band the last, short line of a paragraph that extends across the strip.
    func endOfParagraph(
        above band: [PlacedLine],
        after across: [PlacedLine]
    ) -> (rest: [PlacedLine], sides: [PlacedLine]) {
        guard let last = across.last, let first = band.first, !isBefore(first.box), isCrossed(by: last.reach),
            first.box.top - last.box.bottom < 0.5 * last.line.size,
            abs(first.line.size - last.line.size) < 0.06 * last.line.size,
            !band.dropFirst().contains(where: { $0.box.isBeside(first.box) })
        else { return ([], band) }
        return ([first], Array(band.dropFirst()))
    }

    /// Splits from the lines of a band the caption of a table across the strip below, with the head of the table.
    ///
    /// Neither need reach across the strip; unlike in a column, nothing is beside the caption. White is above it.
    func caption(
        under band: [PlacedLine],
        above next: [PlacedLine]
    ) -> (sides: [PlacedLine], caption: [PlacedLine]) {
        guard let first = next.first, next.contains(where: { isCrossed(by: $0.reach) }),
            let start = band.lastIndex(where: { !isBefore($0.box) && $0.line.text.startsCaption }),
            first.box.top - band[start].box.top < 7 * band[start].line.size,
            !band.contains(where: { isBefore($0.box) && $0.box.isBeside(band[start].box) })
        else { return (band, []) }
        // A line within a paragraph may begin with such words.
        if let above = band[..<start].last(where: { !isBefore($0.box) }),
            band[start].box.top - above.box.bottom < 0.5 * band[start].line.size
        {
            return (band, [])
        }
        return (Array(band[..<start]), Array(band[start...]))
    }
}

extension [Float] {
    /// The first index of this sorted array from which on all satisfy `isBehind`.
    fileprivate func partition(_ isBehind: (Float) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
