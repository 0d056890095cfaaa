/// Roads that a letter and a number name.
extension TextScanner {
    /// A British road of three or four digits, which are said one by one: “along the B3210”, “leave the A303 at Amesbury”.
    ///
    /// “the A100” is a hundred, and “on the A321” and “the B737” are airplanes. What stands around it has to show that it is a
    /// road, since devices and forms have such names, too.
    mutating func britishRoad(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        let start = word.lowerBound
        let digits = start + 1..<word.upperBound
        guard rules.code == "en", has("A", at: start) || has("B", at: start), (3...4).contains(digits.count),
            digitsEnd(from: digits.lowerBound) == digits.upperBound, !has("0", at: digits.lowerBound),
            previousWord(before: start) == "the", Self.wordsBeforeRoads.contains(wordBeforeName)
        else { return false }
        let number = text(digits)
        guard !number.hasSuffix("00"), !Self.airplanes.contains(number), isRoad(before: word.upperBound) else {
            return false
        }
        let spoken = number.map { $0 == "0" ? "oh" : spelled(String($0), rules.numerals) }.joined(separator: " ")
        say("\(text(start..<start + 1)) \(spoken)", for: word)
        noteWord(word)
        return true
    }

    /// Whether nothing follows that may be named like a road: the end of a clause, or a word for where it goes.
    private func isRoad(before end: Int) -> Bool {
        unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end)) && !unit(end + 1).isDigit
            || Self.wordsBehindRoads.contains(nextWord(from: end))
    }

    private static let wordsBeforeRoads: Set<String> = [
        "along", "cross", "crossed", "crosses", "down", "follow", "followed", "follows", "join", "joined", "joins",
        "leave", "left", "off", "on", "onto", "take", "took", "up",
    ]

    private static let wordsBehindRoads: Set<String> = [
        "and", "at", "between", "eastbound", "from", "near", "northbound", "or", "past", "southbound", "through", "to",
        "towards", "westbound",
    ]

    /// The numbers of airplanes that begin with the same letters: “A321”, “B737”.
    private static let airplanes: Set<String> = [
        "220", "310", "318", "319", "320", "321", "330", "340", "350", "380", "707", "717", "727", "737", "747", "757",
        "767", "777", "787",
    ]
}
