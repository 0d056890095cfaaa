/// Marks, and how often something is: “4.5/5”, “15/20”, “3x a day”.
extension TextScanner {
    /// A mark and the best there is, where a fraction is not meant.
    mutating func rating(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        if bloodPressure(number, rules) { return true }
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
        // “1/20 de seconde” is a fraction, and so is the scale of “au 1/20”.
        let isPart = ["de", "des", "du"].contains(next) || next.hasPrefix("d'") || next.hasPrefix("d’")
        let isScale = before == "au" || before == "échelle"
        let isOfSchool =
            rules.code == "fr" && best.digits == "20" && number.isPlainInteger && !isPart && !isScale
        let isGiven = before == "it" && ["gave", "give", "gives", "giving"].contains(wordBeforeName)
        guard !number.decimals.isEmpty || isOfSchool || isGiven || Self.marksFollow.contains(before) else {
            return false
        }
        pass(number: number.range)
        say(outOf, for: slash..<slash + 1)
        return true
    }

    /// A blood pressure: “138/86 mmHg”, “blood pressure was 138/86”, “la tensión era de 13/8”.
    private mutating func bloodPressure(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        guard let joint = Self.jointsOfPressures[rules.code], number.isPlainInteger, let upper = number.whole,
            (7...260).contains(upper), has("/", at: slash), unit(slash + 1).isDigit,
            !has("/", at: number.range.lowerBound - 1)
        else { return false }
        let other = self.number(at: slash + 1, rules)
        let end = other.range.upperBound
        guard other.isPlainInteger, let lower = other.whole, lower * 3 >= upper, lower < upper, !has("/", at: end),
            !unit(end).isLetterOrDigit
        else { return false }
        // “tensión de 220/127 V” has volts.
        let measure = unitAfter(other, rules).map { text($0.range) }
        let isNamed = measure == nil && isBehindPressure(number.range.lowerBound, isLarge: upper >= 70)
        guard measure == "mmHg" || isNamed else { return false }
        pass(number: number.range)
        say(joint, for: slash..<slash + 1)
        return true
    }

    /// The words said for the slash; a Spanish one is silent.
    private static let jointsOfPressures = ["en": "over", "es": " "]

    /// Whether a word for the pressure of blood stands in the clause; in Spain it may be in centimeters.
    private func isBehindPressure(_ start: Int, isLarge: Bool) -> Bool {
        let words = text(max(0, start - 40)..<start).lowercased()
        let clause = words.split(whereSeparator: { ".!?;\n".contains($0) }).last ?? ""
        guard rules?.code != "en" else { return isLarge && clause.contains("blood pressure") }
        // “la tensión subió el 13/8” has a day.
        guard !["al", "del", "día", "el"].contains(previousWord(before: start)) else { return false }
        return clause.contains("tensión") || clause.contains("presión arterial")
    }

    /// Words for marks, in every language.
    private static let marksFollow: Set<String> = [
        "bewertung", "calificación", "nota", "note", "noté", "notée", "puntuación", "rated", "rating", "score",
        "scored", "wertung",
    ]

    /// How often something is done: “3x täglich”, “2x a day”, “3 x täglich”, “3x/jour”.
    mutating func repeated(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = skipBlanks(from: number.range.upperBound)
        let isSpaced = sign > number.range.upperBound
        let isRate = has("/", at: sign + 1) && Self.lengthsOfTime[rules.code]?.contains(word(at: sign + 2)) == true
        guard let noun = rules.signs.repeated, has("x", at: sign), number.isPlainInteger, !number.hasLeadingZero,
            let whole = number.whole,
            isRate
                || unit(sign + 1).isBlank && unit(sign + 2).isLowercase
                    && (!has("x", at: sign + 2) || unit(sign + 3).isLetter)
        else { return false }
        // “2x faster” is left, and so is “3 x minus 4”.
        let needsPeriod = rules.code == "en" || isSpaced
        let isBeforePeriod = Self.periodsPrecede[rules.code]?.contains(nextWord(from: sign + 1)) == true
        guard isRate || !needsPeriod || isBeforePeriod else { return false }
        let numerals = rules.numerals
        if numerals.cardinal(whole, noun.gender) == numerals.cardinal(whole, nil) {
            pass(number: number.range)
        } else {
            say(numerals.cardinal(whole, noun.gender), for: number.range)
        }
        say(numerals.isOne(number.value) ? noun.one : noun.many, for: sign..<sign + 1)
        lastNumberEnd = position
        rate(rules)
        return true
    }

    /// A multiple with decimals: “1.5x rent”, but “y = 1.5x and a 2.5x zoom”.
    mutating func multiple(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        let start = number.range.lowerBound
        let before = unit(start - 1)
        guard rules.code == "en", let noun = rules.signs.repeated, (1...2).contains(number.decimals.count),
            has("x", at: sign), unit(sign + 1).isBlank, unit(sign + 2).isLowercase,
            before.isSpace || before == 0x28, ![0x2B, 0x2D, 0x3D, 0x2212].contains(unit(start - 2)),
            !Self.unknownsPrecede.contains(nextWord(from: sign + 1))
        else { return false }
        pass(number: number.range)
        say(noun.many, for: sign..<sign + 1)
        lastNumberEnd = position
        return true
    }

    /// English words behind the “x” of an equation or of a lens.
    private static let unknownsPrecede: Set<String> = [
        "crop", "digital", "equals", "if", "is", "lens", "minus", "optical", "plus", "telephoto", "zoom",
    ]

    /// Words before or for lengths of time, behind a word for how often.
    private static let periodsPrecede: [String: Set<String>] = [
        "de": [
            "am", "im", "in", "jährlich", "monatl", "monatlich", "pro", "tgl", "tägl", "täglich", "wöchentl",
            "wöchentlich",
        ],
        "en": ["a", "an", "daily", "each", "every", "monthly", "per", "weekly", "yearly"],
        "es": ["a", "al", "por"], "et": ["aastas", "kuus", "nädalas", "päevas", "ööpäevas"], "fr": ["par"],
    ]
}
