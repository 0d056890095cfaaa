import EchoText

/// Rebuilds the paragraphs of one column.
struct ColumnParagraphs {
    /// The usual size of the document's text, in points.
    let bodySize: Float
    let ends: LineEnds
    private let rows: [PrintedRow]
    private let isTable: [Bool]
    private let left: Float
    private let right: Float
    private let pitch: Float

    init(_ rows: [PrintedRow], bodySize: Float, ends: LineEnds) {
        self.rows = rows
        self.bodySize = bodySize
        self.ends = ends
        isTable = Self.tableRows(rows)
        let running = zip(rows, isTable).filter { !$1 }.map(\.0.box)
        left = Self.usual(running.map(\.left)) ?? 0
        let rights = running.map(\.right).sorted()
        right = rights.isEmpty ? 0 : rights[min(rights.count * 19 / 20, rights.count - 1)]
        let pitches = zip(rows, rows.dropFirst()).filter { abs($0.size - $1.size) < 0.5 }.map {
            $1.box.bottom - $0.box.bottom
        }
        pitch = pitches.filter { $0 > 0 }.median(or: bodySize * 1.2)
    }

    /// The paragraphs in order.
    func paragraphs(page: Int) -> [PrintedParagraph] {
        var paragraphs: [PrintedParagraph] = []
        var members: [Int] = []
        for index in rows.indices {
            if let last = members.last, isBreak(between: last, and: index, members: members) {
                paragraphs.append(paragraph(of: members, page: page))
                members = []
            }
            members.append(index)
        }
        if !members.isEmpty { paragraphs.append(paragraph(of: members, page: page)) }
        return paragraphs
    }

    private func paragraph(of members: [Int], page: Int) -> PrintedParagraph {
        let first = rows[members[0]]
        var paragraph = PrintedParagraph(
            kind: .plain,
            text: "",
            page: page,
            size: first.size,
            isBold: members.allSatisfy { rows[$0].isBold },
            top: first.box.top
        )
        for index in members {
            let (text, references) = text(of: rows[index], isTable: isTable[index])
            paragraph.append(text, references: references, ends: ends)
        }
        let last = rows[members[members.count - 1]]
        paragraph.endsFull = members.count > 1 && last.box.right > right - 1.5 * last.size
        paragraph.isIndented = first.box.left > left + 0.8 * first.size
        paragraph.kind = kind(of: members, text: paragraph.text)
        return paragraph
    }

    private func kind(of members: [Int], text: String) -> PrintedParagraph.Kind {
        let first = rows[members[0]]
        if isTable[members[0]] { return .tableRow }
        if text.startsCaption { return .caption }
        let isShort = members.count <= 3 && text.utf8.count < 200 && text.contains(where: \.isLetter)
        if isShort, first.size > bodySize * 1.12 { return .heading }
        if text.startsListItem { return first.isBold && isShort && members.count == 1 ? .heading : .listItem }
        let isAlone = members.count == 1 && text.utf8.count < 100 && text.last.map { !".,;:".contains($0) } ?? false
        return isAlone && first.isBold && first.size > bodySize * 0.95 ? .heading : .plain
    }

    /// Puts a comma between the cells of a table, which makes a short pause in speech.
    private func text(of row: PrintedRow, isTable: Bool) -> (String, [Range<Int>]) {
        var text = ""
        var references: [Range<Int>] = []
        for cell in row.cells {
            if let last = text.last { text += isTable && !last.isPunctuation ? ", " : " " }
            let offset = text.utf16.count
            text += cell.text
            references += cell.raised.map { $0.moved(by: offset) }
        }
        return (text, references)
    }

    private func isBreak(between one: Int, and other: Int, members: [Int]) -> Bool {
        let (previous, next) = (rows[one], rows[other])
        let size = previous.size
        if isTable[one] || isTable[other] { return true }
        let step = next.box.bottom - previous.box.bottom
        if step > 1.4 * max(pitch, 0.9 * size) || step < -size { return true }
        if abs(next.size - size) > 0.1 * size { return !Self.isRestOfLine(previous, next) }
        let text = previous.text
        if LineEnds.isDivided(text, before: next.text) { return false }
        if previous.isBold != next.isBold, previous.box.right < right - 2 * size || members.count == 1 { return true }
        if next.text.startsListItem, next.text.startsBullet || text.endsSentence || rows[members[0]].text.startsListItem
        {
            return true
        }
        return isIndentBreak(previous, next, members: members) || wasEndedEarly(previous, before: next)
    }

    private func isIndentBreak(_ previous: PrintedRow, _ next: PrintedRow, members: [Int]) -> Bool {
        let size = previous.size
        let isItem = rows[members[0]].text.startsListItem
        if next.box.left > previous.box.left + 0.8 * size, next.box.left < previous.box.left + 6 * size {
            return !isItem && members.count > 1
                || (!isItem && previous.box.left < left + 0.5 * size && !isCentred(previous))
        }
        guard members.count > 1 else { return false }
        let inner = members.dropFirst().map { rows[$0].box.left }.min() ?? previous.box.left
        return next.box.left < inner - 0.8 * size && !isCentred(next)
    }

    private func isCentred(_ row: PrintedRow) -> Bool {
        let (before, after) = (row.box.left - left, right - row.box.right)
        return before > 2 * row.size && abs(before - after) < row.size
    }

    /// Whether the first word of `next` would have fitted at the end of `previous`.
    private func wasEndedEarly(_ previous: PrintedRow, before next: PrintedRow) -> Bool {
        let room = right - previous.box.right
        guard room > 1.5 * previous.size, !isCentred(previous) || previous.text.endsSentence else { return false }
        let text = next.text
        let word = text.prefix { $0 != " " }
        let perCharacter = next.box.width / Float(max(text.count, 1))
        guard Float(word.count + 1) * perCharacter + 0.8 * previous.size < room else { return false }
        // A ragged edge sometimes leaves room too; the end of a sentence or much room makes the break certain.
        return previous.text.endsSentence || room > 0.3 * (right - left) || text.startsLarge
    }

    /// Whether `next` is the text next to a drop cap.
    private static func isRestOfLine(_ previous: PrintedRow, _ next: PrintedRow) -> Bool {
        previous.text.count == 1 && previous.box.bottom > next.box.middle && next.text.first?.isLetter == true
    }

    /// Determines which rows belong to a table: consecutive rows of two or more cells, with aligned cells.
    private static func tableRows(_ rows: [PrintedRow]) -> [Bool] {
        var isTable = [Bool](repeating: false, count: rows.count)
        for index in rows.indices.dropFirst() where rows[index].cells.count > 1 && rows[index - 1].cells.count > 1 {
            let (above, below) = (rows[index - 1].cells.dropFirst(), rows[index].cells.dropFirst())
            let isAligned = below.contains { cell in
                above.contains { abs($0.box.left - cell.box.left) < 4 || abs($0.box.right - cell.box.right) < 4 }
            }
            let isStretched = [rows[index - 1], rows[index]].contains { $0.isStretched && $0.cells.count > 2 }
            if isAligned, !isStretched || rows[index].isAligned(with: rows[index - 1]) {
                isTable[index - 1] = true
                isTable[index] = true
            }
        }
        return isTable
    }

    /// The most common of `values`, rounded to two points.
    private static func usual(_ values: [Float]) -> Float? {
        var counts: [Int: (count: Int, least: Float)] = [:]
        for value in values {
            let known = counts[Int(value / 2), default: (0, value)]
            counts[Int(value / 2)] = (known.count + 1, min(known.least, value))
        }
        return counts.max { ($0.value.count, -$0.value.least) < ($1.value.count, -$1.value.least) }?.value.least
    }
}

extension String {
    fileprivate var startsBullet: Bool {
        self.first.map { "•‣◦▪●○■□–*·".contains($0) } ?? false && self.dropFirst().first == " "
    }

    /// Whether it starts with a bullet, or with “1.”, “a)” or the like.
    fileprivate var startsListItem: Bool {
        if startsBullet { return true }
        let mark = prefix(8).prefix { $0 != " " }
        guard mark.count < prefix(8).count, let last = mark.last, last == "." || last == ")" else { return false }
        let inner = mark.dropLast().drop { $0 == "(" }
        let isNumber = !inner.isEmpty && inner.count <= 2 && inner.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber || (inner.count == 1 && inner.first?.isLetter == true && last == ")")
    }

    /// Whether it starts with “Figure 1”, “Table 2” or the like.
    var startsCaption: Bool {
        guard let first, "FTAJIÉ".contains(first) else { return false }
        return prefixMatch(
            of: #/(Figure|Fig\.|Table|Tab\.|Abbildung|Abb\.|Tabelle|Tableau|Tabla|Figura|Joonis|Tabel) ?\d+/#
        ) != nil
    }

    fileprivate var endsSentence: Bool { self.last.map { ".?!:”\"»…。！？".contains($0) } ?? false }

    fileprivate var startsLarge: Bool { self.first.map { $0.isUppercase || $0.isNumber } ?? false }
}
