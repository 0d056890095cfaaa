/// The points of the compass behind winds and distances: “vent de N-O”, “viento del NE”, “winds NW 10–15 mph”, “7 km NE of”.
extension TextScanner {
    mutating func windDirection(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard word.count <= 2, unit(word.lowerBound).isUppercase, let points = Self.points[rules.code] else {
            return false
        }
        let isPlace = isBehindDistance(word, rules)
        guard isPlace || isBehindWind(word) else { return false }
        var end = word.upperBound
        var letters = text(word)
        // “N-O”
        if word.count == 1, unit(end) == 0x2D, unit(end + 1).isUppercase, !unit(end + 2).isLetterOrDigit {
            letters += text(end + 1..<end + 2)
            end += 2
        }
        // “à 7 km au N.-E. du bourg”
        if rules.code == "fr", isPlace, word.count == 1, has(".", at: end), unit(end + 1) == 0x2D,
            unit(end + 2).isUppercase, has(".", at: end + 3)
        {
            letters += text(end + 2..<end + 3)
            end += 4
        }
        guard !isPlace || isBeforePlace(end, rules) else { return false }
        // “N-NO” and “N/NO” have more points.
        guard let words = points[letters], !unit(end).isDash, !has("/", at: end) else { return false }
        say(words, for: word.lowerBound..<end)
        noteWord(word)
        return true
    }

    /// Whether a distance stands before it: “7 km NE of”, “(4 mi) NE of”, “a 7 km al NE de”.
    private func isBehindDistance(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard lastNumberEnd > 0, unit(lastNumberEnd - 1).isLetter else { return false }
        switch rules.code {
        case "en":
            return lastNumberEnd == word.lowerBound - 1
                || has(")", at: word.lowerBound - 2) && lastNumberEnd == word.lowerBound - 2
        case "es", "fr":
            return previousWord(before: word.lowerBound) == (rules.code == "es" ? "al" : "au")
                && lastNumberEnd == lastWord.lowerBound - 1
        default: return false
        }
    }

    /// Whether a word for “of” follows.
    private func isBeforePlace(_ end: Int, _ rules: LanguageRules) -> Bool {
        let next = nextWord(from: end)
        guard rules.code != "en" else { return next == "of" }
        return ["de", "del", "des", "du"].contains(next) || next.hasPrefix("d'") || next.hasPrefix("d’")
    }

    /// Whether a word for a wind stands before it, perhaps with a small word between.
    ///
    /// “EL VIENTO SE LLEVA LA CASA” is in capitals throughout.
    private func isBehindWind(_ word: Range<Int>) -> Bool {
        let before = previousWord(before: word.lowerBound)
        guard !unit(lastWord.lowerBound + 1).isUppercase else { return false }
        return Self.winds.contains(before)
            || Self.wordsBehindWinds.contains(before) && Self.winds.contains(wordBeforeName)
    }

    private static let wordsBehindWinds: Set<String> = ["auf", "aus", "de", "del", "du", "from", "von"]

    /// Words for winds, and German verbs for what they do.
    private static let winds: Set<String> = [
        "bläst", "dreht", "houle", "oleaje", "swell", "vent", "vents", "viento", "vientos", "wehen", "weht", "wehte",
        "wind", "winde", "winds",
    ]

    private static let points: [String: [String: String]] = [
        "de": [
            "N": "Nord", "NO": "Nordost", "O": "Ost", "SO": "Südost", "S": "Süd", "SW": "Südwest", "W": "West",
            "NW": "Nordwest",
        ],
        "en": [
            "N": "north", "NE": "northeast", "E": "east", "SE": "southeast", "S": "south", "SW": "southwest",
            "W": "west", "NW": "northwest",
        ],
        "es": [
            "N": "norte", "NE": "noreste", "E": "este", "SE": "sureste", "S": "sur", "SO": "suroeste", "O": "oeste",
            "NO": "noroeste",
        ],
        "fr": [
            "N": "nord", "NE": "nord-est", "E": "est", "SE": "sud-est", "S": "sud", "SO": "sud-ouest", "O": "ouest",
            "NO": "nord-ouest",
        ],
    ]
}
