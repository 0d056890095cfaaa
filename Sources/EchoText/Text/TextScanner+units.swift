extension TextScanner {
    /// The unit of measure right after `number`, at most one space away.
    func unitAfter(_ number: WrittenNumber, _ rules: LanguageRules) -> (words: CountedNoun, range: Range<Int>)? {
        let start = skipBlanks(from: number.range.upperBound)
        guard !rules.units.isEmpty, Self.isUnitSign(unit(start)) else { return nil }
        var end = start
        while end - start < 8, Self.isUnitSign(unit(end)) {
            end += 1
        }
        guard !unit(end).isLetterOrDigit else { return nil }
        // “ft.” in the middle of a sentence
        let stop = has(".", at: end) && unit(end + 1).isBlank && unit(end + 2).isLowercase ? end + 1 : end
        let written = text(start..<end)
        if let noun = rules.units[written] { return (noun, start..<stop) }
        return ratio(written, rules).map { ($0, start..<stop) }
    }

    private static func isUnitSign(_ unit: UInt16) -> Bool {
        switch unit {
        case 0xB0, 0xB2, 0xB3, 0xB5, 0x2F, 0x2032, 0x2033: true
        default: unit.isLetter
        }
    }

    private func ratio(_ written: String, _ rules: LanguageRules) -> CountedNoun? {
        guard let perUnit = rules.perUnit else { return nil }
        let parts = written.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let above = rules.units[String(parts[0])], let below = rules.units[String(parts[1])]
        else {
            return nil
        }
        return CountedNoun(perUnit(above.one, below.one), perUnit(above.many, below.one), above.gender)
    }

    /// The gender a number takes from its unit, if that is said in words.
    func unitGender(after number: WrittenNumber, _ rules: LanguageRules) -> CountedNoun.Gender? {
        steps.contains(.units) ? unitAfter(number, rules)?.words.gender : nil
    }

    /// Says the unit after `number`; the number itself stays as it is unless it has to agree.
    mutating func unit(after number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let (noun, range) = unitAfter(number, rules) else { return false }
        let numerals = rules.numerals
        if position <= number.range.lowerBound {
            if number.isPlainInteger, let whole = number.whole, !number.hasLeadingZero,
                numerals.cardinal(whole, noun.gender) != numerals.cardinal(whole, nil)
            {
                say(numerals.cardinal(whole, noun.gender), for: number.range)
            } else {
                pass(number: number.range)
            }
        }
        say(numerals.isOne(number.value) ? noun.one : noun.many, for: range)
        lastNumberEnd = range.upperBound
        return true
    }

    /// A height: 5'11".
    mutating func feetAndInches(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let mark = number.range.upperBound
        guard let foot = rules.units["ft"], let inch = rules.units["″"], let feet = number.whole,
            number.isPlainInteger, feet < 100, unit(mark) == 0x27 || unit(mark) == 0x2032 || unit(mark) == 0x2019
        else { return false }
        let digits = skipBlanks(from: mark + 1)
        let end = digitsEnd(from: digits)
        guard end > digits, end - digits <= 2, let inches = Int(text(digits..<end)), inches < 12 else { return false }
        let close = unit(end)
        guard close == 0x22 || close == 0x2033 || close == 0x201D else { return false }
        let numerals = rules.numerals
        let parts = [(feet, foot), (inches, inch)].map { count, noun in
            "\(numerals.cardinal(count, noun.gender)) \(numerals.isOne(Double(count)) ? noun.one : noun.many)"
        }
        say(parts.joined(separator: " "), for: number.range.lowerBound..<end + 1)
        lastNumberEnd = position
        return true
    }
}
