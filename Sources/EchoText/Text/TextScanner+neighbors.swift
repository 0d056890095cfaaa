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
        guard rules.code == "es", let words = ["c": "con", "s": "sin"][key], unit(start).isLowercase,
            Self.thingsWithHomes.contains(nextWord(from: start + 2))
        else { return nil }
        return words
    }

    private static let thingsWithHomes: Set<String> = [
        "aire", "arroz", "asc", "ascensor", "azúcar", "balcón", "baño", "calefacción", "cocina", "ensalada", "garaje",
        "hielo", "jardín", "leche", "limón", "muebles", "patatas", "piscina", "queso", "tarjeta", "terraza", "trastero",
        "vistas",
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
        guard let gender = GermanNumbers.genderOfCounted(1, noun, isCapitalised: true) else { return nil }
        if GermanNumbers.dativesFollow.contains(preposition) { return gender == .feminine ? "der" : "dem" }
        guard ["durch", "für", "gegen", "ohne", "um"].contains(preposition) else { return nil }
        if gender == .feminine { return "die" }
        if gender == .neuter { return "das" }
        return GermanNumbers.masculine.contains(noun) ? "den" : nil
    }

    /// A French square or a plate with a letter: “pl. V. Hugo” and “pl. J.-J. Rousseau”, but “la pl. A montre”.
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
            !isRomanNumeral(letter..<behind)
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
        let hour = digitsEnd(from: start)
        return (1...2).contains(hour - start) && (has(":", at: hour) || has(".", at: hour) || has("h", at: hour))
            && digitsEnd(from: hour + 1) == hour + 3
    }
}
