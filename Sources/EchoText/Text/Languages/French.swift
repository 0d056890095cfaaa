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
                "nd": "second", "nde": "seconde", "de": "seconde", "nds": "seconds",
                "ndes": "secondes", "ers": "ms", "res": "fs", "ères": "fs",
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
                "actes", "article", "chant", "chants", "scènes", "strophe", "titre", "volumes",
                "volume", "planche", "an", "louis", "henri", "charles",
                "françois",
                "philippe", "napoléon", "guillaume", "élisabeth", "elizabeth", "paul", "pie", "benoît", "jean",
                "grégoire",
                "édouard", "george", "catherine", "nicolas", "alexandre", "pape", "roi", "reine", "léopold", "albert",
            ],
            romanCardinalsFollowStops: ["art", "chap", "p", "pl", "pp", "t", "vol"],
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
            "ai", "air", "ait", "ami", "an", "ans", "au", "aux", "bal", "bas", "bel", "bon", "car", "cas", "ce",
            "cet", "coq", "cou", "cri", "cru", "de", "dit", "dix", "eau", "en", "eut", "fer", "feu", "fin", "fit",
            "fou", "fut", "gai", "gré", "ici", "il", "ils", "je", "jeu", "lac", "le", "lit", "loi", "lot", "lu",
            "lui", "lus", "là", "mal", "me", "mer", "met", "mil", "mis", "moi", "mon", "mot", "mur", "mû", "ne",
            "nez", "ni", "nid", "nom", "nos", "nu", "nue", "nul", "né", "ont", "où", "par", "peu", "pic", "pot", "pu",
            "que", "qui", "rat", "roi", "rue", "sac", "se", "sec", "sel", "si", "six", "soi", "son", "su",
            "sur", "sûr", "te", "tel", "toi", "ton", "tu", "tôt", "un", "une", "va", "vi", "vie", "vif", "vin", "vit",
            "vol", "vos", "vu", "vue", "âme", "ça", "été", "île",
        ],
        acronyms: [
            "caf": "caf", "dom": "dom", "ena": "éna", "fac": "fac", "onu": "onu", "opa": "opa", "pin": "pine",
            "ram": "ram", "rib": "rib", "rom": "rom", "sim": "sim", "tic": "tic", "tom": "tom", "zac": "zac",
            "zad": "zad", "zep": "zep",
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
            ("F", "franc"),
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
            ("mmHg", "millimètre de mercure", "millimètres de mercure"), ("ch", "cheval", "chevaux"),
            ("Nm", "newton mètre", "newtons mètres"),
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
        "alt": [.anywhere("altitude").lowercased], "vve": [.title("Veuve")],
        "c.pén": [.anywhere("Code pénal").capitalised],
        "c.civ": [.anywhere("Code civil").capitalised], "c.trav": [.anywhere("Code du travail").capitalised],
        "gél": [.afterOne("gélule"), .afterNumber("gélules")], "amp": [.afterOne("ampoule"), .afterNumber("ampoules")],
        "sach": [.afterOne("sachet"), .afterNumber("sachets")], "l": [.beforeNumber("L").capitalised],
        "r": [.beforeNumber("R").capitalised], "sqq": [.anywhere("et suivantes").bare],
        "sq": [.afterNumber("et suivante")],
        "ouvr": [.anywhere("ouvrage").lowercased], "g": [.anywhere("gauche").lowercased],
        "ctrl": [.anywhere("Contrôle").bare.capitalised],
        "mme": [.anywhere("Madame").bare.capitalised], "mmes": [.anywhere("Mesdames").bare.capitalised],
        "mlle": [.anywhere("Mademoiselle").bare.capitalised], "vs": [.anywhere("versus").bare],
        "mgr": [.title("Monseigneur"), .beforeOf("Monseigneur").bare.capitalised], "cie": [.anywhere("compagnie")],
        "dr": [.title("Docteur"), .anywhere("droite").lowercased], "pr": [.title("Professeur")],
        "me": [.beforeName("Maître").capitalised, .beforeSurname("Maître").bare.capitalised],
        "st": [.title("Saint").hyphenated], "ste": [.title("Sainte").hyphenated], "p.ex": [.anywhere("par exemple")],
        "ex": [
            .beforeNumber("exemple"), .afterOne("exemplaire"), .afterNumber("exemplaires"), .midSentence("exemple"),
        ],
        "rdv": [.anywhere("rendez-vous").bare], "xiii": [.beforeOf("treize").bare.capitalised],
        "xv": [.beforeOf("quinze").bare.capitalised], "cf": [.anywhere("confer").bare],
        "etc": [.anywhere("et cetera").bare],
        "exp": [.beforeMonth("expire").bare],
        "op": [.beforeNumber("opus")],
        "env": [.anywhere("environ")], "n°": [.beforeNumber("numéro"), .beforeWord("numéro")],
        "nº": [.beforeNumber("numéro").bare, .beforeWord("numéro").bare], "n": [.ofNote("note").lowercased],
        "nn": [.ofNote("notes").lowercased],
        "univ": [.beforeName("Université").capitalised, .beforeOf("Université").capitalised],
        "no": [.beforeNumber("numéro").bare], "nos": [.beforeNumber("numéros").bare.lowercased],
        "nºs": [.beforeNumber("numéros").bare], "prof": [.beforeName("professeur")], "gén": [.beforeName("général")],
        "pers": [.afterOne("personne"), .afterNumber("personnes")],
        "p": [.ofDwelling("pièces").lowercased, .beforePage("page"), .afterNumber("pages")],
        "p.m": [.afterNumber("P M")], "a.m": [.afterNumber("A M")],
        "pp": [.beforePage("pages")],
        "vol": [.beforePage("volume"), .afterNumber("volumes")],
        "arr": [.beforeTime("arrivée").lowercased, .afterNumber("arrondissement").lowercased],
        "s.a.r": [.beforeWord("Son Altesse Royale").capitalised], "mlles": [.title("Mesdemoiselles")],
        "sem": [.afterOne("semaine"), .afterNumber("semaines")], "capt": [.title("Capitaine")],
        "cdt": [.title("Commandant"), .beforeOf("Commandant").bare.capitalised],
        "lt": [.title("Lieutenant"), .beforeOf("Lieutenant").bare.capitalised], "sgt": [.title("Sergent")],
        "chap": [.beforePage("chapitre")],
        "art": [.beforeNumber("article"), .afterOne("article"), .afterCount("articles")],
        "fig": [.beforeNumber("figure")], "t": [.beforePage("tome")], "al": [.beforeNumber("alinéa")],
        "s": [.afterNumber("siècle")], "th": [.beforeNumber("thermostat")], "éd": [.anywhere("édition")],
        "tél": [.anywhere("téléphone")], "bd": [.beforeName("boulevard").bare, .beforeOf("boulevard")],
        "pl": [.beforeNumber("planche").lowercased, .beforeName("place"), .beforeOf("place")],
        "ch": [.beforeNumber("chapitre").lowercased, .afterDigit("chambres").lowercased],
        "max": [.anywhere("maximum").lowercased, .beforeNumber("maximum"), .beforeWord("maximum")],
        "min": [.anywhere("minimum").lowercased, .beforeNumber("minimum"), .beforeWord("minimum")],
        "bur": [.beforeNumber("bureau").lowercased], "exc": [.beforeWord("excepté").lowercased],
        "éd.rev": [.anywhere("édition revue").lowercased], "tabl": [.beforeNumber("tableau").lowercased],
        "t.l.j": [.anywhere("tous les jours").lowercased], "tlj": [.anywhere("tous les jours").bare.lowercased],
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
        "cp": [.afterOne("comprimé").lowercased, .afterNumber("comprimés").lowercased],
        "gal": [.beforeName("Général").bare.capitalised, .beforeOf("Général").bare.capitalised],
        "réf": [.beforeNumber("référence")],
        "sec": [.afterOne("seconde").lowercased, .afterNumber("secondes").lowercased],
        "v": [.beforeNumber("vers").lowercased, .beforeWord("voir").lowercased, .beforeName("voir").lowercased],
        "doc": [.beforeWord("document").lowercased, .beforeNumber("document").lowercased],
        "t°": [.anywhere("température").capitalised],
        "resp": [.anywhere("respectivement").lowercased], "ibid": [.anywhere("ibidem")],
        "asc": [.anywhere("ascenseur").lowercased],
        "rég": [.afterOrdinal("régiment").lowercased], "div": [.afterOrdinal("division").lowercased],
        "sté": [.beforeName("Société").bare.capitalised], "gche": [.anywhere("gauche").bare.lowercased],
        "dte": [.anywhere("droite").bare.lowercased],
        "esc": [.beforeNumber("escalier"), .beforeLetters("escalier")],
        "a.p": [.afterNumber("après prolongation").lowercased],
        "janv": [.anywhere("janvier")], "févr": [.anywhere("février")], "juil": [.anywhere("juillet")],
        "sept": [.midSentence("septembre")], "oct": [.midSentence("octobre")], "déc": [.midSentence("décembre")],
    ]
}
