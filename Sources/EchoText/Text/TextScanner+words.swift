extension TextScanner {
    /// Reads the word at `position`: a month, a Roman numeral, a currency's code or an abbreviation, or just a word.
    mutating func scanWord() {
        let start = position
        let word = start..<wordEnd(from: start)
        guard let rules, word.count <= 24 else { return pass(word) }
        if steps.contains(.currency), amount(after: word, rules) { return }
        let key = lowercased(word)
        if steps.contains(.dates), let month = rules.dates.months[key], dateAfterMonth(month, word, rules) { return }
        if steps.contains(.dates), word.count < 6, let day = rules.dates.days[key], dayOfWeek(day, word, rules) {
            return
        }
        if steps.contains(.dates), workdays(word, rules) { return }
        if steps.contains(.symbols), word.count <= 4, sizes(word, rules) { return }
        if steps.contains(.numbers),
            unit(start).isUppercase ? romanNumeral(word, rules) : smallNumeral(word, rules)
        {
            return
        }
        if steps.contains(.numbers), britishRoad(word, rules) || state(word, rules) { return }
        if steps.contains(.units), unitOfRate(rules) || timesOfScrew(word, rules) || unitOfPart(word, rules) { return }
        if steps.contains(.abbreviations), shortWordWithEnding(word, key: key, rules) { return }
        let isCounted = lastNumberEnd > 0 && lastNumberEnd == word.lowerBound - 1
        if steps.contains(.abbreviations),
            windDirection(word, rules) || estonianWind(word, rules) || kilometers(word, key: key, rules)
                || abbreviation(word, key: key, rules)
                || capitals(word, key: key, rules)
        {
            // “245 hab./km²”
            if isCounted, rules.code == "es" || rules.code == "fr" { rate(rules) }
            // “24 Mrd. km”
            if isCounted, rules.code == "de" || rules.code == "et", rules.money.scales[text(word)] != nil,
                steps.contains(.units), unit(position).isBlank
            {
                _ = unit(after: WrittenNumber(word.lowerBound..<position, whole: "2", decimals: ""), rules)
            }
            return
        }
        if steps.contains(.units), oftenness(of: word, key: key, rules) || rate(ofCoin: word, key: key, rules) {
            return
        }
        let isScale = steps.contains(.units) && word.count > 3 && lastNumberEnd == word.lowerBound - 1
        pass(word)
        // “100 million kg”
        if isScale, lastNumberEnd > 0, rules.money.scales[text(word)] != nil {
            _ = unit(after: WrittenNumber(word, whole: "2", decimals: ""), rules)
        }
    }

    mutating func pass(_ word: Range<Int>) {
        position = word.upperBound
        noteWord(word)
    }

    // MARK: Names

    /// Capital letters with full stops and no spaces, as in “U.S.A.”: said letter by letter without stopping.
    mutating func initials(_ word: Range<Int>) -> Bool {
        var letters: [UInt16] = []
        var index = word.lowerBound
        while letters.count < 8, unit(index).isUppercase, has(".", at: index + 1) {
            letters.append(units[index])
            index += 2
        }
        guard letters.count >= 2, !unit(index).isLetterOrDigit else { return false }
        let spelled = letters.map { String(decoding: [$0], as: UTF16.self) }.joined(separator: " ")
        say(spelled, for: word.lowerBound..<(isSentenceEnd(index) || beginsSentence(index) ? index - 1 : index))
        noteWord(word)
        return true
    }

    /// The initial of a name, in capitals and with a full stop.
    mutating func initial(_ word: Range<Int>) -> Bool {
        guard word.count == 1, unit(word.lowerBound).isUppercase, isName(at: word.upperBound + 1) else { return false }
        let next = skipBlanks(from: word.upperBound + 1)
        // “Plan B. Then” ends a sentence; “J. Smith” and “J. K. Rowling” do not.
        // “dr H. Volmer”
        let isBehindTitle =
            rules?.code == "et"
            && ["dr", "hr", "pr", "prl", "prof"].contains(previousWord(before: word.lowerBound))
        guard lastWord.isEmpty || isBehindTitle || unit(lastWord.lowerBound).isUppercase || has(".", at: next + 1)
        else { return false }
        say(text(word), for: word.lowerBound..<word.upperBound + 1)
        noteWord(word)
        return true
    }

    /// French initials with a hyphen between, of which the first is no “Monsieur”.
    ///
    /// “M.-A. Roy” is a woman, and “avant J.-C. Rome” has two sentences.
    mutating func hyphenatedInitials(_ word: Range<Int>) -> Bool {
        let second = word.upperBound + 2
        let after = second + 2
        guard unit(second - 1) == 0x2D, unit(second).isUppercase, has(".", at: second + 1) else { return false }
        if has("J", at: word.lowerBound), has("C", at: second),
            ["après", "avant"].contains(previousWord(before: word.lowerBound))
        {
            let keepsStop = isSentenceEnd(after) || isName(at: after)
            say("Jésus-Christ", for: word.lowerBound..<(keepsStop ? after - 1 : after))
            noteWord(word)
            return true
        }
        // “P.-S. : à demain”, but “P.-S. Roy”
        let mark = unit(skipBlanks(from: after))
        if has("P", at: word.lowerBound), has("S", at: second), mark == 0x3A || mark.isDash || mark == 0x2014 {
            say("post-scriptum", for: word.lowerBound..<after)
            noteWord(word)
            return true
        }
        guard isName(at: after), !beginsSentence(after) else { return false }
        say("\(text(word)) \(text(second..<second + 1))", for: word.lowerBound..<after)
        noteWord(word)
        return true
    }

    /// Whether another initial stands right before the one that `word` may be.
    func isBehindInitial(_ word: Range<Int>) -> Bool {
        isCapital(word) && isCapital(lastWord) && has(".", at: lastWord.upperBound)
            && lastWord.upperBound + 2 == word.lowerBound && unit(word.lowerBound - 1).isBlank
    }

    /// Whether capital letters with full stops are a person's initials, and no abbreviation.
    ///
    /// Those of “D. H. Lawrence” are; behind a single letter, another one follows.
    func areInitials(_ word: Range<Int>, before after: Int) -> Bool {
        guard isName(at: after), !beginsSentence(after), !word.contains(where: { units[$0].isLowercase }) else {
            return false
        }
        return word.count > 1 || has(".", at: skipBlanks(from: after) + 1)
    }

    /// Whether the word is one capital letter, like the initial of a name.
    func isCapital(_ word: Range<Int>) -> Bool { word.count == 1 && unit(word.lowerBound).isUppercase }

    /// Whether a word follows with which sentences begin, and no initial that looks like one.
    ///
    /// The “A.” of “D. A. Smith” is an initial.
    func beginsSentence(_ index: Int) -> Bool {
        guard let rules, isName(at: index), !has(".", at: skipBlanks(from: index) + 1) else { return false }
        return SentenceOpeners.contains(nextWord(from: index), language: rules.code)
    }

    /// Whether a word with a capital letter follows.
    func isName(at index: Int) -> Bool {
        // A range that others have claimed can still be a name.
        let next = index < units.count && units[index].isBlank ? index + 1 : index
        return next > index && next < units.count && units[next].isUppercase
    }

    func followsName(_ word: Range<Int>) -> Bool {
        // “Roy Dunn, Jr.”
        let isBehindComma = has(",", at: word.lowerBound - 2) && Self.wordsBehindNames.contains(lowercased(word))
        let end = isBehindComma ? word.lowerBound - 2 : word.lowerBound - 1
        guard !lastWord.isEmpty, lastWord.upperBound == end, unit(word.lowerBound - 1).isBlank else {
            return false
        }
        // “42nd St.”
        let isNumbered =
            unit(lastWord.lowerBound - 1).isDigit && rules?.dates.dayEndings.contains(lowercased(lastWord)) == true
        return isNumbered || unit(lastWord.lowerBound).isUppercase
    }

    /// Words for the younger and the older of two people, which may stand behind a comma.
    private static let wordsBehindNames: Set<String> = ["bt", "jr", "sr"]

    /// Whether a name and “&” stand before the word, or “Co.”, as in the name of a firm.
    ///
    /// Both are in “Brown & Co. Ltd.”.
    func isOfFirm(_ word: Range<Int>) -> Bool {
        guard !lastWord.isEmpty, unit(word.lowerBound).isUppercase, unit(word.lowerBound - 1).isBlank,
            unit(lastWord.lowerBound).isUppercase
        else { return false }
        let end = lastWord.upperBound
        if end == word.lowerBound - 2 { return has(".", at: end) && lowercased(lastWord) == "co" }
        return end == word.lowerBound - 3 && has("&", at: end + 1) && unit(end).isBlank
    }

    // MARK: Capitals

    /// A word in capitals that engines would spell: an acronym that people say, “la ONU”, or in a run, “IT WAS US”.
    private mutating func capitals(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        if rules.code == "en", EnglishNumbers.initialisms.contains(key), isCapitals(word) {
            say(key.uppercased().map(String.init).joined(separator: " "), for: word)
            noteWord(word)
            return true
        }
        // “l’ONU”
        let elided = word.lastIndex { units[$0] == 0x27 || units[$0] == 0x2019 }.map { $0 + 1 } ?? word.lowerBound
        let acronym = elided..<word.upperBound
        if let said = rules.acronyms[lowercased(acronym)], isCapitals(acronym), isAmongSmallLetters(word) {
            say(said, for: acronym, isPartOfWord: elided > word.lowerBound)
            noteWord(word)
            return true
        }
        guard rules.spelledInCapitals.contains(key), word.count > 1, isCapitals(word), isInCapitals(word),
            Self.spelledAnywhere[rules.code]?.contains(key) == true || isAmongSmallLetters(word),
            isBesideCapitals(word), !(key == "en" && isOfStandard(word)), !(key == "us" && isCountry(word))
        else { return false }
        say(key, for: word)
        noteWord(word)
        return true
    }

    func isCapitals(_ word: Range<Int>) -> Bool {
        !word.isEmpty && word.allSatisfy { units[$0].isUppercase || units[$0] == 0x27 || units[$0] == 0x2019 }
    }

    /// Whether capitals are no more than half of the letters between two marks, where engines spell short words in them.
    ///
    /// In a clause of capitals they spell but ``spelledAnywhere``, and would spell others if some were made small.
    private func isAmongSmallLetters(_ word: Range<Int>) -> Bool {
        var balance = 0
        var index = word.lowerBound
        let first = max(0, index - 200)
        while index > first, !Self.isMarkOfClause(units[index - 1]) {
            index -= 1
            balance += units[index].isUppercase ? 1 : units[index].isLowercase ? -1 : 0
        }
        index = word.lowerBound
        let last = min(units.count, word.upperBound + 200)
        while index < last, index < word.upperBound || !Self.isMarkOfClause(units[index]) {
            balance += units[index].isUppercase ? 1 : units[index].isLowercase ? -1 : 0
            index += 1
        }
        return balance <= 0
    }

    /// Words that engines spell among capitals, too.
    private static let spelledAnywhere: [String: Set<String>] = [
        "en": ["am", "if", "it", "off", "say", "us"], "et": ["en", "ma"],
    ]

    /// A switch, as this is asked of every letter around a word.
    private static func isMarkOfClause(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x0A, 0x21, 0x22, 0x28, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0xA1, 0xBF, 0x2014, 0x201C, 0x201D: true
        default: false
        }
    }

    /// Whether capitals stand beside it with no more than a blank between: “DU, MAL und WIE” lists signs, not words.
    private func isBesideCapitals(_ word: Range<Int>) -> Bool {
        if lastWord.upperBound == word.lowerBound - 1, unit(word.lowerBound - 1).isSpace, isCapitals(lastWord) {
            return true
        }
        let next = word.upperBound + 1
        return unit(next - 1).isSpace && unit(next).isUppercase && isCapitals(next..<wordEnd(from: next))
    }

    /// Whether “US” is a country, as it is behind “THE” and before words for what countries have: “US NAVY”.
    private func isCountry(_ word: Range<Int>) -> Bool {
        previousWord(before: word.lowerBound) == "the"
            || Self.partsOfCountries.contains(nextWord(from: word.upperBound))
    }

    private static let partsOfCountries: Set<String> = [
        "army", "congress", "dollar", "embassy", "government", "marines", "navy", "president", "senate", "supreme",
        "treasury",
    ]

    /// Whether “EN” is of a standard: “UNE EN ISO 9001”, “DIN EN 13”.
    private func isOfStandard(_ word: Range<Int>) -> Bool {
        let bodies: Set<String> = ["bs", "din", "evs", "iec", "iso", "nf", "une"]
        let next = nextWord(from: word.upperBound)
        return bodies.contains(next) || bodies.contains(previousWord(before: word.lowerBound)) && next != "une"
            || unit(skipBlanks(from: word.upperBound)).isDigit
    }

    /// Whether it stands with at least two other words in capitals.
    private func isInCapitals(_ word: Range<Int>) -> Bool {
        var others = 0
        if isCapitals(lastWord), word.lowerBound - lastWord.upperBound <= 2 {
            others += 1
            if isCapitals(wordBeforeLast), lastWord.lowerBound - wordBeforeLast.upperBound <= 2 { others += 1 }
        }
        var index = word.upperBound
        while others < 2 {
            let next = has(",", at: index) ? skipBlanks(from: index + 1) : skipBlanks(from: index)
            guard next > index, unit(next).isUppercase, isCapitals(next..<wordEnd(from: next)) else { return false }
            others += 1
            index = wordEnd(from: next)
        }
        return true
    }
}
