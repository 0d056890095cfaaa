/// Dashes and dots between two numbers or two measures: ranges and scores.
extension TextScanner {
    /// Says the dash between two numbers: “10–20”.
    mutating func rangeDash(after number: WrittenNumber, _ rules: LanguageRules) {
        if rangeOfDots(rules) { return }
        // “10%–15%”
        let percent = skipBlanks(from: position)
        let isPercent = has("%", at: percent) && unit(percent + 1).isDash
        let next = isPercent ? percent + 1 : position
        let dash = unit(next).isBlank && unit(next + 1) == 0x2013 ? next + 1 : next
        // A minus sign makes no range.
        guard unit(dash).isDash, unit(dash) != 0x2212 else { return }
        let second = skipBlanks(from: dash + 1)
        guard unit(second).isDigit, second == dash + 1 || dash > next, !hasDigitGlued(before: number) else { return }
        if !isPercent, dash == next, number.isPlainInteger, number.digits.count <= 3,
            isProperFraction(at: second, rules)
        {
            return say(rules.numerals.wholeAndFraction, for: dash..<dash + 1)
        }
        let other = self.number(at: second, rules)
        guard !isPercent || has("%", at: skipBlanks(from: other.range.upperBound)) else { return }
        if unit(dash) == 0x2D, isCode(number, other) || isNumbered(number, other, rules), !isMeasured(other, rules) {
            return
        }
        let isPart = isHouse(number, rules) && (unit(dash) == 0x2D || number.value >= other.value)
        if isPart || unit(dash) == 0x2D && isFigure(number, other), !isMeasured(other, rules) {
            return say(" ", for: dash..<dash + 1)
        }
        let isSpan = unit(dash) != 0x2D || isHyphenRange(number, other)
        let isRange = isSpan && !isScoreBehindVerb(number, other, dash: dash)
        let isResult = !isRange && !isPercent && dash == next && isScore(number, other)
        guard isRange || isResult else { return }
        guard !unit(other.range.upperBound).isDash || !unit(other.range.upperBound + 1).isDigit else { return }
        // “5-2=3”
        if unit(dash) == 0x2D, has("=", at: skipBlanks(from: other.range.upperBound)) {
            return say(rules.signs.minus, for: dash..<dash + 1)
        }
        // “150-100 m” is a range that falls.
        let words = isResult && !isMeasured(other, rules) ? rules.signs.score : rules.signs.to
        say(isPercent && dash == next ? " " + words : words, for: dash..<dash + 1)
        if number.isYearLike, other.isYearLike { sayYear(other, rules) }
    }

    /// Says the dots between two numbers, which Estonian may have for a dash: “−3…−8 °C”, “10...15 min”.
    private mutating func rangeOfDots(_ rules: LanguageRules) -> Bool {
        guard rules.code == "et", let end = endOfDots(from: position) else { return false }
        let sign = unit(end)
        let isPlus = sign == 0x2B
        let isSigned = isPlus || sign == 0x2D || sign == 0x2012 || sign == 0x2013 || sign == 0x2212
        let next = isSigned ? end + 1 : end
        guard unit(next).isDigit else { return false }
        let spoken = isSigned ? " " + (isPlus ? rules.signs.plus : rules.signs.minus) : ""
        say(rules.signs.to + spoken, for: position..<next)
        return true
    }

    /// Where two or three dots or an ellipsis from `start` on end; `nil` where there are none.
    func endOfDots(from start: Int) -> Int? {
        if unit(start) == 0x2026 { return start + 1 }
        var end = start
        while end - start < 4, has(".", at: end) { end += 1 }
        return (2...3).contains(end - start) ? end : nil
    }

    /// Says the dash between two measures: “5 km–10 km”, “10° N – 15° N”.
    mutating func rangeOfMeasures(behind sign: Range<Int>, _ rules: LanguageRules) {
        let isSpaced = unit(position).isBlank
        let dash = isSpaced ? position + 1 : position
        guard unit(dash) == 0x2013 || !isSpaced && (unit(dash) == 0x2D || unit(dash) == 0x2011) else { return }
        let second = skipBlanks(from: dash + 1)
        guard unit(second).isDigit, (second > dash + 1) == isSpaced else { return }
        let other = number(at: second, rules)
        let isAngle = unit(sign.lowerBound) == 0xB0 && unit(other.range.upperBound) == 0xB0
        let otherSign = unitAfter(other, rules)?.range
        // Spaces may set two thoughts apart, unless both measure the same.
        // “10h-11h30”
        let hourEnd = digitsEnd(from: second)
        let isHours =
            rules.code == "fr" && !isSpaced && text(sign) == "h" && hourEnd - second <= 2 && has("h", at: hourEnd)
        let isSame = isAngle || isHours || otherSign.map { text($0) == text(sign) } == true
        guard isSame || !isSpaced && otherSign != nil else { return }
        // “5 m-3 m = 2 m”
        let isDifference = unit(dash) == 0x2D && otherSign.map { has("=", at: skipBlanks(from: $0.upperBound)) } == true
        say(isDifference ? rules.signs.minus : rules.signs.to, for: dash..<dash + 1)
    }

    /// Whether two numbers behind a sign for “number” or “reference” are one code.
    ///
    /// “n° 12-345”, “ref. 77-310” and “Art.-Nr. 40-1180” are some, “n° 12-14”, “n° 98-102” and “Nr. 5-120” are ranges.
    private func isNumbered(_ number: WrittenNumber, _ other: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let isGerman = rules.code == "de"
        let isEstonian = rules.code == "et"
        guard !(isGerman || isEstonian) || number.digits.count > 1, other.digits.count > 2,
            other.digits.count != number.digits.count, !(0...20).contains(other.value - number.value)
        else { return false }
        let start = number.range.lowerBound
        let sign = unit(start - 1).isBlank ? start - 2 : start - 1
        let letter = has(".", at: sign - 1) ? sign - 2 : sign - 1
        let isSign = (unit(sign) == 0xB0 || unit(sign) == 0xBA) && unit(letter) | 0x20 == UInt16(ascii: "n")
        let before = abbreviatedWord(before: start)
        // “die Zimmer Nr. 20-145”, “Piletid nr 10-150”
        if isGerman || isEstonian, isPlural(wordBeforeName) { return false }
        if isEstonian { return before == "nr" || before == "number" }
        // “Art.-Nr. 40-1180”, of which the first part is the last word
        if isGerman {
            return has(".", at: sign) && has("r", at: sign - 1) && unit(sign - 2) | 0x20 == UInt16(ascii: "n")
                || before.hasSuffix("nummer")
        }
        let isShort = has(".", at: lastWord.upperBound) && ["no", "ref", "réf"].contains(before)
        return isSign || isShort || ["numéro", "núm", "número", "référence", "referencia"].contains(before)
    }

    /// Whether a German or Estonian noun is a plural of things that have numbers.
    private func isPlural(_ noun: String) -> Bool {
        Self.pluralsOfNumbered.contains(noun) || rules?.code == "et" && noun.utf16.count > 4 && noun.hasSuffix("id")
    }

    private static let pluralsOfNumbered: Set<String> = [
        "bilder", "blätter", "boxen", "hefte", "häuser", "karten", "lose", "parzellen", "plätze", "räume", "seiten",
        "sitze", "stellplätze", "tickets", "tische", "wohnungen", "zimmer", "zimmern",
        "kohad", "lauad", "majad", "toad",
    ]

    /// Whether a unit, the sign of a currency or a word for money stands behind the number.
    private func isMeasured(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = skipBlanks(from: number.range.upperBound)
        return unitAfter(number, rules) != nil || Self.coins.contains(nextWord(from: number.range.upperBound))
            || sign < end && rules.money.currencies[text(sign..<sign + 1)] != nil
    }

    /// Whether two numbers are the parts of an order's or a file's: “45-2231”, but “50-1000” and “1-1024”.
    private func isCode(_ number: WrittenNumber, _ other: WrittenNumber) -> Bool {
        number.isPlainInteger && other.isPlainInteger && other.digits.count >= 4
            && other.digits.count >= number.digits.count + 2 && number.value > 1
            && !other.digits.hasSuffix("0") && !other.digits.hasSuffix("99")
    }

    private func isHyphenRange(_ number: WrittenNumber, _ other: WrittenNumber) -> Bool {
        // “1-800-FLOWERS”
        let isCall = number.digits == "1" && other.digits.count == 3 && unit(other.range.upperBound).isDash
        return number.value < other.value && !number.hasLeadingZero && !other.hasLeadingZero && !isGluedToWord(other)
            && !isCall
    }

    /// Whether letters that are no unit stand right behind the number.
    private func isGluedToWord(_ number: WrittenNumber) -> Bool {
        guard unit(number.range.upperBound).isLetter else { return false }
        guard let rules, steps.contains(.units) else { return true }
        return unitAfter(number, rules) == nil
    }

    /// “3-2” and “102-98”, which are no ranges, since the second number is not larger; “50-50” is no score either.
    private func isScore(_ number: WrittenNumber, _ other: WrittenNumber) -> Bool {
        guard number.digits != other.digits || number.digits.count == 1 else { return false }
        guard [number, other].allSatisfy({ $0.isPlainInteger && $0.digits.count <= 3 && !$0.hasLeadingZero }),
            !unit(other.range.upperBound).isLetter, let first = number.whole, let second = other.whole
        else { return false }
        guard let numerals = rules?.numerals else { return false }
        let start = number.range.lowerBound
        let before = abbreviatedWord(before: start)
        // “Section 3-2”, “loi n° 78-17”
        let isCode =
            unit(start - 2) == 0xB0 || unit(start - 2) == 0xBA
            || [
                numerals.roomsPrecede, numerals.numbersFollow, numerals.pagesPrecede, numerals.romanCardinalsFollow,
            ].contains { $0.contains(before) }
        // “They won the title 3-2.”
        let isBehindArticle = rules?.code == "en" && ["a", "an", "the", "their"].contains(wordBeforeName)
        guard first > 99 || second > 99 else { return !isCode || isBehindArticle }
        guard !isCode else { return false }
        // “The bill passed 218-210.”
        if rules?.code == "en", Self.votesFollow.contains(before) { return true }
        // “102-98” is one of basketball, “747-400” and “401-7” are none.
        guard (100..<200).contains(first), second >= 60, !isBehindSectionSign(start), !isListedBehindCode(start) else {
            return false
        }
        // “at 110-90 Queens Boulevard”
        let isAddress = isName(at: other.range.upperBound) && (before.isEmpty || Self.addressesFollow.contains(before))
        return !isAddress
    }

    /// A score whose second number is larger, behind a verb and before nothing that is counted: “Sie verloren 2-4.”.
    private func isScoreBehindVerb(_ number: WrittenNumber, _ other: WrittenNumber, dash: Int) -> Bool {
        guard let verbs = rules.flatMap({ Self.scoresFollow[$0.code] }), number.value < other.value,
            dash == number.range.upperBound, isScore(number, other),
            verbs.contains(previousWord(before: number.range.lowerBound))
        else { return false }
        let end = other.range.upperBound
        return unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end))
            || Self.joints.contains(nextWord(from: end))
    }

    static let scoresFollow: [String: Set<String>] = [
        "de": [
            "gewann", "gewannen", "gewonnen", "siegte", "siegten", "spielte", "spielten", "unterlag", "unterlagen",
            "verlieren", "verliert", "verlor", "verloren",
        ],
        "et": ["kaotas", "kaotasid", "kaotasime", "mängis", "mängisid", "võitis", "võitsid", "võitsime"],
    ]

    /// Whether a number at `start` is listed behind another whose hyphen was left: “articles 132-75 et 132-80”.
    private func isListedBehindCode(_ start: Int) -> Bool {
        let isJoined = Self.joints.contains(previousWord(before: start))
        let isListed = unit(start - 1).isBlank && (has(",", at: start - 2) || has(";", at: start - 2))
        guard isJoined || isListed else { return false }
        let end = isJoined ? lastWord.lowerBound - 1 : start - 2
        var first = end
        while end - first < 4, unit(first - 1).isDigit { first -= 1 }
        // “They won Game 7, 102-98.”
        guard first < end, unit(first - 1).isDash, unit(first - 2).isDigit else { return false }
        return output.last.map { $0.range.upperBound < end - 3 } ?? true
    }

    private static let votesFollow: Set<String> = [
        "approved", "failed", "lost", "pass", "passed", "rejected", "vote", "voted", "votes", "won",
    ]

    private static let addressesFollow: Set<String> = ["at", "from", "near", "to"]

    func hasDigitGlued(before number: WrittenNumber) -> Bool {
        unit(number.range.lowerBound - 1).isDash && unit(number.range.lowerBound - 2).isLetterOrDigit
    }
}
