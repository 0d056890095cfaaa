/// Amounts for one of something: “$99/night”, “10 mg/kg”, “2 %/an”, “pro m²”, “6.5 l/100 km”.
extension TextScanner {
    /// Says what an amount of money is for one of: “$99/night”, “0,30 €/kWh”.
    mutating func rate(_ rules: LanguageRules) {
        guard let (words, end) = one(behind: position, rules) else { return }
        say(words, for: position..<end)
        lastNumberEnd = position
    }

    /// The currency of prices of which none stands beside it: “prices in €/kg”.
    mutating func rate(signAt start: Int) -> Bool {
        // “$/bin” is a path.
        guard has("/", at: start + 1), let rules, unit(start) != 0x24, !unit(start - 1).isLetterOrDigit,
            let currency = rules.money.currencies[text(start..<start + 1)],
            let (words, end) = one(behind: start + 1, rules)
        else { return false }
        say(currency.major.many + words, for: start..<end)
        return true
    }

    /// Says what a percentage or a sum is for one of: “2 %/an”, “5%/yr”, “le PIB/hab.”.
    mutating func rate(of sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard Self.languagesOfChains.contains(rules.code) else { return false }
        let slash = sign == 0x25 ? start + 1 : start
        let noun = word(at: slash + 1)
        let isTime = Self.lengthsOfTime[rules.code]?.contains(noun) == true || rules.code == "en" && noun == "yr"
        // “2 camas/hab.” has rooms.
        // “1,20 € de taxe/pers.”
        let isPerson = noun == "pers" && rules.code == "fr" && unit(slash - 1).isLowercase
        let isHead =
            noun == "hab" && (rules.code == "fr" || rules.code == "es" && unit(slash - 1).isUppercase) || isPerson
        guard sign == 0x25 ? isTime : sign == 0x2F && isHead && unit(start - 1).isLetter,
            let (words, end) = one(behind: slash, rules)
        else { return false }
        say(words, for: slash..<end)
        return true
    }

    /// Says what an amount is for one of, whose currency is a word: “12 senti/kWh”, “8 Euro/m²”.
    mutating func rate(ofCoin word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        guard has("/", at: word.upperBound), Self.coins.contains(key), lastNumberEnd > 0,
            lastNumberEnd == word.lowerBound - 1, let (words, end) = one(behind: word.upperBound, rules)
        else { return false }
        pass(word)
        say(words, for: word.upperBound..<end)
        return true
    }

    /// Words for money behind numbers, in every language.
    static let coins: Set<String> = [
        "cent", "centime", "centimes", "cents", "céntimos", "dollar", "dollars", "dollarit", "dólares", "euro", "euros",
        "eurot", "franken", "krooni", "pounds", "senti",
    ]

    /// How often something is done in a length of time: “8/jour”, “3/day”.
    mutating func oftenness(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        guard number.isPlainInteger, has("/", at: slash), let times = Self.lengthsOfTime[rules.code],
            times.contains(word(at: slash + 1)), let (words, end) = one(behind: slash, rules)
        else { return false }
        // “Zimmer 3/Nacht”, “chapter 5/day 3”
        let before = abbreviatedWord(before: number.range.lowerBound)
        let isPlace =
            Self.placesInBooks.contains(before) || rules.numerals.roomsPrecede.contains(before)
            || rules.numerals.romanCardinalsFollow.contains(before)
        guard !isPlace || Self.wordsForTimes.contains(before), !unit(skipBlanks(from: end)).isDigit else {
            return false
        }
        pass(number: number.range)
        say(words, for: slash..<end)
        lastNumberEnd = position
        return true
    }

    /// The same behind a word for how often: “2 fois/jour”, “3 veces/día”.
    mutating func oftenness(of word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        let slash = word.upperBound
        guard has("/", at: slash), Self.wordsForTimes.contains(key), lastNumberEnd > 0,
            lastNumberEnd == word.lowerBound - 1,
            let times = Self.lengthsOfTime[rules.code], times.contains(self.word(at: slash + 1)),
            let (words, end) = one(behind: slash, rules)
        else { return false }
        pass(word)
        say(words, for: slash..<end)
        return true
    }

    private static let wordsForTimes: Set<String> = ["fois", "mal", "time", "times", "veces", "vez"]

    /// Nouns before their numbers, in every language, which count nothing.
    private static let placesInBooks: Set<String> = [
        "capítulo", "chambre", "chapitre", "chapter", "habitación", "kapitel", "lesson", "lk", "page", "peatükk",
        "raum",
        "seite", "sala", "tuba", "week", "zimmer",
    ]

    static let lengthsOfTime: [String: Set<String>] = [
        "de": ["jahr", "min", "minute", "monat", "nacht", "stunde", "tag", "woche"],
        "et": ["aasta", "kuu", "nädal", "päev", "tund", "ööpäev"],
        "en": ["day", "hour", "min", "minute", "month", "night", "second", "week", "year"],
        "es": ["año", "día", "hora", "mes", "min", "minuto", "noche", "semana"],
        "fr": ["an", "heure", "j", "jour", "min", "minute", "mois", "nuit", "sem", "semaine"],
    ]

    /// Says the slash between a measure and what it is for: “6.5 l/100 km”, “250 kcal/100 g”, “4 g/24 h”.
    mutating func perHundred(_ rules: LanguageRules) {
        guard let perUnit = rules.perUnit, has("/", at: position), unit(position + 1).isDigit else { return }
        let other = number(at: position + 1, rules)
        guard other.isPlainInteger, let whole = other.whole, let measured = unitAfter(other, rules) else { return }
        // “12 km/3 h” and “90 min/2 h” are two measures.
        var start = position
        while position - start < 4, unit(start - 1).isLetter { start -= 1 }
        let isLength =
            Self.languagesOfChains.contains(rules.code) && ["h", "hrs"].contains(text(measured.range))
            && !["h", "hrs", "km", "m", "mi", "min"].contains(text(start..<position))
        guard isLength || other.digits == "100" || other.digits == "1000" else { return }
        if rules.code == "et" {
            guard let words = perUnit(" " + EstonianNumbers.genitive(whole), measured.words.one) else { return }
            say(words, for: position..<measured.range.upperBound)
            lastNumberEnd = position
            return
        }
        guard let words = perUnit("", "") else { return }
        // “6,5 litres aux 100 kilomètres”
        let isRoad = rules.code == "fr" && text(measured.range) == "km"
        say(isRoad ? "aux" : words.filter { $0 != " " }, for: position..<position + 1)
    }

    /// A unit without a number that an amount is for one of: “pro m²”, “je kWh”, Estonian “kg kohta”.
    mutating func unitOfRate(_ rules: LanguageRules) -> Bool {
        // No other word is looked at twice.
        let isBehindEach = rules.code == "de" && (2...3).contains(lastWord.count)
        let mayBeUnit = has("c", at: position) || has("k", at: position) || has("m", at: position)
        let isBehindOther =
            !isBehindEach && mayBeUnit
            && Self.wordsBeforeOne[rules.code]?.contains(previousWord(before: position)) == true
        guard isBehindEach || isBehindOther || rules.code == "et" else { return false }
        let start = position
        var end = start
        while end - start < 6, Self.isUnitSign(unit(end)) { end += 1 }
        let raised = raisedUnit(start..<end, rules)
        let stop = raised == nil ? end : end + 1
        guard end > start, !unit(stop).isLetterOrDigit, unit(start - 1).isBlank else { return false }
        if rules.code == "et" {
            guard has("k", at: skipBlanks(from: stop)), nextWord(from: stop) == "kohta", lastNumberEnd != start - 1,
                let noun = raised?.one ?? rules.units[text(start..<end)]?.one,
                let words = EstonianNumbers.genitiveOfUnit(noun)
            else { return false }
            say(words, for: start..<stop)
        } else if isBehindOther {
            let sign = text(start..<stop)
            // “par min”, but “en el min. 90”, and “le mm jour” has “même”
            let isArticle = ["au", "el", "le"].contains(previousWord(before: start))
            guard Self.unitsOfOne.contains(sign), !isArticle || sign != "min" && sign != "mm",
                let noun = raised ?? rules.units[sign], !unit(stop).isDash
            else { return false }
            say(noun.one, for: start..<stop)
        } else {
            guard ["je", "pro"].contains(previousWord(before: start)), !unit(end).isDash,
                // “pro A” and “je K” are letters.
                end - start > 1 || unit(start).isLowercase, text(start..<end) != "PS",
                let noun = raised ?? rules.units[text(start..<end)]
            else { return false }
            let isStopped = has(".", at: stop) && (continues(from: stop + 1) || Self.isClauseMark(unit(stop + 1)))
            say(noun.one, for: start..<(isStopped ? stop + 1 : stop))
        }
        noteWord(start..<stop)
        return true
    }

    /// Words before a unit without a number: “3 € el kg”, “bactéries par mL”, “mg per kg”.
    private static let wordsBeforeOne: [String: Set<String>] = [
        "en": ["per"], "es": ["cada", "el", "por"], "fr": ["au", "chaque", "le", "par"],
    ]

    private static let unitsOfOne: Set<String> = [
        "cl", "cm", "cm²", "cm³", "kWh", "kg", "km", "km²", "mL", "mg", "min", "ml", "mm", "m²", "m³",
    ]

    /// Words for a slash and what an amount is for one of, and where that ends.
    private func one(behind slash: Int, _ rules: LanguageRules) -> (words: String, end: Int)? {
        guard let perUnit = rules.perUnit, has("/", at: slash), steps.contains(.units) else { return nil }
        var end = slash + 1
        while end - slash < 14, Self.isUnitSign(unit(end)), !has("/", at: end) { end += 1 }
        let raised = raisedUnit(slash + 1..<end, rules)
        if raised != nil { end += 1 }
        let written = text(slash + 1..<end)
        // “60 €/hab.” may be for a room.
        let isForRoom = rules.code == "es" && written == "hab" && !unit(slash - 1).isLetter
        guard end > slash + 1, !unit(end).isLetterOrDigit, !has("/", at: end),
            let noun = raised?.one ?? (isForRoom ? written : single(written[...], rules)),
            let words = perUnit("", noun)
        else { return nil }
        // “$1,850/mo. + utilities”
        let isBeforeSentence = has("(", at: end + 2) && unit(end + 3).isUppercase
        let isBeforeSign =
            unit(end + 1).isBlank && [0x26, 0x28, 0x2B, 0x3D].contains(unit(end + 2)) && !isBeforeSentence
        let isStopped =
            has(".", at: end) && (continues(from: end + 1) || Self.isClauseMark(unit(end + 1)) || isBeforeSign)
        return (words, isStopped ? end + 1 : end)
    }

    func ratio(_ written: String, _ rules: LanguageRules) -> CountedNoun? {
        guard let perUnit = rules.perUnit else { return nil }
        let parts = written.split(separator: "/", omittingEmptySubsequences: false)
        // “10 mg/kg/día”
        let isChain = parts.count == 3 && Self.languagesOfChains.contains(rules.code)
        guard parts.count == 2 || isChain, let above = rules.units[String(parts[0])],
            !rules.unitsThatAreWords.contains(String(parts[0])), let below = single(parts[1], rules),
            let one = perUnit(above.one, below), let many = perUnit(above.many, below)
        else {
            return nil
        }
        guard isChain else { return CountedNoun(one, many, above.gender) }
        guard let last = single(parts[2], rules), let longOne = perUnit(one, last),
            let longMany = perUnit(many, last)
        else { return nil }
        return CountedNoun(longOne, longMany, above.gender)
    }

    /// Languages whose measures may be for one of two things at once, and for lengths of time.
    private static let languagesOfChains: Set<String> = ["en", "es", "fr"]

    /// The thing that an amount is for one of: a unit, or a word as it stands (“500 mg/day”).
    private func single(_ written: Substring, _ rules: LanguageRules) -> String? {
        if let noun = Self.shortNouns[rules.code]?[String(written)] { return noun }
        if let unit = rules.units[String(written)] { return unit.one }
        let isWord =
            written.count > 2 && written.allSatisfy(\.isLetter) && written.dropFirst().allSatisfy(\.isLowercase)
            || rules.code == "fr" && written == "an"
        return isWord ? String(written) : nil
    }

    private static let shortNouns = [
        "es": ["hab": "habitante", "pers": "persona", "sem": "semana", "ud": "unidad"],
        "et": ["in": "inimene", "öö": "öö"],
        "fr": ["hab": "habitant", "j": "jour", "pers": "personne", "sem": "semaine"],
    ]
}
