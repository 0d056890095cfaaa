/// Signs right before a number that say about how much it is: “kids <5”, “(~168 km)”, “(> 10)”.
extension TextScanner {
    mutating func comparison(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard sign == 0x3C || sign == 0x3E || sign == 0x7E, let scalar = Unicode.Scalar(sign),
            var words = rules.signs.beforeNumbers[scalar]
        else { return false }
        let before = unit(start - 1)
        let isOpening = before == 0x28 || before == 0x5B
        let isBeforeMoney = unit(start + 2).isDigit && rules.money.currencies[text(start + 1..<start + 2)] != nil
        let isGlued = (unit(start + 1).isDigit || isBeforeMoney) && (isOpening || before.isSpace)
        // “(> 10)”
        let isSpaced = isOpening && unit(start + 1).isBlank && unit(start + 2).isDigit
        guard isGlued || isSpaced else { return false }
        let number = number(at: unit(start + 1).isDigit ? start + 1 : start + 2, rules)
        let end = number.range.upperBound
        // “I <3 you” and “<333” have hearts.
        let isHeart =
            sign == 0x3C && !isBeforeMoney && number.isPlainInteger && number.digits.allSatisfy({ $0 == "3" })
            && !has("%", at: skipBlanks(from: end)) && unitAfter(number, rules) == nil
        // “<5>” and “~5~” are no comparisons, and “~1.2.3” is a version.
        let third = digitsEnd(from: end + 1)
        let isVersion = has(".", at: end) && third > end + 1 && has(".", at: third) && unit(third + 1).isDigit
        guard !isHeart, !isVersion, !has(">", at: end), unit(end) != sign else { return false }
        if sign == 0x7E {
            // “about ~5”, “5 ~6”
            guard !Self.approximations.contains(abbreviatedWord(before: start)), !unit(start - 2).isDigit else {
                return false
            }
        } else if before.isBlank, unit(start - 2).isDigit || isBehindVariable(start, rules) {
            // “p <0.05”, “5 <10”
            words = rules.signs.between[scalar] ?? words
        }
        say(words, for: start..<start + 1)
        return true
    }

    /// Whether a letter stands before the sign that is no French or Spanish word, as “à” and “y” are.
    private func isBehindVariable(_ sign: Int, _ rules: LanguageRules) -> Bool {
        lastWord.count == 1 && lastWord.upperBound == sign - 1
            && (rules.code == "en" || !["a", "e", "o", "u", "y", "à"].contains(lowercased(lastWord)))
    }

    private static let approximations: Set<String> = [
        "about", "approx", "approximately", "aprox", "aproximadamente", "around", "ca", "env", "environ", "roughly",
        "unas", "unos",
    ]
}
