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
        if written == "sq", let square = rules.units[written],
            let (noun, range) = unitAfter(WrittenNumber(plain: start..<stop, ""), rules)
        {
            let words = CountedNoun("\(square.one) \(noun.one)", "\(square.many) \(noun.many)", noun.gender)
            return (words, start..<range.upperBound)
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
        rangeOfMeasures(behind: range, rules)
        return true
    }

    /// Says the dash between two measures: “5 km–10 km”, “10° N – 15° N”.
    private mutating func rangeOfMeasures(behind sign: Range<Int>, _ rules: LanguageRules) {
        let isSpaced = unit(position).isBlank
        let dash = isSpaced ? position + 1 : position
        guard unit(dash) == 0x2013 || !isSpaced && (unit(dash) == 0x2D || unit(dash) == 0x2011) else { return }
        let second = skipBlanks(from: dash + 1)
        guard unit(second).isDigit, (second > dash + 1) == isSpaced else { return }
        let other = number(at: second, rules)
        let isAngle = unit(sign.lowerBound) == 0xB0 && unit(other.range.upperBound) == 0xB0
        let otherSign = unitAfter(other, rules)?.range
        // Spaces may set two thoughts apart, unless both measure the same.
        let isSame = isAngle || otherSign.map { text($0) == text(sign) } == true
        guard isSame || !isSpaced && otherSign != nil else { return }
        // “5 m-3 m = 2 m”
        let isDifference = unit(dash) == 0x2D && otherSign.map { has("=", at: skipBlanks(from: $0.upperBound)) } == true
        say(isDifference ? rules.signs.minus : rules.signs.to, for: dash..<dash + 1)
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
        let sign = number.range.upperBound..<number.range.upperBound + 1
        rangeOfMeasures(behind: sign, rules)
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

extension TextScanner {
    /// An amount whose currency stands before it as a sign: “$5.50”, “£3m”.
    mutating func amount(signAt start: Int) -> Bool {
        guard let rules, let currency = rules.money.currencies[text(start..<start + 1)] else { return false }
        return amount(prefix: start..<start + 1, currency, rules)
    }

    /// An amount whose currency stands before it as letters: “US$ 5”, “EUR 20”.
    mutating func amount(after word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard word.count <= 3, unit(word.lowerBound).isUppercase else { return false }
        let end = has("$", at: word.upperBound) ? word.upperBound + 1 : word.upperBound
        guard unit(end).isDigit || unit(skipBlanks(from: end)).isDigit else { return false }
        guard let currency = rules.money.currencies[text(word.lowerBound..<end)] else { return false }
        return amount(prefix: word.lowerBound..<end, currency, rules)
    }

    private mutating func amount(prefix: Range<Int>, _ currency: MoneyWords.Currency, _ rules: LanguageRules) -> Bool {
        guard let number = amount(at: skipBlanks(from: prefix.upperBound), rules) else { return false }
        let scale = scale(after: number.range.upperBound, isBehindSign: true, rules)
        let end = scale?.end ?? number.range.upperBound
        guard scale != nil || !unit(end).isLetter else { return false }
        if scale == nil, let range = rangeEnd(after: number, rules), let first = words(for: number, rules.numerals),
            let second = amountWords(range, nil, currency, rules)
        {
            say("\(first) \(rules.signs.to) \(second)", for: prefix.lowerBound..<range.range.upperBound)
            lastNumberEnd = position
            return true
        }
        let isAttribute =
            rules.money.attributesFollow.contains(previousWord(before: prefix.lowerBound)) && unit(end).isBlank
            && unit(end + 1).isLowercase
        guard let words = amountWords(number, scale?.noun, isAttribute: isAttribute, currency, rules) else {
            return false
        }
        say(words, for: prefix.lowerBound..<end)
        lastNumberEnd = end
        // “$250-$300”
        let sign = end + 1..<end + 1 + prefix.count
        if unit(end).isDash, sign.upperBound < self.end, units[sign].elementsEqual(units[prefix]),
            unit(sign.upperBound).isDigit
        {
            say(rules.signs.to, for: end..<end + 1)
        }
        return true
    }

    /// The number at `start`, of which the zero before the decimal mark may be missing: “$.50”.
    private func amount(at start: Int, _ rules: LanguageRules) -> WrittenNumber? {
        if unit(start).isDigit {
            let number = number(at: start, rules)
            return withOtherMark(number, rules) ?? withoutCoins(number, rules) ?? number
        }
        let end = digitsEnd(from: start + 1)
        guard unit(start) == UInt16(ascii: rules.numerals.decimalMark), end > start + 1 else { return nil }
        return WrittenNumber(start..<end, whole: "0", decimals: text(start + 1..<end))
    }

    /// The amount with the decimal mark of other languages: “39.99 EUR” in German, “27,50 €” in English.
    func withOtherMark(_ number: WrittenNumber, _ rules: LanguageRules) -> WrittenNumber? {
        let mark = number.range.upperBound
        let end = digitsEnd(from: mark + 1)
        let isOther = rules.numerals.decimalMark == "," ? has(".", at: mark) : has(",", at: mark)
        guard number.isPlainInteger, isOther, end == mark + 3,
            !((has(".", at: end) || has(",", at: end)) && unit(end + 1).isDigit)
        else { return nil }
        return WrittenNumber(number.range.lowerBound..<end, whole: number.digits, decimals: text(mark + 1..<end))
    }

    /// The amount with a dash for its coins: “5,– €”.
    func withoutCoins(_ number: WrittenNumber, _ rules: LanguageRules) -> WrittenNumber? {
        let mark = number.range.upperBound
        let dash = unit(mark + 1)
        guard rules.numerals.decimalMark == ",", number.decimals.isEmpty, has(",", at: mark) || has(".", at: mark),
            dash.isDash || dash == 0x2014, !unit(mark + 2).isLetterOrDigit
        else { return nil }
        return WrittenNumber(number.range.lowerBound..<mark + 2, whole: number.digits, decimals: "00")
    }

    /// An amount whose coins stand behind the sign: “12€50”.
    private mutating func splitAmount(_ number: WrittenNumber, _ sign: Int, _ rules: LanguageRules) -> Bool {
        let end = digitsEnd(from: sign + 1)
        guard number.decimals.isEmpty, sign == number.range.upperBound, end == sign + 3, !unit(end).isLetterOrDigit,
            !((has(".", at: end) || has(",", at: end)) && unit(end + 1).isDigit),
            let currency = rules.money.currencies[text(sign..<sign + 1)], currency.minor != nil
        else { return false }
        let range = number.range.lowerBound..<end
        let whole = WrittenNumber(range, whole: number.digits, decimals: text(sign + 1..<end))
        guard let words = amountWords(whole, nil, currency, rules) else { return false }
        say(words, for: range)
        lastNumberEnd = end
        return true
    }

    /// An amount whose currency stands behind it: “20 €”, “5,50 EUR”, “3 mln €”.
    mutating func amount(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let scale = scale(after: number.range.upperBound, rules)
        let start = skipBlanks(from: scale?.end ?? number.range.upperBound)
        var end = wordEnd(from: start)
        if !unit(start).isLetter { end = start + 1 }
        guard end <= self.end, start < end, end - start <= 7,
            let currency = rules.money.currencies[text(start..<end)]
        else { return false }
        if !unit(start).isLetter, unit(end).isDigit { return splitAmount(number, start, rules) }
        guard !unit(end).isLetterOrDigit else { return false }
        if scale == nil, number.decimals.isEmpty, !number.isGrouped, let whole = number.whole {
            let numerals = rules.numerals
            let noun = currency.major
            if numerals.cardinal(whole, noun.gender) == numerals.cardinal(whole, nil) {
                pass(number: number.range)
            } else {
                say(numerals.cardinal(whole, noun.gender), for: number.range)
            }
            say(numerals.isOne(number.value) ? noun.one : noun.many, for: start..<end)
        } else if let words = amountWords(number, scale?.noun, currency, rules) {
            say(words, for: number.range.lowerBound..<end)
        } else {
            return false
        }
        lastNumberEnd = end
        return true
    }

    private func rangeEnd(after number: WrittenNumber, _ rules: LanguageRules) -> WrittenNumber? {
        let dash = number.range.upperBound
        guard unit(dash).isDash, unit(dash + 1).isDigit else { return nil }
        let other = self.number(at: dash + 1, rules)
        return other.value > number.value && !unit(other.range.upperBound).isLetterOrDigit
            && scale(after: other.range.upperBound, rules) == nil ? other : nil
    }

    private func scale(
        after index: Int,
        isBehindSign: Bool = false,
        _ rules: LanguageRules
    ) -> (noun: CountedNoun, end: Int)? {
        let start = skipBlanks(from: index)
        guard unit(start).isLetter else { return nil }
        var end = wordEnd(from: start)
        guard end - start <= 10, let noun = rules.money.scales[text(start..<end)] else { return nil }
        // A single letter must touch its number or stand beside a sign: “£3m”, “5 M€” and “¥30 b”, but “5 m”.
        let sign = skipBlanks(from: end)
        // “$20 T-shirts” and “$20 M&Ms” have none.
        let isOfName = unit(end).isDash || has("&", at: end)
        let isClear = isBehindSign && !has(".", at: end) && !unit(end).isLetterOrDigit && !isOfName
        let isBeforeSign = rules.money.currencies[text(sign..<min(sign + 1, self.end))] != nil
        guard end - start > 1 || start == index || isClear || isBeforeSign else { return nil }
        if has(".", at: end), !isSentenceEnd(end + 1), end - start <= 4 { end += 1 }
        return (noun, end)
    }

    private func amountWords(
        _ number: WrittenNumber,
        _ scale: CountedNoun?,
        isAttribute: Bool = false,
        _ currency: MoneyWords.Currency,
        _ rules: LanguageRules
    ) -> String? {
        let numerals = rules.numerals
        let many = isAttribute ? currency.major.one : currency.major.many
        if let scale {
            guard let words = words(for: number, numerals, gender: scale.gender) else { return nil }
            let noun = numerals.isOne(number.value) ? scale.one : scale.many
            return "\(words) \(noun) \(rules.money.afterScale(noun, many))"
        }
        guard let whole = number.whole else { return nil }
        guard number.decimals.count == 2, let coins = Int(number.decimals), let minor = currency.minor else {
            return words(for: number, numerals, gender: currency.major.gender).map { words in
                "\(words) \(numerals.isOne(number.value) ? currency.major.one : many)"
            }
        }
        let noun = numerals.isOne(Double(whole)) ? currency.major.one : many
        let major = "\(numerals.cardinal(whole, currency.major.gender)) \(noun)"
        guard coins > 0 else { return major }
        let small =
            "\(numerals.cardinal(coins, minor.gender)) \(numerals.isOne(Double(coins)) ? minor.one : minor.many)"
        guard whole > 0 else { return small }
        let spoken = rules.money.saysMinor ? small : numerals.cardinal(coins, nil)
        return "\(major) \(rules.money.joint.isEmpty ? "" : rules.money.joint + " ")\(spoken)"
    }
}
