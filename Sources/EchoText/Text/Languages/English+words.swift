import Foundation

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
            "rpm": CountedNoun("revolution per minute", "revolutions per minute"),
            "bpm": CountedNoun("beat per minute", "beats per minute"),
            "fps": CountedNoun("frame per second", "frames per second"),
            "dpi": CountedNoun("dot per inch", "dots per inch"), "dB": CountedNoun("decibel", "decibels"),
            "mbps": CountedNoun("megabit per second", "megabits per second"),
            "°": CountedNoun("degree", "degrees"), "°C": CountedNoun("degree Celsius", "degrees Celsius"),
            "℃": CountedNoun("degree Celsius", "degrees Celsius"),
            "°F": CountedNoun("degree Fahrenheit", "degrees Fahrenheit"),
            "sq": CountedNoun("square", "square"), "ha": CountedNoun("hectare", "hectares"),
        ]
        let regular = [
            "km": "kilometre", "m": "metre", "cm": "centimetre", "mm": "millimetre", "nm": "nanometre",
            "µm": "micrometre", "μm": "micrometre", "mi": "mile", "yd": "yard", "oz": "ounce", "kg": "kilogram",
            "g": "gram", "mg": "milligram", "µg": "microgram", "μg": "microgram", "t": "tonne", "l": "litre",
            "L": "litre",
            "ml": "millilitre", "mL": "millilitre", "cl": "centilitre", "dl": "decilitre", "gal": "gallon",
            "pt": "pint",
            "s": "second", "sec": "second", "secs": "second", "ms": "millisecond", "µs": "microsecond",
            "ns": "nanosecond", "min": "minute",
            "kgs": "kilogram", "wk": "week", "wks": "week", "mos": "month", "yr": "year", "yrs": "year",
            "mins": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "W": "watt", "kW": "kilowatt", "MW": "megawatt",
            "GW": "gigawatt", "kWh": "kilowatt hour", "MWh": "megawatt hour", "V": "volt", "kV": "kilovolt",
            "mV": "millivolt", "mA": "milliamp", "mAh": "milliamp hour", "Ω": "ohm", "J": "joule", "kJ": "kilojoule",
            "cal": "calorie", "kcal": "kilocalorie", "N": "newton", "Pa": "pascal", "kPa": "kilopascal",
            "hPa": "hectopascal", "bar": "bar", "kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte",
            "TB": "terabyte", "PB": "petabyte", "KiB": "kibibyte", "MiB": "mebibyte", "GiB": "gibibyte",
            "kbit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit", "kbps": "kilobit per second",
            "Mbps": "megabit per second", "Gbps": "gigabit per second", "px": "pixel", "MP": "megapixel",
            "m²": "square metre", "km²": "square kilometre", "cm²": "square centimetre", "mm²": "square millimetre",
            "ft²": "square foot", "m³": "cubic metre", "cm³": "cubic centimetre", "km³": "cubic kilometre",
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
        "dr": [.title("Doctor"), .afterName("Drive")], "prof": [.title("Professor")], "rev": [.title("Reverend")],
        "fr": [.title("Father")], "hon": [.title("Honourable")], "gen": [.title("General")], "col": [.title("Colonel")],
        "maj": [.title("Major")], "capt": [.title("Captain")], "cpt": [.title("Captain")], "lt": [.title("Lieutenant")],
        "sgt": [.title("Sergeant")], "cpl": [.title("Corporal")], "pvt": [.beforeName("Private")],
        "adm": [.beforeName("Admiral")], "cmdr": [.title("Commander")], "gov": [.beforeName("Governor")],
        "sen": [.beforeName("Senator")], "rep": [.beforeName("Representative")], "pres": [.beforeName("President")],
        "supt": [.beforeName("Superintendent")], "st": [.title("Saint"), .afterName("Street")],
        "ste": [.beforeName("Sainte")], "mt": [.title("Mount")], "ft": [.beforeName("Fort")],
        "ave": [.afterName("Avenue")], "blvd": [.afterName("Boulevard").bare], "rd": [.afterName("Road")],
        "ln": [.afterName("Lane")], "sq": [.afterName("Square")], "pl": [.afterName("Place")],
        "hwy": [.afterName("Highway"), .beforeNumber("Highway")], "apt": [.beforeNumber("apartment")],
        "jr": [.afterName("Junior")], "sr": [.afterName("Senior")], "esq": [.afterName("Esquire")],
        "inc": [.afterName("Incorporated")], "corp": [.afterName("Corporation")], "ltd": [.afterName("Limited")],
        "co": [.afterName("Company")], "bros": [.afterName("Brothers")], "dept": [.anywhere("department")],
        "univ": [.anywhere("university")], "assn": [.anywhere("association")], "govt": [.anywhere("government")],
        "no": [.beforeNumber("number")], "nos": [.beforeNumber("numbers")], "p": [.beforePage("page")],
        "pp": [.beforePage("pages")], "pg": [.beforePage("page")], "vol": [.beforeNumber("volume")],
        "vols": [.beforeNumber("volumes")], "ref": [.beforeNumber("reference")],
        "refs": [.beforeNumber("references")], "ch": [.beforeNumber("chapter")], "chap": [.beforeNumber("chapter")],
        "sec": [.beforeNumber("section")], "fig": [.beforeNumber("figure")], "figs": [.beforeNumber("figures")],
        "eq": [.beforeNumber("equation")], "art": [.beforeNumber("article")], "ed": [.afterNumber("edition")],
        "eds": [.anywhere("editors")], "app": [.beforeNumber("appendix")], "para": [.beforeNumber("paragraph")],
        "ver": [.beforeNumber("version")], "v": [.beforeNumber("version"), .beforeName("versus")],
        "ca": [.beforeNumber("circa")], "c": [.beforeNumber("circa")], "b": [.beforeNumber("born")],
        "approx": [.anywhere("approximately")], "est": [.beforeNumber("established")], "min": [.anywhere("minimum")],
        "max": [.anywhere("maximum")], "avg": [.anywhere("average")], "incl": [.anywhere("including")],
        "excl": [.anywhere("excluding")], "tel": [.anywhere("telephone")], "ext": [.beforeNumber("extension")],
        "temp": [.anywhere("temperature")], "vs": [.anywhere("versus").bare],
        "etc": [.anywhere("et cetera").bare], "al": [.anywhere("al")],
        "cf": [.anywhere("compare")], "viz": [.anywhere("namely")], "ibid": [.anywhere("ibidem")],
        "e.g": [.anywhere("for example")], "eg": [.anywhere("for example")], "i.e": [.anywhere("that is")],
        "ie": [.anywhere("that is")], "n.b": [.anywhere("note well")], "p.s": [.anywhere("P S")],
        "r.i.p": [.anywhere("rest in peace")], "a.k.a": [.anywhere("also known as")],
        "a.m": [.afterNumber("AM")], "p.m": [.afterNumber("PM")], "ph.d": [.anywhere("P H D")],
        "m.d": [.anywhere("M D")], "b.a": [.anywhere("B A")], "b.sc": [.anywhere("B S C")],
        "m.sc": [.anywhere("M S C")],
        "a.d": [.anywhere("A D")], "b.c": [.anywhere("B C")], "mfg": [.anywhere("manufacturing")],
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
