/// Numbers that agree with what they count: in gender, and in German and Estonian in case.
extension TextScanner {
    /// A number before a noun with which it has to agree, in languages whose numbers do: “21 personas”, “1 Stunde”.
    mutating func agreeing(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        if scaleInCase(number, rules) { return true }
        if let words = wordsInCase(number, rules) ?? decimalInCase(number, rules) {
            say(words, forNumber: number.range)
            rangeDash(after: number, rules)
            return true
        }
        let isHour = isHourOfSpanish(number, rules)
        guard let whole = number.whole,
            let gender = isHour ? CountedNoun.Gender.feminine : genderOfCounted(by: number, rules)
        else { return false }
        let words = oneInCase(number, gender, rules) ?? numerals.cardinal(whole, gender)
        guard words != numerals.cardinal(whole, nil) else { return false }
        say(words, forNumber: number.range)
        return true
    }

    /// Whether it is the hour in “a la 1”, which agrees though its noun is not said.
    private func isHourOfSpanish(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard rules.code == "es", number.isPlainInteger, number.digits == "1",
            previousWord(before: number.range.lowerBound) == "la", Self.spanishHoursFollow.contains(wordBeforeName),
            !hasSubject(before: wordBeforeLast)
        else { return false }
        let next = number.range.upperBound
        let word = skipBlanks(from: next)
        switch self.word(at: word) {
        case "": return unit(next).isSpace && isSentenceEnd(next) || Self.endsClause(unit(next))
        case "de": return nextWord(from: word + 2) == "la"
        case "en": return nextWord(from: word + 2) == "punto"
        case "menos": return true
        // “a la 1 o a las 2”
        case "o": return isBeforeHours(wordEnd(from: word))
        case "y":
            if isBeforeHours(wordEnd(from: word)) { return true }
            // “la 1 y 20”
            let minutes = skipBlanks(from: word + 1)
            return digitsEnd(from: minutes) == minutes + 2
                || ["cuarto", "media", "pico"].contains(nextWord(from: word + 1))
        default: return false
        }
    }

    /// Whether “a las” and a number follow, which are hours.
    private func isBeforeHours(_ index: Int) -> Bool {
        let preposition = skipBlanks(from: index)
        let article = skipBlanks(from: wordEnd(from: preposition))
        return word(at: preposition) == "a" && word(at: article) == "las"
            && unit(skipBlanks(from: wordEnd(from: article))).isDigit
    }

    /// Whether what is named has the verb: “El canal es la 1.”, but “Ya es la 1.”.
    private func hasSubject(before verb: Range<Int>) -> Bool {
        let end = verb.lowerBound - 1
        guard ["era", "es"].contains(lowercased(verb)), end > 0, unit(end).isBlank else { return false }
        var start = end
        while end - start < 16, unit(start - 1).isLetter { start -= 1 }
        return start < end && !Self.wordsBeforeTimes.contains(lowercased(start..<end))
    }

    private static let wordsBeforeTimes: Set<String> = [
        "ahora", "apenas", "aquí", "aún", "casi", "cuando", "no", "porque", "pues", "que", "si", "solo", "sólo",
        "todavía", "y", "ya",
    ]

    private static let spanishHoursFollow: Set<String> = ["a", "desde", "era", "es", "hacia", "hasta", "sobre"]

    /// The gender of the noun behind a number, where numbers agree and it is known.
    func genderOfCounted(by number: WrittenNumber, _ rules: LanguageRules) -> CountedNoun.Gender? {
        let numerals = rules.numerals
        let next = number.range.upperBound
        // “1 1/2 tasse”, “1 3/4 taza”
        if numerals.feminineHalfOfMixed != nil, number.isPlainInteger, !number.hasLeadingZero,
            let fraction = endOfFraction(from: skipBlanks(from: next), rules)
        {
            return isFeminine(behind: fraction, rules) ? .feminine : nil
        }
        guard let genderOfCounted = numerals.genderOfCounted, number.decimals.isEmpty, !number.hasLeadingZero,
            !number.isYearLike, let whole = number.whole, unit(next).isBlank, unit(next + 1).isLetter
        else { return nil }
        let before = abbreviatedWord(before: number.range.lowerBound)
        guard !numerals.romanCardinalsFollow.contains(before), !numerals.pagesPrecede.contains(before),
            !numerals.numbersFollow.contains(before), !isBehindSectionSign(number.range.lowerBound)
        else { return nil }
        // “ganó 3-1 fuera de casa” has a score.
        let start = number.range.lowerBound
        let isScored = unit(start - 1) == 0x2D && unit(start - 2).isDigit && !has("0", at: start - 2)
        guard rules.code != "es" || number.digits != "1" || !isScored else { return nil }
        let noun = word(at: next + 1)
        guard noun != "mil" || rules.code != "es" else {
            // “200 mil personas”
            return genderOfCounted(whole, nextWord(from: wordEnd(from: next + 1)), false) ?? .masculine
        }
        if let gender = genderOfCounted(whole, noun, unit(next + 1).isUppercase) {
            // “in der Phase 1 Studie”
            let isBehindNoun =
                lastWord.upperBound == start - 1 && unit(start - 1).isBlank && unit(lastWord.lowerBound).isUppercase
                && !isLineStart(lastWord.lowerBound)
            let isGuess =
                rules.code == "de" && GermanNumbers.endsLikeFeminine(noun) && !GermanNumbers.isFeminine(noun)
            return isGuess && isBehindNoun ? nil : gender
        }
        // “der 2 zu 1 Erfolg”
        let isScoredInWords =
            ["auf", "gegen", "zu"].contains(lowercased(lastWord)) && unit(lastWord.lowerBound - 2).isDigit
        // “an 1 Bahnhof”, but “Gruppe 1 Sieger”
        let isCounted =
            rules.code == "de" && whole == 1 && unit(next + 1).isUppercase && unit(next + 2).isLowercase
            && unit(lastWord.lowerBound).isLowercase && lastWord.upperBound == start - 1
            && !isScoredInWords && unitAfter(number, rules) == nil
        return isCounted ? .masculine : nil
    }

    /// “einem” or “einer” for 1 behind a German preposition: “nach 1 Tag”, “mit 1 Person”.
    ///
    /// Behind some words it is “einen”: “hat 1 Sohn”.
    func oneInCase(_ number: WrittenNumber, _ gender: CountedNoun.Gender, _ rules: LanguageRules) -> String? {
        guard rules.code == "de", number.digits == "1", number.decimals.isEmpty else { return nil }
        let nearest = abbreviatedWord(before: number.range.lowerBound)
        // “nach nur 1 Woche”
        let before = GermanNumbers.adverbsOfCounts.contains(nearest) ? wordBeforeName : nearest
        let noun = nextWord(from: number.range.upperBound)
        // “Heute hat 1 Schüler gefehlt” has a nominative, “er hat 1 Tag gefehlt” has none.
        let end = wordEnd(from: skipBlanks(from: number.range.upperBound))
        let isSubject =
            GermanNumbers.masculinePersons.contains(noun)
            && GermanNumbers.participlesWithoutObjects.contains(nextWord(from: end))
        if gender == .masculine, !isSubject,
            GermanNumbers.accusativesFollow.contains(before) || isListedBehindVerb(number.range.lowerBound, noun: end),
            GermanNumbers.masculine.contains(noun)
        {
            return "einen"
        }
        guard noun != "uhr",
            GermanNumbers.lengthsInDativeFollow.contains(before) || isListedBehindWith(number.range.lowerBound)
                || isBehindLengthInDative(number.range.lowerBound)
        else { return nil }
        return gender == .feminine ? "einer" : "einem"
    }

    /// Whether a German number is in a list whose first item is behind “mit”: “mit 2 EL Zucker und 1 Prise Salz”.
    ///
    /// The list has numbers, nouns and units alone, so that a verb or a full stop ends it.
    func isListedBehindWith(_ start: Int) -> Bool { isListed(start, behind: ["mit"]) }

    /// The same behind a verb such as “hat”, where no other verb follows the noun: “Er hat 1 Katze, 1 Hund und 1 Auto.”.
    private func isListedBehindVerb(_ start: Int, noun end: Int) -> Bool {
        let next = skipBlanks(from: end)
        return (!unit(next).isLowercase || ["sowie", "und"].contains(word(at: next)))
            && isListed(start, behind: GermanNumbers.verbsOfObjects)
    }

    private func isListed(_ start: Int, behind openers: Set<String>) -> Bool {
        guard rules?.code == "de",
            ["sowie", "u", "und"].contains(abbreviatedWord(before: start)) || has(",", at: start - 2)
        else { return false }
        let words = text(max(0, start - 96)..<start).split(separator: " ")
        guard let opener = words.lastIndex(where: { openers.contains($0.lowercased()) }) else { return false }
        // “Mit 18 Jahren, 1 Jahr nach dem Abitur” has no list.
        let noun = nextWord(from: digitsEnd(from: start))
        guard !has(",", at: start - 2) || !GermanNumbers.lengthsOfTime.contains(noun) else { return false }
        let items = words[(opener + 1)...]
        return items.first?.first?.isNumber == true
            && items.allSatisfy { word in
                let item = word.hasSuffix(",") ? word.dropLast() : word
                if ["J.", "St.", "Std.", "Stk.", "Tg.", "u."].contains(item) { return true }
                guard let first = item.first, item.last != ".", !item.contains(where: \.isNewline) else { return false }
                return first.isNumber || first.isUppercase
                    || ["g", "kg", "l", "ml", "sowie", "und"].contains(item)
            }
    }

    /// Whether a German length of time in the dative and “und” stand before a number: “nach 1 Jahr und 1 Monat”.
    private func isBehindLengthInDative(_ start: Int) -> Bool {
        guard rules?.code == "de", previousWord(before: start) == "und" else { return false }
        let words = text(max(0, start - 40)..<start).split(separator: " ").suffix(4).map { String($0).lowercased() }
        guard words.count == 4, GermanNumbers.lengthsInDativeFollow.contains(words[0]),
            words[1].allSatisfy(\.isNumber)
        else { return false }
        return GermanNumbers.lengthsOfTime.contains { length in
            words[2] == length || words[2] == length + (length.hasSuffix("e") ? "n" : "en")
        }
    }

    /// The German word before the article of an ordinal, or of the one to which it is joined.
    ///
    /// It is “in” for both in “in der 1. und 2. Schicht”.
    var wordBeforeArticle: String {
        let article = lowercased(lastWord) == "der" ? lastWord : wordBeforeLast
        let end = article.lowerBound - 1
        guard !article.isEmpty, end > 0, unit(end).isBlank else { return "" }
        var start = end
        while end - start < 16, unit(start - 1).isLetter { start -= 1 }
        // “nach wie vor der 2. Mann” has a nominative.
        let phrase = text(max(0, end - 13)..<end).lowercased()
        guard !["nach wie vor", "nach und nach"].contains(where: phrase.hasSuffix) else { return "" }
        let word = start < end ? lowercased(start..<end) : ""
        // “Er las, während der 2. Teil fehlt” has a conjunction.
        return word == "während" && has(",", at: start - 2) ? "" : word
    }

    /// A number in the case of its noun, which may stand behind the end of a range: “3 majas”, “10–15 minuti pärast”.
    func wordsInCase(_ number: WrittenNumber, _ rules: LanguageRules) -> String? {
        let numerals = rules.numerals
        guard let inCase = numerals.inCase, isCount(number) || number.isYearLike, let whole = number.whole,
            !isOfName(number, rules)
        else { return nil }
        var next = number.range.upperBound
        if unit(next).isDash, unit(next + 1).isDigit {
            let other = self.number(at: next + 1, rules)
            guard isCount(other), number.value < other.value else { return nil }
            next = other.range.upperBound
        } else if let start = secondOfDots(from: next) {
            // “−15...−20 kraadini”
            let other = self.number(at: start, rules)
            guard isCount(other) else { return nil }
            next = other.range.upperBound
        }
        guard unit(next).isBlank, unit(next + 1).isLowercase else { return nil }
        let written = next + 1..<wordEnd(from: next + 1)
        let noun = sharedNoun(behind: written, rules) ?? written
        let word = lowercased(noun)
        // “üle 30 000 majapidamise”
        if isCount(number), noun == written, EstonianNumbers.isGenitive(word),
            EstonianNumbers.genitivesFollow.contains(previousWord(before: number.range.lowerBound))
        {
            return EstonianNumbers.genitive(whole)
        }
        // “11 taotluse autor”, but “Baltica 2 ehituse”
        let isBehindName =
            lastWord.upperBound == number.range.lowerBound - 1 && unit(lastWord.lowerBound).isUppercase
            && !isLineStart(lastWord.lowerBound)
        if isCount(number), noun == written, whole > 1, !isBehindName, EstonianNumbers.isGenitive(word) {
            return EstonianNumbers.genitive(whole)
        }
        // “1850 eurole”, but “jaanuaris 2011 euro tuli”
        let isCountedLikeYear =
            EstonianNumbers.isCountedLikeYear(word)
            && rules.dates.months[previousWord(before: number.range.lowerBound)] == nil
        guard isCount(number) || isCountedLikeYear else { return nil }
        // “lõike 2 punktis 3”, but “4 punktiga 3. kohale”
        let other = skipBlanks(from: noun.upperBound)
        let stop = digitsEnd(from: other)
        let isOrdinal = has(".", at: stop) && unit(stop + 1).isBlank && unit(stop + 2).isLowercase
        guard !unit(other).isDigit || isOrdinal || !numerals.numbersFollow.contains(word) else { return nil }
        return inCase(whole, word, nextWord(from: noun.upperBound))
    }

    /// Where the second number of a range with dots begins, behind its sign.
    private func secondOfDots(from start: Int) -> Int? {
        guard let end = endOfDots(from: start) else { return nil }
        let second = unit(end).isDash || has("+", at: end) ? end + 1 : end
        return unit(second).isDigit ? second : nil
    }

    /// The noun of a number whose own noun is cut short: “5 poolt- ja 1 vastuhäälega”, “5 poolt-, 1 vastuhäälega”.
    private func sharedNoun(behind word: Range<Int>, _ rules: LanguageRules) -> Range<Int>? {
        let isListed = has(",", at: word.upperBound + 1)
        guard unit(word.upperBound) == 0x2D, unit(word.upperBound + (isListed ? 2 : 1)).isBlank else { return nil }
        let joint = word.upperBound + 2
        let jointEnd = isListed ? joint : wordEnd(from: joint)
        guard isListed || rules.numerals.ordinalJoints.contains(self.word(at: joint)), unit(jointEnd).isBlank else {
            return nil
        }
        let digits = digitsEnd(from: jointEnd + 1)
        guard digits > jointEnd + 1, unit(digits).isBlank, unit(digits + 1).isLowercase else { return nil }
        return digits + 1..<wordEnd(from: digits + 1)
    }

    /// A number with decimals in the case of its noun: “2,05 protsendini”, “12,4 protsendilt”.
    private func decimalInCase(_ number: WrittenNumber, _ rules: LanguageRules) -> String? {
        let start = number.range.upperBound + 1
        guard let inCase = rules.numerals.inCase, (1...2).contains(number.decimals.count),
            let last = Int(number.decimals),
            last > 0, !isOfName(number, rules), unit(start - 1).isBlank, unit(start).isLowercase
        else { return nil }
        let noun = start..<wordEnd(from: start)
        let next = nextWord(from: noun.upperBound)
        guard inCase(2, lowercased(noun), next) != nil, let genitive = genitiveOfDecimal(number) else { return nil }
        return genitive.head + (inCase(last, lowercased(noun), next) ?? genitive.last)
    }

    /// The Estonian genitive of a number, its last part by itself; `nil` for one with more than two decimals.
    func genitiveOfDecimal(_ number: WrittenNumber) -> (head: String, last: String)? {
        guard let whole = number.whole, number.decimals.count <= 2 else { return nil }
        if number.decimals.isEmpty { return ("", EstonianNumbers.genitive(whole)) }
        guard let last = Int(number.decimals), last > 0 else { return nil }
        let zero = number.decimals.hasPrefix("0") ? EstonianNumbers.digits[0] + " " : ""
        return (EstonianNumbers.genitive(whole) + " koma " + zero, EstonianNumbers.genitive(last))
    }

    /// Estonian millions in the case of the noun behind them: “3,8 mln euroni”, “5 miljoni inimese”.
    private mutating func scaleInCase(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = number.range.upperBound + 1
        guard rules.code == "et", !number.hasLeadingZero, !number.isGrouped, !number.isYearLike,
            unit(start - 1).isBlank,
            unit(start).isLowercase, !isOfName(number, rules)
        else { return false }
        let scale = start..<wordEnd(from: start)
        guard let stem = EstonianNumbers.scalesInGenitive[lowercased(scale)], let words = genitiveOfDecimal(number)
        else {
            return false
        }
        let spoken = words.head + words.last
        guard lowercased(scale) != stem else {
            say(spoken, forNumber: number.range)
            return true
        }
        let stop = has(".", at: scale.upperBound) ? scale.upperBound + 1 : scale.upperBound
        let noun = skipBlanks(from: stop)
        guard unit(noun).isLowercase,
            let two = rules.numerals.inCase?(2, word(at: noun), nextWord(from: wordEnd(from: noun)))
        else { return false }
        // “viie miljonile eurole”: the last word has the ending.
        say(spoken, forNumber: number.range)
        say(stem + two.dropFirst(EstonianNumbers.genitive(2).count), for: start..<stop)
        noteWord(scale)
        lastNumberEnd = position
        return true
    }

    /// Whether it belongs to what stands before it: “lk 10–12”, “§ 5”, “3:2”, “1.5”, “COVID-19”.
    private func isOfName(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        var start = number.range.lowerBound
        if unit(start - 1).isDash, unit(start - 2).isLetterOrDigit {
            // The end of a range counts what its beginning counts.
            let end = start - 1
            start = end
            while end - start < 16, unit(start - 1).isDigit { start -= 1 }
            guard start < end, let first = Double(text(start..<end)), first < number.value else { return true }
        }
        let isPart = [0x2C, 0x2E, 0x2F, 0x3A].contains(unit(start - 1)) && unit(start - 2).isDigit
        return isPart || isBehindSectionSign(start)
            || rules.numerals.numbersFollow.contains(abbreviatedWord(before: start))
    }

    /// Whether it may count things, as decimals, years and digits behind a zero do not.
    func isCount(_ number: WrittenNumber) -> Bool {
        number.decimals.isEmpty && !number.hasLeadingZero && !number.isYearLike
    }
}
