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
        let places: [(PrintedBox) -> Float] = [\.left, \.right, \.centre]
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
    fileprivate var centre: Float { (left + right) / 2 }
}
