/// Words around an abbreviation, as far as they show what it is short for.
extension TextScanner {
    /// Whether an ordinal in digits and letters stands right before the word.
    ///
    /// “the 2nd Bn.”, “the 3rd Inf. Div.” and “le 5e rég.” have one.
    func isBehindOrdinalInLetters(_ word: Range<Int>) -> Bool {
        let end = word.lowerBound - 1
        guard unit(end).isBlank else { return false }
        switch rules?.code {
        case "en":
            return unit(end - 3).isDigit && ["nd", "rd", "st", "th"].contains(lowercased(end - 2..<end))
                || ["armd", "inf"].contains(abbreviatedWord(before: word.lowerBound))
        case "fr":
            return unit(end - 2).isDigit && has("e", at: end - 1)
                || unit(end - 3).isDigit && ["er", "re"].contains(lowercased(end - 2..<end))
        default: return false
        }
    }

    /// Whether somebody or something that has a number stands before the word.
    ///
    /// “Ann's no. is” and “my phone no. was” have one.
    func isBehindOwner(_ word: Range<Int>) -> Bool {
        let before = previousWord(before: word.lowerBound)
        let next = nextWord(from: word.upperBound + 1)
        return ["'s", "’s"].contains(where: before.hasSuffix) && !Self.elided.contains(String(before.dropLast(2)))
            || Self.ownersOfNumbers.contains(before) && ["is", "on", "was"].contains(next)
    }

    /// Words before “'s” that stand for “is” or “has”.
    private static let elided: Set<String> = ["he", "here", "it", "she", "that", "there", "what", "who"]

    private static let ownersOfNumbers: Set<String> = [
        "account", "flight", "her", "his", "house", "invoice", "its", "model", "my", "order", "our", "part", "phone",
        "policy", "serial", "telephone", "their", "your",
    ]

    /// Whether a count of one digit before the word is that of a home's rooms.
    ///
    /// “Appartement, 3 p., 65 m²” has one.
    func isOfDwelling(_ word: Range<Int>) -> Bool {
        guard lastNumberEnd > 0, lastNumberEnd == word.lowerBound - 1, unit(lastNumberEnd - 2).isSpace else {
            return false
        }
        return clause(before: word.lowerBound).contains { Self.dwellings.contains($0) }
    }

    private static let dwellings: Set<String> = [
        "appart", "appartement", "appartements", "appt", "duplex", "l'appartement", "l’appartement", "location",
        "logement", "loue", "louer", "maison", "pavillon", "studio", "vends", "vendre", "villa",
    ]

    /// Whether the word begins what is in brackets or behind a semicolon.
    ///
    /// “(v. Fernández)” has it there.
    func isAside(_ word: Range<Int>) -> Bool {
        has("(", at: word.lowerBound - 1) || has(";", at: word.lowerBound - 2)
    }

    /// The words of the clause before `index`, in lower case and without the marks around them, from at most 80 units.
    func clause(before index: Int) -> [String] {
        let words = text(max(0, index - 80)..<index).lowercased()
        let clause = words.split(omittingEmptySubsequences: false) { ".!?;\n".contains($0) }.last ?? ""
        return clause.split { " ,:()".contains($0) }.map(String.init)
    }

    /// A Spanish preposition that is cut short before what homes and dishes have: “c/ terraza”, “s/ garaje”.
    func preposition(cut key: String, at start: Int, _ rules: LanguageRules) -> String? {
        // “óleo s/ lienzo”
        let thing = nextWord(from: start + 2)
        // “precio s/ tabla”, “medidas s/ plano”
        let isByTable = thing == "tabla" && Self.wordsBeforeTables.contains(previousWord(before: start))
        if rules.code == "es", key == "s", unit(start).isLowercase, isByTable || Self.basesOfPrices.contains(thing) {
            return "según"
        }
        if rules.code == "es", key == "s", unit(start).isLowercase, Self.groundsOfPaintings.contains(thing) {
            return "sobre"
        }
        guard rules.code == "es", let words = ["c": "con", "s": "sin"][key], unit(start).isLowercase,
            Self.thingsWithHomes.contains(thing)
        else { return nil }
        return words
    }

    private static let thingsWithHomes: Set<String> = [
        "aire", "arroz", "asc", "ascensor", "azúcar", "balcón", "baño", "calefacción", "cocina", "ensalada", "garaje",
        "hielo", "jardín", "leche", "limón", "muebles", "patatas", "piscina", "queso", "tarjeta", "terraza", "trastero",
        "vistas",
    ]

    private static let wordsBeforeTables: Set<String> = [
        "cuota", "dosis", "importe", "medidas", "precio", "precios", "tarifa", "valor", "valores",
    ]

    private static let basesOfPrices: Set<String> = [
        "baremo", "catálogo", "contrato", "convenio", "norma", "normas", "plano", "planos", "presupuesto", "proyecto",
        "tarifa", "tarifas",
    ]

    private static let groundsOfPaintings: Set<String> = [
        "cartulina", "cartón", "cobre", "lienzo", "madera", "papel", "seda", "tabla", "tela",
    ]

    /// Spanish words for what has rooms.
    static let lodgings: Set<String> = [
        "albergue", "apartamentos", "casa", "complejo", "edificio", "hospital", "hostal", "hotel", "parador", "pensión",
        "posada", "residencia", "rural",
    ]

    /// Spanish words for how long it is between two doses.
    static let lengthsOfDoses: Set<String> = [
        "d", "día", "días", "h", "hora", "horas", "hrs", "hs", "mes", "meses", "min", "minutos", "semanas",
    ]

    /// Whether an age or the year of a birth or a death follows.
    ///
    /// “d. at age 54” and “b. in 1811” have some.
    func isBeforeLife(_ after: Int, behind word: Range<Int>) -> Bool {
        let start = skipBlanks(from: after)
        let end = skipBlanks(from: wordEnd(from: start))
        // “c and d. In 1990”, “Option d. in 2010”
        let before = previousWord(before: word.lowerBound)
        let isBehindPerson =
            has(",", at: word.lowerBound - 2) && lastWord.count > 1 || has(";", at: word.lowerBound - 2)
            || has("(", at: word.lowerBound - 1) || ["he", "she", "was", "were", "who"].contains(before)
            || before == "and" && (unit(lastWord.lowerBound - 2) == 0x2C || wordBeforeName.utf16.count > 1)
        guard unit(start).isLowercase, isBehindPerson else { return false }
        switch self.word(at: start) {
        case "aged": return true
        case "at":
            return self.word(at: end) == "age" || self.word(at: end) == "the" && nextWord(from: end + 3) == "age"
        case "about", "circa", "in":
            return digitsEnd(from: end) == end + 4 && (has("1", at: end) || has("2", at: end))
        case "c", "ca": return has(".", at: end) && unit(skipBlanks(from: end + 1)).isDigit
        default: return false
        }
    }

    /// Whether “n.” before a number is a note, and no house.
    ///
    /// It is one in “(see n. 14)”, “p. 201, n. 21” and “la n. 3”, but the size of a sample in “patients (n. 45)”.
    func isOfNote(_ word: Range<Int>, _ after: Int) -> Bool {
        let start = word.lowerBound
        let number = skipBlanks(from: after)
        let end = digitsEnd(from: number)
        guard (1...3).contains(end - number), !unit(end).isLetterOrDigit else { return false }
        if has(",", at: start - 2), Self.pages.contains(wordBeforeNumber(endingAt: start - 2)) { return true }
        let before = abbreviatedWord(before: start)
        if word.count > 1, has("(", at: start - 1) || ["las", "les"].contains(before) { return true }
        if ["also", "aussi", "también"].contains(before) { return Self.wordsBeforeNotes.contains(wordBeforeName) }
        return Self.wordsBeforeNotes.contains(before)
    }

    private static let wordsBeforeNotes: Set<String> = [
        "cf", "la", "see", "v", "ver", "voir", "véanse", "véase",
    ]

    private static let pages: Set<String> = [
        "f", "fo", "fol", "p", "page", "pages", "pp", "pág", "página", "páginas", "págs",
    ]

    /// The word before a number, with or without a full stop.
    ///
    /// In “p. 201” it is “p”, in “pp. 3–5” “pp”.
    func wordBeforeNumber(endingAt end: Int) -> String {
        var start = end
        while end - start < 10, unit(start - 1).isDigit || unit(start - 1).isDash { start -= 1 }
        guard start < end else { return "" }
        while end - start < 14, unit(start - 1).isBlank || unit(start - 1) == 0x2E || unit(start - 1) == 0xB0 {
            start -= 1
        }
        var first = start
        while start - first < 12, unit(first - 1).isLetter { first -= 1 }
        return lowercased(first..<start)
    }

    /// Spanish words behind “Cap.” that count chapters or are of capes and capitals, and nobody's name.
    static let countsOfChapters: Set<String> = [
        "anterior", "cuarto", "décimo", "federal", "final", "general", "horn", "noveno", "nuevo", "octavo",
        "preliminar", "primera", "primero", "quinto", "segunda", "segundo", "sexto", "siguiente", "séptimo", "tercera",
        "tercero", "verde", "único", "última", "último",
    ]

    /// An American state that is cut short behind a place or a preposition.
    ///
    /// “Louisville, Ky.” and “moved to Ill. in 1830” have one.
    mutating func stateCutShort(_ word: Range<Int>, key: String) -> Bool {
        guard let name = EnglishNumbers.statesCutShort[key], unit(word.lowerBound).isUppercase,
            unit(word.upperBound - 1).isLowercase
        else { return false }
        let after = word.upperBound + 1
        // “I met John, Md. Khan and others”
        guard !isName(at: after) || isSentenceEnd(after) || beginsSentence(after) else { return false }
        let isBehindPlace =
            has(",", at: word.lowerBound - 2) && lastWord.upperBound == word.lowerBound - 2 && lastWord.count > 3
            && unit(lastWord.lowerBound).isUppercase && !Self.greetings.contains(lowercased(lastWord))
            && (!Self.statesLikeNames.contains(key) || has(",", at: after) || !opensSentence(lastWord.lowerBound))
        // “in Mass.” can be a service, “to Pa.” somebody.
        let isBehindPreposition =
            !Self.statesLikeNames.contains(key)
            && ["from", "in", "near", "of", "to"].contains(previousWord(before: word.lowerBound))
        guard isBehindPlace || isBehindPreposition else { return false }
        say(name, for: word.lowerBound..<(isSentenceEnd(after) || beginsSentence(after) ? after - 1 : after))
        noteWord(word)
        return true
    }

    /// Whether a word is the first of a sentence, unlike a saint's name behind “St.”.
    private func opensSentence(_ start: Int) -> Bool {
        guard unit(start - 1).isBlank else { return true }
        return switch unit(start - 2) {
        case 0x21, 0x22, 0x3A, 0x3F, 0x201C, 0x2014: true
        case 0x2E: !(has("t", at: start - 3) && unit(start - 4).isUppercase)
        default: false
        }
    }

    /// States whose short forms are names and other words, too.
    private static let statesLikeNames: Set<String> = [
        "ark", "del", "ind", "la", "mass", "md", "miss", "mo", "mont", "ore", "pa", "tex", "wash",
    ]

    /// Words before somebody who is spoken to, and days of a service.
    ///
    /// “Hello, Mo.” and “On Sunday, Mass. was said” have some.
    private static let greetings: Set<String> = [
        "dear", "goodbye", "hello", "howdy", "listen", "look", "please", "right", "sorry", "thanks", "welcome", "well",
        "christmas", "easter", "friday", "monday", "saturday", "sunday", "thursday", "tuesday", "wednesday",
    ]

    /// A priest's title behind an article in French and Spanish, or the street of a French house with its number before it.
    ///
    /// “le P. Lacordaire” and “el Rvdo. P. Llorente” have one, “4 r. Frochot” the other.
    func fatherOrStreet(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> String? {
        let after = word.upperBound + 1
        let before = abbreviatedWord(before: word.lowerBound)
        let isParty = Self.partiesAndParks.contains(nextWord(from: after))
        let isInitial =
            isParty || !isName(at: after) || beginsSentence(after) || has(".", at: skipBlanks(from: after) + 1)
        switch (rules.code, key) {
        case ("es", "p") where isCapital(word) && !isInitial:
            return ["al", "del", "el", "reverendo", "rvdo"].contains(before) ? "padre" : nil
        case ("fr", "p") where isCapital(word) && !isInitial:
            return ["au", "du", "le", "révérend"].contains(before) ? "Père" : nil
        case ("fr", "r"):
            let house = has(",", at: word.lowerBound - 2) ? word.lowerBound - 2 : word.lowerBound - 1
            let isHouse =
                unit(house - 1).isDigit
                || lastWord.upperBound == house && ["bis", "ter"].contains(lowercased(lastWord))
            let next = nextWord(from: after)
            let isStreet =
                isName(at: after) && !beginsSentence(after) || ["de", "des", "du"].contains(next)
                || next.hasPrefix("d'")
            // “fol. 12 r. du manuscrit”
            let isFolio = Self.pages.contains(wordBeforeNumber(endingAt: house))
            return unit(word.lowerBound).isLowercase && isHouse && isStreet && !isFolio ? "rue" : nil
        default: return nil
        }
    }

    /// Names of parties and parks behind “P.”, which is no father.
    ///
    /// “el P. Popular” and “le P. Socialiste” are parties.
    private static let partiesAndParks: Set<String> = [
        "central", "communiste", "comunista", "conservador", "conservateur", "demócrata", "démocrate", "federal",
        "industrial", "laborista", "liberal", "libéral", "nacional", "national", "natural", "popular", "populaire",
        "radical", "republicano", "républicain", "socialista", "socialiste", "verde",
    ]

    /// The size of a French book: “in-8°”, “in-4º”, “in-fol.”.
    mutating func sizeOfBook(_ word: Range<Int>) -> Bool {
        let start = word.upperBound + 1
        guard unit(word.upperBound).isDash else { return false }
        if self.word(at: start) == "fol" {
            let stop = has(".", at: start + 3) && !isSentenceEnd(start + 4) ? start + 4 : start + 3
            say("in-folio", for: word.lowerBound..<stop)
            noteWord(word)
            return true
        }
        let sizes: [Unicode.Scalar: String] = ["4": "in-quarto", "8": "in-octavo"]
        guard let scalar = Unicode.Scalar(unit(start)), let size = sizes[scalar],
            unit(start + 1) == 0xB0 || unit(start + 1) == 0xBA, !unit(start + 2).isLetterOrDigit
        else { return false }
        say(size, for: word.lowerBound..<start + 2)
        noteWord(word)
        return true
    }

    /// The slash between a count and itself: “7 j/7”, “24 h/24”.
    mutating func slashOfSame(at slash: Int, _ rules: LanguageRules) -> Bool {
        guard rules.code == "fr", has("j", at: slash - 1) || has("h", at: slash - 1) else { return false }
        let end = unit(slash - 2).isBlank ? slash - 2 : slash - 1
        var start = end
        while end - start < 3, unit(start - 1).isDigit { start -= 1 }
        let other = slash + 1..<digitsEnd(from: slash + 1)
        // “2 h/2 personnes”
        let isWhole = has("j", at: slash - 1) ? text(other) == "7" : text(other) == "24"
        guard start < end, isWhole, text(start..<end) == text(other), !unit(other.upperBound).isLetterOrDigit else {
            return false
        }
        say(" sur ", for: slash..<slash + 1)
        return true
    }

    /// American hours of work on five days: “call 8–4:30 M–F”, “M-F 9–5”.
    mutating func workdays(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let last = word.upperBound + 1
        guard rules.code == "en", word.count == 1, has("M", at: word.lowerBound), unit(last - 1).isDash,
            has("F", at: last), !unit(last + 1).isLetterOrDigit, !unit(last + 1).isDash,
            !unit(word.lowerBound - 1).isDash
        else { return false }
        let hour = skipBlanks(from: has(",", at: last + 1) || has(":", at: last + 1) ? last + 2 : last + 1)
        let hourEnd = digitsEnd(from: hour)
        // “M–F 9–5”, but “BMW M-F 12 model”
        let isBeforeHours =
            hourEnd > hour
            && (unit(hourEnd).isDash || has(":", at: hourEnd)
                || ["a", "am", "p", "pm", "to"].contains(nextWord(from: hourEnd)))
            && !Self.wordsBeforeLetterRanges.contains(previousWord(before: word.lowerBound))
        // “9 a.m.–5 p.m. M–F”, but “I am M–F”
        let start = word.lowerBound
        let isBehindHalf =
            has("m", at: start - 3) && has(".", at: start - 2)
            || has("m", at: start - 2)
                && (unit(start - 4).isDigit || unit(start - 4).isBlank && unit(start - 5).isDigit)
        let isBehindHour = endsHours(at: start - 1) && (nextWord(from: last + 1).isEmpty || isClauseEnd(last + 1))
        guard
            isBehindHour || isBehindHalf && unit(start - 1).isBlank || isBeforeHours
                || previousWord(before: start) == "open"
        else { return false }
        say("Monday to Friday", for: word.lowerBound..<last + 1)
        noteWord(word)
        return true
    }

    /// Whether a time with minutes or a span of hours ends here: “4:30”, “9–5”, but no count as in “12 M-F cables”.
    private func endsHours(at end: Int) -> Bool {
        var start = end
        while end - start < 3, unit(start - 1).isDigit { start -= 1 }
        guard (1...2).contains(end - start), unit(end).isBlank, unit(start - 2).isDigit else { return false }
        if has(":", at: start - 1) { return true }
        var first = start - 1
        while start - first < 4, unit(first - 1).isDigit { first -= 1 }
        guard unit(start - 1).isDash, let from = Int(text(first..<start - 1)), let to = Int(text(start..<end)) else {
            return false
        }
        return from <= 12 && to <= 12
    }

    private func isClauseEnd(_ index: Int) -> Bool {
        has(",", at: index) || has(".", at: index) || has(";", at: index) || has(")", at: index)
    }

    /// Words before what goes from M to F and is no week: “columns M–F 2 to 8”.
    private static let wordsBeforeLetterRanges: Set<String> = [
        "aisles", "bays", "cells", "classes", "columns", "drives", "gates", "gender", "group", "groups", "ratio",
        "rows", "seats", "sections", "sex", "volumes",
    ]

    /// The German article that is cut short between a preposition and a noun whose gender is known.
    ///
    /// “auf d. Tisch”, “in d. Nacht” and “für d. Haus” have one.
    func articleInCase(_ word: Range<Int>) -> String? {
        let noun = nextWord(from: word.upperBound + 1)
        let preposition = previousWord(before: word.lowerBound)
        guard isName(at: word.upperBound + 1), !SentenceOpeners.contains(noun, language: "de") else { return nil }
        // “während d. Krieges”
        let isGenitive = ["außerhalb", "innerhalb", "statt", "trotz", "wegen", "während"].contains(preposition)
        if isGenitive, noun.hasSuffix("s"), noun != "haus" { return "des" }
        guard let gender = GermanNumbers.genderOfCounted(1, noun, isCapitalised: true) else {
            // “mit d. Kindern”
            let isPlural =
                ["ern", "heiten", "keiten", "leuten", "tionen", "ungen"].contains(where: noun.hasSuffix)
                && noun.utf16.count > 5
            return isPlural && GermanNumbers.dativesFollow.contains(preposition) ? "den" : nil
        }
        if GermanNumbers.dativesFollow.contains(preposition) { return gender == .feminine ? "der" : "dem" }
        guard Self.accusativesOfNouns.contains(preposition) else { return nil }
        if gender == .feminine { return "die" }
        if gender == .neuter { return "das" }
        return GermanNumbers.masculine.contains(noun) ? "den" : nil
    }

    /// Whether a German preposition stands before the word, so that an article has another case than the nominative.
    func isBehindPreposition(_ word: Range<Int>) -> Bool {
        let before = previousWord(before: word.lowerBound)
        return GermanNumbers.dativesFollow.contains(before) || Self.accusativesOfNouns.contains(before)
    }

    private static let accusativesOfNouns: Set<String> = ["durch", "für", "gegen", "ohne", "um"]

    /// The word for a French square, or for a plate that has a letter.
    ///
    /// “pl. V. Hugo” and “pl. J.-J. Rousseau” are squares, in “la pl. A montre” is a plate.
    func squareOrPlate(at after: Int) -> String? {
        let letter = skipBlanks(from: after)
        guard unit(letter).isUppercase else { return nil }
        let behind = letter + 1
        if has(".", at: behind),
            isName(at: behind + 1) && !beginsSentence(behind + 1)
                || has("-", at: behind + 1) && unit(behind + 2).isUppercase
        {
            return "place"
        }
        // “pl. A Briand” is a square, and numerals count plates.
        guard wordEnd(from: letter) == behind, !unit(behind).isDash, !isName(at: behind),
            !isRomanNumeral(letter..<behind),
            // “pl. A la gare”
            !["la", "le", "les"].contains(nextWord(from: behind))
        else { return nil }
        return "planche"
    }

    /// Whether one or two capital letters begin here, without a full stop.
    func isBeforeLetters(_ start: Int) -> Bool {
        let end = wordEnd(from: start)
        return (1...2).contains(end - start) && (start..<end).allSatisfy { unit($0).isUppercase }
            && (!has(".", at: end) || isSentenceEnd(end + 1))
    }

    /// Whether an hour and minutes in digits begin here: “8:15”, “08.15”, “8h15”.
    func isBeforeTime(_ start: Int) -> Bool {
        // “alg. kl 12”
        if ["kell", "kl"].contains(word(at: start)) { return true }
        let hour = digitsEnd(from: start)
        return (1...2).contains(hour - start) && (has(":", at: hour) || has(".", at: hour) || has("h", at: hour))
            && digitsEnd(from: hour + 1) == hour + 3
    }
}
