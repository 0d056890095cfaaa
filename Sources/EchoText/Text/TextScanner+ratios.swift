/// Ratios, scores and verses: “3:2”, “78:71”, “John 3:16”.
extension TextScanner {
    /// “3:2”, a score or the parts of a mixture, where no time of day can be meant.
    mutating func ratioWithColon(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let colon = number.range.upperBound
        let end = digitsEnd(from: colon + 1)
        guard number.isPlainInteger, number.digits.count <= 3, !number.hasLeadingZero, has(":", at: colon),
            end == colon + 2 || isLargeScore(number, endingAt: end, rules)
                || (3...4).contains(end - colon) && isProportion(at: number.range.lowerBound),
            !has(":", at: number.range.lowerBound - 1),
            !unit(end).isLetter, !(has(":", at: end) || has(".", at: end)) || !unit(end + 1).isDigit
        else { return false }
        let before = wordOrAbbreviation(before: number.range.lowerBound)
        guard !isVerse(at: number.range.lowerBound, rules), !rules.numerals.romanCardinalsFollow.contains(before)
        else { return false }
        pass(number: number.range)
        say(rules.signs.score, for: colon..<colon + 1)
        return true
    }

    /// Whether German and Estonian numbers of two digits and more are a score: those that no clock shows, and any behind a verb.
    ///
    /// “78:71” and “verlor 20:18” are some, “lief 25:13” is none.
    private func isLargeScore(_ number: WrittenNumber, endingAt end: Int, _ rules: LanguageRules) -> Bool {
        let start = number.range.upperBound + 1
        guard let verbs = Self.scoresFollow[rules.code], (2...3).contains(end - start), !has("0", at: start),
            let first = number.whole, let second = Int(text(start..<end)), first >= 10
        else { return false }
        let before = previousWord(before: number.range.lowerBound)
        if rules.times.dottedTimesFollow.contains(before) { return false }
        // “mit 50:49 Stimmen”, but “ab 20:30 stimmen wir ab”
        let counted = skipBlanks(from: end)
        let isCounted = ["häälega", "Punkten", "Stimmen"].contains(text(counted..<wordEnd(from: counted)))
        return first >= 60 && second >= 20 || second >= 60 || verbs.contains(before) || isCounted
    }

    /// Whether a ratio begins here, and no time of day: “im Verhältnis 1:10”, “a escala 1:50”, “dilute at 1:10”.
    func isProportion(at start: Int) -> Bool {
        if isDilution(at: start) { return true }
        let before = previousWord(before: start)
        if Self.namesProportion(before) { return true }
        // “Maßstab: 1:20”
        let isBehindColon = has(":", at: start - 2) && unit(start - 1).isBlank && lastWord.upperBound == start - 2
        if isBehindColon, Self.namesProportion(lowercased(lastWord)) { return true }
        guard has("1", at: start), has(":", at: start + 1) else { return false }
        let isJoined = ["de", "von"].contains(before) && Self.namesProportion(wordBeforeName)
        let next = nextWord(from: digitsEnd(from: start + 2))
        let isDiluted = ["dilu", "verdünn"].contains(where: before.hasPrefix) && !["am", "pm", "uhr"].contains(next)
        // “1:10 verdünnt”, but “Um 1:10 verdünnt er es”
        let isDilutedBehind = Self.dilutedWords.contains(next) && !Self.clocksFollow.contains(before)
        return isJoined || isDiluted || isDilutedBehind || Self.proportionsPrecede.contains(next)
    }

    /// Whether a word is one for a proportion, or ends as “Mischungsverhältnis” and “l'échelle” do.
    private static func namesProportion(_ word: String) -> Bool {
        proportionsFollow.contains(word) || ["verhältnis", "échelle"].contains(where: word.hasSuffix)
    }

    private static let dilutedWords: Set<String> = [
        "diluida", "diluido", "diluted", "dilué", "diluée", "lahjendatud", "verdünnt", "verdünnte", "verdünnten",
        "verdünnter", "verdünntes",
    ]

    /// Words before times of day, in every language.
    private static let clocksFollow: Set<String> = [
        "ab", "at", "bis", "by", "gegen", "kell", "la", "nach", "seit", "um", "vers", "von", "vor", "à",
    ]

    private static let proportionsPrecede: Set<String> = ["dilution", "ratio", "scale"]

    /// Whether a ratio begins here, and no time of day: “dilute at 1:10”, “diluez à 1:10”, “a ratio of 1:50”.
    ///
    /// “Diluted it at 2:45”, “at 1:10 pm” and “results at 10:30” have times.
    private func isDilution(at start: Int) -> Bool {
        let before = previousWord(before: start)
        guard ["a", "at", "of", "to", "à"].contains(before) else { return false }
        if before == "of", Self.ratiosFollow.contains(wordBeforeName) { return true }
        let behind = skipBlanks(from: digitsEnd(from: start + 2))
        let half = word(at: behind)
        let isTime = ["am", "pm"].contains(half) || ["a", "p"].contains(half) && has(".", at: behind + 1)
        guard has("1", at: start), has(":", at: start + 1), !isTime else { return false }
        let words = text(max(0, start - 80)..<start).lowercased()
        let clause = words.split(whereSeparator: { ".!?;\n".contains($0) }).last ?? ""
        return clause.split(separator: " ").contains { $0.hasPrefix("dilu") }
    }

    /// The word before `start`, of which a full stop may follow.
    func wordOrAbbreviation(before start: Int) -> String {
        has(".", at: lastWord.upperBound) ? abbreviatedWord(before: start) : previousWord(before: start)
    }

    /// Whether “3:6” is a verse: behind a name, or behind other verses of a book.
    ///
    /// “John 3:6” and “Rom. 8:1; 8:4” are some; German and Estonian set them apart by commas.
    func isVerse(at start: Int, _ rules: LanguageRules) -> Bool {
        guard !rules.signs.scoresFollowNames else { return false }
        let before = wordOrAbbreviation(before: start)
        guard !before.isEmpty else { return areVerses(from: lastWord, to: start) }
        if unit(lastWord.lowerBound).isUppercase { return !Self.ratiosFollow.contains(before) }
        return Self.joints.contains(before) && areVerses(from: wordBeforeLast, to: lastWord.lowerBound)
    }

    /// Whether “3:16” is a verse of a book of which the language knows: “Jean 3:16; 4:12”.
    func isVerseOfBook(at start: Int, _ rules: LanguageRules) -> Bool {
        let isJoined = Self.joints.contains(previousWord(before: start))
        let book = isJoined ? wordBeforeLast : lastWord
        guard !book.isEmpty, unit(book.lowerBound).isUppercase else { return false }
        let name = lowercased(book)
        // “Il a vu Jean. 8:30”
        let isCutShort = rules.times.versesFollowStops.contains(name)
        guard isCutShort || rules.times.versesFollow.contains(name) && !has(".", at: book.upperBound) else {
            return false
        }
        if isJoined { return areVerses(from: book, to: lastWord.lowerBound) }
        return !wordOrAbbreviation(before: start).isEmpty || areVerses(from: book, to: start)
    }

    /// Whether nothing but chapters and verses stands between the name of a book and `end`.
    private func areVerses(from book: Range<Int>, to end: Int) -> Bool {
        let start = book.upperBound
        guard !book.isEmpty, start < end, end - start <= 64, unit(book.lowerBound).isUppercase,
            unit(start).isBlank || has(".", at: start), !Self.ratiosFollow.contains(lowercased(book))
        else { return false }
        let between = units[start..<end]
        let hasVerse = between.indices.contains { has(":", at: $0) && unit($0 - 1).isDigit && unit($0 + 1).isDigit }
        return hasVerse
            && between.allSatisfy { unit in
                unit.isDigit || unit.isBlank || unit.isDash || [0x2C, 0x2E, 0x3A, 0x3B].contains(unit)
            }
    }

    /// Words for ratios and scores, which may begin a sentence, in every language.
    static let ratiosFollow = proportionsFollow.union([
        "dilute", "marcador", "mix", "odds", "resultado", "result", "results", "résultat", "score", "scores", "suhe",
        "suhtes",
    ])

    /// Those behind which no time of day stands.
    private static let proportionsFollow: Set<String> = [
        "dilución", "dilution", "escala", "maßstab", "mõõtkava", "mõõtkavas", "proportion", "proporción", "rapport",
        "ratio", "ratios", "relación", "scale", "vahekorras", "verdünnung", "verhältnis", "échelle",
    ]
}
