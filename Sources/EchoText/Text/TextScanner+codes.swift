/// Numbers that count nothing: versions, network addresses, telephone numbers.
extension TextScanner {
    /// Three or more numbers with full stops between: “2.0.1”, “192.168.0.1”.
    mutating func dottedDigits(_ start: Int, _ rules: LanguageRules) -> Bool {
        var parts: [String] = []
        var index = start
        while parts.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 6 else { return false }
            parts.append(text(index..<end))
            index = end
            guard has(".", at: end), unit(end + 1).isDigit else { break }
            index += 1
        }
        let isGrouped = rules.numerals.decimalMark == "," && parts.dropFirst().allSatisfy { $0.count == 3 }
        let isDate = parts.count == 3 && parts[2].count == 4
        guard parts.count >= 3, !isGrouped, !isDate, !unit(index).isLetterOrDigit else { return false }
        let dot = rules.numerals.decimalMark == "." ? rules.signs.point : rules.signs.dot
        let words = parts.map { part in
            part.first == "0" || part.count > 4
                ? spelled(part, rules.numerals) : rules.numerals.cardinal(Int(part) ?? 0, nil)
        }
        say(words.joined(separator: " \(dot) "), for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// A telephone number: “+372 5123 4567”, “555-123-4567”, “(555) 123-4567”.
    ///
    /// It begins with a digit, an opening bracket or a plus sign.
    mutating func telephone(_ start: Int, _ rules: LanguageRules) -> Bool {
        var groups: [String] = []
        var separators: [UInt16] = []
        var index = start
        let isInternational = has("+", at: start)
        if isInternational || has("(", at: start) { index += 1 }
        while groups.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 12 else { break }
            groups.append(text(index..<end))
            index = end
            let next = has(")", at: end) ? skipBlanks(from: end + 1) : end + 1
            let opened = has("(", at: next) ? next + 1 : next
            guard Self.isTelephoneSeparator(unit(end)), unit(opened).isDigit else { break }
            separators.append(unit(end))
            index = opened
        }
        let digitCount = groups.reduce(0) { $0 + $1.utf8.count }
        guard !unit(index).isLetterOrDigit, digitCount <= 15 else { return false }
        guard isInternational ? digitCount >= 7 : Self.isNational(groups, separators, has("(", at: start)) else {
            return false
        }
        let spoken = groups.map { spelled($0, rules.numerals) }.joined(separator: ", ")
        say((isInternational ? rules.signs.plus + " " : "") + spoken, for: start..<index)
        lastNumberEnd = index
        return true
    }

    private static func isTelephoneSeparator(_ unit: UInt16) -> Bool {
        unit.isBlank || unit == 0x2D || unit == 0x2011 || unit == 0x29
    }

    /// Three, three and four digits, or three and four, with hyphens: as North America writes them; or pairs after a zero,
    /// as France does.
    private static func isNational(_ groups: [String], _ separators: [UInt16], _ isBracketed: Bool) -> Bool {
        let lengths = groups.map(\.utf8.count)
        let isHyphenated = separators.allSatisfy { $0 == 0x2D || $0 == 0x2011 }
        switch lengths {
        case [3, 3, 4]: return isHyphenated || isBracketed && separators.first == 0x29
        case [3, 4]: return isHyphenated
        case [1, 3, 3, 4]: return isHyphenated && groups[0] == "1"
        case [2, 2, 2, 2, 2]: return groups[0].first == "0"
        default: return false
        }
    }
}
