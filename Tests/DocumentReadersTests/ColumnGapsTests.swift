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
}
