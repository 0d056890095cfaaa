/// Amounts of money, whose currency stands before or behind the number.
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
        // “bei der DM 2 Medaillen”, “im RM 3”
        let isEvent =
            rules.code == "de" && word.count == 2
            && ["der", "die", "im"].contains(previousWord(before: word.lowerBound))
        guard !isEvent else { return false }
        return amount(prefix: word.lowerBound..<end, currency, rules)
    }

    private mutating func amount(prefix: Range<Int>, _ currency: MoneyWords.Currency, _ rules: LanguageRules) -> Bool {
        guard let number = amount(at: skipBlanks(from: prefix.upperBound), rules) else { return false }
        let isHyphenated = hyphenatedScale(after: number.range.upperBound, rules) != nil
        let scale =
            hyphenatedScale(after: number.range.upperBound, rules)
            ?? self.scale(after: number.range.upperBound, isBehindSign: true, rules)
        let end = scale?.end ?? number.range.upperBound
        guard scale != nil || !unit(end).isLetter else { return false }
        if scale == nil, let (other, shared) = scaledRangeEnd(after: number, rules),
            let first = words(for: number, rules.numerals),
            let second = amountWords(other, shared.noun, currency, rules)
        {
            say("\(first) \(rules.signs.to) \(second)", for: prefix.lowerBound..<shared.end)
            lastNumberEnd = position
            return true
        }
        if scale == nil, let range = rangeEnd(after: number, rules), let first = words(for: number, rules.numerals),
            let second = amountWords(range, nil, currency, rules)
        {
            say("\(first) \(rules.signs.to) \(second)", for: prefix.lowerBound..<range.range.upperBound)
            lastNumberEnd = position
            return true
        }
        // “$1,500 MXN”
        let code = skipBlanks(from: end)
        let codeEnd = wordEnd(from: code)
        if code > end, codeEnd == code + 3, text(prefix) == "$",
            let coded = rules.money.currencies[text(code..<codeEnd)],
            let words = amountWords(number, scale?.noun, coded, rules)
        {
            say(words, for: prefix.lowerBound..<codeEnd)
            lastNumberEnd = codeEnd
            return true
        }
        // “a $10-an-hour job”, “$100 bills”, “the $5K prize”
        let isAttribute =
            (isHyphenated || rules.money.attributesFollow.contains(previousWord(before: prefix.lowerBound))
                || rules.code == "en" && unit(end).isBlank && Self.nounsBehindAmounts.contains(word(at: end + 1)))
            && (unit(end).isBlank || unit(end) == 0x2D) && unit(end + 1).isLowercase
        guard let words = amountWords(number, scale?.noun, isAttribute: isAttribute, currency, rules) else {
            return false
        }
        say(words, for: prefix.lowerBound..<end)
        lastNumberEnd = end
        rate(rules)
        // “$250-$300”
        let sign = end + 1..<end + 1 + prefix.count
        if unit(end).isDash, sign.upperBound < self.end, units[sign].elementsEqual(units[prefix]),
            unit(sign.upperBound).isDigit
        {
            say(rules.signs.to, for: end..<end + 1)
        }
        return true
    }

    private static let nounsBehindAmounts: Set<String> = [
        "banknote", "banknotes", "bill", "bills", "bonus", "bonuses", "bounties", "bounty", "deposit", "deposits",
        "donation", "donations", "fee", "fees", "grant", "grants", "jackpot", "jackpots", "loan", "loans", "note",
        "notes", "prize", "prizes", "refund", "refunds", "ticket", "tickets", "voucher", "vouchers",
    ]

    /// The end of a range that shares its scale with the beginning: “$1.5-2 million”, “£5–6m”.
    private func scaledRangeEnd(
        after number: WrittenNumber,
        _ rules: LanguageRules
    ) -> (number: WrittenNumber, scale: (noun: CountedNoun, end: Int))? {
        let dash = number.range.upperBound
        guard unit(dash).isDash, unit(dash + 1).isDigit else { return nil }
        let other = self.number(at: dash + 1, rules)
        guard other.value > number.value,
            let scale = self.scale(after: other.range.upperBound, isBehindSign: true, rules)
        else { return nil }
        return (other, scale)
    }

    /// The scale behind a hyphen: “a $3.2-million loan”.
    private func hyphenatedScale(after index: Int, _ rules: LanguageRules) -> (noun: CountedNoun, end: Int)? {
        guard rules.code == "en", unit(index) == 0x2D, let noun = rules.money.scales[word(at: index + 1)] else {
            return nil
        }
        let end = wordEnd(from: index + 1)
        return end - index > 5 ? (noun, end) : nil
    }

    /// The number at `start`, of which the zero before the decimal mark may be missing: “$.50”.
    private func amount(at start: Int, _ rules: LanguageRules) -> WrittenNumber? {
        if unit(start).isDigit {
            let number = number(at: start, rules)
            return withOtherGroups(number, rules) ?? withOtherMark(number, rules) ?? withoutCoins(number, rules)
                ?? withGroup(number, rules) ?? number
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

    /// The amount with both marks as other languages have them: “1.234,56 EUR” in English, “$1,234.56” in German.
    func withOtherGroups(_ number: WrittenNumber, _ rules: LanguageRules) -> WrittenNumber? {
        let start = number.range.lowerBound
        let isComma = rules.numerals.decimalMark == ","
        var index = digitsEnd(from: start)
        guard (1...3).contains(index - start) else { return nil }
        var digits = text(start..<index)
        while has(isComma ? "," : ".", at: index), digitsEnd(from: index + 1) == index + 4 {
            digits += text(index + 1..<index + 4)
            index += 4
        }
        let end = index + 3
        guard digits.utf16.count > 3, digits.utf16.count <= 15, index > start + 3, has(isComma ? "." : ",", at: index),
            digitsEnd(from: index + 1) == end, !((has(".", at: end) || has(",", at: end)) && unit(end + 1).isDigit)
        else { return nil }
        return WrittenNumber(start..<end, whole: digits, decimals: text(index + 1..<end))
    }

    /// The amount in groups as other countries write them: “$1,500”, where Spain would write a full stop.
    private func withGroup(_ number: WrittenNumber, _ rules: LanguageRules) -> WrittenNumber? {
        guard rules.code == "es", number.decimals.count == 3, !number.isGrouped, number.digits.count <= 3,
            number.digits.first != "0"
        else { return nil }
        return WrittenNumber(plain: number.range, number.digits + number.decimals)
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

    /// The mark for no coins before a currency in letters: “500.- eurot”, “500.- Franken”.
    mutating func markOfNoCoins(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let amount = withoutCoins(number, rules) else { return false }
        let currency = nextWord(from: amount.range.upperBound)
        guard
            rules.code == "et" && (currency.hasPrefix("euro") || currency.hasPrefix("kroon"))
                || rules.code == "de" && ["franken", "mark"].contains(currency)
        else { return false }
        pass(number: number.range)
        silence(number.range.upperBound..<amount.range.upperBound)
        lastNumberEnd = position
        return true
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
        // “5 US$”
        if !unit(start).isLetter { end = start + 1 } else if has("$", at: end) { end += 1 }
        guard end <= self.end, start < end, end - start <= 7,
            let currency = rules.money.currencies[text(start..<end)]
        else { return false }
        // “4 DM in Folge” are championships.
        let joint = skipBlanks(from: end)
        if text(start..<end) == "DM", word(at: joint) == "in", nextWord(from: joint + 2) == "folge" { return false }
        if !unit(start).isLetter, unit(end).isDigit { return splitAmount(number, start, rules) }
        guard !unit(end).isLetterOrDigit else { return false }
        if scale == nil, number.decimals.isEmpty, !number.isGrouped, let whole = number.whole {
            let numerals = rules.numerals
            let noun = currency.major
            if numerals.cardinal(whole, noun.gender) == numerals.cardinal(whole, nil) {
                pass(number: number.range)
            } else {
                let one = oneInCase(number, noun.gender, rules)
                say(one ?? numerals.cardinal(whole, noun.gender), for: number.range)
            }
            say(numerals.isOne(number.value) ? noun.one : many(noun.many, of: whole, rules), for: start..<end)
        } else if let words = amountWords(number, scale?.noun, currency, rules) {
            say(words, for: number.range.lowerBound..<end)
        } else {
            return false
        }
        lastNumberEnd = end
        rate(rules)
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

    /// A noun behind whole millions, which are nouns in French and Spanish: “un million d'euros”.
    func many(_ noun: String, of count: Int, _ rules: LanguageRules) -> String {
        count > 0 && count % 1_000_000 == 0 ? rules.money.afterScale("", noun) : noun
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
            // “80 k€” is “quatre-vingt mille”, without the “s” of “quatre-vingts”.
            if rules.code == "fr", scale.one == "mille", number.decimals.isEmpty, let whole = number.whole,
                (1..<1_000).contains(whole)
            {
                return "\(numerals.cardinal(whole * 1_000, currency.major.gender)) \(many)"
            }
            guard let words = words(for: number, numerals, gender: scale.gender) else { return nil }
            let noun = numerals.isOne(number.value) ? scale.one : scale.many
            return "\(words) \(noun) \(rules.money.afterScale(noun, many))"
        }
        guard let whole = number.whole else { return nil }
        guard number.decimals.count == 2, let coins = Int(number.decimals), coins == 0 || currency.minor != nil else {
            let noun = number.decimals.isEmpty ? self.many(many, of: whole, rules) : many
            return words(for: number, numerals, gender: currency.major.gender).map { words in
                "\(words) \(numerals.isOne(number.value) ? currency.major.one : noun)"
            }
        }
        let noun = numerals.isOne(Double(whole)) ? currency.major.one : self.many(many, of: whole, rules)
        let major = "\(numerals.cardinal(whole, currency.major.gender)) \(noun)"
        guard coins > 0, let minor = currency.minor else { return major }
        let small =
            "\(numerals.cardinal(coins, minor.gender)) \(numerals.isOne(Double(coins)) ? minor.one : minor.many)"
        guard whole > 0 else { return small }
        let spoken = rules.money.saysMinor ? small : numerals.cardinal(coins, nil)
        return "\(major) \(rules.money.joint.isEmpty ? "" : rules.money.joint + " ")\(spoken)"
    }

    /// The currency of Spanish millions, whose sign stands behind “de”.
    mutating func currencyOfMillions(signAt start: Int) -> Bool {
        guard let rules, rules.code == "es", unit(start - 1).isBlank, previousWord(before: start) == "de",
            Self.millionsBeforeSigns.contains(lowercased(wordBeforeLast)), !unit(start + 1).isLetterOrDigit,
            let currency = rules.money.currencies[text(start..<start + 1)]
        else { return false }
        say(currency.major.many, for: start..<start + 1)
        return true
    }

    private static let millionsBeforeSigns: Set<String> = [
        "bill", "billones", "billón", "m", "mill", "millones", "millón",
    ]

    /// Old British money: “3s 6d”.
    mutating func shillings(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        guard rules.code == "en", number.isPlainInteger, number.digits.count <= 2, has("s", at: sign),
            !unit(sign + 1).isLetterOrDigit
        else { return false }
        let hasStopped = has(".", at: sign + 1) && !isSentenceEnd(sign + 2) && !isName(at: sign + 2)
        let pence = skipBlanks(from: has(".", at: sign + 1) ? sign + 2 : sign + 1)
        let end = digitsEnd(from: pence)
        guard pence > sign + 1, (1...2).contains(end - pence), has("d", at: end), !unit(end + 1).isLetterOrDigit else {
            // “£7,450 13s.”
            let next = nextWord(from: sign + 1)
            guard let pounds = output.last?.range, unit(pounds.lowerBound) == 0xA3,
                pounds.upperBound == number.range.lowerBound - 1, (1...19).contains(number.whole ?? 0),
                next.isEmpty || ["a", "and", "for", "from", "in", "on", "per", "to"].contains(next)
            else { return false }
            pass(number: number.range)
            say(number.digits == "1" ? " shilling" : " shillings", for: sign..<(hasStopped ? sign + 2 : sign + 1))
            lastNumberEnd = position
            return true
        }
        pass(number: number.range)
        say(number.digits == "1" ? " shilling and " : " shillings and ", for: sign..<pence)
        position = end
        let hasStop = has(".", at: end + 1) && !isSentenceEnd(end + 2) && !isName(at: end + 2)
        say(text(pence..<end) == "1" ? " penny" : " pence", for: end..<(hasStop ? end + 2 : end + 1))
        lastNumberEnd = position
        return true
    }
}
