/// Hundreds, thousands and millions that are counted: “2.5m copies”, “1,2 M de visiteurs”, “100s of people”.
extension TextScanner {
    /// Thousands and more that are counted: “2.5m copies”, “1.2bn people”.
    mutating func scaleOfCount(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        if millionsOf(number, rules) { return true }
        guard rules.code == "en" else { return false }
        let start = skipBlanks(from: number.range.upperBound)
        let letters = start..<max(start, wordEnd(from: start))
        guard (1...2).contains(letters.count), let scale = rules.money.scales[text(letters)] else { return false }
        let isGlued = start == number.range.upperBound
        let isSure = letters.count == 2 && (has("b", at: start) || has("t", at: start))
        guard isSure || isGlued && Self.countedInMillions.contains(nextWord(from: letters.upperBound)) else {
            return false
        }
        pass(number: number.range)
        say(isGlued ? " " + scale.many : scale.many, for: letters)
        lastNumberEnd = position
        // “24bn km”
        _ = unit(after: WrittenNumber(letters, whole: "2", decimals: ""), rules)
        return true
    }

    private static let countedInMillions: Set<String> = [
        "accounts", "adults", "americans", "barrels", "britons", "cars", "children", "copies", "customers", "deaths",
        "doses", "downloads", "europeans", "fans", "followers", "homes", "households", "jobs", "listeners", "members",
        "passengers", "patients", "people", "players", "pupils", "readers", "refugees", "residents", "shares",
        "streams", "students", "subscribers", "tests", "tonnes", "tourists", "units", "users", "viewers", "views",
        "visitors", "voters", "votes", "women", "workers",
    ]

    /// Millions and more before “of” in French and Spanish: “1,2 M de visiteurs”, “9 Mds d'euros”.
    private mutating func millionsOf(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let start = skipBlanks(from: number.range.upperBound)
        let letters = start..<max(start, wordEnd(from: start))
        guard rules.code == "es" || rules.code == "fr", has("M", at: start), letters.count <= 3,
            let scale = rules.money.scales[text(letters)], unit(letters.upperBound).isBlank
        else { return false }
        let next = nextWord(from: letters.upperBound)
        guard next == "de" || next.hasPrefix("d'") || next.hasPrefix("d’") else { return false }
        let isGlued = start == number.range.upperBound
        pass(number: number.range)
        let word = rules.numerals.isOne(number.value) ? scale.one : scale.many
        say(isGlued ? " " + word : word, for: letters)
        lastNumberEnd = position
        return true
    }

    /// Whole millions before what they count, which are nouns in French and Spanish: “un million de personnes”.
    mutating func millions(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        guard ["es", "fr"].contains(rules.code), number.decimals.isEmpty, let whole = number.whole, whole > 0,
            whole % 1_000_000 == 0
        else { return false }
        let start = number.range.upperBound + 1
        let noun = start..<max(start, wordEnd(from: start))
        let key = lowercased(noun)
        // “1 000 000 d'habitants” has its “de”.
        guard unit(start - 1).isBlank, unit(start).isLowercase, noun.count > 3, key.hasSuffix("s"),
            !key.hasPrefix("d'"), !key.hasPrefix("d’"), !Self.wordsInSOfNoCount.contains(key),
            unitAfter(number, rules) == nil
        else { return false }
        let words = rules.numerals.cardinal(whole, nil)
        say("\(words) \(rules.money.afterScale("", text(noun)))", for: number.range.lowerBound..<noun.upperBound)
        lastNumberEnd = noun.upperBound
        noteWord(noun)
        return true
    }

    /// French and Spanish words in “s” that are not counted.
    private static let wordsInSOfNoCount: Set<String> = [
        "ailleurs", "alors", "antes", "après", "atrás", "certes", "dans", "depuis", "desde", "después", "detrás", "dès",
        "entonces", "gracias", "hors", "jamais", "mais", "menos", "moins", "pas", "plus", "puis", "sans", "sous",
        "toujours", "tous", "toutefois", "tras", "vers",
    ]

    /// “100s of people” and “1,000s of them”, which are no seconds.
    mutating func roundCount(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let letter = number.range.upperBound
        guard rules.code == "en", number.decimals.isEmpty, has("s", at: letter),
            let words = Self.roundCounts[number.digits], nextWord(from: letter + 1) == "of"
        else { return false }
        say(words, for: number.range.lowerBound..<letter + 1)
        lastNumberEnd = position
        return true
    }

    private static let roundCounts = ["10": "tens", "100": "hundreds", "1000": "thousands"]
}
