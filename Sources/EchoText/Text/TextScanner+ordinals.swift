/// Ordinals, in the case or the gender of their nouns: “1. jaanuari”, “21st”, “1.º”.
extension TextScanner {
    mutating func ordinal(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        let longest = numerals.ordinalEndings.isEmpty ? 9_999 : 1_000_000_000
        guard number.decimals.isEmpty, let whole = number.whole, whole <= longest else { return false }
        let next = number.range.upperBound
        let before = governor(before: number.range.lowerBound, rules)
        if minuteOfOvertime(number, whole, before, rules) || ordinalRange(number, whole, rules)
            || classWithLetter(number, whole, rules)
        {
            return true
        }
        // “3.2. Abschnitt”
        let isPart = has(".", at: number.range.lowerBound - 1) && unit(number.range.lowerBound - 2).isDigit
        let hasStop = has(".", at: next) && unit(next + 1).isBlank && !number.isGrouped
        if rules.code == "de", !isPart, !number.isGrouped, let noun = nounOfListed(number, before: before) {
            let place = Numerals.Place(before: before, after: noun)
            say(numerals.ordinal(whole, place), forNumber: extend(number, by: 1))
            return true
        }
        // “Bd. 1 im ersten Raum, Bd. 2 im 2.”
        if rules.code == "de", has(".", at: next), !isPart, !number.isGrouped, (1...31).contains(whole),
            ["am", "beim", "im", "vom", "zum"].contains(before),
            isSentenceEnd(next + 1) || beginsSentence(next + 1)
        {
            say(numerals.ordinal(whole, Numerals.Place(before: before, after: "")), forNumber: number.range)
            return true
        }
        if let isOrdinal = numerals.isDottedOrdinal, hasStop, !isPart {
            let after = skipBlanks(from: next + 1)
            let word = word(at: after)
            guard whole > 0, !word.isEmpty, isOrdinal(before, word, unit(after).isUppercase) else { return false }
            let place = Numerals.Place(
                before: governorOfCase(before, of: after, rules),
                after: nounOfChain(after: word, from: after, rules)
            )
            say(numerals.ordinal(whole, place), forNumber: extend(number, by: 1))
            return true
        }
        guard !numerals.ordinalEndings.isEmpty else { return false }
        let letters = has(".", at: next) ? next + 1 : next
        guard unit(letters).isLetter else { return false }
        let lettersEnd = wordEnd(from: letters)
        // “5mA” is a measure.
        let isMixedCase = unit(letters).isLowercase && units[letters..<lettersEnd].contains(where: \.isUppercase)
        // “las 4As” has letters, “los 2.os premios” an ordinal.
        let isGlued = rules.code == "es" && letters == next && ["as", "os"].contains(lowercased(letters..<lettersEnd))
        guard !isMixedCase, !isGlued, let like = numerals.ordinalEndings[lowercased(letters..<lettersEnd)] else {
            return false
        }
        // “terminal 2E” has a letter, “LE 2E ÉTAGE” and “au 2E étage” an ordinal.
        let isLetter = rules.code == "fr" && lettersEnd == letters + 1 && unit(letters).isUppercase
        if isLetter, unit(lastWord.upperBound - 1).isLowercase,
            !["au", "ce", "cette", "du", "la", "le"].contains(previousWord(before: number.range.lowerBound))
        {
            return false
        }
        // “15nds” has knots.
        guard rules.code != "fr" || whole == 2 || !like.hasPrefix("seconds") else { return false }
        let place = Numerals.Place(before: before, after: like)
        // “el 3er. puesto”
        let isStopped =
            rules.code == "es" && has(".", at: lettersEnd) && unit(lettersEnd + 1).isBlank
            && unit(lettersEnd + 2).isLowercase
        say(
            numerals.ordinal(whole, place),
            forNumber: number.range.lowerBound..<(isStopped ? lettersEnd + 1 : lettersEnd)
        )
        return true
    }

    /// The noun of a German ordinal before a comma.
    ///
    /// It is empty in “Freitag, den 13., war”, and an edition in “3., erw. Aufl.”.
    private func nounOfListed(_ number: WrittenNumber, before: String) -> String? {
        let stop = number.range.upperBound
        guard has(".", at: stop), has(",", at: stop + 1), unit(stop + 2).isSpace, number.digits.count <= 2,
            !number.hasLeadingZero, number.digits != "0"
        else { return nil }
        if GermanNumbers.adjectivesOfEditions.contains(nextWord(from: stop + 2)) { return "auflage" }
        return GermanNumbers.daysFollow.contains(before) && (number.whole ?? 32) <= 31 ? "" : nil
    }

    /// An Estonian class with a letter: “7.b klass”, “7b klassi”.
    private mutating func classWithLetter(_ number: WrittenNumber, _ whole: Int, _ rules: LanguageRules) -> Bool {
        let stop = number.range.upperBound
        let end = has(".", at: stop) ? stop + 1 : stop
        let letter = end > stop ? skipBlanks(from: end) : end
        guard rules.code == "et", number.isPlainInteger, !number.hasLeadingZero, (1...12).contains(whole),
            unit(letter).isLetter, unit(letter + 1).isBlank, !hasDigitGlued(before: number)
        else { return false }
        let noun = word(at: letter + 2)
        guard noun == "klass" || noun.hasPrefix("klassi"), !noun.hasPrefix("klassik") else { return false }
        // The letter is said with it, since an “a” can be a year.
        let words = rules.numerals.ordinal(whole, Numerals.Place(after: noun))
        say("\(words) \(text(letter..<letter + 1))", forNumber: number.range.lowerBound..<letter + 1)
        return true
    }

    /// The first of two ordinals with a dash between, of which both have a full stop.
    private mutating func ordinalRange(_ number: WrittenNumber, _ whole: Int, _ rules: LanguageRules) -> Bool {
        let stop = number.range.upperBound
        let isSpan = unit(stop + 1).isDash
        guard rules.numerals.isDottedOrdinal != nil, has(".", at: stop), isSpan || has("/", at: stop + 1), whole > 0
        else { return false }
        let end = digitsEnd(from: stop + 2)
        guard end > stop + 2, end - stop <= 6, has(".", at: end), unit(end + 1).isBlank else { return false }
        let after = nextWord(from: end + 1)
        guard !after.isEmpty else { return false }
        // “26.–30. maini” begins in another case than it ends in.
        let noun = isSpan && rules.code == "et" ? EstonianNumbers.beginning(ofSpanUntil: after) : after
        let place = Numerals.Place(before: previousWord(before: number.range.lowerBound), after: noun)
        say(rules.numerals.ordinal(whole, place), forNumber: extend(number, by: 1))
        if isSpan { say(rules.signs.to, for: stop + 1..<stop + 2) } else { silence(stop + 1..<stop + 2) }
        return true
    }

    /// The last minute of a German game and those behind it: “in der 90.+2 Minute”, “(45.+1)”.
    private mutating func minuteOfOvertime(
        _ number: WrittenNumber,
        _ whole: Int,
        _ before: String,
        _ rules: LanguageRules
    ) -> Bool {
        let sign = number.range.upperBound + 1
        let end = digitsEnd(from: sign + 1)
        guard rules.code == "de", [45, 90, 105, 120].contains(whole), has(".", at: sign - 1), has("+", at: sign),
            (1...2).contains(end - sign - 1), !unit(end).isLetterOrDigit, let more = Int(text(sign + 1..<end))
        else { return false }
        let place = Numerals.Place(before: before, after: "minute")
        let stop = has(".", at: end) ? end + 1 : end
        let isBeforeMinute = nextWord(from: stop) == "minute"
        let numerals = rules.numerals
        let words = isBeforeMinute ? numerals.ordinal(more, place) : numerals.cardinal(more, nil)
        say(
            "\(numerals.ordinal(whole, place)) \(rules.signs.plus) \(words)",
            forNumber: number.range.lowerBound..<(isBeforeMinute ? stop : end)
        )
        return true
    }

    private func extend(_ number: WrittenNumber, by count: Int) -> Range<Int> {
        number.range.lowerBound..<number.range.upperBound + count
    }

    /// The word before an ordinal that decides its ending; behind another ordinal it is the word before that.
    ///
    /// “im 18. und 19. Jahrhundert” has “im” twice.
    func governor(before index: Int, _ rules: LanguageRules) -> String {
        if isBehindSignOfLife(index, rules) { return "am" }
        // “vom 3.–5. Mai”, “am 3./4. Mai”
        if unit(index - 1).isDash || has("/", at: index - 1), has(".", at: index - 2), !lastWord.isEmpty {
            var start = index - 2
            while index - start < 6, unit(start - 1).isDigit { start -= 1 }
            if start < index - 2, unit(start - 1).isBlank, lastWord.upperBound == start - 1 {
                return lowercased(lastWord)
            }
        }
        // “am 5., 6. und 7. Mai”
        let isListed =
            rules.code == "de" && unit(index - 1).isBlank && has(",", at: index - 2) && has(".", at: index - 3)
            && lastNumberEnd > 0 && lastNumberEnd == index - 2
        if isListed, lastWord.upperBound < lastNumberEnd, GermanNumbers.daysFollow.contains(lowercased(lastWord)) {
            return lowercased(lastWord)
        }
        let before = abbreviatedWord(before: index)
        let isChained =
            rules.numerals.ordinalJoints.contains(before) && lastNumberEnd > 0
            && lastNumberEnd == lastWord.lowerBound - 1 && wordBeforeLast.upperBound < lastNumberEnd
        return isChained && !wordBeforeLast.isEmpty ? lowercased(wordBeforeLast) : before
    }

    /// The noun of an ordinal that is joined to another.
    ///
    /// It is “juunil” for both in “1. ja 2. juunil”.
    private func nounOfChain(after word: String, from start: Int, _ rules: LanguageRules) -> String {
        if let noun = shortNounInCase(word, at: start, rules) { return noun }
        let end = wordEnd(from: start)
        guard rules.numerals.ordinalJoints.contains(word) else {
            // “die 1. Frauen-Bundesliga” agrees with the league.
            let isCompound = rules.code == "de" && unit(end) == 0x2D && unit(end + 1).isUppercase
            return isCompound ? self.word(at: end + 1) : word
        }
        // “18. u. 19. Jh.”
        let digits = skipBlanks(from: has(".", at: end) ? end + 1 : end)
        let stop = digitsEnd(from: digits)
        guard stop > digits, has(".", at: stop), unit(stop + 1).isBlank else { return word }
        let noun = nextWord(from: stop + 1)
        // “23. kuni 26. detsembrini” begins in another case than it ends in.
        let isSpan = rules.code == "et" && word == rules.signs.to
        return noun.isEmpty ? word : isSpan ? EstonianNumbers.beginning(ofSpanUntil: noun) : noun
    }

    /// An Estonian noun that is cut short, in the case that shows.
    ///
    /// “19. saj lõpul” and “45. km-l” have one.
    func shortNounInCase(_ word: String, at start: Int, _ rules: LanguageRules) -> String? {
        guard rules.code == "et", word.utf16.count <= 3, let stem = EstonianNumbers.stemsOfAbbreviations[word] else {
            return nil
        }
        let end = wordEnd(from: start)
        if unit(end).isDash, let form = EstonianNumbers.formsOfAbbreviations["\(word)-\(self.word(at: end + 1))"] {
            return form
        }
        if unit(end).isDash, EstonianNumbers.endingsOfAbbreviations.contains(self.word(at: end + 1)) {
            return stem + self.word(at: end + 1)
        }
        // “lõi 78. min”
        if word == "min" { return stem + "l" }
        let next = nextWord(from: has(".", at: end) ? end + 1 : end)
        if word == "a", EstonianNumbers.belongsToYear(next) { return stem }
        return word == "saj" && EstonianNumbers.partsOfCenturies.contains(next) ? stem : nil
    }

    /// The word before an ordinal, unless an Estonian noun at `start` belongs to the next.
    ///
    /// “Enne 1. jaanuari koosolekut” has such a noun.
    func governorOfCase(_ before: String, of start: Int, _ rules: LanguageRules) -> String {
        if let governor = governorOfFeast(before, of: start, rules) { return governor }
        // “auf der 2. Schiene” has the dative of a feminine noun, “während der 2. Zug hielt” the nominative of another.
        if rules.code == "de", before == "der", GermanNumbers.dativesFollow.contains(wordBeforeArticle),
            !GermanNumbers.isMasculineInOrder(word(at: start), behind: wordBeforeArticle)
        {
            return "den"
        }
        guard rules.code == "et", EstonianNumbers.partitivesFollow.contains(before) else { return before }
        guard !EstonianNumbers.partitivesLikeNominatives.contains(word(at: start)) else { return before }
        let next = nextWord(from: wordEnd(from: start))
        return next.isEmpty || EstonianNumbers.wordsBehindPartitives.contains(next) ? before : ""
    }

    /// The word that asks for the case of a feast which is counted; `nil` where nothing shows it.
    ///
    /// “Vanaema 80. sünnipäeva peame” and “Omas 80. Geburtstag feiern wir” have a verb.
    private func governorOfFeast(_ before: String, of start: Int, _ rules: LanguageRules) -> String? {
        let noun = word(at: start)
        let next = nextWord(from: wordEnd(from: start))
        // “Alle feierten. Omas 80. Geburtstag war schön.” has the verb of another sentence.
        let earlier = before.isEmpty ? "" : wordBeforeName
        if rules.code == "et", EstonianNumbers.feasts.contains(noun) {
            guard !EstonianNumbers.wordsBehindFeasts.contains(next), !rules.genitivesPrecede.contains(next) else {
                return ""
            }
            return [before, earlier, next].first { EstonianNumbers.verbsOfFeasts.contains($0) }
        }
        guard rules.code == "de", GermanNumbers.feasts.contains(noun), before.hasSuffix("s"),
            unit(lastWord.lowerBound).isUppercase, !GermanNumbers.wordsBeforeFeasts.contains(before)
        else { return nil }
        let isObject = GermanNumbers.verbsOfFeasts.contains(next) || GermanNumbers.verbsOfFeasts.contains(earlier)
        if isObject || GermanNumbers.accusativesOfFeasts.contains(earlier) { return "den" }
        return GermanNumbers.prepositionsOfFeasts.contains(earlier) ? "mit" : "sein"
    }
}
