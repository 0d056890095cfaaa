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

    /// The size of the spoon at `start`, and where it ends; its full stop may be missing behind a number alone.
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
