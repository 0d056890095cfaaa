/// Digits that count nothing, as their form or the words around them show: versions, network addresses, rooms, postal codes,
/// emergency calls, rules, roads.
extension TextScanner {
    mutating func code(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let next = number.range.upperBound
        if longPostalCode(number, rules) { return true }
        guard !number.isGrouped, !unit(next).isLetterOrDigit, !(unit(next).isDash && unit(next + 1).isDigit) else {
            return false
        }
        let before = abbreviatedWord(before: number.range.lowerBound)
        guard !before.isEmpty, let words = codeWords(number, after: before, rules) else { return false }
        say(words, for: number.range)
        lastNumberEnd = next
        return true
    }

    /// A postal code with the four digits behind it: “CO 80202-1234”.
    private mutating func longPostalCode(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let (start, dash) = (number.range.lowerBound, number.range.upperBound)
        guard number.isPlainInteger, number.digits.count == 5, unit(dash) == 0x2D,
            digitsEnd(from: dash + 1) == dash + 5, !unit(dash + 5).isLetterOrDigit,
            rules.numerals.postalCodesFollow.contains(abbreviatedWord(before: start)), isAllCapitals(lastWord)
        else { return false }
        let parts = [number.digits, text(dash + 1..<dash + 5)].map { spelled($0, rules.numerals) }
        say(parts.joined(separator: ", "), for: start..<dash + 5)
        lastNumberEnd = position
        return true
    }

    private func codeWords(_ number: WrittenNumber, after before: String, _ rules: LanguageRules) -> String? {
        let numerals = rules.numerals
        guard number.decimals.isEmpty else {
            // “Version 10.15” comes after 10.9.
            guard numerals.versionsFollow.contains(before), number.decimals.count <= 3, number.decimals.first != "0",
                let whole = number.whole, let part = Int(number.decimals)
            else { return nil }
            return "\(numerals.cardinal(whole, nil)) \(rules.signs.point) \(numerals.cardinal(part, nil))"
        }
        switch number.digits.count {
        case 2 where numerals.romanCardinalsFollow.contains(before) && number.hasLeadingZero:
            // “Chapter 01”
            return number.whole.map { numerals.cardinal($0, nil) }
        case 8... where Self.namesOfCodes.contains(before):
            return spelled(number.digits, numerals)
        case 4
        where (numerals.roomsPrecede.contains(before) || isBehindAirline) && !number.hasLeadingZero:
            return number.whole.flatMap { numerals.year?($0) }
        case 5 where numerals.postalCodesFollow.contains(before) && isAllCapitals(lastWord):
            return spelled(number.digits, numerals)
        case 3
        where numerals.emergencyNumbers.contains(number.digits)
            && (numerals.callsPrecede.contains(before) || isOtherEmergencyNumber(after: before, numerals)):
            // “unter 110 km/h”, and in German “unter 112 Gästen”
            let isCount =
                unitAfter(number, rules) != nil || rules.code == "de" && isName(at: number.range.upperBound)
                || rules.code == "en" && isBeforePlural(number.range.upperBound)
            return isCount ? nil : spelled(number.digits, numerals)
        case 3 where rules.code == "de" && before == "die" && numerals.emergencyNumbers.contains(number.digits):
            // “Rufen Sie die 112 an.”
            let next = skipBlanks(from: number.range.upperBound)
            // “die 112 an Bord”
            let isPlace = word(at: next) == "an" && isName(at: next + 2)
            let isCalled = Self.wordsOfCalls.contains(word(at: next)) && !isPlace
            return isCalled ? spelled(number.digits, numerals) : nil
        default: return nil
        }
    }

    /// Whether the letters of an airline stand between the word for a flight and its number: “Flight UA 1183”.
    private var isBehindAirline: Bool {
        lastWord.count == 2 && isAllCapitals(lastWord) && wordBeforeName == "flight"
    }

    /// Whether an English noun in the plural follows, which is counted: “Dial 112 people”, but “Dial 112 as soon as you can”.
    private func isBeforePlural(_ end: Int) -> Bool {
        let next = skipBlanks(from: end)
        let noun = word(at: next)
        guard next > end, unit(next).isLowercase else { return false }
        return Self.pluralsWithoutS.contains(noun)
            || noun.utf16.count > 3 && noun.hasSuffix("s") && !noun.hasSuffix("ss") && !Self.noPlurals.contains(noun)
    }

    private static let pluralsWithoutS: Set<String> = ["children", "men", "people", "women"]

    private static let noPlurals: Set<String> = [
        "across", "afterwards", "always", "besides", "does", "hers", "includes", "means", "ours", "perhaps",
        "sometimes",
        "theirs", "this", "yours",
    ]

    /// Whether `before` joins a number to another one to call: “Dial 999 or 112”.
    private func isOtherEmergencyNumber(after before: String, _ numerals: Numerals) -> Bool {
        let first = lastNumberEnd - 3
        guard Self.choices.contains(before), first > 0, lastNumberEnd == lastWord.lowerBound - 1,
            numerals.emergencyNumbers.contains(text(first..<lastNumberEnd))
        else { return false }
        let end = first - 1
        var start = end
        while start > 0, unit(start - 1).isLetter { start -= 1 }
        return unit(end).isBlank && start < end && numerals.callsPrecede.contains(lowercased(start..<end))
    }

    private static let choices: Set<String> = ["oder", "or", "või"]

    private static let wordsOfCalls: Set<String> = [
        "an", "angerufen", "anrufen", "gewählt", "rief", "riefen", "rufen", "ruft", "wählen", "wählt", "wählte",
    ]

    /// Words before long digits that count nothing, in every language.
    private static let namesOfCodes: Set<String> = ["code", "ean", "isbn", "issn", "kood", "código"]

    private func isAllCapitals(_ word: Range<Int>) -> Bool { word.allSatisfy { units[$0].isUppercase } }

    /// Three or more numbers with full stops between: “2.0.1”, “192.168.0.1”.
    mutating func dottedDigits(_ start: Int, _ rules: LanguageRules) -> Bool {
        var parts: [String] = []
        var index = start
        while parts.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 6 else { return false }
            parts.append(text(index..<end))
            index = end
            guard has(".", at: end), unit(end + 1).isDigit else { break }
            index += 1
        }
        let isGrouped = rules.numerals.decimalMark == "," && parts.dropFirst().allSatisfy { $0.count == 3 }
        let isDate = parts.count == 3 && parts[2].count == 4 && parts[0].count <= 2
        guard parts.count >= 3, !isGrouped, !isDate, !unit(index).isLetterOrDigit else { return false }
        let lengths = parts.map(\.utf8.count)
        let arePairs = Self.arePairs(parts)
        if lengths == [3, 3, 4] || arePairs {
            // “321.434.5049” and “06.12.34.56.78”, which are telephone numbers
            let words = telephoneWords(parts, areNumbers: arePairs && rules.code == "fr", rules)
            say(words, for: start..<index)
            lastNumberEnd = index
            return true
        }
        if lengths[1...] == [3, 3], parts[2] == "000", parts[0].first != "0", let whole = Int(parts.joined()) {
            // “10.000.000”, which other languages write so
            say(rules.numerals.cardinal(whole, nil), for: start..<index)
            lastNumberEnd = index
            return true
        }
        let dot = rules.numerals.decimalMark == "." ? rules.signs.point : rules.signs.dot
        let words = parts.map { part in
            part.first == "0" || part.count > 4
                ? spelled(part, rules.numerals) : rules.numerals.cardinal(Int(part) ?? 0, nil)
        }
        say(words.joined(separator: " \(dot) "), for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// Numbers that name a rule: “the 10/20/30 rule”, “80/20-Regel”, “the 4-7-8 method”.
    ///
    /// Two of them are the name only if they are the shares of a hundred.
    mutating func numbersOfRule(_ start: Int, _ rules: LanguageRules) -> Bool {
        let mark = unit(digitsEnd(from: start))
        guard mark == 0x2F || mark == 0x2D, !unit(start - 1).isLetterOrDigit, unit(start - 1) != mark else {
            return false
        }
        var parts: [Int] = []
        var index = start
        while parts.count < 6 {
            let end = digitsEnd(from: index)
            // “9/11/01” is a date.
            guard (1...3).contains(end - index), end == index + 1 || !has("0", at: index),
                let part = Int(text(index..<end))
            else { return false }
            parts.append(part)
            index = end
            guard unit(end) == mark, unit(end + 1).isDigit else { break }
            index += 1
        }
        let numerals = rules.numerals
        let next = unit(index).isBlank || has("-", at: index) ? index + 1 : index
        // “la règle des 10/10/10”, but “les règles du 10/11/12”
        let before = previousWord(before: start)
        let name = before == "de" || before == "des" ? wordBeforeName : before
        // “Since 1/2/24 rules apply.”
        guard mark != 0x2F || parts.count != 3 || !Self.datesFollow.contains(before) else { return false }
        let isNamed =
            next > index && numerals.numbersOfRulesPrecede.contains(word(at: next))
            || numerals.numbersOfRulesFollow.contains(name) && !unit(index).isLetterOrDigit
        guard isNamed, parts.count > 2 || parts.count == 2 && parts[0] + parts[1] == 100 else { return false }
        say(parts.map { numerals.cardinal($0, nil) }.joined(separator: " "), for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// Words before dates rather than before the names of rules, in every language.
    private static let datesFollow: Set<String> = [
        "ab", "after", "am", "before", "bis", "by", "dated", "desde", "from", "hasta", "on", "seit", "since", "till",
        "until", "vom",
    ]

    /// A state whose letters are a word, before a postal code: “Salem, OR 97301”.
    mutating func state(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let digits = word.upperBound + 1
        let end = digitsEnd(from: digits)
        guard rules.code == "en", word.count == 2, let name = Self.statesLikeWords[text(word)],
            unit(digits - 1).isBlank,
            end == digits + 5, has(",", at: word.lowerBound - 2), countsNothing(before: end, rules)
        else { return false }
        say(name, for: word)
        noteWord(word)
        return true
    }

    private static let statesLikeWords = [
        "AL": "Alabama", "DE": "Delaware", "HI": "Hawaii", "ID": "Idaho", "IN": "Indiana", "LA": "Louisiana",
        "MA": "Massachusetts", "ME": "Maine", "MO": "Missouri", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon",
        "PA": "Pennsylvania",
    ]

    // MARK: Roads

    /// A British road of three or four digits, which are said one by one: “along the B3210”, “leave the A303 at Amesbury”.
    ///
    /// “the A100” is a hundred, and “on the A321” and “the B737” are airplanes. What stands around it has to show that it is a
    /// road, since devices and forms have such names, too.
    mutating func britishRoad(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let start = word.lowerBound
        let digits = start + 1..<word.upperBound
        guard rules.code == "en", has("A", at: start) || has("B", at: start), (3...4).contains(digits.count),
            digitsEnd(from: digits.lowerBound) == digits.upperBound, !has("0", at: digits.lowerBound),
            previousWord(before: start) == "the", Self.wordsBeforeRoads.contains(wordBeforeName)
        else { return false }
        let number = text(digits)
        guard !number.hasSuffix("00"), !Self.airplanes.contains(number), isRoad(before: word.upperBound) else {
            return false
        }
        let spoken = number.map { $0 == "0" ? "oh" : spelled(String($0), rules.numerals) }.joined(separator: " ")
        say("\(text(start..<start + 1)) \(spoken)", for: word)
        noteWord(word)
        return true
    }

    /// Whether nothing follows that may be named like a road: the end of a clause, or a word for where it goes.
    private func isRoad(before end: Int) -> Bool {
        unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end)) && !unit(end + 1).isDigit
            || Self.wordsBehindRoads.contains(nextWord(from: end))
    }

    private static let wordsBeforeRoads: Set<String> = [
        "along", "cross", "crossed", "crosses", "down", "follow", "followed", "follows", "join", "joined", "joins",
        "leave", "left", "off", "on", "onto", "take", "took", "up",
    ]

    private static let wordsBehindRoads: Set<String> = [
        "and", "at", "between", "eastbound", "from", "near", "northbound", "or", "past", "southbound", "through", "to",
        "towards", "westbound",
    ]

    /// The numbers of airplanes that begin with the same letters: “A321”, “B737”.
    private static let airplanes: Set<String> = [
        "220", "310", "318", "319", "320", "321", "330", "340", "350", "380", "707", "717", "727", "737", "747", "757",
        "767", "777", "787",
    ]
}
