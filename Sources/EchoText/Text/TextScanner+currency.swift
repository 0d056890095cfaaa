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
            return withOtherMark(number, rules) ?? number
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
        // One letter must touch its number or stand beside a sign: “£3m”, “5 M€” and “¥30 b”, but “5 m”.
        let sign = skipBlanks(from: end)
        let isClear = isBehindSign && !has(".", at: end) && !unit(end).isLetterOrDigit
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
