extension TextScanner {
    /// Reads what begins with the digit at `position`.
    mutating func scanNumber() {
        let start = position
        guard let rules else { return pass(number: start..<digitsEnd(from: start)) }
        if steps.contains(.numbers), numbersOfRule(start, rules) { return }
        if steps.contains(.dates),
            monthOfYear(start, rules) || numericDate(start, rules) || dottedDay(start, rules)
                || dateBeforeMonth(start, rules)
                || slashedDay(start, rules) || dayBeforeClock(start, rules) || firstDay(start, rules)
        {
            return
        }
        if steps.contains(.times), raceTime(start, rules) || duration(start, rules) || timeOfDay(start, rules) {
            return
        }
        if steps.contains(.numbers), dottedDigits(start, rules) || telephone(start, rules) { return }
        let number = number(at: start, rules)
        if steps.contains(.units),
            coordinate(number, rules) || inflectedSign(number, rules) || feetAndInches(number, rules)
                || feetByFeet(number, rules) || inches(number, rules)
        {
            return
        }
        if steps.contains(.currency) {
            if amount(number, rules) { return }
            let other =
                withOtherGroups(number, rules) ?? withOtherMark(number, rules) ?? withoutCoins(number, rules)
            if let other, amount(other, rules) { return }
        }
        if steps.contains(.numbers), rewrite(number, rules) { return }
        let next = number.range.upperBound
        if steps.contains(.units), measure(number, rules) { return }
        pass(number: start..<max(next, start + 1))
        if steps.contains(.numbers) { rangeDash(after: number, rules) }
    }

    mutating func pass(number range: Range<Int>) {
        position = range.upperBound
        lastNumberEnd = range.upperBound
    }

    mutating func say(_ words: String, forNumber range: Range<Int>) {
        say(words, for: range)
        lastNumberEnd = range.upperBound
    }

    private mutating func rewrite(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        rating(number, rules) || chainOfYears(number, rules) || yearAndPart(number, rules) || yearAndNext(number, rules)
            || mixedHalf(number, rules) || fraction(number, rules) || ordinal(number, rules)
            || numberWithEnding(number, rules)
            || exponent(number, rules) || code(number, rules) || year(number, rules)
            || ratioWithColon(number, rules)
            || dimensions(number, rules) || compound(number, rules) || millions(number, rules)
            || spacedGroups(number, rules)
            || commonFraction(number, rules)
            || agreeing(number, rules)
    }

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
            previousWord(before: number.range.lowerBound) == "la", Self.spanishHoursFollow.contains(wordBeforeName)
        else { return false }
        let next = number.range.upperBound
        let word = skipBlanks(from: next)
        switch self.word(at: word) {
        case "": return unit(next).isSpace && isSentenceEnd(next) || Self.endsClause(unit(next))
        case "de": return nextWord(from: word + 2) == "la"
        case "en": return nextWord(from: word + 2) == "punto"
        case "menos": return true
        case "y":
            // “la 1 y 20”
            let minutes = skipBlanks(from: word + 1)
            return digitsEnd(from: minutes) == minutes + 2
                || ["cuarto", "media", "pico"].contains(nextWord(from: word + 1))
        default: return false
        }
    }

    private static let spanishHoursFollow: Set<String> = ["a", "desde", "era", "es", "hacia", "hasta", "sobre"]

    /// A number in the case of its noun, which may stand behind the end of a range: “3 majas”, “10–15 minuti pärast”.
    private func wordsInCase(_ number: WrittenNumber, _ rules: LanguageRules) -> String? {
        let numerals = rules.numerals
        guard let inCase = numerals.inCase, isCount(number) || number.isYearLike, let whole = number.whole,
            !isOfName(number, rules)
        else { return nil }
        var next = number.range.upperBound
        if unit(next).isDash, unit(next + 1).isDigit {
            let other = self.number(at: next + 1, rules)
            guard isCount(other), number.value < other.value else { return nil }
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
    private func genitiveOfDecimal(_ number: WrittenNumber) -> (head: String, last: String)? {
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

    func isBehindSectionSign(_ start: Int) -> Bool {
        unit(unit(start - 1).isBlank ? start - 2 : start - 1) == 0xA7
    }

    /// Whether it may count things, as decimals, years and digits behind a zero do not.
    private func isCount(_ number: WrittenNumber) -> Bool {
        number.decimals.isEmpty && !number.hasLeadingZero && !number.isYearLike
    }

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
        return genderOfCounted(whole, noun, unit(next + 1).isUppercase)
    }

    /// A number with an ending or a word behind a hyphen: “5-le”, “21-aastane”.
    private mutating func compound(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        if decimalWithEnding(number, rules) || compoundRange(number, rules) || firstOfCompounds(number, rules) {
            return true
        }
        guard let compound = rules.numerals.compound, number.decimals.isEmpty, !number.hasLeadingZero,
            unit(dash) == 0x2D, unit(dash + 1).isLowercase, !unit(number.range.lowerBound - 1).isDash,
            let whole = number.whole
        else { return false }
        let part = dash + 1..<wordEnd(from: dash + 1)
        guard let words = compound(whole, lowercased(part)) else { return false }
        say(words, forNumber: number.range.lowerBound..<part.upperBound)
        noteWord(part)
        return true
    }

    /// An Estonian range that makes one word with an adjective: “2–3-päevane”, “5–6-aastased”.
    private mutating func compoundRange(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", number.isPlainInteger, isCount(number), let first = number.whole, unit(dash).isDash,
            unit(dash + 1).isDigit, !hasDigitGlued(before: number)
        else { return false }
        let other = self.number(at: dash + 1, rules)
        let hyphen = other.range.upperBound
        guard other.isPlainInteger, isCount(other), let last = other.whole, first < last, unit(hyphen) == 0x2D,
            unit(hyphen + 1).isLowercase
        else { return false }
        let part = hyphen + 1..<wordEnd(from: hyphen + 1)
        guard part.count > 4, !lowercased(part).hasPrefix("nda"),
            let words = rules.numerals.compound?(last, lowercased(part))
        else { return false }
        say(EstonianNumbers.genitive(first), forNumber: number.range)
        say(rules.signs.to, for: dash..<dash + 1)
        say(words, forNumber: dash + 1..<part.upperBound)
        noteWord(part)
        return true
    }

    /// The first of two Estonian numbers before an adjective: “2- ja 3-toalised”, “1-, 2- ja 3-toalised”.
    private mutating func firstOfCompounds(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", number.isPlainInteger, isCount(number), let whole = number.whole,
            unit(dash) == 0x2D, !unit(number.range.lowerBound - 1).isDash
        else { return false }
        let isListed = has(",", at: dash + 1)
        let joint = skipBlanks(from: isListed ? dash + 2 : dash + 1)
        let other = isListed ? joint : skipBlanks(from: wordEnd(from: joint))
        let end = digitsEnd(from: other)
        guard unit(joint - 1).isBlank, isListed || rules.numerals.ordinalJoints.contains(word(at: joint)), end > other,
            unit(end) == 0x2D
        else { return false }
        // “2- ja 3-toalised”, but “2- ja 3-le”
        let isCompound = unit(end + 1).isLowercase && wordEnd(from: end + 1) > end + 5
        let isFurther = isListed && (has(",", at: end + 1) || unit(end + 1).isBlank)
        guard isCompound || isFurther else { return false }
        say(EstonianNumbers.genitive(whole), forNumber: number.range)
        return true
    }

    /// An Estonian number with decimals and an ending: “112,3-lt”.
    private mutating func decimalWithEnding(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        guard rules.code == "et", !number.decimals.isEmpty, unit(dash) == 0x2D, unit(dash + 1).isLowercase,
            !unit(number.range.lowerBound - 1).isDash, let words = genitiveOfDecimal(number)
        else { return false }
        let part = dash + 1..<wordEnd(from: dash + 1)
        guard EstonianNumbers.endingsOfAbbreviations.contains(lowercased(part)) else { return false }
        say(words.head + words.last + lowercased(part), forNumber: number.range.lowerBound..<part.upperBound)
        noteWord(part)
        return true
    }

    /// A number with letters of its own right behind its digits: “1980er”, “90ndatel”.
    private mutating func numberWithEnding(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = number.range.upperBound
        guard let withEnding = rules.numerals.withEnding, number.isPlainInteger, !number.hasLeadingZero,
            let whole = number.whole, unit(start).isLetter, !hasDigitGlued(before: number)
        else { return false }
        // “11.30ni” has one number.
        let before = unit(number.range.lowerBound - 1)
        guard before != 0x2E && before != 0x2C && before != 0x3A || !unit(number.range.lowerBound - 2).isDigit else {
            return false
        }
        let ending = start..<wordEnd(from: start)
        guard let words = withEnding(whole, lowercased(ending)) else { return false }
        say(words, forNumber: number.range.lowerBound..<ending.upperBound)
        noteWord(ending)
        return true
    }

    /// A number in groups set apart by spaces or signs, which engines take for several numbers.
    private mutating func spacedGroups(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard number.isGroupedBySpaces || number.isGroupedBySigns else { return false }
        let isClear =
            number.isGroupedBySigns || number.hasNoBreakSpaces || number.groupCount > 1
            || rules.numerals.decimalMark == ","
        guard isClear, !unit(number.range.upperBound).isLetter else {
            pass(number: number.range.lowerBound..<digitsEnd(from: number.range.lowerBound))
            return true
        }
        let gender = unitGender(after: number, rules) ?? genderOfCounted(by: number, rules)
        let inCase = wordsInCase(number, rules)
        guard let words = inCase ?? words(for: number, rules.numerals, gender: gender) else { return false }
        say(words, forNumber: number.range)
        if steps.contains(.units), unit(after: number, rules) { return true }
        rangeDash(after: number, rules)
        return true
    }

    // MARK: Years

    /// Three and more years with hyphens: “1914-1918-1945”.
    private mutating func chainOfYears(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        var last = number
        var years: [Int] = []
        while last.isYearLike, let year = last.whole, years.count < 12 {
            years.append(year)
            guard unit(last.range.upperBound).isDash, unit(last.range.upperBound + 1).isDigit else { break }
            last = self.number(at: last.range.upperBound + 1, rules)
        }
        guard (3..<12).contains(years.count), last.isYearLike, !unit(number.range.lowerBound - 1).isDash,
            !unit(last.range.upperBound).isLetterOrDigit, !unit(last.range.upperBound).isDash
        else { return false }
        let words = years.map { rules.numerals.year?($0) ?? rules.numerals.cardinal($0, nil) }
        say(words.joined(separator: ", "), forNumber: number.range.lowerBound..<last.range.upperBound)
        return true
    }

    private mutating func year(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        if decade(number, rules) { return true }
        guard let whole = number.whole, number.isYearLike && isYear(number, rules) || isEarlyYear(number, rules)
        else { return false }
        lastYearEnd = number.range.upperBound
        guard let words = rules.numerals.year?(whole) else { return false }
        say(words, forNumber: number.range)
        rangeDash(after: number, rules)
        return true
    }

    /// “1990s”, “90s”.
    private mutating func decade(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let decade = rules.numerals.decade, let whole = number.whole, whole % 10 == 0,
            number.isYearLike || number.isPlainInteger && (20...90).contains(whole)
        else { return false }
        let next = number.range.upperBound
        let letter = unit(next) == 0x27 || unit(next) == 0x2019 ? next + 1 : next
        guard has("s", at: letter), !unit(letter + 1).isLetterOrDigit, let words = decade(whole) else { return false }
        say(words, forNumber: number.range.lowerBound..<letter + 1)
        // “1960s-80s”
        let end = digitsEnd(from: position + 1)
        if unit(position).isDash, end > position + 1, has("s", at: end), !unit(end + 1).isLetterOrDigit {
            say(rules.signs.to, for: position..<position + 1)
        }
        return true
    }

    private func isYear(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let next = number.range.upperBound
        guard !unit(next).isLetter, !has("%", at: next) else { return false }
        let isRange = unit(next).isDash && unit(next + 1).isDigit && self.number(at: next + 1, rules).isYearLike
        if isRange { return true }
        let first = number.range.lowerBound - 1
        if has("(", at: first) && has(")", at: next) || has("[", at: first) && has("]", at: next) { return true }
        if lastYearEnd > 0, lastWord.lowerBound == lastYearEnd + 1, lastWord.upperBound == number.range.lowerBound - 1 {
            return unitAfter(number, rules) == nil
        }
        // “1933 u. 1945”
        let isBehindShort =
            rules.code == "de" && abbreviatedWord(before: number.range.lowerBound) == "u" && lastYearEnd > 0
            && lastWord.lowerBound == lastYearEnd + 1
        if isBehindShort { return unitAfter(number, rules) == nil }
        let before = previousWord(before: number.range.lowerBound)
        let after = nextWord(from: next)
        if rules.numerals.yearsPrecede.contains(after) { return true }
        let name = skipBlanks(from: next)
        let isName = unit(name).isUppercase && unit(name + 1).isLowercase
        let isPlace = rules.numerals.isYearPlace.map { $0(number.whole ?? 0, before, after, isName) } ?? false
        // “ca. 1450”
        let isCirca = ["c", "ca"].contains(abbreviatedWord(before: number.range.lowerBound))
        // “geb. 1712”, “Bj. 2019”
        let isOfLife =
            rules.code == "de" && has(".", at: lastWord.upperBound)
            && Self.wordsBeforeYears.contains(abbreviatedWord(before: number.range.lowerBound))
        // “b. 1920”, but “Vitamin D 1500 IU”
        let isLife =
            ["b", "d"].contains(abbreviatedWord(before: number.range.lowerBound))
            && has(".", at: lastWord.upperBound) && unit(lastWord.lowerBound).isLowercase
        // “the budget for 2026”, but “plans for 1500 homes” and “one accounts for 1250, the other for 1350”
        let isPlanned =
            rules.code == "en" && before == "for" && EnglishNumbers.forYears.contains(wordBeforeName)
            && (number.whole ?? 0) % 100 != 0 && (number.whole ?? 0) >= 1_800
            && (countsNothing(before: next, rules) || EnglishNumbers.wordsBehindYears.contains(after))
        guard isPlace || isPlanned || isCirca || isLife || isOfLife || rules.numerals.yearsFollow.contains(before)
        else { return false }
        return unitAfter(number, rules) == nil
    }

    /// German words that are cut short before a year.
    private static let wordsBeforeYears: Set<String> = ["bj", "erb", "geb", "gegr", "gest"]

    /// Whether a number from 1001 to 1099 is a year.
    ///
    /// It is one in “in 1066”, “the Conquest of 1066” and “(1066)”, but not in “in 1024 bytes”.
    private func isEarlyYear(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = number.range.lowerBound
        let next = number.range.upperBound
        guard !rules.numerals.earlyYearsFollow.isEmpty, let whole = number.whole, (1_001...1_099).contains(whole),
            number.isPlainInteger, number.digits.count == 4, !unit(next).isLetterOrDigit, !unit(next).isDash,
            !has("%", at: next), !has("/", at: next), unitAfter(number, rules) == nil
        else { return false }
        // “a kibibyte (1024)”
        let isSize = whole == 1_024 || whole == 1_080
        if has("(", at: start - 1) && has(")", at: next) { return !isSize }
        let before = previousWord(before: start)
        // “one in 1050”
        let isShare =
            before == "in"
            && (wordBeforeName == "one" || lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1)
        // “c. 1086”
        let isCirca =
            ["c", "ca"].contains(abbreviatedWord(before: start)) && has(".", at: lastWord.upperBound) && !isSize
        let isPlaced = isCirca || rules.numerals.earlyYearsFollow.contains(before)
        guard !isShare, isPlaced || !isSize && isBehindNameAndOf(before) else { return false }
        return countsNothing(before: next, rules)
    }

    /// Whether “of” stands behind a name before the number: “the Conquest of 1066”, but not “an IQ of 1066”.
    private func isBehindNameAndOf(_ before: String) -> Bool {
        before == "of" && !wordBeforeName.isEmpty && unit(wordBeforeLast.lowerBound).isUppercase
            && !(wordBeforeLast.count > 1 && wordBeforeLast.allSatisfy { units[$0].isUppercase })
    }

    /// Whether what follows shows that nothing is counted by a number that ends at `next`.
    ///
    /// A noun behind it is counted, and so is what has a sign.
    func countsNothing(before next: Int, _ rules: LanguageRules) -> Bool {
        let after = nextWord(from: next)
        guard after.isEmpty else {
            return isName(at: next) || after != "of" && SentenceOpeners.contains(after, language: rules.code)
        }
        return unit(next).isSpace && isSentenceEnd(next) || Self.endsClause(unit(next)) && !unit(next + 1).isDigit
    }

    /// Whether the sign stands behind words: full stops and commas, closing quotation marks and brackets, long dashes.
    static func endsClause(_ sign: UInt16) -> Bool {
        [0x21, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x2014, 0x2019, 0x201D, 0x2026].contains(sign)
    }

    mutating func sayYear(_ number: WrittenNumber, _ rules: LanguageRules) {
        guard let whole = number.whole, let words = rules.numerals.year?(whole) else { return }
        say(words, forNumber: number.range)
    }

    // MARK: Ordinals

    private mutating func ordinal(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        let longest = numerals.ordinalEndings.isEmpty ? 9_999 : 1_000_000_000
        guard number.decimals.isEmpty, let whole = number.whole, whole <= longest else { return false }
        let next = number.range.upperBound
        let before = governor(before: number.range.lowerBound, rules)
        if ordinalRange(number, whole, rules) || classWithLetter(number, whole, rules) { return true }
        // “3.2. Abschnitt”
        let isPart = has(".", at: number.range.lowerBound - 1) && unit(number.range.lowerBound - 2).isDigit
        let hasStop = has(".", at: next) && unit(next + 1).isBlank && !number.isGrouped
        if rules.code == "de", !isPart, !number.isGrouped, let noun = nounOfListed(number, before: before) {
            let place = Numerals.Place(before: before, after: noun)
            say(numerals.ordinal(whole, place), forNumber: extend(number, by: 1))
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
        guard !isMixedCase, let like = numerals.ordinalEndings[lowercased(letters..<lettersEnd)] else { return false }
        // “terminal 2E” has a letter, “LE 2E ÉTAGE” and “au 2E étage” an ordinal.
        let isLetter = rules.code == "fr" && lettersEnd == letters + 1 && unit(letters).isUppercase
        if isLetter, unit(lastWord.upperBound - 1).isLowercase,
            !["au", "ce", "cette", "du", "la", "le"].contains(previousWord(before: number.range.lowerBound))
        {
            return false
        }
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

    /// The word before an ordinal that decides its ending; behind another ordinal it is the word before that.
    ///
    /// “im 18. und 19. Jahrhundert” has “im” twice.
    func governor(before index: Int, _ rules: LanguageRules) -> String {
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
        if unit(end).isDash, EstonianNumbers.endingsOfAbbreviations.contains(self.word(at: end + 1)) {
            return stem + self.word(at: end + 1)
        }
        let next = nextWord(from: has(".", at: end) ? end + 1 : end)
        if word == "a", EstonianNumbers.belongsToYear(next) { return stem }
        return word == "saj" && EstonianNumbers.partsOfCenturies.contains(next) ? stem : nil
    }

    /// The word before an ordinal, unless an Estonian noun at `start` belongs to the next.
    ///
    /// “Enne 1. jaanuari koosolekut” has such a noun.
    func governorOfCase(_ before: String, of start: Int, _ rules: LanguageRules) -> String {
        if let governor = governorOfFeast(before, of: start, rules) { return governor }
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

    private func extend(_ number: WrittenNumber, by count: Int) -> Range<Int> {
        number.range.lowerBound..<number.range.upperBound + count
    }
}
