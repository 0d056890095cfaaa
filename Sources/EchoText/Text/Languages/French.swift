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
                "nd": "second", "nde": "seconde",
            ],
            fraction: FrenchNumbers.fraction,
            wholeAndFraction: "et",
            halfOfMixed: "demi",
            telephonesFollow: ["tél", "tel", "téléphone", "fax", "portable"],
            genderOfCounted: FrenchNumbers.genderOfCounted,
            numbersFollow: ["numéro", "no", "page", "article", "chambre", "ligne", "place", "étape", "question"],
            isOne: { $0 < 2 },
            romanCardinalsFollow: [
                "chapitres", "tomes", "livres", "parties", "chapitre", "tome", "acte", "scène", "livre", "partie",
                "volume", "louis", "henri", "charles",
                "françois",
                "philippe", "napoléon", "guillaume", "élisabeth", "elizabeth", "paul", "pie", "benoît", "jean",
                "grégoire",
                "édouard", "george", "catherine", "nicolas", "alexandre", "pape", "roi", "reine", "léopold", "albert",
            ],
            romanCardinalsFollowStops: ["chap", "t", "vol"],
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
            others: [
                "§": "paragraphe", "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "",
                "≤": "inférieur ou égal à", "≥": "supérieur ou égal à", "≠": "différent de", "≈": "environ",
                "÷": "divisé par", "√": "racine carrée de", "∞": "infini", "‰": "pour mille", "²": " au carré",
                "³": " au cube", "®": "marque déposée", "™": "marque", "№": "numéro", "×": "fois", "±": "plus ou moins",
            ],
            between: [
                "=": "égale", "<": "inférieur à", ">": "supérieur à", "*": "fois", "^": "puissance", "~": "environ",
                "−": "moins",
            ]
        ),
        dates: FrenchNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in FrenchNumbers.time(hour, minute) },
            seconds: { "et \(FrenchNumbers.cardinal($0, .feminine)) \($0 < 2 ? "seconde" : "secondes")" },
            hourLetter: "h",
            repeatedWords: ["h", "heures"]
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
                scale == "mille" ? currency : currency.first == "e" ? "d'\(currency)" : "de \(currency)"
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
            ("kJ", "kilojoule"), ("°", "degré"), ("bar", "bar"),
        ]
        let feminine: [(String, String)] = [
            ("t", "tonne"), ("s", "seconde"), ("ms", "milliseconde"), ("min", "minute"), ("h", "heure"),
            ("kcal", "kilocalorie"),
        ]
        var units = Dictionary(uniqueKeysWithValues: masculine.map { ($0.0, CountedNoun($0.1, $0.1 + "s")) })
        for (sign, name) in feminine { units[sign] = CountedNoun(name, name + "s", .feminine) }
        let others: [(String, String, String)] = [
            ("km/h", "kilomètre à l'heure", "kilomètres à l'heure"), ("°C", "degré Celsius", "degrés Celsius"),
            ("°F", "degré Fahrenheit", "degrés Fahrenheit"), ("m²", "mètre carré", "mètres carrés"),
            ("km²", "kilomètre carré", "kilomètres carrés"), ("cm²", "centimètre carré", "centimètres carrés"),
            ("m³", "mètre cube", "mètres cubes"), ("cm³", "centimètre cube", "centimètres cubes"),
            ("kWh", "kilowattheure", "kilowattheures"), ("Hz", "hertz", "hertz"), ("kHz", "kilohertz", "kilohertz"),
            ("MHz", "mégahertz", "mégahertz"), ("GHz", "gigahertz", "gigahertz"),
            ("hPa", "hectopascal", "hectopascals"),
        ]
        for (sign, one, many) in others { units[sign] = CountedNoun(one, many) }
        return units
    }()

    private static let frenchAbbreviations: [String: [Abbreviation]] = [
        "m": [.beforeName("Monsieur").capitalised, .midSentence("Monsieur").capitalised],
        "mm": [.beforeName("Messieurs").capitalised],
        "mme": [.title("Madame")], "mmes": [.title("Mesdames")], "mlle": [.title("Mademoiselle")],
        "dr": [.title("Docteur")], "pr": [.title("Professeur")], "me": [.beforeName("Maître").capitalised],
        "st": [.title("Saint").hyphenated], "ste": [.title("Sainte").hyphenated], "p.ex": [.anywhere("par exemple")],
        "ex": [.anywhere("exemple")], "cf": [.anywhere("confer").bare], "etc": [.anywhere("et cetera").bare],
        "env": [.anywhere("environ")], "n°": [.beforeNumber("numéro")], "nº": [.beforeNumber("numéro").bare],
        "no": [.beforeNumber("numéro")], "p": [.beforePage("page")], "pp": [.beforePage("pages")],
        "vol": [.beforeNumber("volume")], "chap": [.beforeNumber("chapitre")], "art": [.beforeNumber("article")],
        "fig": [.beforeNumber("figure")], "t": [.beforeNumber("tome")], "éd": [.anywhere("édition")],
        "tél": [.anywhere("téléphone")], "bd": [.beforeName("boulevard").bare],
        "pl": [.beforeName("place")], "max": [.anywhere("maximum")], "min": [.anywhere("minimum")],
        "apr": [.beforeName("après")], "av.j.c": [.anywhere("avant Jésus-Christ")],
        "apr.j.c": [.anywhere("après Jésus-Christ")], "c.à.d": [.anywhere("c'est-à-dire")],
        "hab": [.anywhere("habitants")], "s.a": [.anywhere("S A")],
        "janv": [.anywhere("janvier")], "févr": [.anywhere("février")], "juil": [.anywhere("juillet")],
        "sept": [.midSentence("septembre")], "oct": [.midSentence("octobre")], "déc": [.midSentence("décembre")],
    ]
}
