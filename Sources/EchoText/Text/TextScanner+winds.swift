/// The points of the compass behind winds: “vent de N-O”, “viento del NE”, “winds NW 10–15 mph”.
extension TextScanner {
    mutating func windDirection(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard word.count <= 2, unit(word.lowerBound).isUppercase, let points = Self.points[rules.code],
            isBehindWind(word)
        else { return false }
        var end = word.upperBound
        var letters = text(word)
        // “N-O”
        if word.count == 1, unit(end) == 0x2D, unit(end + 1).isUppercase, !unit(end + 2).isLetterOrDigit {
            letters += text(end + 1..<end + 2)
            end += 2
        }
        // “N-NO” and “N/NO” have more points.
        guard let words = points[letters], !unit(end).isDash, !has("/", at: end) else { return false }
        say(words, for: word.lowerBound..<end)
        noteWord(word)
        return true
    }

    /// Whether a word for a wind stands before it, perhaps with a small word between.
    ///
    /// “EL VIENTO SE LLEVA LA CASA” is in capitals throughout.
    private func isBehindWind(_ word: Range<Int>) -> Bool {
        let before = previousWord(before: word.lowerBound)
        guard !unit(lastWord.lowerBound + 1).isUppercase else { return false }
        // “Stärke 5–6 aus SW”
        let isBehindForce =
            rules?.code == "de" && before == "aus" && lastNumberEnd > 0 && lastNumberEnd == lastWord.lowerBound - 1
            && ["stärke", "windstärke", "windstärken"].contains(lowercased(wordBeforeLast))
        return Self.winds.contains(before) || isBehindForce
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
