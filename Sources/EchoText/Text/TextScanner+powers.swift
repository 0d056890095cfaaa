extension TextScanner {
    /// Raised figures: an exponent behind a number or a letter is said, the sign of a note behind a word is not.
    mutating func raisedFigures(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard Self.raised(unit(start)) != nil, Self.raised(unit(start - 1)) == nil else { return false }
        var end = start
        var figures = ""
        while end - start < 8, let figure = Self.raised(unit(end)) {
            figures.append(figure)
            end += 1
        }
        guard Self.raised(unit(end)) == nil else { return false }
        let before = unit(start - 1)
        let isNegative = figures.first == "-"
        let digits = figures.drop { $0 == "-" || $0 == "+" }
        let isNumber = !digits.isEmpty && digits.allSatisfy(\.isNumber)
        // “square” and “cube” have words of their own.
        if figures == "2" || figures == "3", before.isLetterOrDigit || before == 0x29 || before == 0x5D {
            return !isNegative && isNote(at: start) ? note(start..<end) : false
        }
        guard isNumber || figures == "n" else { return false }
        if isNumber, !isNegative, isNote(at: start) { return note(start..<end) }
        guard before.isLetterOrDigit || before == 0x29 || before == 0x5D else { return false }
        let words = (isNegative ? rules.signs.minus + " " : "") + digits
        say(" \(rules.signs.power) \(words)", for: start..<end)
        return true
    }

    private mutating func note(_ range: Range<Int>) -> Bool {
        silence(range)
        return true
    }

    /// Whether figures here are the sign of a note: behind a word, a year or the end of a sentence.
    private func isNote(at start: Int) -> Bool {
        let before = unit(start - 1)
        switch before {
        case 0x2C, 0x2E, 0x3B, 0x3A, 0x21, 0x3F, 0x22, 0xBB, 0x2019, 0x201D, 0x2026: return true
        default: break
        }
        var first = start
        if before.isDigit {
            while first > 0, start - first < 6, unit(first - 1).isDigit { first -= 1 }
            return start - first == 4 && !unit(first - 1).isLetterOrDigit
        }
        guard before.isLetter else { return false }
        while first > 0, start - first < 4, unit(first - 1).isLetter { first -= 1 }
        return start - first >= 4
    }

    /// A raised character in its plain form.
    private static func raised(_ unit: UInt16) -> Character? {
        switch unit {
        case 0xB9: "1"
        case 0xB2: "2"
        case 0xB3: "3"
        case 0x2070, 0x2074...0x2079: Character(Unicode.Scalar(UInt8(truncatingIfNeeded: 0x30 + (unit & 0xF))))
        case 0x207A: "+"
        case 0x207B: "-"
        case 0x207F: "n"
        default: nil
        }
    }
}
