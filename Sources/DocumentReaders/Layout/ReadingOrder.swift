/// Puts the lines of a page into reading order.
///
/// A page is cut at its gutters, the white strips between columns, and between the lines that cross them; each piece
/// is cut again until it is one column. Cells of a table are not columns: they are short, and stay in their rows.
struct ReadingOrder {
    /// Columns narrower than this many characters are a table's.
    private static let narrowestColumn: Float = 18
    private static let mostCuts = 6
    /// The limit on a page's white strips that are tried, widest first: the cost of each grows with the number of
    /// lines.
    private static let mostStrips = 64

    /// - Returns: The columns in order, each with its lines from top to bottom.
    static func columns(of lines: [PrintedLine]) -> [[PrintedLine]] {
        var columns: [[PrintedLine]] = []
        cut(lines, depth: 0, into: &columns)
        return columns
    }

    private static func cut(_ lines: [PrintedLine], depth: Int, into columns: inout [[PrintedLine]]) {
        guard let gutter = depth < mostCuts ? gutter(in: lines) : nil else {
            if !lines.isEmpty { columns.append(lines.sorted { $0.box.top < $1.box.top }) }
            return
        }
        let spanning = lines.filter { gutter.isCrossed(by: $0.box) }.sorted { $0.box.top < $1.box.top }
        var rest = lines.filter { !gutter.isCrossed(by: $0.box) }
        var pending: [PrintedLine] = []
        for line in spanning {
            let above = rest.filter { $0.box.middle < line.box.top }
            if !above.isEmpty {
                rest.removeAll { $0.box.middle < line.box.top }
                cut(pending, depth: mostCuts, into: &columns)
                pending = []
                cutSides(above, at: gutter, depth: depth, into: &columns)
            }
            pending.append(line)
        }
        cut(pending, depth: mostCuts, into: &columns)
        cutSides(rest, at: gutter, depth: depth, into: &columns)
    }

    private static func cutSides(
        _ lines: [PrintedLine],
        at gutter: Gutter,
        depth: Int,
        into columns: inout [[PrintedLine]]
    ) {
        cut(lines.filter { $0.box.right <= gutter.middle }, depth: depth + 1, into: &columns)
        cut(lines.filter { $0.box.right > gutter.middle }, depth: depth + 1, into: &columns)
    }

    /// A white strip from `left` to `right`.
    private struct Gutter {
        var left: Float
        var right: Float
        var middle: Float { (left + right) / 2 }
        var width: Float { right - left }

        func isCrossed(by box: PrintedBox) -> Bool { box.left < middle - 1 && box.right > middle + 1 }
    }

    /// The strip with columns of running text on both sides that the fewest lines cross.
    private static func gutter(in lines: [PrintedLine]) -> Gutter? {
        guard lines.count >= 8, let page = lines.box, page.width > 100 else { return nil }
        let crossings = crossings(of: lines, in: page)
        let first = crossings.count / 5
        let last = crossings.count - first
        guard first < last, let fewest = crossings[first..<last].min(), Int(fewest) * 5 < lines.count * 2 else {
            return nil
        }
        var strips: [Gutter] = []
        var start: Int?
        for column in first...last {
            let isFree = column < last && crossings[column] <= fewest + 1
            if isFree, start == nil { start = column }
            guard !isFree, let begun = start else { continue }
            start = nil
            let strip = Gutter(left: page.left + Float(begun) * 2, right: page.left + Float(column) * 2)
            if strip.width > 3.9 { strips.append(strip) }
        }
        return strips.sorted { $0.width > $1.width }.prefix(mostStrips).first { divides(lines, $0) }
    }

    /// For each strip of 2 points, how many lines cover it.
    private static func crossings(of lines: [PrintedLine], in page: PrintedBox) -> [Int32] {
        var changes = [Int32](repeating: 0, count: min(Int(page.width / 2), 10_000) + 2)
        for line in lines {
            let start = min(max(Int((line.box.left - page.left) / 2), 0), changes.count - 2)
            let end = min(max(Int(((line.box.right - page.left) / 2).rounded(.up)), start + 1), changes.count - 1)
            changes[start] += 1
            changes[end] -= 1
        }
        var sum: Int32 = 0
        return changes.map { change in
            sum += change
            return sum
        }
    }

    /// Whether there is running text on both sides of `strip`, side by side.
    private static func divides(_ lines: [PrintedLine], _ strip: Gutter) -> Bool {
        let left = lines.filter { $0.box.right <= strip.middle }
        let right = lines.filter { $0.box.left >= strip.middle }
        guard left.count >= 4, right.count >= 4, let leftBox = left.box, let rightBox = right.box else { return false }
        let shared = min(leftBox.bottom, rightBox.bottom) - max(leftBox.top, rightBox.top)
        guard shared > 0.3 * min(leftBox.height, rightBox.height) else { return false }
        let lengths = [left, right].map { side in side.map { Float($0.text.utf8.count) }.median(or: 0) }
        if lengths.allSatisfy({ $0 >= narrowestColumn }) { return true }
        // A box beside running text: unlike a table's cells, its lines are not aligned with those of the text.
        guard lengths.contains(where: { $0 >= 2 * narrowestColumn }) else { return false }
        let fewer = left.count < right.count ? left : right
        let others = left.count < right.count ? right : left
        let level = fewer.count { line in others.contains { abs($0.box.bottom - line.box.bottom) < 1 } }
        return level * 2 < fewer.count
    }
}
