extension TextScanner {
    /// A date in digits, as in 2026-11-21, 21/11/2026 and 21.11.2026.
    ///
    /// Impossible ones are left alone.
    mutating func numericDate(_ start: Int, _ rules: LanguageRules) -> Bool {
        let first = digitsEnd(from: start)
        let mark = unit(first)
        guard mark == 0x2D || mark == 0x2F || mark == 0x2E, unit(first + 1).isDigit, first - start <= 4 else {
            return false
        }
        let second = digitsEnd(from: first + 1)
        guard second - first <= 3, unit(second) == mark, unit(second + 1).isDigit else { return false }
        let third = digitsEnd(from: second + 1)
        // “2026-11-21T14:30”
        let hasTime = mark == 0x2D && first - start == 4 && has("T", at: third) && unit(third + 1).isDigit
        guard hasTime || !unit(third).isLetterOrDigit, !(unit(third) == mark && unit(third + 1).isDigit) else {
            return false
        }
        let widths = [first - start, second - first - 1, third - second - 1]
        guard let one = Int(text(start..<first)), let two = Int(text(first + 1..<second)),
            let three = Int(text(second + 1..<third))
        else { return false }
        if mark == 0x2F, widths[0] <= 2, widths[2] == 2 {
            return shortDate((one, two, three), for: start..<third, rules)
        }
        let date: (day: Int, month: Int, year: Int)
        switch (mark, widths[0], widths[2]) {
        case (0x2D, 4, 2) where widths[1] == 2: date = (three, two, one)
        case (0x2F, 4, 1...2): date = (three, two, one)
        case (0x2F, 1...2, 4), (0x2D, 1...2, 4): date = slashed(one, two, three)
        case (0x2E, 1...2, 4): date = (one, two, three)
        case (0x2E, 1...2, 2) where (widths[1] == 2 || (20...49).contains(three)) && isPlacedDay(start, third, rules):
            date = (one, two, three < 40 ? 2_000 + three : 1_900 + three)
        default: return false
        }
        guard Self.exists(date) else { return false }
        say(date, for: start..<(hasTime ? third + 1 : third), rules)
        return true
    }

    /// A date whose month is a Roman numeral, as letters and stamps have it: “3-IV-1921”, “12.XI.1998”.
    mutating func romanMonthDate(_ start: Int, _ rules: LanguageRules) -> Bool {
        let dayEnd = digitsEnd(from: start)
        let mark = unit(dayEnd)
        guard dayEnd - start <= 2, mark == 0x2D || mark == 0x2E || mark == 0x2F, !unit(start - 1).isLetterOrDigit,
            !unit(start - 1).isDash
        else { return false }
        let numeral = mark == 0x2E ? skipBlanks(from: dayEnd + 1) : dayEnd + 1
        let numeralEnd = wordEnd(from: numeral)
        guard (1...4).contains(numeralEnd - numeral), unit(numeralEnd) == mark,
            let month = Self.romanMonths.firstIndex(of: text(numeral..<numeralEnd))
        else { return false }
        let year = mark == 0x2E ? skipBlanks(from: numeralEnd + 1) : numeralEnd + 1
        let yearEnd = digitsEnd(from: year)
        guard yearEnd == year + 4, !unit(yearEnd).isLetterOrDigit, let day = Int(text(start..<dayEnd)),
            let number = Int(text(year..<yearEnd)), (1_000..<2_100).contains(number),
            Self.exists((day, month + 1, number)),
            !rules.numerals.romanCardinalsFollow.contains(abbreviatedWord(before: start)),
            // “número 3-IV-1998”
            !rules.numerals.numbersFollow.contains(abbreviatedWord(before: start))
        else { return false }
        say((day, month + 1, number), for: start..<yearEnd, rules)
        return true
    }

    private static let romanMonths = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

    /// Whether digits with full stops are a date, as what stands beside them shows: “le 12.03.24”, “12.03.24 kell 9”.
    private func isPlacedDay(_ start: Int, _ end: Int, _ rules: LanguageRules) -> Bool {
        if rules.code == "et", ["kell", "kl"].contains(nextWord(from: end)) { return true }
        let before = previousWord(before: start)
        return Self.wordsBeforeDigits[rules.code]?.contains(before) == true && !isSecondOfParts(before, rules)
    }

    private static let wordsBeforeDigits: [String: Set<String>] = [
        "de": ["am", "bis", "seit", "vom", "zum"], "es": ["al", "del", "el"], "et": ["alates", "kuni"],
        "fr": ["au", "du", "le"],
    ]

    /// An Estonian day and month in digits before a time of day: “3.12 kell 14”.
    mutating func dayBeforeClock(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard rules.code == "et" else { return false }
        if deadline(start, rules) { return true }
        let stop = digitsEnd(from: start)
        let end = digitsEnd(from: stop + 1)
        let isBeforeHour = ["kell", "kl"].contains(nextWord(from: has(".", at: end) ? end + 1 : end))
        // “kuupäev 3.11”
        let isNamed =
            ["kuupäev", "sünnipäev"].contains(abbreviatedWord(before: start)) && !isAmount(behind: end, rules)
            && !(has(".", at: end) || has(",", at: end) ? unit(end + 1).isDigit : unit(end).isDash)
        guard (1...2).contains(stop - start), has(".", at: stop), (2...3).contains(end - stop),
            !unit(end).isLetterOrDigit, isBeforeHour || isNamed || isClearDay(start, end, rules),
            !unit(start - 1).isLetterOrDigit, let day = Int(text(start..<stop)),
            let month = Int(text(stop + 1..<end)), Self.exists((day, month, 2_024))
        else { return false }
        let name = EstonianNumbers.monthStems[month - 1] + "l"
        let place = Numerals.Place(before: previousWord(before: start), after: name)
        let isStopped = has(".", at: end) && unit(end + 1).isBlank && unit(end + 2).isLowercase
        if isNamed, !isBeforeHour {
            say(date: rules.dates.date(day, month, nil, Numerals.Place(), monthFirst), for: start..<end)
            return true
        }
        say(date: "\(rules.numerals.ordinal(day, place)) \(name)", for: start..<(isStopped ? end + 1 : end))
        return true
    }

    /// Whether an Estonian day and month in digits can be no time: “24.12 oleme avatud”, “31.12 ja 1.01”.
    private func isClearDay(_ start: Int, _ end: Int, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: start)
        guard !rules.numerals.numbersFollow.contains(before), !Self.wordsBeforeDeadlines.contains(before),
            !unit(start - 1).isDash, unit(end).isSpace || has(",", at: end) || has(".", at: end)
        else { return false }
        // “31.12 ja 1.01”
        if Self.jointsOfDayAndMonth.contains(before), lastDateEnd > 0, lastDateEnd == lastWord.lowerBound - 1 {
            return true
        }
        let next = skipBlanks(from: end)
        guard isLateDay(start), next > end else { return false }
        let word = word(at: next)
        let other = skipBlanks(from: wordEnd(from: next))
        // “suletud 31.12 ja 1.01”, but “Ubuntu 24.04 ja 24.10” and “hind 25.10 on”
        if Self.wordsBeforeDays.contains(before), Self.jointsOfDayAndMonth.contains(word) {
            return isDayAndMonth(other)
        }
        return ["oleme", "toimub", "toimuvad"].contains(word)
    }

    private static let wordsBeforeDeadlines: Set<String> = ["alates", "enne", "hiljemalt", "kuni", "pärast"]

    /// An Estonian day and month in digits behind a word for a deadline, and which can be no time: “kuni 30.11”.
    private mutating func deadline(_ start: Int, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: start)
        let end = start + 5
        guard rules.code == "et", Self.wordsBeforeDeadlines.contains(before), isLateDay(start),
            !unit(end).isLetterOrDigit, !unit(end).isDash,
            !(has(".", at: end) || has(",", at: end)) || !unit(end + 1).isDigit,
            !isAmount(behind: end, rules), let day = Int(text(start..<start + 2)),
            let month = Int(text(start + 3..<end)), Self.exists((day, month, 2_024))
        else { return false }
        let place = Numerals.Place(before: before, after: nextWord(from: end))
        say(date: rules.dates.date(day, month, nil, place, monthFirst), for: start..<end)
        return true
    }

    static let jointsOfDayAndMonth: Set<String> = ["ja", "ning", "või"]

    /// Estonian words before days in digits.
    private static let wordsBeforeDays: Set<String> = ["", "avatud", "kinni", "oleme", "suletud", "toimub", "toimuvad"]

    /// Whether a day that is no hour begins here, and its month in two digits.
    private func isLateDay(_ start: Int) -> Bool {
        let stop = digitsEnd(from: start)
        return stop == start + 2 && has(".", at: stop) && (Int(text(start..<stop)) ?? 0) > 23
            && digitsEnd(from: stop + 1) == stop + 3
    }

    private func isDayAndMonth(_ start: Int) -> Bool {
        let stop = digitsEnd(from: start)
        let end = digitsEnd(from: stop + 1)
        guard (1...2).contains(stop - start), has(".", at: stop), end == stop + 3, !unit(end).isLetterOrDigit,
            let day = Int(text(start..<stop)), let month = Int(text(stop + 1..<end))
        else { return false }
        // “25.10 ja 26.10 eurot” are prices.
        return Self.exists((day, month, 2_024))
            && ["", "oleme", "on", "toimub", "toimuvad"].contains(nextWord(from: end))
    }

    /// A date whose year has no century: “11/17/05”.
    private mutating func shortDate(
        _ parts: (one: Int, two: Int, year: Int),
        for range: Range<Int>,
        _ rules: LanguageRules
    ) -> Bool {
        let dates = rules.dates
        let written = slashed(parts.one, parts.two, parts.year < 40 ? 2_000 + parts.year : 1_900 + parts.year)
        // “les 10/11/12 mars” are days, “10/12/14 mm” measures.
        guard Self.exists(written), dates.months[nextWord(from: range.upperBound)] == nil,
            unitAfter(WrittenNumber(plain: range, ""), rules) == nil
        else { return false }
        guard let year = rules.numerals.shortYear?(parts.year) else {
            say(written, for: range, rules)
            return true
        }
        let place = Numerals.Place(before: previousWord(before: range.lowerBound))
        say(date: "\(dates.date(written.day, written.month, nil, place, monthFirst)), \(year)", for: range)
        return true
    }

    private func slashed(_ one: Int, _ two: Int, _ year: Int) -> (day: Int, month: Int, year: Int) {
        let isMonthFirst = two > 12 || one <= 12 && monthFirst
        return isMonthFirst ? (two, one, year) : (one, two, year)
    }

    /// Says a date, and notes where it ends.
    private mutating func say(date words: String, for range: Range<Int>) {
        say(words, for: range)
        lastNumberEnd = range.upperBound
        lastDateEnd = range.upperBound
    }

    private mutating func say(_ date: (day: Int, month: Int, year: Int), for range: Range<Int>, _ rules: LanguageRules)
    {
        let place = Numerals.Place(
            before: isBehindSignOfLife(range.lowerBound, rules) ? "am" : abbreviatedWord(before: range.lowerBound),
            after: nextWord(from: range.upperBound)
        )
        say(date: rules.dates.date(date.day, date.month, date.year, place, monthFirst), for: range)
    }

    static func exists(_ date: (day: Int, month: Int, year: Int)) -> Bool {
        guard (1...12).contains(date.month), date.day >= 1 else { return false }
        let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return date.day <= days[date.month - 1]
    }

    /// A day and a month in digits, behind a word that dates follow or before a year.
    ///
    /// Both have a full stop, as in “am 24.12.” and “ab dem 1. 5.”.
    mutating func dottedDay(_ start: Int, _ rules: LanguageRules) -> Bool {
        let dayEnd = digitsEnd(from: start)
        guard !rules.dates.dottedDaysFollow.isEmpty, has(".", at: dayEnd) else { return false }
        let before = previousWord(before: start)
        let month = skipBlanks(from: dayEnd + 1)
        let monthEnd = digitsEnd(from: month)
        guard dayEnd - start <= 2, (1...2).contains(monthEnd - month), has(".", at: monthEnd),
            !unit(monthEnd + 1).isLetterOrDigit, let dayNumber = Int(text(start..<dayEnd)),
            let monthNumber = Int(text(month..<monthEnd)), Self.exists((dayNumber, monthNumber, 2_024))
        else { return false }
        let year = skipBlanks(from: monthEnd + 1)
        if year > monthEnd + 1, digitsEnd(from: year) == year + 4, !unit(year + 4).isLetter,
            let yearNumber = Int(text(year..<year + 4)), (1_100...2_099).contains(yearNumber)
        {
            say((dayNumber, monthNumber, yearNumber), for: start..<year + 4, rules)
            return true
        }
        // “Am Mo., 5.6.”
        let isBehindDay =
            rules.dates.days[lowercased(lastWord)] != nil && start - lastWord.upperBound <= 3
            && unit(lastWord.lowerBound).isUppercase
        // “24.12. bis 6.1.”
        let joint = skipBlanks(from: monthEnd + 1)
        let beginsSpan =
            joint > monthEnd + 1 && word(at: joint) == rules.signs.to && !rules.dates.partsPrecede.contains(before)
            && !Self.wordsBeforeSections.contains(before)
            && isDottedDay(at: skipBlanks(from: wordEnd(from: joint)))
        // “Sitzung v. 12.11.”
        let isBehindShort =
            rules.code == "de" && abbreviatedWord(before: start) == "v" && unit(lastWord.lowerBound).isLowercase
        // “am 31.10. und 1.11.”, “am 24.12., 25.12. u. 26.12.”
        let isJoined =
            lastDateEnd > 0 && lastDateEnd == lastWord.lowerBound - 1
            && rules.numerals.ordinalJoints.contains(abbreviatedWord(before: start))
        let isListed = lastDateEnd > 0 && lastDateEnd == start - 2 && has(",", at: start - 2)
        // “an Heiligabend (24.12.)”
        let isBracketed =
            unit(start - 1) == 0x28 && has(")", at: monthEnd + 1) && rules.code == "de"
            && !rules.dates.partsPrecede.contains(lowercased(lastWord))
        let isFurther = isJoined || isListed || isBracketed
        guard isBehindDay || beginsSpan || isBehindShort || isFurther || rules.dates.dottedDaysFollow.contains(before),
            !isSecondOfParts(before, rules)
        else { return false }
        // “den 3.2. Abschnitt”
        guard !rules.dates.articles.contains(before) || !isName(at: monthEnd + 1) else { return false }
        let governing = isJoined ? lowercased(wordBeforeLast) : isListed ? lowercased(lastWord) : before
        let place = Numerals.Place(before: isBehindShort ? "vom" : governing, after: nextWord(from: monthEnd + 1))
        let end = isSentenceEnd(monthEnd + 1) && !isBracketed ? monthEnd : monthEnd + 1
        say(date: rules.dates.date(dayNumber, monthNumber, nil, place, monthFirst), for: start..<end)
        return true
    }

    /// Whether the number behind “bis” is that of a section.
    ///
    /// “Abschnitt 2.1. bis 3.4.” has two of them.
    private func isSecondOfParts(_ before: String, _ rules: LanguageRules) -> Bool {
        guard before == rules.signs.to, lastWord.lowerBound > 1 else { return false }
        if wordBeforeLast.upperBound == lastWord.lowerBound - 1,
            rules.dates.partsPrecede.contains(lowercased(wordBeforeLast))
        {
            return true
        }
        var index = lastWord.lowerBound
        guard unit(index - 1).isBlank else { return false }
        index -= 1
        guard lastDateEnd != index else { return false }
        if has(".", at: index - 1) { index -= 1 }
        guard lastDateEnd != index else { return false }
        let end = index
        while end - index < 4, unit(index - 1).isDigit { index -= 1 }
        return index < end && has(".", at: index - 1) && unit(index - 2).isDigit
    }

    /// A date whose month is a word after the day, as in “21 Nov 2026” and “21 de noviembre”.
    mutating func dateBeforeMonth(_ start: Int, _ rules: LanguageRules) -> Bool {
        let dates = rules.dates
        let dayEnd = digitsEnd(from: start)
        guard dates.readsDayBeforeMonth, dayEnd - start <= 2, let day = Int(text(start..<dayEnd)), day >= 1 else {
            return false
        }
        var index = ordinalEnd(after: dayEnd, rules)
        guard !dates.dayNeedsDot || index > dayEnd, unit(index).isBlank || unit(index) == 0x2D else { return false }
        let hasHyphen = unit(index) == 0x2D
        let dayRange = start..<index
        let afterDay = index + 1
        index = skipJoiner(from: afterDay, dates)
        let isJoined = index > afterDay
        let monthEnd = wordEnd(from: index)
        guard unit(index).isLetter, let month = dates.months[lowercased(index..<monthEnd)],
            isMonth(index..<monthEnd), Self.exists((day, month, 2_024))
        else { return false }
        let place = Numerals.Place(
            before: governorOfCase(governor(before: start, rules), of: index, rules),
            after: monthInCase(index..<monthEnd, rules)
        )
        // “30. novembril.” ends a sentence, and the month keeps its case.
        let keepsCase = rules.code == "et" && isFullName(index..<monthEnd, rules)
        let isShort = has(".", at: monthEnd) && !keepsCase
        if hasHyphen || isShort || !isFullName(index..<monthEnd, rules) {
            let end = isShort && !isSentenceEnd(monthEnd + 1) ? monthEnd + 1 : monthEnd
            // “4 nov. 2025” has “de” before its year, too.
            let year = skipBlanks(from: end)
            let hasYear =
                rules.code == "es" && year > end && digitsEnd(from: year) == year + 4
                && number(at: year, rules).isYearLike && countsNothing(before: year + 4, rules)
            let joint = hasYear ? " " + rules.dates.beforeYear : ""
            say(rules.dates.date(day, month, nil, place, false) + joint, for: start..<end)
        } else {
            if let words = dates.day(day, place, isJoined) { say(words, for: dayRange) }
            position = monthEnd
        }
        noteWord(index..<monthEnd)
        yearAfterDate(rules)
        return true
    }

    /// The month behind a day, as the word that decides the day's case; in Estonian a noun behind it may show that.
    private func monthInCase(_ month: Range<Int>, _ rules: LanguageRules) -> String {
        let word = lowercased(month)
        guard rules.code == "et" else { return word }
        // “1. juuni 2023 seisuga”
        let year = skipBlanks(from: month.upperBound)
        let end = digitsEnd(from: year) == year + 4 ? year + 4 : month.upperBound
        return EstonianNumbers.month(word, before: nextWord(from: end))
    }

    /// A date whose month is a word before the day, as in “November 21, 2026”.
    mutating func dateAfterMonth(_ month: Int, _ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let dates = rules.dates
        guard isMonth(word) else { return false }
        guard dates.readsDayAfterMonth else { return monthBeforeYear(month, word, rules) }
        let isShort = has(".", at: word.upperBound)
        // “Jan-15-2020”, but “Jan-15” may be of the year 2015.
        let hyphenated = digitsEnd(from: word.upperBound + 1)
        let hasHyphens =
            unit(word.upperBound) == 0x2D && hyphenated > word.upperBound + 1 && unit(hyphenated) == 0x2D
            && digitsEnd(from: hyphenated + 1) == hyphenated + 5
        let dayStart = hasHyphens ? word.upperBound + 1 : skipBlanks(from: word.upperBound + (isShort ? 1 : 0))
        let dayEnd = digitsEnd(from: dayStart)
        guard dayEnd > dayStart, dayStart > word.upperBound,
            !unit(dayEnd).isLetter || ordinalEnd(after: dayEnd, rules) > dayEnd
        else { return false }
        let hasFullName = isFullName(word, rules)
        if dayEnd - dayStart == 4 {
            guard isShort || !hasFullName else { return false }
            say(dates.name(month), for: word.lowerBound..<word.upperBound + (isShort ? 1 : 0))
            noteWord(word)
            yearAfterDate(rules)
            return true
        }
        guard dayEnd - dayStart <= 2, let day = Int(text(dayStart..<dayEnd)), Self.exists((day, month, 2_024)),
            !(unit(dayEnd) == 0x3A && unit(dayEnd + 1).isDigit)
        else { return false }
        if hasFullName, !hasHyphens {
            pass(word)
        } else {
            say(dates.name(month), for: word.lowerBound..<word.upperBound + (isShort || hasHyphens ? 1 : 0))
            noteWord(word)
        }
        let place = Numerals.Place(before: dates.name(month).lowercased())
        say(rules.numerals.ordinal(day, place), for: dayStart..<ordinalEnd(after: dayEnd, rules))
        lastNumberEnd = position
        secondDay(after: day, of: month, rules)
        yearAfterDate(rules)
        return true
    }

    /// A month that is cut short before its year.
    ///
    /// “Sept. 1998” and “dic. de 2020” have some.
    private mutating func monthBeforeYear(_ month: Int, _ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let (name, short) = (rules.dates.name(month), lowercased(word))
        // “Mai. 1998” has the whole name before its stop.
        guard has(".", at: word.upperBound), name.lowercased().hasPrefix(short), name.utf16.count > short.utf16.count
        else { return false }
        let year = skipJoiner(from: skipBlanks(from: word.upperBound + 1), rules.dates)
        guard year > word.upperBound + 1, unit(year).isDigit, number(at: year, rules).isYearLike else { return false }
        say(name, for: word.lowerBound..<word.upperBound + 1)
        noteWord(word)
        yearAfterDate(rules)
        return true
    }

    /// A month and a day without a year: in four digits, or behind the day of the week or “on”; and “9/11”.
    mutating func slashedDay(_ start: Int, _ rules: LanguageRules) -> Bool {
        if dayOfSpan(start, rules) { return true }
        let slash = digitsEnd(from: start)
        let end = digitsEnd(from: slash + 1)
        guard rules.dates.readsDayAfterMonth, slash - start <= 2, has("/", at: slash), (2...3).contains(end - slash),
            !unit(end).isLetterOrDigit, !has("/", at: end), !has("%", at: end), !unit(start - 1).isLetterOrDigit,
            !has("/", at: start - 1), let one = Int(text(start..<slash)), let two = Int(text(slash + 1..<end))
        else { return false }
        if rules.code == "en", one == 9 && two == 11 || one == 24 && two == 7 {
            say([one, two].map { rules.numerals.cardinal($0, nil) }.joined(separator: " "), for: start..<end)
            lastNumberEnd = end
            return true
        }
        let date = slashed(one, two, 2_024)
        let before = abbreviatedWord(before: start)
        // “He sat 3/4 of the day.”
        let isNamed =
            unit(lastWord.lowerBound).isUppercase
            && rules.dates.days.contains { $0.key == before || $0.value.lowercased() == before }
        let isWhole = end - start == 5 && (has("0", at: start) || has("0", at: slash + 1))
        // “by 12/31”, but “5/16 inch”, “3/4 of it” and “reduced by 1/20”
        let isDeadline =
            rules.code == "en" && Self.deadlinesFollow.contains(before) && max(one, two) > 12 && max(one, two) != 16
            && !(before == "by" && Self.changes.contains(wordBeforeName))
        guard Self.exists(date),
            isWhole || isNamed || (before == "on" || isDeadline || isDated(before)) && countsNothing(before: end, rules)
        else { return false }
        let place = Numerals.Place(before: before, after: nextWord(from: end))
        say(date: rules.dates.date(date.day, date.month, nil, place, monthFirst), for: start..<end)
        return true
    }

    private static let deadlinesFollow: Set<String> = ["before", "by", "due", "until"]

    /// English words that say by how much, not by when.
    private static let changes: Set<String> = [
        "bigger", "change", "changed", "cut", "decrease", "decreased", "decreasing", "differ", "differs", "divide",
        "divided", "dividing", "down", "dropped", "fall", "fallen", "fell", "grew", "grow", "grown", "higher",
        "increase", "increased", "increasing", "larger", "less", "longer", "lower", "lowered", "more", "multiplied",
        "multiply", "multiplying", "off", "raised", "reduce", "reduced", "reduces", "reducing", "rise", "risen",
        "rose", "scaled", "scaling", "shorter", "shrank", "shrink", "smaller", "taller", "thicker", "thinner", "up",
        "wider",
    ]

    /// A day and a month that begin or end a span in French or Spanish: “du 12/05 au 14/05”.
    private mutating func dayOfSpan(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard let joints = Self.jointsOfDays[rules.code], let (day, month, end) = slashedDayAndMonth(at: start) else {
            return false
        }
        let before = previousWord(before: start)
        let joint = skipBlanks(from: end)
        let begins =
            before == joints.first && word(at: joint) == joints.last
            && slashedDayAndMonth(at: skipBlanks(from: wordEnd(from: joint))) != nil
        let ends = before == joints.last && lastDateEnd > 0 && lastDateEnd == lastWord.lowerBound - 1
        // “jeu. 5/12” and “le 3/12 vers 2 h”, but “le 3/12 du budget”
        let weekday = abbreviatedWord(before: start)
        let hasStop = has(".", at: lastWord.upperBound)
        let isBehindDay =
            weekday.count > 2 && !isPartOfGames(behind: end)
            && rules.dates.days.contains { $0.value == weekday || hasStop && $0.key == weekday }
        // “le 1/4 et le reste”
        let next = nextWord(from: end)
        let mayBeFraction = day == 1 && month <= 5
        let isBehindArticle =
            (before == "le" || before == "el") && Self.wordsBehindDays.contains(next)
            && !(mayBeFraction && Self.wordsBehindFractions.contains(next))
        // “réunion du 12/11 :”, “facture du 3/11 d'un montant de 5 €”
        let mark = skipBlanks(from: end)
        let isBehindUntil = (before == "jusqu'au" || before == "jusqu’au") && !mayBeFraction
        let isBehindOf =
            (before == "du" || before == "del") && !mayBeFraction
            && (has(",", at: mark) || has(":", at: mark) || month > 10 || day > month
                || isSentenceEnd(has(".", at: mark) ? mark + 1 : mark))
        guard begins || ends || isBehindDay || isBehindArticle || isBehindOf || isBehindUntil else { return false }
        let place = Numerals.Place(before: before, after: nextWord(from: end))
        say(date: rules.dates.date(day, month, nil, place, monthFirst), for: start..<end)
        return true
    }

    /// Words behind a day in digits, where a fraction has a noun: “le 1/2 litre”; it may end a sentence, too.
    private static let wordsBehindDays: Set<String> = [
        "", "a", "dans", "en", "entre", "et", "para", "pour", "sobre", "sur", "vers", "y", "à",
    ]

    /// Those of them that stand behind a fraction, too.
    private static let wordsBehindFractions: Set<String> = ["", "dans", "en", "et", "sur", "y"]

    /// Whether a fraction is a round of games or a part of a day: “samedi 1/2 finale”, “dimanche 1/4 de finale”.
    private func isPartOfGames(behind end: Int) -> Bool {
        let next = nextWord(from: end)
        let noun = next == "de" ? nextWord(from: skipBlanks(from: end) + 2) : next
        return noun.hasPrefix("final") || noun == "journée" || noun == "jornada"
    }

    private static let jointsOfDays: [String: (first: String, last: String)] = [
        "es": ("del", "al"), "fr": ("du", "au"),
    ]

    private func slashedDayAndMonth(at start: Int) -> (day: Int, month: Int, end: Int)? {
        let slash = digitsEnd(from: start)
        let end = digitsEnd(from: slash + 1)
        guard (1...2).contains(slash - start), has("/", at: slash), (2...3).contains(end - slash), !has("/", at: end),
            !unit(end).isLetterOrDigit, let day = Int(text(start..<slash)), let month = Int(text(slash + 1..<end)),
            Self.exists((day, month, 2_024))
        else { return nil }
        return (day, month, end)
    }

    /// A month and its year in digits: on cards and packages, in spans, and behind words such as “since”.
    ///
    /// “Exp. 08/27”, “03/2015–06/2018” and “seit 08/2019” have some, “law 12/2011” is none.
    mutating func monthOfYear(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard let (month, year, end) = monthAndYear(at: start) else { return false }
        let before = abbreviatedWord(before: start)
        let endsThere = !before.isEmpty && isExpiry(before, rules)
        let isWhole = end > start + 5
        let dash = skipBlanks(from: end)
        let next = skipBlanks(from: dash + 1)
        let beginsSpan = isWhole && unit(dash).isDash && monthAndYear(at: next).map { $0.end > next + 5 } == true
        let endsSpan = isWhole && start > 0 && monthOfSpan == start
        let isPlaced = isWhole && Self.monthsFollow.contains(before) && !isShare(before, end, rules)
        guard endsThere || beginsSpan || endsSpan || isPlaced else { return false }
        let words = rules.numerals.year?(year) ?? rules.numerals.cardinal(year, nil)
        let joint = rules.dates.beforeYear.isEmpty ? "" : rules.dates.beforeYear + " "
        say("\(rules.dates.name(month)) \(joint)\(words)", for: start..<end)
        lastNumberEnd = end
        if beginsSpan {
            say(rules.signs.to, for: dash..<dash + 1)
            position = next
            monthOfSpan = next
        }
        return true
    }

    /// Whether two numbers with a slash are a share of what follows: “in 10/2000 patients”, “von 10/2000 Fällen”.
    private func isShare(_ before: String, _ end: Int, _ rules: LanguageRules) -> Bool {
        guard before == "in" || before == "von" else { return false }
        return rules.code == "de" ? isName(at: end) : !countsNothing(before: end, rules)
    }

    /// Whether the word before a month, perhaps with the one before that, says that something ends.
    private func isExpiry(_ before: String, _ rules: LanguageRules) -> Bool {
        let words = rules.dates.expiriesFollow
        if words.contains(before) || words.contains("\(wordBeforeName) \(before)") { return true }
        // “Exp. Date: 08/27”
        return before == "date" && lowercased(wordBeforeLast) == "exp"
    }

    /// Words before months in digits, in every language.
    private static let monthsFollow: Set<String> = [
        "ab", "bis", "depuis", "desde", "en", "from", "hasta", "im", "in", "seit", "since", "until", "von",
    ]

    /// Two digits for a month, and two or four for its year: “08/27”, “08/2027”.
    func monthAndYear(at start: Int) -> (month: Int, year: Int, end: Int)? {
        let slash = digitsEnd(from: start)
        let end = digitsEnd(from: slash + 1)
        let before = unit(start - 1)
        guard slash == start + 2, has("/", at: slash), end == slash + 3 || end == slash + 5,
            !unit(end).isLetterOrDigit, !has("/", at: end), !has("%", at: end), !before.isLetterOrDigit,
            before != 0x2E, before != 0x2F, let month = Int(text(start..<slash)), (1...12).contains(month),
            let year = Int(text(slash + 1..<end))
        else { return nil }
        if end == slash + 5 { return (1_900...2_099).contains(year) ? (month, year, end) : nil }
        // Nothing that is still in use ended long ago.
        return (15...69).contains(year) ? (month, 2_000 + year, end) : nil
    }

    /// Whether it may be a month: “May” but not “may”.
    func isMonth(_ word: Range<Int>) -> Bool {
        unit(word.lowerBound).isUppercase || rules?.dates.monthsAreLowercase == true
    }

    private func isFullName(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        word.count > 4 && lowercased(word) != "veebr" || rules.dates.fullShortNames.contains(lowercased(word))
    }

    /// The end of “st” or of the full stop after the digits of an ordinal.
    func ordinalEnd(after digits: Int, _ rules: LanguageRules) -> Int {
        if rules.numerals.isDottedOrdinal != nil { return has(".", at: digits) ? digits + 1 : digits }
        guard unit(digits).isLetter else { return digits }
        let end = wordEnd(from: digits)
        return rules.dates.dayEndings.contains(lowercased(digits..<end)) ? end : digits
    }

    private func skipJoiner(from index: Int, _ dates: DateWords) -> Int {
        guard !dates.joiners.isEmpty else { return index }
        let end = wordEnd(from: index)
        return dates.joiners.contains(lowercased(index..<end)) && unit(end).isBlank ? end + 1 : index
    }

    /// The year right after a date, where the language says years in their own way.
    private mutating func yearAfterDate(_ rules: LanguageRules) {
        var index = has(",", at: position) ? position + 1 : position
        index = skipJoiner(from: skipBlanks(from: unit(index) == 0x2D ? index + 1 : index), rules.dates)
        guard index > position, unit(index).isDigit, digitsEnd(from: index) - index == 4,
            let year = Int(text(index..<index + 4)), (1_001...2_099).contains(year),
            !unit(index + 4).isLetter, year >= 1_100 || countsNothing(before: index + 4, rules),
            let words = rules.numerals.year?(year)
        else { return }
        say(words, for: index..<index + 4)
        lastNumberEnd = index + 4
    }
}
