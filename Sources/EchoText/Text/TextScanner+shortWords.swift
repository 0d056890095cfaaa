/// Words cut short that what stands beside them tells from others: “Klinik f. Innere Medizin”, “S. Tab. 3”, “C/ Mayor”.
extension TextScanner {
    /// The words for one before a full stop, as what stands around it shows; `nil` where it is none of them.
    func wordsBetween(_ word: Range<Int>, _ key: String, _ rules: LanguageRules) -> String? {
        let start = word.lowerBound
        let after = word.upperBound + 1
        switch (rules.code, key) {
        // “Klinik f. Innere Medizin”, but “§ 5 f. BGB” and “Variante f. Dann”
        case ("de", "f"):
            return isPreposition(word) && unit(lastWord.lowerBound).isUppercase ? "für" : nil
        // “erschien b. Suhrkamp”, but “a. Apfel b. Birne”
        case ("de", "b"):
            return isPreposition(word) && !text(max(0, start - 80)..<start).contains("a. ") ? "bei" : nil
        // “S. Tab. 3”, but “Frau S. Tab”
        case ("de", "s"):
            let mark = unit(start - 1) == 0x28 ? 0x28 : unit(start - 2)
            let isFirst =
                isLineStart(start) || [0x21, 0x28, 0x2E, 0x3B, 0x3F].contains(mark) && !unit(start - 3).isUppercase
            return isFirst && unit(start).isUppercase && Self.partsOfBooks.contains(nextWord(from: after))
                ? "Siehe" : nil
        // “en los min. 12 y 90”
        case ("es", "min"):
            let isListed = previousWord(before: start) == "los" && unit(skipBlanks(from: after)).isDigit
            return isListed ? "minutos" : nil
        // “20 € pro Pers.”
        case ("de", "pers"): return ["je", "pro"].contains(previousWord(before: start)) ? "Person" : nil
        // “la Ing. Ruiz”, “el Lic. Pérez”
        case ("es", "ing"), ("es", "lic"):
            guard unit(start).isUppercase, isName(at: after), !beginsSentence(after) else { return nil }
            let ending = ["la", "una"].contains(previousWord(before: start)) ? "a" : "o"
            return (key == "ing" ? "ingenier" : "licenciad") + ending
        // “à la 90e min.”
        case ("fr", "min"):
            var digit = start - 2
            while start - digit < 6, unit(digit).isLetter { digit -= 1 }
            let isOrdinal =
                unit(start - 1).isBlank && unit(digit).isDigit
                && ["e", "er", "re", "ère", "ème"].contains(lowercased(digit + 1..<max(digit + 1, start - 1)))
            return isOrdinal ? "minute" : nil
        default: return nil
        }
    }

    /// Whether a German letter in lower case stands between two words for what is named, and counts no part of a list.
    private func isPreposition(_ word: Range<Int>) -> Bool {
        let after = word.upperBound + 1
        let before = previousWord(before: word.lowerBound)
        return unit(word.lowerBound).isLowercase && !before.isEmpty && !Self.letteredParts.contains(before)
            && unit(word.lowerBound - 1).isBlank && lastWord.count > 2 && unit(after).isBlank && isName(at: after)
            && unit(after + 2).isLowercase && !beginsSentence(after)
    }

    /// German nouns whose kinds have letters, and words that stand before letters.
    private static let letteredParts: Set<String> = [
        "abb", "abbildung", "abs", "absatz", "abschnitt", "anlage", "antwort", "aufgabe", "bild", "bst", "buchst",
        "buchstabe", "ebene", "fall", "frage", "funktion", "gerade", "graph", "gruppe", "größe", "klasse", "kurve",
        "lit", "lösung", "nummer", "option", "plan", "punkt", "satz", "schritt", "seite", "seiten", "spalte",
        "strecke", "teil", "ton", "typ", "und", "variable", "variante", "vektor", "winkel", "zahl", "ziffer",
    ]

    /// German words for what a reader may look up.
    private static let partsOfBooks: Set<String> = [
        "abb", "abbildung", "abschn", "abschnitt", "anh", "anhang", "anl", "anm", "auch", "dazu", "hierzu", "kap",
        "kapitel", "oben", "tab", "tabelle", "unten",
    ]

    /// A German town at a river.
    ///
    /// “Halle a. d. Saale” and “Rothenburg o. d. Tauber” are some.
    mutating func townAtRiver(_ word: Range<Int>, _ key: String) -> Bool {
        let article = skipBlanks(from: word.upperBound + 1)
        guard let words = ["a": "an der", "o": "ob der"][key], unit(word.lowerBound).isLowercase,
            lastWord.upperBound == word.lowerBound - 1, unit(lastWord.lowerBound).isUppercase,
            has("d", at: article), has(".", at: article + 1), isName(at: article + 2),
            Self.riversOfTowns.contains(nextWord(from: article + 2))
        else { return false }
        say(words, for: word.lowerBound..<article + 2)
        noteWord(word)
        return true
    }

    /// A Spanish era with its preposition.
    ///
    /// “300 a. de C.” and “270 d. de C.” have one.
    mutating func era(_ word: Range<Int>, _ key: String) -> Bool {
        let preposition = skipBlanks(from: word.upperBound + 1)
        let letter = skipBlanks(from: preposition + 2)
        guard let words = ["a": "antes de Cristo", "d": "después de Cristo"][key], unit(word.lowerBound).isLowercase,
            self.word(at: preposition) == "de", has("C", at: letter), has(".", at: letter + 1)
        else { return false }
        let stop = letter + 1
        say(words, for: word.lowerBound..<(isSentenceEnd(stop + 1) ? stop : stop + 1))
        noteWord(word)
        return true
    }

    /// The French sign of several numbers: “les n°s 4 et 5”.
    mutating func signOfNumbers(_ word: Range<Int>, _ key: String) -> Bool {
        let end = word.upperBound + 2
        guard key == "n", unit(word.upperBound) == 0xB0, has("s", at: end - 1), unit(skipBlanks(from: end)).isDigit
        else { return false }
        say("numéros", for: word.lowerBound..<end)
        noteWord(word)
        return true
    }

    /// Rivers, and a road of wine, which have a feminine article.
    private static let riversOfTowns: Set<String> = [
        "aisch", "aller", "alz", "altmühl", "brenz", "donau", "eder", "elbe", "ems", "enns", "enz", "fils", "fulda",
        "glan", "havel", "iller", "ilm", "isar", "krems", "lahn", "leine", "mosel", "mur", "nahe", "oder", "orla",
        "pegnitz", "rott", "ruhr", "saale", "saar", "schwalm", "sieg", "spree", "tauber", "thaya", "unstrut", "vils",
        "weinstraße", "werra", "weser", "wupper", "würm", "ybbs",
    ]

    /// Estonian words for how many kilometers there are.
    static let countsOfKilometers: Set<String> = [
        "esimene", "iga", "kaheksa", "kaks", "kolm", "kuus", "kümme", "mitu", "neli", "paar", "pool", "poolteist",
        "sada", "seitse", "tuhat", "viimane", "viis", "üheksa", "üks",
    ]

    /// A letter and a slash that stand for words: “C/ Mayor, s/n”, “coffee w/ milk”, “c/o”.
    mutating func slashed(_ word: Range<Int>, _ key: String, _ rules: LanguageRules) -> Bool {
        let slash = word.upperBound
        let before = unit(word.lowerBound - 1)
        guard !before.isLetterOrDigit, before != 0x2F else { return false }
        let next = self.word(at: slash + 1)
        // “c/IVA” has no street.
        let isStreet =
            rules.code == "es" && key == "c" && nextWord(from: slash + 1) != "iva"
            && (isName(at: slash + 1) || unit(slash + 1).isUppercase && next.count > 1)
        if isStreet {
            say("calle", for: word.lowerBound..<slash + 1)
        } else if rules.code == "es", key == "c", unit(word.lowerBound).isLowercase, unit(slash + 1).isDigit,
            Self.lengthsOfDoses.contains(nextWord(from: digitsEnd(from: slash + 1)))
        {
            // “500 mg c/8 h”
            say("cada ", for: word.lowerBound..<slash + 1)
        } else if let preposition = preposition(cut: key, at: word.lowerBound, rules) {
            say(preposition + (unit(slash + 1).isBlank ? "" : " "), for: word.lowerBound..<slash + 1)
        } else if rules.code == "en", key == "w", unit(word.lowerBound).isLowercase, unit(slash + 1).isBlank,
            unit(slash + 2).isLetterOrDigit
        {
            say("with", for: word.lowerBound..<slash + 1)
        } else if next.count == 1, unit(word.lowerBound).isLowercase, !has("/", at: slash + 2),
            let words = rules.slashed[key + "/" + next]
        {
            say(words, for: word.lowerBound..<slash + 2)
        } else {
            return false
        }
        noteWord(word)
        return true
    }
}
