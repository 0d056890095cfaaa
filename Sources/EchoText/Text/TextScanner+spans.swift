/// Spans of days and months, and the signs of births and deaths.
extension TextScanner {
    /// The dash between two months or two days of the week, or before a day behind a month.
    ///
    /// “May–June”, “Montag–Freitag” and “5 Jan.–7 Feb.” have one.
    mutating func spanOfNames(_ sign: UInt16, at dash: Int, _ rules: LanguageRules) -> Bool {
        guard sign == 0x2D || sign == 0x2013, !lastWord.isEmpty,
            lastWord.upperBound == (has(".", at: dash - 1) ? dash - 1 : dash)
        else { return false }
        let (first, months) = (lowercased(lastWord), rules.dates.months)
        if sign == 0x2013, isDayWithMonth(at: dash + 1, rules), months[first] != nil, isMonth(lastWord) {
            say(rules.signs.to, for: dash..<dash + 1)
            return true
        }
        guard unit(dash + 1).isLetter else { return false }
        let next = dash + 1..<wordEnd(from: dash + 1)
        let last = lowercased(next)
        let areMonths = months[first] != nil && months[last] != nil && isMonth(lastWord) && isMonth(next)
        guard first != last, areMonths || isDayOfWeek(first, rules) && isDayOfWeek(last, rules) else { return false }
        say(rules.signs.to, for: dash..<dash + 1)
        return true
    }

    /// Whether a day and the name of its month begin here, as in “7 February”.
    private func isDayWithMonth(at start: Int, _ rules: LanguageRules) -> Bool {
        let digits = digitsEnd(from: start)
        guard (1...2).contains(digits - start) else { return false }
        let end = has(".", at: digits) ? digits + 1 : digits
        let name = skipBlanks(from: end)
        guard name > end, unit(name).isLetter else { return false }
        let month = name..<wordEnd(from: name)
        return rules.dates.months[lowercased(month)] != nil && isMonth(month)
    }

    /// The dash between two sizes of clothes: “S–XXL”, “Größen M-L”.
    ///
    /// Two single letters are sizes only behind a word for them, as “S–M” may be anything.
    mutating func sizes(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let dash = word.upperBound
        guard unit(dash) == 0x2D || unit(dash) == 0x2013, !unit(word.lowerBound - 1).isDash,
            let first = Self.sizesInOrder.firstIndex(of: text(word))
        else { return false }
        let other = dash + 1..<max(dash + 1, wordEnd(from: dash + 1))
        guard let last = Self.sizesInOrder.firstIndex(of: text(other)), first < last, !unit(other.upperBound).isDash,
            word.count + other.count > 2 || Self.wordsForSizes.contains(abbreviatedWord(before: word.lowerBound))
        else { return false }
        say(rules.signs.to, for: dash..<dash + 1)
        position = other.upperBound
        noteWord(word)
        noteWord(other)
        return true
    }

    private static let sizesInOrder = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL"]

    /// Words for sizes, in every language.
    private static let wordsForSizes: Set<String> = [
        "gr", "größe", "größen", "size", "sizes", "suurus", "suurused", "suuruses", "suurustes", "taille", "tailles",
        "talla", "tallas",
    ]

    /// The dash between two English ordinals in digits: “3rd–10th”.
    mutating func spanOfOrdinals(_ sign: UInt16, at dash: Int, _ rules: LanguageRules) -> Bool {
        let digits = digitsEnd(from: dash + 1)
        let ending = digits..<max(digits, wordEnd(from: digits))
        guard rules.code == "en", sign == 0x2D || sign == 0x2013, digits > dash + 1, !lastWord.isEmpty,
            lastWord.upperBound == dash, unit(lastWord.lowerBound - 1).isDigit,
            rules.dates.dayEndings.contains(lowercased(lastWord)), rules.dates.dayEndings.contains(lowercased(ending))
        else { return false }
        say(rules.signs.to, for: dash..<dash + 1)
        return true
    }

    /// The first of two English days before their month: “15–19 June”.
    mutating func firstDay(_ start: Int, _ rules: LanguageRules) -> Bool {
        let dash = digitsEnd(from: start)
        let last = digitsEnd(from: dash + 1)
        let name = last + 1..<max(last + 1, wordEnd(from: last + 1))
        let before = unit(start - 1)
        guard rules.code == "en", (1...2).contains(dash - start), unit(dash) == 0x2D || unit(dash) == 0x2013,
            (2...3).contains(last - dash), !has("0", at: start), !has("0", at: dash + 1), unit(last).isBlank,
            before.isSpace || before == 0x28, let first = Int(text(start..<dash)),
            let second = Int(text(dash + 1..<last)), first < second, unit(last + 1).isUppercase, isMonth(name),
            let month = rules.dates.months[lowercased(name)], Self.exists((second, month, 2_024)),
            !Self.numberedThings.contains(abbreviatedWord(before: start))
        else { return false }
        let words = rules.numerals.ordinal(first, Numerals.Place())
        // “the 15–19 June talks”, “our 15–19 June trip”, “Oslo’s 15–19 June fair”
        let owner = previousWord(before: start)
        let isDetermined =
            Self.determinersOfDays.contains(owner) || owner.hasSuffix("'s") || owner.hasSuffix("’s")
        say(isDetermined ? words : "the " + words, for: start..<dash)
        say(rules.signs.to, for: dash..<dash + 1)
        return true
    }

    /// Whether what was written on an English day stands before it: “your letter of 6/12”, “an email dated 6/12”.
    func isDated(_ before: String) -> Bool {
        rules?.code == "en" && (before == "dated" || before == "of" && Self.writings.contains(wordBeforeName))
    }

    private static let writings: Set<String> = [
        "email", "e-mail", "fax", "invoice", "letter", "letters", "memo", "message", "minutes", "note", "order",
    ]

    /// English words before days that have no article of their own.
    private static let determinersOfDays: Set<String> = [
        "a", "her", "his", "its", "last", "my", "next", "our", "that", "the", "their", "this", "your",
    ]

    /// English words before numbers of issues, pages and ages, which are no days.
    ///
    /// “Nos. 3–4 March 1990” and “Ages 5–7 May Enter” have some.
    private static let numberedThings: Set<String> = [
        "aged", "ages", "chapters", "figures", "grades", "issue", "issues", "no", "nos", "numbers", "p", "pages", "pp",
        "questions", "rooms", "steps", "tables", "vol", "vols", "volumes", "weeks",
    ]

    private func isDayOfWeek(_ word: String, _ rules: LanguageRules) -> Bool {
        rules.dates.days.contains { $0.value.lowercased() == word }
    }

    /// A second day behind a month and its first: “June 1-15, 2020”, “May 1 and 2”.
    mutating func secondDay(after day: Int, of month: Int, _ rules: LanguageRules) {
        let hasDash = unit(position) == 0x2D || unit(position) == 0x2013
        if hasDash, unit(position + 1).isUppercase, rules.dates.months[word(at: position + 1)] != nil {
            // “Aug. 5–Sept. 9”
            return say(rules.signs.to, for: position..<position + 1)
        }
        let start = hasDash ? position : skipBlanks(from: position)
        let joint = start..<(hasDash ? start + 1 : max(start, wordEnd(from: start)))
        guard hasDash || start > position && Self.jointsOfDayNumbers.contains(lowercased(joint)) else { return }
        let next = hasDash ? joint.upperBound : skipBlanks(from: joint.upperBound)
        let digits = digitsEnd(from: next)
        let end = ordinalEnd(after: digits, rules)
        let mark = unit(end)
        guard (1...2).contains(digits - next), let other = Int(text(next..<digits)), day < other,
            Self.exists((other, month, 2_024)), !mark.isLetterOrDigit, !mark.isDash, mark != 0x2F, mark != 0x25,
            !(mark == 0x3A || mark == 0x2E) || !unit(end + 1).isDigit
        else { return }
        // “May 1 to 5 people”, “May 5-7 pm”
        let after = nextWord(from: end)
        let isHour =
            ["am", "pm"].contains(after) || ["a", "p"].contains(after) && has(".", at: skipBlanks(from: end) + 1)
        let isCount = hasDash ? isHour : !countsNothing(before: end, rules)
        guard !isCount else { return }
        if hasDash { say(rules.signs.to, for: joint) } else { noteWord(joint) }
        say(rules.numerals.ordinal(other, Numerals.Place()), for: next..<end)
        lastNumberEnd = end
    }

    private static let jointsOfDayNumbers: Set<String> = ["and", "or", "through", "to"]

    /// A star or a dagger before a year, as biographies have them: “(* 1749 in Frankfurt; † 1832)”.
    mutating func birthOrDeath(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard sign == 0x2A || sign == 0x2020, let words = Self.birthsAndDeaths[rules.code] else { return false }
        let before = unit(unit(start - 1).isBlank ? start - 2 : start - 1)
        let number = skipBlanks(from: start + 1)
        let end = digitsEnd(from: number)
        let isBehindMark = before == 0x28 || before == 0x2C || before == 0x3B
        // “(*1984* is a novel)” has emphasis.
        // “† 2019 figures are estimates” is a note.
        let isNote = rules.code == "en" && isLineStart(start)
        let isSign =
            sign == 0x2020 ? !unit(start - 1).isLetterOrDigit && !isNote : isBehindMark && rules.code != "en"
        if isSign, rules.code == "de", isDayOfLife(at: number, rules) {
            // “(* 3. Mai 1801)”
            say("\(sign == 0x2A ? words.born : words.died) am", for: start..<start + 1)
            return true
        }
        guard isSign, end == number + 4, !unit(end).isLetterOrDigit, unit(end) != 0x2A,
            let year = Int(text(number..<end)), (1_000...2_099).contains(year)
        else { return false }
        let spoken = rules.numerals.year?(year) ?? rules.numerals.cardinal(year, nil)
        say("\(sign == 0x2A ? words.born : words.died) \(spoken)", for: start..<end)
        lastNumberEnd = end
        lastYearEnd = end
        return true
    }

    /// Whether a day, its month and a year begin here.
    ///
    /// “3. Mai 1801” and “03.05.1801” are some.
    private func isDayOfLife(at start: Int, _ rules: LanguageRules) -> Bool {
        let day = digitsEnd(from: start)
        guard (1...2).contains(day - start), has(".", at: day) else { return false }
        let month = skipBlanks(from: day + 1)
        let monthEnd = unit(month).isDigit ? digitsEnd(from: month) : wordEnd(from: month)
        let isMonth =
            unit(month).isDigit
            ? (1...2).contains(monthEnd - month) && has(".", at: monthEnd) : rules.dates.months[word(at: month)] != nil
        let year = skipBlanks(from: has(".", at: monthEnd) ? monthEnd + 1 : monthEnd)
        // “(*3. Mai 1801* ist kursiv)” has emphasis.
        return isMonth && digitsEnd(from: year) == year + 4 && unit(year + 4) != 0x2A
    }

    /// Whether the German sign of a birth or a death stands right before a day and was said.
    func isBehindSignOfLife(_ start: Int, _ rules: LanguageRules) -> Bool {
        let sign = unit(start - 1).isBlank ? start - 2 : start - 1
        guard rules.code == "de", has("*", at: sign) || unit(sign) == 0x2020, let last = output.last,
            last.range.upperBound == sign + 1
        else { return false }
        // A sign of emphasis is silent.
        if case .silent = last.content { return false }
        return true
    }

    private static let birthsAndDeaths: [String: (born: String, died: String)] = [
        "de": ("geboren", "gestorben"), "en": ("born", "died"), "es": ("nació en", "murió en"),
        "et": ("sündinud", "surnud"), "fr": ("né en", "mort en"),
    ]

    /// Two days of the week that are cut short with a word between.
    ///
    /// “Mo. bis Fr.” and “Sat. and Sun.” have “bis” and “and”.
    mutating func daysOfWeek(_ day: String, _ word: Range<Int>, upTo end: Int, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: end)
        // “Sat. & Sun.”
        let isSign = has("&", at: start)
        let joint = start..<(isSign ? start + 1 : max(start, wordEnd(from: start)))
        // “Sa. u. So.”
        let isShort = rules.code == "de" && lowercased(joint) == "u" && has(".", at: joint.upperBound)
        let next = skipBlanks(from: isShort ? joint.upperBound + 1 : joint.upperBound)
        let other = next..<max(next, wordEnd(from: next))
        let between = isShort ? "und" : isSign ? Self.wordsForAnd[rules.code] ?? "" : lowercased(joint)
        guard start > end, next > joint.upperBound, word.count > 1, other.count > 1,
            between == rules.signs.to || Self.jointsOfWeekdays.contains(between),
            let last = rules.dates.days[lowercased(other)], last != day,
            unit(word.lowerBound).isUppercase == unit(next).isUppercase,
            has(".", at: word.upperBound) && has(".", at: other.upperBound)
        else { return false }
        let stop = other.upperBound + 1
        let isLast = isSentenceEnd(stop) || isName(at: stop)
        say("\(day) \(between) \(last)", for: word.lowerBound..<(isLast ? other.upperBound : stop))
        noteWord(other)
        return true
    }

    private static let wordsForAnd = ["de": "und", "en": "and", "es": "y", "et": "ja", "fr": "et"]

    private static let jointsOfWeekdays: Set<String> = [
        "and", "au", "et", "ja", "oder", "or", "ou", "through", "und", "y",
    ]

    /// Whether it is the number of an Estonian house, from which a hyphen sets the flat apart: “Pikk tn 5-12”.
    func isHouse(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        rules.code == "et" && Self.streetsOfHouses.contains(abbreviatedWord(before: number.range.lowerBound))
    }

    /// Whether it is the number of a chapter, from which a hyphen sets that of its figure apart: “Table 4-1”.
    func isFigure(_ number: WrittenNumber, _ other: WrittenNumber) -> Bool {
        number.isPlainInteger && other.isPlainInteger && number.value >= other.value
            && Self.figures.contains(abbreviatedWord(before: number.range.lowerBound))
    }

    private static let figures: Set<String> = [
        "abb", "abbildung", "exhibit", "fig", "figs", "figura", "figure", "figures", "joon", "joonis", "tab", "tabel",
        "tabelle", "tabla", "table", "tableau",
    ]

    private static let streetsOfHouses: Set<String> = ["maantee", "mnt", "pst", "puiestee", "tn", "tänav"]

    /// Whether a day and a month in digits begin here, which both have a full stop: “6.1.”.
    func isDottedDay(at start: Int) -> Bool {
        let day = digitsEnd(from: start)
        guard (1...2).contains(day - start), has(".", at: day) else { return false }
        let month = skipBlanks(from: day + 1)
        let end = digitsEnd(from: month)
        return (1...2).contains(end - month) && has(".", at: end) && !unit(end + 1).isLetterOrDigit
    }

    /// Words before spans of sections and exercises, which are no days.
    static let wordsBeforeSections: Set<String> = [
        "aufgabe", "aufgaben", "beispiel", "beispiele", "siehe", "übung", "übungen", "vergleiche",
    ]

    /// Whether a word with a full stop before a number is no abbreviation, or not the one that it looks like.
    ///
    /// “nach der OP. 3 Stunden später”, “the co-op. 20 members”, “iPad Gen. 5” and “¿Vienes? No. 3 días son muchos.” have some.
    func isUnabbreviated(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        let number = skipBlanks(from: word.upperBound + 1)
        let end = min(digitsEnd(from: number), number + 4)
        guard (2...3).contains(word.count), end > number else { return false }
        switch key {
        case "op": return unit(word.lowerBound + 1).isUppercase || unit(word.lowerBound - 1).isDash
        case "gen", "rev": return rules.code == "en" && !(has(":", at: end) && unit(end + 1).isDigit)
        case "no" where rules.code == "es":
            let before = unit(word.lowerBound - 2)
            let isBehindWord = unit(word.lowerBound - 1).isBlank && (before.isLetterOrDigit || before == 0x2C)
            let next = nextWord(from: end)
            let isCounted = unit(skipBlanks(from: end)).isLowercase && next.count > 2 && next != "del"
            return !isBehindWord && isCounted
        default: return false
        }
    }
}
