/// English numbers, dates and times in words.
enum EnglishNumbers {
    static let digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

    private static let small =
        digits + [
            "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
            "nineteen",
        ]
    private static let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let scales = ["", " thousand", " million", " billion", " trillion"]

    static func cardinal(_ number: Int) -> String {
        guard number >= 1_000 else { return belowThousand(number) }
        var groups: [String] = []
        var rest = number
        for scale in scales where rest > 0 {
            if rest % 1_000 > 0 { groups.append(belowThousand(rest % 1_000) + scale) }
            rest /= 1_000
        }
        return groups.reversed().joined(separator: " ")
    }

    private static func belowThousand(_ number: Int) -> String {
        switch number {
        case ..<20: small[number]
        case ..<100: tens[number / 10] + (number % 10 > 0 ? "-" + small[number % 10] : "")
        default: small[number / 100] + " hundred" + (number % 100 > 0 ? " " + belowThousand(number % 100) : "")
        }
    }

    private static let irregularOrdinals = [
        "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
        "twelve": "twelfth",
    ]

    static func ordinal(_ number: Int) -> String {
        let words = cardinal(number)
        let start = words.lastIndex { $0 == " " || $0 == "-" }.map { words.index(after: $0) } ?? words.startIndex
        let last = String(words[start...])
        let ending =
            if let irregular = irregularOrdinals[last] {
                irregular
            } else if last.hasSuffix("y") {
                String(last.dropLast()) + "ieth"
            } else {
                last + "th"
            }
        return words[..<start] + ending
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        if numerator == 24, denominator == 7 { return nil }
        let part: String
        switch denominator {
        case 2: return numerator == 1 ? "one half" : nil
        case 4: part = numerator == 1 ? "quarter" : "quarters"
        case 3, 5...20, 32, 64, 100: part = ordinal(denominator) + (numerator == 1 ? "" : "s")
        default: return nil
        }
        return "\(cardinal(numerator)) \(part)"
    }

    static func year(_ year: Int) -> String? {
        let century = cardinal(year / 100)
        switch year % 100 {
        case 0: return year % 1_000 == 0 ? nil : "\(century) hundred"
        case 1...9: return year / 100 == 20 ? nil : "\(century) oh \(cardinal(year % 100))"
        default: return "\(century) \(cardinal(year % 100))"
        }
    }

    /// “oh five” for a year written “’05”.
    static func shortYear(_ year: Int) -> String? {
        switch year {
        case 0: nil
        case ..<10: "oh \(cardinal(year))"
        default: cardinal(year)
        }
    }

    /// Whether four digits between the words are a year: “the 1908 fire”, “Ann's 1987 essay”, but not “the 1500 men”.
    static func isYearPlace(before: String, after: String) -> Bool {
        guard before.hasSuffix("'s") || determiners.contains(before), !after.isEmpty else { return false }
        return !counted.contains(after) && !SentenceOpeners.contains(after, language: "en")
            && (!isPlural(after) || events.contains(after))
    }

    private static func isPlural(_ noun: String) -> Bool {
        noun.hasSuffix("s") && !["ss", "us", "is"].contains(noun.suffix(2))
    }

    private static let determiners: Set<String> = [
        "the", "this", "that", "my", "your", "his", "her", "its", "our", "their",
    ]

    /// Plurals that years stand before more often than counts.
    private static let events: Set<String> = [
        "championships", "elections", "finals", "floods", "games", "olympics", "playoffs", "protests", "riots",
        "series",
        "talks",
    ]

    /// What is counted though it is no plural in “s”.
    private static let counted: Set<String> = [
        "acre", "calorie", "children", "dollar", "euro", "fathom", "feet", "foot", "francs", "fish", "kilometer",
        "kilometre", "mark", "men", "meter", "metre", "mile", "more", "other", "page", "people", "percent", "pound",
        "seat", "sheep", "square", "strong", "thousand", "ton", "watt", "women", "word", "year",
    ]

    /// The states whose codes stand before postal codes.
    static let states: Set<String> = [
        "al", "ak", "az", "ar", "ca", "co", "ct", "dc", "de", "fl", "ga", "hi", "ia", "id", "il", "in", "ks", "ky",
        "la",
        "ma", "md", "me", "mi", "mn", "mo", "ms", "mt", "nc", "nd", "ne", "nh", "nj", "nm", "nv", "ny", "oh", "ok",
        "or",
        "pa", "pr", "ri", "sc", "sd", "tn", "tx", "ut", "va", "vt", "wa", "wi", "wv", "wy",
    ]

    static func decade(_ year: Int) -> String? {
        guard year >= 100 else { return "\(tens[year / 10].dropLast())ies" }
        let century = cardinal(year / 100)
        switch year % 100 {
        case 0: return year % 1_000 == 0 ? cardinal(year) + "s" : century + " hundreds"
        case 10: return century + " tens"
        default: return "\(century) \(tens[year % 100 / 10].dropLast())ies"
        }
    }

    static func time(_ hour: Int, _ minute: Int, hasHalf: Bool) -> String? {
        let hourWords = cardinal(hour)
        switch minute {
        case 0: return hasHalf ? hourWords : hour == 0 || hour > 12 ? "\(hourWords) hundred" : "\(hourWords) o'clock"
        case 1...9: return "\(hourWords) oh \(cardinal(minute))"
        default: return "\(hourWords) \(cardinal(minute))"
        }
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    static let dates: DateWords = {
        var dates = DateWords(
            names: monthNames,
            otherNames: [
                "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
                "nov": 11, "dec": 12,
            ],
            monthsAreLowercase: false
        ) { day, month, year, place, monthFirst in
            let article = place.before == "the" ? "" : "the "
            let dayAndMonth =
                monthFirst
                ? "\(monthNames[month - 1]) \(ordinal(day))" : "\(article)\(ordinal(day)) of \(monthNames[month - 1])"
            guard let year else { return dayAndMonth }
            return "\(dayAndMonth), \(EnglishNumbers.year(year) ?? cardinal(year))"
        }
        dates.day = { day, place, isJoined in
            (place.before == "the" ? "" : "the ") + ordinal(day) + (isJoined ? "" : " of")
        }
        dates.readsDayAfterMonth = true
        dates.joiners = ["of"]
        dates.dayEndings = ["st", "nd", "rd", "th"]
        return dates
    }()
}
