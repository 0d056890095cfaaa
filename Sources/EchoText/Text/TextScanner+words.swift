extension TextScanner {
    /// Reads the word at `position`: a month, a Roman numeral, a currency's code or an abbreviation, or just a word.
    mutating func scanWord() {
        let start = position
        let word = start..<wordEnd(from: start)
        guard let rules, word.count <= 24 else { return pass(word) }
        if steps.contains(.currency), amount(after: word, rules) { return }
        let key = lowercased(word)
        if steps.contains(.dates), let month = rules.dates.months[key], dateAfterMonth(month, word, rules) { return }
        if steps.contains(.numbers), unit(word.lowerBound).isUppercase, romanNumeral(word, rules) { return }
        if steps.contains(.abbreviations), abbreviation(word, key: key, rules) { return }
        pass(word)
    }

    mutating func pass(_ word: Range<Int>) {
        position = word.upperBound
        noteWord(word)
    }

    // MARK: Abbreviations

    private mutating func abbreviation(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        if has(".", at: word.upperBound) {
            if word.count <= 4, dottedAbbreviation(word, rules) { return true }
            if let readings = rules.abbreviations[key], say(readings, for: word, dotAt: word.upperBound) { return true }
            return initial(word)
        }
        if unit(word.upperBound) == 0xB0, let readings = rules.abbreviations[key + "°"] {
            return say(readings, for: word.lowerBound..<word.upperBound + 1, dotAt: nil)
        }
        guard let readings = rules.abbreviations[key] else { return false }
        return say(readings.filter(\.dotIsOptional), for: word, dotAt: nil)
    }

    /// An abbreviation of several parts that each have a full stop.
    private mutating func dottedAbbreviation(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        var key = lowercased(word)
        var dot = word.upperBound
        var found: (readings: [Abbreviation], dot: Int?, end: Int)?
        for _ in 0..<3 {
            let next = skipBlanks(from: dot + 1)
            guard unit(next).isLetter else { break }
            let nextEnd = wordEnd(from: next)
            guard nextEnd - next <= 4 else { break }
            key += "." + lowercased(next..<nextEnd)
            let hasDot = has(".", at: nextEnd)
            if let readings = rules.abbreviations[key], hasDot || next == dot + 1 {
                found = (readings, hasDot ? nextEnd : nil, nextEnd)
            }
            guard hasDot else { break }
            dot = nextEnd
        }
        if let found { return say(found.readings, for: word.lowerBound..<found.end, dotAt: found.dot) }
        return initials(word)
    }

    /// Capital letters with full stops and no spaces, as in “U.S.A.”: said letter by letter without stopping.
    private mutating func initials(_ word: Range<Int>) -> Bool {
        var letters: [UInt16] = []
        var index = word.lowerBound
        while letters.count < 8, unit(index).isUppercase, has(".", at: index + 1) {
            letters.append(units[index])
            index += 2
        }
        guard letters.count >= 2, !unit(index).isLetterOrDigit else { return false }
        let spelled = letters.map { String(decoding: [$0], as: UTF16.self) }.joined(separator: " ")
        say(spelled, for: word.lowerBound..<(isSentenceEnd(index) ? index - 1 : index))
        noteWord(word)
        return true
    }

    /// The initial of a name, in capitals and with a full stop.
    private mutating func initial(_ word: Range<Int>) -> Bool {
        guard word.count == 1, unit(word.lowerBound).isUppercase, isName(at: word.upperBound + 1) else { return false }
        let next = skipBlanks(from: word.upperBound + 1)
        // “Plan B. Then” ends a sentence; “J. Smith” and “J. K. Rowling” do not.
        guard lastWord.isEmpty || unit(lastWord.lowerBound).isUppercase || has(".", at: next + 1) else { return false }
        say(text(word), for: word.lowerBound..<word.upperBound + 1)
        noteWord(word)
        return true
    }

    private mutating func say(_ readings: [Abbreviation], for word: Range<Int>, dotAt dot: Int?) -> Bool {
        let after = dot.map { $0 + 1 } ?? word.upperBound
        let isCapitalised = unit(word.lowerBound).isUppercase
        for reading in readings where isCapitalised || !reading.isCapitalised {
            guard holds(reading.condition, word: word, after: after) else { continue }
            let keepsDot = dot != nil && endsSentence(after, reading.condition)
            say(reading.words, for: word.lowerBound..<(keepsDot ? after - 1 : after))
            noteWord(word)
            return true
        }
        return false
    }

    /// Whether the full stop also ends a sentence and so is still to be heard.
    private func endsSentence(_ after: Int, _ condition: Abbreviation.Condition) -> Bool {
        isSentenceEnd(after) || condition == .afterName && isName(at: after)
    }

    private func holds(_ condition: Abbreviation.Condition, word: Range<Int>, after: Int) -> Bool {
        switch condition {
        case .anywhere: true
        case .beforeName: isName(at: after)
        case .afterName: followsName(word)
        case .beforeNumber: unit(skipBlanks(from: after)).isDigit || isRomanNumeral(at: skipBlanks(from: after))
        case .afterNumber: lastNumberEnd >= word.lowerBound - 1 && lastNumberEnd > 0
        case .midSentence: !isSentenceEnd(after) && !isName(at: after)
        }
    }

    /// Whether a word with a capital letter follows.
    func isName(at index: Int) -> Bool {
        // What others have claimed is still a name to see.
        let next = index < units.count && units[index].isBlank ? index + 1 : index
        return next > index && next < units.count && units[next].isUppercase
    }

    private func followsName(_ word: Range<Int>) -> Bool {
        !lastWord.isEmpty && lastWord.upperBound == word.lowerBound - 1 && unit(word.lowerBound - 1).isBlank
            && unit(lastWord.lowerBound).isUppercase
    }

    private func isRomanNumeral(at index: Int) -> Bool {
        unit(index).isASCIILetter && isRomanNumeral(index..<wordEnd(from: index))
    }

    // MARK: Roman numerals

    func isRomanNumeral(_ word: Range<Int>) -> Bool {
        guard word.count <= 9 else { return false }
        return word.allSatisfy { Self.romanValue(units[$0]) > 0 }
    }

    private static func romanValue(_ unit: UInt16) -> Int {
        switch unit {
        case 0x49: 1
        case 0x56: 5
        case 0x58: 10
        case 0x4C: 50
        case 0x43: 100
        case 0x44: 500
        case 0x4D: 1_000
        default: 0
        }
    }

    /// The numeral's value if it is written by the rules.
    func romanNumber(_ word: Range<Int>) -> Int? {
        var value = 0
        for index in word {
            let own = Self.romanValue(units[index])
            let next = index + 1 < word.upperBound ? Self.romanValue(units[index + 1]) : 0
            value += own < next ? -own : own
        }
        return value > 0 && Self.roman(value) == text(word) ? value : nil
    }

    private static func roman(_ value: Int) -> String {
        let steps = [
            (1_000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        var rest = value
        var numeral = ""
        for (worth, letters) in steps {
            while rest >= worth {
                numeral += letters
                rest -= worth
            }
        }
        return numeral
    }

    private mutating func romanNumeral(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        if let ordinal = romanOrdinal(word, rules.numerals) {
            say(ordinal, for: word)
            noteWord(word)
            return true
        }
        guard isRomanNumeral(word), let value = romanNumber(word) else { return false }
        let numerals = rules.numerals
        let before = previousWord(before: word.lowerBound)
        // “XX.” is an ordinal where such numbers have a full stop.
        let hasDot = numerals.isDottedOrdinal != nil && has(".", at: word.upperBound)
        let after = nextWord(from: word.upperBound + (hasDot ? 1 : 0))
        if numerals.isBeforeOrdinalNoun(after) {
            let range = word.lowerBound..<word.upperBound + (hasDot ? 1 : 0)
            say(numerals.ordinal(value, Numerals.Place(before: before, after: after)), for: range)
        } else if numerals.romanCardinalsFollow.contains(before) {
            say(numerals.cardinal(value, nil), for: word)
        } else if value < 40, isRuler(before), word.count > 1 || endsPhrase(word.upperBound) {
            let range = word.lowerBound..<word.upperBound + (hasDot && !isSentenceEnd(word.upperBound + 1) ? 1 : 0)
            say(numerals.ruler(value), for: range)
        } else {
            return false
        }
        noteWord(word)
        return true
    }

    /// A Roman numeral with an ordinal's ending: “XIVe”, “Ier”.
    private func romanOrdinal(_ word: Range<Int>, _ numerals: Numerals) -> String? {
        guard numerals.romanOrdinalsHaveEndings, word.count > 2, word.count <= 9,
            let split = word.first(where: { Self.romanValue(units[$0]) == 0 }), split > word.lowerBound,
            let like = numerals.ordinalEndings[lowercased(split..<word.upperBound)],
            let value = romanNumber(word.lowerBound..<split)
        else { return nil }
        // “Mer” and “Cer” are words, “Ier” and “XVe” are not.
        guard split - word.lowerBound > 1 || value == 1 else { return nil }
        return numerals.ordinal(value, Numerals.Place(after: like))
    }

    private func isRuler(_ name: String) -> Bool {
        guard let numerals = rules?.numerals, !name.isEmpty, unit(lastWord.lowerBound).isUppercase else { return false }
        return numerals.romanOrdinalsFollow.contains(name)
            || !wordBeforeLast.isEmpty && wordBeforeLast.upperBound == lastWord.lowerBound - 1
                && numerals.romanOrdinalsFollow.contains(lowercased(wordBeforeLast))
    }

    /// Whether no word in lower case follows: “Henry I.” but not “Henry I know”.
    private func endsPhrase(_ index: Int) -> Bool {
        !unit(skipBlanks(from: index)).isLetter
    }
}
