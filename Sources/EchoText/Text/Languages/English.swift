import Foundation

extension LanguageRules {
    static let english = LanguageRules(
        code: "en",
        numerals: Numerals(
            decimalMark: ".",
            groupMark: ",",
            decimals: .digitByDigit,
            cardinal: { number, _ in EnglishNumbers.cardinal(number) },
            ordinal: { number, _ in EnglishNumbers.ordinal(number) },
            fraction: EnglishNumbers.fraction,
            wholeAndFraction: "and",
            year: EnglishNumbers.year,
            decade: EnglishNumbers.decade,
            yearsFollow: [
                "in", "since", "by", "between", "from", "until", "till", "of", "year", "before", "after", "around",
                "circa",
                "during", "early", "late", "mid", "spring", "summer", "autumn", "fall", "winter", "january", "february",
                "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
                "born",
                "died", "anno", "c", "ca",
            ],
            yearsPrecede: ["ad", "bc", "ce", "bce"],
            earlyYearsFollow: [
                "in", "since", "until", "till", "year", "before", "after", "around", "circa", "early", "late", "mid",
                "spring", "summer", "autumn", "fall", "winter", "january", "february", "march", "april", "may", "june",
                "july", "august", "september", "october", "november", "december", "born", "died", "anno",
            ],
            isYearPlace: EnglishNumbers.isYearPlace,
            shortYear: EnglishNumbers.shortYear,
            shortYearsFollow: ["to", "the", "and", "class"],
            roomsPrecede: [
                "room", "rooms", "rm", "flight", "suite", "ste", "apartment", "apt", "bus", "gate", "train", "highway",
                "route",
            ],
            postalCodesFollow: EnglishNumbers.states,
            callsPrecede: [
                "call", "calls", "called", "calling", "dial", "dialed", "dialled", "dialing", "phone", "ring",
            ],
            emergencyNumbers: ["911", "112", "999", "111", "101", "988"],
            telephonesFollow: ["tel", "telephone", "phone", "fax", "mobile"],
            numbersOfRulesPrecede: [
                "breathing", "diet", "formula", "method", "methods", "principle", "rule", "rules", "technique",
            ],
            versionsFollow: ["version", "versions", "release", "ios", "macos", "android", "swift", "python", "ubuntu"],
            numbersFollow: [
                "act", "bill", "case", "channel", "ext", "extension", "file", "form", "item", "l", "law", "laws",
                "model",
                "no", "number", "order", "resolution", "section", "serial", "tel",
            ],
            romanCardinalsFollow: [
                "chapters", "parts", "volumes", "books", "acts", "scenes", "sections", "articles", "phases", "types",
                "chapter", "part", "volume", "book", "act", "scene", "section", "appendix", "phase", "type", "class",
                "war", "wars", "ww", "figure", "table", "level", "article", "title", "stage", "grade", "episode",
                "season",
                "group",
                "division", "unit", "lesson", "verse", "canto", "stanza", "vatican", "bowl", "mark", "mk", "apollo",
                "sonata",
            ],
            romanCardinalsFollowStops: ["art", "bk", "ch", "chap", "fig", "pt", "sec", "vol", "vols"],
            romanOrdinalsFollow: [
                "king", "queen", "pope", "emperor", "empress", "tsar", "czar", "prince", "duke", "sultan", "pharaoh",
                "henry", "louis", "charles", "elizabeth", "george", "edward", "james", "william", "richard", "mary",
                "john",
                "paul", "pius", "benedict", "leo", "napoleon", "philip", "frederick", "nicholas", "alexander",
                "catherine",
                "gregory", "innocent", "clement", "urban", "peter", "ivan", "otto", "ferdinand", "alfonso", "ramesses",
                "ramses", "xerxes", "darius", "ptolemy", "wilhelm", "gustav", "christian", "haakon", "harald", "robert",
                "stephen", "boniface", "julius", "sixtus", "edmund", "francis", "joseph", "leopold", "maximilian",
                "mehmed",
                "murad", "carl", "umberto", "victor", "baldwin", "constantine", "theodosius", "artaxerxes", "thutmose",
            ],
            isBeforeOrdinalNoun: {
                ["amendment", "centuries", "century", "dynasty", "legion", "olympiad"].contains($0)
            },
            ruler: { number, _, _ in "the " + EnglishNumbers.ordinal(number) },
            wordsOfOneCapital: ["i", "x"],
            numbersOfRulersPrecede: ["of", "was", "died", "ruled", "reigned", "became"],
            romanAbbreviations: ["iv"],
            romanAbbreviationsFollow: [
                "administer", "avoid", "begin", "check", "continue", "discontinue", "flush", "give", "hang", "insert",
                "obtain", "peripheral", "place", "remove", "replace", "secure", "start", "starting", "stop", "use",
            ],
            romanAbbreviationsPrecede: [
                "access", "antibiotic", "antibiotics", "bag", "bags", "bolus", "cannula", "catheter", "catheters",
                "contrast", "dose", "doses", "drip", "drips", "drug", "drugs", "fluid", "fluids", "infusion",
                "infusions", "injection", "injections", "iron", "line", "lines", "medication", "medications",
                "medicine", "morphine", "needle", "nutrition", "paracetamol", "pole", "push", "saline", "sedation",
                "site", "steroids", "therapy", "treatment", "tube", "tubing",
            ],
            pagesPrecede: ["page", "pages", "p", "pp", "pg", "sc"],
            timesTenToThe: "times ten to the power of",
            digitNames: EnglishNumbers.digits
        ),
        signs: SignWords(
            minus: "minus",
            power: "to the power of",
            point: "point",
            to: "to",
            by: "by",
            score: "to",
            dot: "dot",
            at: "at",
            slash: "slash",
            dash: "dash",
            underscore: "underscore",
            colon: "colon",
            plus: "plus",
            hashtag: "hashtag",
            number: "number",
            sections: "sections",
            others: [
                "→": "to", "←": "from", "⇒": "implies", "•": "", "◦": "", "▪": "", "●": "", "■": "", "★": "star",
                "☆": "star", "≈": "about", "≠": "not equal to", "≤": "less than or equal to",
                "≥": "greater than or equal to", "÷": "divided by", "√": "square root of", "∞": "infinity", "∑": "sum",
                "π": "pi", "‰": "per mille", "²": " squared", "³": " cubed", "†": "", "‡": "", "✓": "check mark",
                "✔": "check mark", "✗": "cross", "¶": "paragraph", "№": "number", "℠": "service mark",
                "®": "registered", "™": "trademark",
            ],
            between: [
                "<": "less than", ">": "greater than", "*": "times", "^": "to the power of",
                "~": "about", "|": "or", "−": "minus",
            ],
            outOf: "out of",
            repeated: CountedNoun("time", "times"),
            beforeNumbers: ["<": "less than", ">": "more than", "~": "about"]
        ),
        dates: EnglishNumbers.dates,
        times: TimeWords(
            time: { EnglishNumbers.time($0, $1, hasHalf: $2) },
            seconds: { "and \(EnglishNumbers.cardinal($0)) \($0 == 1 ? "second" : "seconds")" },
            lengths: LengthWords(
                hour: CountedNoun("hour", "hours"),
                minute: CountedNoun("minute", "minutes"),
                second: CountedNoun("second", "seconds"),
                joint: "and",
                clocksFollow: ["after", "around", "at", "before", "by", "from", "since", "till", "until"],
                lengthsFollow: ["duration", "in", "lasted", "lasts", "length", "of", "runtime", "took"],
                hours: ["hours", "hrs"],
                minutes: ["min", "mins", "minutes"]
            ),
            halves: ["am": "AM", "pm": "PM"]
        ),
        money: MoneyWords(
            currencies: englishCurrencies,
            scales: [
                "k": CountedNoun("thousand", "thousand"), "K": CountedNoun("thousand", "thousand"),
                "m": CountedNoun("million", "million"), "M": CountedNoun("million", "million"),
                "mn": CountedNoun("million", "million"), "MM": CountedNoun("million", "million"),
                "b": CountedNoun("billion", "billion"),
                "B": CountedNoun("billion", "billion"), "bn": CountedNoun("billion", "billion"),
                "tn": CountedNoun("trillion", "trillion"), "trn": CountedNoun("trillion", "trillion"),
                "bln": CountedNoun("billion", "billion"), "mln": CountedNoun("million", "million"),
                "T": CountedNoun("trillion", "trillion"),
                "hundred": CountedNoun("hundred", "hundred"), "thousand": CountedNoun("thousand", "thousand"),
                "million": CountedNoun("million", "million"), "billion": CountedNoun("billion", "billion"),
                "trillion": CountedNoun("trillion", "trillion"),
            ],
            joint: "and",
            saysMinor: true,
            attributesFollow: ["a", "an"]
        ),
        abbreviations: englishAbbreviations,
        slashed: ["c/o": "care of", "w/o": "without"],
        units: englishUnits,
        unitsThatAreWords: ["in"],
        spelledInCapitals: [
            "age", "ago", "air", "am", "arm", "art", "ask", "ate", "bad", "bed", "big", "boy", "buy", "car", "cry",
            "cut", "day", "die", "dog", "dry", "due", "ear", "eat", "end", "eve", "eye", "far", "few", "fly", "fun",
            "god", "has", "hat", "hid", "hit", "hot", "ice", "if", "ill", "it", "joy", "key", "lad", "law", "lay",
            "led", "let", "lie", "lip", "low", "mad", "man", "men", "met", "oak", "odd", "off", "oil", "old", "out",
            "own", "pay", "ran", "red", "rid", "run", "sad", "sat", "saw", "say", "sea", "see", "set", "shy", "sit",
            "six", "sky", "sun", "tie", "too", "top", "try", "us", "war", "way", "win", "woe", "won", "yes", "yet",
        ],
        acronyms: [
            "cad": "cad", "cam": "cam", "cat": "cat", "dos": "dos", "hud": "hud", "lan": "lan", "mac": "mac",
            "nas": "nas", "pin": "pin", "ram": "ram", "rom": "rom", "sim": "sim", "ted": "ted", "wan": "wan",
            "zip": "zip",
        ],
        perUnit: { "\($0) per \($1)" },
        directions: ["N": "north", "S": "south", "E": "east", "W": "west"]
    )
}

extension LanguageRules {
    static let englishCurrencies: [String: MoneyWords.Currency] = {
        func currency(_ major: (String, String), _ minor: (String, String)?) -> MoneyWords.Currency {
            MoneyWords.Currency(
                major: CountedNoun(major.0, major.1),
                minor: minor.map { CountedNoun($0.0, $0.1) }
            )
        }
        let cents = ("cent", "cents")
        let dollar = currency(("dollar", "dollars"), cents)
        let pound = currency(("pound", "pounds"), ("penny", "pence"))
        let euro = currency(("euro", "euros"), cents)
        let yen = currency(("yen", "yen"), nil)
        let yuan = currency(("yuan", "yuan"), nil)
        let rupee = currency(("rupee", "rupees"), ("paisa", "paise"))
        let won = currency(("won", "won"), nil)
        let rouble = currency(("rouble", "roubles"), ("kopeck", "kopecks"))
        let hryvnia = currency(("hryvnia", "hryvnias"), nil)
        let americanDollar = currency(("US dollar", "US dollars"), cents)
        let australianDollar = currency(("Australian dollar", "Australian dollars"), cents)
        let canadianDollar = currency(("Canadian dollar", "Canadian dollars"), cents)
        let newZealandDollar = currency(("New Zealand dollar", "New Zealand dollars"), cents)
        let hongKongDollar = currency(("Hong Kong dollar", "Hong Kong dollars"), cents)
        let bitcoin = currency(("bitcoin", "bitcoins"), nil)
        return [
            "$": dollar, "£": pound, "€": euro, "¥": yen, "₹": rupee, "₩": won, "₽": rouble, "₴": hryvnia, "₿": bitcoin,
            "¢": currency(cents, nil), "US$": americanDollar, "A$": australianDollar, "AU$": australianDollar,
            "C$": canadianDollar, "CA$": canadianDollar, "NZ$": newZealandDollar, "HK$": hongKongDollar,
            "USD": americanDollar, "EUR": euro,
            "GBP": currency(("British pound", "British pounds"), ("penny", "pence")),
            "JPY": yen, "CNY": yuan, "INR": rupee, "RUB": rouble, "UAH": hryvnia, "AUD": australianDollar,
            "CAD": canadianDollar, "CHF": currency(("Swiss franc", "Swiss francs"), nil),
            "SEK": currency(("Swedish krona", "Swedish kronor"), nil),
            "NOK": currency(("Norwegian krone", "Norwegian kroner"), nil),
            "DKK": currency(("Danish krone", "Danish kroner"), nil), "PLN": currency(("zloty", "zlotys"), nil),
        ]
    }()

    static let englishUnits: [String: CountedNoun] = {
        var units: [String: CountedNoun] = [
            "in": CountedNoun("inch", "inches"), "ft": CountedNoun("foot", "feet"), "″": CountedNoun("inch", "inches"),
            "lb": CountedNoun("pound", "pounds"),
            "lbs": CountedNoun("pound", "pounds"), "mph": CountedNoun("mile per hour", "miles per hour"),
            "kph": CountedNoun("kilometre per hour", "kilometres per hour"),
            "km/h": CountedNoun("kilometre per hour", "kilometres per hour"),
            "kmh": CountedNoun("kilometre per hour", "kilometres per hour"),
            "Hz": CountedNoun("hertz", "hertz"), "kHz": CountedNoun("kilohertz", "kilohertz"),
            "MHz": CountedNoun("megahertz", "megahertz"), "GHz": CountedNoun("gigahertz", "gigahertz"),
            "mmHg": CountedNoun("millimetre of mercury", "millimetres of mercury"),
            "rpm": CountedNoun("revolution per minute", "revolutions per minute"),
            "bpm": CountedNoun("beat per minute", "beats per minute"),
            "fps": CountedNoun("frame per second", "frames per second"),
            "dpi": CountedNoun("dot per inch", "dots per inch"), "dB": CountedNoun("decibel", "decibels"),
            "mpg": CountedNoun("mile per gallon", "miles per gallon"), "kn": CountedNoun("knot", "knots"),
            "psi": CountedNoun("pound per square inch", "pounds per square inch"), "kts": CountedNoun("knot", "knots"),
            "wpm": CountedNoun("word per minute", "words per minute"),
            "mbps": CountedNoun("megabit per second", "megabits per second"),
            "°": CountedNoun("degree", "degrees"), "°C": CountedNoun("degree Celsius", "degrees Celsius"),
            "℃": CountedNoun("degree Celsius", "degrees Celsius"),
            "°F": CountedNoun("degree Fahrenheit", "degrees Fahrenheit"),
            "sq": CountedNoun("square", "square"), "fl": CountedNoun("fluid", "fluid"),
            "doz": CountedNoun("dozen", "dozen"),
            "ha": CountedNoun("hectare", "hectares"),
        ]
        let regular = [
            "km": "kilometre", "m": "metre", "cm": "centimetre", "mm": "millimetre", "nm": "nanometre",
            "µm": "micrometre", "μm": "micrometre", "mi": "mile", "yd": "yard", "yds": "yard", "oz": "ounce",
            "ozs": "ounce", "kg": "kilogram",
            "g": "gram", "mg": "milligram", "µg": "microgram", "μg": "microgram", "t": "tonne", "l": "litre",
            "L": "litre",
            "ml": "millilitre", "mL": "millilitre", "cl": "centilitre", "dl": "decilitre", "gal": "gallon",
            "pt": "pint",
            "s": "second", "sec": "second", "secs": "second", "ms": "millisecond", "µs": "microsecond",
            "ns": "nanosecond", "min": "minute",
            "kgs": "kilogram", "tsp": "teaspoon", "tbsp": "tablespoon", "Tbsp": "tablespoon", "mol": "mole",
            "bbl": "barrel", "qt": "quart", "wk": "week", "wks": "week",
            "mo": "month", "mos": "month", "mth": "month", "mths": "month", "yr": "year", "yrs": "year", "pts": "point",
            "rebs": "rebound",
            "mins": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "W": "watt", "kW": "kilowatt", "MW": "megawatt",
            "GW": "gigawatt", "kWh": "kilowatt hour", "MWh": "megawatt hour", "V": "volt", "kV": "kilovolt",
            "mV": "millivolt", "mA": "milliamp", "mAh": "milliamp hour", "Ω": "ohm", "J": "joule", "kJ": "kilojoule",
            "cal": "calorie", "kcal": "kilocalorie", "N": "newton", "Pa": "pascal", "kPa": "kilopascal",
            "hPa": "hectopascal", "bar": "bar", "kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte",
            "TB": "terabyte", "PB": "petabyte", "KiB": "kibibyte", "MiB": "mebibyte", "GiB": "gibibyte",
            "kbit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit", "kbps": "kilobit per second",
            "Mbps": "megabit per second", "Gbps": "gigabit per second", "px": "pixel", "MP": "megapixel",
            "m²": "square metre", "km²": "square kilometre", "cm²": "square centimetre", "mm²": "square millimetre",
            "dL": "decilitre", "µL": "microlitre", "μL": "microlitre", "ng": "nanogram", "mcg": "microgram",
            "mmol": "millimole", "µmol": "micromole", "μmol": "micromole", "nmol": "nanomole", "MPa": "megapascal",
            "kN": "kilonewton", "Nm": "newton metre",
            "GWh": "gigawatt hour", "TWh": "terawatt hour", "tsps": "teaspoon",
            "tbsps": "tablespoon", "kwh": "kilowatt hour", "hl": "hectolitre", "ft²": "square foot",
            "m³": "cubic metre", "cm³": "cubic centimetre", "km³": "cubic kilometre",
        ]
        for (sign, name) in regular {
            units[sign] = CountedNoun(name, plural(name))
        }
        return units
    }()

    /// The plural of a unit's name; only its noun takes the ending.
    private static func plural(_ name: String) -> String {
        if name == "square foot" { return "square feet" }
        guard let per = name.range(of: " per ") else { return name + "s" }
        return name[..<per.lowerBound] + "s" + name[per.lowerBound...]
    }

    static let englishAbbreviations: [String: [Abbreviation]] = [
        "mr": [.title("Mister"), .midSentence("Mister").capitalised],
        "mrs": [.title("Missus"), .midSentence("Missus").capitalised], "ms": [.title("Miz")],
        "messrs": [.title("Messers")],
        "dr": [.title("Doctor"), .afterName("Drive")], "prof": [.title("Professor")],
        "rev": [.title("Reverend"), .beforeNumber("Revelation").capitalised],
        "cor": [.beforeNumber("Corinthians").capitalised], "thess": [.beforeNumber("Thessalonians").capitalised],
        "tim": [.beforeNumber("Timothy").capitalised], "matt": [.beforeNumber("Matthew").capitalised],
        "exod": [.beforeNumber("Exodus").capitalised], "lev": [.beforeNumber("Leviticus").capitalised],
        "deut": [.beforeNumber("Deuteronomy").capitalised], "chron": [.beforeNumber("Chronicles").capitalised],
        "prov": [.beforeNumber("Proverbs").capitalised], "eccl": [.beforeNumber("Ecclesiastes").capitalised],
        "isa": [.beforeNumber("Isaiah").capitalised], "jer": [.beforeNumber("Jeremiah").capitalised],
        "ezek": [.beforeNumber("Ezekiel").capitalised], "rom": [.beforeNumber("Romans").capitalised],
        "eph": [.beforeNumber("Ephesians").capitalised], "heb": [.beforeNumber("Hebrews").capitalised],
        "ps": [.beforeNumber("Psalm").capitalised], "pss": [.beforeNumber("Psalms").capitalised],
        "mme": [.title("Madame")], "mlle": [.title("Mademoiselle")],
        "fr": [.title("Father")], "hon": [.title("Honourable")],
        "gen": [.title("General"), .beforeNumber("Genesis").capitalised], "col": [.title("Colonel")],
        "maj": [.title("Major")], "capt": [.title("Captain")], "cpt": [.title("Captain")],
        "lt": [.title("Lieutenant"), .afterOrdinal("Lieutenant").capitalised],
        "sgt": [.title("Sergeant"), .afterOrdinal("Sergeant").capitalised],
        "cpl": [.title("Corporal")], "pvt": [.beforeName("Private")],
        "adm": [.beforeName("Admiral")], "cmdr": [.title("Commander")], "gov": [.beforeName("Governor")],
        "sen": [.beforeName("Senator")], "rep": [.beforeName("Representative")], "pres": [.beforeName("President")],
        "supt": [.beforeName("Superintendent")], "st": [.title("Saint"), .afterName("Street")],
        "ste": [.beforeName("Sainte"), .beforeNumber("suite")], "mt": [.title("Mount")], "ft": [.beforeName("Fort")],
        "ave": [.afterName("Avenue").bare.capitalised, .afterName("Avenue")], "blvd": [.afterName("Boulevard").bare],
        "rd": [.afterName("Road").bare.capitalised, .afterName("Road")],
        "ln": [.afterName("Lane").bare.capitalised, .afterName("Lane")],
        "sq": [.afterName("Square").bare.capitalised, .afterName("Square")],
        "pl": [.afterName("Place"), .beforeNumber("plate").lowercased],
        "hwy": [.afterName("Highway"), .beforeNumber("Highway")], "apt": [.beforeNumber("apartment")],
        "bt": [.afterOrdinal("Baronet").capitalised, .afterName("Baronet").capitalised], "jr": [.afterName("Junior")],
        "sr": [.afterName("Senior")], "esq": [.afterName("Esquire"), .anywhere("Esquire").capitalised],
        "inc": [.afterName("Incorporated")], "corp": [.afterName("Corporation")], "ltd": [.afterName("Limited")],
        "co": [.afterName("Company"), .beforeLetters("Company").capitalised],
        "bn": [.afterOrdinal("Battalion").capitalised], "inst": [.afterOrdinal("instant").lowercased],
        "ult": [.afterOrdinal("ultimo").lowercased], "prox": [.afterOrdinal("proximo").lowercased],
        "fl": [.afterOrdinal("floor").lowercased, .beforeNumber("flourished").lowercased],
        "tab": [.afterOne("tablet"), .afterNumber("tablets")],
        "tabs": [.afterNumber("tablets")], "bapt": [.anywhere("baptized").lowercased],
        "bur": [.beforeNumber("buried").lowercased], "cav": [.afterOrdinal("Cavalry").capitalised],
        "inf": [.afterOrdinal("Infantry").capitalised], "armd": [.afterOrdinal("Armored").capitalised],
        "div": [.afterOrdinal("Division").capitalised, .afterName("Division").capitalised],
        "revd": [.title("Reverend")],
        "regt": [.anywhere("Regiment").capitalised],
        "rt": [.beforeName("Right").bare.capitalised], "ctrl": [.anywhere("Control").bare.capitalised],
        "bros": [.afterName("Brothers")], "dept": [.anywhere("department")],
        "univ": [.anywhere("university")], "assn": [.anywhere("association")], "govt": [.anywhere("government")],
        "no": [.beforeNumber("number"), .beforeOf("number"), .afterOwner("number")],
        "ff": [.afterNumber("and following")], "nos": [.beforeNumber("numbers")],
        "p": [.beforePage("page")], "p.a": [.anywhere("per annum").lowercased],
        "pcm": [.afterMoney("per calendar month").bare.lowercased], "pw": [.afterMoney("per week").bare.lowercased],
        "pp": [.beforePage("pages"), .afterNumber("pages")],
        "pg": [.beforePage("page")], "vol": [.beforePage("volume")],
        "vols": [.beforePage("volumes"), .afterNumber("volumes")], "ref": [.beforeNumber("reference")],
        "refs": [.beforeNumber("references")], "ch": [.beforePage("chapter")], "chap": [.beforePage("chapter")],
        "bk": [.beforePage("book")],
        "sec": [.beforeNumber("section")], "sc": [.beforePage("scene")], "ll": [.beforeNumber("lines")],
        "n": [.ofNote("note").lowercased], "nn": [.ofNote("notes").lowercased],
        "esp": [.anywhere("especially").lowercased], "fn": [.beforeNumber("footnote").lowercased],
        "nr": [.beforeName("near").bare.lowercased],
        "fig": [.beforeNumber("figure")], "figs": [.beforeNumber("figures")],
        "eq": [.beforeNumber("equation")], "art": [.beforeNumber("article")], "ed": [.afterNumber("edition")],
        "eds": [.anywhere("editors")], "app": [.beforeNumber("appendix")], "para": [.beforeNumber("paragraph")],
        "ver": [.beforeNumber("version")], "v": [.beforeNumber("version"), .beforeName("versus").lowercased],
        "ca": [.beforeNumber("circa")], "c": [.beforeNumber("circa")],
        "b": [.beforeNumber("born"), .beforeLife("born").lowercased],
        "d": [.beforeNumber("died").lowercased, .beforeLife("died").lowercased],
        "approx": [.anywhere("approximately")], "est": [.beforeNumber("established")],
        "min": [.anywhere("minimum").lowercased, .beforeNumber("minimum"), .beforeWord("minimum")],
        "max": [.anywhere("maximum").lowercased, .beforeNumber("maximum"), .beforeWord("maximum")],
        "avg": [.anywhere("average")],
        "incl": [.anywhere("including")],
        "exc": [.beforeName("except").lowercased, .beforeWord("except").lowercased],
        "rev.ed": [.anywhere("revised edition").lowercased],
        "excl": [.anywhere("excluding")], "tel": [.anywhere("telephone")], "ext": [.beforeNumber("extension")],
        "exp": [.beforeMonth("expires").bare],
        "temp": [.midSentence("temperature")], "vs": [.anywhere("versus").bare],
        "etc": [.anywhere("et cetera").bare], "al": [.anywhere("al")],
        "cf": [.anywhere("compare")], "viz": [.anywhere("namely")], "ibid": [.anywhere("ibidem")],
        "e.g": [.anywhere("for example").orInitials], "eg": [.anywhere("for example")],
        "i.e": [.anywhere("that is").orInitials],
        "ie": [.anywhere("that is")], "n.b": [.anywhere("note well").orInitials], "p.s": [.anywhere("P S")],
        "r.i.p": [.anywhere("rest in peace")], "a.k.a": [.anywhere("also known as")],
        "a.m": [.afterNumber("AM")], "p.m": [.afterNumber("PM")], "ph.d": [.anywhere("P H D")],
        "m.d": [.anywhere("M D")], "b.a": [.anywhere("B A")], "b.sc": [.anywhere("B S C")],
        "m.sc": [.anywhere("M S C")],
        "a.d": [.anywhere("A D")], "b.c": [.anywhere("B C")], "b.c.e": [.anywhere("B C E")], "c.e": [.anywhere("C E")],
        "mfg": [.anywhere("manufacturing")], "mk": [.beforeNumber("mark").bare.capitalised],
        "wwi": [.anywhere("World War one").bare.capitalised], "wwii": [.anywhere("World War two").bare.capitalised],
        "assoc": [.beforeName("Associate")], "asst": [.beforeName("Assistant")], "det": [.beforeName("Detective")],
        "insp": [.beforeName("Inspector")], "brig": [.beforeName("Brigadier")],
        "cllr": [.beforeName("Councillor").bare],
        "msgr": [.beforeName("Monsignor").bare], "amb": [.beforeName("Ambassador")],
        "bldg": [.afterName("Building"), .beforeName("Building"), .beforeNumber("Building")],
        "rm": [.beforeNumber("Room").bare], "ep": [.beforeNumber("episode")], "ea": [.afterNumber("each")],
        "dep": [.beforeTime("departs")], "arr": [.beforeTime("arrives")], "attn": [.anywhere("attention").bare],
        "pkg": [.afterOne("package"), .afterNumber("packages")], "ariz": [.anywhere("Arizona").capitalised],
        "calif": [.anywhere("California").capitalised], "fla": [.anywhere("Florida").capitalised],
        "minn": [.anywhere("Minnesota").capitalised], "okla": [.anywhere("Oklahoma").capitalised],
        "tenn": [.anywhere("Tennessee").capitalised],
        "pls": [.anywhere("please").bare.lowercased, .beforeWord("please").bare],
        "op": [.beforeNumber("opus")], "rte": [.beforeNumber("Route")],
        "s": [.beforeNumber("section").lowercased],
        "ss": [.beforeNumber("sections").lowercased], "mar": [.midSentence("March").capitalised],
        "jun": [.midSentence("June").capitalised], "jul": [.midSentence("July").capitalised],
        "pkwy": [.afterName("Parkway")],
        "jan": [.midSentence("January").capitalised], "feb": [.midSentence("February").capitalised],
        "apr": [.midSentence("April").capitalised], "aug": [.midSentence("August").capitalised],
        "sept": [.midSentence("September").capitalised],
        "sep": [.midSentence("September").capitalised],
        "oct": [.midSentence("October").capitalised], "nov": [.midSentence("November").capitalised],
        "dec": [.midSentence("December").capitalised], "mon": [.midSentence("Monday").capitalised],
        "tue": [.midSentence("Tuesday").capitalised], "tues": [.midSentence("Tuesday").capitalised],
        "wed": [.midSentence("Wednesday").capitalised], "thu": [.midSentence("Thursday").capitalised],
        "thur": [.midSentence("Thursday").capitalised],
        "thurs": [.midSentence("Thursday").capitalised],
        "fri": [.midSentence("Friday").capitalised],
    ]
}
