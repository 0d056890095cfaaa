/// Marks, and how often something is: “4.5/5”, “15/20”, “3x a day”.
extension TextScanner {
    /// A mark and the best there is, where a fraction is not meant.
    mutating func rating(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        guard let outOf = rules.signs.outOf, has("/", at: slash), unit(slash + 1).isDigit, !number.isGrouped,
            !has("/", at: number.range.lowerBound - 1)
        else { return false }
        let best = self.number(at: slash + 1, rules)
        let end = best.range.upperBound
        guard best.isPlainInteger, ["5", "10", "20", "100"].contains(best.digits), number.value <= best.value,
            !unit(end).isLetterOrDigit, !has("/", at: end), !has("%", at: end), unitAfter(best, rules) == nil
        else { return false }
        let before = abbreviatedWord(before: number.range.lowerBound)
        let next = nextWord(from: end)
        // “1/20 de seconde” is a fraction.
        let isOfSchool =
            rules.code == "fr" && best.digits == "20" && number.isPlainInteger
            && !["de", "des", "du"].contains(next) && !next.hasPrefix("d")
        let isGiven = before == "it" && ["gave", "give", "gives", "giving"].contains(wordBeforeName)
        guard !number.decimals.isEmpty || isOfSchool || isGiven || Self.marksFollow.contains(before) else {
            return false
        }
        pass(number: number.range)
        say(outOf, for: slash..<slash + 1)
        return true
    }

    /// Words for marks, in every language.
    private static let marksFollow: Set<String> = [
        "bewertung", "calificación", "nota", "note", "noté", "notée", "puntuación", "rated", "rating", "score",
        "scored", "wertung",
    ]

    /// How often something is done: “3x täglich”, “2x a day”.
    mutating func repeated(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        guard let noun = rules.signs.repeated, has("x", at: sign), !unit(sign + 1).isLetterOrDigit,
            number.isPlainInteger, !number.hasLeadingZero, let whole = number.whole, unit(sign + 1).isBlank,
            unit(sign + 2).isLowercase, !has("x", at: sign + 2) || unit(sign + 3).isLetter
        else { return false }
        // “2x faster” is left.
        guard rules.code != "en" || Self.periodsPrecede.contains(nextWord(from: sign + 1)) else { return false }
        let numerals = rules.numerals
        if numerals.cardinal(whole, noun.gender) == numerals.cardinal(whole, nil) {
            pass(number: number.range)
        } else {
            say(numerals.cardinal(whole, noun.gender), for: number.range)
        }
        say(numerals.isOne(number.value) ? noun.one : noun.many, for: sign..<sign + 1)
        lastNumberEnd = position
        return true
    }

    private static let periodsPrecede: Set<String> = [
        "a", "an", "daily", "each", "every", "monthly", "per", "weekly", "yearly",
    ]
}

/// Spoons as French recipes write them: “2 c. à soupe”, “1 c. à café”, “3 cuil. à s.”.
extension TextScanner {
    /// Spoons behind a number, which agrees with them.
    mutating func spoons(behind number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: number.range.upperBound)
        guard rules.code == "fr", steps.contains(.abbreviations), let spoon = spoon(at: start, hasStop: false) else {
            return false
        }
        let numerals = rules.numerals
        if number.isPlainInteger, !number.hasLeadingZero, let whole = number.whole,
            numerals.cardinal(whole, .feminine) != numerals.cardinal(whole, nil)
        {
            say(numerals.cardinal(whole, .feminine), for: number.range)
        } else {
            pass(number: number.range)
        }
        say(spoons(spoon.size, isOne: numerals.isOne(number.value)), for: start..<spoon.end)
        lastNumberEnd = position
        return true
    }

    /// Spoons behind a word or a fraction.
    ///
    /// “une c. à café” and “½ c. à café” have some.
    mutating func spoons(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard rules.code == "fr", let spoon = spoon(at: word.lowerBound, hasStop: true) else { return false }
        say(spoons(spoon.size, isOne: isOneSpoon(before: word.lowerBound)), for: word.lowerBound..<spoon.end)
        noteWord(word)
        return true
    }

    /// Whether a French spoon begins here, behind a number.
    func isSpoon(at start: Int) -> Bool { rules?.code == "fr" && spoon(at: start, hasStop: false) != nil }

    private func spoons(_ size: String, isOne: Bool) -> String {
        "\(isOne ? "cuillère" : "cuillères") à \(size)"
    }

    /// What a spoon at `start` is for, and where it ends; its full stop may be missing behind a number alone.
    private func spoon(at start: Int, hasStop: Bool) -> (size: String, end: Int)? {
        guard ["c", "cuil", "cuill"].contains(word(at: start)) else { return nil }
        let stop = wordEnd(from: start)
        guard !hasStop || has(".", at: stop) else { return nil }
        let joint = skipBlanks(from: has(".", at: stop) ? stop + 1 : stop)
        guard joint > stop, word(at: joint) == "à" else { return nil }
        let size = skipBlanks(from: has(".", at: joint + 1) ? joint + 2 : joint + 1)
        let end = wordEnd(from: size)
        let purpose = word(at: size)
        guard size > joint + 1 else { return nil }
        if ["café", "dessert", "moka", "soupe", "thé"].contains(purpose) { return (purpose, end) }
        guard let whole = ["c": "café", "s": "soupe"][purpose], has(".", at: end) || unit(end).isBlank else {
            return nil
        }
        return (whole, has(".", at: end) && !isSentenceEnd(end + 1) ? end + 1 : end)
    }

    /// Whether what stands before a spoon is one or less: “une”, “½”, “1 1/2”, but not “2½”.
    private func isOneSpoon(before start: Int) -> Bool {
        let end = start - 1
        var first = end
        while first > 0, end - first < 8, unit(first - 1).isDigit || Self.isOfFraction(unit(first - 1)) { first -= 1 }
        guard first < end, unit(end).isBlank else {
            let before = previousWord(before: start)
            return before.isEmpty || Self.oneSpoonFollows.contains(before)
        }
        var whole = first..<digitsEnd(from: first)
        if whole.isEmpty || has("/", at: whole.upperBound) {
            guard first > 1, unit(first - 1).isBlank else { return true }
            var digit = first - 1
            while digit > 0, first - digit < 4, unit(digit - 1).isDigit { digit -= 1 }
            whole = digit..<first - 1
        }
        return (Int(text(whole)) ?? 0) < 2
    }

    private static let oneSpoonFollows: Set<String> = [
        "chaque", "cette", "d'une", "d’une", "demi", "demie", "la", "par", "petite", "une",
    ]

    private static func isOfFraction(_ unit: UInt16) -> Bool {
        unit == 0x2F || (0xBC...0xBE).contains(unit) || (0x2150...0x215E).contains(unit)
    }
}
