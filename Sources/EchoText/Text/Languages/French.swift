extension LanguageRules {
    static let french = LanguageRules(
        code: "fr",
        numerals: Numerals(
            decimalMark: ",",
            groupMark: " ",
            decimals: .asNumber,
            cardinal: FrenchNumbers.cardinal,
            ordinal: FrenchNumbers.ordinal,
            ordinalEndings: [
                "er": "m", "re": "f", "ère": "f", "e": "m", "è": "m", "ème": "m", "eme": "m", "ième": "m", "es": "m",
                "nd": "second", "nde": "seconde", "de": "seconde", "ers": "ms", "res": "fs", "ères": "fs",
            ],
            fraction: FrenchNumbers.fraction,
            wholeAndFraction: "et",
            halfOfMixed: "demi",
            feminineHalfOfMixed: "demie",
            half: FrenchNumbers.half,
            telephonesFollow: ["tél", "tel", "téléphone", "fax", "portable"],
            numbersOfRulesFollow: ["formule", "méthode", "principe", "régime", "règle", "règles", "technique"],
            genderOfCounted: FrenchNumbers.genderOfCounted,
            numbersFollow: [
                "numéro", "no", "page", "art", "article", "articles", "chambre", "d", "l", "ligne", "place", "r",
                "étape",
                "question",
            ],
            isOne: { $0 < 2 },
            romanCardinalsFollow: [
                "chapitres", "tomes", "livres", "parties", "chapitre", "tome", "acte", "scène", "livre", "partie",
                "volume", "an", "louis", "henri", "charles",
                "françois",
                "philippe", "napoléon", "guillaume", "élisabeth", "elizabeth", "paul", "pie", "benoît", "jean",
                "grégoire",
                "édouard", "george", "catherine", "nicolas", "alexandre", "pape", "roi", "reine", "léopold", "albert",
            ],
            romanCardinalsFollowStops: ["art", "chap", "p", "pp", "t", "vol"],
            romanOrdinalsHaveEndings: true,
            ruler: { number, _, _ in FrenchNumbers.cardinal(number, nil) },
            pagesPrecede: ["page", "pages", "p", "pp"],
            timesTenToThe: "fois dix puissance",
            digitNames: FrenchNumbers.digits
        ),
        signs: SignWords(
            minus: "moins",
            power: "puissance",
            point: "virgule",
            to: "à",
            by: "sur",
            score: "à",
            dot: "point",
            at: "arobase",
            slash: "barre oblique",
            dash: "tiret",
            underscore: "tiret bas",
            colon: "deux-points",
            plus: "plus",
            hashtag: "hashtag",
            number: "numéro",
            sections: "paragraphes",
            others: [
                "§": "paragraphe", "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "",
                "≤": "inférieur ou égal à", "≥": "supérieur ou égal à", "≠": "différent de", "≈": "environ",
                "÷": "divisé par", "√": "racine carrée de", "∞": "infini", "‰": "pour mille", "²": " au carré",
                "³": " au cube", "®": "marque déposée", "™": "marque", "№": "numéro", "×": "fois", "±": "plus ou moins",
            ],
            between: [
                "=": "égale", "<": "inférieur à", ">": "supérieur à", "*": "fois", "^": "puissance", "~": "environ",
                "−": "moins",
            ],
            outOf: "sur",
            repeated: CountedNoun("fois", "fois", .feminine),
            beforeNumbers: ["<": "moins de", ">": "plus de", "~": "environ"]
        ),
        dates: FrenchNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in FrenchNumbers.time(hour, minute) },
            seconds: { "et \(FrenchNumbers.cardinal($0, .feminine)) \($0 < 2 ? "seconde" : "secondes")" },
            lengths: LengthWords(
                hour: CountedNoun("heure", "heures", .feminine),
                minute: CountedNoun("minute", "minutes", .feminine),
                second: CountedNoun("seconde", "secondes", .feminine),
                joint: "et",
                clocksFollow: ["après", "avant", "depuis", "dès", "jusqu'à", "jusqu’à", "vers", "à"],
                lengthsFollow: ["dure", "durée", "en", "temps"],
                hours: [],
                minutes: ["min", "minutes"]
            ),
            hourLetter: "h",
            repeatedWords: ["h", "heures"],
            versesFollow: [
                "actes", "amos", "apocalypse", "colossiens", "corinthiens", "daniel", "deutéronome", "exode",
                "galates",
                "genèse", "hébreux", "isaïe", "jacques", "jean", "job", "josué", "juges", "jérémie",
                "luc", "lévitique", "marc", "matthieu", "nombres", "osée", "philippiens", "pierre",
                "proverbes", "psaume", "psaumes", "rois", "romains", "samuel", "timothée", "éphésiens",
                "ésaïe", "ézéchiel",
            ],
            versesFollowStops: [
                "ac", "ap", "cor", "ex", "ga", "gn", "jn", "jr", "lc", "lv", "matt", "mc", "mt", "nb", "ps", "rm",
                "rom",
            ]
        ),
        money: MoneyWords(
            currencies: frenchCurrencies,
            scales: [
                "k": CountedNoun("mille", "mille"), "M": CountedNoun("million", "millions"),
                "Md": CountedNoun("milliard", "milliards"), "Mds": CountedNoun("milliard", "milliards"),
                "million": CountedNoun("million", "millions"), "millions": CountedNoun("million", "millions"),
                "milliard": CountedNoun("milliard", "milliards"), "milliards": CountedNoun("milliard", "milliards"),
            ],
            afterScale: { scale, currency in
                let isElided = currency.first.map { "aehiouâèéêîïôœ".contains($0) } == true
                return scale == "mille" ? currency : isElided ? "d'\(currency)" : "de \(currency)"
            },
            joint: "",
            saysMinor: false
        ),
        abbreviations: frenchAbbreviations,
        units: frenchUnits,
        spelledInCapitals: [
            "au", "aux", "ce", "de", "en", "il", "je", "le", "ne", "ni", "ont", "où", "par", "que", "qui", "se", "si",
            "son",
            "sur", "tu", "un", "une",
        ],
        perUnit: { "\($0) par \($1)" },
        directions: ["N": "nord", "S": "sud", "E": "est", "O": "ouest", "W": "ouest"]
    )

    private static let frenchCurrencies: [String: MoneyWords.Currency] = {
        func currency(_ name: String, _ minor: String?, _ gender: CountedNoun.Gender = .masculine)
            -> MoneyWords.Currency
        {
            MoneyWords.Currency(
                major: CountedNoun(name, name + "s", gender),
                minor: minor.map { CountedNoun($0, $0 + "s") }
            )
        }
        return [
            "€": currency("euro", "centime"), "EUR": currency("euro", "centime"), "$": currency("dollar", "cent"),
            "US$": MoneyWords.Currency(
                major: CountedNoun("dollar américain", "dollars américains"),
                minor: CountedNoun("cent", "cents")
            ),
            "USD": MoneyWords.Currency(major: CountedNoun("dollar américain", "dollars américains"), minor: nil),
            "£": currency("livre", "penny", .feminine), "GBP": currency("livre", "penny", .feminine),
            "¥": currency("yen", nil),
            "CHF": MoneyWords.Currency(
                major: CountedNoun("franc suisse", "francs suisses"),
                minor: CountedNoun("centime", "centimes")
            ),
        ]
    }()

    private static let frenchUnits: [String: CountedNoun] = {
        let masculine: [(String, String)] = [
            ("km", "kilomètre"), ("m", "mètre"), ("cm", "centimètre"), ("mm", "millimètre"), ("µm", "micromètre"),
            ("nm", "nanomètre"), ("kg", "kilogramme"), ("g", "gramme"), ("mg", "milligramme"), ("l", "litre"),
            ("L", "litre"), ("ml", "millilitre"), ("mL", "millilitre"), ("cl", "centilitre"), ("dl", "décilitre"),
            ("ha", "hectare"), ("W", "watt"), ("kW", "kilowatt"), ("MW", "mégawatt"), ("V", "volt"), ("kV", "kilovolt"),
            ("mA", "milliampère"), ("dB", "décibel"), ("Ko", "kilooctet"), ("ko", "kilooctet"), ("Mo", "mégaoctet"),
            ("Go", "gigaoctet"), ("To", "téraoctet"), ("MB", "mégaoctet"), ("GB", "gigaoctet"), ("J", "joule"),
            ("kJ", "kilojoule"), ("°", "degré"), ("bar", "bar"), ("″", "pouce"), ("dm", "décimètre"),
            ("hl", "hectolitre"), ("cL", "centilitre"), ("dL", "décilitre"), ("µl", "microlitre"),
            ("µg", "microgramme"), ("ng", "nanogramme"), ("kPa", "kilopascal"), ("kN", "kilonewton"),
            ("GW", "gigawatt"), ("Mbit", "mégabit"), ("Gbit", "gigabit"), ("nds", "nœud"),
        ]
        let feminine: [(String, String)] = [
            ("t", "tonne"), ("s", "seconde"), ("ms", "milliseconde"), ("min", "minute"), ("mn", "minute"),
            ("h", "heure"), ("kcal", "kilocalorie"), ("mol", "mole"), ("mmol", "millimole"), ("µmol", "micromole"),
            ("atm", "atmosphère"),
        ]
        var units = Dictionary(uniqueKeysWithValues: masculine.map { ($0.0, CountedNoun($0.1, $0.1 + "s")) })
        for (sign, name) in feminine { units[sign] = CountedNoun(name, name + "s", .feminine) }
        let others: [(String, String, String)] = [
            ("km/h", "kilomètre à l'heure", "kilomètres à l'heure"), ("°C", "degré Celsius", "degrés Celsius"),
            ("°F", "degré Fahrenheit", "degrés Fahrenheit"), ("m²", "mètre carré", "mètres carrés"),
            ("km²", "kilomètre carré", "kilomètres carrés"), ("cm²", "centimètre carré", "centimètres carrés"),
            ("m³", "mètre cube", "mètres cubes"), ("cm³", "centimètre cube", "centimètres cubes"),
            ("km³", "kilomètre cube", "kilomètres cubes"),
            ("kWh", "kilowattheure", "kilowattheures"), ("Hz", "hertz", "hertz"), ("kHz", "kilohertz", "kilohertz"),
            ("MHz", "mégahertz", "mégahertz"), ("GHz", "gigahertz", "gigahertz"),
            ("hPa", "hectopascal", "hectopascals"), ("MWh", "mégawattheure", "mégawattheures"),
            ("GWh", "gigawattheure", "gigawattheures"), ("TWh", "térawattheure", "térawattheures"),
            ("kwh", "kilowattheure", "kilowattheures"),
            ("mmHg", "millimètre de mercure", "millimètres de mercure"),
            ("Mb/s", "mégabit par seconde", "mégabits par seconde"),
            ("tr/min", "tour par minute", "tours par minute"),
            ("Gb/s", "gigabit par seconde", "gigabits par seconde"),
        ]
        for (sign, one, many) in others { units[sign] = CountedNoun(one, many) }
        return units
    }()

    private static let frenchAbbreviations: [String: [Abbreviation]] = [
        "m": [.beforeName("Monsieur").capitalised, .midSentence("Monsieur").capitalised],
        "mm": [.beforeName("Messieurs").capitalised, .midSentence("Messieurs").capitalised],
        "s.m": [.anywhere("Sa Majesté").capitalised.orInitials],
        "mme": [.anywhere("Madame").bare.capitalised], "mmes": [.anywhere("Mesdames").bare.capitalised],
        "mlle": [.anywhere("Mademoiselle").bare.capitalised], "vs": [.anywhere("versus").bare],
        "mgr": [.title("Monseigneur")], "cie": [.anywhere("compagnie")],
        "dr": [.title("Docteur")], "pr": [.title("Professeur")],
        "me": [.beforeName("Maître").capitalised, .beforeSurname("Maître").bare.capitalised],
        "st": [.title("Saint").hyphenated], "ste": [.title("Sainte").hyphenated], "p.ex": [.anywhere("par exemple")],
        "ex": [.midSentence("exemple")], "cf": [.anywhere("confer").bare], "etc": [.anywhere("et cetera").bare],
        "exp": [.beforeMonth("expire").bare],
        "op": [.beforeNumber("opus")],
        "env": [.anywhere("environ")], "n°": [.beforeNumber("numéro")], "nº": [.beforeNumber("numéro").bare],
        "no": [.beforeNumber("numéro").bare],
        "pers": [.afterOne("personne"), .afterNumber("personnes")],
        "p": [.beforePage("page"), .afterNumber("pages")], "p.m": [.afterNumber("P M")], "a.m": [.afterNumber("A M")],
        "pp": [.beforePage("pages")],
        "vol": [.beforeNumber("volume"), .afterNumber("volumes")],
        "arr": [.beforeTime("arrivée").lowercased, .afterNumber("arrondissement").lowercased],
        "s.a.r": [.beforeWord("Son Altesse Royale").capitalised], "mlles": [.title("Mesdemoiselles")],
        "sem": [.afterOne("semaine"), .afterNumber("semaines")], "capt": [.title("Capitaine")],
        "cdt": [.title("Commandant")], "lt": [.title("Lieutenant")], "sgt": [.title("Sergent")],
        "chap": [.beforeNumber("chapitre")],
        "art": [.beforeNumber("article"), .afterOne("article"), .afterCount("articles")],
        "fig": [.beforeNumber("figure")], "t": [.beforeNumber("tome")], "al": [.beforeNumber("alinéa")],
        "s": [.afterNumber("siècle")], "th": [.beforeNumber("thermostat")], "éd": [.anywhere("édition")],
        "tél": [.anywhere("téléphone")], "bd": [.beforeName("boulevard").bare, .beforeOf("boulevard")],
        "pl": [.beforeName("place"), .beforeOf("place")], "ch": [.beforeNumber("chapitre").lowercased],
        "max": [.anywhere("maximum").lowercased, .beforeNumber("maximum"), .beforeWord("maximum")],
        "min": [.anywhere("minimum").lowercased, .beforeNumber("minimum"), .beforeWord("minimum")],
        "bcp": [.anywhere("beaucoup").bare.lowercased], "càd": [.anywhere("c'est-à-dire").bare],
        "qq": [.anywhere("quelques").bare.lowercased], "qqch": [.anywhere("quelque chose").bare],
        "qqn": [.anywhere("quelqu'un").bare], "av": [.beforeName("avenue"), .beforeOf("avenue")],
        "apr": [.beforeName("après")], "av.j.c": [.anywhere("avant Jésus-Christ")],
        "apr.j.c": [.anywhere("après Jésus-Christ")], "c.à.d": [.anywhere("c'est-à-dire")],
        "j": [.afterOne("jour").bare.lowercased, .afterNumber("jours").bare.lowercased],
        "trim": [.anywhere("trimestre")], "bât": [.beforeName("bâtiment"), .beforeNumber("bâtiment")],
        "ét": [.anywhere("étage")], "appt": [.beforeNumber("appartement").bare],
        "pts": [.afterNumber("points").bare],
        "hab": [.afterNumber("habitants").bare, .anywhere("habitants")], "s.a": [.anywhere("S A")],
        "coll": [.anywhere("collection")], "km": [.beforeNumber("kilomètre").bare],
        "pdt": [.beforeNumber("pendant").bare.lowercased], "dvt": [.anywhere("devant").bare.lowercased],
        "tjrs": [.anywhere("toujours").bare.lowercased], "tjs": [.anywhere("toujours").bare.lowercased],
        "mtn": [.anywhere("maintenant").bare.lowercased],
        "ép": [.beforeNumber("épisode")],
        "doc": [.beforeWord("document").lowercased, .beforeNumber("document").lowercased],
        "t°": [.anywhere("température").capitalised],
        "sté": [.beforeName("Société").bare.capitalised], "gche": [.anywhere("gauche").bare.lowercased],
        "dte": [.anywhere("droite").bare.lowercased],
        "esc": [.beforeNumber("escalier"), .beforeLetters("escalier")],
        "a.p": [.afterNumber("après prolongation").lowercased],
        "janv": [.anywhere("janvier")], "févr": [.anywhere("février")], "juil": [.anywhere("juillet")],
        "sept": [.midSentence("septembre")], "oct": [.midSentence("octobre")], "déc": [.midSentence("décembre")],
    ]
}

/// French numbers, dates and times in words.
enum FrenchNumbers {
    static let digits = ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"]

    private static let small =
        digits + ["dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"]
    private static let tens = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"]
    private static let scales = [
        (1_000_000_000_000, "billion"), (1_000_000_000, "milliard"), (1_000_000, "million"),
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, name) in scales where number / size % 1_000 > 0 {
            let count = number / size % 1_000
            groups.append("\(belowThousand(count)) \(name)\(count > 1 ? "s" : "")")
        }
        let thousands = number / 1_000 % 1_000
        if thousands > 0 {
            groups.append(thousands == 1 ? "mille" : "\(belowThousand(thousands, isLast: false)) mille")
        }
        if number % 1_000 > 0 { groups.append(belowThousand(number % 1_000)) }
        let words = groups.joined(separator: " ")
        let endsInOne = number % 10 == 1 && number % 100 != 11 && number % 100 != 71 && number % 100 != 91
        return gender == .feminine && endsInOne ? words + "e" : words
    }

    private static func belowThousand(_ number: Int, isLast: Bool = true) -> String {
        guard number >= 100 else { return belowHundred(number, isLast: isLast) }
        let rest = number % 100
        let hundreds = number < 200 ? "cent" : "\(small[number / 100]) cent\(rest == 0 && isLast ? "s" : "")"
        return rest == 0 ? hundreds : "\(hundreds) \(belowHundred(rest, isLast: isLast))"
    }

    private static func belowHundred(_ number: Int, isLast: Bool) -> String {
        switch number {
        case ..<20: small[number]
        case 71: "soixante et onze"
        case ..<70: joined(tens[number / 10], number % 10, and: true)
        case ..<80: "soixante-\(small[number - 60])"
        case 80: isLast ? "quatre-vingts" : "quatre-vingt"
        default: "quatre-vingt-\(small[number - 80])"
        }
    }

    private static func joined(_ ten: String, _ unit: Int, and: Bool) -> String {
        switch unit {
        case 0: ten
        case 1 where and: "\(ten) et un"
        default: "\(ten)-\(small[unit])"
        }
    }

    /// The place's `after` is `f` for the feminine, and the word itself where “2nd” and “2nde” are written.
    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        if number == 2, place.after == "second" || place.after == "seconde" { return place.after }
        guard number != 1 else {
            let isFeminine = place.after == "f" || place.after == "fs"
            return (isFeminine ? "première" : "premier") + (place.after.hasSuffix("s") ? "s" : "")
        }
        // “deux millionième”, “millionième”.
        var words = cardinal(number, nil)
        if words.hasSuffix("illions") || words.hasSuffix("illiards") { words.removeLast() }
        if number == 1_000_000 || number == 1_000_000_000 { words.removeFirst("un ".count) }
        return switch true {
        case words.hasSuffix("cinq"): words + "uième"
        case words.hasSuffix("neuf"): words.dropLast() + "vième"
        case words.hasSuffix("e"), words.hasSuffix("quatre-vingts"), words.hasSuffix("cents"): words.dropLast() + "ième"
        default: words + "ième"
        }
    }

    /// The feminine where the noun is known for it; the other numbers are said as they are written.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard !isCapitalised, noun.utf16.count > 2, number == 1 || noun.hasSuffix("s") || noun.hasSuffix("x") else {
            return nil
        }
        let one = noun.hasSuffix("s") ? String(noun.dropLast()) : noun
        guard !masculine.contains(one) else { return nil }
        let isFeminine =
            feminine.contains(noun) || feminine.contains(one) || feminineEndings.contains { one.hasSuffix($0) }
        return isFeminine ? .feminine : nil
    }

    private static let feminineEndings = [
        "tion", "sion", "ette", "elle", "ence", "ance", "esse", "ité", "ière", "euse", "ée",
    ]

    /// Nouns that end like feminine ones.
    private static let masculine: Set<String> = [
        "cimetière", "comité", "dimanche", "lycée", "musée", "silence", "squelette", "traité", "trophée",
        "violoncelle",
    ]

    static func half(_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String? {
        if noun == "des" { return "la moitié" }
        return gender == .feminine ? "une demi" : nil
    }

    private static let feminine: Set<String> = [
        "amie", "bande", "barre", "bière", "bombe", "cause", "chaîne", "chaussure", "chute", "colline", "commande",
        "copine", "corde", "couleur", "course", "croix", "danse", "demande", "dose", "douche", "épaule", "erreur",
        "étude", "facture", "famille", "pers", "sem", "faute", "force", "forêt", "forme", "lampe",
        "larme", "leçon", "marche",
        "messe",
        "montagne", "planche", "poche", "poule", "preuve", "saison", "sorte", "source", "tante", "tête", "tombe",
        "vente", "veste", "victime",
        "assiette", "bague", "balle", "boîte", "bouteille", "branche", "carte", "chaise", "chambre", "chanson", "chose",
        "classe", "clé", "couche", "cuillère", "dame", "dent", "école", "église", "équipe", "étape", "étoile", "femme",
        "fenêtre", "fête", "feuille", "fille", "fleur", "fois", "goutte", "guerre", "heure", "histoire", "idée",
        "image",
        "île", "jambe", "journée", "langue", "lettre", "ligne", "liste", "main", "maison", "mère", "minute", "moitié",
        "note", "nuit", "œuvre", "ombre", "page", "part", "partie", "pêche", "pensée", "personne", "phrase", "photo",
        "pièce", "pierre", "place", "plage", "plante", "pomme", "porte", "question", "raison", "règle", "reine", "robe",
        "rose", "route", "rue", "salle", "scène", "seconde", "semaine", "société", "soirée", "sœur", "table", "tâche",
        "tasse", "tonne", "tour", "tranche", "usine", "vache", "vague", "valise", "version", "vie", "ville", "voie",
        "voiture", "voix", "vue", "zone",
        "bonne", "fausse", "grande", "grosse", "longue", "petite", "seule", "vraie",
    ]

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        let part: String
        switch denominator {
        case 2: return numerator == 1 ? "un demi" : nil
        case 3: part = "tiers"
        case 4: part = numerator == 1 ? "quart" : "quarts"
        case 5...20, 100: part = ordinal(denominator, Numerals.Place()) + (numerator == 1 ? "" : "s")
        default: return nil
        }
        return "\(cardinal(numerator, nil)) \(part)"
    }

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = "\(cardinal(hour, .feminine)) \(hour < 2 ? "heure" : "heures")"
        return minute == 0 ? hourWords : "\(hourWords) \(cardinal(minute, .feminine))"
    }

    private static let monthNames = [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ]

    static let dates: DateWords = {
        var dates = DateWords(
            names: monthNames,
            otherNames: [
                "janv": 1, "jan": 1, "févr": 2, "fév": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11,
                "déc": 12,
            ],
            monthsAreLowercase: true
        ) { day, month, year, _, _ in
            let words = "\(day == 1 ? "premier" : cardinal(day, nil)) \(monthNames[month - 1])"
            return year.map { "\(words) \(cardinal($0, nil))" } ?? words
        }
        dates.day = { day, _, _ in day == 1 ? "premier" : nil }
        dates.dayEndings = ["er"]
        dates.expiriesFollow = [
            "d'expiration", "d’expiration", "exp", "expiration", "expire", "expire fin", "péremption",
        ]
        dates.days = [
            "lun": "lundi", "mar": "mardi", "mer": "mercredi", "jeu": "jeudi", "ven": "vendredi", "sam": "samedi",
            "dim": "dimanche",
        ]
        return dates
    }()
}
