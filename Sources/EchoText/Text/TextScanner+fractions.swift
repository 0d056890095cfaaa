/// Fractions and powers of ten: “½”, “1 3/4”, “2.5E-3”.
extension TextScanner {
    private static let commonFractions: [UInt16: (Int, Int)] = [
        0xBC: (1, 4), 0xBD: (1, 2), 0xBE: (3, 4), 0x2153: (1, 3), 0x2154: (2, 3), 0x2155: (1, 5), 0x2156: (2, 5),
        0x2157: (3, 5), 0x2158: (4, 5), 0x2159: (1, 6), 0x215A: (5, 6), 0x215B: (1, 8), 0x215C: (3, 8),
        0x215D: (5, 8), 0x215E: (7, 8), 0x2150: (1, 7), 0x2151: (1, 9), 0x2152: (1, 10),
    ]

    /// “½” by itself.
    mutating func fractionSign(at index: Int, after whole: String = "") -> Bool {
        guard let rules, let parts = Self.commonFractions[unit(index)] else { return false }
        // “1 ½”
        let isMixed = lastNumberEnd > 0 && lastNumberEnd == index - 1 && unit(lastNumberEnd).isBlank
        let whole = whole.isEmpty && isMixed ? rules.numerals.wholeAndFraction + " " : whole
        guard var words = rules.numerals.fraction(parts.0, parts.1) else { return false }
        if !whole.isEmpty, parts == (1, 2), let half = halfOfMixed(behind: index + 1, rules) { words = half }
        if whole.isEmpty, parts == (1, 2), let half = half(at: index..<index + 1, rules) { words = half }
        if whole.isEmpty, parts == (1, 2), isHalfOfUnit(index..<index + 1, rules) { words = "half" }
        if whole.isEmpty, parts.1 > 2, let measured = fractionOfUnit(words, behind: index + 1, rules) {
            say(measured.words, forNumber: index..<measured.end)
            return true
        }
        say(whole + words, forNumber: index..<index + 1)
        unitOfFraction(from: index, isMixed: !whole.isEmpty, rules)
        return true
    }

    /// Words for a French or Spanish fraction with “de” and the measure behind it, and where that ends.
    ///
    /// “1/4 l” is “un quart de litre”; a half has no “de”.
    private func fractionOfUnit(_ words: String, behind end: Int, _ rules: LanguageRules) -> (words: String, end: Int)?
    {
        let number = WrittenNumber(end - 1..<end, whole: "1", decimals: "")
        guard steps.contains(.units), rules.code == "es" || rules.code == "fr",
            let (noun, range) = unitAfter(number, rules)
        else { return nil }
        return ("\(words) \(rules.money.afterScale("", noun.one))", range.upperBound)
    }

    /// Whether an English noun is joined to a half by a hyphen: “the ½-mile trail”, “a 1/2-inch gap”.
    ///
    /// “3 and 1/2-inch” and “1-1/2-inch” have a whole number before it.
    private func isHalfOfUnit(_ half: Range<Int>, _ rules: LanguageRules) -> Bool {
        let isBehindWhole =
            unit(half.lowerBound - 1).isDash
            || previousWord(before: half.lowerBound) == "and" && lastNumberEnd > 0
                && lastNumberEnd == lastWord.lowerBound - 1
        return rules.code == "en" && unit(half.upperBound) == 0x2D && unit(half.upperBound + 1).isLowercase
            && !isBehindWhole
    }

    /// “1½”, where the number stays as it is.
    mutating func commonFraction(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard number.isPlainInteger, Self.commonFractions[unit(number.range.upperBound)] != nil else { return false }
        if rules.numerals.feminineHalfOfMixed == nil || !agreeing(number, rules) { pass(number: number.range) }
        return fractionSign(at: position, after: rules.numerals.wholeAndFraction + " ")
    }

    /// A number and a half that are one word.
    mutating func mixedHalf(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let end = endOfMixedHalf(behind: number, rules), let whole = number.whole else { return false }
        say("\(rules.numerals.cardinal(whole, .masculine))einhalb", forNumber: number.range.lowerBound..<end)
        unitOfFraction(from: number.range.lowerBound, isMixed: true, rules)
        return true
    }

    /// A whole number and a half, which German has in one word: “1½ Stunden”, “2 1/2 Jahre”.
    func endOfMixedHalf(behind number: WrittenNumber, _ rules: LanguageRules) -> Int? {
        guard rules.code == "de", number.isPlainInteger, !number.hasLeadingZero, number.digits.count <= 2,
            number.digits != "0"
        else { return nil }
        let start = skipBlanks(from: number.range.upperBound)
        if unit(start) == 0xBD { return start + 1 }
        let end = start + 3
        let isHalf =
            start > number.range.upperBound && has("1", at: start) && has("2", at: start + 2)
            && (has("/", at: start + 1) || unit(start + 1) == 0x2044)
        return isHalf && !unit(end).isLetterOrDigit && !has("/", at: end) ? end : nil
    }

    /// Whether a fraction below one begins here, as in “33-3/4”.
    func isProperFraction(at start: Int, _ rules: LanguageRules) -> Bool {
        let slash = digitsEnd(from: start)
        let end = digitsEnd(from: slash + 1)
        guard has("/", at: slash) || unit(slash) == 0x2044, slash - start <= 2, (2...3).contains(end - slash),
            !has("/", at: end),
            !unit(end).isLetterOrDigit, let numerator = Int(text(start..<slash)),
            let denominator = Int(text(slash + 1..<end)), numerator > 0, numerator < denominator
        else { return false }
        return rules.numerals.fraction(numerator, denominator) != nil
    }

    /// “3/4” and “1 1/2”.
    mutating func fraction(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        guard has("/", at: slash) || unit(slash) == 0x2044, unit(slash + 1).isDigit, number.isPlainInteger,
            !has("/", at: number.range.lowerBound - 1)
        else { return false }
        let end = digitsEnd(from: slash + 1)
        // “17/18 juin” are two days.
        let next = skipBlanks(from: end)
        let isDay = rules.dates.months[word(at: next)] != nil && isMonth(next..<max(next + 1, wordEnd(from: next)))
        // “05/06” is no fraction either.
        // “1/10th of a second”
        let hasEnding = rules.code == "en" && ["rd", "rds", "th", "ths"].contains(word(at: end))
        let stop = hasEnding ? wordEnd(from: end) : end
        guard end - slash <= 3, number.range.count <= 2, !has("/", at: end), !unit(stop).isLetter, !isDay,
            !number.hasLeadingZero, !has("0", at: slash + 1),
            let numerator = number.whole, let denominator = Int(text(slash + 1..<end)), numerator > 0,
            numerator < denominator, var words = rules.numerals.fraction(numerator, denominator)
        else { return false }
        let isMixed = lastNumberEnd == number.range.lowerBound - 1 && unit(lastNumberEnd).isBlank && lastNumberEnd > 0
        let prefix = isMixed ? rules.numerals.wholeAndFraction + " " : ""
        if isMixed, numerator == 1, denominator == 2, let half = halfOfMixed(behind: end, rules) { words = half }
        if !isMixed, numerator == 1, denominator == 2, let half = half(at: number.range.lowerBound..<end, rules) {
            words = half
        }
        if !isMixed, numerator == 1, denominator == 2, isHalfOfUnit(number.range.lowerBound..<end, rules) {
            words = "half"
        }
        if rules.code == "es", !isMixed, ["parte", "partes"].contains(nextWord(from: end)),
            let parts = SpanishNumbers.fractionOfParts(numerator, denominator)
        {
            words = parts
        }
        if !isMixed, denominator > 2, !unit(number.range.lowerBound - 1).isDash,
            let measured = fractionOfUnit(words, behind: end, rules)
        {
            say(measured.words, forNumber: number.range.lowerBound..<measured.end)
            return true
        }
        say(prefix + words, forNumber: number.range.lowerBound..<stop)
        let start = number.range.lowerBound
        unitOfFraction(from: start, isMixed: isMixed || unit(start - 1).isDash, rules)
        return true
    }

    /// The words for a half as it agrees with what it is of: “media hora”, “ein halber Liter”.
    private func half(at range: Range<Int>, _ rules: LanguageRules) -> String? {
        let end = range.upperBound
        let next = skipBlanks(from: end)
        if isSpoon(at: next) { return "une demi" }
        // “3 ans 1/2”, but “7 jours 1/2 pension”
        let isAfterCount = lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1
        if rules.code == "fr", isAfterCount, Self.wordsBehindHalves.contains(nextWord(from: end)),
            let half = Self.halvesBehindCounts[previousWord(before: range.lowerBound)]
        {
            return half
        }
        guard let half = rules.numerals.half else { return nil }
        let number = WrittenNumber(end - 1..<end, whole: "1", decimals: "")
        let before = isListedBehindWith(range.lowerBound) ? "mit" : previousWord(before: range.lowerBound)
        if steps.contains(.units), let noun = unitAfter(number, rules)?.words {
            return half(noun.gender, noun.one, before)
        }
        // “um 1/2 8”
        if rules.code == "de", (1...2).contains(digitsEnd(from: next) - next) { return "halb" }
        let noun = rules.code == "de" && !unit(next).isUppercase ? "" : word(at: next)
        return half(rules.numerals.genderOfCounted?(1, noun, unit(next).isUppercase), noun, before)
    }

    private static let halvesBehindCounts = [
        "an": "et demi", "ans": "et demi", "heure": "et demie", "heures": "et demie", "jours": "et demi",
        "kilo": "et demi", "kilos": "et demi", "mois": "et demi",
    ]

    private static let wordsBehindHalves: Set<String> = [
        "", "après", "au", "avant", "dans", "de", "depuis", "en", "environ", "et", "ou", "par", "plus", "pour", "sans",
        "à",
    ]

    /// The words for a half behind a whole number as they agree with what they are of: “2 y media horas”.
    private func halfOfMixed(behind end: Int, _ rules: LanguageRules) -> String? {
        guard let half = rules.numerals.halfOfMixed, let feminine = rules.numerals.feminineHalfOfMixed else {
            return rules.numerals.halfOfMixed
        }
        return isFeminine(behind: end, rules) ? feminine : half
    }

    /// Whether a feminine noun, or a unit that has one, follows a fraction.
    func isFeminine(behind end: Int, _ rules: LanguageRules) -> Bool {
        let number = WrittenNumber(end - 1..<end, whole: "1", decimals: "")
        if steps.contains(.units), let noun = unitAfter(number, rules)?.words { return noun.gender == .feminine }
        let noun = skipBlanks(from: end)
        return rules.numerals.genderOfCounted?(1, word(at: noun), unit(noun).isUppercase) == .feminine
    }

    /// The end of the fraction below one that begins at `start`, if there is one: “½”, “3/4”.
    func endOfFraction(from start: Int, _ rules: LanguageRules) -> Int? {
        if Self.commonFractions[unit(start)] != nil { return start + 1 }
        guard isProperFraction(at: start, rules) else { return nil }
        return digitsEnd(from: digitsEnd(from: start) + 1)
    }

    /// Says the unit right after a fraction that begins at `start`: “½ l”, “1 1/2 kg”, “a ¼-inch drive”.
    private mutating func unitOfFraction(from start: Int, isMixed: Bool, _ rules: LanguageRules) {
        guard steps.contains(.units) else { return }
        if rules.code == "en",
            hyphenatedUnit(WrittenNumber(start..<position, whole: "1", decimals: ""), rules)
        {
            return
        }
        let count = isMixed || rules.numerals.fractionsTakePlural ? "2" : "1"
        _ = unit(after: WrittenNumber(position - 1..<position, whole: count, decimals: ""), rules)
    }

    /// The Spanish unit of a part: “1/4 de h”, “3/4 de kg”.
    mutating func unitOfPart(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard rules.code == "es", previousWord(before: word.lowerBound) == "de", lastNumberEnd > 0,
            lastNumberEnd == lastWord.lowerBound - 1, let noun = rules.units[text(word)]
        else { return false }
        let digits = lastNumberEnd - 2
        guard has("/", at: digits) || Self.commonFractions[unit(digits + 1)] != nil else { return false }
        let hasStop = has(".", at: word.upperBound) && !isSentenceEnd(word.upperBound + 1)
        say(noun.one, for: word.lowerBound..<(hasStop ? word.upperBound + 1 : word.upperBound))
        noteWord(word)
        return true
    }

    /// “1e6”, “2.5E-3”.
    mutating func exponent(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let letter = number.range.upperBound
        guard unit(letter) | 0x20 == UInt16(ascii: "e") else { return false }
        let sign = unit(letter + 1)
        let isNegative = sign == 0x2D || sign == 0x2212
        let digits = letter + (isNegative || sign == UInt16(ascii: "+") ? 2 : 1)
        let end = digitsEnd(from: digits)
        guard end > digits, end - digits <= 3, !unit(end).isLetterOrDigit, let power = Int(text(digits..<end)),
            let mantissa = words(for: number, rules.numerals)
        else { return false }
        let exponent = (isNegative ? rules.signs.minus + " " : "") + rules.numerals.cardinal(power, nil)
        say("\(mantissa) \(rules.numerals.timesTenToThe) \(exponent)", forNumber: number.range.lowerBound..<end)
        return true
    }
}
