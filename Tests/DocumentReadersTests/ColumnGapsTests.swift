import Testing

@testable import DocumentReaders

@Suite("Gaps between columns of a page")
struct ColumnGapsTests {
    private func line(_ text: String, from left: Float, to right: Float, bottom: Float) -> PrintedLine {
        PrintedLine(
            text: text,
            box: PrintedBox(left: left, top: bottom - 10, right: right, bottom: bottom),
            size: 10,
            isBold: false
        )
    }

    private func gaps(_ bottoms: [Float]) -> [ColumnGaps.Gap] {
        bottoms.map { ColumnGaps.Gap(right: 310, bottom: $0, size: 10) }
    }

    @Test func `lie where several lines have one or begin`() {
        let found = gaps([100, 112])
        let lines = [
            line("left and right", from: 70, to: 540, bottom: 100),
            line("left and right", from: 70, to: 540, bottom: 112),
            line("left", from: 70, to: 300, bottom: 124), line("right", from: 310, to: 540, bottom: 124),
        ]
        #expect(ColumnGaps.betweenColumns(found, of: lines) == Set(found))
    }

    @Test func `do not lie in a column that other lines fill`() {
        let found = gaps([100, 124, 148])
        let lines = (0..<10).map { line("words of one column", from: 70, to: 540, bottom: 100 + Float($0) * 12) }
        #expect(ColumnGaps.betweenColumns(found, of: lines).isEmpty)
    }

    @Test func `have the first words behind them put before the others of their line`() {
        let lines = [
            line("right", from: 310, to: 330, bottom: 100), line("left", from: 70, to: 300, bottom: 100),
            line("words of it", from: 333, to: 540, bottom: 100), line("below", from: 333, to: 540, bottom: 112),
        ]
        let joined = ColumnGaps.joining(lines, at: Set(gaps([124])))
        #expect(joined.map(\.text) == ["right words of it", "left", "below"])
        #expect(joined.first?.box == PrintedBox(left: 310, top: 90, right: 540, bottom: 100))
    }

    @Test func `are not looked for where no page of text has so many`() {
        #expect(ColumnGaps.betweenColumns(gaps((0...400).map { Float($0) }), of: []).isEmpty)
    }

    @Test func `do not lie between the columns of a small table within a text`() {
        let rows: [Float] = [220, 232, 244, 256]
        let table = rows.map { line("a name and a value", from: 70, to: 360, bottom: $0) }
        let text = (0..<20).filter { !(10..<14).contains($0) }.map {
            line("words of one column", from: 70, to: 540, bottom: 100 + Float($0) * 12)
        }
        #expect(ColumnGaps.betweenColumns(gaps(rows), of: table + text).isEmpty)
    }

    @Test func `do not lie where only lines far above or below begin`() {
        let found = gaps([100, 112])
        let lines = [
            line("left and right", from: 70, to: 540, bottom: 100),
            line("left and right", from: 70, to: 540, bottom: 112),
            line("far below", from: 310, to: 540, bottom: 400), line("further", from: 310, to: 540, bottom: 412),
        ]
        #expect(ColumnGaps.betweenColumns(found, of: lines).isEmpty)
    }

    @Test func `leave what is on another base, in another size or behind a wider space where it is`() {
        var small = line("small", from: 333, to: 540, bottom: 112)
        small.size = 7
        let lines = [
            line("right", from: 310, to: 330, bottom: 100), line("another base", from: 333, to: 540, bottom: 101),
            line("left", from: 310, to: 330, bottom: 112), small,
            line("cell", from: 310, to: 330, bottom: 124), line("of a table", from: 336, to: 540, bottom: 124),
        ]
        #expect(ColumnGaps.joining(lines, at: Set(gaps([124]))).map(\.text) == lines.map(\.text))
    }

    private func isGap(_ width: Float, behind text: String) -> Bool {
        var line = LineInProgress()
        var left: Float = 0
        for scalar in text.unicodeScalars {
            let box = PrintedBox(left: left, top: 0, right: left + 5, bottom: 10)
            line.take(scalar, at: box, size: 10, isBold: false)
            left = box.right
        }
        let next = PrintedBox(left: left + width, top: 0, right: left + width + 5, bottom: 10)
        return line.mayEndColumn(before: next, size: 10)
    }

    @Test func `may be those behind several words, wider than a typewriter's space, and without leaders`() {
        #expect(isGap(8, behind: "the end of a column."))
        #expect(!isGap(6, behind: "the end of a column."))
        #expect(!isGap(8, behind: "1.2 A heading"))
        #expect(!isGap(8, behind: "A chapter . . . . . ."))
        #expect(!isGap(8, behind: "A chapter ..........."))
    }
}
