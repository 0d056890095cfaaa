/// Length and width, feet and inches: “20 x 30 cm”, “a 15.6" screen”, “5'11"”.
extension TextScanner {
    /// Length and width: “a 9x13-inch pan”, “30 x 20 x 10 cm”.
    mutating func dimensions(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        if isMeasuredChain(behind: number, rules) {
            pass(number: number.range)
            say(rules.signs.by, for: sign + 1..<sign + 2)
            return true
        }
        if rules.code == "fr", number.digits == "4", let times = timesOfRelay(at: sign, rules) {
            pass(number: number.range)
            say(times > sign ? "fois" : " fois ", for: times..<times + 1)
            return true
        }
        // In French, “un 4x4” is a car and “4x100 m” a relay.
        guard has("x", at: sign), unit(sign + 1).isDigit, number.digits.count <= 4, number.digits != "0",
            !unit(number.range.lowerBound - 1).isLetter, rules.code != "fr" || number.digits != "4"
        else { return false }
        let other = self.number(at: sign + 1, rules)
        let end = other.range.upperBound
        // “2x2=4”, “two 2x4s”
        guard other.digits.count <= 4, !has("=", at: skipBlanks(from: end)), !has("s", at: end),
            !unit(end).isLetter || has("x", at: end) || unitAfter(other, rules) != nil
        else { return false }
        pass(number: number.range)
        say(" \(rules.signs.by) ", for: sign..<sign + 1)
        return true
    }

    /// The “x” between a screw's thread and its length: “M6 x 20”.
    mutating func timesOfScrew(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let end = word.lowerBound - 1
        guard word.count == 1, has("x", at: word.lowerBound), unit(end).isBlank, unit(word.upperBound).isBlank,
            unit(word.upperBound + 1).isDigit
        else { return false }
        var start = end
        while end - start < 3, unit(start - 1).isDigit { start -= 1 }
        guard (1...2).contains(end - start), has("M", at: start - 1), !unit(start - 2).isLetterOrDigit else {
            return false
        }
        say(rules.signs.by, for: word)
        noteWord(word)
        return true
    }

    /// The “x” of a relay, which is none of a size: “le 4 x 100 m”, but “4 x 6 m”.
    private func timesOfRelay(at index: Int, _ rules: LanguageRules) -> Int? {
        let sign = skipBlanks(from: index)
        let next = skipBlanks(from: sign + 1)
        guard has("x", at: sign), unit(next).isDigit, (sign > index) == (next > sign + 1) else { return nil }
        let other = number(at: next, rules)
        guard ["50", "100", "200", "400", "800", "1500"].contains(other.digits), other.decimals.isEmpty,
            let measure = unitAfter(other, rules), text(measure.range) == "m"
        else { return nil }
        return sign
    }

    /// Whether numbers with “x” between them end with a measure: “30 x 20 x 10 cm”, “1920 x 1080 pixels”.
    private func isMeasuredChain(behind number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard number.digits.count <= 4, rules.code != "fr" || number.digits != "4" else { return false }
        var last = number
        for _ in 0..<3 {
            let sign = last.range.upperBound
            guard unit(sign).isBlank, has("x", at: sign + 1), unit(sign + 2).isBlank, unit(sign + 3).isDigit else {
                break
            }
            last = self.number(at: sign + 3, rules)
        }
        guard last.range.lowerBound > number.range.lowerBound else { return false }
        // “4 x 100-m-Staffel”, but “2 x 3-in-1”
        let hyphen = last.range.upperBound
        let isOfNoun = unit(hyphen) == 0x2D && !unit(hyphen + 4).isDigit
        if isOfNoun, Self.lengths.contains(word(at: hyphen + 1)) { return true }
        guard let measure = unitAfter(last, rules) else {
            return Self.dots.contains(nextWord(from: last.range.upperBound))
        }
        let end = measure.range.upperBound
        return Self.lengths.contains(text(measure.range.lowerBound..<(has(".", at: end - 1) ? end - 1 : end)))
    }

    private static let lengths: Set<String> = ["cm", "dm", "ft", "in", "km", "m", "mm", "px", "yd"]

    /// Words for the dots of a screen, in every language.
    private static let dots: Set<String> = ["pikselit", "pixel", "pixeln", "pixels", "píxeles"]

    /// Says the “x” between two measures: “20 cm x 30 cm”.
    mutating func lengthAndWidth(_ rules: LanguageRules) {
        let isSpaced = unit(position).isBlank
        let sign = isSpaced ? position + 1 : position
        let next = isSpaced ? sign + 2 : sign + 1
        guard has("x", at: sign), unit(next).isDigit, !isSpaced || unit(sign + 1).isBlank,
            unitAfter(number(at: next, rules), rules) != nil
        else { return }
        say(isSpaced ? rules.signs.by : " \(rules.signs.by) ", for: sign..<sign + 1)
    }

    /// Inches with the mark that also closes quotations, behind one decimal: “a 15.6" screen”.
    mutating func inches(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let mark = number.range.upperBound
        guard let inch = rules.units["″"], number.value < 200, unit(mark) == 0x22 || unit(mark) == 0x201D,
            number.decimals.count == 1 || isScreen(number, rules), !isQuoted(at: number.range.lowerBound)
        else { return false }
        // The last word of a quotation ends its sentence more often.
        let next = unit(unit(mark + 1).isBlank ? mark + 2 : mark + 1)
        let isClear = next.isLetter || next == 0x29 || next == 0x2C || number.decimals.isEmpty
        guard !unit(mark + 1).isLetterOrDigit, isClear else { return false }
        let isAttribute =
            rules.money.attributesFollow.contains(previousWord(before: number.range.lowerBound))
            || rules.code == "en" && Self.screens.contains(nextWord(from: mark + 1))
        pass(number: number.range)
        say(" \(isAttribute || rules.numerals.isOne(number.value) ? inch.one : inch.many)", for: mark..<mark + 1)
        lastNumberEnd = position
        return true
    }

    /// Whether whole inches belong to a screen or a wheel: “a 55" TV”, “vélo 26"”, “pantalla de 55"”.
    private func isScreen(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard ["en", "es", "fr"].contains(rules.code), number.isPlainInteger, number.digits.count == 2 else {
            return false
        }
        let before = previousWord(before: number.range.lowerBound)
        return Self.screens.contains(before) || before == "de" && Self.screens.contains(wordBeforeName)
            || rules.code == "en" && Self.screens.contains(nextWord(from: number.range.upperBound + 1))
    }

    private static let screens: Set<String> = [
        "bicicleta", "bike", "display", "jantes", "llantas", "moniteur", "monitor", "pantalla", "roues", "ruedas",
        "screen", "tele", "televisor", "tv", "télé", "téléviseur", "vtt", "vélo", "wheels", "écran",
    ]

    /// English words behind a length.
    static let adjectivesOfLengths: Set<String> = ["deep", "high", "long", "tall", "thick", "wide"]

    /// Length and width in feet or inches: “12' x 14'”, “2" x 4"”, “8' long”.
    mutating func markedLengths(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let end = number.range.upperBound
        let isInches = has("\"", at: end) || unit(end) == 0x201D
        func isMark(_ index: Int) -> Bool { isInches ? unit(index) == unit(end) : isPrime(index) }
        var measures = [number]
        var signs: [Int] = []
        // “'8' x 10'” has a quotation.
        let before = unit(number.range.lowerBound - 1)
        guard rules.code == "en", let noun = rules.units[isInches ? "″" : "ft"], isMark(end), before != 0x27,
            before != 0x2018, !isInches || !isQuoted(at: number.range.lowerBound)
        else { return false }
        while let last = measures.last, measures.count < 3 {
            let behind = last.range.upperBound + 1
            let sign = skipBlanks(from: behind)
            let next = skipBlanks(from: sign + 1)
            guard has("x", at: sign) || unit(sign) == 0xD7, unit(next).isDigit, (sign > behind) == (next > sign + 1)
            else { break }
            let other = self.number(at: next, rules)
            let end = other.range.upperBound
            guard isMark(end), !unit(end + 1).isLetterOrDigit || has("x", at: end + 1) else { break }
            measures.append(other)
            signs.append(sign)
        }
        let start = number.range.lowerBound
        let isLong =
            number.isPlainInteger && unit(end + 1).isBlank
            && Self.adjectivesOfLengths.contains(nextWord(from: end + 1))
            && (isInches || !isInSingleQuotes(start))
        guard measures.count > 1 || isLong else { return false }
        for (index, measure) in measures.enumerated() {
            if index > 0 { say(rules.signs.by, for: signs[index - 1]..<signs[index - 1] + 1) }
            let mark = measure.range.upperBound
            pass(number: measure.range)
            // “a 6" wide plank”
            let isAttribute = measures.count == 1 && rules.money.attributesFollow.contains(previousWord(before: start))
            let name = isAttribute || rules.numerals.isOne(measure.value) ? noun.one : noun.many
            say(isInches ? " " + name : name, for: mark..<mark + 1)
        }
        lastNumberEnd = position
        return true
    }

    /// A height: 5'11".
    mutating func feetAndInches(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let mark = number.range.upperBound
        guard let foot = rules.units["ft"], let inch = rules.units["″"], let feet = number.whole,
            number.isPlainInteger, feet < 100, isPrime(mark)
        else { return false }
        let digits = skipBlanks(from: mark + 1)
        let end = digitsEnd(from: digits)
        guard end > digits, end - digits <= 2, let inches = Int(text(digits..<end)), inches < 12 else { return false }
        let close = unit(end)
        guard close == 0x22 || close == 0x2033 || close == 0x201D else { return false }
        let numerals = rules.numerals
        let parts = [(feet, foot), (inches, inch)].map { count, noun in
            "\(numerals.cardinal(count, noun.gender)) \(numerals.isOne(Double(count)) ? noun.one : noun.many)"
        }
        say(parts.joined(separator: " "), for: number.range.lowerBound..<end + 1)
        lastNumberEnd = position
        return true
    }

    /// Whether a mark of feet or minutes stands here, as apostrophes can be.
    func isPrime(_ index: Int) -> Bool { [0x27, 0x2019, 0x2032].contains(unit(index)) }

    /// Whether a quotation in single marks that opens in the 200 units before `index` is still open there.
    ///
    /// The 8 is in one in “the 'size 8' wide fit”, but not in “the 'old' wall is 8' long”.
    private func isInSingleQuotes(_ index: Int) -> Bool {
        var isOpen = false
        for place in max(0, index - 200)..<index where unit(place) == 0x2018 || isPrime(place) {
            // “'90s” is no quotation.
            let begins = has("'", at: place) && !unit(place - 1).isLetterOrDigit && unit(place + 1).isLetter
            if unit(place) == 0x2018 || begins {
                isOpen = true
            } else if !unit(place + 1).isLetterOrDigit {
                isOpen = false
            }
        }
        return isOpen
    }

    /// Whether a quotation that begins before `index` is still open there.
    func isQuoted(at index: Int) -> Bool {
        var isStraight = false
        var isCurved = false
        for place in max(0, index - 1_000)..<index {
            switch unit(place) {
            // Behind a digit or a mark it closes a quotation or is a sign for inches.
            case 0x22:
                let before = unit(place - 1)
                isStraight = before.isSpace || before.isDash || [0x28, 0x5B, 0xA1, 0xBF, 0x2014].contains(before)
            case 0x201C, 0x201E: isCurved = true
            case 0x201D: isCurved = false
            default: break
            }
        }
        return isStraight || isCurved
    }

    /// Spanish kilometers without a number before them: “millones de km”, “el km”.
    mutating func kilometers(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        let next = unit(word.upperBound)
        guard rules.code == "es", key == "km", next != 0x2F, next != 0xB2, next != 0xB3 else { return false }
        let before = previousWord(before: word.lowerBound)
        let isPartOfMany = before == "de" && Self.countsOfMany.contains(wordBeforeName)
        // “en km 23,5” is a place on a road.
        let isPlace = before == "en" && unit(skipBlanks(from: word.upperBound)).isDigit
        if isPartOfMany || Self.wordsBeforeKilometers.contains(before) && !isPlace {
            say("kilómetros", for: word)
        } else if ["cada", "el", "por", "un"].contains(before) {
            say("kilómetro", for: word)
        } else {
            return false
        }
        noteWord(word)
        return true
    }

    private static let countsOfMany: Set<String> = ["cientos", "decenas", "miles", "millones", "millón"]
    private static let wordsBeforeKilometers: Set<String> = ["en", "los", "muchos", "pocos", "unos", "varios"]
}
