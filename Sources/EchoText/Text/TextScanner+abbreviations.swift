/// Abbreviations, and what has to stand around each for it to be one: “Dr. Smith”, “5 Oak Dr.”, “máx. 5”, “c/o”.
extension TextScanner {
    mutating func abbreviation(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        // “L'art. 5”
        if rules.code == "fr", word.count > 2, isApostrophe(word.lowerBound + 1) {
            return elided(word.lowerBound + 2..<word.upperBound, rules)
        }
        // “NATO-st” has an ending.
        if rules.code == "et", unit(word.lowerBound - 1).isDash, unit(word.lowerBound - 2).isLetter,
            EstonianNumbers.endingsOfAbbreviations.contains(key), unit(word.lowerBound).isLowercase
        {
            return false
        }
        if let stem = rules.shortAdjectives[key], adjective(word, stem: stem, rules) { return true }
        if key.hasPrefix("c"), spoons(word, rules) { return true }
        if has("/", at: word.upperBound), word.count == 1, slashed(word, key, rules) { return true }
        if key == "in", rules.code == "fr", sizeOfBook(word) { return true }
        if has(".", at: word.upperBound) {
            if rules.code == "fr", isCapital(word), hyphenatedInitials(word) { return true }
            if rules.code == "de", key == "d", let article = articleInCase(word) {
                return say([.beforeName(article).lowercased], for: word, dotAt: word.upperBound)
            }
            if rules.code == "de", townAtRiver(word, key) { return true }
            if rules.code == "es", era(word, key) { return true }
            if let words = wordsBetween(word, key, rules) {
                return say([.anywhere(words)], for: word, dotAt: word.upperBound)
            }
            if hasOtherMeaning(word, key, rules) { return false }
            // “par ex. Marie”, “(ex. Paris)”, but “son ex. Paris”
            if rules.code == "fr", key == "ex",
                previousWord(before: word.lowerBound) == "par" || has("(", at: word.lowerBound - 1)
            {
                return say([.anywhere("exemple")], for: word, dotAt: word.upperBound)
            }
            if rules.code == "fr", key == "pl", let words = squareOrPlate(at: word.upperBound + 1) {
                return say([.beforeName(words)], for: word, dotAt: word.upperBound)
            }
            if rules.code == "en", stateCutShort(word, key: key) { return true }
            if let words = fatherOrStreet(word, key: key, rules) {
                return say([.anywhere(words)], for: word, dotAt: word.upperBound)
            }
            if isUnabbreviated(word, key: key, rules) { return false }
            // “J. M. G. Le Clézio” is one person.
            if isBehindInitial(word), initial(word) { return true }
            if word.count <= 4, dottedAbbreviation(word, rules) { return true }
            if let readings = rules.abbreviations[key], say(readings, for: word, dotAt: word.upperBound) { return true }
            return ending(word, key: key, rules) || initial(word)
        }
        if rules.code == "fr", signOfNumbers(word, key) { return true }
        if unit(word.upperBound) == 0xB0, let readings = rules.abbreviations[key + "°"] {
            return say(readings, for: word.lowerBound..<word.upperBound + 1, dotAt: nil)
        }
        // “1ST PRIZE”
        let isOrdinal = rules.code == "en" && key == "st" && unit(word.lowerBound - 1).isDigit
        guard let readings = rules.abbreviations[key], !isOrdinal, !isOtherWord(word, key, rules),
            !hasOtherMeaning(word, key, rules)
        else { return false }
        return say(readings.filter(\.dotIsOptional), for: word, dotAt: nil)
    }

    /// A French abbreviation or initials behind an elided word.
    ///
    /// “l'art. 5”, “d'A.-M. Roy”, “l'O.N.U.” and “d'A. Camus” have some.
    private mutating func elided(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard has(".", at: word.upperBound) else { return false }
        if let readings = rules.abbreviations[lowercased(word)], say(readings, for: word, dotAt: word.upperBound) {
            return true
        }
        guard isCapital(word) else { return false }
        if hyphenatedInitials(word) || initials(word) { return true }
        // “vers l'E. Paris dort”
        guard has("d", at: word.lowerBound - 2), isName(at: word.upperBound + 1), !beginsSentence(word.upperBound + 1)
        else { return false }
        say(text(word), for: word.lowerBound..<word.upperBound + 1)
        noteWord(word)
        return true
    }

    /// An Estonian word that is cut short and has its ending behind a hyphen.
    ///
    /// “45. km-l” and “ptk-s 3” have one.
    mutating func shortWordWithEnding(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        guard rules.code == "et", unit(word.lowerBound).isLowercase else { return false }
        if valueAddedTax(word, key: key) { return true }
        guard unit(word.upperBound).isDash || key == "a",
            let noun = shortNounInCase(key, at: word.lowerBound, rules)
        else { return false }
        // “2027. a-ks”, but “variandid a-st e-ni”
        let isBehindOrdinal =
            lastNumberEnd > 0 && lastNumberEnd == word.lowerBound - 1 && has(".", at: lastNumberEnd - 1)
        guard key.utf16.count > 1 || isBehindOrdinal else { return false }
        // “2025. a aruanne”, “2025. a. lõpus”
        let hasStop = has(".", at: word.upperBound)
        let end =
            unit(word.upperBound).isDash ? wordEnd(from: word.upperBound + 1) : word.upperBound + (hasStop ? 1 : 0)
        say(noun, for: word.lowerBound..<end)
        noteWord(word)
        return true
    }

    /// The Estonian tax of bills, which looks like a kilometre: “hind km-ta”, “km 22%”, but “iga km-ga”, “5 km-ga” and
    /// “viis km 22% tõusuga”.
    private mutating func valueAddedTax(_ word: Range<Int>, key: String) -> Bool {
        guard key == "km" else { return false }
        let isCounted = lastNumberEnd > 0 && lastNumberEnd == word.lowerBound - 1
        let isCountedInWords = Self.countsOfKilometers.contains(previousWord(before: word.lowerBound))
        if unit(word.upperBound).isBlank, !isCounted, !isCountedInWords {
            // “lisandub km 22%”
            let rate = word.upperBound + 1
            let end = digitsEnd(from: rate)
            guard (1...2).contains(end - rate), has("%", at: skipBlanks(from: end)) else { return false }
            say("käibemaks", for: word)
            noteWord(word)
            return true
        }
        guard unit(word.upperBound).isDash else { return false }
        let ending = word.upperBound + 1..<wordEnd(from: word.upperBound + 1)
        guard ["ga", "ta"].contains(lowercased(ending)),
            !(lastNumberEnd > 0 && lastNumberEnd == word.lowerBound - 1),
            !Self.wordsBeforeKilometer.contains(previousWord(before: word.lowerBound))
        else { return false }
        say("käibemaksu" + lowercased(ending), for: word.lowerBound..<ending.upperBound)
        noteWord(word)
        return true
    }

    private static let wordsBeforeKilometer: Set<String> = [
        "esimese", "iga", "järgmise", "kahe", "kolme", "kümne", "mitme", "mõne", "paari", "teise", "viimase", "ühe",
    ]

    /// Whether a word without a full stop only looks cut short: “RM 500”, “MK 5”, “PLS regression”, “Ust-Kut”.
    private func isOtherWord(_ word: Range<Int>, _ key: String, _ rules: LanguageRules) -> Bool {
        switch key {
        // “14 Mill Rd, Ely”, but “the Hail Mary Ave Maria”, “Ann Lee RD” and “The Ln function”
        case "ave", "ln", "rd", "sq":
            rules.code == "en"
                && (isCapitals(word) || isName(at: word.upperBound)
                    || ["a", "my", "our", "press", "the", "this", "use", "your"].contains(lowercased(lastWord)))
        case "mk", "pls", "rm": rules.code == "en" && isCapitals(word)
        // “prof dr Kask”, but “ta on prof sportlane”
        case "prof":
            rules.code == "et" && unit(word.upperBound).isBlank && unit(word.upperBound + 1).isLowercase
                && nextWord(from: word.upperBound) != "dr"
        // “Herr RA Voss”, “RA Dr. Voss”, but “der Gott Ra Horus” and “Frau RA Dr. Voss”
        case "ra":
            rules.code == "de" && !["herr", "herrn"].contains(previousWord(before: word.lowerBound))
                && (previousWord(before: word.lowerBound) == "frau"
                    || !["dr", "prof"].contains(nextWord(from: word.upperBound)))
        case "ust": rules.code == "de" && !unit(word.lowerBound + 1).isUppercase
        // “Lp hr Tamm”, but “LP plaat”
        case "lp": rules.code == "et" && isCapitals(word)
        default: false
        }
    }

    /// Whether a word is cut short, but stands for another one than elsewhere.
    private func hasOtherMeaning(_ word: Range<Int>, _ key: String, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: word.lowerBound)
        let after = has(".", at: word.upperBound) ? word.upperBound + 1 : word.upperBound
        let digit = word.lowerBound - 2
        switch (rules.code, key) {
        // “Dupont et al. 2020”
        case ("fr", "al"): return before == "et"
        // “le prof. Martin”, but “elle est prof. Paul”
        case ("fr", "prof"): return !["au", "du", "le"].contains(before)
        // “les nos 2 et 3”, but “nos 2 enfants” and “les nos 4”
        case ("fr", "nos"):
            let end = digitsEnd(from: skipBlanks(from: after))
            let isList = Self.joints.contains(nextWord(from: end)) || has(",", at: end) || unit(end).isDash
            return !isList || !["aux", "des", "les"].contains(before)
        case ("et", "al"): return before == "et" && has(".", at: word.upperBound)
        // “ein Abstand von 2 em. Der Rand”
        case ("de", "em"): return unit(digit).isDigit
        // “5:4 i. E.”, but “400 i. E. Vitamin D”
        case ("de", "i"):
            let second = skipBlanks(from: after)
            return unit(word.lowerBound).isLowercase && self.word(at: second) == "e"
                && nextWord(from: second + 2) != "s" && !isBehindScore(word)
        case ("en", "matt"), ("en", "tim"): return !isVerse(at: after)
        // “PS. 5 people came.”, “in ROM. 5 of them”
        case ("en", _) where Self.wordsLikeBooks.contains(key) && isCapitals(word): return !isVerse(at: after)
        // “Sir Roy Dunn Bt. of Leeds”, but “Bt. corn”
        case ("en", "bt"): return Self.plantsOfGenes.contains(nextWord(from: after))
        // “2 tabs. a day”, but “He has 20 tabs.”
        case ("en", "tab"), ("en", "tabs"): return isSentenceEnd(after) || isName(at: after)
        // “the Rt Hon. Ann Lee”, but “RT Documentary”
        case ("en", "rt"):
            return !["hon", "honorable", "honourable", "rev", "reverend"].contains(nextWord(from: after))
        // “Art. L. 121-4”, but “M. L. 20 ans”
        case ("fr", "l"), ("fr", "r"):
            return unit(skipBlanks(from: after)).isDigit
                && !["art", "article", "articles", "arts"].contains(abbreviatedWord(before: word.lowerBound))
        // “ch. 450 €” are charges.
        case ("fr", "ch"):
            let amount = digitsEnd(from: skipBlanks(from: after))
            return unit(skipBlanks(from: amount)) == 0x20AC
        // “2e porte à dr.” and “de g. à dr.”, but “le dr. Roy”
        case ("fr", "dr"), ("fr", "g"):
            let isSide = before == "à" || before == "de" && nextWord(from: after) == "à"
            return unit(word.lowerBound).isLowercase && !isSide
        // “un fusible de 10 amp.”
        case ("fr", "amp"):
            return Self.wordsOfCurrents.contains(lowercased(lastWord))
                || lowercased(lastWord) == "de" && Self.wordsOfCurrents.contains(wordBeforeName)
        // “5 jours ouvr.”
        case ("fr", "ouvr"): return ["jour", "jours"].contains(before)
        // “Dupont et coll. 2020”, “en coll. avec Dupont”
        case ("fr", "coll"): return ["en", "et"].contains(before)
        // “la doc. technique”, “2 doc. de huevos”
        case ("fr", "doc"): return ["cette", "la", "ma", "une"].contains(before)
        case ("es", "doc"): return unit(digit).isDigit
        // “2 kg de pdt 3 €” has potatoes.
        case ("fr", "pdt"): return before == "de"
        // “le Gal Leclerc”, but “Gal Gadot” and “Yves Le Gal Martin”
        case ("fr", "gal"):
            let isPerson = unit(lastWord.lowerBound).isUppercase && !isLineStart(lastWord.lowerBound)
            return isPerson || !["au", "du", "le"].contains(before)
        // “(min. 23 y 41)” is of a game, “min. 3 noches” and “(min. 4, máx. 8)” the least.
        case ("es", "min"):
            // “en el min. 90”
            if ["al", "del", "el"].contains(before) { return false }
            let end = digitsEnd(from: skipBlanks(from: after))
            let isLeast = has(",", at: end) && ["max", "máx", "máximo"].contains(nextWord(from: end + 1))
            return isLeast || !has("(", at: word.lowerBound - 1)
                || !(has(")", at: end) || has(",", at: end) || nextWord(from: end) == "y")
        // “Verb d. Woche”, but “in d. Woche”
        case ("de", "d"):
            return unit(word.lowerBound).isLowercase && isName(at: after)
                && (beginsSentence(after) || isBehindPreposition(word)
                    || !followsName(word) && !has(".", at: wordEnd(from: skipBlanks(from: after))))
        // “2 Pf. Mehl” are pounds; “en la Univ. Luego”
        case ("de", "pf"): return isName(at: after) && !beginsSentence(after)
        case ("es", "univ"), ("fr", "univ"): return beginsSentence(after)
        // “le resp. des ventes”, “en orden asc.”
        case ("fr", "resp"): return ["au", "ce", "du", "la", "le", "un", "une"].contains(before)
        case ("es", "asc"), ("fr", "asc"): return ["orden", "ordre"].contains(before)
        // “durante 7 d.” has days, “en 1936 d. Manuel” and “art. 7 d.” have none, nor has “en 1453 d. C.”.
        case ("es", "d"):
            return unit(word.lowerBound).isLowercase && nextWord(from: after) != "c"
                && (unit(digit - 3).isDigit || Self.partsOfTexts.contains(lowercased(lastWord)))
        // “AutoCAD v. 2024” has a version.
        case ("fr", "v") where isAboutYear(after) && isBehindProduct(word): return true
        case ("es", "h") where unit(digit).isDigit: return true
        case ("es", "h"), ("es", "v"), ("fr", "v"):
            // “H. G. Wells” has initials.
            return unit(word.lowerBound).isLowercase && !isAboutYear(after)
                && !(key == "v" && (isReference(at: after) || isAside(word) && isName(at: after)))
        // “un plano a esc. 1:100” has a scale.
        case ("es", "esc"): return has(":", at: digitsEnd(from: skipBlanks(from: after)))
        // “60 €/hab.”, “un hotel de 120 hab.”, “12 hab.”
        case ("es", "hab"):
            let isShort = unit(digit).isDigit && unit(digit - 1).isDigit && !unit(digit - 2).isDigit
            let isRooms = isShort || Self.lodgings.contains(wordBeforeName)
            return has("/", at: word.lowerBound - 1) || has("/", at: after) && isBehindOne(word)
                || unit(digit - 1).isDigit && isRooms && !has("/", at: after) && !unit(skipBlanks(from: after)).isDigit
        // “2.000 pts” were an amount of money.
        case ("es", "pts"):
            return unit(digit - 2).isDigit && (unit(digit - 3).isDigit || unit(digit - 4).isDigit)
        // “en mar.”, but “el mar.”
        case ("es", "mar"): return !["desde", "en", "hasta"].contains(before)
        // “se escribe con ene.” has a letter.
        case ("es", "ene"): return ["con", "doble", "la", "letra", "sin", "una"].contains(before)
        // “un disco de 2 tb.”
        case ("es", "tb"): return unit(digit).isDigit
        // “vid. cap. 3”, but “la vid.”
        case ("es", "vid"): return !isReference(at: after)
        // “Robert Downey Sr. en 2021”
        case ("es", "sr"): return followsName(word) && !isName(at: after) && !Self.salutations.contains(before)
        default: return false
        }
    }

    /// Abbreviations of English books of the Bible that are other words in capitals.
    private static let wordsLikeBooks: Set<String> = ["cor", "isa", "lev", "prov", "ps", "rom"]

    /// English words behind the name of a gene in plants.
    private static let plantsOfGenes: Set<String> = [
        "corn", "cotton", "crop", "crops", "eggplant", "gene", "genes", "maize", "plants", "protein", "proteins",
        "rice", "seed", "seeds", "soy", "soybean", "soybeans", "toxin", "toxins",
    ]

    /// French words for what electric current flows through.
    private static let wordsOfCurrents: Set<String> = [
        "calibre", "câble", "courant", "disjoncteur", "disjoncteurs", "fusible", "fusibles", "intensité", "prise",
        "prises",
    ]

    /// Whether the number of a chapter and a colon follow: “8:28”.
    private func isVerse(at after: Int) -> Bool { has(":", at: digitsEnd(from: skipBlanks(from: after))) }

    /// Whether a score such as “5:4” stands right before the word.
    private func isBehindScore(_ word: Range<Int>) -> Bool {
        let end = word.lowerBound - 1
        var start = end
        while end - start < 2, unit(start - 1).isDigit { start -= 1 }
        return unit(end).isBlank && start < end && has(":", at: start - 1)
    }

    /// Whether a name or a number stands right before the word, which may be a product with its version.
    private func isBehindProduct(_ word: Range<Int>) -> Bool {
        let isName = followsName(word) && !isLineStart(lastWord.lowerBound)
        return isName || unit(word.lowerBound - 1).isBlank && unit(word.lowerBound - 2).isDigit
    }

    /// Whether four digits follow, which are a year.
    ///
    /// “v. 1086” and “h. 1250” have one, “v. 12” and “v. 2.0” have none.
    private func isAboutYear(_ after: Int) -> Bool {
        let year = skipBlanks(from: after)
        return year > after && digitsEnd(from: year) == year + 4 && !unit(year + 4).isLetter
    }

    /// Whether a French or Spanish word for a part of a text follows.
    ///
    /// “v. fig. 3” has one.
    private func isReference(at after: Int) -> Bool { Self.partsOfTexts.contains(nextWord(from: after)) }

    private static let partsOfTexts: Set<String> = [
        "anexo", "annexe", "apartado", "art", "artículo", "aussi", "cap", "chap", "fig", "figs", "figura", "figure",
        "infra", "lib", "nota", "note", "p", "pp", "pág", "págs", "supra", "t", "tab", "tabla", "tableau", "también",
        "tb", "vol",
    ]

    /// Spanish words with a capital letter before a person's title.
    private static let salutations: Set<String> = [
        "al", "apreciado", "del", "distinguido", "el", "estimado", "excelentísimo", "ilustrísimo", "muy", "querido",
        "un", "y",
    ]

    /// An adjective that is cut short and agrees with its noun, as in “velocidad máx.”.
    private mutating func adjective(_ word: Range<Int>, stem: String, _ rules: LanguageRules) -> Bool {
        let hasStop = has(".", at: word.upperBound)
        let after = hasStop ? word.upperBound + 1 : word.upperBound
        let next: NextKind = unit(skipBlanks(from: after)).isDigit ? .number : isName(at: after) ? .name : .other
        // “20 minutos máx.” has an adverb.
        let isCounted = rules.code == "es" && lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1
        let place =
            isCounted
            ? Numerals.Place()
            : Numerals.Place(before: abbreviatedWord(before: word.lowerBound), after: nextWord(from: after))
        // “Da kommt Max. Peter geht.”
        let isPerson = word.count == 3 && stem == "maximal" && isCapitalInLine(word)
        guard hasStop || rules.code == "es", !isPerson, let words = rules.adjective?(stem, place, next) else {
            return false
        }
        say(words, for: word.lowerBound..<(hasStop && isSentenceEnd(after) ? after - 1 : after))
        noteWord(word)
        return true
    }

    /// Whether it has a capital letter, though it begins no line.
    private func isCapitalInLine(_ word: Range<Int>) -> Bool {
        unit(word.lowerBound).isUppercase && !isLineStart(word.lowerBound)
    }

    /// A word whose end is cut short: “Hauptstr.”.
    private mutating func ending(_ word: Range<Int>, key: String, _ rules: LanguageRules) -> Bool {
        // “illustr.” is no street.
        guard unit(word.lowerBound).isUppercase else { return false }
        for (short, whole) in rules.abbreviationEndings {
            let stem = word.upperBound - short.utf16.count
            guard key.hasSuffix(short), stem > word.lowerBound + 2 else { continue }
            let stop = word.upperBound + 1
            say(text(word.lowerBound..<stem) + whole, for: word.lowerBound..<(isSentenceEnd(stop) ? stop - 1 : stop))
            noteWord(word)
            return true
        }
        return false
    }

    /// An abbreviation of several parts that each have a full stop.
    ///
    /// Hyphens may stand between, as in “av. J.-C.”.
    private mutating func dottedAbbreviation(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        var key = lowercased(word)
        var dot = word.upperBound
        var found: (readings: [Abbreviation], dot: Int?, end: Int)?
        for _ in 0..<3 {
            let next = has("-", at: dot + 1) ? dot + 2 : skipBlanks(from: dot + 1)
            guard unit(next).isLetter else { break }
            let nextEnd = wordEnd(from: next)
            // “Dipl.-Psych.”
            guard nextEnd - next <= (key == "dipl" ? 9 : 4) else { break }
            key += "." + lowercased(next..<nextEnd)
            let hasDot = has(".", at: nextEnd)
            let isOfName = areInitials(word.lowerBound..<nextEnd, before: nextEnd + 1)
            if hasDot, !isOfName, let stem = rules.shortAdjectives[key] {
                let place = Numerals.Place(
                    before: abbreviatedWord(before: word.lowerBound),
                    after: nextWord(from: nextEnd + 1)
                )
                guard let words = rules.adjective?(stem, place, isName(at: nextEnd + 1) ? .name : .other) else { break }
                say(words, for: word.lowerBound..<nextEnd + 1)
                noteWord(word)
                return true
            }
            if let readings = rules.abbreviations[key], hasDot || next == dot + 1 || readings[0].dotIsOptional {
                found = (readings, hasDot ? nextEnd : nil, nextEnd)
            }
            guard hasDot || has("-", at: nextEnd) else { break }
            dot = nextEnd
        }
        if let found, say(found.readings, for: word.lowerBound..<found.end, dotAt: found.dot) { return true }
        return initials(word)
    }

    private mutating func say(_ readings: [Abbreviation], for word: Range<Int>, dotAt dot: Int?) -> Bool {
        let after = dot.map { $0 + 1 } ?? word.upperBound
        let isCapitalised = unit(word.lowerBound).isUppercase
        for reading in readings where isCapitalised ? !reading.isLowercased : !reading.isCapitalised {
            guard !reading.mayBeInitials || !areInitials(word, before: after) else { continue }
            let isJoined = reading.mayHaveHyphen && has("-", at: after) && unit(after + 1).isUppercase
            guard isJoined || holds(reading.condition, word: word, after: after) else { continue }
            let keepsDot = dot != nil && endsSentence(after, reading.condition)
            say(reading.words, for: word.lowerBound..<(keepsDot ? after - 1 : after))
            noteWord(word)
            return true
        }
        return false
    }

    /// Whether the full stop also ends a sentence and so is still to be heard.
    private func endsSentence(_ after: Int, _ condition: Abbreviation.Condition) -> Bool {
        // “Pennsylvania Ave. NW”
        isSentenceEnd(after)
            || Self.conditionsOfEnds.contains(condition) && beginsSentence(after)
            || condition == .afterName && isName(at: after) && !Self.endsOfNames.contains(nextWord(from: after))
    }

    /// Conditions of abbreviations behind which a sentence may end.
    private static let conditionsOfEnds: Set<Abbreviation.Condition> = [
        .afterCount, .afterNumber, .afterOrdinal, .alongName,
    ]

    /// Points of the compass and kinds of firms, which belong to the name before them.
    private static let endsOfNames: Set<String> = [
        "e", "inc", "llc", "ltd", "n", "ne", "nw", "plc", "s", "se", "sw", "w",
    ]

    private func holds(_ condition: Abbreviation.Condition, word: Range<Int>, after: Int) -> Bool {
        switch condition {
        case .anywhere: true
        case .beforeName: isName(at: after)
        case .beforeSurname: isBeforeSurname(word, after)
        case .afterName: followsName(word) || isOfFirm(word)
        case .beforeNumber: unit(skipBlanks(from: after)).isDigit || isNumeral(at: skipBlanks(from: after), of: word)
        case .betweenNumbersOfLaw:
            unit(skipBlanks(from: after)).isDigit
                && (isBehindNumberOfLaw(word)
                    || rules?.code == "et" && Self.documents.contains(previousWord(before: word.lowerBound)))
        case .beforeWord: unit(after).isBlank && unit(after + 1).isLowercase
        case .beforeOf: isBeforeOf(after)
        case .beforeMonth: monthAndYear(at: skipBlanks(from: has(":", at: after) ? after + 1 : after)) != nil
        case .beforePage: unit(skipBlanks(from: after)).isDigit || isPageNumeral(at: skipBlanks(from: after), of: word)
        case .afterNumber:
            max(lastNumberEnd, lastRomanEnd) >= word.lowerBound - 1 && max(lastNumberEnd, lastRomanEnd) > 0
                && !isCapital(word) && !isPartOfLabel(word)
        case .afterMoney: isBehindMoney(word)
        case .afterCount:
            // “4,5 mld a”
            EstonianNumbers.scalesInGenitive[abbreviatedWord(before: word.lowerBound)] != nil
                && !unit(word.upperBound).isDash
                || unit(word.lowerBound - 1).isBlank && unit(word.lowerBound - 2).isDigit
                    && !(unit(word.lowerBound - 5).isDigit && unit(word.lowerBound - 4).isDigit)
        case .afterOne: isBehindOne(word)
        case .afterDigit: !has("/", at: after) && isBehindDigit(word)
        // “GEB. AM 3. MAI” has no building.
        case .beforeLetters: unit(word.upperBound - 1).isLowercase && isBeforeLetters(skipBlanks(from: after))
        case .beforeTime: isBeforeTime(skipBlanks(from: after))
        case .midSentence: !isSentenceEnd(after) && !isName(at: after)
        case .afterOrdinal:
            lastNumberEnd > 0 && lastNumberEnd == word.lowerBound - 1 && has(".", at: lastNumberEnd - 1)
                || isBehindOrdinalInLetters(word)
        case .inGenitive: isInGenitive(word)
        case .inDative: isInDative(word)
        case .afterPages: isBehindPages(word, after)
        case .afterAuthor: followsName(word) && isBeforeVerbOfAuthors(after)
        case .beforeSource:
            has("§", at: skipBlanks(from: after)) || GermanNumbers.sources.contains(nextWord(from: after))
        case .beforeEstimate: unit(after).isBlank && EstonianNumbers.estimates.contains(nextWord(from: after))
        case .beforeGenitive: isName(at: after) && nextWord(from: after).hasSuffix("s")
        case .afterOwner: isBehindOwner(word)
        case .ofDwelling: isOfDwelling(word)
        case .beforeLife: isBeforeLife(after, behind: word)
        case .ofNote: isOfNote(word, after)
        case .beforePerson:
            ["al", "del", "el", "un"].contains(previousWord(before: word.lowerBound)) && isName(at: after)
                && !Self.countsOfChapters.contains(nextWord(from: after))
        case .ofDate:
            lowercased(lastWord) == "de" && lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1
                && nextWord(from: after) == "de"
        case .alongName: followsName(word) && ["mööda", "piki"].contains(wordBeforeName)
        case .beforePart: EstonianNumbers.partsOfCenturies.contains(nextWord(from: after))
        }
    }

    /// Whether an amount of money with its sign or its code stands right before the word: “£950 pcm”, “GBP 220 pw”.
    private func isBehindMoney(_ word: Range<Int>) -> Bool {
        guard let rules, let amount = output.last?.range, lastNumberEnd > 0, lastNumberEnd == amount.upperBound,
            lastNumberEnd >= word.lowerBound - 1
        else { return false }
        return rules.money.currencies[text(amount.lowerBound..<amount.lowerBound + 1)] != nil
            || rules.money.currencies[text(amount.lowerBound..<wordEnd(from: amount.lowerBound))] != nil
    }

    /// Whether a year in brackets follows, or a German verb of what authors do.
    private func isBeforeVerbOfAuthors(_ after: Int) -> Bool {
        let next = skipBlanks(from: after)
        if has("(", at: next) { return digitsEnd(from: next + 1) == next + 5 }
        return GermanNumbers.verbsOfAuthors.contains(nextWord(from: after))
            && !GermanNumbers.wordsBeforePlaces.contains(wordBeforeName)
    }

    /// Whether a number right before the word has an article in the genitive.
    ///
    /// “Des 19. Jh.” and “des 18. und 19. Jh.” have one.
    private func isInGenitive(_ word: Range<Int>) -> Bool {
        guard lastNumberEnd > 0, lastNumberEnd == word.lowerBound - 1 else { return false }
        var start = lastNumberEnd
        if has(".", at: start - 1) { start -= 1 }
        while lastNumberEnd - start < 4, unit(start - 1).isDigit { start -= 1 }
        let before = abbreviatedWord(before: start)
        let isJoined = rules?.numerals.ordinalJoints.contains(before) == true
        return GermanNumbers.genitiveArticles.contains(isJoined ? lowercased(wordBeforeLast) : before)
    }

    /// Whether a number right before the word is behind a preposition: “binnen 14 Tg.”.
    private func isInDative(_ word: Range<Int>) -> Bool {
        guard lastNumberEnd > 0, lastNumberEnd == word.lowerBound - 1 else { return false }
        var start = lastNumberEnd
        while lastNumberEnd - start < 4, unit(start - 1).isDigit { start -= 1 }
        return start < lastNumberEnd && GermanNumbers.lengthsInDativeFollow.contains(previousWord(before: start))
    }

    /// Whether the word ends how many pages a book has: “(412 S.)”, “412 S., 24 €”.
    private func isBehindPages(_ word: Range<Int>, _ after: Int) -> Bool {
        let mark = unit(after)
        return unit(word.lowerBound - 1).isBlank && unit(word.lowerBound - 2).isDigit
            && unit(word.lowerBound - 3).isDigit
            && (mark == 0x2C || mark == 0x3B || mark == 0x29 || mark.isSpace && isSentenceEnd(after))
    }

    /// Whether an Estonian letter is part of a figure's number (“joon 3a”), and no year's (“2010a”).
    private func isPartOfLabel(_ word: Range<Int>) -> Bool {
        rules?.code == "et" && word.count == 1 && unit(word.lowerBound - 1).isDigit
            && !unit(word.lowerBound - 4).isDigit
    }

    /// Whether “1” stands right before the word, and is no end of a longer number or a span.
    private func isBehindOne(_ word: Range<Int>) -> Bool {
        let digit = word.lowerBound - 2
        let before = unit(digit - 1)
        return unit(digit + 1).isBlank && has("1", at: digit) && (before.isSpace || before == 0x28)
    }

    /// Whether a number of one digit stands before the word, one space away.
    private func isBehindDigit(_ word: Range<Int>) -> Bool {
        let digit = word.lowerBound - 2
        let before = unit(digit - 1)
        return unit(digit + 1).isBlank && unit(digit).isDigit && (before.isSpace || before == 0x28)
            && !unit(digit - 2).isDigit
    }

    /// Whether a name follows that is no month or season, and the word before it is not in capitals.
    private func isBeforeSurname(_ word: Range<Int>, _ after: Int) -> Bool {
        guard let rules, isName(at: after), unit(word.upperBound - 1).isLowercase else { return false }
        return !rules.numerals.yearsFollow.contains(nextWord(from: after))
    }

    /// Whether “of”, or a French or Spanish word for it, follows in small letters.
    private func isBeforeOf(_ after: Int) -> Bool {
        guard unit(after).isBlank, unit(after + 1).isLowercase else { return false }
        let next = nextWord(from: after)
        // “No. of course not.”
        if next == "of", nextWord(from: after + 3) == "course" { return false }
        return ["de", "del", "des", "du", "of"].contains(next) || next.hasPrefix("d'") || next.hasPrefix("d’")
    }

    /// Whether a number right before the word is that of a section or one of its paragraphs: “§ 5 p 3”.
    private func isBehindNumberOfLaw(_ word: Range<Int>) -> Bool {
        guard lastNumberEnd > 0, lastNumberEnd == word.lowerBound - 1, unit(word.lowerBound - 1).isBlank else {
            return false
        }
        var start = lastNumberEnd
        while lastNumberEnd - start < 6, unit(start - 1).isDigit { start -= 1 }
        guard unit(start - 1) != 0xA7, unit(start - 2) != 0xA7 else { return true }
        return Self.paragraphs.contains(abbreviatedWord(before: start))
    }

    /// Genitives of Estonian documents that have numbered points: “lepingu p 3.1”.
    private static let documents: Set<String> = [
        "eeskirja", "juhendi", "kirja", "korra", "lepingu", "määruse", "otsuse", "põhikirja", "protokolli", "seaduse",
        "tingimuste",
    ]

    /// Words for parts of a law that have parts of their own, in every language.
    private static let paragraphs: Set<String> = ["abs", "absatz", "art", "artikel", "lg", "lõige", "lõike"]

    private func isRomanNumeral(at index: Int) -> Bool {
        unit(index).isASCIILetter && isRomanNumeral(index..<wordEnd(from: index))
    }

    /// Whether a Roman numeral begins here that belongs to the abbreviation before it.
    ///
    /// In “C. V. Raman” and “vitamin C. I know”, it is an initial or a word.
    private func isNumeral(at index: Int, of word: Range<Int>) -> Bool {
        guard isRomanNumeral(at: index) else { return false }
        guard isCapital(word), let rules, !unit(index + 1).isLetterOrDigit else { return true }
        let isWord = rules.numerals.wordsOfOneCapital.contains(lowercased(index..<index + 1))
        // “S. M. el Rey” has initials, too.
        let isInitial = isName(at: index + 2) ? !beginsSentence(index + 2) : !isSentenceEnd(index + 2)
        return !isWord && !(has(".", at: index + 1) && isInitial)
    }

    private func isPageNumeral(at index: Int, of word: Range<Int>) -> Bool {
        isNumeral(at: index, of: word) || unit(index).isLetter && smallNumber(index..<wordEnd(from: index)) != nil
    }
}
