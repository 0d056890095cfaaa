/// The signs of Markdown and of tables drawn in text; their words stay.
extension TextScanner {
    mutating func markup(_ sign: UInt16, at start: Int) -> Bool {
        switch sign {
        case 0x2A, 0x5F, 0x7E, 0x60: emphasis(sign, at: start)
        case 0x23, 0x3E, 0x2D, 0x2B: isLineStart(start) && linePrefix(sign, at: start)
        case 0x5B, 0x21, 0x5D: link(sign, at: start)
        case 0x7C: tableSign(at: start)
        default: false
        }
    }

    /// `**bold**`, `_italics_`, `~~struck~~` and backticks: signs that open or close something.
    private mutating func emphasis(_ sign: UInt16, at start: Int) -> Bool {
        var runEnd = start
        while runEnd < end, units[runEnd] == sign {
            runEnd += 1
        }
        let count = runEnd - start
        if sign == 0x2A, count == 1, isLineStart(start), unit(runEnd).isBlank {
            silence(start..<runEnd)
            return true
        }
        guard count <= 3, sign != 0x7E || count == 2 else { return false }
        let before = start > 0 ? units[start - 1] : 0x20
        let after = unit(runEnd)
        let opens = !after.isSpace && !(before.isDigit && after.isDigit)
        let closes = !before.isSpace && !(before.isDigit && after.isDigit)
        guard opens || closes else { return false }
        if sign == 0x5F || sign == 0x2A && count == 1 {
            // snake_case and 5*x are no emphasis: only one side may touch a word.
            guard !(before.isLetterOrDigit && after.isLetterOrDigit) else { return false }
        }
        if opens != closes || sign == 0x60 || count >= 2 || !before.isLetterOrDigit || !after.isLetterOrDigit {
            silence(start..<runEnd)
            return true
        }
        return false
    }

    func isLineStart(_ index: Int) -> Bool {
        var index = index
        let limit = index - 8
        while index > 0, index > limit, units[index - 1].isBlank || units[index - 1] == 0x3E {
            index -= 1
        }
        return index == 0 || units[index - 1] == 0x0A || units[index - 1] == 0x0D
    }

    /// Headings, quotations and list items: `# `, `> `, `- `, `+ `.
    private mutating func linePrefix(_ sign: UInt16, at start: Int) -> Bool {
        var runEnd = start
        while runEnd < end, runEnd - start < 7, units[runEnd] == sign {
            runEnd += 1
        }
        let count = runEnd - start
        guard unit(runEnd).isSpace || sign == 0x3E, sign == 0x23 ? count <= 6 : sign == 0x3E || count == 1 else {
            return false
        }
        silence(start..<runEnd)
        return true
    }

    /// `[text](address)` and `![text](address)`: only the text is said.
    private mutating func link(_ sign: UInt16, at start: Int) -> Bool {
        switch sign {
        case 0x21:
            guard has("[", at: start + 1), linkTextEnd(from: start + 2) != nil else { return false }
            silence(start..<start + 2)
        case 0x5B:
            guard linkTextEnd(from: start + 1) != nil else { return false }
            silence(start..<start + 1)
        default:
            guard has("(", at: start + 1), let close = addressEnd(from: start + 2) else { return false }
            silence(start..<close + 1)
        }
        return true
    }

    private func linkTextEnd(from start: Int) -> Int? {
        var index = start
        let limit = min(end, start + 200)
        while index < limit, units[index] != 0x5D, units[index] != 0x5B {
            index += 1
        }
        guard index > start, has("]", at: index), has("(", at: index + 1), addressEnd(from: index + 2) != nil else {
            return nil
        }
        return index
    }

    /// The closing bracket of a link's address.
    func addressEnd(from start: Int) -> Int? {
        var index = start
        let limit = min(units.count, start + 1_000)
        while index < limit {
            if units[index] == 0x29 { return index > start ? index : nil }
            if units[index] == 0x28 || units[index] == 0x0A { return nil }
            index += 1
        }
        return nil
    }

    /// A table's `|`, and whole rows like `|---|:--|`.
    private mutating func tableSign(at start: Int) -> Bool {
        var runEnd = start
        while runEnd < end,
            units[runEnd] == 0x7C || units[runEnd] == 0x2D || units[runEnd] == 0x3A || units[runEnd] == 0x20
        {
            runEnd += 1
        }
        while runEnd > start + 1, units[runEnd - 1] == 0x20 || units[runEnd - 1] == 0x2D && unit(runEnd).isDigit {
            runEnd -= 1
        }
        silence(start..<runEnd)
        return true
    }
}
