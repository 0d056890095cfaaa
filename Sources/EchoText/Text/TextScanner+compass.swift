/// The points of the compass: behind winds, in addresses and of places on the earth.
extension TextScanner {
    /// The point of the compass behind a wind or a distance: “vent de N-O”, “winds NW 10–15 mph”, “7 km NE of”.
    mutating func windDirection(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        // “vent d'O.-N.-O.”
        let isElided = rules.code == "fr" && word.count > 2 && isApostrophe(word.lowerBound + 1)
        let start = isElided ? word.lowerBound + 2 : word.lowerBound
        guard word.upperBound - start <= 3, unit(start).isUppercase, unit(word.upperBound - 1).isUppercase,
            let points = Self.points[rules.code]
        else { return false }
        let isPlace = isBehindDistance(word, rules)
        guard isPlace || isBehindWind(word) || isOfWind(word, isElided: isElided, rules) else { return false }
        var end = word.upperBound
        var letters = text(start..<end)
        while letters.utf16.count < 3, end == start + 1 || has(".", at: end) || letters.utf16.count == 2 {
            let dash = has(".", at: end) ? end + 1 : end
            guard unit(dash) == 0x2D, unit(dash + 1).isUppercase, !unit(dash + 2).isLetterOrDigit else { break }
            letters += text(dash + 1..<dash + 2)
            end = dash + 2
        }
        // “à 7 km au N.-E. du bourg”
        if end > word.upperBound, has(".", at: word.upperBound), has(".", at: end), !isSentenceEnd(end + 1) { end += 1 }
        // “à 2 km au N. de Lyon”
        if isPlace, end == word.upperBound, has(".", at: end), isBeforePlace(end + 1, rules) { end += 1 }
        guard !isPlace || isBeforePlace(end, rules) else { return false }
        // “N/NO” has more points.
        guard let words = points[letters], !unit(end).isDash, !has("/", at: end) else { return false }
        say(words, for: start..<end)
        noteWord(word)
        return true
    }

    /// Whether it is where a wind in the same clause comes from: “gusts of 40 mph out of the NNW”.
    private func isOfWind(_ word: Range<Int>, isElided: Bool, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: word.lowerBound)
        let isFrom =
            rules.code == "en"
            ? ["from", "of"].contains(before) || before == "the" && ["from", "of"].contains(wordBeforeName)
            : isElided ? has("d", at: word.lowerBound) : Self.wordsBehindWinds.contains(before)
        return isFrom && clause(before: word.lowerBound).contains { Self.winds.contains($0) || Self.gusts.contains($0) }
    }

    private static let gusts: Set<String> = [
        "breeze", "brise", "böen", "gale", "gales", "gust", "gusts", "rachas", "rafales", "ráfagas",
    ]

    /// An Estonian point of the compass before a wind or behind one: “NW tuul”, “tuul puhus NW-st”.
    mutating func estonianWind(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard rules.code == "et", word.count <= 2, let stem = Self.estonianPoints[text(word)] else { return false }
        let end = word.upperBound
        if unit(end).isDash {
            let ending = end + 1..<wordEnd(from: end + 1)
            guard ["sse", "st"].contains(lowercased(ending)),
                clause(before: word.lowerBound).contains(where: { Self.winds.contains($0) })
            else { return false }
            say(stem + lowercased(ending), for: word.lowerBound..<ending.upperBound)
        } else if ["tuul", "tuule", "tuuled", "tuulega", "tuult"].contains(nextWord(from: end)) {
            say(stem, for: word)
        } else {
            return false
        }
        noteWord(word)
        return true
    }

    private static let estonianPoints = [
        "N": "põhja", "NE": "kirde", "E": "ida", "SE": "kagu", "S": "lõuna", "SW": "edela", "W": "lääne", "NW": "loode",
    ]

    /// Whether a distance stands before it: “7 km NE of”, “(4 mi) NE of”, “a 7 km al NE de”.
    private func isBehindDistance(_ word: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard lastNumberEnd > 0, unit(lastNumberEnd - 1).isLetter || has(".", at: lastNumberEnd - 1) else {
            return false
        }
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

    /// Whether a point of the compass and “of” follow, as in “N of”.
    func isPointOfCompass(at index: Int, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: index)
        guard rules.code == "en", start > index, unit(start).isUppercase else { return false }
        let end = wordEnd(from: start)
        return Self.points["en"]?[text(start..<end)] != nil
            && isBeforePlace(has(".", at: end) ? end + 1 : end, rules)
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
        "bläst", "dreht", "houle", "oleaje", "puhub", "puhus", "souffle", "soufflait", "sopla", "swell", "tuul",
        "tuule",
        "tuuled", "vent", "vents", "viento", "vientos", "wehen", "weht", "wehte",
        "wind", "winde", "winds",
    ]

    private static let points: [String: [String: String]] = [
        "de": [
            "N": "Nord", "NO": "Nordost", "O": "Ost", "SO": "Südost", "S": "Süd", "SW": "Südwest", "W": "West",
            "NW": "Nordwest",
            "NNO": "Nordnordost", "ONO": "Ostnordost", "OSO": "Ostsüdost", "SSO": "Südsüdost", "SSW": "Südsüdwest",
            "WSW": "Westsüdwest", "WNW": "Westnordwest", "NNW": "Nordnordwest",
        ],
        "en": [
            "N": "north", "NE": "northeast", "E": "east", "SE": "southeast", "S": "south", "SW": "southwest",
            "W": "west", "NW": "northwest",
            "NNE": "north-northeast", "ENE": "east-northeast", "ESE": "east-southeast", "SSE": "south-southeast",
            "SSW": "south-southwest", "WSW": "west-southwest", "WNW": "west-northwest", "NNW": "north-northwest",
        ],
        "es": [
            "N": "norte", "NE": "noreste", "E": "este", "SE": "sureste", "S": "sur", "SO": "suroeste", "O": "oeste",
            "NO": "noroeste",
            "NNE": "nornoreste", "ENE": "estenoreste", "ESE": "estesureste", "SSE": "sursureste", "SSO": "sursuroeste",
            "OSO": "oestesuroeste", "ONO": "oestenoroeste", "NNO": "nornoroeste",
        ],
        "fr": [
            "N": "nord", "NE": "nord-est", "E": "est", "SE": "sud-est", "S": "sud", "SO": "sud-ouest", "O": "ouest",
            "NO": "nord-ouest",
            "NNE": "nord-nord-est", "ENE": "est-nord-est", "ESE": "est-sud-est", "SSE": "sud-sud-est",
            "SSO": "sud-sud-ouest", "OSO": "ouest-sud-ouest", "ONO": "ouest-nord-ouest", "NNO": "nord-nord-ouest",
        ],
    ]

    /// The point of the compass in an address or behind a road's number: “350 W 42nd Street”, “I-95 N”.
    mutating func compassPoint(behind number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let letter = number.range.upperBound + 1
        guard rules.code == "en", number.isPlainInteger, unit(letter - 1).isBlank, !unit(letter + 1).isLetterOrDigit,
            let direction = Unicode.Scalar(unit(letter)).flatMap({ rules.directions[$0] })
        else { return false }
        let start = number.range.lowerBound
        let isRoad =
            unit(start - 1).isDash && unit(start - 2).isUppercase
            || Self.roads.contains(previousWord(before: start))
        let hasStop = has(".", at: letter + 1)
        let next = skipBlanks(from: hasStop ? letter + 2 : letter + 1)
        guard isRoad || next > letter + 1 && isStreet(at: next, rules) else { return false }
        pass(number: number.range)
        say(direction, for: letter..<(hasStop && !isRoad ? letter + 2 : letter + 1))
        return true
    }

    private static let roads: Set<String> = ["highway", "hwy", "interstate", "route", "us"]

    /// Whether the name of a street begins here: “42nd St.”, “Main Street”.
    private func isStreet(at start: Int, _ rules: LanguageRules) -> Bool {
        if unit(start).isDigit { return rules.dates.dayEndings.contains(word(at: digitsEnd(from: start))) }
        return unit(start).isUppercase && Self.streets.contains(nextWord(from: wordEnd(from: start)))
    }

    private static let streets: Set<String> = [
        "ave", "avenue", "blvd", "boulevard", "court", "ct", "dr", "drive", "lane", "ln", "parkway", "pkwy", "place",
        "pl", "rd", "road", "st", "street", "way",
    ]

    /// A place on the earth, and an angle: “59°26′ N”, “24.75° E”.
    mutating func coordinate(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard let degree = rules.units["°"], unit(number.range.upperBound) == 0xB0,
            var words = measured(number, degree, rules)
        else { return false }
        var index = number.range.upperBound + 1
        let parts: [(noun: String, marks: [UInt16])] = [
            ("min", [0x27, 0x2019, 0x2032]), ("s", [0x22, 0x201D, 0x2033]),
        ]
        for part in parts {
            let start = skipBlanks(from: index)
            guard unit(start).isDigit, let noun = rules.units[part.noun] else { break }
            let measure = self.number(at: start, rules)
            guard part.marks.contains(unit(measure.range.upperBound)), let more = measured(measure, noun, rules)
            else { break }
            words += " " + more
            index = measure.range.upperBound + 1
        }
        let letter = skipBlanks(from: index)
        if let direction = Unicode.Scalar(unit(letter)).flatMap({ rules.directions[$0] }),
            !unit(letter + 1).isLetterOrDigit
        {
            words += " " + direction
            index = letter + 1
        }
        guard index > number.range.upperBound + 1 else { return false }
        say(words, for: number.range.lowerBound..<index)
        lastNumberEnd = position
        let sign = number.range.upperBound..<number.range.upperBound + 1
        rangeOfMeasures(behind: sign, rules)
        return true
    }

    private func measured(_ number: WrittenNumber, _ noun: CountedNoun, _ rules: LanguageRules) -> String? {
        words(for: number, rules.numerals, gender: noun.gender).map { words in
            "\(words) \(rules.numerals.isOne(number.value) ? noun.one : noun.many)"
        }
    }
}
