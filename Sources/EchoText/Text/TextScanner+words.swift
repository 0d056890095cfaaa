extension TextScanner {
    /// Reads the word at `position`: a month, a Roman numeral, a currency's code or an abbreviation, or just a word.
    mutating func scanWord() {
        let start = position
        let word = start..<wordEnd(from: start)
        guard let rules, word.count <= 24 else { return pass(word) }
        if steps.contains(.currency), amount(after: word, rules) { return }
        let key = lowercased(word)
        if steps.contains(.dates), let month = rules.dates.months[key], dateAfterMonth(month, word, rules) { return }
        if steps.contains(.numbers),
            unit(start).isUppercase ? romanNumeral(word, rules) : smallNumeral(word, rules)
        {
            return
        }
        if steps.contains(.abbreviations), abbreviation(word, key: key, rules) || capitals(word, key: key, rules) {
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

    // MARK: Abbreviations

    private mutating func abbreviation(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        if has(".", at: word.upperBound) {
            if word.count <= 4, dottedAbbreviation(word, rules) { return true }
            if let readings = rules.abbreviations[key], say(readings, for: word, dotAt: word.upperBound) { return true }
            return ending(word, key: key, rules) || initial(word)
        }
        if unit(word.upperBound) == 0xB0, let readings = rules.abbreviations[key + "°"] {
            return say(readings, for: word.lowerBound..<word.upperBound + 1, dotAt: nil)
        }
        guard let readings = rules.abbreviations[key] else { return false }
        return say(readings.filter(\.dotIsOptional), for: word, dotAt: nil)
    }

    /// A word whose end is cut short: “Hauptstr.”.
    private mutating func ending(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        // “illustr.” is no street.
        guard unit(word.lowerBound).isUppercase else { return false }
        for (short, whole) in rules.abbreviationEndings {
            let stem = word.upperBound - short.utf16.count
            guard key.hasSuffix(short), stem > word.lowerBound + 2 else { continue }
            let stop = word.upperBound + 1
            say(text(word.lowerBound..<stem) + whole, for: word.lowerBound..<(isSentenceEnd(stop) ? stop - 1 : stop))
            noteWord(word)
            return true
        }
        return false
    }

    /// An abbreviation of several parts that each have a full stop.
    ///
    /// Hyphens may stand between, as in “av. J.-C.”.
    private mutating func dottedAbbreviation(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        var key = lowercased(word)
        var dot = word.upperBound
        var found: (readings: [Abbreviation], dot: Int?, end: Int)?
        for _ in 0..<3 {
            let next = has("-", at: dot + 1) ? dot + 2 : skipBlanks(from: dot + 1)
            guard unit(next).isLetter else { break }
            let nextEnd = wordEnd(from: next)
            guard nextEnd - next <= 4 else { break }
            key += "." + lowercased(next..<nextEnd)
            let hasDot = has(".", at: nextEnd)
            if let readings = rules.abbreviations[key], hasDot || next == dot + 1 {
                found = (readings, hasDot ? nextEnd : nil, nextEnd)
            }
            guard hasDot || has("-", at: nextEnd) else { break }
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
        say(spelled, for: word.lowerBound..<(isSentenceEnd(index) || beginsSentence(index) ? index - 1 : index))
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
            let isJoined = reading.mayHaveHyphen && has("-", at: after) && unit(after + 1).isUppercase
            guard isJoined || holds(reading.condition, word: word, after: after) else { continue }
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
        case .beforePage: unit(skipBlanks(from: after)).isDigit || isPageNumeral(at: skipBlanks(from: after))
        case .afterNumber: lastNumberEnd >= word.lowerBound - 1 && lastNumberEnd > 0 && !isCapital(word)
        case .midSentence: !isSentenceEnd(after) && !isName(at: after)
        }
    }

    /// Whether the word is one capital letter, like the initial of a name.
    private func isCapital(_ word: Range<Int>) -> Bool { word.count == 1 && unit(word.lowerBound).isUppercase }

    /// Whether a word follows with which sentences begin.
    private func beginsSentence(_ index: Int) -> Bool {
        guard let rules, isName(at: index) else { return false }
        return SentenceOpeners.contains(nextWord(from: index), language: rules.code)
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

    private func isPageNumeral(at index: Int) -> Bool {
        isRomanNumeral(at: index) || unit(index).isLetter && smallNumber(index..<wordEnd(from: index)) != nil
    }

    // MARK: Capitals

    /// A word in a run of capitals that engines would spell as an acronym: “IT WAS US”.
    private mutating func capitals(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        guard rules.spelledInCapitals.contains(key), word.count > 1, isCapitals(word), isInCapitals(word) else {
            return false
        }
        say(key, for: word)
        noteWord(word)
        return true
    }

    private func isCapitals(_ word: Range<Int>) -> Bool {
        !word.isEmpty && word.allSatisfy { units[$0].isUppercase || units[$0] == 0x27 || units[$0] == 0x2019 }
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
