extension TextScanner {
    /// The unit of measure right after `number`, at most one space away.
    func unitAfter(_ number: WrittenNumber, _ rules: LanguageRules) -> (words: CountedNoun, range: Range<Int>)? {
        let start = skipBlanks(from: number.range.upperBound)
        guard !rules.units.isEmpty, Self.isUnitSign(unit(start)) else { return nil }
        var end = start
        while end - start < 12, Self.isUnitSign(unit(end)) {
            end += 1
        }
        // “-2°C/36°F”
        if end > start, has("/", at: end - 1), unit(end).isDigit { end -= 1 }
        // “35 N·m”
        if unit(end) == 0xB7, end > start, has("N", at: end - 1), has("m", at: end + 1) { end += 2 }
        // “180 °C/gas mark 4”
        if unit(start) == 0xB0, let slash = (start..<end).first(where: { has("/", at: $0) }),
            Self.heats.contains(lowercased(slash + 1..<end))
        {
            end = slash
        }
        if let raised = raisedUnit(start..<end, rules) { return (raised, start..<end + 1) }
        // “3 millions l'an” has no litres.
        let isElided = (unit(end) == 0x27 || unit(end) == 0x2019) && unit(end + 1).isLetter
        guard !unit(end).isLetterOrDigit, !isElided else { return nil }
        // “5-4 t.a.b.” has no tonnes.
        if has(".", at: end), unit(end + 1).isLetter, has(".", at: end + 2) { return nil }
        // “ft.” in the middle of a sentence
        let isStopped = has(".", at: end) && (continues(from: end + 1) || Self.isClauseMark(unit(end + 1)))
        let stop = isStopped ? end + 1 : end
        let written = text(start..<end).filter { $0 != "·" }
        // “F-16s” and “Boeing 737s” last no seconds.
        if written == "s", rules.code == "en", start == number.range.upperBound, isModel(number) { return nil }
        // “El pedido 48213 ha salido” has no hectares.
        if written == "ha", rules.code == "es", isVerb(start..<end, behind: number) { return nil }
        // “5. mail 2026 kl 9” has no glasses.
        if written == "kl", unit(skipBlanks(from: stop)).isDigit { return nil }
        // “3′ 20″” is a time or an angle where no feet are known.
        if written == "″", rules.units["ft"] == nil {
            let mark = unit(number.range.lowerBound - (unit(number.range.lowerBound - 1).isBlank ? 2 : 1))
            if mark == 0x2032 || mark == 0x27 || mark == 0x2019 { return nil }
        }
        // “5ft 11in striker”, but “6 ft 2 in the photo”
        let feet = number.range.lowerBound - 3
        let isGlued = start == number.range.upperBound
        let isBehindFeet =
            written == "in" && has("f", at: feet) && has("t", at: feet + 1) && unit(feet + 2).isBlank
            && (isGlued || isExtent(at: skipBlanks(from: end)))
        if rules.unitsThatAreWords.contains(written), !isBehindFeet {
            let isWord = unit(skipBlanks(from: end)).isLetterOrDigit || !isStopped && isName(at: end + 1)
            if isWord { return nil }
        }
        if ["fl", "sq"].contains(written), let square = rules.units[written],
            let (noun, range) = unitAfter(WrittenNumber(plain: start..<stop, ""), rules)
        {
            let words = CountedNoun("\(square.one) \(noun.one)", "\(square.many) \(noun.many)", noun.gender)
            return (words, start..<range.upperBound)
        }
        // “fl. 1800” has no fluid.
        if written == "fl" { return nil }
        // “3 t 12 min” has hours.
        if written == "t", rules.code == "et", let hours = rules.units["h"] {
            let minutes = skipBlanks(from: stop)
            let minutesEnd = digitsEnd(from: minutes)
            if (1...2).contains(minutesEnd - minutes), nextWord(from: minutesEnd).hasPrefix("min") {
                return (hours, start..<stop)
            }
        }
        // “ab 10 h” is a time of day, “um 3 h” and “ab 10 h pro Woche” are none.
        if written == "h", rules.code == "de", number.isPlainInteger, (number.whole ?? 25) <= 24,
            ["ab", "gegen", "gg"].contains(abbreviatedWord(before: number.range.lowerBound)),
            !["je", "pro", "täglich", "wöchentlich"].contains(nextWord(from: stop))
        {
            return (CountedNoun("Uhr", "Uhr"), start..<stop)
        }
        // “Er starb mit 50 J.”
        if written == "J", has(".", at: end), rules.code == "de", (number.whole ?? 1_000) <= 120,
            ["ab", "mit", "nach", "seit", "unter", "vor"].contains(previousWord(before: number.range.lowerBound))
        {
            return (CountedNoun("Jahr", "Jahren", .neuter), start..<stop)
        }
        // “20 J. alt”, but “1997 J. Becker”
        if written == "J", isStopped, rules.code == "de" {
            guard !number.isYearLike || !isName(at: stop) else { return nil }
            let isDative = GermanNumbers.lengthsInDativeFollow.contains(previousWord(before: number.range.lowerBound))
            return (CountedNoun("Jahr", isDative ? "Jahren" : "Jahre", .neuter), start..<stop)
        }
        if let noun = rules.units[written] { return (noun, start..<stop) }
        return ratio(written, rules).map { ($0, start..<stop) }
    }

    /// Whether “ha” is the Spanish verb, as a participle behind it shows: “el 48213 ha salido”, but “de 85 ha situado”.
    private func isVerb(_ sign: Range<Int>, behind number: WrittenNumber) -> Bool {
        let next = nextWord(from: sign.upperBound)
        let isParticiple =
            next.hasSuffix("ado") || next.hasSuffix("ido") || next.hasSuffix("ído") || Self.participles.contains(next)
        guard isParticiple, number.isPlainInteger, unit(sign.lowerBound - 1).isBlank else { return false }
        let isYear = number.isYearLike && (number.whole ?? 0) >= 1_900
        let start = number.range.lowerBound
        return isYear || !unit(start - 1).isDash && !Self.wordsBeforeAreas.contains(previousWord(before: start))
    }

    /// Spanish participles with endings of their own.
    private static let participles: Set<String> = [
        "abierto", "cubierto", "descrito", "descubierto", "devuelto", "dicho", "escrito", "hecho", "impreso", "muerto",
        "propuesto", "puesto", "resuelto", "roto", "visto", "vuelto",
    ]
    /// Spanish words before the number of an area.
    private static let wordsBeforeAreas: Set<String> = [
        "a", "abarca", "apenas", "aproximadamente", "casi", "con", "cubre", "de", "entre", "finca", "hasta", "mide",
        "o", "ocupa", "otras", "parcela", "rústica", "rústico", "sobre", "solar", "terreno", "tiene", "unas", "y",
    ]

    /// Whether an English word for height or width comes next, and no noun of it: “tall”, but “high school”.
    private func isExtent(at start: Int) -> Bool {
        guard ["deep", "high", "long", "tall", "wide"].contains(word(at: start)) else { return false }
        let next = nextWord(from: wordEnd(from: start))
        return next.isEmpty || ["and", "at", "but", "by", "in", "or", "when", "with"].contains(next)
    }

    /// Words for the heat of an oven, in every language.
    private static let heats: Set<String> = ["fan", "gas", "ober", "thermostat", "umluft"]

    /// Whether a number is that of a kind of airplane or another machine, as a capital letter or a name before it shows.
    private func isModel(_ number: WrittenNumber) -> Bool {
        let start = number.range.lowerBound
        if unit(start - 1).isDash, unit(start - 2).isUppercase { return true }
        let name = previousWord(before: start)
        // “Timeout 300s”
        let isRound = number.digits.hasSuffix("0") && name != "airbus"
        return number.isPlainInteger && number.digits.count == 3 && !isRound && !name.isEmpty
            && unit(lastWord.lowerBound).isUppercase && !SentenceOpeners.contains(name, language: "en")
    }

    /// Whether a word in lower case or a number follows, or in German a noun.
    private func continues(from index: Int) -> Bool {
        guard unit(index).isBlank else { return false }
        let isNoun =
            rules?.code == "de" && unit(index + 1).isUppercase && unit(index + 2).isLowercase
            && !SentenceOpeners.contains(word(at: index + 1), language: "de")
        return unit(index + 1).isLowercase || unit(index + 1).isDigit || isNoun
    }

    private static func isClauseMark(_ unit: UInt16) -> Bool {
        unit == 0x2C || unit == 0x3B || unit == 0x3A || unit == 0x29
    }

    private static func isUnitSign(_ unit: UInt16) -> Bool {
        switch unit {
        case 0xB0, 0xB2, 0xB3, 0xB5, 0x2F, 0x2032, 0x2033: true
        default: unit.isLetter
        }
    }

    private func ratio(_ written: String, _ rules: LanguageRules) -> CountedNoun? {
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
        "es": ["hab": "habitante", "pers": "persona", "sem": "semana", "ud": "unidad"], "et": ["in": "inimene"],
        "fr": ["hab": "habitant", "j": "jour", "pers": "personne", "sem": "semaine"],
    ]

    /// Says what an amount of money is for one of: “$99/night”, “0,30 €/kWh”.
    mutating func rate(_ rules: LanguageRules) {
        guard let (words, end) = one(behind: position, rules) else { return }
        say(words, for: position..<end)
        lastNumberEnd = position
    }

    /// The currency of Spanish millions, whose sign stands behind “de”.
    mutating func currencyOfMillions(signAt start: Int) -> Bool {
        guard let rules, rules.code == "es", unit(start - 1).isBlank, previousWord(before: start) == "de",
            Self.millionsBeforeSigns.contains(lowercased(wordBeforeLast)), !unit(start + 1).isLetterOrDigit,
            let currency = rules.money.currencies[text(start..<start + 1)]
        else { return false }
        say(currency.major.many, for: start..<start + 1)
        return true
    }

    private static let millionsBeforeSigns: Set<String> = [
        "bill", "billones", "billón", "m", "mill", "millones", "millón",
    ]

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

    /// A unit without a number that an amount is for one of: “pro m²”, “je kWh”, Estonian “kg kohta”.
    mutating func unitOfRate(_ rules: LanguageRules) -> Bool {
        // No other word is looked at twice.
        let isBehindEach = rules.code == "de" && (2...3).contains(lastWord.count)
        guard isBehindEach || rules.code == "et" else { return false }
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

    /// The unit of an area or a volume that has its figure beside it: “120 m2”, “5 km2”.
    private func raisedUnit(_ letters: Range<Int>, _ rules: LanguageRules) -> CountedNoun? {
        let figure = letters.upperBound
        guard !letters.isEmpty, !has("/", at: figure + 1), has("2", at: figure) || has("3", at: figure),
            !unit(figure + 1).isLetterOrDigit,
            !(has(".", at: figure + 1) || has(",", at: figure + 1)) || !unit(figure + 2).isDigit
        else { return nil }
        return rules.units[text(letters) + (has("2", at: figure) ? "²" : "³")]
    }

    /// Measures and counts that are cut short, and the points of the compass, which look like measures.
    mutating func measure(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        degreesAndTenth(number, rules) || spoons(behind: number, rules) || repeated(number, rules)
            || multiple(number, rules)
            || compassPoint(behind: number, rules)
            || shillings(number, rules)
            || scaleOfCount(number, rules)
            || roundCount(number, rules) || minutesBehindHours(number, rules)
            || hyphenatedUnit(number, rules) || oftenness(number, rules) || unit(after: number, rules)
    }

    /// The point of the compass in an address or behind a road's number: “350 W 42nd Street”, “I-95 N”.
    private mutating func compassPoint(behind number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let letter = number.range.upperBound + 1
        guard rules.code == "en", number.isPlainInteger, unit(letter - 1).isBlank, !unit(letter + 1).isLetterOrDigit,
            let direction = Unicode.Scalar(unit(letter)).flatMap({ rules.directions[$0] })
        else { return false }
        let start = number.range.lowerBound
        let isRoad =
            unit(start - 1).isDash && unit(start - 2).isUppercase
            || Self.roads.contains(previousWord(before: start))
        let hasStop = has(".", at: letter + 1)
        let next = skipBlanks(from: hasStop ? letter + 2 : letter + 1)
        guard isRoad || next > letter + 1 && isStreet(at: next, rules) else { return false }
        pass(number: number.range)
        say(direction, for: letter..<(hasStop && !isRoad ? letter + 2 : letter + 1))
        return true
    }

    private static let roads: Set<String> = ["highway", "hwy", "interstate", "route", "us"]

    /// Whether the name of a street begins here: “42nd St.”, “Main Street”.
    private func isStreet(at start: Int, _ rules: LanguageRules) -> Bool {
        if unit(start).isDigit { return rules.dates.dayEndings.contains(word(at: digitsEnd(from: start))) }
        return unit(start).isUppercase && Self.streets.contains(nextWord(from: wordEnd(from: start)))
    }

    private static let streets: Set<String> = [
        "ave", "avenue", "blvd", "boulevard", "court", "ct", "dr", "drive", "lane", "ln", "parkway", "pkwy", "place",
        "pl", "rd", "road", "st", "street", "way",
    ]

    /// Old British money: “3s 6d”.
    private mutating func shillings(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        guard rules.code == "en", number.isPlainInteger, number.digits.count <= 2, has("s", at: sign),
            !unit(sign + 1).isLetterOrDigit
        else { return false }
        let pence = skipBlanks(from: has(".", at: sign + 1) ? sign + 2 : sign + 1)
        let end = digitsEnd(from: pence)
        guard pence > sign + 1, (1...2).contains(end - pence), has("d", at: end), !unit(end + 1).isLetterOrDigit else {
            return false
        }
        pass(number: number.range)
        say(number.digits == "1" ? " shilling and " : " shillings and ", for: sign..<pence)
        position = end
        let hasStop = has(".", at: end + 1) && !isSentenceEnd(end + 2) && !isName(at: end + 2)
        say(text(pence..<end) == "1" ? " penny" : " pence", for: end..<(hasStop ? end + 2 : end + 1))
        lastNumberEnd = position
        return true
    }

    /// Thousands and more that are counted: “2.5m copies”, “1.2bn people”.
    private mutating func scaleOfCount(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        if millionsOf(number, rules) { return true }
        guard rules.code == "en" else { return false }
        let start = skipBlanks(from: number.range.upperBound)
        let letters = start..<max(start, wordEnd(from: start))
        guard (1...2).contains(letters.count), let scale = rules.money.scales[text(letters)] else { return false }
        let isGlued = start == number.range.upperBound
        let isSure = letters.count == 2 && (has("b", at: start) || has("t", at: start))
        guard isSure || isGlued && Self.countedInMillions.contains(nextWord(from: letters.upperBound)) else {
            return false
        }
        pass(number: number.range)
        say(isGlued ? " " + scale.many : scale.many, for: letters)
        lastNumberEnd = position
        // “24bn km”
        _ = unit(after: WrittenNumber(letters, whole: "2", decimals: ""), rules)
        return true
    }

    /// Millions and more before “of” in French and Spanish: “1,2 M de visiteurs”, “9 Mds d'euros”.
    private mutating func millionsOf(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: number.range.upperBound)
        let letters = start..<max(start, wordEnd(from: start))
        guard rules.code == "es" || rules.code == "fr", has("M", at: start), letters.count <= 3,
            let scale = rules.money.scales[text(letters)], unit(letters.upperBound).isBlank
        else { return false }
        let next = nextWord(from: letters.upperBound)
        guard next == "de" || next.hasPrefix("d'") || next.hasPrefix("d’") else { return false }
        let isGlued = start == number.range.upperBound
        pass(number: number.range)
        let word = rules.numerals.isOne(number.value) ? scale.one : scale.many
        say(isGlued ? " " + word : word, for: letters)
        lastNumberEnd = position
        return true
    }

    /// How often something is done in a length of time: “8/jour”, “3/day”.
    private mutating func oftenness(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let slash = number.range.upperBound
        guard number.isPlainInteger, has("/", at: slash), let times = Self.lengthsOfTime[rules.code],
            times.contains(word(at: slash + 1)), let (words, end) = one(behind: slash, rules)
        else { return false }
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

    /// Says what a percentage or a sum is for one of: “2 %/an”, “5%/yr”, “le PIB/hab.”.
    mutating func rate(of sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard Self.languagesOfChains.contains(rules.code) else { return false }
        let slash = sign == 0x25 ? start + 1 : start
        let noun = word(at: slash + 1)
        let isTime = Self.lengthsOfTime[rules.code]?.contains(noun) == true || rules.code == "en" && noun == "yr"
        // “2 camas/hab.” has rooms.
        let isHead = noun == "hab" && (rules.code == "fr" || rules.code == "es" && unit(slash - 1).isUppercase)
        guard sign == 0x25 ? isTime : sign == 0x2F && isHead && unit(start - 1).isLetter,
            let (words, end) = one(behind: slash, rules)
        else { return false }
        say(words, for: slash..<end)
        return true
    }

    /// Degrees with a tenth behind their sign, as French has them: “37°2”, “38°5 de fièvre”.
    private mutating func degreesAndTenth(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        guard rules.code == "fr", number.isPlainInteger, let degree = rules.units["°"], unit(sign) == 0xB0,
            unit(sign + 1).isDigit,
            unit(sign + 2).isSpace || Self.isClauseMark(unit(sign + 2)) || has(".", at: sign + 2)
        else { return false }
        pass(number: number.range)
        say(rules.numerals.isOne(number.value) ? degree.one : degree.many, for: sign..<sign + 1)
        pass(number: sign + 1..<sign + 2)
        return true
    }

    private static let wordsForTimes: Set<String> = ["fois", "mal", "time", "times", "veces", "vez"]

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
    private static let coins: Set<String> = [
        "cent", "centime", "centimes", "cents", "céntimos", "dollar", "dollars", "dollarit", "dólares", "euro", "euros",
        "eurot", "franken", "krooni", "pounds", "senti",
    ]

    static let lengthsOfTime: [String: Set<String>] = [
        "de": ["jahr", "min", "minute", "monat", "nacht", "stunde", "tag", "woche"],
        "et": ["aasta", "kuu", "nädal", "päev", "tund", "ööpäev"],
        "en": ["day", "hour", "min", "minute", "month", "night", "second", "week", "year"],
        "es": ["año", "día", "hora", "mes", "min", "minuto", "noche", "semana"],
        "fr": ["an", "heure", "j", "jour", "min", "minute", "mois", "nuit", "sem", "semaine"],
    ]

    /// The minutes in “22h 30m”, which are no metres.
    private mutating func minutesBehindHours(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        let start = number.range.lowerBound
        let hour = unit(start - 1).isBlank ? start - 2 : start - 1
        guard has("m", at: sign), !unit(sign + 1).isLetterOrDigit, number.isPlainInteger, has("h", at: hour),
            unit(hour - 1).isDigit, let noun = rules.units["min"]
        else { return false }
        pass(number: number.range)
        say(rules.numerals.isOne(number.value) ? noun.one : noun.many, for: sign..<sign + 1)
        lastNumberEnd = position
        return true
    }

    private static let countedInMillions: Set<String> = [
        "accounts", "adults", "americans", "barrels", "britons", "cars", "children", "copies", "customers", "deaths",
        "doses", "downloads", "europeans", "fans", "followers", "homes", "households", "jobs", "listeners", "members",
        "passengers", "patients", "people", "players", "pupils", "readers", "refugees", "residents", "shares",
        "streams", "students", "subscribers", "tests", "tonnes", "tourists", "units", "users", "viewers", "views",
        "visitors", "voters", "votes", "women", "workers",
    ]

    /// “100s of people” and “1,000s of them”, which are no seconds.
    private mutating func roundCount(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let letter = number.range.upperBound
        guard rules.code == "en", number.decimals.isEmpty, has("s", at: letter),
            let words = Self.roundCounts[number.digits], nextWord(from: letter + 1) == "of"
        else { return false }
        say(words, for: number.range.lowerBound..<letter + 1)
        lastNumberEnd = position
        return true
    }

    private static let roundCounts = ["10": "tens", "100": "hundreds", "1000": "thousands"]

    /// A measure before a noun: “a 6-ft fence”, “ein 100-m-Lauf”.
    private mutating func hyphenatedUnit(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let dash = number.range.upperBound
        let before = unit(number.range.lowerBound - 1)
        let isRange = before.isDash && unit(number.range.lowerBound - 2).isDigit
        guard unit(dash) == 0x2D || unit(dash) == 0x2011, !number.hasLeadingZero,
            isRange || !before.isLetterOrDigit && !before.isDash
        else { return false }
        let start = dash + 1
        var end = start
        while end - start < 5, unit(end).isLetter { end += 1 }
        let written = text(start..<end)
        guard end > start, !unit(end).isLetterOrDigit, let noun = rules.units[written] else { return false }
        switch rules.code {
        case "de":
            guard unit(end) == unit(dash), unit(end + 1).isUppercase else { return false }
            pass(number: number.range)
            say(noun.many, for: start..<end)
        case "en":
            // “a 2-pt lead” is no pint, and “3-in-1” no inch.
            let hasStop = has(".", at: end) && (continues(from: end + 1) || Self.isClauseMark(unit(end + 1)))
            let isClear = end - start > 1 ? written != "pt" : ["m", "g", "L"].contains(written)
            guard isClear, written != "in" || hasStop, hasStop || !has(".", at: end) else { return false }
            pass(number: number.range)
            say(noun.one, for: start..<(hasStop ? end + 1 : end))
        default: return false
        }
        lastNumberEnd = position
        return true
    }

    /// The gender a number takes from its unit, if that is said in words.
    func unitGender(after number: WrittenNumber, _ rules: LanguageRules) -> CountedNoun.Gender? {
        steps.contains(.units) ? unitAfter(number, rules)?.words.gender : nil
    }

    /// Says the unit after `number`; the number itself stays as it is unless it has to agree.
    mutating func unit(after number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let (noun, range) = unitAfter(number, rules) else { return false }
        let numerals = rules.numerals
        if position <= number.range.lowerBound {
            if number.isPlainInteger, let whole = number.whole, !number.hasLeadingZero,
                numerals.cardinal(whole, noun.gender) != numerals.cardinal(whole, nil)
            {
                say(
                    oneInCase(number, noun.gender, rules) ?? numerals.cardinal(whole, noun.gender),
                    for: number.range
                )
            } else {
                pass(number: number.range)
            }
        }
        let count = number.decimals.isEmpty ? number.whole ?? 0 : 0
        let isOne = numerals.isOne(number.value) || isAttribute(number, range, rules)
        say(isOne ? noun.one : many(noun.many, of: count, rules), for: range)
        lastNumberEnd = range.upperBound
        rangeOfMeasures(behind: range, rules)
        lengthAndWidth(rules)
        perHundred(rules)
        return true
    }

    /// Whether an English measure belongs to the noun behind it: “a 10 km run”.
    private func isAttribute(_ number: WrittenNumber, _ sign: Range<Int>, _ rules: LanguageRules) -> Bool {
        let end = sign.upperBound
        guard rules.code == "en", Self.unitsOfAttributes.contains(text(sign)), unit(sign.lowerBound - 1).isBlank,
            unit(end).isBlank, unit(end + 1).isLowercase
        else { return false }
        return rules.money.attributesFollow.contains(previousWord(before: number.range.lowerBound))
            && !Self.wordsBehindMeasures.contains(word(at: end + 1))
    }

    private static let unitsOfAttributes: Set<String> = [
        "GB", "L", "MB", "TB", "V", "W", "cm", "ft", "g", "hr", "hrs", "kW", "kg", "km", "l", "lb", "lbs", "m", "mi",
        "min", "mins", "ml", "mm", "oz", "yd",
    ]

    /// Words that no measure belongs to, though it stands before them: “a 10 km or so”.
    private static let wordsBehindMeasures: Set<String> = [
        "a", "after", "ago", "an", "and", "as", "at", "away", "before", "below", "but", "by", "each", "every", "for",
        "from", "if", "in", "into", "is", "later", "more", "of", "off", "on", "or", "over", "per", "so", "than", "that",
        "the", "to", "under", "until", "was", "when", "which", "while", "with",
    ]

    /// Says the “x” between two measures: “20 cm x 30 cm”.
    private mutating func lengthAndWidth(_ rules: LanguageRules) {
        let isSpaced = unit(position).isBlank
        let sign = isSpaced ? position + 1 : position
        let next = isSpaced ? sign + 2 : sign + 1
        guard has("x", at: sign), unit(next).isDigit, !isSpaced || unit(sign + 1).isBlank,
            unitAfter(number(at: next, rules), rules) != nil
        else { return }
        say(isSpaced ? rules.signs.by : " \(rules.signs.by) ", for: sign..<sign + 1)
    }

    /// Says the slash between a measure and what it is for: “6.5 l/100 km”, “250 kcal/100 g”, “4 g/24 h”.
    private mutating func perHundred(_ rules: LanguageRules) {
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

    /// Says the dash between two measures: “5 km–10 km”, “10° N – 15° N”.
    private mutating func rangeOfMeasures(behind sign: Range<Int>, _ rules: LanguageRules) {
        let isSpaced = unit(position).isBlank
        let dash = isSpaced ? position + 1 : position
        guard unit(dash) == 0x2013 || !isSpaced && (unit(dash) == 0x2D || unit(dash) == 0x2011) else { return }
        let second = skipBlanks(from: dash + 1)
        guard unit(second).isDigit, (second > dash + 1) == isSpaced else { return }
        let other = number(at: second, rules)
        let isAngle = unit(sign.lowerBound) == 0xB0 && unit(other.range.upperBound) == 0xB0
        let otherSign = unitAfter(other, rules)?.range
        // Spaces may set two thoughts apart, unless both measure the same.
        // “10h-11h30”
        let hourEnd = digitsEnd(from: second)
        let isHours =
            rules.code == "fr" && !isSpaced && text(sign) == "h" && hourEnd - second <= 2 && has("h", at: hourEnd)
        let isSame = isAngle || isHours || otherSign.map { text($0) == text(sign) } == true
        guard isSame || !isSpaced && otherSign != nil else { return }
        // “5 m-3 m = 2 m”
        let isDifference = unit(dash) == 0x2D && otherSign.map { has("=", at: skipBlanks(from: $0.upperBound)) } == true
        say(isDifference ? rules.signs.minus : rules.signs.to, for: dash..<dash + 1)
    }

    /// A unit, a currency or a percentage with an ending behind a hyphen: “5 kg-ni”, “10%-line”.
    mutating func inflectedSign(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let inflected = rules.inflected, let (head, last) = declinable(number) else { return false }
        let start = skipBlanks(from: number.range.upperBound)
        var end = start
        while end - start < 6, Self.isUnitSign(unit(end)) || Self.isMoneyOrPercent(unit(end)) {
            end += 1
        }
        let isBehindGenitive = ["alla", "üle"].contains(previousWord(before: number.range.lowerBound))
        let isBare = !unit(end).isLetterOrDigit && !unit(end).isDash
        if end > start, isBare, !unit(number.range.lowerBound - 1).isDash,
            let words = EstonianNumbers.adjective(last, text(start..<end), before: nextWord(from: end))
        {
            // “65 m² korter”
            say(head + words, for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        // “2 tl küpsetuspulbriga”
        let isOfRecipe =
            isBare && Self.measuresOfRecipes.contains(text(start..<end))
            && EstonianNumbers.isIngredient(nextWord(from: end))
        let isGenitive = isOfRecipe || rules.genitivesPrecede.contains(nextWord(from: end))
        // “alla 18 a”, “18 a vanune”
        if isGenitive || isBehindGenitive, isBare, text(start..<end) == "a", last <= 120 {
            say("\(head)\(EstonianNumbers.genitive(last)) aasta", for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        if end > start, isGenitive || isBehindGenitive && isBare,
            !unit(number.range.lowerBound - 1).isDash, let words = inflected(last, text(start..<end), "")
        {
            // “2 km kaugusel”, “üle 5 km”
            say(head + words, for: number.range.lowerBound..<end)
            lastNumberEnd = position
            return true
        }
        guard end > start, unit(end).isDash, unit(end + 1).isLetter else { return false }
        let ending = end + 1..<wordEnd(from: end + 1)
        guard let words = inflected(last, text(start..<end), lowercased(ending)) else { return false }
        say(head + words, for: number.range.lowerBound..<ending.upperBound)
        lastNumberEnd = position
        return true
    }

    /// Estonian measures of what is mixed with something.
    private static let measuresOfRecipes: Set<String> = ["cl", "dl", "g", "ml", "sl", "spl", "tl"]

    /// The number that takes an Estonian ending, and words before it that do not: those before the last of “3,5”.
    private func declinable(_ number: WrittenNumber) -> (head: String, last: Int)? {
        guard let whole = number.whole else { return nil }
        if number.decimals.isEmpty { return ("", whole) }
        guard (1...2).contains(number.decimals.count), !number.decimals.hasPrefix("0"),
            let last = Int(number.decimals)
        else { return nil }
        return (EstonianNumbers.genitive(whole) + " koma ", last)
    }

    private static func isMoneyOrPercent(_ unit: UInt16) -> Bool {
        unit == 0x25 || unit == 0x24 || unit == 0xA3 || unit == 0x20AC
    }

    /// A place on the earth, and an angle: “59°26′ N”, “24.75° E”.
    mutating func coordinate(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let degree = rules.units["°"], unit(number.range.upperBound) == 0xB0,
            var words = measured(number, degree, rules)
        else { return false }
        var index = number.range.upperBound + 1
        let parts: [(noun: String, marks: [UInt16])] = [
            ("min", [0x27, 0x2019, 0x2032]), ("s", [0x22, 0x201D, 0x2033]),
        ]
        for part in parts {
            let start = skipBlanks(from: index)
            guard unit(start).isDigit, let noun = rules.units[part.noun] else { break }
            let measure = self.number(at: start, rules)
            guard part.marks.contains(unit(measure.range.upperBound)), let more = measured(measure, noun, rules)
            else { break }
            words += " " + more
            index = measure.range.upperBound + 1
        }
        let letter = skipBlanks(from: index)
        if let direction = Unicode.Scalar(unit(letter)).flatMap({ rules.directions[$0] }),
            !unit(letter + 1).isLetterOrDigit
        {
            words += " " + direction
            index = letter + 1
        }
        guard index > number.range.upperBound + 1 else { return false }
        say(words, for: number.range.lowerBound..<index)
        lastNumberEnd = position
        let sign = number.range.upperBound..<number.range.upperBound + 1
        rangeOfMeasures(behind: sign, rules)
        return true
    }

    private func measured(_ number: WrittenNumber, _ noun: CountedNoun, _ rules: LanguageRules) -> String? {
        words(for: number, rules.numerals, gender: noun.gender).map { words in
            "\(words) \(rules.numerals.isOne(number.value) ? noun.one : noun.many)"
        }
    }

    /// A height: 5'11".
    mutating func feetAndInches(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let mark = number.range.upperBound
        guard let foot = rules.units["ft"], let inch = rules.units["″"], let feet = number.whole,
            number.isPlainInteger, feet < 100, isPrime(mark)
        else { return false }
        let digits = skipBlanks(from: mark + 1)
        let end = digitsEnd(from: digits)
        guard end > digits, end - digits <= 2, let inches = Int(text(digits..<end)), inches < 12 else { return false }
        let close = unit(end)
        guard close == 0x22 || close == 0x2033 || close == 0x201D else { return false }
        let numerals = rules.numerals
        let parts = [(feet, foot), (inches, inch)].map { count, noun in
            "\(numerals.cardinal(count, noun.gender)) \(numerals.isOne(Double(count)) ? noun.one : noun.many)"
        }
        say(parts.joined(separator: " "), for: number.range.lowerBound..<end + 1)
        lastNumberEnd = position
        return true
    }
}
