/// Numbers with an ending or a word of their own: “5-le”, “21-aastane”, “1980er”, “5 kg-ni”.
extension TextScanner {
    /// A number with an ending or a word behind a hyphen: “5-le”, “21-aastane”.
    mutating func compound(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        if ordinalWithEnding(number, rules) || decimalWithEnding(number, rules) || compoundRange(number, rules)
            || firstOfCompounds(number, rules)
        {
            return true
        }
        guard let compound = rules.numerals.compound, number.decimals.isEmpty, !number.hasLeadingZero,
            unit(dash) == 0x2D, unit(dash + 1).isLowercase, !unit(number.range.lowerBound - 1).isDash,
            let whole = number.whole
        else { return false }
        let part = dash + 1..<wordEnd(from: dash + 1)
        guard let words = compound(whole, lowercased(part)) else { return false }
        say(words, forNumber: number.range.lowerBound..<part.upperBound)
        noteWord(part)
        return true
    }

    /// An Estonian range that makes one word with an adjective: “2–3-päevane”, “5–6-aastased”.
    private mutating func compoundRange(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", number.isPlainInteger, isCount(number), let first = number.whole, unit(dash).isDash,
            unit(dash + 1).isDigit, !hasDigitGlued(before: number)
        else { return false }
        let other = self.number(at: dash + 1, rules)
        let hyphen = other.range.upperBound
        guard other.isPlainInteger, isCount(other), let last = other.whole, first < last, unit(hyphen) == 0x2D,
            unit(hyphen + 1).isLowercase
        else { return false }
        let part = hyphen + 1..<wordEnd(from: hyphen + 1)
        guard part.count > 4, !lowercased(part).hasPrefix("nda"),
            let words = rules.numerals.compound?(last, lowercased(part))
        else { return false }
        say(EstonianNumbers.genitive(first), forNumber: number.range)
        say(rules.signs.to, for: dash..<dash + 1)
        say(words, forNumber: dash + 1..<part.upperBound)
        noteWord(part)
        return true
    }

    /// The first of two Estonian numbers before an adjective: “2- ja 3-toalised”, “1-, 2- ja 3-toalised”.
    private mutating func firstOfCompounds(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", number.isPlainInteger, isCount(number), let whole = number.whole,
            unit(dash) == 0x2D, !unit(number.range.lowerBound - 1).isDash
        else { return false }
        let isListed = has(",", at: dash + 1)
        let joint = skipBlanks(from: isListed ? dash + 2 : dash + 1)
        let other = isListed ? joint : skipBlanks(from: wordEnd(from: joint))
        let end = digitsEnd(from: other)
        guard unit(joint - 1).isBlank, isListed || rules.numerals.ordinalJoints.contains(word(at: joint)), end > other,
            unit(end) == 0x2D
        else { return false }
        // “2- ja 3-toalised”, but “2- ja 3-le”
        let isCompound = unit(end + 1).isLowercase && wordEnd(from: end + 1) > end + 5
        let isFurther = isListed && (has(",", at: end + 1) || unit(end + 1).isBlank)
        guard isCompound || isFurther else { return false }
        say(EstonianNumbers.genitive(whole), forNumber: number.range)
        return true
    }

    /// An Estonian ordinal whose noun is left out, with an ending: “4.-s”.
    private mutating func ordinalWithEnding(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let stop = number.range.upperBound
        guard rules.code == "et", number.isPlainInteger, !number.hasLeadingZero, let whole = number.whole, whole > 0,
            has(".", at: stop), unit(stop + 1) == 0x2D
        else { return false }
        let part = stop + 2..<wordEnd(from: stop + 2)
        guard EstonianNumbers.endingsOfAbbreviations.contains(lowercased(part)) else { return false }
        let words = EstonianNumbers.inflected(whole, .genitive) + lowercased(part)
        say(words, forNumber: number.range.lowerBound..<part.upperBound)
        noteWord(part)
        return true
    }

    /// An Estonian number with decimals and an ending: “112,3-lt”.
    private mutating func decimalWithEnding(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", !number.decimals.isEmpty, unit(dash) == 0x2D, unit(dash + 1).isLowercase,
            !unit(number.range.lowerBound - 1).isDash, let words = genitiveOfDecimal(number)
        else { return false }
        let part = dash + 1..<wordEnd(from: dash + 1)
        guard EstonianNumbers.endingsOfAbbreviations.contains(lowercased(part)) else { return false }
        say(words.head + words.last + lowercased(part), forNumber: number.range.lowerBound..<part.upperBound)
        noteWord(part)
        return true
    }

    /// A number with letters of its own right behind its digits: “1980er”, “90ndatel”.
    mutating func numberWithEnding(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = number.range.upperBound
        guard let withEnding = rules.numerals.withEnding, number.isPlainInteger, !number.hasLeadingZero,
            let whole = number.whole, unit(start).isLetter, !hasDigitGlued(before: number)
        else { return false }
        // “11.30ni” has one number.
        let before = unit(number.range.lowerBound - 1)
        guard before != 0x2E && before != 0x2C && before != 0x3A || !unit(number.range.lowerBound - 2).isDigit else {
            return false
        }
        let ending = start..<wordEnd(from: start)
        guard let words = withEnding(whole, lowercased(ending)) else { return false }
        say(words, forNumber: number.range.lowerBound..<ending.upperBound)
        noteWord(ending)
        return true
    }

    /// A unit, a currency or a percentage with an ending behind a hyphen: “5 kg-ni”, “10%-line”.
    mutating func inflectedSign(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let inflected = rules.inflected, let (head, last) = declinable(number) else { return false }
        let start = skipBlanks(from: number.range.upperBound)
        var end = start
        while end - start < 6, Self.isUnitSign(unit(end)) || Self.isMoneyOrPercent(unit(end)) {
            end += 1
        }
        let before = previousWord(before: number.range.lowerBound)
        // “alates 50 € tellimusest”, but “alates 50 € kuus”
        let isOfElative = before == "alates" && EstonianNumbers.isMeasuredElative(nextWord(from: end))
        let isBehindGenitive = ["alla", "üle"].contains(before) || isOfElative
        let isBare = !unit(end).isLetterOrDigit && !unit(end).isDash
        if end > start, isBare, !unit(number.range.lowerBound - 1).isDash,
            let words = EstonianNumbers.adjective(last, text(start..<end), before: nextWord(from: end))
        {
            // “65 m² korter”
            say(head + words, for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        // “2 tl küpsetuspulbriga”
        let isOfRecipe =
            isBare && Self.measuresOfRecipes.contains(text(start..<end))
            && EstonianNumbers.isIngredient(nextWord(from: end))
        let isOfRace = ["km", "m"].contains(text(start..<end)) && EstonianNumbers.isRace(nextWord(from: end))
        let isGenitive =
            isOfRecipe || isOfRace || isBare && isBeforeAfter(end)
            || rules.genitivesPrecede.contains(nextWord(from: end))
        // “alla 18 a”, “18 a vanune”
        if isGenitive || isBehindGenitive, isBare, text(start..<end) == "a", last <= 120 {
            say("\(head)\(EstonianNumbers.genitive(last)) aasta", for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        if end > start, isGenitive || isBehindGenitive && isBare,
            !unit(number.range.lowerBound - 1).isDash, let words = inflected(last, text(start..<end), "")
        {
            // “2 km kaugusel”, “üle 5 km”
            say(head + words, for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        guard end > start, unit(end).isDash, unit(end + 1).isLetter else { return false }
        let ending = end + 1..<wordEnd(from: end + 1)
        guard let words = inflected(last, text(start..<end), lowercased(ending)) else { return false }
        say(head + words, for: number.range.lowerBound..<ending.upperBound)
        lastNumberEnd = position
        return true
    }

    /// Estonian measures of what is mixed with something.
    private static let measuresOfRecipes: Set<String> = ["cl", "dl", "g", "ml", "sl", "spl", "tl"]

    /// The number that takes an Estonian ending, and words before it that do not: those before the last of “3,5”.
    private func declinable(_ number: WrittenNumber) -> (head: String, last: Int)? {
        guard let whole = number.whole else { return nil }
        if number.decimals.isEmpty { return ("", whole) }
        guard (1...2).contains(number.decimals.count), !number.decimals.hasPrefix("0"),
            let last = Int(number.decimals)
        else { return nil }
        return (EstonianNumbers.genitive(whole) + " koma ", last)
    }

    private static func isMoneyOrPercent(_ unit: UInt16) -> Bool {
        unit == 0x25 || unit == 0x24 || unit == 0xA3 || unit == 0x20AC
    }
}
