import Foundation

/// English numbers, dates and times in words.
enum EnglishNumbers {
    /// Capital letters that engines take for words.
    static let initialisms: Set<String> = ["aarp", "aclu", "iaea", "ymca", "ywca"]

    /// American states as prose cuts them short.
    static let statesCutShort = [
        "ala": "Alabama", "ark": "Arkansas", "colo": "Colorado", "conn": "Connecticut", "del": "Delaware",
        "ga": "Georgia", "ill": "Illinois", "ind": "Indiana", "kans": "Kansas", "ky": "Kentucky", "la": "Louisiana",
        "mass": "Massachusetts", "md": "Maryland", "mich": "Michigan", "miss": "Mississippi", "mo": "Missouri",
        "mont": "Montana", "neb": "Nebraska", "nebr": "Nebraska", "nev": "Nevada", "ore": "Oregon",
        "pa": "Pennsylvania", "tex": "Texas", "va": "Virginia", "vt": "Vermont", "wash": "Washington",
        "wis": "Wisconsin", "wyo": "Wyoming",
    ]

    /// Whether “I” between a noun in small letters and a word is no numeral.
    static func isPronoun(behind noun: String, before next: String) -> Bool {
        if kinds.contains(noun) {
            return verbsOfPronoun.contains(next) || next.hasSuffix("ed") || next.hasSuffix("n't")
        }
        // “Chapter I ends” has a verb of the third person.
        let isOfNoun = next.hasSuffix("s") && !next.hasSuffix("ss") && !["always", "sometimes", "was"].contains(next)
        return !isOfNoun && !numeralsPrecede.contains(next)
    }

    /// The last words of names that are counted in single letters, too.
    static let series: Set<String> = ["ariane", "auto", "fantasy", "quest", "rocky", "saturn", "trek"]

    /// Nouns whose numerals have another noun behind them: “a type I error”.
    private static let kinds: Set<String> = [
        "appendix", "class", "division", "grade", "group", "level", "phase", "phases", "stage", "type", "types", "unit",
    ]

    private static let verbsOfPronoun: Set<String> = [
        "actually", "already", "also", "always", "am", "assign", "began", "begin", "belong", "bought", "buy", "came",
        "can",
        "choose", "chose", "come", "could", "did", "do", "ever", "fear", "feel", "felt", "finally", "find", "first",
        "fought", "found", "gave", "get", "give", "go", "got", "grew", "had", "hate", "have", "hear", "heard", "held",
        "hold", "hope", "just", "keep", "kept", "knew", "know", "lead", "learn", "leave", "led", "left", "like", "live",
        "lost", "love", "made", "make", "may", "mean", "meant", "meet", "met", "might", "must", "never", "now", "often",
        "once", "play", "prefer", "ran", "read", "really", "remember", "run", "said", "sat", "saw", "say", "see",
        "shall", "should", "sit", "sold", "speak", "spoke", "stand", "still", "stood", "take", "taught", "teach",
        "then", "think", "thought", "took", "use", "usually", "want", "was", "went", "will", "won",
        "work", "would", "write", "wrote",
        "command", "describe", "enjoy", "list", "manage", "need", "operate", "own", "rent", "serve", "show",
    ]

    /// Words that stand behind a numeral rather than behind the word.
    private static let numeralsPrecede: Set<String> = [
        "a", "an", "and", "as", "at", "but", "by", "for", "from", "he", "her", "if", "in", "into", "it", "of", "on",
        "or", "our", "she", "that", "the", "their", "there", "they", "through", "to", "until", "we", "when", "where",
        "which", "while", "who", "with", "you",
    ]

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
    ///
    /// Behind “a” round numbers count more often: “a 1200 grit paper”, but “a 1950 Buick” and “an 1850 census”.
    static func isYearPlace(_ year: Int, before: String, after: String, isName: Bool) -> Bool {
        // “the 1920 x 1080 display”, “a 1920 by 1080 screen”
        guard before.hasSuffix("'s") || determiners.contains(before), after.utf8.count > 1, after != "by" else {
            return false
        }
        guard !counted.contains(after), !SentenceOpeners.contains(after, language: "en"),
            !isPlural(after) || events.contains(after)
        else { return false }
        guard before == "a" || before == "an" else { return true }
        let isRound = year % 100 == 0 || year < 1_900 && year % 50 == 0
        return isName || dated.contains(after) || year >= 1_700 && !isRound
    }

    /// Nouns of things that are made for a year: “figures for 1998”.
    static let forYears: Set<String> = [
        "accounts", "budget", "budgets", "calendar", "data", "dividend", "estimate", "estimates", "figure", "figures",
        "forecast", "forecasts", "growth", "numbers", "outlook", "plan", "plans", "predictions", "profit", "profits",
        "program", "programme", "report", "results", "revenue", "sales", "schedule", "statistics", "target", "targets",
    ]

    /// Words behind a year that it does not count.
    static let wordsBehindYears: Set<String> = [
        "and", "are", "had", "has", "have", "include", "included", "includes", "is", "show", "showed", "shows", "was",
        "were", "will", "would",
    ]

    private static func isPlural(_ noun: String) -> Bool {
        noun.hasSuffix("s") && !["ss", "us", "is"].contains(noun.suffix(2))
    }

    /// Singulars that have a year more often than they are counted.
    private static let dated: Set<String> = [
        "act", "adaptation", "agreement", "amendment", "biography", "census", "charter", "comedy", "constitution",
        "coup", "declaration", "decree", "directive", "documentary", "earthquake", "edict", "edition", "election",
        "engraving", "essay", "expedition", "fire", "flood", "invasion", "law", "lecture", "manuscript", "map",
        "massacre", "memoir", "movie", "murder", "musical", "novel", "painting", "pamphlet", "patent", "performance",
        "photo", "photograph", "poem", "portrait", "print", "rebellion", "referendum", "remake", "report", "revolt",
        "revolution", "ruling", "settlement", "speech", "statute", "study", "survey", "treaty", "trial", "uprising",
        "war",
    ]

    private static let determiners: Set<String> = [
        "a", "an", "the", "this", "that", "my", "your", "his", "her", "its", "our", "their",
    ]

    /// Plurals that years stand before more often than counts.
    private static let events: Set<String> = [
        "championships", "elections", "finals", "floods", "games", "olympics", "playoffs", "protests", "reforms",
        "revolts", "revolutions", "riots", "series", "talks", "uprisings",
    ]

    /// Counted nouns that are no plural in “s”.
    private static let counted: Set<String> = [
        "acre", "amp", "baht", "barrel", "baud", "bed", "berth", "bhp", "bit", "bottle", "bushel", "byte", "calorie",
        "candela", "car", "cc", "character", "children", "customer", "day",
        "degree", "dollar", "dot", "elo", "employee", "euro", "fathom", "feet", "foot", "franc", "francs", "fish",
        "gallon", "gram", "grit", "guest", "hectare",
        "horsepower", "hour", "hp", "inch", "kilo", "kilogram", "kilometer", "kilometre", "kilowatt", "line", "liter",
        "item", "kroner", "litre", "lumen", "lux", "man", "mark", "megawatt", "member", "men", "meter", "metre", "mile",
        "minute", "month",
        "more", "newton", "nit", "odd", "ohm", "other", "ounce", "page", "part", "passenger", "patient", "people",
        "peso", "percent", "person", "piece", "pixel", "player", "plus",
        "point", "pound", "psi", "pupil", "rated", "room", "row", "rouble", "ruble", "rupee", "seat", "second", "sheep",
        "sheet", "soldier",
        "square", "store", "strong", "student", "tablet", "thousand", "thread", "token", "ton", "tonne", "unit", "user",
        "vehicle", "volt", "vote",
        "watt", "week", "woman", "women", "word", "yard", "year", "yen", "yuan",
    ]

    /// The states whose codes stand before postal codes.
    static let states: Set<String> = [
        "al", "ak", "az", "ar", "ca", "co", "ct", "dc", "de", "fl", "ga", "hi", "ia", "id", "il", "in", "ks", "ky",
        "la",
        "ma", "md", "me", "mi", "mn", "mo", "ms", "mt", "nc", "nd", "ne", "nh", "nj", "nm", "nv", "ny", "oh", "ok",
        "or",
        "pa", "pr", "ri", "sc", "sd", "tn", "tx", "ut", "va", "vt", "wa", "wi", "wv", "wy",
    ]

    /// Foods that cups of recipes hold, and the words before them.
    static let ingredients: Set<String> = [
        "apple", "apples", "applesauce", "barley", "beans", "beef", "blueberries", "boiling", "bread", "breadcrumbs",
        "broth", "brown", "butter", "buttermilk", "carrots", "celery", "cheese", "chicken", "chocolate", "chopped",
        "cocoa", "coconut", "coffee", "cold", "confectioners", "cooked", "corn", "cornmeal", "cornstarch",
        "cranberries", "cream", "crushed", "diced", "dry", "flour", "fresh", "frozen", "granulated", "grated", "heavy",
        "honey", "hot", "juice", "lard", "lemon", "lentils", "macaroni", "margarine", "mayonnaise", "melted", "milk",
        "minced", "molasses", "mushrooms", "nuts", "oatmeal", "oats", "oil", "olive", "onion", "onions", "orange",
        "pasta", "peanut", "peas", "pecans", "potatoes", "powdered", "pumpkin", "raisins", "raspberries", "rice",
        "salt", "shortening", "shredded", "sifted", "sliced", "sour", "spinach", "stock", "strawberries", "sugar",
        "syrup", "tea", "tomato", "tomatoes", "vegetable", "vinegar", "walnuts", "warm", "water", "wheat", "white",
        "wine", "yogurt",
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
        dates.expiriesFollow = ["exp", "exp date", "expiration", "expiration date", "expiry", "expiry date"]
        dates.days = [
            "mon": "Monday", "tue": "Tuesday", "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday",
            "thur": "Thursday", "thurs": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
        ]
        return dates
    }()
}
