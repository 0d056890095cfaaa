/// The gaps within poppler's lines that lie between columns.
///
/// Poppler takes the words on both sides of a narrow gutter, such as LaTeX's of one em, for one line in some places, and
/// the first words of the right column for the end of the left one in others.
enum ColumnGaps {
    /// A gap that is wider than most between words.
    struct Gap: Sendable, Hashable {
        /// The left edge of the character behind it.
        var right: Float
        /// The bottom of that character.
        var bottom: Float
        /// The size of its font, in points.
        var size: Float

        /// Whether a line begins right behind a gap at this place, on the same part of the page.
        fileprivate func isBefore(_ box: PrintedBox) -> Bool {
            abs(box.left - right) < 0.5 && abs(box.bottom - bottom) < 15 * size
        }
    }

    /// The limits on what is compared with each other; no page of text has more.
    private static let mostGaps = 400
    private static let mostLines = 5_000

    /// Those of `gaps` that lie at the same place as others and the beginnings of lines, where few lines have none.
    static func betweenColumns(_ gaps: [Gap], of lines: [PrintedLine]) -> Set<Gap> {
        guard gaps.count <= mostGaps, lines.count <= mostLines else { return [] }
        return Set(gaps.filter { isBetweenColumns($0, among: gaps, of: lines) })
    }

    private static func isBetweenColumns(_ gap: Gap, among gaps: [Gap], of lines: [PrintedLine]) -> Bool {
        var beginning = 0
        var crossing = 0
        for line in lines where abs(line.box.bottom - gap.bottom) < 15 * gap.size {
            if gap.isBefore(line.box) { beginning += 1 }
            if line.box.left < gap.right - 0.75 * gap.size, line.box.right > gap.right + 1 { crossing += 1 }
        }
        var same = 0
        for other in gaps where abs(other.right - gap.right) < 0.5 && abs(other.bottom - gap.bottom) < 15 * gap.size {
            same += 1
        }
        return beginning + same >= 3 && 2 * (crossing - same) <= beginning + same
    }

    /// Puts the first words of a line, where they were taken for the end of another column, before its other words.
    ///
    /// - Parameters:
    ///   - lines: The lines of a page, with valid coordinates.
    ///   - gaps: Its gaps between columns.
    /// - Returns: The lines in their order.
    static func joining(_ lines: [PrintedLine], at gaps: Set<Gap>) -> [PrintedLine] {
        guard lines.count <= mostLines else { return lines }
        var joined = lines
        var rows: [Int: [Int]] = [:]
        for index in lines.indices { rows[Int(lines[index].box.bottom), default: []].append(index) }
        var taken: Set<Int> = []
        for index in lines.indices where !taken.contains(index) {
            let box = lines[index].box
            guard gaps.contains(where: { $0.isBefore(box) }) else { continue }
            let bottom = Int(box.bottom)
            let beside = (bottom - 1...bottom + 1).flatMap { rows[$0] ?? [] }
            while let next = beside.first(where: { place in
                place != index && !taken.contains(place) && joined[index].isContinued(by: joined[place])
            }) {
                let rest = joined[next]
                joined[index].append(rest)
                taken.insert(next)
            }
        }
        return joined.indices.filter { !taken.contains($0) }.map { joined[$0] }
    }
}

extension PrintedLine {
    /// Whether `other` stands behind it with no more than a word space between them.
    fileprivate func isContinued(by other: PrintedLine) -> Bool {
        let distance = other.box.left - box.right
        return abs(other.box.bottom - box.bottom) < 0.5 && abs(other.size - size) < 0.1 && distance > -0.05 * size
            && distance < 0.5 * size
    }

    fileprivate mutating func append(_ other: PrintedLine) {
        let offset = text.utf16.count + 1
        text += " " + other.text
        raised += other.raised.map { $0.lowerBound + offset..<$0.upperBound + offset }
        box = box.union(other.box)
        isBold = isBold && other.isBold
    }
}
