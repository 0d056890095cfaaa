extension TextScanner {
    /// The unit of measure right after `number`, at most one space away.
    func unitAfter(_ number: WrittenNumber, _ rules: LanguageRules) -> (words: CountedNoun, range: Range<Int>)? {
        let start = skipBlanks(from: number.range.upperBound)
        guard !rules.units.isEmpty, Self.isUnitSign(unit(start)) else { return nil }
        var end = start
        while end - start < 8, Self.isUnitSign(unit(end)) {
            end += 1
        }
        // “-2°C/36°F”
        if end > start, has("/", at: end - 1), unit(end).isDigit { end -= 1 }
        // “3 millions l'an” has no litres.
        let isElided = (unit(end) == 0x27 || unit(end) == 0x2019) && unit(end + 1).isLetter
        guard !unit(end).isLetterOrDigit, !isElided else { return nil }
        // “ft.” in the middle of a sentence
        let isStopped = has(".", at: end) && (continues(from: end + 1) || Self.isClauseMark(unit(end + 1)))
        let stop = isStopped ? end + 1 : end
        let written = text(start..<end)
        if rules.unitsThatAreWords.contains(written) {
            let isWord = unit(skipBlanks(from: end)).isLetterOrDigit || !isStopped && isName(at: end + 1)
            if isWord { return nil }
        }
        if let noun = rules.units[written] { return (noun, start..<stop) }
        return ratio(written, rules).map { ($0, start..<stop) }
    }

    /// Whether a word in lower case or a number follows.
    private func continues(from index: Int) -> Bool {
        unit(index).isBlank && (unit(index + 1).isLowercase || unit(index + 1).isDigit)
    }

    private static func isClauseMark(_ unit: UInt16) -> Bool {
        unit == 0x2C || unit == 0x3B || unit == 0x3A || unit == 0x29
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

    /// A unit, a currency or a percentage with an ending behind a hyphen: “5 kg-ni”, “10%-line”.
    mutating func inflectedSign(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let inflected = rules.inflected, number.isPlainInteger, let whole = number.whole else { return false }
        let start = skipBlanks(from: number.range.upperBound)
        var end = start
        while end - start < 6, Self.isUnitSign(unit(end)) || Self.isMoneyOrPercent(unit(end)) {
            end += 1
        }
        guard end > start, unit(end).isDash, unit(end + 1).isLetter else { return false }
        let ending = end + 1..<wordEnd(from: end + 1)
        guard let words = inflected(whole, text(start..<end), lowercased(ending)) else { return false }
        say(words, for: number.range.lowerBound..<ending.upperBound)
        lastNumberEnd = position
        return true
    }

    private static func isMoneyOrPercent(_ unit: UInt16) -> Bool {
        unit == 0x25 || unit == 0x24 || unit == 0xA3 || unit == 0x20AC
    }

    /// A place on the earth, and an angle: “59°26′ N”, “24.75° E”.
    mutating func coordinate(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let degree = rules.units["°"], unit(number.range.upperBound) == 0xB0,
            var words = measured(number, degree, rules)
        else { return false }
        var index = number.range.upperBound + 1
        let parts: [(noun: String, marks: [UInt16])] = [
            ("min", [0x27, 0x2019, 0x2032]), ("s", [0x22, 0x201D, 0x2033]),
        ]
        for part in parts {
            let start = skipBlanks(from: index)
            guard unit(start).isDigit, let noun = rules.units[part.noun] else { break }
            let measure = self.number(at: start, rules)
            guard part.marks.contains(unit(measure.range.upperBound)), let more = measured(measure, noun, rules)
            else { break }
            words += " " + more
            index = measure.range.upperBound + 1
        }
        let letter = skipBlanks(from: index)
        if let direction = Unicode.Scalar(unit(letter)).flatMap({ rules.directions[$0] }),
            !unit(letter + 1).isLetterOrDigit
        {
            words += " " + direction
            index = letter + 1
        }
        guard index > number.range.upperBound + 1 else { return false }
        say(words, for: number.range.lowerBound..<index)
        lastNumberEnd = position
        return true
    }

    private func measured(_ number: WrittenNumber, _ noun: CountedNoun, _ rules: LanguageRules) -> String? {
        words(for: number, rules.numerals, gender: noun.gender).map { words in
            "\(words) \(rules.numerals.isOne(number.value) ? noun.one : noun.many)"
        }
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
