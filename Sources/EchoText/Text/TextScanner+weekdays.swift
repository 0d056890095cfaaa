extension TextScanner {
    /// A day of the week that is cut short, before a day or a comma, or in a span.
    ///
    /// “Sat. 5 May”, “Mo.–Fr.” and “E–R kell 9” have some.
    mutating func dayOfWeek(_ day: String, _ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let isCapital = unit(word.lowerBound).isUppercase
        guard isCapital || rules.dates.monthsAreLowercase && word.count > 1 else { return false }
        let hasStop = has(".", at: word.upperBound)
        let end = hasStop ? word.upperBound + 1 : word.upperBound
        let dash = skipBlanks(from: end)
        let next = skipBlanks(from: dash + 1)
        if unit(dash).isDash, (dash > end) == (next > dash + 1), let last = rules.dates.days[self.word(at: next)] {
            let other = next..<wordEnd(from: next)
            guard last != day, unit(other.lowerBound).isUppercase == isCapital,
                word.count > 1
                    ? other.count > 1
                    : other.count == 1 && (isBeforeHours(other.upperBound) || isOpenSpan(word, other, rules))
            else { return false }
            let stop = other.upperBound + 1
            let isStopped = has(".", at: other.upperBound) && !isSentenceEnd(stop)
            say("\(day) \(rules.signs.to) \(last)", for: word.lowerBound..<(isStopped ? stop : other.upperBound))
            noteWord(other)
            return true
        }
        if daysOfWeek(day, word, upTo: end, rules) { return true }
        if rules.code == "de", !hasStop, word.count == 2, unit(word.lowerBound + 1).isLowercase,
            isBeforeClock(end, needsSpan: lowercased(word) == "so")
        {
            say(day, for: word)
            noteWord(word)
            return true
        }
        let other = rules.code == "et" && word.count == 1 ? otherWeekday(behind: end) : nil
        // “pöörduda E ja N kl 9–12”
        let isBeforeHour = other.map { ["kell", "kl"].contains(nextWord(from: $0)) } == true
        let isFirst =
            isBeforeHour || other.map { beginsEntry(end) && (isPlacedWeekday($0) || isBeforeDottedTime($0)) } == true
        if rules.code == "et", word.count == 1, !hasStop, isFirst || isPlacedWeekday(end) {
            // “L 10–15” names the day, and “R kell 14” and “P, 7. juulil” are on it.
            let isSpan = unit(skipBlanks(from: end)).isDigit || isFirst && !isBeforeHour
            say(isSpan ? day : day + (day.hasSuffix("v") ? "al" : "l"), for: word)
            noteWord(word)
            return true
        }
        // “(v.a E)”
        if rules.code == "et", word.count == 1, !hasStop || isSentenceEnd(end), isExceptedLetter(word) {
            say(day, for: word)
            noteWord(word)
            return true
        }
        // “jeden 1. So. im Monat”
        let isBehindOrdinal =
            rules.code == "de" && word.count == 2 && unit(word.lowerBound + 1).isLowercase && lastNumberEnd > 0
            && lastNumberEnd == word.lowerBound - 1 && has(".", at: lastNumberEnd - 1)
        // “Er wurde 1. So im Nachhinein” has no Sunday.
        if isBehindOrdinal, hasStop || lowercased(word) != "so", ["des", "eines", "im"].contains(nextWord(from: end)) {
            say(day, for: word.lowerBound..<end)
            noteWord(word)
            return true
        }
        if rules.code == "de", !hasStop || isSentenceEnd(end), isShortDay(word.lowerBound, rules),
            isListedDay(word, rules) || isExceptedDay(word)
        {
            say(day, for: word)
            noteWord(word)
            return true
        }
        // “sam. à 21h10”
        if rules.code == "fr", hasStop, word.count > 2, isBeforeFrenchClock(end) {
            say(day, for: word.lowerBound..<end)
            noteWord(word)
            return true
        }
        // “Turno: M 8:00-15:00” is in the morning, unless another day is before it.
        let isMorning = lowercased(word) == "m" && rules.dates.days[lowercased(lastWord)] == nil
        if rules.code == "es", word.count == 1, !hasStop, !isMorning, isBetweenHours(word) {
            say(day, for: word)
            noteWord(word)
            return true
        }
        // “in The Sun, 12 March 2003” and “the SAT May 5”
        let isOtherName =
            rules.code == "en" && (day == "Sunday" || unit(word.lowerBound + 1).isUppercase)
            && previousWord(before: word.lowerBound) == "the"
        if Self.languagesOfBareDays.contains(rules.code), word.count > 2, !hasStop, !isOtherName,
            isBeforeDate(end, rules)
        {
            say(day, for: word)
            noteWord(word)
            return true
        }
        let isBehindWord =
            Self.wordsBeforeWeekdays[rules.code]?.contains(previousWord(before: word.lowerBound)) == true
            || abbreviatedWord(before: word.lowerBound) == "exc"
        // “sáb. de 9 a 14 h”, “dom. cerrado”
        let isOfHours = isBeforeHoursOfWeek(end, rules)
        let isPlaced = (isBehindWord || isOfHours) && !isOtherThanDay(word, end, rules)
        let isTimed =
            rules.code == "de" && word.count == 2 && isBeforePartOfDay(end, needsStop: lowercased(word) == "so")
        if isTimed, !hasStop, unit(word.lowerBound + 1).isLowercase {
            say(day, for: word)
            noteWord(word)
            return true
        }
        guard word.count > 1, hasStop,
            isPlaced || isTimed || has(",", at: end) || unit(skipBlanks(from: end)).isDigit,
            !isFrancs(word, before: skipBlanks(from: end), rules)
        else { return false }
        // “closed Sun. It opens again”
        let keepsStop = isSentenceEnd(end) || isBehindWord && beginsSentence(end)
        say(day, for: word.lowerBound..<(keepsStop ? end - 1 : end))
        noteWord(word)
        return true
    }

    /// Whether the hours of a Spanish day follow, or that something is closed then.
    ///
    /// “sáb. de 9 a 14 h” has some, and “dom. cerrado” has none.
    private func isBeforeHoursOfWeek(_ index: Int, _ rules: LanguageRules) -> Bool {
        guard rules.code == "es" else { return false }
        let next = skipBlanks(from: index)
        let word = word(at: next)
        return ["cerrada", "cerrado"].contains(word)
            || word == "de" && unit(skipBlanks(from: wordEnd(from: next))).isDigit
    }

    /// Whether an hour behind “um” and its like follows, or behind a full stop a part of the day.
    ///
    /// “Mo. um 9 Uhr” and “Sa. früh” have some. “So um 9 Uhr” can mean “about nine”, and “So früh” is no Sunday.
    private func isBeforePartOfDay(_ index: Int, needsStop: Bool) -> Bool {
        let hasStop = has(".", at: index - 1)
        let next = skipBlanks(from: index)
        guard next > index, unit(next).isLowercase, hasStop || !needsStop else { return false }
        let word = word(at: next)
        if ["ab", "bis", "um", "von"].contains(word) { return unit(skipBlanks(from: wordEnd(from: next))).isDigit }
        return hasStop && Self.partsOfDays.contains(word)
    }

    /// Whether a German day in two letters begins here: “Mo”, but “MO” and “Mode” are none.
    private func isShortDay(_ start: Int, _ rules: LanguageRules) -> Bool {
        unit(start).isUppercase && unit(start + 1).isLowercase && !unit(start + 2).isLetterOrDigit
            && (!has(".", at: start + 2) || isSentenceEnd(start + 3)) && !unit(start - 1).isLetterOrDigit
            && !unit(start - 1).isDash
            && rules.dates.days[lowercased(start..<start + 2)] != nil
    }

    /// Whether a German day is the one on which something is closed: “täglich außer Mo”.
    private func isExceptedDay(_ word: Range<Int>) -> Bool {
        previousWord(before: word.lowerBound) == "außer" && lastWord.lowerBound - wordBeforeLast.upperBound <= 2
            && ["tgl", "tägl", "täglich"].contains(lowercased(wordBeforeLast))
    }

    /// The same for an Estonian letter: “(v.a E)”.
    private func isExceptedLetter(_ word: Range<Int>) -> Bool {
        let stop = has(".", at: word.lowerBound - 2) ? word.lowerBound - 2 : word.lowerBound - 1
        let end = word.upperBound
        return unit(word.lowerBound - 1).isBlank && has("a", at: stop - 1) && has(".", at: stop - 2)
            && has("v", at: stop - 3) && !unit(stop - 4).isLetterOrDigit
            && (has(")", at: end) || has(",", at: end) || has(".", at: end) || isSentenceEnd(end)
                || Self.jointsOfDayAndMonth.contains(nextWord(from: end)))
    }

    /// Whether an Estonian span of days ends its clause, behind a word that shows what it is: “sõidab E–R.”.
    private func isOpenSpan(_ first: Range<Int>, _ last: Range<Int>, _ rules: LanguageRules) -> Bool {
        let end = last.upperBound
        return rules.code == "et" && Self.wordsBeforeSpans.contains(previousWord(before: first.lowerBound))
            && (isSentenceEnd(end) || has(",", at: end) || has(")", at: end) || has(";", at: end)
                || has(".", at: end) && isSentenceEnd(end + 1))
    }

    private static let wordsBeforeSpans: Set<String> = [
        "ainult", "avatud", "käib", "lahti", "sõidab", "sõidavad", "toimub", "töötab", "töötavad", "väljub",
    ]

    /// Whether a day without a full stop is one of several, or one that something is closed on.
    ///
    /// “Mo, Mi u. Fr” has several, and “Mo geschl.” such a day.
    /// “So, Mo kommt er” may begin with “so”, and “Mi, do, re” are notes.
    private func isListedDay(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let end = word.upperBound
        let key = lowercased(word)
        let isAmbiguous = key == "so"
        let next = skipBlanks(from: end)
        // “Sa 9–14 Uhr, So geschl.”, but “So geschlossen wie nie”
        let isClosed = ["geschl", "geschlossen"].contains(self.word(at: next))
        let closed = wordEnd(from: next)
        let isListEnd = has(",", at: word.lowerBound - 2) && isSentenceEnd(has(".", at: closed) ? closed + 1 : closed)
        if next > end, isClosed, !isAmbiguous || isListEnd { return true }
        let start = word.lowerBound
        var last = start - 1
        if has(",", at: start - 2) {
            last = start - 2
        } else if unit(lastWord.upperBound - 1).isLetter, Self.jointsOfShortDays.contains(lowercased(lastWord)),
            start - lastWord.upperBound <= 2
        {
            last = lastWord.lowerBound - 1
        } else if has("&", at: start - 2) {
            last = start - 3
        }
        // “So, Mo kommt er”
        let isBehindSo = last == start - 2 && isLineStart(last - 2) && has("S", at: last - 2) && has("o", at: last - 1)
        if last < start - 1, unit(start - 1).isBlank, !isBehindSo, isShortDay(last - 2, rules) {
            // “So Oder So” has no day.
            return lowercased(last - 2..<last) != key
        }
        guard !(isAmbiguous && has(",", at: end)) else { return false }
        var other = end
        if has(",", at: end) {
            other = skipBlanks(from: end + 1)
        } else if next > end, has("&", at: next) {
            other = skipBlanks(from: next + 1)
        } else if next > end, Self.jointsOfShortDays.contains(self.word(at: next)) {
            let jointEnd = wordEnd(from: next)
            other = skipBlanks(from: has(".", at: jointEnd) ? jointEnd + 1 : jointEnd)
        }
        return other > end + 1 && isShortDay(other, rules) && self.word(at: other) != key
    }

    private static let jointsOfShortDays: Set<String> = ["oder", "sowie", "u", "und"]

    /// Whether an hour follows, as French has it: “à 21h10”, “de 9 h à 12 h”.
    private func isBeforeFrenchClock(_ index: Int) -> Bool {
        let next = skipBlanks(from: index)
        // “Voici la mer. À 21h, on dîne.” has two sentences.
        guard next > index, unit(next).isLowercase, ["de", "dès", "vers", "à"].contains(word(at: next)) else {
            return false
        }
        let hour = skipBlanks(from: wordEnd(from: next))
        let end = digitsEnd(from: hour)
        let letter = skipBlanks(from: end)
        return (1...2).contains(end - hour) && has("h", at: letter)
            && (unit(letter + 1).isDigit || !unit(letter + 1).isLetterOrDigit)
    }

    private static let partsOfDays: Set<String> = [
        "abend", "abends", "auch", "früh", "geschlossen", "mittag", "mittags", "morgen", "morgens", "nachm",
        "nachmittag", "nachmittags", "vormittag", "vormittags",
    ]

    /// Whether a short word is no day, though one may stand there.
    ///
    /// “El mar.” is the sea, “le jeu.” a game, and “seit Fr. Meier” has a woman.
    private func isOtherThanDay(_ word: Range<Int>, _ end: Int, _ rules: LanguageRules) -> Bool {
        switch lowercased(word) {
        case "jeu": rules.code == "fr"
        case "mar": rules.code == "es"
        case "fr": isName(at: end) && ["ab", "bis", "seit"].contains(previousWord(before: word.lowerBound))
        default: false
        }
    }

    private static let wordsBeforeWeekdays: [String: Set<String>] = [
        "de": ["ab", "am", "bis", "jeden", "nächsten", "seit"],
        "en": ["closed", "every", "except", "next", "on", "open", "until"],
        "es": ["del", "el", "excepto", "hasta", "los", "salvo"], "fr": ["ce", "dès", "le"],
    ]

    /// Whether what follows shows that a letter is a day of the week: “kell”, hours with a dash, or a day and its month.
    private func isPlacedWeekday(_ end: Int) -> Bool {
        let start = skipBlanks(from: end)
        if beginsEntry(end), isBeforeDottedTime(end) { return true }
        // “K 3. nov kell 18”
        let day = digitsEnd(from: start)
        if start > end, (1...2).contains(day - start), has(".", at: day), unit(day + 1).isBlank,
            rules?.dates.months[nextWord(from: day + 1)] != nil
        {
            return beginsEntry(end) || Self.wordsBeforeSpans.contains(previousWord(before: end - 1))
        }
        if start > end, unit(start).isDigit {
            let first = clockEnd(from: start)
            let last = clockEnd(from: first + 1)
            return unit(first).isDash && first - start <= 5 && last > first + 1 && last - first <= 6
                && (isSentenceEnd(has(".", at: last) ? last + 1 : last)
                    || has(",", at: last) || has(";", at: last) || has(")", at: last))
        }
        // “P suletud”, but “parkla P suletud”
        let isBehindWord =
            unit(end - 2).isBlank && unit(end - 3).isLetter
            && !Self.jointsOfDayAndMonth.contains(previousWord(before: end - 1))
        if start > end, !isBehindWord, ["avatud", "kinni", "suletud"].contains(word(at: start)) { return true }
        if start > end { return ["kell", "kl"].contains(word(at: start)) }
        guard has(",", at: end), unit(end + 1).isBlank, unit(end + 2).isDigit else { return false }
        let stop = digitsEnd(from: end + 2)
        guard stop - end <= 4, has(".", at: stop) else { return false }
        // “N, 14.03 kell 16.30”
        let month = digitsEnd(from: stop + 1)
        if (2...3).contains(month - stop) {
            return ["kell", "kl"].contains(nextWord(from: has(".", at: month) ? month + 1 : month))
        }
        return rules?.dates.months[nextWord(from: stop + 1)] != nil
    }

    /// The end of a second Estonian day, beside the one that ends here: “L, P 10.20”, “L ja P 10–15”.
    private func otherWeekday(behind end: Int) -> Int? {
        let isJoined = Self.jointsOfDayAndMonth.contains(nextWord(from: end))
        let joint = has(",", at: end) ? end + 1 : isJoined ? wordEnd(from: skipBlanks(from: end)) : end
        let next = skipBlanks(from: joint)
        let isDay = next > joint && "ETKNRLP".utf16.contains(unit(next)) && !unit(next + 1).isLetterOrDigit
        return joint > end && isDay ? next + 1 : nil
    }

    /// Whether a letter that ends here may begin an entry of a timetable, as no letter within a sentence does.
    private func beginsEntry(_ end: Int) -> Bool {
        let marks: [UInt16] = [0x22, 0x28, 0x29, 0x2C, 0x3A, 0x3B, 0xBB, 0x201C, 0x201D]
        return isLineStart(end - 1) || marks.contains(unit(unit(end - 2).isBlank ? end - 3 : end - 2))
            || Self.jointsOfDayAndMonth.contains(previousWord(before: end - 1))
    }

    /// Whether hours with minutes follow an Estonian day: “R 19.00, L 16.30”, but “L 19.00 €” is a size and its price.
    private func isBeforeDottedTime(_ end: Int) -> Bool {
        let clock = clockEnd(from: end + 1)
        guard unit(end).isBlank, unit(end + 1).isDigit, has(".", at: clock - 3), (5...6).contains(clock - end),
            !unit(clock).isLetterOrDigit, !(has(".", at: clock) && unit(clock + 1).isDigit),
            unit(skipBlanks(from: clock)) != 0x20AC, !nextWord(from: clock).hasPrefix("euro"),
            let hour = Int(text(end + 1..<clock - 3)), let minute = Int(text(clock - 2..<clock))
        else { return false }
        return hour < 24 && minute < 60
    }

    /// Whether an hour with “Uhr” follows, or a span of such: “Sa 9–13 Uhr”.
    ///
    /// “So 9 Uhr” can mean “about nine”.
    private func isBeforeClock(_ index: Int, needsSpan: Bool) -> Bool {
        // “Sa nur 8.30 Uhr”
        let adverb = skipBlanks(from: index)
        let isLimited = ["ab", "auch", "bis", "nur"].contains(word(at: adverb))
        let start = isLimited ? skipBlanks(from: wordEnd(from: adverb)) : adverb
        guard start > index, unit(start).isDigit else { return false }
        var end = clockEnd(from: start)
        let hasDash = unit(end).isDash && unit(end + 1).isDigit
        if hasDash { end = clockEnd(from: end + 1) }
        return (hasDash || !needsSpan) && nextWord(from: end) == "uhr"
    }

    /// Where hours end, which may have minutes.
    private func clockEnd(from start: Int) -> Int {
        let end = digitsEnd(from: start)
        let hasMinutes = (has(":", at: end) || has(".", at: end)) && digitsEnd(from: end + 1) == end + 3
        return hasMinutes ? end + 3 : end
    }

    /// Whether it is “Fr.” before an amount, as Switzerland writes francs, and not before a day or an hour.
    private func isFrancs(_ word: Range<Int>, before amount: Int, _ rules: LanguageRules) -> Bool {
        guard rules.code == "de", lowercased(word) == "fr", unit(amount).isDigit else { return false }
        let stop = digitsEnd(from: amount)
        let isDay = has(".", at: stop) && (unit(stop + 1).isBlank || has(".", at: digitsEnd(from: stop + 1)))
        let isHour = has(":", at: stop) || unit(stop).isDash || ["bis", "uhr", "und"].contains(nextWord(from: stop))
        return !isDay && !isHour
    }

    private static let languagesOfBareDays: Set<String> = ["en", "es", "fr"]

    /// Whether a day and a month in letters follow, perhaps behind a comma: “Wed 6 Nov”, “Mon, 6 Nov 2023”, “Thu Nov 5”.
    private func isBeforeDate(_ index: Int, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: has(",", at: index) ? index + 1 : index)
        guard start > index else { return false }
        let digits = digitsEnd(from: start)
        if (1...2).contains(digits - start) { return unit(digits).isBlank && isMonthName(at: digits + 1, rules) }
        return rules.code == "en" && isMonthName(at: start, rules) && unit(wordEnd(from: start)).isBlank
            && unit(wordEnd(from: start) + 1).isDigit
    }

    private func isMonthName(at start: Int, _ rules: LanguageRules) -> Bool {
        let name = start..<max(start, wordEnd(from: start))
        return rules.dates.months[lowercased(name)] != nil
            && (rules.dates.monthsAreLowercase || unit(start).isUppercase)
    }

    /// Whether a letter behind a mark of a clause has opening hours behind it: “L-V 9:00-14:00; S 10:00-14:00”.
    private func isBetweenHours(_ word: Range<Int>) -> Bool {
        let mark = unit(word.lowerBound - 2)
        let hour = skipBlanks(from: word.upperBound)
        let minute = digitsEnd(from: hour) + 1
        let end = digitsEnd(from: minute)
        let dash = skipBlanks(from: end)
        let isBehindMark = unit(word.lowerBound - 1).isBlank && [0x2C, 0x3A, 0x3B].contains(mark)
        return (isBehindMark || isLineStart(word.lowerBound)) && (2...3).contains(minute - hour)
            && has(":", at: minute - 1) && end == minute + 2 && unit(dash).isDash
            && unit(skipBlanks(from: dash + 1)).isDigit
    }

    private func isBeforeHours(_ index: Int) -> Bool {
        let next = has(":", at: index) ? skipBlanks(from: index + 1) : skipBlanks(from: index)
        return unit(next).isDigit || ["de", "kell", "kella", "kl"].contains(word(at: next))
    }
}
