import EchoText

/// Joins sentences that ICU's rules split too early, and splits those that it joins behind an ellipsis of one character.
///
/// - a title or another word that never ends a sentence (“Dr. Smith”, “z. B. so”);
/// - a word that is cut short only before a number or a numeral (“No. 7”, “chap. IV”; “No.” alone is a sentence);
/// - a word that may end one, unless a word follows with which sentences begin (“Smith & Co. London”);
/// - initials (“J. R. R. Tolkien”, “the U.S. Government”), under the same condition;
/// - a number that its full stop makes an ordinal, in languages that write them so (“21. November”, “im XIX. Jahrhundert”);
/// - a sentence never starts in lower case (“‘Really?’ she asked.”), in scripts that have two cases, nor with “&”.
///
/// ICU's own lists of abbreviations (`@ss=standard`) are not used: they compare only the ends of words, so that “Uhr.” passes for “Hr.”.
struct SentenceJoining {
    private let language: String
    private let abbreviations: SentenceAbbreviations

    init(language: String) {
        self.language = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
        abbreviations = SentenceAbbreviations.of(self.language)
    }

    /// The ranges, some of them joined; still in order and covering the whole text.
    func joined(_ ranges: [TextRange], in units: [UInt16]) -> [TextRange] {
        var joined: [TextRange] = []
        joined.reserveCapacity(ranges.count)
        let noted = Self.endingBehindNotes(ranges, in: units)
        let ended = beginningWithDashes(endingBehindEllipses(noted, in: units), in: units)
        for range in NumericOpenings.cut(ended, in: units, language: language) {
            if let last = joined.last, belongsTogether(last, range, in: units) {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The ranges with the signs of notes behind full stops in the sentences that they end: “He fled.¹² Then”, “He fled.[3] Then”.
    private static func endingBehindNotes(_ ranges: [TextRange], in units: [UInt16]) -> [TextRange] {
        var found: [TextRange] = []
        found.reserveCapacity(ranges.count)
        for range in ranges {
            let start = found.isEmpty ? range.lowerBound : endOfNotes(units[range], behind: units[range.lowerBound - 1])
            if let last = found.last, start > range.lowerBound { found[found.count - 1] = last.lowerBound..<start }
            if start < range.upperBound { found.append(start..<range.upperBound) }
        }
        return found
    }

    /// The end of the signs of notes with which the units begin, and of the space behind them; their beginning if there are none.
    private static func endOfNotes(_ units: ArraySlice<UInt16>, behind before: UInt16) -> Int {
        func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }
        func isRaised(_ unit: UInt16) -> Bool {
            unit == 0xB9 || unit == 0xB2 || unit == 0xB3 || unit == 0x2070 || (0x2074...0x2079).contains(unit)
        }
        guard !isSpace(before) else { return units.startIndex }
        var end = units.startIndex
        if before == 0x5B {
            let digits = units.prefix(4).prefix(while: isDigit)
            guard !digits.isEmpty, digits.endIndex < units.endIndex, units[digits.endIndex] == 0x5D else {
                return units.startIndex
            }
            end = digits.endIndex + 1
        } else {
            end = units.prefix(8).prefix(while: isRaised).endIndex
        }
        // A letter glued to it begins no next sentence: “10.²x”.
        guard end > units.startIndex, end == units.endIndex || isSpace(units[end]) else { return units.startIndex }
        while end < units.endIndex, isSpace(units[end]) { end += 1 }
        return end
    }

    /// The ranges, cut where an ellipsis of one character ends a sentence, as ICU cuts behind three full stops: “He left… Then”.
    private func endingBehindEllipses(_ ranges: [TextRange], in units: [UInt16]) -> [TextRange] {
        guard units.contains(0x2026) else { return ranges }
        var found: [TextRange] = []
        for range in ranges {
            var start = range.lowerBound
            for index in range where units[index] == 0x2026 && index >= start {
                guard let next = beginningBehindEllipsis(at: index, in: units[start..<range.upperBound]) else {
                    continue
                }
                found.append(start..<next)
                start = next
            }
            found.append(start..<range.upperBound)
        }
        return found
    }

    /// The ranges, cut where a Spanish speaker begins with a dash, which ICU takes for a mark within a sentence.
    ///
    /// “Calló. —¿Vienes?” has two.
    private func beginningWithDashes(_ ranges: [TextRange], in units: [UInt16]) -> [TextRange] {
        guard language == "es", units.contains(0x2014) else { return ranges }
        var found: [TextRange] = []
        for range in ranges {
            var start = range.lowerBound
            for index in range where units[index] == 0x2014 && index > start + 1 && index + 1 < range.upperBound {
                guard Self.isSpace(units[index - 1]), Self.endsSpeech(units[index - 2]),
                    Self.beginsSpeech(units[index + 1])
                else { continue }
                found.append(start..<index)
                start = index
            }
            found.append(start..<range.upperBound)
        }
        return found
    }

    private static func endsSpeech(_ unit: UInt16) -> Bool { [0x21, 0x2E, 0x3F, 0xBB, 0x2026].contains(unit) }

    private static func beginsSpeech(_ unit: UInt16) -> Bool {
        unit == 0xA1 || unit == 0xBF || Unicode.Scalar(unit)?.properties.isUppercase == true
    }

    /// Where a sentence begins behind an ellipsis, which a word with which sentences begin or a Spanish mark shows.
    private func beginningBehindEllipsis(at ellipsis: Int, in units: ArraySlice<UInt16>) -> Int? {
        var end = ellipsis + 1
        // French has a space before its closing mark.
        if language == "fr", end + 1 < units.endIndex, Self.isSpace(units[end]), units[end + 1] == 0xBB { end += 1 }
        while end < units.endIndex, Self.closingMarks.contains(units[end]) { end += 1 }
        let next = units[end...].prefix(while: Self.isSpace).endIndex
        let hasWords = units[..<ellipsis].contains { Unicode.Scalar($0)?.properties.isAlphabetic ?? false }
        guard hasWords, next > end, next < units.endIndex else { return nil }
        let rest = units[next...]
        if language == "es", rest.prefix(2).contains(where: { $0 == 0xBF || $0 == 0xA1 }) { return next }
        let word = Self.firstWord(of: rest)
        // “I” has a capital letter everywhere.
        guard word != "I", word.first?.isUppercase == true, !Self.startsWithInitial(rest) else { return nil }
        // “Elle dort… L'homme sort.”
        let isElided =
            language == "fr" && Self.elidedOpeners.contains(word)
            && rest.prefix(6).contains(where: { $0 == 0x27 || $0 == 0x2019 })
        return isElided || SentenceOpeners.contains(word.lowercased(), language: language) ? next : nil
    }

    /// French words with which sentences begin, before an apostrophe.
    private static let elidedOpeners: Set<String> = ["C", "J", "L", "N", "Qu", "S"]

    /// Quotation marks and brackets that may close behind a full stop.
    private static let closingMarks: Set<UInt16> = [
        0x22, 0x27, 0x29, 0x5D, 0xAB, 0xBB, 0x2018, 0x2019, 0x201C, 0x201D,
    ]

    private func belongsTogether(_ before: TextRange, _ after: TextRange, in units: [UInt16]) -> Bool {
        if Self.isBlank(units[after]) || Self.isBlank(units[before]) { return true }
        let endsParagraph = Self.endsParagraph(units[before])
        // “2 Erw. + 1 Kind”, but no list whose lines begin with “+”
        let isSign = units[after].first == UInt16(ascii: "+") || units[after].first == UInt16(ascii: "=")
        let isSum = isSign && units[before].last == 0x20 && units[after].dropFirst().first == 0x20
        // “18./19. Jahrhundert”
        let isSlashed = units[after].first == UInt16(ascii: "/") && units[before].last == UInt16(ascii: ".")
        let isContinued =
            Self.startsInLowerCase(units[after]) || units[after].first == UInt16(ascii: "&") || isSum || isSlashed
        if isContinued, !endsParagraph { return true }
        let end = Self.endOfText(in: units[before])
        // “PS! Lapsed tulevad.”
        if language == "et", !endsParagraph, units[before.lowerBound..<end].elementsEqual("PS!".utf16) { return true }
        guard end > before.lowerBound, units[end - 1] == UInt16(ascii: ".") else { return false }
        let tail = Tail(of: units[before.lowerBound..<end - 1])
        let next = Self.firstWord(of: units[after]).lowercased()
        let isOpener = SentenceOpeners.contains(next, language: language) && !Self.startsWithInitial(units[after])
        if let isJoined = continues(tail, in: units[after.lowerBound...], isBeforeOpener: isOpener) { return isJoined }
        guard !endsParagraph else { return false }
        // “P.S. We'll come.”, but “He added a P.S. We laughed.”
        if tail.keys.contains("p.s"), tail.word == "P.S" ? tail.wordBefore.isEmpty : tail.wordsBefore == ["P."] {
            return true
        }
        if abbreviations.days.contains(next), isTime(tail) { return true }
        // “jeden 1. So. im Monat” has a Sunday, “jeden 1. So ist es” has none.
        let isOther = next == "so" && units[after].dropFirst(2).first != UInt16(ascii: ".")
        return isInitial(tail, before: units[after], isBeforeOpener: isOpener)
            || isOrdinal(tail, before: next) && !isOther
            || isDay(tail, before: units[after]) || isDayAndMonth(tail) && !isOpener
            || isBeforeYear(tail, before: units[after]) || isBeforeLaw(tail, in: units[after]) && !isOpener
    }

    /// Whether a sentence continues behind an abbreviation; `nil` where there is none.
    private func continues(_ tail: Tail, in rest: ArraySlice<UInt16>, isBeforeOpener: Bool) -> Bool? {
        func isAny(of words: Set<String>) -> Bool { tail.keys.contains(where: words.contains) }
        // “Vitamin D.”
        if isNamedLetter(tail) || isMeasure(tail, before: rest) { return nil }
        // “Mo–Fr. Bitte” ends in a day, and “Mo–Fr. 8 Uhr” is of a piece.
        if language == "de", tail.word == "Fr", tail.isGlued,
            tail.wordBefore.hasSuffix("–") || tail.wordBefore.hasSuffix("-")
        {
            return Self.startsWithNumber(rest)
        }
        // “le prof. Martin” has a title, “elle est prof. Paul rit” a word.
        if language == "fr", tail.word == "prof", !["au", "du", "le"].contains(tail.wordBefore.lowercased()) {
            return false
        }
        // “durante 7 d. Luego” has days, “D. Luis” a title, and “en el 79 d. C.” an era.
        if language == "es", tail.word == "d", tail.wordBefore.count < 4, tail.wordBefore.last?.isNumber == true,
            !rest.prefix(2).elementsEqual("C.".utf16)
        {
            return nil
        }
        if isAny(of: abbreviations.neverEnding) { return true }
        // “5 m. E. Meyer” ends in meters.
        let isUnit = tail.wordBefore.last?.isNumber ?? false
        // “von Gleis 11 a. Der Zug” has a letter of the track.
        if language == "de", tail.word == "a", isUnit, isBeforeOpener { return nil }
        if abbreviations.neverEndingAsWritten.contains(tail.word) { return true }
        if !abbreviations.pairs.isEmpty, !isUnit, Self.startsWithInitial(rest),
            abbreviations.pairs.contains("\(tail.word).\(String(decoding: rest.prefix(1), as: UTF16.self))")
        {
            return true
        }
        // “SS. MM.” is of a piece, “las SS.” may end a sentence.
        if language == "es", tail.word == "SS", Self.startsWithPair(rest) { return true }
        // “reunion, Sat. 14 June” and “est. 1898”, but “He sat. 3 people came.” and “about the Sun. 8 planets do.”
        if language == "en", Self.wordsBeforeNumbers.contains(tail.word), tail.wordBefore.lowercased() != "the",
            Self.startsWithNumber(rest)
        {
            return true
        }
        // “Eier (Gr. M)”, but “Friedrich d. Gr. König”
        if language == "de", tail.word == "Gr", !tail.keys.contains("d.gr"),
            Self.startsWithNumber(rest) || startsWithNumeral(rest)
        {
            return true
        }
        // “(s. Abb. 3)”, but “nach 5 s. Abb. 3 zeigt”
        if language == "de", tail.word == "s", !isUnit,
            Self.wordsBehindSee.contains(Self.firstWord(of: rest).lowercased())
        {
            return true
        }
        let isCompound = abbreviations.beforeNumbersAtEnds.contains { tail.word.hasSuffix($0) }
        if isCompound || isAny(of: abbreviations.beforeNumbers) && !isOperation(tail) {
            if Self.startsWithNumber(rest) || startsWithNumeral(rest) || Self.startsWithCode(rest) { return true }
            // “C. S. Lewis” begins with a name.
            return Self.isCapitalLetter(tail.word) ? nil : false
        }
        if isAny(of: abbreviations.closing) { return !isBeforeOpener }
        if isAny(of: abbreviations.closingBehindNames) { return !isBeforeOpener || !Self.isName(tail.wordBefore) }
        return nil
    }

    /// Parts of texts that a German “s.” refers to.
    private static let wordsBehindSee: Set<String> = [
        "abb", "abbildung", "abschn", "abschnitt", "anh", "anhang", "anl", "anlage", "anm", "kap", "kapitel", "nr",
        "seite", "tab", "tabelle", "ziff",
    ]

    /// English days and words that are cut short before numbers only as they are written here.
    private static let wordsBeforeNumbers: Set<String> = [
        "Fri", "Mon", "Sat", "Sun", "Thu", "Thur", "Thurs", "Tue", "Tues", "Wed", "agg", "est",
    ]

    /// Whether it looks like an opus and is none.
    ///
    /// “Nach der OP. 3 Stunden später” and “the co-op. 20 members” have words.
    private func isOperation(_ tail: Tail) -> Bool {
        tail.word == "OP" || tail.word.lowercased() == "op" && tail.wordBefore.hasSuffix("-")
    }

    /// Whether it is a letter by which a noun before it is told from others of its kind.
    private func isNamedLetter(_ tail: Tail) -> Bool {
        Self.isCapitalLetter(tail.word) && abbreviations.letterNouns.contains(tail.wordBefore.lowercased())
    }

    /// Whether it is the sign of a unit behind its number.
    ///
    /// “At 230 V. Unplug it” has one, “in 1990 V. Smith” an initial, and “at 350 W. Main Street” a direction. German nouns look
    /// like sentences: “eine 60 W. Lampe”.
    private func isMeasure(_ tail: Tail, before rest: ArraySlice<UInt16>) -> Bool {
        let amount = tail.wordBefore
        if tail.isGlued, amount.hasSuffix("°") {
            return (tail.word == "C" || tail.word == "F") && amount.dropLast().last?.isLetter != true
        }
        guard language != "de", tail.word == "L" || tail.word == "V" || tail.word == "W" && language != "en",
            !tail.isGlued, amount.last?.isASCIIDigit == true,
            amount.allSatisfy({ $0.isASCIIDigit || $0 == "," || $0 == "." }),
            !(1_100...2_099).contains(Int(amount) ?? 0)
        else { return false }
        // A list of names has none: “1 V. Smith, 2 W. Jones”. Nor has “on page 12 V. Hugo”.
        guard let counted = tail.wordsBefore.dropLast().last, counted.last?.isLowercase == true,
            !Self.numberedNouns.contains(counted.lowercased())
        else { return false }
        return !Self.startsWithInitial(rest) && !Self.startsWithNumber(rest)
    }

    /// Nouns that a number follows as a name, in English, Spanish, French and Estonian.
    private static let numberedNouns: Set<String> = [
        "act", "acte", "acto", "capítulo", "chapitre", "chapter", "day", "etapa", "figura", "figure", "lane",
        "lehekülg", "leheküljel", "lehel", "line", "lot", "minute", "minuto", "number", "numéro", "número", "page",
        "peatükk", "peatükis", "página", "round", "row", "seat", "section", "stage", "tabel", "tabelis", "tabla",
        "table", "tableau", "étape",
    ]

    /// Whether a Roman numeral comes first, or a single letter that is neither a word nor an initial.
    private func startsWithNumeral(_ units: ArraySlice<UInt16>) -> Bool {
        let letters = units.prefix(10).prefix { Unicode.Scalar($0)?.properties.isAlphabetic ?? false }
        let word = String(decoding: letters, as: UTF16.self)
        guard letters.count == 1 else { return Self.isRomanNumeral(word) }
        let key = word.lowercased()
        return key != word && units.dropFirst().first != UInt16(ascii: ".")
            && !SentenceOpeners.contains(key, language: language) && !abbreviations.letterWords.contains(key)
    }

    /// Whether it is a single capital, or several separated by stops, and not the end of a sentence.
    private func isInitial(_ tail: Tail, before rest: ArraySlice<UInt16>, isBeforeOpener: Bool) -> Bool {
        let letters = tail.word.split(separator: ".")
        guard let last = letters.last, last.count == 1, last.unicodeScalars.allSatisfy(\.properties.isUppercase),
            !isTime(tail)
        else { return false }
        guard letters.count == 1 else { return !isBeforeOpener }
        // “I. M. Pei” has an initial, “So did I. Then” a word.
        let mayBeWord = abbreviations.letterWords.contains(last.lowercased()) && !Self.startsWithInitial(rest)
        if mayBeWord, !Self.isName(tail.wordBefore) { return false }
        if isNamedLetter(tail) || isMeasure(tail, before: rest) { return false }
        return !isBeforeOpener || tail.wordBefore.isEmpty || Self.endsInInitial(tail.wordBefore)
    }

    private func isTime(_ tail: Tail) -> Bool {
        // With a space, “A. D. Smith” is a name.
        let isName = tail.wordBefore.unicodeScalars.first?.properties.isUppercase ?? false
        return tail.keys.prefix(isName ? 1 : tail.keys.count).contains(where: abbreviations.times.contains)
    }

    /// Whether it is a number or a Roman numeral whose full stop makes an ordinal of it.
    private func isOrdinal(_ tail: Tail, before next: String) -> Bool {
        let word = tail.word.split(separator: ".").last.map(String.init) ?? ""
        let isNumber = !word.isEmpty && word.allSatisfy(\.isASCIIDigit)
        guard isNumber ? word.count <= 3 : Self.isRomanNumeral(word) else { return false }
        if isNumber, word.count <= 2, abbreviations.months.contains(next) { return true }
        // “Wilhelms II. Flotte”
        if language == "de", !isNumber, GermanOrdinals.isRulerInGenitive(tail.wordBefore.lowercased()) {
            return !next.isEmpty && !SentenceOpeners.contains(next, language: language)
        }
        return language == "de" && GermanOrdinals.isOrdinal(before: Self.governor(of: tail).lowercased(), after: next)
    }

    /// The word before an ordinal, or before the one that it is joined to.
    ///
    /// It is “am” in “am 1. und 2. Weihnachtstag”.
    private static func governor(of tail: Tail) -> String {
        let words = tail.wordsBefore
        guard words.count > 2, ["bis", "oder", "u.", "und"].contains(tail.wordBefore) else { return tail.wordBefore }
        let other = words[words.count - 2]
        let isOrdinal = other.hasSuffix(".") && other.count > 1 && other.dropLast().allSatisfy(\.isASCIIDigit)
        return isOrdinal ? words[words.count - 3] : tail.wordBefore
    }

    /// Whether it is the day of a date of which the month is a number as well.
    ///
    /// “1. 5. 2020” is of a piece.
    private func isDay(_ tail: Tail, before rest: ArraySlice<UInt16>) -> Bool {
        guard !abbreviations.months.isEmpty, let day = Int(tail.word), (1...31).contains(day) else { return false }
        let digits = rest.prefix(3).prefix { (0x30...0x39).contains($0) }
        guard rest.dropFirst(digits.count).first == UInt16(ascii: ".") else { return false }
        return Int(String(decoding: digits, as: UTF16.self)).map { (1...12).contains($0) } ?? false
    }

    /// Whether it is a month in digits between its day and its year.
    ///
    /// “5. 10. 1936” is of a piece.
    private func isBeforeYear(_ tail: Tail, before rest: ArraySlice<UInt16>) -> Bool {
        guard !abbreviations.months.isEmpty, let month = Int(tail.word), (1...12).contains(month),
            tail.wordBefore.hasSuffix("."), let day = Int(tail.wordBefore.dropLast()), (1...31).contains(day)
        else { return false }
        return rest.prefix(5).prefix { (0x30...0x39).contains($0) }.count == 4
    }

    /// Whether it is a day and a month behind a word that dates follow.
    ///
    /// “am 24.12. Weihnachten” is of a piece.
    private func isDayAndMonth(_ tail: Tail) -> Bool {
        guard language == "de", GermanOrdinals.wordsBeforeDays.contains(tail.wordBefore.lowercased()) else {
            return false
        }
        let parts = tail.word.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        return parts.count == 2 && (1...31).contains(parts[0]) && (1...12).contains(parts[1])
    }

    /// Whether it says that more sections follow, and the short name of their law comes next.
    ///
    /// “§§ 433 ff. BGB” and “§ 3f. GG” are of a piece.
    private func isBeforeLaw(_ tail: Tail, in rest: ArraySlice<UInt16>) -> Bool {
        let sign = tail.word.drop(while: \.isASCIIDigit)
        guard language == "de", sign == "f" || sign == "ff",
            sign.count < tail.word.count || tail.wordBefore.last?.isNumber == true
        else { return false }
        let law = Self.firstWord(of: rest).unicodeScalars
        return law.count > 1 && law.first?.properties.isUppercase == true && law.last?.properties.isUppercase == true
    }

    // MARK: - Examining the units

    /// The last words of a sentence, without its last full stop.
    private struct Tail {
        /// The last word: letters, digits and full stops.
        let word: String
        /// The word before it, from a space on; empty at the beginning.
        let wordBefore: String
        /// The words before it.
        let wordsBefore: [String]
        /// Whether no space stands before the last word.
        let isGlued: Bool
        /// The keys to look up, in lower case: the word, and the word with up to two parts before it that end in full
        /// stops.
        let keys: [String]

        init(of units: ArraySlice<UInt16>) {
            let text = units.suffix(64)
            let word = text.suffix(16).reversed().prefix(while: Self.isWordUnit).reversed()
            self.word = String(decoding: Array(word), as: UTF16.self)
            let before = String(decoding: text.dropLast(word.count), as: UTF16.self).split(
                whereSeparator: \.isWhitespace
            )
            isGlued = text.dropLast(word.count).last.map { !SentenceJoining.isSpace($0) } ?? false
            wordBefore = before.last.map(String.init) ?? ""
            wordsBefore = before.suffix(3).map(String.init)
            var key = self.word.lowercased()
            var keys = [key]
            if !isGlued {
                for part in before.suffix(2).reversed() {
                    guard part.hasSuffix("."), part.utf16.count <= 6 else { break }
                    key = part.lowercased() + key
                    keys.append(key)
                }
            }
            // “Tuesday.Mr” where a space is missing
            if let last = self.word.split(separator: ".").last, last.count > 1, last.count < self.word.count {
                keys.append(last.lowercased())
            }
            self.keys = keys
        }

        private static func isWordUnit(_ unit: UInt16) -> Bool {
            guard let scalar = Unicode.Scalar(unit) else { return false }
            return scalar.properties.isAlphabetic || scalar == "." || ("0"..."9").contains(scalar)
        }
    }

    private static func endOfText(in units: ArraySlice<UInt16>) -> Int {
        var end = units.endIndex
        while end > units.startIndex, isSpace(units[end - 1]) { end -= 1 }
        return end
    }

    private static func isBlank(_ units: ArraySlice<UInt16>) -> Bool { units.allSatisfy(isSpace) }

    private static func isSpace(_ unit: UInt16) -> Bool {
        unit == 0x20 || (0x09...0x0D).contains(unit) || unit == 0xA0 || unit == 0x3000 || unit == 0x2028
            || unit == 0x2029
    }

    private static func endsParagraph(_ units: ArraySlice<UInt16>) -> Bool {
        units.last.map { $0 == 0x0A || $0 == 0x0D || $0 == 0x2029 } ?? false
    }

    /// Whether the first letter after opening marks is lower case.
    private static func startsInLowerCase(_ units: ArraySlice<UInt16>) -> Bool {
        for unit in units.prefix(8) {
            guard let scalar = Unicode.Scalar(unit) else { return false }
            if scalar.properties.isAlphabetic { return scalar.properties.isLowercase }
            if scalar.properties.numericType != nil { return false }
        }
        return false
    }

    /// Whether a capital letter with a full stop and a number come first.
    ///
    /// “art. L. 121-1” is of a piece.
    private static func startsWithCode(_ units: ArraySlice<UInt16>) -> Bool {
        startsWithInitial(units) && startsWithNumber(units.dropFirst(2).drop(while: isSpace))
    }

    /// Whether a digit comes first, perhaps in brackets or behind the sign of a currency, as in “US$5”.
    private static func startsWithNumber(_ units: ArraySlice<UInt16>) -> Bool {
        let letters = units.prefix(3).prefix { (0x41...0x5A).contains($0) }
        let amount = units.dropFirst(letters.count).first == 0x24 ? units.dropFirst(letters.count) : units
        let isBehindSign = amount.first.map { numbersFollow.contains($0) } ?? false
        let digits = isBehindSign ? amount.dropFirst() : amount
        return digits.first.map { (0x30...0x39).contains($0) } ?? false
    }

    /// “(”, “$”, “£”, “¥”, “€”, “#”, “+” and the apostrophes of short years.
    private static let numbersFollow: Set<UInt16> = [0x28, 0x24, 0xA3, 0xA5, 0x20AC, 0x23, 0x27, 0x2B, 0x2019]

    /// The first word after opening marks; empty before a number.
    private static func firstWord(of units: ArraySlice<UInt16>) -> String {
        func isLetter(_ unit: UInt16) -> Bool { Unicode.Scalar(unit)?.properties.isAlphabetic ?? false }
        func isMark(_ unit: UInt16) -> Bool { !isLetter(unit) && !(0x30...0x39).contains(unit) }
        let start = units.prefix(4).prefix(while: isMark).count
        return String(decoding: units.dropFirst(start).prefix(24).prefix(while: isLetter), as: UTF16.self)
    }

    /// Whether a word may be a name (“Elm St.”), which a capital letter shows; another abbreviation is none.
    private static func isName(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.properties.isUppercase && !word.hasSuffix(".")
    }

    /// Whether a word is an initial or ends in one, as “J.” and “J.R.” do; “Mr.” is none.
    private static func endsInInitial(_ word: String) -> Bool {
        word.hasSuffix(".") && word.dropLast().last?.isUppercase == true
    }

    private static func isCapitalLetter(_ word: String) -> Bool {
        word.count == 1 && word.unicodeScalars.allSatisfy(\.properties.isUppercase)
    }

    private static func startsWithInitial(_ units: ArraySlice<UInt16>) -> Bool {
        guard let first = units.first.flatMap({ Unicode.Scalar($0) }) else { return false }
        return first.properties.isUppercase && units.dropFirst().first == UInt16(ascii: ".")
    }

    /// Whether a capital letter, the same once more and a full stop come first, as in “MM.”.
    private static func startsWithPair(_ units: ArraySlice<UInt16>) -> Bool {
        startsWithInitial(units.dropFirst()) && units.first == units.dropFirst().first
    }

    private static func isRomanNumeral(_ word: String) -> Bool {
        !word.isEmpty && word.utf16.count <= 9 && word.allSatisfy { "IVXLC".contains($0) }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension UInt16 {
    fileprivate init(ascii scalar: Unicode.Scalar) {
        self = UInt16(scalar.value)
    }
}

/// Cuts before sentences that begin with a number and a small letter, which ICU's rules join to the one before.
///
/// “Die Form einfetten. 200 g Butter rühren.” is two sentences. The word before the full stop must be one that no abbreviation looks
/// like; those that do are left to ICU, as in “tägl. 200 g”.
enum NumericOpenings {
    /// The ranges, some of them cut; still in order and covering the whole text.
    static func cut(_ ranges: [TextRange], in units: [UInt16], language: String) -> [TextRange] {
        guard let endings = Self.endings[language] else { return ranges }
        var cut: [TextRange] = []
        cut.reserveCapacity(ranges.count)
        for range in ranges {
            var start = range.lowerBound
            var index = start
            while index < range.upperBound {
                defer { index += 1 }
                guard units[index] == 0x2E, index + 2 < range.upperBound, isBlank(units[index + 1]),
                    isDigit(units[index + 2]), endsInWord(units[start..<index], endings)
                else { continue }
                cut.append(start..<index + 2)
                start = index + 2
            }
            cut.append(start..<range.upperBound)
        }
        return cut
    }

    /// Whether the units end in a word of at least five letters, none of them a capital but the first, with one of the endings.
    private static func endsInWord(_ units: ArraySlice<UInt16>, _ endings: [String]) -> Bool {
        let letters = units.suffix(24).reversed().prefix { Unicode.Scalar($0)?.properties.isAlphabetic ?? false }
        guard (5..<24).contains(letters.count) else { return false }
        // “www.einfetten. 5” and “GmbHs. 5” have no such word.
        let before = units.dropLast(letters.count).last ?? 0x20
        guard isBlank(before) || before == 0x0A || before == 0x0D || before == 0x2D else { return false }
        let word = String(decoding: Array(letters.reversed()), as: UTF16.self)
        guard word.unicodeScalars.dropFirst().allSatisfy(\.properties.isLowercase) else { return false }
        return endings.contains { word.hasSuffix($0) } && !abbreviations.contains(word.lowercased())
    }

    /// Abbreviations that look like words all the same.
    private static let abbreviations: Set<String> = [
        "biomed", "infotel", "intermed", "kontakttel", "lament", "lauatel", "mobiiltel", "märks", "sched",
    ]

    private static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0xA0 }

    private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

    /// The ends of words that no abbreviation has.
    private static let endings: [String: [String]] = [
        "de": [
            "ellt", "eln", "elt", "en", "end", "ern", "ert", "gt", "heit", "ich", "isch", "keit", "net", "tet", "ung",
        ],
        "en": ["ed", "en", "ing", "ings", "ly", "ment", "ments", "ness", "ters", "tion", "tions"],
        "et": [
            "ast", "da", "del", "des", "dest", "dud", "est", "ga", "ile", "ist", "ks", "le", "ma", "mas", "nda", "ni",
            "nud", "ot", "ra", "se", "sid", "tal", "tas", "tel", "tes", "ti", "tud", "ust", "vad",
        ],
    ]
}
