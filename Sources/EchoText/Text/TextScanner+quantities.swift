/// Units of measure behind numbers.
extension TextScanner {
    /// Measures and counts that are cut short, and the points of the compass, which look like measures.
    mutating func measure(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        degreesAndTenth(number, rules) || spoons(behind: number, rules) || repeated(number, rules)
            || multiple(number, rules)
            || compassPoint(behind: number, rules) || amperes(behind: number, rules)
            || shillings(number, rules)
            || scaleOfCount(number, rules)
            || roundCount(number, rules) || minutesBehindHours(number, rules)
            || hyphenatedUnit(number, rules) || minuteOfGame(number, rules) || oftenness(number, rules)
            || unit(after: number, rules)
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
        // “a 12 oz. can”; only the stop makes “in” a measure.
        let written = text(sign)
        let name = written.hasSuffix(".") ? String(written.dropLast()) : written
        guard rules.code == "en", Self.unitsOfAttributes.contains(name) || written == "in.",
            unit(sign.lowerBound - 1).isBlank,
            unit(end).isBlank, unit(end + 1).isLowercase
        else { return false }
        return rules.money.attributesFollow.contains(previousWord(before: number.range.lowerBound))
            && !Self.wordsBehindMeasures.contains(word(at: end + 1))
    }

    private static let unitsOfAttributes: Set<String> = [
        "GB", "L", "MB", "TB", "V", "W", "cm", "ft", "g", "hr", "hrs", "kW", "kWh", "kg", "km", "km/h", "l", "lb",
        "lbs", "m", "mAh", "mi", "min", "mins", "ml", "mm", "mph", "oz", "psi", "yd",
    ]

    /// Words that no measure belongs to, though it stands before them: “a 10 km or so”.
    private static let wordsBehindMeasures: Set<String> = [
        "a", "after", "ago", "an", "and", "as", "at", "away", "before", "below", "but", "by", "each", "every", "for",
        "from", "if", "in", "into", "is", "later", "more", "of", "off", "on", "or", "over", "per", "so", "than", "that",
        "the", "to", "under", "until", "was", "when", "which", "while", "with",
    ]

    /// The amperes of what lets them through: “a 13 A fuse”, but “In section 13 A fuse is shown”.
    private mutating func amperes(behind number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound + 1
        guard rules.code == "en", number.digits.count <= 3, unit(sign - 1).isBlank, has("A", at: sign),
            unit(sign + 1).isBlank, Self.wordsBehindAmperes.contains(word(at: sign + 2)),
            Self.wordsBeforeAmperes.contains(previousWord(before: number.range.lowerBound))
        else { return false }
        pass(number: number.range)
        say("amp", for: sign..<sign + 1)
        lastNumberEnd = position
        return true
    }

    private static let wordsBeforeAmperes: Set<String> = ["a", "an", "any", "its", "the", "this", "with", "your"]

    private static let wordsBehindAmperes: Set<String> = [
        "breaker", "breakers", "circuit", "circuits", "fuse", "fuses", "plug", "plugs", "socket", "sockets", "supply",
    ]

    /// A measure before a noun: “a 6-ft fence”, “ein 100-m-Lauf”.
    mutating func hyphenatedUnit(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
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
        case "et":
            // “45-min jalutuskäigu kaugusel”
            let noun = nextWord(from: end)
            let form = EstonianCase(of: noun)
            let ending = form.apply(nominative: "line", genitive: "lise", partitive: "list")
            guard unit(end).isBlank, unit(end + 1).isLowercase, let whole = number.whole, number.decimals.isEmpty,
                Self.adjectivesOfEstonian.contains(written),
                let words = EstonianNumbers.inflected(whole, written, "line")
            else { return false }
            say(words.dropLast(4) + ending, for: number.range.lowerBound..<end)
        default: return false
        }
        lastNumberEnd = position
        return true
    }

    private static let adjectivesOfEstonian: Set<String> = ["h", "kg", "km", "l", "m", "min", "cm", "m²"]

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
        // “35 N·m”, “9 N.m”
        if unit(end) == 0xB7 || has(".", at: end), end == start + 1, has("N", at: start), has("m", at: end + 1),
            !unit(end + 2).isLetterOrDigit, unit(end + 2) != 0xB2
        {
            end += 2
        }
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
        // “2 mi. N of”
        let isStopped =
            has(".", at: end)
            && (continues(from: end + 1) || Self.isClauseMark(unit(end + 1)) || isPointOfCompass(at: end + 1, rules))
        let stop = isStopped ? end + 1 : end
        let written = text(start..<end).filter { $0 != "·" && $0 != "." }
        // “F-16s” and “Boeing 737s” last no seconds.
        if written == "s", rules.code == "en", start == number.range.upperBound, isModel(number) { return nil }
        if written == "s", rules.code == "en", start == number.range.upperBound, isAge(number) { return nil }
        if rules.code == "fr", isOtherThanUnit(written, number, start..<end) { return nil }
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
        // “1½ c. flour”
        if written == "c", rules.code == "en", !unit(start - 1).isDigit,
            EnglishNumbers.ingredients.contains(nextWord(from: stop))
        {
            return (CountedNoun("cup", "cups"), start..<stop)
        }
        // “a room for 450 kn a night” is paid in what Croatia had.
        if written == "kn", rules.code == "en", isPrice(at: number.range.lowerBound) {
            return (CountedNoun("kuna", "kuna"), start..<stop)
        }
        // “seal elas u 120 in.”
        if written == "in", rules.code == "et",
            clause(before: number.range.lowerBound).contains(where: { word in
                Self.verbsOfPeople.contains { word.hasPrefix($0) }
            })
        {
            return (CountedNoun("inimene", "inimest"), start..<stop)
        }
        if ["fl", "sq"].contains(written), let square = rules.units[written],
            let (noun, range) = unitAfter(WrittenNumber(plain: start..<stop, ""), rules)
        {
            let words = CountedNoun("\(square.one) \(noun.one)", "\(square.many) \(noun.many)", noun.gender)
            return (words, start..<range.upperBound)
        }
        // “8 st 5 lb”, “weighed 9 st”
        if written == "st", rules.code == "en", !isStopped {
            let pounds = digitsEnd(from: skipBlanks(from: stop))
            let isWeight =
                pounds > stop + 1 && ["lb", "lbs"].contains(nextWord(from: pounds))
                || previousWord(before: number.range.lowerBound).hasPrefix("weigh")
            return isWeight ? (CountedNoun("stone", "stone"), start..<stop) : nil
        }
        // “fl. 1800” has no fluid.
        if written == "fl" { return nil }
        // “0,5 ct Diamant” has carats.
        if written == "ct", rules.code == "de", GermanNumbers.isGem(nextWord(from: stop)) {
            return (CountedNoun("Karat", "Karat", .neuter), start..<stop)
        }
        // “3 t 12 min” has hours.
        if written == "t", rules.code == "et", let hours = rules.units["h"] {
            let minutes = skipBlanks(from: stop)
            let minutesEnd = digitsEnd(from: minutes)
            if (1...2).contains(minutesEnd - minutes), nextWord(from: minutesEnd).hasPrefix("min") {
                return (hours, start..<stop)
            }
        }
        // “ab 10 h” and “um 20 h” are times of day, “um 3 h” and “ab 10 h pro Woche” are none.
        if written == "h", rules.code == "de", number.isPlainInteger, (number.whole ?? 25) <= 24,
            ["ab", "gegen", "gg"].contains(abbreviatedWord(before: number.range.lowerBound))
                || abbreviatedWord(before: number.range.lowerBound) == "um" && (number.whole ?? 0) >= 6,
            !Self.wordsBehindLengths.contains(nextWord(from: stop))
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

    /// Whether English words in the clause before a number show that it is paid, and no speed.
    private func isPrice(at start: Int) -> Bool {
        let words = clause(before: start)
        return words.contains { Self.wordsOfPrices.contains($0) }
            && !words.contains { $0.hasPrefix("speed") || $0.hasPrefix("wind") || $0.hasPrefix("sail") }
    }

    private static let wordsOfPrices: Set<String> = [
        "admission", "apartment", "bill", "cost", "costs", "entry", "fare", "fares", "fee", "fees", "hotel", "meal",
        "menu", "paid", "pay", "pays", "price", "prices", "rent", "room", "rooms", "ticket", "tickets",
    ]

    /// The beginnings of Estonian words for what people do and where they are.
    private static let verbsOfPeople = [
        "ela", "hukku", "kogune", "koha", "käi", "külas", "linnas", "mahuta", "osale", "vallas", "vigasta",
    ]

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

    /// German words behind hours that are no time of day: “um 12 h verschoben”, “ab 10 h pro Woche”.
    private static let wordsBehindLengths: Set<String> = [
        "erhöht", "früher", "gekürzt", "gesenkt", "je", "kürzer", "länger", "mehr", "pro", "reduziert", "später",
        "täglich", "überschritten", "unterschritten", "verkürzen", "verkürzt", "verlängern", "verlängert",
        "verschieben", "verschoben", "verspätet", "verzögert", "vorgestellt", "weniger", "wöchentlich",
        "zurückgestellt",
    ]

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
        guard Self.adjectivesOfLengths.contains(word(at: start)) else { return false }
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

    /// Whether those of an age are named: “an under-16s team”, “the over 60s”.
    private func isAge(_ number: WrittenNumber) -> Bool {
        let start = number.range.lowerBound
        // “an all-0s mask”, but “a sub-10s time”
        if unit(start - 1) == 0x2D { return ["all", "over", "under"].contains(previousWord(before: start - 1)) }
        // “hold it for under 5s”
        let isForAll = wordBeforeName == "for" && (number.whole ?? 0) > 10 && previousWord(before: start) == "under"
        return ["over", "under"].contains(previousWord(before: start))
            && (isForAll || ["our", "the"].contains(wordBeforeName))
    }

    /// Whether a French letter is no franc, as in “bonnet 90 F”, and “ch” are rooms, as in “hôtel, 20 ch”.
    private func isOtherThanUnit(_ written: String, _ number: WrittenNumber, _ sign: Range<Int>) -> Bool {
        let start = number.range.lowerBound
        let isGlued = sign.lowerBound == number.range.upperBound
        switch written {
        case "F":
            // “au 12 F, rue de la Paix”
            let next = nextWord(from: has(",", at: sign.upperBound) ? sign.upperBound + 1 : sign.upperBound)
            return isGlued || Self.wordsBeforeLetters.contains(abbreviatedWord(before: start))
                || Self.streets.contains(next) || isBehindCountOfMen(start)
        case "ch":
            // “Jn 12 ch 3” is a chapter.
            let behind = has(".", at: sign.upperBound) ? sign.upperBound + 1 : sign.upperBound
            return isGlued || number.digits.count < 2 || unit(skipBlanks(from: behind)).isDigit || isOfLodging(start)
        default: return false
        }
    }

    /// Whether men are counted right before women: “12 H, 15 F”, “45 H / 55 F”, “12 M et 14 F”.
    private func isBehindCountOfMen(_ start: Int) -> Bool {
        var index = start - 1
        while start - index < 6, unit(index).isBlank || [0x2C, 0x2F, 0x65, 0x74].contains(unit(index)) { index -= 1 }
        guard has("H", at: index) || has("M", at: index), !unit(index - 1).isLetter else { return false }
        return unit(index - 1).isDigit || unit(index - 1).isBlank && unit(index - 2).isDigit
    }

    /// Whether a French word for what has rooms stands before the number in its sentence, at most 60 letters away.
    private func isOfLodging(_ start: Int) -> Bool {
        var first = start
        while first > 0, start - first < 60, ![0x0A, 0x21, 0x2E, 0x3B, 0x3F].contains(units[first - 1]) { first -= 1 }
        let before = text(first..<start).lowercased()
        return Self.frenchLodgings.contains { before.contains($0) }
    }

    private static let frenchLodgings = [
        "auberge", "château", "clinique", "gîte", "hostellerie", "hôtel", "maison", "manoir", "pension", "relais",
        "résidence", "villa",
    ]

    private static let streets: Set<String> = [
        "allée", "av", "avenue", "bd", "boulevard", "chemin", "cours", "impasse", "place", "quai", "route", "rue",
    ]

    private static let wordsBeforeLetters: Set<String> = [
        "bonnet", "bus", "bâtiment", "classe", "exemplaire", "fait", "groupe", "ligne", "lot", "note", "n°", "numéro",
        "nº", "page", "photo", "porte", "quai", "route", "salle", "section", "sexe", "sortie", "taille", "température",
        "type", "vol",
    ]

    /// Whether a word in lower case or a number follows, or in German a noun.
    func continues(from index: Int) -> Bool {
        guard unit(index).isBlank else { return false }
        let isNoun =
            rules?.code == "de" && unit(index + 1).isUppercase && unit(index + 2).isLowercase
            && !SentenceOpeners.contains(word(at: index + 1), language: "de")
        return unit(index + 1).isLowercase || unit(index + 1).isDigit || isNoun
    }

    static func isClauseMark(_ unit: UInt16) -> Bool {
        unit == 0x2C || unit == 0x3B || unit == 0x3A || unit == 0x29
    }

    static func isUnitSign(_ unit: UInt16) -> Bool {
        switch unit {
        case 0xB0, 0xB2, 0xB3, 0xB5, 0x2F, 0x2032, 0x2033: true
        default: unit.isLetter
        }
    }

    /// The unit of an area or a volume that has its figure beside it: “120 m2”, “5 km2”.
    func raisedUnit(_ letters: Range<Int>, _ rules: LanguageRules) -> CountedNoun? {
        let figure = letters.upperBound
        guard !letters.isEmpty, !has("/", at: figure + 1), has("2", at: figure) || has("3", at: figure),
            !unit(figure + 1).isLetterOrDigit,
            !(has(".", at: figure + 1) || has(",", at: figure + 1)) || !unit(figure + 2).isDigit
        else { return nil }
        return rules.units[text(letters) + (has("2", at: figure) ? "²" : "³")]
    }
}
