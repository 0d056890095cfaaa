/// Numbers: the order in which their readings are tried, and digits in groups.
extension TextScanner {
    /// Reads what begins with the digit at `position`.
    mutating func scanNumber() {
        let start = position
        guard let rules else { return pass(number: start..<digitsEnd(from: start)) }
        if steps.contains(.numbers), numbersOfRule(start, rules) { return }
        if steps.contains(.dates),
            monthOfYear(start, rules) || numericDate(start, rules) || romanMonthDate(start, rules)
                || dottedDay(start, rules)
                || dateBeforeMonth(start, rules)
                || slashedDay(start, rules) || dayBeforeClock(start, rules) || firstDay(start, rules)
        {
            return
        }
        if steps.contains(.times), raceTime(start, rules) || duration(start, rules) || timeOfDay(start, rules) {
            return
        }
        if steps.contains(.numbers), dottedDigits(start, rules) || telephone(start, rules) { return }
        let number = number(at: start, rules)
        if steps.contains(.units),
            coordinate(number, rules) || inflectedSign(number, rules) || feetAndInches(number, rules)
                || markedLengths(number, rules) || inches(number, rules)
        {
            return
        }
        if steps.contains(.currency) {
            if amount(number, rules) { return }
            let other =
                withOtherGroups(number, rules) ?? withOtherMark(number, rules) ?? withoutCoins(number, rules)
            if let other, amount(other, rules) || markOfNoCoins(number, rules) { return }
        }
        if steps.contains(.numbers), rewrite(number, rules) { return }
        let next = number.range.upperBound
        if steps.contains(.units), measure(number, rules) { return }
        pass(number: start..<max(next, start + 1))
        if steps.contains(.numbers) { rangeDash(after: number, rules) }
    }

    mutating func pass(number range: Range<Int>) {
        position = range.upperBound
        lastNumberEnd = range.upperBound
    }

    mutating func say(_ words: String, forNumber range: Range<Int>) {
        say(words, for: range)
        lastNumberEnd = range.upperBound
    }

    private mutating func rewrite(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        rating(number, rules) || chainOfYears(number, rules) || yearAndPart(number, rules) || yearAndNext(number, rules)
            || mixedHalf(number, rules) || fraction(number, rules) || ordinal(number, rules)
            || numberWithEnding(number, rules)
            || exponent(number, rules) || code(number, rules) || year(number, rules)
            || ratioWithColon(number, rules)
            || dimensions(number, rules) || compound(number, rules) || millions(number, rules)
            || spacedGroups(number, rules)
            || commonFraction(number, rules)
            || agreeing(number, rules)
    }

    /// A number in groups set apart by spaces or signs, which engines take for several numbers.
    private mutating func spacedGroups(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard number.isGroupedBySpaces || number.isGroupedBySigns else { return false }
        let isClear =
            number.isGroupedBySigns || number.hasNoBreakSpaces || number.groupCount > 1
            || rules.numerals.decimalMark == ","
        guard isClear, !unit(number.range.upperBound).isLetter else {
            pass(number: number.range.lowerBound..<digitsEnd(from: number.range.lowerBound))
            return true
        }
        let gender = unitGender(after: number, rules) ?? genderOfCounted(by: number, rules)
        let inCase = wordsInCase(number, rules)
        guard let words = inCase ?? words(for: number, rules.numerals, gender: gender) else { return false }
        say(words, forNumber: number.range)
        if steps.contains(.units), unit(after: number, rules) { return true }
        rangeDash(after: number, rules)
        return true
    }

    func isBehindSectionSign(_ start: Int) -> Bool {
        unit(unit(start - 1).isBlank ? start - 2 : start - 1) == 0xA7
    }

    /// Whether what follows shows that nothing is counted by a number that ends at `next`.
    ///
    /// A noun behind it is counted, and so is what has a sign.
    func countsNothing(before next: Int, _ rules: LanguageRules) -> Bool {
        let after = nextWord(from: next)
        guard after.isEmpty else {
            return isName(at: next) || after != "of" && SentenceOpeners.contains(after, language: rules.code)
        }
        return unit(next).isSpace && isSentenceEnd(next) || Self.endsClause(unit(next)) && !unit(next + 1).isDigit
    }

    /// Whether the sign stands behind words: full stops and commas, closing quotation marks and brackets, long dashes.
    static func endsClause(_ sign: UInt16) -> Bool {
        [0x21, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x2014, 0x2019, 0x201D, 0x2026].contains(sign)
    }
}
