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
                "division", "unit", "lesson", "verse", "canto", "vatican", "bowl", "mark", "apollo", "sonata",
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
        spelledInCapitals: ["it", "us", "if", "am", "off", "say"],
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
            "kN": "kilonewton", "GWh": "gigawatt hour", "TWh": "terawatt hour", "tsps": "teaspoon",
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
        "messrs": [.title("Messieurs")],
        "dr": [.title("Doctor"), .afterName("Drive")], "prof": [.title("Professor")],
        "rev": [.title("Reverend"), .beforeNumber("Revelation").capitalised],
        "mme": [.title("Madame")], "mlle": [.title("Mademoiselle")],
        "fr": [.title("Father")], "hon": [.title("Honourable")],
        "gen": [.title("General"), .beforeNumber("Genesis").capitalised], "col": [.title("Colonel")],
        "maj": [.title("Major")], "capt": [.title("Captain")], "cpt": [.title("Captain")], "lt": [.title("Lieutenant")],
        "sgt": [.title("Sergeant")], "cpl": [.title("Corporal")], "pvt": [.beforeName("Private")],
        "adm": [.beforeName("Admiral")], "cmdr": [.title("Commander")], "gov": [.beforeName("Governor")],
        "sen": [.beforeName("Senator")], "rep": [.beforeName("Representative")], "pres": [.beforeName("President")],
        "supt": [.beforeName("Superintendent")], "st": [.title("Saint"), .afterName("Street")],
        "ste": [.beforeName("Sainte"), .beforeNumber("suite")], "mt": [.title("Mount")], "ft": [.beforeName("Fort")],
        "ave": [.afterName("Avenue")], "blvd": [.afterName("Boulevard").bare], "rd": [.afterName("Road")],
        "ln": [.afterName("Lane")], "sq": [.afterName("Square")], "pl": [.afterName("Place")],
        "hwy": [.afterName("Highway"), .beforeNumber("Highway")], "apt": [.beforeNumber("apartment")],
        "jr": [.afterName("Junior")], "sr": [.afterName("Senior")], "esq": [.afterName("Esquire")],
        "inc": [.afterName("Incorporated")], "corp": [.afterName("Corporation")], "ltd": [.afterName("Limited")],
        "co": [.afterName("Company")], "bros": [.afterName("Brothers")], "dept": [.anywhere("department")],
        "univ": [.anywhere("university")], "assn": [.anywhere("association")], "govt": [.anywhere("government")],
        "no": [.beforeNumber("number"), .beforeOf("number")], "nos": [.beforeNumber("numbers")],
        "p": [.beforePage("page")],
        "pp": [.beforePage("pages"), .afterNumber("pages")],
        "pg": [.beforePage("page")], "vol": [.beforeNumber("volume")],
        "vols": [.beforeNumber("volumes"), .afterNumber("volumes")], "ref": [.beforeNumber("reference")],
        "refs": [.beforeNumber("references")], "ch": [.beforeNumber("chapter")], "chap": [.beforeNumber("chapter")],
        "sec": [.beforeNumber("section")], "sc": [.beforePage("scene")], "ll": [.beforeNumber("lines")],
        "fig": [.beforeNumber("figure")], "figs": [.beforeNumber("figures")],
        "eq": [.beforeNumber("equation")], "art": [.beforeNumber("article")], "ed": [.afterNumber("edition")],
        "eds": [.anywhere("editors")], "app": [.beforeNumber("appendix")], "para": [.beforeNumber("paragraph")],
        "ver": [.beforeNumber("version")], "v": [.beforeNumber("version"), .beforeName("versus").lowercased],
        "ca": [.beforeNumber("circa")], "c": [.beforeNumber("circa")], "b": [.beforeNumber("born")],
        "d": [.beforeNumber("died").lowercased],
        "approx": [.anywhere("approximately")], "est": [.beforeNumber("established")],
        "min": [.anywhere("minimum").lowercased, .beforeNumber("minimum"), .beforeWord("minimum")],
        "max": [.anywhere("maximum").lowercased, .beforeNumber("maximum"), .beforeWord("maximum")],
        "avg": [.anywhere("average")],
        "incl": [.anywhere("including")],
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
        "mfg": [.anywhere("manufacturing")],
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

/// English numbers, dates and times in words.
enum EnglishNumbers {
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
        "championships", "elections", "finals", "floods", "games", "olympics", "playoffs", "protests", "riots",
        "series",
        "talks",
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
