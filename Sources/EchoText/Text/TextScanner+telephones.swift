/// Telephone numbers: “+372 5123 4567”, “555-123-4567”, “(555) 123-4567”.
extension TextScanner {
    /// A telephone number: “+372 5123 4567”, “555-123-4567”, “(555) 123-4567”.
    ///
    /// It begins with a digit, an opening bracket or a plus sign.
    mutating func telephone(_ start: Int, _ rules: LanguageRules) -> Bool {
        var groups: [String] = []
        var separators: [UInt16] = []
        var index = start
        let isInternational = has("+", at: start)
        let isCalled = rules.numerals.telephonesFollow.contains(abbreviatedWord(before: start))
        if isInternational || has("(", at: start) { index += 1 }
        while groups.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 12 else { break }
            groups.append(text(index..<end))
            index = end
            let next = has(")", at: end) ? skipBlanks(from: end + 1) : end + 1
            let opened = has("(", at: next) ? next + 1 : next
            let mayHoldSlash = isCalled || Self.isTrunk(groups[0])
            // “0621 / 4 56 78-20”
            if mayHoldSlash, unit(end).isBlank, has("/", at: end + 1), unit(end + 2).isBlank, unit(end + 3).isDigit {
                separators.append(unit(end + 1))
                index = end + 3
                continue
            }
            guard Self.isTelephoneSeparator(unit(end)) || mayHoldSlash && has("/", at: end), unit(opened).isDigit
            else { break }
            separators.append(unit(end))
            index = opened
        }
        let digitCount = groups.reduce(0) { $0 + $1.utf8.count }
        guard !unit(index).isLetterOrDigit, digitCount <= (Self.isHyphenated(separators) ? 20 : 15) else {
            return false
        }
        let isNational =
            isCalled && digitCount >= 5 && !isCount(groups, separators, start..<index, rules)
            || Self.isNational(groups, separators, has("(", at: start)) && !isRange(groups, start..<index, rules)
            || rules.code == "es" && Self.isSpanish(groups, separators)
            || isInThrees(groups, separators, start..<index, rules)
        // “5123 4567”, as mobile telephones have it in Estonia
        let isEstonian =
            rules.code == "et" && groups.count == 2 && groups.allSatisfy { $0.utf8.count == 4 }
            && groups[0].first == "5" && !groups[0].hasSuffix("00") && separators[0].isBlank
        // “ruumis 312 2024. aastal”
        let isBeforeNoun = has(".", at: index) && unit(index + 1).isBlank && unit(index + 2).isLowercase
        // “6123 456” and “612 3456”, which no count is grouped like
        let isLandline =
            rules.code == "et" && !isBeforeNoun && groups.count == 2 && digitCount == 7 && separators[0].isBlank
            && (3...4).contains(groups[0].utf8.count) && ["3", "4", "6", "7"].contains(groups[0].prefix(1))
            && !(groups[0].utf8.count == 3 && groups[1].hasSuffix("00")) && countsNothing(before: index, rules)
        guard isInternational ? digitCount >= 7 : isNational || isEstonian || isLandline else { return false }
        let areNumbers = Self.areNumbers(groups, separators, isInternational: isInternational, rules)
        let spoken = telephoneWords(groups, areNumbers: areNumbers, rules)
        say((isInternational ? rules.signs.plus + " " : "") + spoken, for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// Words for the groups of a telephone number, with pauses between: digit by digit, or as numbers unless they begin with a
    /// zero.
    func telephoneWords(_ groups: [String], areNumbers: Bool, _ rules: LanguageRules) -> String {
        groups.map { group in
            guard areNumbers, group.first != "0", let number = Int(group) else {
                return spelled(group, rules.numerals)
            }
            return rules.numerals.cardinal(number, nil)
        }.joined(separator: ", ")
    }

    /// Whether people say the groups as numbers: the pairs of France, and two or three digits as Spain has them.
    private static func areNumbers(
        _ groups: [String],
        _ separators: [UInt16],
        isInternational: Bool,
        _ rules: LanguageRules
    ) -> Bool {
        switch rules.code {
        case "fr":
            // “0 800 12 13 14”
            guard isInternational else { return arePairs(groups) || groups.map(\.utf8.count) == [1, 3, 2, 2, 2] }
            // “+33 6 12 34 56 78”, “+33 (0)6 12 34 56 78”
            let lengths = groups.dropFirst().map(\.utf8.count)
            return groups[0] == "33"
                && (lengths == [1, 2, 2, 2, 2] || lengths == [1, 1, 2, 2, 2, 2] && groups[1] == "0")
        case "es":
            let isBlank = separators.allSatisfy { $0.isBlank || $0 == 0x29 }
            guard isBlank, !isInternational || groups[0] == "34" else { return false }
            let national = Array(isInternational ? groups.dropFirst() : groups[...])
            let lengths = national.map(\.utf8.count)
            return (lengths == [3, 3, 3] || lengths == [3, 2, 2, 2] || lengths == [2, 3, 2, 2])
                && spanishDigits.contains(national[0].prefix(1))
        default: return false
        }
    }

    /// Whether they are five pairs that begin with a zero, as France writes them.
    static func arePairs(_ groups: [String]) -> Bool {
        groups.map(\.utf8.count) == [2, 2, 2, 2, 2] && groups[0].first == "0"
    }

    /// Whether the digits behind a word for a telephone count what follows them, since the word is a verb or another
    /// noun: “phone 10 000 people”.
    private func isCount(
        _ groups: [String],
        _ separators: [UInt16],
        _ range: Range<Int>,
        _ rules: LanguageRules
    ) -> Bool {
        guard let first = groups.first, let last = groups.last, first.first != "0", unit(range.lowerBound).isDigit,
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }), groups.count == 1 || first.utf8.count <= 3,
            separators.allSatisfy(\.isBlank)
        else { return false }
        // After a full stop or a colon it is a telephone number, whatever it looks like.
        guard !previousWord(before: range.lowerBound).isEmpty else { return false }
        // Telephone numbers are longer or not so round.
        guard last.hasSuffix("00") || groups.reduce(0, { $0 + $1.utf8.count }) == 5 else { return false }
        let next = range.upperBound + 1
        guard unit(range.upperBound).isBlank, unit(next).isLowercase else { return false }
        return !SentenceOpeners.contains(word(at: next), language: rules.code)
    }

    /// Whether three and four digits are the ends of a range: “500-1000 euros”, “230-1435 km”, “from 753-1066”.
    ///
    /// “555-0199” and “868-5309” are none.
    private func isRange(_ groups: [String], _ range: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard groups.map(\.utf8.count) == [3, 4], groups.allSatisfy({ $0.first != "0" }) else { return false }
        let before = abbreviatedWord(before: range.lowerBound)
        let noun = nextWord(from: range.upperBound)
        let isBeforeNoun = !noun.isEmpty && !SentenceOpeners.contains(noun, language: rules.code)
        // “Contact: 240-3150 before noon” names it.
        let isNamed = has(":", at: range.lowerBound - 2)
        if isBeforeNoun, !isNamed, groups.allSatisfy({ $0.hasSuffix("0") }) { return true }
        let numerals = rules.numerals
        let isYear = numerals.yearsFollow.contains(before) && (Int(groups[1]) ?? 0) < 2_100
        let sign = skipBlanks(from: range.upperBound)
        let isMoney = rules.money.currencies[text(sign..<max(wordEnd(from: sign), min(sign + 1, end)))] != nil
        return isYear || isMoney || numerals.pagesPrecede.contains(before)
            || unitAfter(WrittenNumber(plain: range, groups[1]), rules) != nil
    }

    /// Groups as Spain writes them: “91 555 12 34”, “600 12 34 56”.
    private static func isSpanish(_ groups: [String], _ separators: [UInt16]) -> Bool {
        let lengths = groups.map(\.utf8.count)
        return (lengths == [2, 3, 2, 2] || lengths == [3, 2, 2, 2]) && separators.allSatisfy(\.isBlank)
            && ["6", "7", "8", "9"].contains(groups[0].prefix(1))
    }

    /// Whether they are a telephone number of which most groups have three digits: “0 800 123 456”, “600 123 456”.
    private func isInThrees(
        _ groups: [String],
        _ separators: [UInt16],
        _ range: Range<Int>,
        _ rules: LanguageRules
    ) -> Bool {
        guard separators.allSatisfy(\.isBlank), let last = groups.last else { return false }
        let lengths = groups.map(\.utf8.count)
        switch rules.code {
        case "fr":
            return (lengths == [1, 3, 3, 3] || lengths == [1, 3, 2, 2, 2]) && groups[0] == "0" && groups[1].first == "8"
        case "es":
            guard lengths == [3, 3, 3], Self.spanishDigits.contains(groups[0].prefix(1)), !last.hasSuffix("000") else {
                return false
            }
            // “600 123 456 habitantes” and “un total de 600 123 456” are counted.
            let stop = range.upperBound
            let noun = nextWord(from: stop)
            let word = abbreviatedWord(before: range.lowerBound)
            let isBeforeNoun =
                unit(stop).isBlank && unit(stop + 1).isLowercase && (noun.count > 3 || noun == "hab" || noun == "uds")
            // “llama al 600 123 456 para reservar”
            let isCount =
                isBeforeNoun && !["al", "llama", "llame", "número", "whatsapp"].contains(word)
                || Self.spanishCountsFollow.contains(word)
            // “734 512 908,50”, “734 512 908 USD”
            let hasDecimals = (has(",", at: stop) || has(".", at: stop)) && unit(stop + 1).isDigit
            let sign = skipBlanks(from: stop)
            let signEnd = max(wordEnd(from: sign), min(sign + 1, end))
            let isMoney = rules.money.currencies[text(sign..<signEnd)] != nil
            let before = unit(range.lowerBound - 1)
            return (before.isSpace || before == 0x28 || before == 0x3A) && !isCount && !hasDecimals && !isMoney
                && unit(sign) != 0x25 && unit(sign) != 0x3D
                && unitAfter(WrittenNumber(plain: range, "2"), rules) == nil
        default: return false
        }
    }

    private static let spanishCountsFollow: Set<String> = [
        "alcanza", "alcanzó", "casi", "de", "habitantes", "hasta", "hay", "había", "las", "los", "más", "población",
        "son", "suma", "supera", "superó", "total", "unas", "unos",
    ]

    /// The first digits of Spanish telephone numbers.
    private static let spanishDigits: Set<Substring> = ["6", "7", "8", "9"]

    private static func isTelephoneSeparator(_ unit: UInt16) -> Bool {
        unit.isBlank || unit == 0x2D || unit == 0x2011 || unit == 0x29
    }

    private static func isHyphenated(_ separators: [UInt16]) -> Bool {
        !separators.isEmpty && separators.allSatisfy { $0 == 0x2D || $0 == 0x2011 }
    }

    /// Whether digits may be those of a town, which begin with a zero: “0711/123456”.
    private static func isTrunk(_ digits: String) -> Bool {
        digits.first == "0" && (3...6).contains(digits.utf8.count)
    }

    /// The first digits of numbers whose calls cost the same everywhere: “1300 555 019”.
    private static let sharedCosts: Set<String> = ["1300", "1800"]

    /// Three, three and four digits, or three and four, with hyphens: as North America writes them; pairs after a zero,
    /// as France does; a town's digits with a zero; or many digits in three and more groups with hyphens, as cards, accounts and
    /// books have them.
    private static func isNational(_ groups: [String], _ separators: [UInt16], _ isBracketed: Bool) -> Bool {
        let lengths = groups.map(\.utf8.count)
        let count = lengths.reduce(0, +)
        let isHyphenated = Self.isHyphenated(separators)
        // “1914-1918-1945” are years.
        let areYears = groups.allSatisfy { $0.utf8.count == 4 && (1_100...2_099).contains(Int($0) ?? 0) }
        if groups.count >= 3, isHyphenated, count >= 9 { return !areYears }
        // “0900-1700” are two times.
        let areTimes = lengths == [4, 4] && isHyphenated
        if groups.count >= 2, isTrunk(groups[0]), (7...12).contains(count), !areTimes { return true }
        switch lengths {
        case [3, 3, 4]:
            // “321 434-5049”
            return isHyphenated || isBracketed && separators.first == 0x29
                || separators[0].isBlank && (separators[1] == 0x2D || separators[1] == 0x2011)
        case [3, 4]: return isHyphenated
        case [4, 3, 3]: return Self.sharedCosts.contains(groups[0]) && separators[0] == separators[1]
        case [1, 3, 3, 4]: return isHyphenated && groups[0] == "1"
        case [2, 2, 2, 2, 2]: return arePairs(groups)
        default: return false
        }
    }
}
