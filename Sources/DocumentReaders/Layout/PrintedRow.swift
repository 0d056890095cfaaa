/// One line of a column: one or more cells of text with gaps between them.
struct PrintedRow: Sendable {
    /// The limit on the cells of a row, since each new cell is compared with those before; further ones start another
    /// row.
    private static let mostCells = 256

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
            let isRightToLeft = rows[index].cells.contains { $0.text.isRightToLeft }
            rows[index].cells.sort { isRightToLeft ? $0.box.left > $1.box.left : $0.box.left < $1.box.left }
        }
        return rows
    }

    private func takes(_ line: PrintedLine) -> Bool {
        cells.count < Self.mostCells && cells[0].box.isBeside(line.box)
            && cells.allSatisfy { line.box.left >= $0.box.right - 2 || line.box.right <= $0.box.left + 2 }
    }
}

extension String {
    /// Whether its first letter belongs to a right-to-left script.
    var isRightToLeft: Bool {
        if utf8.allSatisfy({ $0 < 0x80 }) { return false }
        let letter = unicodeScalars.first { $0.properties.isAlphabetic }
        return letter.map { (0x0590...0x08FF).contains($0.value) || (0xFB1D...0xFEFC).contains($0.value) } ?? false
    }
}
