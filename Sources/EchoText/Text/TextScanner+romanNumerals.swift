/// Roman numerals: of chapters, centuries and rulers, behind names, at the beginning of a line, and of pages in small letters.
extension TextScanner {
    func isRomanNumeral(_ word: Range<Int>) -> Bool {
        guard word.count <= 9 else { return false }
        return word.allSatisfy { Self.romanValue(units[$0]) > 0 }
    }

    private static func romanValue(_ unit: UInt16) -> Int {
        switch unit {
        case 0x49: 1
        case 0x56: 5
        case 0x58: 10
        case 0x4C: 50
        case 0x43: 100
        case 0x44: 500
        case 0x4D: 1_000
        default: 0
        }
    }

    /// The numeral's value if it is written by the rules.
    private static func romanNumber(_ letters: [UInt16]) -> Int? {
        var value = 0
        for (index, letter) in letters.enumerated() {
            let own = romanValue(letter)
            let next = index + 1 < letters.count ? romanValue(letters[index + 1]) : 0
            value += own < next ? -own : own
        }
        return value > 0 && roman(value) == String(decoding: letters, as: UTF16.self) ? value : nil
    }

    private func romanNumber(_ word: Range<Int>) -> Int? { Self.romanNumber(Array(units[word])) }

    private static func roman(_ value: Int) -> String {
        let steps = [
            (1_000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        var rest = value
        var numeral = ""
        for (worth, letters) in steps {
            while rest >= worth {
                numeral += letters
                rest -= worth
            }
        }
        return numeral
    }

    mutating func romanNumeral(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        // “Henry VIII's wives”
        let ending = Self.isApostrophe(unit(word.upperBound - 2)) && has("s", at: word.upperBound - 1) ? 2 : 0
        guard ending == 0 || rules.code == "en" && word.count > ending,
            numeral(word.lowerBound..<word.upperBound - ending, rules)
        else { return false }
        position = max(position, word.upperBound)
        return true
    }

    private static func isApostrophe(_ unit: UInt16) -> Bool { unit == 0x27 || unit == 0x2019 }

    private mutating func numeral(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        if let ordinal = romanOrdinal(word, numerals) ?? englishOrdinal(word, rules) {
            say(ordinal, for: word)
            noteWord(word)
            lastRomanEnd = position
            return true
        }
        // “Section C” and “Class M” are letters.
        // “CHAPITRE DIX” is the tenth, not the five hundred and ninth.
        guard isRomanNumeral(word), word.count > 1 || Self.romanValue(units[word.lowerBound]) <= 10,
            let value = romanNumber(word), rules.code != "fr" || lowercased(word) != "dix"
        else { return false }
        let before = withoutElision(previousWord(before: word.lowerBound))
        // “XX.” is an ordinal where such numbers have a full stop.
        let hasDot = numerals.isDottedOrdinal != nil && has(".", at: word.upperBound)
        let next = word.upperBound + (hasDot ? 1 : 0)
        let after = nextWord(from: next)
        let isBeforeWord = unit(skipBlanks(from: next)).isLowercase
        let dotted = word.lowerBound..<next
        // “MCMXCIV” is the year of a book.
        if word.count > 4, (1_100..<2_100).contains(value) {
            say(numerals.year?(value) ?? numerals.cardinal(value, nil), for: word)
            noteWord(word)
            return true
        }
        let noun = hasDot ? nounOfChain(after, from: next, numerals) : after
        let isCounted =
            value < 100 && numerals.isBeforeOrdinalNoun(noun) && !numerals.romanCardinalsFollow.contains(before)
            && !(isBeforeWord && numerals.rulerBefore?(value, after) != nil && isRuler(before))
        // “Das war Teil I. Teil II folgt.”
        let isDotted = hasDot && isName(at: next) && !numerals.romanCardinalsFollow.contains(before)
        if isCounted || isDotted && isOrdinal(before, after, numerals) {
            let start = skipBlanks(from: next, atMost: 2)
            let governor = isJoinedToRuler(lastWord.lowerBound, before, numerals) ? governorOfRuler : before
            let place = Numerals.Place(
                before: governorOfCase(governor, of: start, rules),
                after: shortNounInCase(noun, at: start, rules) ?? noun
            )
            say(numerals.ordinal(value, place), for: dotted)
            lastNumberEnd = position
            if noun != after { (governorOfRuler, lastRulerEnd) = (governor, position) }
        } else if hasDot, value < 40, isBehindArticleOfRuler(before, numerals) {
            say(numerals.ordinal(value, Numerals.Place(before: before)), for: isSentenceEnd(next) ? word : dotted)
        } else if numerals.romanCardinalsFollow.contains(before) && !isPronoun(word, behind: before)
            && (rules.code == "en" || !isInitial(word, rules))
            || isOfSeries(word, behind: before) || isBeforeParts(word, after, rules) || isBehindStop(word, numerals)
            || value < 40 && isChained(word, numerals)
        {
            say(numerals.cardinal(value, nil), for: word)
            noteWord(word)
            sayRangeEnd(after: word, rules)
            lastRomanEnd = position
            return true
        } else if value < 40, isRuler(before), word.count > 1 || isNumberOfRuler(word, numerals),
            !isInitial(word, rules)
        {
            // “Wilhelms II. Flotte”
            let isOwner =
                rules.code == "de" && GermanOrdinals.isRulerInGenitive(before)
                && !SentenceOpeners.contains(after, language: "de")
            let keepsDot = isSentenceEnd(next) || isName(at: next) && !isOwner
            let owner = isBeforeWord ? numerals.rulerBefore?(value, after) : nil
            if let owner {
                say(owner, for: keepsDot ? word : dotted)
            } else {
                say(ruler: value, behind: before, for: keepsDot ? word : dotted, numerals)
            }
        } else if word.count > 1, value < 40, isBehindName(word, rules), !isAbbreviation(word, before, after) {
            let isOrdinal = hasDot && unit(skipBlanks(from: next)).isLowercase
            if isOrdinal {
                say(ruler: value, behind: before, for: dotted, numerals)
            } else {
                say(numerals.cardinal(value, nil), for: word)
            }
        } else if word.count > 1, value < 40, isHeading(word) {
            say(numerals.cardinal(value, nil), for: word)
        } else {
            return false
        }
        noteWord(word)
        return true
    }

    /// An English numeral with an ordinal's ending: “the XIXth century”, but not “Ind.”.
    private func englishOrdinal(_ word: Range<Int>, _ rules: LanguageRules) -> String? {
        let split = word.upperBound - 2
        let numeral = word.lowerBound..<max(split, word.lowerBound)
        guard rules.code == "en", word.count > 2, isRomanNumeral(numeral), unit(split).isLowercase,
            ["nd", "rd", "st", "th"].contains(lowercased(split..<word.upperBound)),
            numeral.count > 1 || has("V", at: word.lowerBound) || has("X", at: word.lowerBound),
            let value = romanNumber(numeral)
        else { return nil }
        return rules.numerals.ordinal(value, Numerals.Place())
    }

    /// The noun of a numeral with a full stop that is joined to another.
    ///
    /// It is “Jahrhundert” for both in “im XIX. und XX. Jahrhundert”.
    private func nounOfChain(_ word: String, from next: Int, _ numerals: Numerals) -> String {
        guard numerals.ordinalJoints.contains(word) else { return word }
        let other = skipBlanks(from: wordEnd(from: skipBlanks(from: next, atMost: 2)))
        let stop = wordEnd(from: other)
        guard unit(other).isUppercase, isRomanNumeral(other..<stop), has(".", at: stop), unit(stop + 1).isBlank else {
            return word
        }
        let noun = nextWord(from: stop + 1)
        return noun.isEmpty ? word : noun
    }

    /// Whether a German article behind a ruler's name stands before the word: “Friedrich der II.”.
    private func isBehindArticleOfRuler(_ article: String, _ numerals: Numerals) -> Bool {
        let name = wordBeforeName
        return rules?.code == "de" && ["dem", "den", "der", "des", "die"].contains(article)
            && unit(wordBeforeLast.lowerBound).isUppercase
            && (numerals.romanOrdinalsFollow.contains(name) || GermanOrdinals.isRulerInGenitive(name))
    }

    /// Whether “I” is a word of its own behind a noun that numerals follow, too.
    ///
    /// It is one in “the book I read” and “the class I teach”, but not in “book I of it” and “a type I error”.
    private func isPronoun(_ word: Range<Int>, behind noun: String) -> Bool {
        // “lisa II”, but “lisa V tilka”
        if rules?.code == "et", noun == "lisa" { return word.count == 1 }
        // “Part I” has a capital, but so has “Wars I have known” at the beginning of a sentence.
        let isPlural = noun.hasSuffix("s") && noun != "class"
        guard rules?.code == "en", word.count == 1, has("I", at: word.lowerBound),
            isPlural || unit(lastWord.lowerBound).isLowercase, wordBeforeName != "world", unit(word.upperBound).isBlank,
            unit(word.upperBound + 1).isLowercase
        else { return false }
        return EnglishNumbers.isPronoun(behind: noun, before: nextWord(from: word.upperBound))
    }

    /// Whether a single letter counts what has the name before it: “Saturn V”, but not “Malcolm X”.
    private func isOfSeries(_ word: Range<Int>, behind name: String) -> Bool {
        rules?.code == "en" && word.count == 1 && !has("I", at: word.lowerBound)
            && EnglishNumbers.series.contains(name) && unit(lastWord.lowerBound).isUppercase
    }

    /// The word right before the last one, in lower case, or an empty string.
    var wordBeforeName: String {
        !wordBeforeLast.isEmpty && wordBeforeLast.upperBound == lastWord.lowerBound - 1
            ? lowercased(wordBeforeLast) : ""
    }

    /// The word before a ruler's titles and names: “unter” in “unter Kaiser Karl V.”.
    private func wordBeforeRuler(_ numerals: Numerals) -> String {
        var start = lastWord.lowerBound
        for _ in 0..<3 {
            guard unit(start - 1).isBlank else { return "" }
            let end = start - 1
            var first = end
            while end - first < 16, unit(first - 1).isLetter { first -= 1 }
            let word = first < end ? lowercased(first..<end) : ""
            guard unit(first).isUppercase, numerals.romanOrdinalsFollow.contains(word) else {
                return isJoinedToRuler(first, word, numerals) ? governorOfRuler : word
            }
            start = first
        }
        return ""
    }

    /// Whether a word for “and” joins a ruler to the one before, so that both have one case.
    ///
    /// It does in “unter Karl V. und Otto II.”.
    private func isJoinedToRuler(_ joint: Int, _ word: String, _ numerals: Numerals) -> Bool {
        let gap = has(".", at: lastRulerEnd) ? 2 : 1
        return lastRulerEnd > 0 && lastRulerEnd + gap == joint && numerals.ordinalJoints.contains(word)
    }

    /// Says the number of a ruler, and notes what is before the ruler for another one that may follow.
    private mutating func say(ruler number: Int, behind name: String, for range: Range<Int>, _ numerals: Numerals) {
        let governor = wordBeforeRuler(numerals)
        say(numerals.ruler(number, name, governor), for: range)
        (governorOfRuler, lastRulerEnd) = (governor, range.upperBound)
    }

    /// Whether it is counted with the numeral before it: “siglos XIII, XIV y XV”.
    private func isChained(_ word: Range<Int>, _ numerals: Numerals) -> Bool {
        // “Chapters IX and X”
        let isTen = has("X", at: word.lowerBound) && has("I", at: lastRomanEnd - 2) && has("X", at: lastRomanEnd - 1)
        guard lastRomanEnd > 0, word.count > 1 || isTen || !numerals.wordsOfOneCapital.contains(lowercased(word))
        else { return false }
        if has(",", at: lastRomanEnd), skipBlanks(from: lastRomanEnd + 1) == word.lowerBound { return true }
        // “World Wars I & II”, “Phase I/II”
        let sign = skipBlanks(from: lastRomanEnd)
        if has("&", at: sign) || has("/", at: sign), skipBlanks(from: sign + 1) == word.lowerBound { return true }
        // “Kap. IV u. V”
        let isShort = rules?.code == "de" && lowercased(lastWord) == "u" && has(".", at: lastWord.upperBound)
        return lastWord.lowerBound == lastRomanEnd + 1
            && lastWord.upperBound == word.lowerBound - (isShort ? 2 : 1)
            && (isShort || Self.joints.contains(lowercased(lastWord)))
    }

    /// Whether parts of a work follow, which a single letter counts, and no name stands before: “de X títulos”, “en V actes”.
    private func isBeforeParts(_ word: Range<Int>, _ noun: String, _ rules: LanguageRules) -> Bool {
        let isBehindName =
            lastWord.upperBound >= word.lowerBound - 2 && unit(lastWord.lowerBound).isUppercase
            && !isLineStart(lastWord.lowerBound)
        // “dijo que X libros”, “il y avait X livres”
        let isUnknown =
            has("X", at: word.lowerBound)
            && !Self.wordsBeforeParts.contains(previousWord(before: word.lowerBound))
        return Self.parts[rules.code]?.contains(noun) == true && !isBehindName && !isUnknown
    }

    private static let wordsBeforeParts: Set<String> = ["aux", "de", "des", "en", "las", "les", "los", "ses", "sus"]

    private static let parts: [String: Set<String>] = [
        "es": ["actos", "artículos", "cantos", "capítulos", "libros", "partes", "tomos", "títulos", "volúmenes"],
        "fr": ["actes", "chants", "chapitres", "livres", "parties", "titres", "tomes", "volumes"],
    ]

    /// Words between two things that are counted, in every language.
    static let joints: Set<String> = [
        "and", "bis", "e", "et", "ja", "kuni", "o", "oder", "or", "ou", "to", "und", "või", "y", "à",
    ]

    /// The end of a range of numerals: “Chapters IV–VI”.
    private mutating func sayRangeEnd(after word: Range<Int>, _ rules: LanguageRules) {
        let dash = word.upperBound
        guard unit(dash).isDash, unit(dash + 1).isUppercase else { return }
        let other = dash + 1..<wordEnd(from: dash + 1)
        guard isRomanNumeral(other), let value = romanNumber(other) else { return }
        say(rules.signs.to, for: dash..<dash + 1)
        say(rules.numerals.cardinal(value, nil), for: other)
        noteWord(other)
    }

    private func isOrdinal(_ before: String, _ after: String, _ numerals: Numerals) -> Bool {
        !after.isEmpty && numerals.isDottedOrdinal?(before, after, true) == true
    }

    /// A Roman numeral with an ordinal's ending: “XIVe”, “Ier”.
    private func romanOrdinal(_ word: Range<Int>, _ numerals: Numerals) -> String? {
        guard numerals.romanOrdinalsHaveEndings, word.count >= 2, word.count <= 9,
            let split = word.first(where: { Self.romanValue(units[$0]) == 0 }), split > word.lowerBound,
            let like = numerals.ordinalEndings[lowercased(split..<word.upperBound)],
            let value = romanNumber(word.lowerBound..<split), lowercased(split..<word.upperBound) != "de",
            !isCapitals(split..<word.upperBound) || isOrdinalInCapitals(word, value)
        else { return nil }
        // “L'Inde”, “les Indes”
        guard value == 2 || !like.hasPrefix("second") else { return nil }
        // “Mer”, “Ce”, “Ide” and “Ver” are words; “Ier”, “XVe” and “Ve” are not.
        let isFifthOrTenth = (value == 5 || value == 10) && word.count == 2 && has("e", at: split)
        guard split - word.lowerBound > 1 || value == 1 && word.count > 2 || isFifthOrTenth else { return nil }
        return numerals.ordinal(value, Numerals.Place(after: like))
    }

    /// Whether a word in capitals, as in a heading, is an ordinal: “AU XIXE SIÈCLE” and “AU VIE SIÈCLE”, but not “LA VIE”,
    /// “LIRE” and “DIRE”.
    private func isOrdinalInCapitals(_ word: Range<Int>, _ value: Int) -> Bool {
        value < 40 && !["ire", "vie", "vies", "vire"].contains(lowercased(word))
            || ["arrondissement", "dynastie", "république", "siècle"].contains(nextWord(from: word.upperBound))
    }

    private func isRuler(_ name: String) -> Bool {
        guard let rules, !name.isEmpty, unit(startOfName).isUppercase else { return false }
        let numerals = rules.numerals
        // “der Tod Karls V.”
        let isGenitive =
            rules.code == "de" && name.hasSuffix("s") && numerals.romanOrdinalsFollow.contains(String(name.dropLast()))
        return isGenitive || numerals.romanOrdinalsFollow.contains(name)
            || !wordBeforeLast.isEmpty && wordBeforeLast.upperBound == lastWord.lowerBound - 1
                && numerals.romanOrdinalsFollow.contains(lowercased(wordBeforeLast))
    }

    /// Where the last word begins, behind what an apostrophe joins to it in French: “Henri” in “d'Henri IV”.
    private var startOfName: Int {
        let mark = rules?.code == "fr" ? lastWord.first { Self.isApostrophe(unit($0)) } : nil
        return mark.map { $0 + 1 } ?? lastWord.lowerBound
    }

    /// A word in lower case without what an apostrophe joins to its beginning in French.
    private func withoutElision(_ word: String) -> String {
        guard rules?.code == "fr", let mark = word.firstIndex(where: { $0 == "'" || $0 == "’" }) else { return word }
        return String(word[word.index(after: mark)...])
    }

    /// Whether a single letter behind a ruler's name is a number: “Henry I.” but not “Henry I know”.
    private func isNumberOfRuler(_ word: Range<Int>, _ numerals: Numerals) -> Bool {
        !numerals.wordsOfOneCapital.contains(lowercased(word)) || !unit(skipBlanks(from: word.upperBound)).isLetter
            || numerals.numbersOfRulersPrecede.contains(nextWord(from: word.upperBound))
            || Self.titlesOfRulers.contains(wordBeforeName) && mayBeginClause(wordBeforeLast)
    }

    /// Whether a clause may begin with an English title, so that “I” behind its name is a number.
    ///
    /// So it is in “In 1560 Queen Elizabeth I met Mary”, but not in “When I met Queen Elizabeth I curtsied”.
    private func mayBeginClause(_ title: Range<Int>) -> Bool {
        let end = title.lowerBound - 1
        guard unit(end).isBlank, unit(end - 1).isLetter else { return true }
        var start = end
        while end - start < 12, unit(start - 1).isLetter { start -= 1 }
        return Self.wordsBeforeClauses.contains(lowercased(start..<end))
    }

    private static let wordsBeforeClauses: Set<String> = [
        "and", "because", "but", "if", "that", "then", "though", "until", "when", "where", "whereas", "while",
    ]

    /// English titles, behind which “I” is a number before a verb, too: “Queen Elizabeth I met Mary.”.
    private static let titlesOfRulers: Set<String> = ["emperor", "empress", "king", "pope", "queen", "tsar"]

    /// Whether a single letter between a person's names is an initial.
    ///
    /// It is one in “John X. Smith” and “Dr. Karl V. Meier”.
    private func isInitial(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let next = word.upperBound + 1
        guard word.count == 1, has(".", at: word.upperBound), isName(at: next), !beginsSentence(next) else {
            return false
        }
        guard rules.code == "en" else { return isBehindFormOfAddress }
        let rulers = rules.numerals.romanOrdinalsFollow
        return !rulers.contains(wordBeforeName) && !Self.namesOfRulersAlone.contains(lowercased(lastWord))
            && !(rulers.contains(nextWord(from: next)) && isBeforeNumeral(next + 1))
    }

    /// Whether a Roman numeral stands behind the word that begins at `start`: “Edward II”.
    private func isBeforeNumeral(_ start: Int) -> Bool {
        let numeral = skipBlanks(from: wordEnd(from: start))
        return unit(numeral).isUppercase && isRomanNumeral(numeral..<wordEnd(from: numeral))
    }

    /// English names that only rulers have.
    private static let namesOfRulersAlone: Set<String> = [
        "artaxerxes", "boniface", "haakon", "innocent", "mehmed", "pius", "ptolemy", "ramesses", "ramses", "sixtus",
        "theodosius", "thutmose", "xerxes",
    ]

    /// Whether a form of address stands before the last word.
    ///
    /// “Herr Karl”, “hr Karl” and “Dr. med. Karl” have one.
    private var isBehindFormOfAddress: Bool {
        let end = wordBeforeLast.upperBound
        guard !wordBeforeLast.isEmpty, lastWord.lowerBound == (has(".", at: end) ? end + 2 : end + 1) else {
            return false
        }
        return Self.formsOfAddress.contains(String(lowercased(wordBeforeLast).prefix { $0 != "." }))
    }

    /// Words before the names of people who are no rulers, in every language, in full and cut short.
    private static let formsOfAddress: Set<String> = [
        "doktor", "dr", "dra", "fr", "frau", "herr", "herrn", "hr", "hrn", "härra", "m", "madame", "mlle", "mme",
        "monsieur", "pr", "preili", "prl", "prof", "professor", "proua", "señor", "señora", "sr", "sra", "srta",
    ]

    /// Whether it stands behind a word for what is counted that is cut short.
    ///
    /// “Vol. IV” is one.
    private func isBehindStop(_ word: Range<Int>, _ numerals: Numerals) -> Bool {
        // “S. V. Pérez” and “pl. V. Hugo” have initials.
        let mayBeInitial =
            lastWord.count == 1 && unit(lastWord.lowerBound).isUppercase || lowercased(lastWord) == "pl"
        let isInitial =
            mayBeInitial && word.count == 1
            && has(".", at: word.upperBound) && isName(at: word.upperBound + 1)
        return !lastWord.isEmpty && !isInitial && has(".", at: lastWord.upperBound)
            && numerals.romanCardinalsFollowStops.contains(abbreviatedWord(before: word.lowerBound))
    }

    /// Whether it counts what has the name before it: “Rocky IV”.
    private func isBehindName(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let start = startOfName
        guard lastWord.upperBound > start + 1, lastWord.upperBound == word.lowerBound - 1,
            unit(lastWord.upperBound).isBlank, unit(start).isUppercase, unit(start + 1).isLowercase
        else { return false }
        // “Mary's IV” is no part of her name.
        let isPossessive = lastWord.count > 2 && Self.isApostrophe(units[lastWord.upperBound - 2])
        return !isPossessive
            && !SentenceOpeners.contains(lowercased(start..<lastWord.upperBound), language: rules.code)
    }

    /// Whether it stands for words: “Start IV fluids”, where the capital before it is only that of the sentence.
    private func isAbbreviation(_ word: Range<Int>, _ before: String, _ after: String) -> Bool {
        guard let numerals = rules?.numerals, numerals.romanAbbreviations.contains(lowercased(word)) else {
            return false
        }
        return numerals.romanAbbreviationsFollow.contains(before) || numerals.romanAbbreviationsPrecede.contains(after)
    }

    /// Whether it begins a line and has a full stop, or stands by itself, as a heading's number does.
    private func isHeading(_ word: Range<Int>) -> Bool {
        // “## IV”
        var start = word.lowerBound
        if unit(start - 1).isBlank, has("#", at: start - 2) {
            start -= 2
            while word.lowerBound - start < 7, has("#", at: start - 1) { start -= 1 }
        }
        guard isLineStart(start) else { return false }
        return has(".", at: word.upperBound)
            ? unit(word.upperBound + 1).isSpace : lastWord.isEmpty && isSentenceEnd(word.upperBound)
    }

    // MARK: Small numerals

    /// The numbers of pages in small letters: “pages ix–xii”.
    mutating func smallNumeral(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard let value = smallNumber(word) else { return false }
        let numerals = rules.numerals
        let before = abbreviatedWord(before: word.lowerBound)
        let dash = word.upperBound
        let other = dash + 1..<max(wordEnd(from: dash + 1), dash + 1)
        let end = unit(dash).isDash && !other.isEmpty ? smallNumber(other) : nil
        // “Scene iii” and “scene iii”, but “in part xi” stays
        let isPart =
            rules.code == "en" && numerals.romanCardinalsFollow.contains(before)
            && (unit(lastWord.lowerBound).isUppercase || Self.partsOfWorks.contains(before))
        // “vol. iii”, “vol. i, p. 5”, but “s. v. casa” and “Sec. v. Roy”
        let isBehindStop = has(".", at: lastWord.upperBound) && numerals.romanCardinalsFollowStops.contains(before)
        let isAlone =
            isBehindStop && before.count > 1 && value <= 10 && !unit(skipBlanks(from: word.upperBound)).isLetter
            && (!has(".", at: word.upperBound) || isSentenceEnd(word.upperBound + 1))
        // “pages ix à xii”
        let isJoined =
            lastRomanEnd > 0 && lastWord.lowerBound == lastRomanEnd + 1 && unit(lastRomanEnd - 1).isLowercase
            && (Self.joints.contains(before) || before == rules.signs.to) && unit(word.lowerBound - 1).isBlank
        let isPage =
            (isPart || isJoined || isBehindStop || numerals.pagesPrecede.contains(before))
            && (word.count > 1 || end != nil || isAlone)
        guard isPage || end != nil && numerals.romanCardinalsFollow.contains(before) else { return false }
        say(numerals.cardinal(value, nil), for: word)
        noteWord(word)
        lastRomanEnd = position
        if let end {
            say(rules.signs.to, for: dash..<dash + 1)
            say(numerals.cardinal(end, nil), for: other)
            noteWord(other)
        }
        return true
    }

    /// English words for parts of works, in small letters before a numeral in small letters.
    private static let partsOfWorks: Set<String> = ["act", "book", "canto", "chapter", "scene", "volume"]

    /// The value below 100 of a numeral in small letters.
    func smallNumber(_ word: Range<Int>) -> Int? {
        guard !word.isEmpty, word.count <= 9,
            word.allSatisfy({ unit($0) >= 0x61 && Self.romanValue(unit($0) - 0x20) > 0 })
        else { return nil }
        return Self.romanNumber(word.map { units[$0] - 0x20 }).flatMap { $0 < 100 ? $0 : nil }
    }
}
