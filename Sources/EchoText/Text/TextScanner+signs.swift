extension TextScanner {
    /// Reads the sign at `position`.
    mutating func scanSign() {
        let start = position
        let sign = units[start]
        if steps.contains(.markup), markup(sign, at: start) { return }
        if steps.contains(.symbols), gluedDash(sign, at: start) { return }
        if let rules {
            if steps.contains(.currency), sign == 0x24 || sign >= 0xA2, amount(signAt: start) { return }
            if steps.contains(.times), zoneOffset(sign, at: start, rules) { return }
            if steps.contains(.numbers), numericSign(sign, at: start, rules) { return }
            if steps.contains(.numbers), raisedFigures(start, rules) { return }
            if steps.contains(.symbols), symbol(sign, at: start, rules) { return }
        }
        if steps.contains(.symbols), punctuationRun(sign, at: start) { return }
        position = start + 1
    }

    /// A dash between words without spaces, at which engines do not pause: it is said as one with spaces is.
    private mutating func gluedDash(_ sign: UInt16, at start: Int) -> Bool {
        let before = unit(start - 1)
        let after = unit(start + 1)
        switch sign {
        case 0x2014, 0x2015, 0x2500:
            guard Self.endsWord(before), Self.beginsWord(after), !(before.isDigit && after.isDigit) else {
                return false
            }
        case 0x2013:
            // “the Paris–Berlin train” has no pause.
            let joinsNames = after.isUppercase && lastWord.upperBound == start && unit(lastWord.lowerBound).isUppercase
            guard before.isLetter, after.isLetter, !joinsNames else { return false }
        default: return false
        }
        say(" — ", for: start..<start + 1)
        return true
    }

    /// Whether a unit is of a word or a mark behind one.
    private static func endsWord(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x21, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x3F, 0xBB, 0x2019, 0x201D, 0x2026: true
        default: unit.isLetterOrDigit
        }
    }

    /// Whether a unit is of a word or a mark before one.
    private static func beginsWord(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x22, 0x27, 0x28, 0xA1, 0xAB, 0xBF, 0x2018, 0x201C, 0x201E: true
        default: unit.isLetterOrDigit
        }
    }

    /// Minus signs, telephone numbers, short years and fractions.
    private mutating func numericSign(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        switch sign {
        case 0x2D, 0x2212, 0x2013:
            guard unit(start + 1).isDigit || Self.isMoneySign(unit(start + 1)), isNumberStart(start) else {
                return false
            }
            guard sign != 0x2013 || lastNumberEnd < 0 else { return false }
            say(rules.signs.minus, for: start..<start + 1)
            return true
        case 0x2B, 0x28:
            return unit(start + 1).isDigit && isNumberStart(start) && telephone(start, rules)
        case 0x27, 0x2019: return shortYear(at: start, rules)
        default:
            return fractionSign(at: start)
        }
    }

    private static func isMoneySign(_ unit: UInt16) -> Bool {
        unit == 0x24 || unit == 0xA3 || unit == 0x20AC
    }

    /// Whether a sign here belongs to the number after it and to nothing before it.
    private func isNumberStart(_ index: Int) -> Bool {
        let before = unit(index - 1)
        return before.isSpace || before == 0x28 || before == 0x5B || before == 0x22 || before == 0x3D
    }

    private mutating func symbol(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        if sign == UInt16(ascii: "#"), hashSign(start, rules) { return true }
        if sign == UInt16(ascii: "@"), unit(start + 1).isLetter, !unit(start - 1).isLetterOrDigit {
            say(rules.signs.at, for: start..<start + 1)
            return true
        }
        guard let scalar = Unicode.Scalar(sign), unit(start + 1) != sign, unit(start - 1) != sign else { return false }
        if let words = rules.signs.between[scalar], isBetween(start) {
            say(words, for: start..<start + 1)
            return true
        }
        guard let words = rules.signs.others[scalar] else { return false }
        if words.isEmpty { silence(start..<start + 1) } else { say(words, for: start..<start + 1) }
        return true
    }

    private mutating func hashSign(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard !unit(start - 1).isLetterOrDigit else { return false }
        if unit(start + 1).isDigit {
            say(rules.signs.number, for: start..<start + 1)
        } else if unit(start + 1).isLetter {
            say(rules.signs.hashtag, for: start..<start + 1)
        } else {
            return false
        }
        return true
    }

    /// Whether the sign stands between two things: with spaces on both sides, or between digits.
    private func isBetween(_ index: Int) -> Bool {
        let before = unit(index - 1)
        let after = unit(index + 1)
        if before.isSpace, after.isSpace { return index > 0 && index + 1 < end }
        return (before.isDigit || before == 0x29) && (after.isDigit || after == 0x28)
    }

    /// Runs of punctuation: “!!!” is said once, lines of dashes and the like not at all.
    private mutating func punctuationRun(_ sign: UInt16, at start: Int) -> Bool {
        var runEnd = start + 1
        while runEnd < end, units[runEnd] == sign {
            runEnd += 1
        }
        let count = runEnd - start
        guard count >= 2 else { return false }
        switch sign {
        case 0x2C where unit(start - 1).isDigit && unit(runEnd).isDigit:
            // One comma would make decimals of them.
            say(", ", for: start..<runEnd)
        case 0x21, 0x3F, 0x2C, 0x3B, 0x3A, 0xFF01, 0xFF1F, 0x3002:
            position = start + 1
            silence(position..<runEnd)
        case 0x2E where count > 3:
            position = start + 3
            silence(position..<runEnd)
        default:
            if Self.drawsLines(sign), count >= 3 { rule(start..<runEnd) } else { position = runEnd }
        }
        return true
    }

    private static func drawsLines(_ sign: UInt16) -> Bool {
        switch sign {
        case 0x23, 0x2A, 0x2D, 0x3D, 0x5F, 0x7E, 0xB7, 0x2013, 0x2014, 0x2022, 0x2500...0x257F: true
        default: false
        }
    }

    /// A line of signs: silent, but it keeps the words on its sides apart.
    private mutating func rule(_ range: Range<Int>) {
        let joins = unit(range.lowerBound - 1).isLetterOrDigit && unit(range.upperBound).isLetterOrDigit
        if joins { say(" ", for: range) } else { silence(range) }
    }
}
