import Foundation

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
            ordinalJoints: ["und", "oder", "sowie", "u"],
            withEnding: GermanNumbers.yearWithEnding,
            fraction: GermanNumbers.fraction,
            wholeAndFraction: "und",
            half: GermanNumbers.half,
            year: GermanNumbers.year,
            yearsFollow: [
                "jahr", "jahre", "jahres", "seit", "von", "bis", "ab", "um", "vor", "nach", "anno", "in", "sommer",
                "winter",
                "frühjahr", "herbst", "januar", "februar", "märz", "april", "mai", "juni", "juli", "august",
                "september",
                "oktober", "november", "dezember", "ende", "anfang", "mitte", "zwischen", "und", "baujahr",
                "geburtsjahr",
                "gründungsjahr", "jahrgang",
            ],
            isYearPlace: GermanNumbers.isYearPlace,
            callsPrecede: ["notruf", "wähle", "wählen", "wählt", "unter", "nummer"],
            emergencyNumbers: ["112", "110", "911"],
            telephonesFollow: ["tel", "telefon", "telefonnummer", "fax", "mobil", "handy"],
            numbersOfRulesPrecede: ["diät", "formel", "methode", "prinzip", "regel", "regeln", "technik"],
            genderOfCounted: GermanNumbers.genderOfCounted,
            numbersFollow: [
                "abs", "absatz", "art", "artikel", "formel", "nr", "nummer", "nummern", "platz", "punkt", "raum", "tag",
                "zimmer",
            ],
            romanCardinalsFollow: [
                "artikel", "kapitel", "teile", "teil", "bände", "band", "akt", "szene", "buch", "stufe", "typ",
                "klasse", "anhang",
            ],
            romanCardinalsFollowStops: ["art", "bd", "kap"],
            romanOrdinalsFollow: [
                "könig", "königin", "kaiser", "kaiserin", "papst", "zar", "heinrich", "ludwig", "karl", "friedrich",
                "wilhelm",
                "elisabeth", "otto", "georg", "benedikt", "johannes", "paul", "pius", "leopold", "franz", "joseph",
                "maximilian",
                "philipp", "katharina", "nikolaus", "alexander", "napoleon", "konrad", "rudolf", "albrecht", "gustav",
                "clemens", "eduard", "ferdinand", "gregor", "hadrian", "innozenz", "isabella", "iwan", "klemens",
                "sixtus",
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
            by: "mal",
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
            sections: "Paragrafen",
            others: [
                "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "", "≤": "kleiner oder gleich",
                "≥": "größer oder gleich", "≠": "ungleich", "≈": "ungefähr", "÷": "geteilt durch", "√": "Wurzel aus",
                "∞": "unendlich", "‰": "Promille", "²": " Quadrat", "³": " hoch drei", "®": "eingetragene Marke",
                "™": "Marke", "№": "Nummer", "×": "mal", "±": "plus minus",
            ],
            between: ["<": "kleiner als", ">": "größer als", "*": "mal", "^": "hoch", "~": "etwa", "−": "minus"],
            outOf: "von",
            repeated: CountedNoun("mal", "mal", .neuter)
        ),
        dates: GermanNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in GermanNumbers.time(hour, minute) },
            seconds: { "und \(GermanNumbers.cardinal($0, .feminine)) \($0 == 1 ? "Sekunde" : "Sekunden")" },
            lengths: LengthWords(
                hour: CountedNoun("Stunde", "Stunden", .feminine),
                minute: CountedNoun("Minute", "Minuten", .feminine),
                second: CountedNoun("Sekunde", "Sekunden", .feminine),
                joint: "und",
                clocksFollow: ["ab", "bis", "gegen", "nach", "seit", "um", "vor"],
                lengthsFollow: ["dauer", "dauert", "dauerte", "in", "laufzeit", "länge"],
                hours: ["std", "stunden"],
                minutes: ["min", "minuten"]
            ),
            dottedTimesFollow: ["um", "gegen"],
            dottedTimesPrecede: ["h", "uhr"],
            repeatedWords: ["h", "uhr"]
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
        abbreviationEndings: ["nr": "nummer", "str": "straße"],
        shortAdjectives: [
            "allg": "allgemein", "dt": "deutsch", "engl": "englisch", "ev": "evangelisch", "frz": "französisch",
            "griech": "griechisch", "hl": "heilig", "kath": "katholisch", "lat": "lateinisch", "lfd": "laufend",
            "max": "maximal", "o.g": "oben genannt", "u.g": "unten genannt",
            "sog": "sogenannt", "tägl": "täglich", "stündl": "stündlich", "wöchentl": "wöchentlich",
            "monatl": "monatlich", "jährl": "jährlich", "nördl": "nördlich", "östl": "östlich", "südl": "südlich",
            "westl": "westlich",
        ],
        adjective: GermanNumbers.adjective,
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
            ("km³", "Kubikkilometer"),
            ("ha", "Hektar"), ("°", "Grad"), ("°C", "Grad Celsius"), ("°F", "Grad Fahrenheit"),
            ("km/h", "Kilometer pro Stunde"), ("W", "Watt"), ("kW", "Kilowatt"), ("MW", "Megawatt"), ("V", "Volt"),
            ("kV", "Kilovolt"), ("mA", "Milliampere"), ("Hz", "Hertz"), ("kHz", "Kilohertz"), ("MHz", "Megahertz"),
            ("GHz", "Gigahertz"), ("dB", "Dezibel"), ("kB", "Kilobyte"), ("KB", "Kilobyte"), ("MB", "Megabyte"),
            ("GB", "Gigabyte"), ("TB", "Terabyte"), ("Mbit", "Megabit"), ("hPa", "Hektopascal"), ("bar", "Bar"),
            ("PS", "PS"), ("EL", "Esslöffel"), ("TL", "Teelöffel"), ("Pck", "Päckchen"), ("Stk", "Stück"),
            ("J", "Joule"), ("kJ", "Kilojoule"), ("qm", "Quadratmeter"), ("″", "Zoll"), ("dl", "Deziliter"),
            ("hl", "Hektoliter"), ("µl", "Mikroliter"), ("µg", "Mikrogramm"), ("ng", "Nanogramm"),
            ("mol", "Mol"), ("mmol", "Millimol"), ("µmol", "Mikromol"), ("kPa", "Kilopascal"), ("kN", "Kilonewton"),
            ("mmHg", "Millimeter Quecksilbersäule"), ("GW", "Gigawatt"), ("Gbit", "Gigabit"), ("kWp", "Kilowatt Peak"),
            ("Nm", "Newtonmeter"), ("Bft", "Beaufort"), ("MPa", "Megapascal"),
        ]
        let feminine: [(String, String, String)] = [
            ("t", "Tonne", "Tonnen"), ("s", "Sekunde", "Sekunden"), ("ms", "Millisekunde", "Millisekunden"),
            ("min", "Minute", "Minuten"), ("Min", "Minute", "Minuten"), ("h", "Stunde", "Stunden"),
            ("Std", "Stunde", "Stunden"), ("kWh", "Kilowattstunde", "Kilowattstunden"),
            ("MWh", "Megawattstunde", "Megawattstunden"),
            ("GWh", "Gigawattstunde", "Gigawattstunden"), ("TWh", "Terawattstunde", "Terawattstunden"),
            ("kwh", "Kilowattstunde", "Kilowattstunden"),
            ("kcal", "Kilokalorie", "Kilokalorien"), ("mAh", "Milliamperestunde", "Milliamperestunden"),
            ("Ah", "Amperestunde", "Amperestunden"), ("Wh", "Wattstunde", "Wattstunden"),
        ]
        var units = Dictionary(uniqueKeysWithValues: same.map { ($0.0, CountedNoun($0.1, $0.1)) })
        for (sign, one, many) in feminine { units[sign] = CountedNoun(one, many, .feminine) }
        return units
    }()

    private static let germanAbbreviations: [String: [Abbreviation]] = [
        "dr": [.title("Doktor")], "prof": [.title("Professor")], "hr": [.title("Herr")], "fr": [.title("Frau")],
        "st": [.beforeName("Sankt").capitalised.hyphenated], "dipl": [.beforeName("Diplom")],
        "ing": [.beforeName("Ingenieur")],
        "z.b": [.anywhere("zum Beispiel")], "d.h": [.anywhere("das heißt").orInitials],
        "u.a": [.anywhere("unter anderem").orInitials],
        "u.a.m": [.anywhere("und anderes mehr")],
        "i.d.r": [.anywhere("in der Regel")], "s.o": [.anywhere("siehe oben").orInitials],
        "s.u": [.anywhere("siehe unten").orInitials],
        "o.ä": [.anywhere("oder Ähnliches")], "u.ä": [.anywhere("und Ähnliches")], "z.t": [.anywhere("zum Teil")],
        "v.a": [.anywhere("vor allem").orInitials], "u.u": [.anywhere("unter Umständen")],
        "z.z": [.anywhere("zur Zeit")],
        "i.v.m": [.anywhere("in Verbindung mit")], "v.h": [.afterNumber("vom Hundert")],
        "z.hd": [.anywhere("zu Händen")], "z.zt": [.anywhere("zur Zeit")],
        "pkt": [.beforeNumber("Punkt"), .afterNumber("Punkte")],
        "f": [.afterNumber("folgende")], "ff": [.afterNumber("folgende")], "sek": [.afterNumber("Sekunden")],
        "u.v.m": [.anywhere("und vieles mehr")], "skt": [.beforeName("Sankt").capitalised],
        "fa": [.beforeName("Firma").capitalised], "inh": [.beforeName("Inhaber").capitalised],
        "v.chr": [.anywhere("vor Christus")], "n.chr": [.anywhere("nach Christus")],
        "u.s.w": [.anywhere("und so weiter")],
        "usw": [.anywhere("und so weiter").bare], "bzw": [.anywhere("beziehungsweise").bare],
        "bspw": [.anywhere("beispielsweise").bare], "ca": [.anywhere("circa").bare], "evtl": [.anywhere("eventuell")],
        "ggf": [.anywhere("gegebenenfalls")], "inkl": [.anywhere("inklusive")], "exkl": [.anywhere("exklusive")],
        "sog": [.anywhere("sogenannte")], "vgl": [.anywhere("vergleiche")], "bzgl": [.anywhere("bezüglich")],
        "zzgl": [.anywhere("zuzüglich")], "pers": [.afterOne("Person"), .afterNumber("Personen")],
        "tabl": [.afterOne("Tablette"), .afterNumber("Tabletten")], "ust": [.anywhere("Umsatzsteuer").bare.capitalised],
        "gr": [.beforeNumber("Größe").capitalised, .beforeLetters("Größe").capitalised],
        "wg": [.beforeName("wegen")], "btl": [.afterNumber("Beutel")],
        "zi": [.beforeNumber("Zimmer").capitalised, .afterNumber("Zimmer").capitalised],
        "pr": [.afterOne("Prise").capitalised, .afterNumber("Prisen").capitalised],
        "msp": [.afterOne("Messerspitze").capitalised, .afterNumber("Messerspitzen").capitalised],
        "rd": [.beforeNumber("rund")], "lt": [.beforeName("laut").lowercased, .beforeWord("laut").lowercased],
        "bes": [.anywhere("besonders").lowercased], "jew": [.anywhere("jeweils").lowercased],
        "urspr": [.anywhere("ursprünglich").lowercased], "ggfs": [.anywhere("gegebenenfalls")],
        "i.h.v": [.anywhere("in Höhe von").orInitials], "i.s.v": [.anywhere("im Sinne von").orInitials],
        "i.s.d": [.anywhere("im Sinne des").orInitials], "s.a": [.anywhere("siehe auch").lowercased],
        "bde": [.beforeNumber("Bände").capitalised, .afterNumber("Bände").capitalised],
        "bsp": [.beforeNumber("Beispiel").capitalised], "geschl": [.anywhere("geschlossen").lowercased],
        "joh": [.beforeName("Johann").capitalised], "seb": [.beforeName("Sebastian").capitalised],
        "tägl": [.anywhere("täglich")], "stündl": [.anywhere("stündlich")],
        "wöchentl": [.anywhere("wöchentlich")], "monatl": [.anywhere("monatlich")], "jährl": [.anywhere("jährlich")],
        "nördl": [.anywhere("nördlich")], "östl": [.anywhere("östlich")], "südl": [.anywhere("südlich")],
        "westl": [.anywhere("westlich")],
        "d.m": [.anywhere("dieses Monats").orInitials], "d.j": [.anywhere("dieses Jahres").orInitials],
        "kath": [.anywhere("katholische")],
        "ev": [.anywhere("evangelische")], "etc": [.anywhere("et cetera")],
        "nr": [.beforeNumber("Nummer")],
        "s": [
            .betweenNumbersOfLaw("Satz").capitalised, .beforePage("Seite").capitalised, .beforeName("siehe").lowercased,
            .afterPages("Seiten").capitalised,
        ],
        "gl": [.beforeNumber("Gleis")], "abf": [.beforeNumber("Abfahrt").capitalised],
        "ank": [.beforeNumber("Ankunft").capitalised],
        "az": [.beforeNumber("Aktenzeichen").capitalised, .midSentence("Aktenzeichen").capitalised],
        "fl": [.afterOne("Flasche").capitalised, .afterNumber("Flaschen").capitalised],
        "erw": [
            .beforeNumber("Erwachsene").capitalised, .afterOne("Erwachsener").capitalised,
            .afterNumber("Erwachsene").capitalised, .anywhere("erweiterte").lowercased,
        ],
        "erm": [.beforeNumber("ermäßigt")], "überarb": [.anywhere("überarbeitete").lowercased],
        "whg": [.anywhere("Wohnung").capitalised], "p.p": [.anywhere("pro Person").lowercased],
        "gg": [.beforeNumber("gegen").lowercased, .beforeName("gegen").lowercased],
        "kd.nr": [.anywhere("Kundennummer")],
        "art.nr": [.anywhere("Artikelnummer")], "best.nr": [.anywhere("Bestellnummer")],
        "rg.nr": [.anywhere("Rechnungsnummer")], "re.nr": [.anywhere("Rechnungsnummer")],
        "st.nr": [.anywhere("Steuernummer")], "tel.nr": [.anywhere("Telefonnummer")],
        "u": [.beforeNumber("und").lowercased, .beforeName("und").lowercased],
        "v": [.beforeNumber("vom").lowercased, .beforeName("von").lowercased], "d.gr": [.anywhere("der Große")],
        "d.ä": [.anywhere("der Ältere")], "u.e": [.anywhere("unseres Erachtens").orInitials],
        "j": [.beforeNumber("Jahr").capitalised],
        "exp": [.beforeMonth("gültig bis").bare], "mwst": [.anywhere("Mehrwertsteuer").bare],
        "hbf": [.anywhere("Hauptbahnhof").bare], "bhf": [.anywhere("Bahnhof").bare],
        "dr.med": [.anywhere("Doktor med")], "dr.phil": [.anywhere("Doktor phil")],
        "dr.jur": [.anywhere("Doktor jur")], "dr.ing": [.anywhere("Doktor Ing")],
        "dr.h.c": [.anywhere("Doktor honoris causa")], "dr.rer.nat": [.anywhere("Doktor rer nat")],
        "pck": [.afterNumber("Päckchen")], "stk": [.afterNumber("Stück")],
        "m.w": [.anywhere("meines Wissens").orInitials],
        "rn": [.beforeNumber("Randnummer").capitalised], "rdn": [.beforeNumber("Randnummer").capitalised],
        "rz": [.beforeNumber("Randziffer").capitalised],
        "op": [.beforeNumber("Opus")], "i.a": [.anywhere("im Auftrag").orInitials],
        "gez": [.beforeName("gezeichnet").lowercased], "mfg": [.anywhere("mit freundlichen Grüßen").bare.capitalised],
        "a.m": [.afterName("am Main").lowercased], "dipl.ing": [.anywhere("Diplomingenieur")],
        "jun": [.afterName("junior").lowercased], "sen": [.afterName("senior").lowercased],
        "bd": [.beforeNumber("Band")], "fam": [.beforeName("Familie").capitalised],
        "kl": [.beforeNumber("Klasse").capitalised], "mill": [.afterNumber("Millionen")],
        "n.v": [.anywhere("nach Verlängerung").lowercased],
        "kap": [.beforeNumber("Kapitel")], "abb": [.beforeNumber("Abbildung")], "tab": [.beforeNumber("Tabelle")],
        "art": [.beforeNumber("Artikel")], "abs": [.beforeNumber("Absatz")], "str": [.anywhere("Straße").capitalised],
        "tel": [.anywhere("Telefon")],
        "jh": [.inGenitive("Jahrhunderts").capitalised, .anywhere("Jahrhundert").capitalised],
        "jhd": [.inGenitive("Jahrhunderts"), .anywhere("Jahrhundert")],
        "mio": [.afterNumber("Millionen").bare, .midSentence("Millionen").capitalised],
        "mrd": [.afterNumber("Milliarden").bare, .anywhere("Milliarden")],
        "pos": [.beforeNumber("Position").capitalised], "jhrg": [.beforeNumber("Jahrgang").capitalised],
        "jg": [.beforeNumber("Jahrgang").capitalised],
        "tbl": [.afterOne("Tablette").capitalised, .afterNumber("Tabletten").capitalised],
        "tsd": [.afterNumber("tausend").bare],
        "min": [.afterOrdinal("Minute").capitalised, .afterNumber("Minuten"), .anywhere("mindestens")],
        "max": [.anywhere("maximal").lowercased, .beforeNumber("maximal"), .beforeWord("maximal")],
        "std": [.afterOrdinal("Stunde").capitalised, .afterNumber("Stunden")],
        "geb": [.beforeLetters("Gebäude").capitalised, .beforeSurname("geborene").lowercased, .anywhere("geboren")],
        "gegr": [.anywhere("gegründet")],
        "insb": [.anywhere("insbesondere")], "mind": [.anywhere("mindestens")],
        "einschl": [.anywhere("einschließlich")], "ebd": [.anywhere("ebenda")],
        "a.a.o": [.anywhere("am angegebenen Ort")], "m.e": [.anywhere("meines Erachtens").orInitials],
        "lfd": [.anywhere("laufende")], "frz": [.anywhere("französisch")], "lat": [.anywhere("lateinisch")],
        "griech": [.anywhere("griechisch")], "ehem": [.anywhere("ehemals")], "tgl": [.anywhere("täglich")],
        "mtl": [.anywhere("monatlich")], "ggü": [.anywhere("gegenüber")], "gem": [.anywhere("gemäß")],
        "zw": [.anywhere("zwischen")], "anm": [.anywhere("Anmerkung").capitalised],
        "gest": [.anywhere("gestorben")], "allg": [.anywhere("allgemein")], "dt": [.anywhere("deutsch")],
        "engl": [.anywhere("englisch")], "hrsg": [.anywhere("herausgegeben")], "aufl": [.anywhere("Auflage")],
        "jan": [.midSentence("Januar").capitalised], "feb": [.midSentence("Februar").capitalised],
        "okt": [.midSentence("Oktober").capitalised], "dez": [.midSentence("Dezember").capitalised],
    ]
}

/// German numbers, dates and times in words.
enum GermanNumbers {
    static let digits = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]

    private static let small = [
        "", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        "dreizehn",
        "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
    ]
    private static let tens = [
        "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
    ]
    private static let scales = [
        (1_000_000_000_000, "Billion", "Billionen"), (1_000_000_000, "Milliarde", "Milliarden"),
        (1_000_000, "Million", "Millionen"),
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in scales where number / size % 1_000 > 0 {
            let count = number / size % 1_000
            groups.append(count == 1 ? "eine \(one)" : "\(below(count)) \(many)")
        }
        let rest = number % 1_000_000
        if rest > 0 { groups.append(below(rest) + ending(rest, gender)) }
        return groups.joined(separator: " ")
    }

    /// “ein” is “eins” by itself and “eine” before feminine nouns.
    private static func ending(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number % 100 == 1 else { return "" }
        return switch gender {
        case nil: "s"
        case .feminine: "e"
        case .masculine, .neuter: ""
        }
    }

    /// Numbers below a million in one word, “ein” without an ending.
    private static func below(_ number: Int) -> String {
        switch number {
        case ..<20: small[number]
        case ..<100: (number % 10 > 0 ? small[number % 10] + "und" : "") + tens[number / 10]
        case ..<1_000: (number < 200 ? "" : small[number / 100]) + "hundert" + below(number % 100)
        default: (number < 2_000 ? "" : below(number / 1_000)) + "tausend" + below(number % 1_000)
        }
    }

    static func year(_ year: Int) -> String? {
        guard (1_100..<2_000).contains(year) else { return nil }
        return below(year / 100) + "hundert" + below(year % 100) + ending(year, nil)
    }

    /// Whether four digits between two words are a year, as in “Er dankte 1918 ab” and “geboren 1867”.
    ///
    /// A noun that is counted would follow; round numbers count more often.
    static func isYearPlace(_ year: Int, before: String, after: String, isName: Bool) -> Bool {
        guard year < 2_000, year % 100 != 0, !isName, !before.isEmpty, !countsFollow.contains(before) else {
            return false
        }
        return yearsPrecede.contains(after) || after.isEmpty && yearsAloneFollow.contains(before)
    }

    private static let countsFollow: Set<String> = [
        "artikel", "auf", "circa", "code", "etwa", "fast", "genau", "hausnummer", "höchstens", "insgesamt", "je",
        "knapp",
        "kosten", "kostet", "kostete", "mindestens", "mit", "modell", "nummer", "nur", "pin", "platz",
        "raum", "rund", "seite", "sind", "typ", "unter", "verdiene", "verdienen", "verdient", "verdiente", "waren",
        "weitere", "zahlen", "zahlt", "zahlte", "zimmer", "zu", "zählt", "zählte", "über",
    ]

    private static let yearsPrecede: Set<String> = [
        "ab", "als", "am", "an", "auf", "aus", "begann", "das", "dem", "den", "der", "die", "durch", "eine", "einen",
        "endete", "er", "erbaut", "erhielt", "erschien", "erschienen", "es", "fiel", "gab", "gebaut", "geboren",
        "gegründet", "gestorben", "heiratete", "im", "in", "kam", "nach", "sie", "starb", "veröffentlicht", "vom",
        "von", "war", "wegen", "wieder", "wurde", "wurden", "zog", "zu", "zum", "zur",
    ]

    private static let yearsAloneFollow: Set<String> = [
        "entstand", "entstanden", "erbaut", "erschien", "erschienen", "gebaut", "geboren", "gegründet", "gestorben",
        "starb", "verstorben", "begann", "beendet", "endete", "ermordet", "eröffnet", "geheiratet", "gekrönt",
        "heiratete", "heirateten", "hingerichtet", "uraufgeführt", "verabschiedet", "zerstört",
    ]

    /// “den 1980ern”, “die 1848er Revolution”.
    static func yearWithEnding(_ number: Int, _ ending: String) -> String? {
        guard (1_100..<2_100).contains(number), ["er", "ern", "ers"].contains(ending) else { return nil }
        return (year(number) ?? cardinal(number, nil)) + ending
    }

    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        stem(number) + ending(of: place)
    }

    /// The ending behind the “e” of an adjective in a place.
    static func ending(of place: Numerals.Place) -> String {
        let noun = place.after
        switch place.before {
        case "dieses" where isNeuter(noun): return ""
        case "am", "vom", "zum", "im", "beim", "dem", "den", "des", "ab", "seit", "bis", "jeden", "dieses", "v", "zur",
            "diesem", "diesen", "jedem", "jenem", "jenen", "einschl", "einschließlich", "spätestens":
            return "n"
        case "der", "dieser", "jeder", "jener": return isFeminine(noun) ? "n" : ""
        case "die", "das", "jedes": return ""
        case let before where ownersInOtherCases.contains(before) || weakAdjectives.contains(before): return "n"
        case let before where owners.contains(before):
            // “sein 2. großes Album”
            return isFeminine(noun) ? "" : isNeuter(noun) || noun.hasSuffix("es") ? "s" : "r"
        case "aus", "bei", "in", "mit", "nach", "von":
            // “in 2. Auflage”, “von 3. Platz”
            if isFeminine(noun) { return "r" }
            if isNeuter(noun) || counted.contains(noun) { return "m" }
        case "":
            if isNeuter(noun) { return "s" }
            if counted.contains(noun) { return "r" }
        default: break
        }
        return noun == "jahrhundert" ? "s" : months.contains(noun) || noun.isEmpty ? "r" : ""
    }

    /// An adjective before its noun, as in “der deutschen Sprache”; `nil` where it may be an adverb.
    ///
    /// “(lat. Canis)” has one.
    static func adjective(_ stem: String, _ place: Numerals.Place, before next: NextKind) -> String? {
        guard next == .name, !SentenceOpeners.contains(place.after, language: "de"),
            // “zweimal tägl. Wasser” has an adverb.
            !languages.contains(stem) && !stem.hasSuffix("lich") || place.before == "eine"
                || GermanOrdinals.isDeterminer(place.before) || weakAdjectives.contains(place.before)
        else { return nil }
        // “die sogenannten Fragen”
        let isPlural =
            place.before == "die" && (place.after.hasSuffix("en") || pluralsOfMasculines.contains(place.after))
        return stem + "e" + (isPlural ? "n" : ending(of: place))
    }

    /// Adjectives behind a determiner, whose ending the next one has, too: “jeder anderen deutschen Stadt”.
    private static let weakAdjectives: Set<String> = [
        "alten", "anderen", "beiden", "besten", "einzigen", "ersten", "ganzen", "großen", "größten", "letzten",
        "meisten", "neuen", "vielen", "wichtigsten",
    ]

    private static let pluralsOfMasculines: Set<String> = [
        "beispiele", "bestandteile", "fälle", "gründe", "jahre", "maßnahmen", "orte", "preise", "punkte", "rechte",
        "schritte", "tage", "teile", "umstände", "werte", "wege", "ziele",
    ]

    private static let languages: Set<String> = ["deutsch", "englisch", "französisch", "griechisch", "lateinisch"]

    /// Words without an ending, behind which an adjective has one; the same words with endings.
    private static let owners: Set<String> = [
        "dein", "deren", "dessen", "ein", "euer", "ihr", "kein", "mein", "sein", "unser",
    ]

    private static let ownersInOtherCases: Set<String> = {
        var words: Set<String> = ["eurem", "euren", "eurer", "eures"]
        for owner in ["dein", "ein", "ihr", "kein", "mein", "sein", "unser"] {
            for ending in ["em", "en", "er", "es"] { words.insert(owner + ending) }
        }
        return words
    }()

    /// Masculine nouns that are counted in order.
    private static let counted: Set<String> = [
        "abschnitt", "akt", "band", "bezirk", "jahrestag", "jahrgang", "kreuzzug", "monat", "platz", "preis", "rang",
        "satz", "stock", "tag", "teil", "weltkrieg", "korinther", "mose", "thessalonicher", "timotheus",
    ]

    /// The gender that “1” takes before a noun in the singular; other numbers do not change.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard number == 1, isCapitalised else { return nil }
        if isFeminine(noun) { return .feminine }
        if isNeuter(noun) { return .neuter }
        return others.contains(noun) ? .masculine : nil
    }

    fileprivate static func isFeminine(_ noun: String) -> Bool {
        let isSprung = noun.hasSuffix("sprung") || noun.hasSuffix("schwung")
        return feminine.contains(noun) || !isSprung && feminineEndings.contains { noun.hasSuffix($0) }
    }

    private static func isNeuter(_ noun: String) -> Bool {
        neuter.contains(noun) || neuterEndings.contains { noun.hasSuffix($0) }
    }

    /// Neuter nouns that are counted in order.
    private static let neuter: Set<String> = [
        "auto", "baby", "bier", "date", "drittel", "eigentor", "experiment", "foto", "gebäude", "gebot", "gegentor",
        "geschäft", "gesetz", "gespräch", "glas", "gleis", "gutachten", "hotel", "instrument", "interview",
        "jahrhundert", "jahrtausend", "jubiläum", "kapitel", "leben", "lied", "mädchen", "magazin", "modul",
        "obergeschoss", "opfer", "pferd", "problem", "programm", "projekt", "quartal", "rennen", "restaurant",
        "saisontor", "schiff", "semester", "team", "thema", "ticket", "tor", "treffen", "turnier", "viertel", "ziel",
        "zimmer", "og", "ug",
    ]

    /// Ends of nouns that are neuter, as the last words of compounds are: “Studioalbum”.
    private static let neuterEndings = [
        "album", "bild", "buch", "examen", "fest", "finale", "haus", "ium", "jahr", "kind", "konzert", "mal", "spiel",
        "stück", "werk", "zeug",
    ]

    private static let feminineEndings = [
        "ung", "heit", "keit", "schaft", "tion", "sion", "tät", "stunde", "minute", "seite",
    ]

    private static let feminine: Set<String> = [
        "aufl", "auflage", "aufgabe", "ausgabe", "bundesliga", "chance", "dose", "dosis", "ecke", "ehe", "etage",
        "etappe",
        "familie", "farbe",
        "fl", "flasche", "folge", "frage", "frau", "gruppe", "halbzeit", "hand", "hälfte",
        "idee", "kanne", "karte", "katze", "kirche", "klasse", "kugel", "lampe", "liga", "linie", "liste", "mark",
        "welle", "whg",
        "maschine",
        "meile", "milliarde", "million", "min", "minute", "msp", "münze",
        "nacht", "nase", "note", "packung", "person", "portion",
        "pr", "prise",
        "reihe", "reise", "rolle", "runde", "sache", "schule", "sekunde", "seite", "sorte", "stadt", "std", "stelle",
        "stimme", "straße", "strophe", "stufe", "stunde", "tafel", "tasche", "tasse", "tbl", "tochter", "tonne", "tür",
        "woche",
        "zahl", "zeile", "zwiebel",
    ]

    /// Common masculine and neuter nouns, before which “1” is “ein”.
    private static let others: Set<String> = [
        "apfel", "auge", "auto", "bad", "bett", "bild", "blatt", "brot", "bruder", "buch", "cent", "ei", "esslöffel",
        "fall", "fenster", "fuß", "gast", "glas", "grad", "haus", "hund", "jahr", "kapitel", "kind", "kopf", "liter",
        "löffel", "mal", "mann", "mensch", "monat", "ort", "paar", "platz", "prozent", "punkt", "raum", "satz",
        "schritt",
        "abend", "arzt", "ball", "baum", "becher", "berg", "besuch", "besucher", "brief", "bus", "dollar", "eimer",
        "euro",
        "fehler", "film", "fisch", "flug", "fluss", "freund", "garten", "hafen", "hut", "junge", "kaffee", "koffer",
        "kreis", "kuchen", "kunde", "lehrer", "mitarbeiter", "nachbar", "ordner", "patient", "polizist", "ring", "rock",
        "sack", "schlüssel", "schrank", "schüler", "soldat", "spieler", "stein", "stern", "stift", "student", "teller",
        "topf", "treffer", "turm", "verletzter", "vogel", "wagen", "zahn", "zettel", "zug", "zweig",
        "sohn", "spiel", "stück", "stuhl", "tag", "teelöffel", "teil", "tisch", "tor", "uhr", "versuch", "wort",
        "zentimeter",
        "zentner", "zimmer", "zoll",
    ]

    /// “der Achte” and “die Zweite” behind a ruler's name.
    ///
    /// It is “dem Fünften” behind “unter Karl”, and “des Vierzehnten” behind “Ludwigs”.
    static func ruler(_ number: Int, _ name: String, _ before: String) -> String {
        let isQueen = queens.contains(name)
        let isGenitive = name.hasSuffix("s") && !namesInS.contains(name)
        switch true {
        case isGenitive: return "\(queens.contains(String(name.dropLast())) ? "der" : "des") \(stem(number))n"
        case datives.contains(before) || contractions.contains(before):
            return "\(isQueen ? "der" : "dem") \(stem(number))n"
        case accusatives.contains(before) && !isQueen: return "den \(stem(number))n"
        default: return "\(isQueen ? "die" : "der") \(stem(number))"
        }
    }

    /// Words before a day whose month is not said.
    ///
    /// “Am 5., 6. und 7. Mai” and “Freitag, den 13., war” have some.
    static let daysFollow: Set<String> = ["am", "dem", "den", "der", "vom", "zum"]

    /// Adjectives of editions, which may be cut short.
    ///
    /// “3., überarb. Aufl.” has one.
    static let adjectivesOfEditions: Set<String> = [
        "aktual", "aktualisierte", "erg", "ergänzte", "erw", "erweiterte", "neubearb", "neubearbeitete", "verb",
        "verbesserte", "völlig", "überarb", "überarbeitete",
    ]

    /// Articles in the genitive.
    static let genitiveArticles: Set<String> = ["des", "dieses", "eines", "jenes"]

    /// Prepositions that the dative of a length of time follows: “vor 20 Jahren”.
    static let lengthsInDativeFollow = datives.union(["ab", "binnen", "in", "vor", "zwischen"])

    /// Prepositions that the dative and the accusative of a name follow.
    private static let datives: Set<String> = ["aus", "bei", "mit", "nach", "seit", "unter", "von", "zu"]
    private static let accusatives: Set<String> = ["den", "durch", "für", "gegen", "ohne"]
    private static let contractions: Set<String> = ["beim", "dem", "vom", "zum"]

    /// Names that end in “s” in the nominative.
    private static let namesInS: Set<String> = [
        "alexis", "bonifatius", "clemens", "darius", "franziskus", "hadrianus", "innozenz", "johannes", "julius",
        "klemens", "nikolaus", "pius", "ramses", "sixtus", "thomas", "thutmosis", "xerxes",
    ]

    private static let queens: Set<String> = [
        "anna", "elisabeth", "isabella", "kaiserin", "katharina", "königin", "margarethe", "maria", "viktoria", "zarin",
    ]

    /// Whether a number with a full stop is an ordinal between the two words.
    static func isOrdinal(before: String, after: String, isCapitalised: Bool) -> Bool {
        guard isCapitalised else { return true }
        return months.contains(after) || GermanOrdinals.isOrdinal(before: before, after: after)
    }

    private static let irregular = [1: "erste", 3: "dritte", 7: "siebte", 8: "achte"]

    private static func stem(_ number: Int) -> String {
        let last = number % 100
        guard last > 0, last < 20 else { return cardinal(number, .masculine) + "ste" }
        let head = number > last ? cardinal(number - last, .masculine) : ""
        return head + (irregular[last] ?? small[last] + "te")
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        switch (numerator, denominator) {
        case (1, 2): return "ein halb"
        case (_, 3...20), (_, 100):
            let part = String(stem(denominator).dropLast()).capitalized + "el"
            let short = denominator == 3 ? "Drittel" : part
            return "\(cardinal(numerator, .neuter)) \(short)"
        default: return nil
        }
    }

    /// Words for a half that agree with its noun and the word before: “nach einer halben Stunde”.
    static func half(_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String? {
        let noun = noun.lowercased()
        let isFeminine =
            gender == .feminine || noun == "wurst"
            || noun.hasSuffix("e") && !["auge", "ende", "gebäude", "käse", "name"].contains(noun)
        let isNeuter = isNeuter(noun) || halvedNeuters.contains { noun.hasSuffix($0) }
        guard isFeminine || isNeuter || halvedMasculines.contains(where: { noun.hasSuffix($0) }) else { return nil }
        switch before {
        case "ein": return isNeuter ? "halbes" : "halber"
        case "eine", "die", "das": return "halbe"
        case "der": return isFeminine ? "halben" : "halbe"
        case "am", "beim", "dem", "den", "des", "einem", "einen", "einer", "eines", "im", "vom", "zum", "zur":
            return "halben"
        case "ab", "aus", "bei", "in", "mit", "nach", "seit", "von", "vor", "zu":
            return isFeminine ? "einer halben" : "einem halben"
        default:
            if isFeminine { return "eine halbe" }
            let isListed = before.isEmpty || before == "und" || before == "oder"
            return isNeuter ? "ein halbes" : isListed ? "ein halber" : "einen halben"
        }
    }

    /// Ends of nouns that are halved.
    private static let halvedNeuters = [
        "blatt", "brot", "bund", "chen", "dutzend", "gramm", "hundert", "kilo", "pfund", "prozent",
    ]
    private static let halvedMasculines = [
        "apfel", "becher", "dollar", "euro", "franken", "kopf", "liter", "löffel", "meter", "monat", "ring", "salat",
        "tag",
        "teller", "würfel", "zentner",
    ]

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = "\(cardinal(hour, .neuter)) Uhr"
        return minute == 0 ? hourWords : "\(hourWords) \(cardinal(minute, nil))"
    }

    private static let monthNames = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]
    private static let shortMonths = [
        "jan": 1, "jän": 1, "jänner": 1, "feb": 2, "febr": 2, "mrz": 3, "mär": 3, "apr": 4, "aug": 8, "sep": 9,
        "sept": 9,
        "okt": 10,
        "nov": 11, "dez": 12,
    ]
    private static let months = Set(monthNames.map { $0.lowercased() }).union(shortMonths.keys)

    static let dates: DateWords = {
        var dates = DateWords(names: monthNames, otherNames: shortMonths, monthsAreLowercase: false) {
            day,
            month,
            year,
            place,
            _ in
            let name = monthNames[month - 1]
            let words = "\(ordinal(day, Numerals.Place(before: place.before, after: name.lowercased()))) \(name)"
            return year.map { "\(words) \(GermanNumbers.year($0) ?? cardinal($0, nil))" } ?? words
        }
        dates.day = { day, place, _ in ordinal(day, place) }
        dates.dayNeedsDot = true
        dates.expiriesFollow = [
            "ablaufdatum", "exp", "gültig bis", "haltbar bis", "mhd", "verfallsdatum", "verwendbar bis",
        ]
        dates.days = [
            "mo": "Montag", "di": "Dienstag", "mi": "Mittwoch", "do": "Donnerstag", "fr": "Freitag", "sa": "Samstag",
            "so": "Sonntag",
        ]
        dates.dottedDaysFollow = GermanOrdinals.wordsBeforeDays
        dates.articles = ["dem", "den"]
        dates.partsPrecede = GermanOrdinals.wordsForParts
        return dates
    }()
}

/// German numbers that a full stop before a noun makes ordinals.
package enum GermanOrdinals {
    /// Whether a number with a full stop is one between two words, in lower case, of which the second has a capital letter.
    package static func isOrdinal(before: String, after: String) -> Bool {
        // “Er schrieb eine 2. Frau Meier lobte ihn.” has a mark.
        nouns.contains(after) || before == "eine" && after != "frau" && GermanNumbers.isFeminine(after)
            || !after.isEmpty && determiners.contains(before) && !SentenceOpeners.contains(after, language: "de")
    }

    /// Whether a word in lower case is one after which a number or an adjective has a noun.
    static func isDeterminer(_ word: String) -> Bool { determiners.contains(word) }

    /// Whether a word in lower case is a ruler's name in the genitive.
    ///
    /// “Wilhelms II. Flotte” begins with one.
    package static func isRulerInGenitive(_ word: String) -> Bool {
        word.hasSuffix("s") && rulers.contains(String(word.dropLast()))
    }

    private static let rulers: Set<String> = [
        "albrecht", "alexander", "ferdinand", "friedrich", "georg", "gustav", "heinrich", "joseph", "karl", "konrad",
        "leopold", "ludwig", "maximilian", "napoleon", "otto", "philipp", "rudolf", "wilhelm",
    ]

    /// Words behind which two numbers with full stops are a day and a month: “am 24.12.”.
    package static let wordsBeforeDays: Set<String> = [
        "ab", "am", "bis", "dem", "den", "seit", "spätestens", "vom", "zum",
    ]

    /// Words for parts of a text, whose numbers may have full stops as days do: “Abschnitte bis 3.4.”.
    static let wordsForParts: Set<String> = [
        "abschnitt", "abschnitte", "abschnitten", "abbildung", "abbildungen", "anhang", "kapitel", "kapiteln", "nr",
        "nummer", "nummern", "punkt", "punkte", "punkten", "tabelle", "tabellen", "teil", "teile", "version",
        "versionen", "ziffer", "ziffern",
    ]

    /// Nouns that are counted in order more often than they begin sentences behind numbers.
    private static let nouns: Set<String> = [
        "abschnitt", "akt", "aufl", "auflage", "ausgabe", "band", "bezirk", "jh", "jhd", "jhs", "jahrhunderte",
        "jahrhunderten",
        "buch", "etage", "etappe", "geburtstag",
        "jahrestag", "jahrgang", "jahrhundert", "jahrhunderts", "jahrtausend", "jahrtausends", "kapitel", "kapitels",
        "klasse", "kreuzzug", "lebensjahr", "mal", "monat", "obergeschoss", "platz", "quartal", "rang", "runde",
        "satz", "semester", "stock", "strophe", "stunde", "tag", "tages", "teil", "weltkrieg", "weltkrieges",
        "weltkriegs", "woche", "korinther", "mose", "thessalonicher", "timotheus", "og", "ug",
    ]

    /// Words after which a number with a full stop ends no sentence, unless a word follows with which sentences begin.
    private static let determiners: Set<String> = [
        "ab", "am", "beim", "das", "dein", "deine", "deinem", "deinen", "deiner", "dem", "den", "der", "deren", "des",
        "dessen", "die", "diese", "diesem", "diesen", "dieser", "dieses", "ein", "einem", "einen", "eines", "euer",
        "eure", "eurem", "euren", "eurer", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "ins", "jede", "jedem",
        "jeden", "jeder", "jedes", "mein",
        "meine", "meinem", "meinen", "meiner", "sein", "seine", "seinem", "seinen", "seiner", "unser", "unsere",
        "ihres", "kein", "meines", "seines", "unserem", "unseren", "unserer", "unseres", "vom", "zum", "zur",
    ]
}
