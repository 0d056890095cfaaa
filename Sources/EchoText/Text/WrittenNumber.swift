/// A number as it is written: digits, perhaps in groups of three, perhaps with decimals.
struct WrittenNumber {
    let range: Range<Int>
    /// Its digits before the decimal mark, without group marks.
    let digits: String
    /// Its digits after the decimal mark.
    let decimals: String
    let isGrouped: Bool
    let isGroupedBySpaces: Bool
    /// Whether its groups are set apart by marks that engines take for the ends of numbers: apostrophes, low lines.
    let isGroupedBySigns: Bool
    let hasNoBreakSpaces: Bool
    let groupCount: Int

    /// The whole part; `nil` when it is larger than words reach.
    var whole: Int? { digits.count <= 15 ? Int(digits) : nil }
    var value: Double { Double(decimals.isEmpty ? digits : "\(digits).\(decimals)") ?? .infinity }
    var isPlainInteger: Bool { decimals.isEmpty && !isGrouped }
    var hasLeadingZero: Bool { digits.count > 1 && digits.first == "0" }

    /// Whether it looks like a year of the last nine centuries or the next.
    var isYearLike: Bool { isPlainInteger && digits.count == 4 && (1_100...2_099).contains(whole ?? 0) }
}

extension TextScanner {
    /// The number whose first digit stands at `start`, by the language's marks.
    func number(at start: Int, _ rules: LanguageRules) -> WrittenNumber {
        let decimalMark = UInt16(ascii: rules.numerals.decimalMark)
        let groupMark = UInt16(ascii: rules.numerals.groupMark)
        var index = digitsEnd(from: start)
        var digits = text(start..<index)
        var mark: UInt16?
        var groups = 0
        var noBreak = false
        while index - start < 24,
            isGroup(after: index, of: start, mark: mark, groupMark: groupMark, firstDigits: digits, groups)
        {
            mark = units[index]
            noBreak = noBreak || units[index].isNoBreakSpace
            digits += text(index + 1..<index + 4)
            groups += 1
            index += 4
        }
        if mark == UInt16(ascii: "."), groupMark != mark {
            return WrittenNumber(plain: start..<index, text(start..<index))
        }
        var decimals = ""
        let isGroupedBySigns = mark.map(Self.isGroupSign) ?? false
        // Where apostrophes set groups apart, both marks are in use.
        let ownMark = isGroupedBySigns && (unit(index) == 0x2E || unit(index) == 0x2C) ? unit(index) : decimalMark
        if unit(index) == ownMark, unit(index + 1).isDigit {
            let decimalsEnd = digitsEnd(from: index + 1)
            let continues = unit(decimalsEnd) == ownMark && unit(decimalsEnd + 1).isDigit
            if !continues {
                decimals = text(index + 1..<decimalsEnd)
                index = decimalsEnd
            }
        }
        return WrittenNumber(
            range: start..<index,
            digits: digits,
            decimals: decimals,
            isGrouped: groups > 0,
            isGroupedBySpaces: mark?.isBlank ?? false,
            isGroupedBySigns: isGroupedBySigns,
            hasNoBreakSpaces: noBreak,
            groupCount: groups
        )
    }

    /// An apostrophe or a low line, which sets groups apart in every language.
    private static func isGroupSign(_ unit: UInt16) -> Bool { unit == 0x27 || unit == 0x2019 || unit == 0x5F }

    private func isGroup(
        after index: Int,
        of start: Int,
        mark: UInt16?,
        groupMark: UInt16,
        firstDigits: String,
        _ groups: Int
    ) -> Bool {
        let separator = unit(index)
        guard groups > 0 || firstDigits.utf8.count <= 3 && firstDigits.first != "0" else { return false }
        if let mark {
            guard separator == mark || separator.isBlank && mark.isBlank else { return false }
        } else {
            // The digits of `snake_100_200` belong to a name.
            let isGlued = separator == 0x5F && (unit(start - 1).isLetterOrDigit || unit(start - 1) == 0x5F)
            guard separator == groupMark || separator.isBlank || Self.isGroupSign(separator) && !isGlued else {
                return false
            }
        }
        return unit(index + 1).isDigit && unit(index + 2).isDigit && unit(index + 3).isDigit
            && !unit(index + 4).isDigit
    }

    /// The number in words, agreeing with a noun of the gender; `nil` when it is too large for words.
    func words(for number: WrittenNumber, _ numerals: Numerals, gender: CountedNoun.Gender? = nil) -> String? {
        guard let whole = number.whole else { return nil }
        let integer = numerals.cardinal(whole, number.decimals.isEmpty ? gender : nil)
        guard !number.decimals.isEmpty else { return integer }
        return integer + " " + (rules?.signs.point ?? "") + " " + decimalWords(number.decimals, numerals)
    }

    private func decimalWords(_ decimals: String, _ numerals: Numerals) -> String {
        if numerals.decimals == .asNumber, decimals.count <= 2, decimals.first != "0", let value = Int(decimals) {
            return numerals.cardinal(value, nil)
        }
        return spelled(decimals, numerals)
    }

    /// Digits one by one.
    func spelled(_ digits: some StringProtocol, _ numerals: Numerals) -> String {
        digits.compactMap(\.wholeNumberValue).map { numerals.digitNames[$0] }.joined(separator: " ")
    }
}

extension WrittenNumber {
    init(plain range: Range<Int>, _ digits: String) { self.init(range, whole: digits, decimals: "") }

    init(_ range: Range<Int>, whole digits: String, decimals: String) {
        self.init(
            range: range,
            digits: digits,
            decimals: decimals,
            isGrouped: false,
            isGroupedBySpaces: false,
            isGroupedBySigns: false,
            hasNoBreakSpaces: false,
            groupCount: 0
        )
    }
}
