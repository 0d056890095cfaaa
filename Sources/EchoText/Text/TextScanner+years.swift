/// Years and decades: “in 1066”, “1914-1918-1945”, “the 1990s”.
extension TextScanner {
    mutating func year(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        if decade(number, rules) { return true }
        guard let whole = number.whole, number.isYearLike && isYear(number, rules) || isEarlyYear(number, rules)
        else { return false }
        lastYearEnd = number.range.upperBound
        guard let words = rules.numerals.year?(whole) else { return false }
        say(words, forNumber: number.range)
        rangeDash(after: number, rules)
        return true
    }

    /// Three and more years with hyphens: “1914-1918-1945”.
    mutating func chainOfYears(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        var last = number
        var years: [Int] = []
        while last.isYearLike, let year = last.whole, years.count < 12 {
            years.append(year)
            guard unit(last.range.upperBound).isDash, unit(last.range.upperBound + 1).isDigit else { break }
            last = self.number(at: last.range.upperBound + 1, rules)
        }
        guard (3..<12).contains(years.count), last.isYearLike, !unit(number.range.lowerBound - 1).isDash,
            !unit(last.range.upperBound).isLetterOrDigit, !unit(last.range.upperBound).isDash
        else { return false }
        let words = years.map { rules.numerals.year?($0) ?? rules.numerals.cardinal($0, nil) }
        say(words.joined(separator: ", "), forNumber: number.range.lowerBound..<last.range.upperBound)
        return true
    }

    /// “1990s”, “90s”.
    private mutating func decade(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let decade = rules.numerals.decade, let whole = number.whole, whole % 10 == 0,
            number.isYearLike || number.isPlainInteger && (20...90).contains(whole)
        else { return false }
        let next = number.range.upperBound
        let letter = unit(next) == 0x27 || unit(next) == 0x2019 ? next + 1 : next
        guard has("s", at: letter), !unit(letter + 1).isLetterOrDigit, let words = decade(whole) else { return false }
        say(words, forNumber: number.range.lowerBound..<letter + 1)
        // “1960s-80s”
        let end = digitsEnd(from: position + 1)
        if unit(position).isDash, end > position + 1, has("s", at: end), !unit(end + 1).isLetterOrDigit {
            say(rules.signs.to, for: position..<position + 1)
        }
        return true
    }

    private func isYear(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let next = number.range.upperBound
        guard !unit(next).isLetter, !has("%", at: next) else { return false }
        let isRange = unit(next).isDash && unit(next + 1).isDigit && self.number(at: next + 1, rules).isYearLike
        if isRange { return true }
        let first = number.range.lowerBound - 1
        if has("(", at: first) && has(")", at: next) || has("[", at: first) && has("]", at: next) { return true }
        if lastYearEnd > 0, lastWord.lowerBound == lastYearEnd + 1, lastWord.upperBound == number.range.lowerBound - 1 {
            return unitAfter(number, rules) == nil
        }
        // “1933 u. 1945”
        let isBehindShort =
            rules.code == "de" && abbreviatedWord(before: number.range.lowerBound) == "u" && lastYearEnd > 0
            && lastWord.lowerBound == lastYearEnd + 1
        if isBehindShort { return unitAfter(number, rules) == nil }
        let before = previousWord(before: number.range.lowerBound)
        let after = nextWord(from: next)
        if rules.numerals.yearsPrecede.contains(after) { return true }
        let name = skipBlanks(from: next)
        let isName = unit(name).isUppercase && unit(name + 1).isLowercase
        let isPlace = rules.numerals.isYearPlace.map { $0(number.whole ?? 0, before, after, isName) } ?? false
        // “ca. 1450”
        let isCirca = ["c", "ca"].contains(abbreviatedWord(before: number.range.lowerBound))
        // “geb. 1712”, “Bj. 2019”
        let isOfLife =
            rules.code == "de" && has(".", at: lastWord.upperBound)
            && Self.wordsBeforeYears.contains(abbreviatedWord(before: number.range.lowerBound))
        // “b. 1920”, but “Vitamin D 1500 IU”
        let isLife =
            ["b", "d"].contains(abbreviatedWord(before: number.range.lowerBound))
            && has(".", at: lastWord.upperBound) && unit(lastWord.lowerBound).isLowercase
        // “the budget for 2026”, but “plans for 1500 homes” and “one accounts for 1250, the other for 1350”
        let isPlanned =
            rules.code == "en" && before == "for" && EnglishNumbers.forYears.contains(wordBeforeName)
            && (number.whole ?? 0) % 100 != 0 && (number.whole ?? 0) >= 1_800
            && (countsNothing(before: next, rules) || EnglishNumbers.wordsBehindYears.contains(after))
        guard isPlace || isPlanned || isCirca || isLife || isOfLife || rules.numerals.yearsFollow.contains(before)
        else { return false }
        return unitAfter(number, rules) == nil
    }

    /// German words that are cut short before a year.
    private static let wordsBeforeYears: Set<String> = ["bj", "erb", "geb", "gegr", "gest"]

    /// Whether a number from 1001 to 1099 is a year.
    ///
    /// It is one in “in 1066”, “the Conquest of 1066” and “(1066)”, but not in “in 1024 bytes”.
    private func isEarlyYear(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = number.range.lowerBound
        let next = number.range.upperBound
        guard !rules.numerals.earlyYearsFollow.isEmpty, let whole = number.whole, (1_001...1_099).contains(whole),
            number.isPlainInteger, number.digits.count == 4, !unit(next).isLetterOrDigit, !unit(next).isDash,
            !has("%", at: next), !has("/", at: next), unitAfter(number, rules) == nil
        else { return false }
        // “a kibibyte (1024)”
        let isSize = whole == 1_024 || whole == 1_080
        if has("(", at: start - 1) && has(")", at: next) { return !isSize }
        let before = previousWord(before: start)
        // “one in 1050”
        let isShare =
            before == "in"
            && (wordBeforeName == "one" || lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1)
        guard !isShare, rules.numerals.earlyYearsFollow.contains(before) || !isSize && isBehindNameAndOf(before)
        else { return false }
        return countsNothing(before: next, rules)
    }

    /// Whether “of” stands behind a name before the number: “the Conquest of 1066”, but not “an IQ of 1066”.
    private func isBehindNameAndOf(_ before: String) -> Bool {
        before == "of" && !wordBeforeName.isEmpty && unit(wordBeforeLast.lowerBound).isUppercase
            && !(wordBeforeLast.count > 1 && wordBeforeLast.allSatisfy { units[$0].isUppercase })
    }

    mutating func sayYear(_ number: WrittenNumber, _ rules: LanguageRules) {
        guard let whole = number.whole, let words = rules.numerals.year?(whole) else { return }
        say(words, forNumber: number.range)
    }
}
