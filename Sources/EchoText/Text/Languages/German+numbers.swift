import Foundation

/// German numbers, dates and times in words.
enum GermanNumbers {
    static let digits = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]

    private static let small = [
        "", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        "dreizehn",
        "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
    ]
    private static let tens = [
        "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
    ]
    private static let scales = [
        (1_000_000_000_000, "Billion", "Billionen"), (1_000_000_000, "Milliarde", "Milliarden"),
        (1_000_000, "Million", "Millionen"),
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in scales where number / size % 1_000 > 0 {
            let count = number / size % 1_000
            groups.append(count == 1 ? "eine \(one)" : "\(below(count)) \(many)")
        }
        let rest = number % 1_000_000
        if rest > 0 { groups.append(below(rest) + ending(rest, gender)) }
        return groups.joined(separator: " ")
    }

    /// “ein” is “eins” by itself and “eine” before feminine nouns.
    private static func ending(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number % 100 == 1 else { return "" }
        return switch gender {
        case nil: "s"
        case .feminine: "e"
        case .masculine, .neuter: ""
        }
    }

    /// Numbers below a million in one word, “ein” without an ending.
    private static func below(_ number: Int) -> String {
        switch number {
        case ..<20: small[number]
        case ..<100: (number % 10 > 0 ? small[number % 10] + "und" : "") + tens[number / 10]
        case ..<1_000: (number < 200 ? "" : small[number / 100]) + "hundert" + below(number % 100)
        default: (number < 2_000 ? "" : below(number / 1_000)) + "tausend" + below(number % 1_000)
        }
    }

    static func year(_ year: Int) -> String? {
        guard (1_100..<2_000).contains(year) else { return nil }
        return below(year / 100) + "hundert" + below(year % 100) + ending(year, nil)
    }

    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        let ending =
            switch place.before {
            case "am", "vom", "zum", "im", "beim", "dem", "den", "des", "ab", "seit", "bis", "jeden", "dieses": "n"
            case "der", "die", "das": ""
            default: place.after == "jahrhundert" ? "s" : months.contains(place.after) || place.after.isEmpty ? "r" : ""
            }
        return stem(number) + ending
    }

    /// The gender that “1” takes before a noun in the singular; other numbers do not change.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard number == 1, isCapitalised else { return nil }
        if feminine.contains(noun) || feminineEndings.contains(where: { noun.hasSuffix($0) }) { return .feminine }
        return others.contains(noun) ? .masculine : nil
    }

    private static let feminineEndings = [
        "ung", "heit", "keit", "schaft", "tion", "sion", "tät", "stunde", "minute", "seite",
    ]

    private static let feminine: Set<String> = [
        "aufgabe", "dose", "ecke", "etage", "familie", "farbe", "flasche", "folge", "frage", "frau", "gruppe", "hand",
        "idee", "kanne", "karte", "katze", "kirche", "klasse", "kugel", "lampe", "linie", "liste", "mark", "maschine",
        "meile", "milliarde", "million", "minute", "münze", "nacht", "nase", "note", "packung", "person", "portion",
        "prise", "reihe", "reise", "rolle", "runde", "sache", "schule", "sekunde", "seite", "sorte", "stadt", "stelle",
        "stimme", "straße", "stufe", "stunde", "tafel", "tasche", "tasse", "tochter", "tonne", "tür", "woche",
        "zahl", "zeile", "zwiebel",
    ]

    /// Common masculine and neuter nouns, before which “1” is “ein”.
    private static let others: Set<String> = [
        "apfel", "auge", "auto", "bad", "bett", "bild", "blatt", "brot", "bruder", "buch", "cent", "ei", "esslöffel",
        "fall", "fenster", "fuß", "gast", "glas", "grad", "haus", "hund", "jahr", "kapitel", "kind", "kopf", "liter",
        "löffel", "mal", "mann", "mensch", "monat", "ort", "paar", "platz", "prozent", "punkt", "raum", "satz",
        "schritt",
        "sohn", "spiel", "stück", "stuhl", "tag", "teelöffel", "teil", "tisch", "tor", "uhr", "versuch", "wort",
        "zentimeter",
        "zentner", "zimmer", "zoll",
    ]

    /// “der Achte” and “die Zweite” behind a ruler's name.
    ///
    /// It is “dem Fünften” behind “unter Karl”, and “des Vierzehnten” behind “Ludwigs”.
    static func ruler(_ number: Int, _ name: String, _ before: String) -> String {
        let isQueen = queens.contains(name)
        let isGenitive = name.hasSuffix("s") && !namesInS.contains(name)
        switch true {
        case isGenitive: return "\(queens.contains(String(name.dropLast())) ? "der" : "des") \(stem(number))n"
        case datives.contains(before): return "\(isQueen ? "der" : "dem") \(stem(number))n"
        case accusatives.contains(before) && !isQueen: return "den \(stem(number))n"
        default: return "\(isQueen ? "die" : "der") \(stem(number))"
        }
    }

    /// Prepositions that the dative and the accusative of a name follow.
    private static let datives: Set<String> = ["aus", "bei", "mit", "nach", "seit", "unter", "von", "zu"]
    private static let accusatives: Set<String> = ["durch", "für", "gegen", "ohne"]

    /// Names that end in “s” in the nominative.
    private static let namesInS: Set<String> = [
        "alexis", "bonifatius", "hadrianus", "innozenz", "johannes", "julius", "klemens", "nikolaus", "pius", "thomas",
    ]

    private static let queens: Set<String> = [
        "anna", "elisabeth", "isabella", "kaiserin", "katharina", "königin", "margarethe", "maria", "viktoria", "zarin",
    ]

    /// Whether a number with a full stop is an ordinal between the two words.
    static func isOrdinal(before: String, after: String, isCapitalised: Bool) -> Bool {
        guard isCapitalised else { return true }
        return months.contains(after) || GermanOrdinals.isOrdinal(before: before, after: after)
    }

    private static let irregular = [1: "erste", 3: "dritte", 7: "siebte", 8: "achte"]

    private static func stem(_ number: Int) -> String {
        let last = number % 100
        guard last > 0, last < 20 else { return cardinal(number, .masculine) + "ste" }
        let head = number > last ? cardinal(number - last, .masculine) : ""
        return head + (irregular[last] ?? small[last] + "te")
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        switch (numerator, denominator) {
        case (1, 2): return "ein halb"
        case (_, 3...20), (_, 100):
            let part = String(stem(denominator).dropLast()).capitalized + "el"
            let short = denominator == 3 ? "Drittel" : part
            return "\(cardinal(numerator, .neuter)) \(short)"
        default: return nil
        }
    }

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = "\(cardinal(hour, .neuter)) Uhr"
        return minute == 0 ? hourWords : "\(hourWords) \(cardinal(minute, nil))"
    }

    private static let monthNames = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]
    private static let shortMonths = [
        "jan": 1, "jän": 1, "jänner": 1, "feb": 2, "febr": 2, "mrz": 3, "mär": 3, "apr": 4, "aug": 8, "sep": 9,
        "sept": 9,
        "okt": 10,
        "nov": 11, "dez": 12,
    ]
    private static let months = Set(monthNames.map { $0.lowercased() }).union(shortMonths.keys)

    static let dates: DateWords = {
        var dates = DateWords(names: monthNames, otherNames: shortMonths, monthsAreLowercase: false) {
            day,
            month,
            year,
            place,
            _ in
            let name = monthNames[month - 1]
            let words = "\(ordinal(day, Numerals.Place(before: place.before, after: name.lowercased()))) \(name)"
            return year.map { "\(words) \(GermanNumbers.year($0) ?? cardinal($0, nil))" } ?? words
        }
        dates.day = { day, place, _ in ordinal(day, place) }
        dates.dayNeedsDot = true
        dates.dottedDaysFollow = GermanOrdinals.wordsBeforeDays
        dates.articles = ["dem", "den"]
        dates.partsPrecede = GermanOrdinals.wordsForParts
        return dates
    }()
}
