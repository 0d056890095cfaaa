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
        // “I <3 you” has a heart, and “<5>” is no comparison.
        let isHeart =
            sign == 0x3C && number.isPlainInteger && number.digits == "3" && !has("%", at: skipBlanks(from: end))
            && unitAfter(number, rules) == nil
        guard !isHeart, !has(">", at: end) else { return false }
        if sign == 0x7E {
            // “about ~5”, “5 ~6”
            guard !Self.approximations.contains(previousWord(before: start)), !unit(start - 2).isDigit else {
                return false
            }
        } else if before.isBlank, lastWord.count == 1, lastWord.upperBound == start - 1 {
            // “p <0.05”
            words = rules.signs.between[scalar] ?? words
        }
        say(words, for: start..<start + 1)
        return true
    }

    private static let approximations: Set<String> = [
        "about", "approximately", "aproximadamente", "around", "environ", "roughly", "unas", "unos",
    ]
}
