/// Years, decades and spans of years: “in 1066”, “the 1990s”, “’05”, “1914-18”, “2019/20”.
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
        guard has("s", at: letter), !unit(letter + 1).isLetterOrDigit, let words = decade(whole),
            number.isYearLike || letter > next || !areSeconds(before: letter + 1, behind: number)
        else { return false }
        say(words, forNumber: number.range.lowerBound..<letter + 1)
        // “1960s-80s”
        let end = digitsEnd(from: position + 1)
        if unit(position).isDash, end > position + 1, has("s", at: end), !unit(end + 1).isLetterOrDigit {
            say(rules.signs.to, for: position..<position + 1)
        }
        return true
    }

    /// Whether “20s” has seconds, and no decade: “It takes 20s to boot”, “Wait 30s.”, but “songs for 60s fans”.
    private func areSeconds(before end: Int, behind number: WrittenNumber) -> Bool {
        let start = number.range.lowerBound
        let before = previousWord(before: start)
        guard Self.wordsBeforeSeconds.contains(before) || Self.joints.contains(before) && areOtherSeconds(before: start)
        else { return false }
        return unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end))
            || Self.wordsBehindSeconds.contains(nextWord(from: end))
    }

    /// Whether other seconds stand in the same clause: “20s to open and 40s to shut”.
    private func areOtherSeconds(before start: Int) -> Bool {
        guard let last = output.last?.range.upperBound, last <= start, start - last <= 40, has("s", at: last - 1),
            unit(last - 2).isDigit || unit(last - 2).isBlank
        else { return false }
        guard case .words(let words)? = output.last?.content, words.hasSuffix("seconds") else { return false }
        return !units[last..<start].contains { [0x2E, 0x21, 0x3F, 0x3B].contains($0) }
    }

    private static let wordsBeforeSeconds: Set<String> = [
        "another", "every", "for", "lasted", "lasts", "take", "takes", "took", "wait", "waited", "waits", "within",
    ]

    private static let wordsBehindSeconds: Set<String> = [
        "after", "before", "between", "each", "longer", "more", "on", "per", "then", "to", "until",
    ]

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
        // “c. 1086”, but “a population of c. 1086”
        let isCirca =
            ["c", "ca"].contains(abbreviatedWord(before: start)) && has(".", at: lastWord.upperBound) && !isSize
            && !text(max(0, start - 24)..<start).lowercased().contains("population")
        let isPlaced = isCirca || rules.numerals.earlyYearsFollow.contains(before)
        guard !isShare, isPlaced || !isSize && isBehindNameAndOf(before) else { return false }
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

    /// A year without its century, and a decade: “’05”, “the ’60s”.
    mutating func shortYear(at start: Int, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        let end = digitsEnd(from: start + 1)
        guard let shortYear = numerals.shortYear, end == start + 3, !unit(start - 1).isLetterOrDigit,
            let year = Int(text(start + 1..<end))
        else { return false }
        if has("s", at: end), !unit(end + 1).isLetterOrDigit, year >= 20, year % 10 == 0,
            let words = numerals.decade?(year)
        {
            say(words, for: start..<end + 1)
            lastNumberEnd = position
            return true
        }
        let before = abbreviatedWord(before: start)
        guard !unit(end).isLetterOrDigit, unit(end) != 0x27, unit(end) != 0x2019,
            numerals.yearsFollow.contains(before) || numerals.shortYearsFollow.contains(before)
                || rules.dates.months[before] != nil,
            let words = shortYear(year)
        else { return false }
        say(words, for: start..<end)
        lastNumberEnd = position
        return true
    }

    /// A year before the end of a span of years (“1914-18”) or before the number of a month (“2020-12”).
    mutating func yearAndPart(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        let end = dash + 3
        let before = unit(number.range.lowerBound - 1)
        guard number.isYearLike, let year = number.whole, unit(dash).isDash, digitsEnd(from: dash + 1) == end,
            let part = Int(text(dash + 1..<end)), !unit(end).isLetterOrDigit, !has("%", at: end),
            !(unit(end + 1).isDigit && !unit(end).isSpace), !before.isLetterOrDigit, !before.isDash,
            before != 0x2E, before != 0x2F
        else { return false }
        if part > year % 100 {
            sayYears(from: number, to: part, at: dash + 1..<end, rules)
            return true
        }
        guard unit(dash) == 0x2D, (1...12).contains(part), steps.contains(.dates) else { return false }
        let words = rules.numerals.year?(year) ?? rules.numerals.cardinal(year, nil)
        let joint = rules.dates.beforeYear.isEmpty ? "" : rules.dates.beforeYear + " "
        say("\(rules.dates.name(part)) \(joint)\(words)", for: number.range.lowerBound..<end)
        lastNumberEnd = end
        return true
    }

    /// Two years of which one follows the other: “2019/20”, “1999/2000”.
    mutating func yearAndNext(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        let end = digitsEnd(from: slash + 1)
        let before = unit(number.range.lowerBound - 1)
        guard number.isYearLike, let year = number.whole, has("/", at: slash), end == slash + 3 || end == slash + 5,
            let next = Int(text(slash + 1..<end)), next > 0, !unit(end).isLetterOrDigit, !has("/", at: end),
            !has("%", at: end), !(unit(end + 1).isDigit && !unit(end).isSpace), !before.isLetterOrDigit,
            !before.isDash, before != 0x2E, before != 0x2F
        else { return false }
        let isShort = end == slash + 3
        let isOrdinal = rules.numerals.isDottedOrdinal != nil && has(".", at: end) && !isSentenceEnd(end + 1)
        if isShort, !isOrdinal, next > year % 100 + 1,
            rules.numerals.yearsFollow.contains(previousWord(before: number.range.lowerBound))
        {
            // “die Jahre 1914/18”
            sayYears(from: number, to: next, at: slash + 1..<end, rules)
            return true
        }
        guard next == (isShort ? (year + 1) % 100 : year + 1) else { return false }
        // “Invoice 2021/22”, “Rechnung Nr. 2021/22”
        guard !isShort || !Self.numberedThings.contains(abbreviatedWord(before: number.range.lowerBound)) else {
            return false
        }
        if isOrdinal {
            // “2023/24. õppeaastal”
            guard rules.code == "et", unit(end + 1).isBlank, unit(end + 2).isLowercase else { return false }
            let place = Numerals.Place(after: nextWord(from: end + 1))
            say(rules.numerals.ordinal(year, place), for: number.range.lowerBound..<slash + 1)
            return true
        }
        let words = [year, next].map { rules.numerals.year?($0) ?? rules.numerals.cardinal($0, nil) }
        let last = isShort ? rules.numerals.shortYear?(next) ?? rules.numerals.cardinal(next, nil) : words[1]
        say("\(words[0]) \(last)", for: number.range.lowerBound..<end)
        lastNumberEnd = end
        return true
    }

    /// Things with numbers that may have a slash, in every language.
    private static let numberedThings: Set<String> = [
        "aktenzeichen", "apartment", "apt", "arve", "chambre", "dossier", "expediente", "facture", "factura", "flat",
        "invoice", "korter", "leping", "no", "nr", "nummer", "numéro", "número", "núm", "piso", "rechnung", "ref",
        "room", "suite", "ticket", "unit", "wohnung", "zimmer",
    ]

    private mutating func sayYears(
        from first: WrittenNumber,
        to last: Int,
        at range: Range<Int>,
        _ rules: LanguageRules
    ) {
        if let year = first.whole, let words = rules.numerals.year?(year) {
            say(words, for: first.range)
        } else {
            pass(number: first.range)
        }
        say(rules.signs.to, for: range.lowerBound - 1..<range.lowerBound)
        if last < 10, let words = rules.numerals.shortYear?(last) {
            say(words, for: range)
        } else {
            pass(number: range)
        }
        lastNumberEnd = range.upperBound
    }
}
