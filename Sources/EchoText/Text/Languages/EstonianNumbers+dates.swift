/// Estonian dates and times of day in words.
extension EstonianNumbers {
    static func time(_ hour: Int, _ minute: Int) -> String {
        switch minute {
        case 0: cardinal(hour)
        case 1...9: "\(cardinal(hour)) null \(cardinal(minute))"
        default: "\(cardinal(hour)) \(cardinal(minute))"
        }
    }

    /// A time of day whose ending is behind its digits: “kella 11.30ni”.
    static func time(_ hour: Int, _ minute: Int, ending: String) -> String {
        guard minute > 0 else { return genitive(hour) + ending }
        return "\(genitive(hour)) \(minute < 10 ? "null " : "")\(genitive(minute))\(ending)"
    }

    private static let monthNames = [
        "jaanuar", "veebruar", "märts", "aprill", "mai", "juuni", "juuli", "august", "september", "oktoober",
        "november",
        "detsember",
    ]

    /// Genitives of the months' names, to which the endings of the other cases are added.
    static let monthStems = [
        "jaanuari", "veebruari", "märtsi", "aprilli", "mai", "juuni", "juuli", "augusti", "septembri", "oktoobri",
        "novembri", "detsembri",
    ]

    /// The case in which a span begins that ends in a noun: “maist” before “maini”, “klassist” before “klassini”.
    static func beginning(ofSpanUntil month: String) -> String {
        guard month.hasSuffix("ni") else { return month }
        let stem = String(month.dropLast(2))
        return EstonianCase.stems.contains(stem) ? stem + "st" : month
    }

    /// A month whose name shows no case, as one in the genitive if a noun follows.
    ///
    /// “3. mai kirja” and “1. juuni seisuga” have one.
    static func month(_ month: String, before noun: String) -> String {
        guard ["juuli", "juuni", "mai"].contains(month), isDocument(noun) || nounsOfDays.contains(noun) else {
            return month
        }
        return monthStems[0]
    }

    private static let nounsOfDays: Set<String> = [
        "hommik", "hommiku", "hommikuks", "hommikul", "hommikust", "keskpäeval", "kiri", "kirja", "kirjad", "kirjaga",
        "kirjale", "kirjas", "kirjast", "leht", "lehe", "lehes", "lõunal", "päeval", "pärastlõunal", "seisuga", "teade",
        "teate", "teates", "õhtu", "õhtuks", "õhtul", "õhtust", "ööl",
    ]

    /// Words beside a date that is the time of what happens, most of them verbs.
    private static let wordsOfDates: Set<String> = [
        "algab", "algas", "allkirjastati", "asutati", "avati", "hiljemalt", "esitas", "esitati", "hukkus",
        "ilmus", "jõustub",
        "jõustus", "kinnitas", "kinnitati", "lõpeb", "lõppes", "otsustas", "saadeti", "suri", "sõlmiti", "sünd",
        "sündis",
        "surn", "toimub", "toimus", "valmib", "valmis", "võeti", "võttis",
    ]

    /// Whether a noun behind a date is what was written on it: “8.11.2023 otsusega”.
    private static func isDocument(_ noun: String) -> Bool {
        !noun.hasPrefix("otsusta") && documents.contains { noun.hasPrefix($0) }
    }

    /// Whether a word before a date says what was done then: “muudetud 15.12.2026”.
    private static func isParticiple(_ word: String) -> Bool {
        word == "vastu" || ["dati", "dud", "nud", "tati", "tud"].contains { word.hasSuffix($0) }
    }

    private static let documents = [
        "avaldus", "käskkir", "koosolek", "korraldus", "kohtuotsus", "lepingu", "määrus", "otsus", "protokol",
        "taotlus",
    ]

    static let dates: DateWords = {
        var names = ["jaan": 1, "veebr": 2, "apr": 4, "aug": 8, "sept": 9, "okt": 10, "nov": 11, "dets": 12]
        for (index, stem) in monthStems.enumerated() {
            for ending in EstonianCase.endings.keys where !ending.hasPrefix("te") { names[stem + ending] = index + 1 }
        }
        var dates = DateWords(names: monthNames, otherNames: names, monthsAreLowercase: true) {
            day,
            month,
            year,
            place,
            _ in
            let stem = monthStems[month - 1]
            let isBeforeWhen = ["", "kell", "kl"].contains(place.after) || wordsOfDates.contains(place.after)
            let words: String
            if place.before == "alates" {
                words = "\(inflected(day, .ending("st"))) \(stem)st"
            } else if place.before == "kuni" {
                words = "\(inflected(day, .genitive)) \(stem)ni"
            } else if partitivesFollow.contains(place.before), isBeforeWhen {
                words = "\(inflected(day, .partitive)) \(stem)\(month < 5 ? "" : month == 5 ? "d" : "t")"
            } else if isParticiple(place.before) || wordsOfDates.contains(place.after)
                || wordsOfDates.contains(place.before)
            {
                // “05.11.2024 toimus koosolek” says when.
                words = "\(inflected(day, .ending("l"))) \(stem)l"
            } else if isDocument(place.after) {
                words = "\(inflected(day, .genitive)) \(stem)"
            } else {
                words = "\(inflected(day, .nominative)) \(monthNames[month - 1])"
            }
            return year.map { "\(words) \(cardinal($0))" } ?? words
        }
        dates.day = { day, place, _ in ordinal(day, place) }
        dates.dayNeedsDot = true
        dates.expiriesFollow = ["aegub", "exp", "kehtib kuni", "kehtiv kuni", "parim enne"]
        dates.days = [
            "e": "esmaspäev", "t": "teisipäev", "k": "kolmapäev", "n": "neljapäev", "r": "reede", "l": "laupäev",
            "p": "pühapäev",
        ]
        return dates
    }()

    /// Words for parts of a century.
    static let partsOfCenturies: Set<String> = [
        "algul", "algus", "alguse", "alguseks", "alguseni", "alguses", "algusest", "jooksul", "kesk", "keskel",
        "keskpaiga", "keskpaigaks", "keskpaigani", "keskpaigas", "keskpaigast", "keskpaik", "kestel", "lõpp", "lõppu",
        "lõpu", "lõpuks", "lõpul", "lõpuni", "lõpus", "lõpust", "teine", "teise", "teisel", "teisest", "viimane",
        "viimase", "viimasel", "vältel",
    ]

    /// Whether a word behind a year shows that its “a” is a genitive.
    ///
    /// “2025. a aruanne” has one, “2025. a toimus” has none.
    static func belongsToYear(_ word: String) -> Bool {
        partsOfCenturies.contains(word) || genitivesPrecede.contains(word) || dates.months[word] != nil
            || ["i", "ii", "iii", "iv"].contains(word) || nounsOfYears.contains { word.hasPrefix($0) }
    }

    /// The beginnings of what years have.
    private static let nounsOfYears = [
        "aruan", "eelarve", "esime", "kevad", "majandusaasta", "olümpiamäng", "parim", "riigieelarve", "seisuga",
        "sügis", "suve", "suurim", "talve", "tegevus", "tulem", "valimis",
    ]
}
