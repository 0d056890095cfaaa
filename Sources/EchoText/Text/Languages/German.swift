extension LanguageRules {
    static let german = LanguageRules(
        code: "de",
        numerals: Numerals(
            decimalMark: ",",
            groupMark: ".",
            decimals: .digitByDigit,
            cardinal: GermanNumbers.cardinal,
            ordinal: GermanNumbers.ordinal,
            isDottedOrdinal: GermanNumbers.isOrdinal,
            ordinalJoints: ["und", "oder", "sowie"],
            fraction: GermanNumbers.fraction,
            wholeAndFraction: "und",
            year: GermanNumbers.year,
            yearsFollow: [
                "jahr", "jahre", "jahres", "seit", "von", "bis", "ab", "um", "vor", "nach", "anno", "in", "sommer",
                "winter",
                "frühjahr", "herbst", "januar", "februar", "märz", "april", "mai", "juni", "juli", "august",
                "september",
                "oktober", "november", "dezember", "ende", "anfang", "mitte", "zwischen", "und",
            ],
            callsPrecede: ["notruf", "wähle", "wählen", "wählt", "unter", "nummer"],
            emergencyNumbers: ["112", "110", "911"],
            telephonesFollow: ["tel", "telefon", "telefonnummer", "fax", "mobil", "handy"],
            genderOfCounted: GermanNumbers.genderOfCounted,
            numbersFollow: [
                "abs", "absatz", "art", "artikel", "nr", "nummer", "nummern", "platz", "punkt", "raum", "tag", "zimmer",
            ],
            romanCardinalsFollow: [
                "kapitel", "teile", "teil", "bände", "band", "akt", "szene", "buch", "stufe", "typ", "klasse", "anhang",
            ],
            romanCardinalsFollowStops: ["bd", "kap"],
            romanOrdinalsFollow: [
                "könig", "königin", "kaiser", "kaiserin", "papst", "zar", "heinrich", "ludwig", "karl", "friedrich",
                "wilhelm",
                "elisabeth", "otto", "georg", "benedikt", "johannes", "paul", "pius", "leopold", "franz", "joseph",
                "maximilian",
                "philipp", "katharina", "nikolaus", "alexander", "napoleon", "konrad", "rudolf", "albrecht", "gustav",
            ],
            isBeforeOrdinalNoun: {
                ["jahrhundert", "jahrhunderts", "weltkrieg", "weltkriegs", "weltkrieges", "jahrtausend"].contains($0)
            },
            ruler: GermanNumbers.ruler,
            pagesPrecede: ["seite", "seiten", "s"],
            timesTenToThe: "mal zehn hoch",
            digitNames: GermanNumbers.digits
        ),
        signs: SignWords(
            minus: "minus",
            power: "hoch",
            point: "Komma",
            to: "bis",
            score: "zu",
            scoresFollowNames: true,
            dot: "Punkt",
            at: "ät",
            slash: "Schrägstrich",
            dash: "Bindestrich",
            underscore: "Unterstrich",
            colon: "Doppelpunkt",
            plus: "plus",
            hashtag: "Hashtag",
            number: "Nummer",
            others: [
                "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "", "≤": "kleiner oder gleich",
                "≥": "größer oder gleich", "≠": "ungleich", "≈": "ungefähr", "÷": "geteilt durch", "√": "Wurzel aus",
                "∞": "unendlich", "‰": "Promille", "²": " Quadrat", "³": " hoch drei", "®": "eingetragene Marke",
                "™": "Marke", "№": "Nummer", "×": "mal", "±": "plus minus",
            ],
            between: ["<": "kleiner als", ">": "größer als", "*": "mal", "^": "hoch", "~": "etwa", "−": "minus"]
        ),
        dates: GermanNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in GermanNumbers.time(hour, minute) },
            seconds: { "und \(GermanNumbers.cardinal($0, .feminine)) \($0 == 1 ? "Sekunde" : "Sekunden")" },
            dottedTimesFollow: ["um", "gegen"],
            dottedTimesPrecede: ["uhr"],
            repeatedWords: ["uhr"]
        ),
        money: MoneyWords(
            currencies: germanCurrencies,
            scales: [
                "Tsd": CountedNoun("tausend", "tausend"), "Mio": CountedNoun("Million", "Millionen", .feminine),
                "Mrd": CountedNoun("Milliarde", "Milliarden", .feminine),
                "Million": CountedNoun("Million", "Millionen", .feminine),
                "Millionen": CountedNoun("Million", "Millionen", .feminine),
                "Milliarde": CountedNoun("Milliarde", "Milliarden", .feminine),
                "Milliarden": CountedNoun("Milliarde", "Milliarden", .feminine),
            ],
            joint: "",
            saysMinor: false
        ),
        abbreviations: germanAbbreviations,
        abbreviationEndings: ["str": "straße"],
        units: germanUnits,
        perUnit: { "\($0) pro \($1)" },
        directions: ["N": "Nord", "S": "Süd", "O": "Ost", "E": "Ost", "W": "West"]
    )

    private static let germanCurrencies: [String: MoneyWords.Currency] = {
        func currency(_ major: String, _ minor: String?, _ gender: CountedNoun.Gender = .masculine)
            -> MoneyWords.Currency
        {
            MoneyWords.Currency(
                major: CountedNoun(major, major, gender),
                minor: minor.map { CountedNoun($0, $0) }
            )
        }
        let krone = MoneyWords.Currency(major: CountedNoun("Krone", "Kronen", .feminine), minor: nil)
        return [
            "€": currency("Euro", "Cent"), "EUR": currency("Euro", "Cent"), "$": currency("Dollar", "Cent"),
            "US$": currency("US-Dollar", "Cent"), "USD": currency("US-Dollar", "Cent"),
            "£": currency("Pfund", "Pence", .neuter), "GBP": currency("Pfund", "Pence", .neuter),
            "Euro": currency("Euro", "Cent"), "Dollar": currency("Dollar", "Cent"),
            "Franken": currency("Franken", "Rappen"), "¥": currency("Yen", nil),
            "CHF": currency("Schweizer Franken", "Rappen"), "SEK": krone, "NOK": krone,
        ]
    }()

    private static let germanUnits: [String: CountedNoun] = {
        let same: [(String, String)] = [
            ("km", "Kilometer"), ("m", "Meter"), ("cm", "Zentimeter"), ("dm", "Dezimeter"), ("mm", "Millimeter"),
            ("µm", "Mikrometer"), ("nm", "Nanometer"), ("l", "Liter"), ("L", "Liter"), ("ml", "Milliliter"),
            ("cl", "Zentiliter"), ("kg", "Kilogramm"), ("g", "Gramm"), ("mg", "Milligramm"), ("m²", "Quadratmeter"),
            ("km²", "Quadratkilometer"), ("cm²", "Quadratzentimeter"), ("m³", "Kubikmeter"), ("cm³", "Kubikzentimeter"),
            ("ha", "Hektar"), ("°", "Grad"), ("°C", "Grad Celsius"), ("°F", "Grad Fahrenheit"),
            ("km/h", "Kilometer pro Stunde"), ("W", "Watt"), ("kW", "Kilowatt"), ("MW", "Megawatt"), ("V", "Volt"),
            ("kV", "Kilovolt"), ("mA", "Milliampere"), ("Hz", "Hertz"), ("kHz", "Kilohertz"), ("MHz", "Megahertz"),
            ("GHz", "Gigahertz"), ("dB", "Dezibel"), ("kB", "Kilobyte"), ("KB", "Kilobyte"), ("MB", "Megabyte"),
            ("GB", "Gigabyte"), ("TB", "Terabyte"), ("Mbit", "Megabit"), ("hPa", "Hektopascal"), ("bar", "Bar"),
            ("PS", "PS"),
            ("J", "Joule"), ("kJ", "Kilojoule"),
        ]
        let feminine: [(String, String, String)] = [
            ("t", "Tonne", "Tonnen"), ("s", "Sekunde", "Sekunden"), ("ms", "Millisekunde", "Millisekunden"),
            ("min", "Minute", "Minuten"), ("Min", "Minute", "Minuten"), ("h", "Stunde", "Stunden"),
            ("Std", "Stunde", "Stunden"), ("kWh", "Kilowattstunde", "Kilowattstunden"),
            ("MWh", "Megawattstunde", "Megawattstunden"), ("kcal", "Kilokalorie", "Kilokalorien"),
        ]
        var units = Dictionary(uniqueKeysWithValues: same.map { ($0.0, CountedNoun($0.1, $0.1)) })
        for (sign, one, many) in feminine { units[sign] = CountedNoun(one, many, .feminine) }
        return units
    }()

    private static let germanAbbreviations: [String: [Abbreviation]] = [
        "dr": [.title("Doktor")], "prof": [.title("Professor")], "hr": [.title("Herr")], "fr": [.title("Frau")],
        "st": [.beforeName("Sankt").capitalised], "dipl": [.beforeName("Diplom")], "ing": [.beforeName("Ingenieur")],
        "z.b": [.anywhere("zum Beispiel")], "d.h": [.anywhere("das heißt")], "u.a": [.anywhere("unter anderem")],
        "i.d.r": [.anywhere("in der Regel")], "s.o": [.anywhere("siehe oben")], "s.u": [.anywhere("siehe unten")],
        "o.ä": [.anywhere("oder Ähnliches")], "u.ä": [.anywhere("und Ähnliches")], "z.t": [.anywhere("zum Teil")],
        "v.a": [.anywhere("vor allem")], "u.u": [.anywhere("unter Umständen")], "z.z": [.anywhere("zur Zeit")],
        "i.v.m": [.anywhere("in Verbindung mit")], "v.h": [.afterNumber("vom Hundert")],
        "z.hd": [.anywhere("zu Händen")], "z.zt": [.anywhere("zur Zeit")], "pkt": [.beforeNumber("Punkt")],
        "f": [.afterNumber("folgende")], "ff": [.afterNumber("folgende")], "sek": [.afterNumber("Sekunden")],
        "u.v.m": [.anywhere("und vieles mehr")], "skt": [.beforeName("Sankt").capitalised],
        "fa": [.beforeName("Firma").capitalised], "inh": [.beforeName("Inhaber").capitalised],
        "v.chr": [.anywhere("vor Christus")], "n.chr": [.anywhere("nach Christus")],
        "u.s.w": [.anywhere("und so weiter")],
        "usw": [.anywhere("und so weiter").bare], "bzw": [.anywhere("beziehungsweise").bare],
        "bspw": [.anywhere("beispielsweise").bare], "ca": [.anywhere("circa").bare], "evtl": [.anywhere("eventuell")],
        "ggf": [.anywhere("gegebenenfalls")], "inkl": [.anywhere("inklusive")], "exkl": [.anywhere("exklusive")],
        "sog": [.anywhere("sogenannte")], "vgl": [.anywhere("vergleiche")], "bzgl": [.anywhere("bezüglich")],
        "zzgl": [.anywhere("zuzüglich")], "pers": [.afterNumber("Personen")],
        "d.m": [.anywhere("dieses Monats")], "d.j": [.anywhere("dieses Jahres")], "kath": [.anywhere("katholische")],
        "ev": [.anywhere("evangelische")], "etc": [.anywhere("et cetera")],
        "nr": [.beforeNumber("Nummer")], "s": [.beforePage("Seite").capitalised], "bd": [.beforeNumber("Band")],
        "kap": [.beforeNumber("Kapitel")], "abb": [.beforeNumber("Abbildung")], "tab": [.beforeNumber("Tabelle")],
        "art": [.beforeNumber("Artikel")], "abs": [.beforeNumber("Absatz")], "str": [.anywhere("Straße").capitalised],
        "tel": [.anywhere("Telefon")], "jh": [.anywhere("Jahrhundert").capitalised], "jhd": [.anywhere("Jahrhundert")],
        "mio": [.afterNumber("Millionen").bare], "mrd": [.afterNumber("Milliarden").bare],
        "tsd": [.afterNumber("tausend").bare], "min": [.afterNumber("Minuten"), .anywhere("mindestens")],
        "max": [.anywhere("maximal")], "std": [.afterNumber("Stunden")], "geb": [.anywhere("geboren")],
        "gegr": [.anywhere("gegründet")],
        "gest": [.anywhere("gestorben")], "allg": [.anywhere("allgemein")], "dt": [.anywhere("deutsch")],
        "engl": [.anywhere("englisch")], "hrsg": [.anywhere("herausgegeben")], "aufl": [.anywhere("Auflage")],
        "jan": [.midSentence("Januar").capitalised], "feb": [.midSentence("Februar").capitalised],
        "okt": [.midSentence("Oktober").capitalised], "dez": [.midSentence("Dezember").capitalised],
    ]
}
