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
                "abs", "absatz", "art", "artikel", "formel", "nr", "nummer", "nummern", "phase", "platz", "punkt",
                "raum", "tag", "zimmer",
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
        abbreviationEndings: ["nr": "nummer", "nrn": "nummern", "str": "straße"],
        shortAdjectives: [
            "allg": "allgemein", "dt": "deutsch", "engl": "englisch", "ev": "evangelisch", "frz": "französisch",
            "griech": "griechisch", "hl": "heilig", "kath": "katholisch", "lat": "lateinisch", "lfd": "laufend",
            "max": "maximal", "o.g": "oben genannt", "u.g": "unten genannt",
            "sog": "sogenannt", "stellv": "stellvertretend",
            "tägl": "täglich", "stündl": "stündlich", "wöchentl": "wöchentlich",
            "monatl": "monatlich", "jährl": "jährlich", "nördl": "nördlich", "östl": "östlich", "südl": "südlich",
            "westl": "westlich",
        ],
        adjective: GermanNumbers.adjective,
        units: germanUnits,
        spelledInCapitals: [
            "da", "dir", "du", "gab", "gar", "geh", "gib", "gut", "heu", "hof", "ich", "ihm", "ihn", "ja", "lag",
            "mal", "mir", "mut", "nah", "nie", "nun", "nur", "oft", "ort", "rat", "rot", "ruf", "sah", "sei", "tat",
            "tod", "ton", "tor", "tun", "tür", "uns", "weh", "wem", "wen", "wer", "wie", "wut", "zug",
        ],
        acronyms: [
            "bic": "Bick", "dax": "dax", "din": "din", "esa": "esa", "gau": "gau", "ifo": "ifo", "iso": "iso",
            "pin": "Pinn", "puk": "Puck", "ram": "Ramm", "rom": "Romm", "sim": "Simm", "tüv": "tüv", "ufo": "ufo",
            "uno": "uno",
        ],
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
            "DM": currency("D-Mark", "Pfennig", .feminine), "RM": currency("Reichsmark", "Pfennig", .feminine),
            "CHF": currency("Schweizer Franken", "Rappen"), "SEK": krone, "NOK": krone,
        ]
    }()

    private static let germanUnits: [String: CountedNoun] = {
        let same: [(String, String)] = [
            ("km", "Kilometer"), ("m", "Meter"), ("cm", "Zentimeter"), ("dm", "Dezimeter"), ("mm", "Millimeter"),
            ("µm", "Mikrometer"), ("nm", "Nanometer"), ("l", "Liter"), ("L", "Liter"), ("ml", "Milliliter"),
            ("mL", "Milliliter"),
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
            ("Nm", "Newtonmeter"), ("Bft", "Beaufort"), ("kn", "Knoten"), ("MPa", "Megapascal"), ("ct", "Cent"),
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
        "u.a": [.afterAuthor("und andere").lowercased, .anywhere("unter anderem").orInitials],
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
        "rd": [.beforeNumber("rund")], "prof.em": [.anywhere("Professor emeritus")],
        "em": [.beforeName("emeritus").lowercased], "og": [.afterOrdinal("Obergeschoss").bare.capitalised],
        "ug": [.afterOrdinal("Untergeschoss").bare.capitalised],
        "nachm": [.midSentence("nachmittags").lowercased, .beforeNumber("nachmittags").lowercased],
        "i.e.s": [.anywhere("im engeren Sinne").lowercased],
        "i.w.s": [.anywhere("im weiteren Sinne").lowercased], "i.e": [.afterNumber("im Elfmeterschießen")],
        "ra": [.title("Rechtsanwalt")], "ziff": [.beforeNumber("Ziffer").capitalised],
        "strg": [.anywhere("Steuerung").bare.capitalised],
        "lt": [.beforeName("laut").lowercased, .beforeWord("laut").lowercased, .beforeSource("laut").capitalised],
        "bes": [.anywhere("besonders").lowercased], "p.a": [.anywhere("pro Jahr").lowercased],
        "jew": [.anywhere("jeweils").lowercased],
        "urspr": [.anywhere("ursprünglich").lowercased], "ggfs": [.anywhere("gegebenenfalls")],
        "i.h.v": [.anywhere("in Höhe von").orInitials], "i.s.v": [.anywhere("im Sinne von").orInitials],
        "i.s.d": [.anywhere("im Sinne des").orInitials], "s.a": [.anywhere("siehe auch").lowercased],
        "bde": [.beforeNumber("Bände").capitalised, .afterNumber("Bände").capitalised],
        "bsp": [.beforeNumber("Beispiel").capitalised], "geschl": [.anywhere("geschlossen").lowercased],
        "joh": [.beforeName("Johann").capitalised], "seb": [.beforeName("Sebastian").capitalised],
        "entspr": [.anywhere("entsprechend").lowercased],
        "tr": [.afterNumber("Tropfen").capitalised], "nrn": [.beforeNumber("Nummern").capitalised],
        "kps": [.afterOne("Kapsel").capitalised, .afterNumber("Kapseln").capitalised],
        "tägl": [.anywhere("täglich")], "stündl": [.anywhere("stündlich")],
        "wöchentl": [.anywhere("wöchentlich")], "monatl": [.anywhere("monatlich")], "jährl": [.anywhere("jährlich")],
        "nördl": [.anywhere("nördlich")], "östl": [.anywhere("östlich")], "südl": [.anywhere("südlich")],
        "westl": [.anywhere("westlich")],
        "d.m": [.anywhere("dieses Monats").orInitials], "d.j": [.anywhere("dieses Jahres").orInitials],
        "kath": [.anywhere("katholische")],
        "ev": [.anywhere("evangelische")], "etc": [.anywhere("et cetera")],
        "nr": [.beforeNumber("Nummer"), .beforeWord("Nummer").capitalised],
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
        "u": [.beforeNumber("und").lowercased, .beforeName("und").lowercased, .beforeWord("und").lowercased],
        "v": [.beforeNumber("vom").lowercased, .beforeName("von").lowercased], "d.gr": [.anywhere("der Große")],
        "d.ä": [.anywhere("der Ältere")], "u.e": [.anywhere("unseres Erachtens").orInitials],
        "j": [.beforeNumber("Jahr").capitalised],
        "exp": [.beforeMonth("gültig bis").bare], "mwst": [.anywhere("Mehrwertsteuer").bare],
        "hbf": [.anywhere("Hauptbahnhof").bare], "bhf": [.anywhere("Bahnhof").bare],
        "dr.med": [.anywhere("Doktor med")], "dr.phil": [.anywhere("Doktor phil")],
        "dr.jur": [.anywhere("Doktor jur")], "dr.ing": [.anywhere("Doktor-Ingenieur")],
        "dr.h.c": [.anywhere("Doktor honoris causa")], "dr.rer.nat": [.anywhere("Doktor rer nat")],
        "pck": [.afterNumber("Päckchen")], "stk": [.afterNumber("Stück")],
        "m.w": [.anywhere("meines Wissens").orInitials],
        "rn": [.beforeNumber("Randnummer").capitalised], "rdn": [.beforeNumber("Randnummer").capitalised],
        "rz": [.beforeNumber("Randziffer").capitalised], "fn": [.beforeNumber("Fußnote").capitalised],
        "fußn": [.beforeNumber("Fußnote").capitalised], "postf": [.beforeNumber("Postfach").capitalised],
        "verl": [.beforeName("Verlag").capitalised], "durchschn": [.anywhere("durchschnittlich").lowercased],
        "i.j": [.beforeNumber("im Jahr").lowercased], "d.i": [.beforeWord("das ist").lowercased],
        "op": [.beforeNumber("Opus")], "i.a": [.anywhere("im Auftrag").orInitials],
        "gez": [.beforeName("gezeichnet").lowercased], "mfg": [.anywhere("mit freundlichen Grüßen").bare.capitalised],
        "a.m": [.afterName("am Main").lowercased], "dipl.ing": [.anywhere("Diplomingenieur")],
        "dipl.kfm": [.anywhere("Diplom-Kaufmann")], "dipl.kffr": [.anywhere("Diplom-Kauffrau")],
        "dipl.psych": [.anywhere("Diplom-Psychologe")], "dipl.phys": [.anywhere("Diplom-Physiker")],
        "dipl.chem": [.anywhere("Diplom-Chemiker")], "dipl.biol": [.anywhere("Diplom-Biologe")],
        "dipl.math": [.anywhere("Diplom-Mathematiker")], "dipl.inf": [.anywhere("Diplom-Informatiker")],
        "dipl.päd": [.anywhere("Diplom-Pädagoge")], "dipl.volksw": [.anywhere("Diplom-Volkswirt")],
        "dipl.betriebsw": [.anywhere("Diplom-Betriebswirt")], "gebr": [.beforeName("Gebrüder").capitalised],
        "pf": [.afterNumber("Pfennig").capitalised],
        "jun": [.afterName("junior").lowercased], "sen": [.afterName("senior").lowercased],
        "bd": [.beforeNumber("Band"), .afterOrdinal("Band").capitalised, .beforeWord("Band").capitalised],
        "fam": [.beforeName("Familie").capitalised],
        "kl": [.beforeNumber("Klasse").capitalised, .afterOrdinal("Klasse").capitalised],
        "mill": [.afterNumber("Millionen")],
        "n.v": [.anywhere("nach Verlängerung").lowercased],
        "kap": [.beforeNumber("Kapitel"), .afterOrdinal("Kapitel").capitalised, .beforeWord("Kapitel").capitalised],
        "abb": [.beforeNumber("Abbildung"), .beforeWord("Abbildung").capitalised],
        "tab": [.beforeNumber("Tabelle"), .beforeWord("Tabelle").capitalised],
        "verf": [.anywhere("Verfasser").capitalised], "abschn": [.anywhere("Abschnitt").capitalised],
        "kü": [.anywhere("Küche").capitalised], "balk": [.anywhere("Balkon").capitalised],
        "ew": [.afterNumber("Einwohner").capitalised],
        "ü.nn": [.anywhere("über Normalnull").bare.lowercased],
        "ü.nhn": [.anywhere("über Normalhöhennull").bare.lowercased],
        "u.nn": [.anywhere("unter Normalnull").bare.lowercased],
        "ü.d.m": [.anywhere("über dem Meeresspiegel").lowercased],
        "d": [.beforeGenitive("des").lowercased, .beforeName("der").lowercased],
        "art": [.beforeNumber("Artikel")], "abs": [.beforeNumber("Absatz"), .afterOrdinal("Absatz").capitalised],
        "str": [.anywhere("Straße").capitalised],
        "tel": [.anywhere("Telefon")],
        "jh": [.inGenitive("Jahrhunderts").capitalised, .anywhere("Jahrhundert").capitalised],
        "jhd": [.inGenitive("Jahrhunderts"), .anywhere("Jahrhundert")],
        "mio": [.afterNumber("Millionen").bare, .midSentence("Millionen").capitalised],
        "mrd": [.afterNumber("Milliarden").bare, .anywhere("Milliarden")],
        "pos": [.beforeNumber("Position").capitalised], "jhrg": [.beforeNumber("Jahrgang").capitalised],
        "jg": [.beforeNumber("Jahrgang").capitalised],
        "tbl": [.afterOne("Tablette").capitalised, .afterNumber("Tabletten").capitalised],
        "tsd": [.afterNumber("tausend").bare],
        "min": [
            .afterOrdinal("Minute").capitalised, .afterOne("Minute"), .afterNumber("Minuten"), .anywhere("mindestens"),
        ],
        "max": [.anywhere("maximal").lowercased, .beforeNumber("maximal"), .beforeWord("maximal")],
        "std": [.afterOrdinal("Stunde").capitalised, .afterOne("Stunde"), .afterNumber("Stunden")],
        "tg": [.afterOne("Tag").capitalised, .inDative("Tagen").capitalised, .afterNumber("Tage").capitalised],
        "wo": [.afterOne("Woche").capitalised, .afterNumber("Wochen").capitalised],
        "kto": [.anywhere("Konto").capitalised], "kto.nr": [.anywhere("Kontonummer")],
        "einw": [.anywhere("Einwohner").capitalised], "bj": [.beforeNumber("Baujahr").capitalised],
        "sprechstd": [.anywhere("Sprechstunde").capitalised],
        "geb": [.beforeLetters("Gebäude").capitalised, .beforeSurname("geborene").lowercased, .anywhere("geboren")],
        "gegr": [.anywhere("gegründet")],
        "insb": [.anywhere("insbesondere")], "mind": [.anywhere("mindestens")],
        "hann": [.beforeName("Hannoversch").capitalised],
        "kgs": [.afterCount("Kilogramm"), .beforeName("Königs").capitalised],
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

/// German nouns whose gender shows at their ends.
extension GermanNumbers {
    /// Whether a noun ends in “e” as feminine ones do: “Birne”, “Lücke”, but “Kollege”, “Gebäude” and “Update”.
    static func endsLikeFeminine(_ noun: String) -> Bool {
        noun.hasSuffix("e") && noun.utf16.count > 3 && !noun.hasPrefix("ge") && !noun.hasSuffix("ee")
            && (feminineInE.contains(where: noun.hasSuffix) || !othersInE.contains(where: noun.hasSuffix))
    }

    /// Ends of masculine and neuter nouns that end as feminine ones do: “Glycerin” is no woman.
    static let othersLikeFeminine = ["cholesterin", "ergosterin", "glycerin", "glyzerin", "schwung", "sprung"]

    /// Ends of feminine nouns that have some of ``othersInE``: “Strecke” has “Recke”, “Urkunde” has “Kunde”.
    private static let feminineInE = [
        "blende", "dividende", "fregatte", "giraffe", "karaffe", "kerbe", "lauge", "legende", "metropole", "phase",
        "scheide", "scherbe", "schneide", "schrecke", "sekunde", "spende", "strecke", "urkunde", "waffe", "wende",
    ]

    /// Ends of masculine and neuter nouns in “e”, among them those of words from English.
    private static let othersInE = [
        "affe", "auge", "beamte", "bote", "brite", "buchstabe", "bursche", "byte", "cache", "chinese", "cookie", "däne",
        "ende", "erbe", "experte", "file", "finne", "franzose", "friede", "funke", "gatte", "gebirge", "gefährte",
        "gedanke", "genosse", "gläubige", "glaube", "grieche", "hase", "haufe", "heide", "hirte", "image", "insasse",
        "interesse", "interface", "junge", "kollege", "komplize", "kunde", "käse", "laie", "löwe", "name", "nachkomme",
        "neffe", "ochse", "pate", "pole", "rabe", "recke", "riese", "rivale", "russe", "sachse", "same", "schotte",
        "schwabe", "schwede", "service", "sklave", "smoothie", "template", "tscheche", "türke", "ungar", "update",
        "upgrade", "wille", "zeuge",
    ]
}
