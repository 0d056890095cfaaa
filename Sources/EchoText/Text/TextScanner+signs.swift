extension TextScanner {
    /// Reads the sign at `position`.
    mutating func scanSign() {
        let start = position
        let sign = units[start]
        if steps.contains(.dates), let rules,
            birthOrDeath(sign, at: start, rules) || spanOfNames(sign, at: start, rules)
                || spanOfOrdinals(sign, at: start, rules)
        {
            return
        }
        if steps.contains(.markup), markup(sign, at: start) { return }
        if steps.contains(.symbols), gluedDash(sign, at: start) { return }
        if let rules {
            if steps.contains(.currency), sign == 0x24 || sign >= 0xA2,
                amount(signAt: start) || rate(signAt: start) || currencyOfMillions(signAt: start)
            {
                return
            }
            if sign == 0x2F, steps.contains(.units), slashOfSame(at: start, rules) { return }
            if sign == 0x25 || sign == 0x2F, rate(of: sign, at: start, rules) { return }
            if steps.contains(.times), zoneOffset(sign, at: start, rules) { return }
            if steps.contains(.numbers), numericSign(sign, at: start, rules) { return }
            if steps.contains(.numbers), raisedFigures(start, rules) || bracketedNote(start) { return }
            if steps.contains(.symbols), comparison(sign, at: start, rules) || symbol(sign, at: start, rules) { return }
        }
        if steps.contains(.symbols), punctuationRun(sign, at: start) { return }
        position = start + 1
    }

    /// A dash between words without spaces, at which engines do not pause: it is said as one with spaces is.
    private mutating func gluedDash(_ sign: UInt16, at start: Int) -> Bool {
        let before = unit(start - 1)
        let after = unit(start + 1)
        switch sign {
        case 0x2D: return typedDash(start)
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

    /// A dash of two or three hyphens, as typewriters write it: “the boat--old but sound -- is ready”.
    private mutating func typedDash(_ start: Int) -> Bool {
        var runEnd = start
        while runEnd < end, runEnd - start < 4, units[runEnd] == 0x2D { runEnd += 1 }
        guard (2...3).contains(runEnd - start), unit(start - 1) != 0x2D else { return false }
        // “ls --all” has none.
        let isBehindSpace = unit(start - 1).isBlank
        let isBeforeSpace = unit(runEnd).isBlank
        guard isBeforeSpace || !isBehindSpace else { return false }
        let before = unit(isBehindSpace ? start - 2 : start - 1)
        let after = unit(isBeforeSpace ? runEnd + 1 : runEnd)
        guard Self.endsWord(before), Self.beginsWord(after), !(before.isDigit && after.isDigit) else { return false }
        say((isBehindSpace ? "" : " ") + "—" + (isBeforeSpace ? "" : " "), for: start..<runEnd)
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
            if sign == 0x2D, telephoneExtension(at: start, rules) { return true }
            guard unit(start + 1).isDigit || Self.isMoneySign(unit(start + 1)), isNumberStart(start) else {
                return false
            }
            // “auf alles –30 %”, but “5 – 30”
            // “örtlich auf –6 °C”
            let behind = skipBlanks(from: number(at: start + 1, rules).range.upperBound)
            let isMeasured =
                (has("%", at: behind) || unit(behind) == 0xB0) && unit(start - 1).isBlank
                && !unit(start - 2).isDigit && !has("%", at: start - 2) && unit(start - 2) != 0xB0
                && !(unit(behind) == 0xB0 && unit(start - 3) == 0xB0)
            guard sign != 0x2013 || lastNumberEnd < 0 || isMeasured else { return false }
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
        // “§-le 12”
        if sign == 0xA7, rules.code == "et", unit(start + 1).isDash,
            EstonianNumbers.endingsOfAbbreviations.contains(word(at: start + 2))
        {
            say("paragrahvi" + word(at: start + 2), for: start..<wordEnd(from: start + 2))
            return true
        }
        // “los §§ 3 y 4”
        if sign == 0xA7, rules.code == "es", ["al", "del", "el", "los"].contains(previousWord(before: start)) {
            let isPlural = unit(start + 1) == sign
            say(isPlural ? "párrafos" : "párrafo", for: start..<(isPlural ? start + 2 : start + 1))
            return true
        }
        if sign == 0xA7, unit(start + 1) == sign, unit(start + 2) != sign, unit(start - 1) != sign,
            !rules.signs.sections.isEmpty
        {
            say(rules.signs.sections, for: start..<start + 2)
            return true
        }
        guard let scalar = Unicode.Scalar(sign), unit(start + 1) != sign, unit(start - 1) != sign else { return false }
        // “5,8·10⁴”
        let isGerman = rules.code == "de" || rules.code == "et"
        if sign == 0xB7,
            isGerman && unit(start - 1).isDigit && unit(start + 1).isDigit || isBeforePowerOfTen(start)
        {
            say(rules.signs.between["*"] ?? rules.signs.by, for: start..<start + 1)
            return true
        }
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
        // “#5” and “#A-1029”
        let isCode = unit(start + 1).isUppercase && unit(start + 2).isDash && unit(start + 3).isDigit
        if unit(start + 1).isDigit || isCode {
            say(rules.signs.number, for: start..<start + 1)
        } else if unit(start + 1).isLetter {
            say(rules.signs.hashtag, for: start..<start + 1)
        } else {
            return false
        }
        return true
    }

    /// The last digits of a telephone number, of which the others were given before: “Fax -91”, “Durchwahl -204”.
    private mutating func telephoneExtension(at dash: Int, _ rules: LanguageRules) -> Bool {
        let before = abbreviatedWord(before: dash)
        let end = digitsEnd(from: dash + 1)
        // “Handy -20 %”
        let sign = unit(skipBlanks(from: end))
        guard sign != 0x25, sign != 0xB0, !Self.isMoneySign(sign) else { return false }
        guard (2...4).contains(end - dash), unit(dash - 1).isBlank, !unit(end).isLetterOrDigit,
            !(has(",", at: end) || has(".", at: end)) || !unit(end + 1).isDigit,
            rules.numerals.telephonesFollow.contains(before) || ["durchwahl", "dw"].contains(before)
        else { return false }
        say(spelled(text(dash + 1..<end), rules.numerals), for: dash..<end)
        lastNumberEnd = end
        return true
    }

    /// Whether a raised dot stands between a number and a power of ten: “1,5 · 10⁸”, “6.02·10^23”.
    private func isBeforePowerOfTen(_ dot: Int) -> Bool {
        let ten = skipBlanks(from: dot + 1)
        let number = unit(dot - 1).isBlank ? dot - 2 : dot - 1
        guard unit(number).isDigit, has("1", at: ten), has("0", at: ten + 1) else { return false }
        let raised = unit(ten + 2)
        return [0x5E, 0xB2, 0xB3, 0xB9].contains(raised) || (0x2070...0x207B).contains(raised)
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
            // A single comma would make decimals of them.
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
            if !isNegative, isNote(at: start) { return note(start..<end) }
            return before.isDigit && !isNegative && power(start..<end, beforeUnit: rules)
        }
        guard isNumber || figures == "n" else { return false }
        if isNumber, !isNegative, isNote(at: start) { return note(start..<end) }
        guard before.isLetterOrDigit || before == 0x29 || before == 0x5D else { return false }
        let words = (isNegative ? rules.signs.minus + " " : "") + digits
        say(" \(rules.signs.power) \(words)", for: start..<end)
        // “10⁻⁹ m”
        if isNumber, before.isDigit, steps.contains(.units) {
            _ = unit(after: WrittenNumber(start..<end, whole: "2", decimals: ""), rules)
        }
        return true
    }

    /// A square or a cube of a number, and the unit behind it: “10² m”, which is no area.
    private mutating func power(_ sign: Range<Int>, beforeUnit rules: LanguageRules) -> Bool {
        let number = WrittenNumber(sign, whole: "2", decimals: "")
        guard steps.contains(.units), sign.count == 1, let scalar = Unicode.Scalar(unit(sign.lowerBound)),
            let words = rules.signs.others[scalar], unitAfter(number, rules) != nil
        else { return false }
        // “10 Quadratmeter” would be an area.
        let isSquare = unit(sign.lowerBound) == 0xB2
        say(rules.code == "de" && isSquare ? " \(rules.signs.power) zwei" : words, for: sign)
        return unit(after: number, rules)
    }

    /// The sign of a note in brackets behind the mark of a clause: “The king fled.[3] Then”.
    private mutating func bracketedNote(_ start: Int) -> Bool {
        let end = digitsEnd(from: start + 1)
        guard has("[", at: start), (1...3).contains(end - start - 1), has("]", at: end) else { return false }
        let isSecond = output.last.map { $0.range.upperBound == start && has("]", at: start - 1) } ?? false
        return isSecond || isMark(unit(start - 1)) ? note(start..<end + 1) : false
    }

    private mutating func note(_ range: Range<Int>) -> Bool {
        silence(range)
        return true
    }

    /// Whether figures here are the sign of a note: behind a word, a year or the end of a sentence.
    private func isNote(at start: Int) -> Bool {
        let before = unit(start - 1)
        if isMark(before) { return true }
        var first = start
        if before.isDigit {
            while first > 0, start - first < 6, unit(first - 1).isDigit { first -= 1 }
            return start - first == 4 && !unit(first - 1).isLetterOrDigit
        }
        guard before.isLetter else { return false }
        while first > 0, start - first < 4, unit(first - 1).isLetter { first -= 1 }
        return start - first >= 4
    }

    /// Whether it ends a clause or a quotation.
    private func isMark(_ unit: UInt16) -> Bool {
        [0x2C, 0x2E, 0x3B, 0x3A, 0x21, 0x3F, 0x22, 0xBB, 0x2019, 0x201D, 0x2026].contains(unit)
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
