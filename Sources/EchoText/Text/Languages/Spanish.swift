extension LanguageRules {
    static let spanish = LanguageRules(
        code: "es",
        numerals: Numerals(
            decimalMark: ",",
            groupMark: ".",
            decimals: .asNumber,
            cardinal: SpanishNumbers.cardinal,
            ordinal: SpanishNumbers.ordinal,
            ordinalEndings: SpanishNumbers.ordinalEndings,
            fraction: SpanishNumbers.fraction,
            wholeAndFraction: "y",
            halfOfMixed: "medio",
            feminineHalfOfMixed: "media",
            half: SpanishNumbers.half,
            telephonesFollow: ["tel", "tels", "tfno", "tlf", "teléfono", "fax", "móv", "móvil"],
            numbersOfRulesFollow: ["dieta", "fórmula", "método", "principio", "regla", "reglas", "técnica"],
            genderOfCounted: SpanishNumbers.genderOfCounted,
            numbersFollow: [
                "número", "núm", "n.º", "nº", "art", "artículo", "artículos", "página", "línea", "sala", "planta",
            ],
            romanCardinalsFollow: [
                "siglos", "capítulos", "tomos", "libros", "partes", "siglo", "capítulo", "tomo", "acto", "escena",
                "parte", "libro", "volumen", "título", "tema", "bowl", "año",
            ],
            romanCardinalsFollowStops: ["cap", "p", "pp", "pág", "págs", "s", "ss", "vol"],
            romanOrdinalsFollow: [
                "rey", "reina", "papa", "emperador", "felipe", "carlos", "alfonso", "isabel", "fernando", "juan",
                "pablo",
                "enrique", "luis", "pedro", "jorge", "benedicto", "pío", "sancho", "jaime", "ramiro", "napoleón",
                "alejandro", "eduardo", "francisco", "guillermo", "harald", "juana", "margarita", "victoria",
            ],
            isBeforeOrdinalNoun: { SpanishNumbers.countedInOrder[$0] != nil },
            ruler: { number, name, _ in SpanishNumbers.ruler(number, name) },
            pagesPrecede: ["página", "páginas", "pág", "págs", "p", "pp"],
            timesTenToThe: "por diez elevado a",
            digitNames: SpanishNumbers.digits
        ),
        signs: SignWords(
            minus: "menos",
            power: "elevado a",
            point: "coma",
            to: "a",
            by: "por",
            score: "a",
            dot: "punto",
            at: "arroba",
            slash: "barra",
            dash: "guion",
            underscore: "guion bajo",
            colon: "dos puntos",
            plus: "más",
            hashtag: "hashtag",
            number: "número",
            sections: "secciones",
            others: [
                "&": "y", "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "", "≤": "menor o igual que",
                "≥": "mayor o igual que", "≠": "distinto de", "≈": "aproximadamente", "÷": "dividido entre",
                "√": "raíz cuadrada de", "∞": "infinito", "‰": "por mil", "²": " al cuadrado", "³": " al cubo",
                "®": "marca registrada", "™": "marca", "№": "número", "×": "por", "±": "más menos",
            ],
            between: [
                "<": "menor que", ">": "mayor que", "*": "por", "^": "elevado a", "~": "aproximadamente", "−": "menos",
            ],
            outOf: "sobre",
            repeated: CountedNoun("vez", "veces", .feminine),
            beforeNumbers: ["<": "menos de", ">": "más de", "~": "aproximadamente"]
        ),
        dates: SpanishNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in SpanishNumbers.time(hour, minute) },
            seconds: { "y \(SpanishNumbers.cardinal($0, .masculine)) \($0 == 1 ? "segundo" : "segundos")" },
            lengths: LengthWords(
                hour: CountedNoun("hora", "horas", .feminine),
                minute: CountedNoun("minuto", "minutos"),
                second: CountedNoun("segundo", "segundos"),
                joint: "y",
                clocksFollow: ["desde", "hasta", "la", "las"],
                lengthsFollow: ["duración", "duró", "en", "tiempo"],
                hours: [],
                minutes: ["min", "minutos"]
            ),
            dottedTimesFollow: ["las"],
            dottedTimesPrecede: ["h", "hs", "horas"],
            repeatedWords: ["h", "hrs", "hs", "horas"]
        ),
        money: MoneyWords(
            currencies: spanishCurrencies,
            scales: [
                "mil": CountedNoun("mil", "mil"), "M": CountedNoun("millón", "millones"),
                "millón": CountedNoun("millón", "millones"), "millones": CountedNoun("millón", "millones"),
                "billón": CountedNoun("billón", "billones"), "billones": CountedNoun("billón", "billones"),
            ],
            afterScale: { scale, currency in scale == "mil" ? currency : "de \(currency)" },
            joint: "con",
            saysMinor: true
        ),
        abbreviations: spanishAbbreviations,
        slashed: ["c/u": "cada uno", "s/n": "sin número"],
        shortAdjectives: ["incl": "incluid", "máx": "máxim", "mín": "mínim"],
        adjective: SpanishNumbers.adjective,
        units: spanishUnits,
        spelledInCapitals: [
            "con", "él", "le", "lo", "más", "muy", "ni", "no", "por", "que", "si", "sin", "son", "yo",
        ],
        perUnit: { "\($0) por \($1)" },
        directions: ["N": "norte", "S": "sur", "E": "este", "O": "oeste", "W": "oeste"]
    )

    static let spanishPeso = MoneyWords.Currency(
        major: CountedNoun("peso", "pesos"),
        minor: CountedNoun("centavo", "centavos")
    )

    private static let spanishCurrencies: [String: MoneyWords.Currency] = {
        func currency(_ one: String, _ many: String, _ gender: CountedNoun.Gender = .masculine) -> MoneyWords.Currency {
            MoneyWords.Currency(major: CountedNoun(one, many, gender), minor: CountedNoun("céntimo", "céntimos"))
        }
        let pound = MoneyWords.Currency(
            major: CountedNoun("libra", "libras", .feminine),
            minor: CountedNoun("penique", "peniques")
        )
        let dollar = MoneyWords.Currency(
            major: CountedNoun("dólar", "dólares"),
            minor: CountedNoun("centavo", "centavos")
        )
        return [
            "€": currency("euro", "euros"), "EUR": currency("euro", "euros"), "$": dollar, "US$": dollar, "USD": dollar,
            "£": pound, "GBP": pound,
            "¥": MoneyWords.Currency(major: CountedNoun("yen", "yenes"), minor: nil),
            "CHF": currency("franco suizo", "francos suizos"), "MXN": currency("peso", "pesos"),
        ]
    }()

    private static let spanishUnits: [String: CountedNoun] = {
        let masculine: [(String, String)] = [
            ("km", "kilómetro"), ("m", "metro"), ("cm", "centímetro"), ("mm", "milímetro"), ("kg", "kilogramo"),
            ("g", "gramo"), ("mg", "miligramo"), ("l", "litro"), ("L", "litro"), ("ml", "mililitro"),
            ("cl", "centilitro"),
            ("s", "segundo"), ("ms", "milisegundo"), ("min", "minuto"), ("W", "vatio"), ("kW", "kilovatio"),
            ("MW", "megavatio"), ("V", "voltio"), ("mA", "miliamperio"), ("dB", "decibelio"), ("°", "grado"),
            ("J", "julio"),
            ("MB", "megabyte"), ("GB", "gigabyte"), ("TB", "terabyte"), ("kB", "kilobyte"),
            ("dm", "decímetro"), ("µm", "micrómetro"), ("nm", "nanómetro"), ("dl", "decilitro"),
            ("hl", "hectolitro"),
            ("mL", "mililitro"), ("µl", "microlitro"), ("µg", "microgramo"), ("ng", "nanogramo"), ("GW", "gigavatio"),
            ("kV", "kilovoltio"), ("kJ", "kilojulio"), ("kms", "kilómetro"), ("kgs", "kilogramo"), ("mts", "metro"),
        ]
        let feminine: [(String, String)] = [
            ("t", "tonelada"), ("h", "hora"), ("ha", "hectárea"), ("kcal", "kilocaloría"), ("″", "pulgada"),
            ("hs", "hora"), ("hrs", "hora"), ("atm", "atmósfera"),
        ]
        var units = Dictionary(uniqueKeysWithValues: masculine.map { ($0.0, CountedNoun($0.1, $0.1 + "s")) })
        for (sign, name) in feminine { units[sign] = CountedNoun(name, name + "s", .feminine) }
        let others: [(String, String, String)] = [
            ("km/h", "kilómetro por hora", "kilómetros por hora"), ("°C", "grado Celsius", "grados Celsius"),
            ("°F", "grado Fahrenheit", "grados Fahrenheit"), ("ºC", "grado Celsius", "grados Celsius"),
            ("m²", "metro cuadrado", "metros cuadrados"),
            ("km²", "kilómetro cuadrado", "kilómetros cuadrados"), ("m³", "metro cúbico", "metros cúbicos"),
            ("cm³", "centímetro cúbico", "centímetros cúbicos"), ("km³", "kilómetro cúbico", "kilómetros cúbicos"),
            ("cm²", "centímetro cuadrado", "centímetros cuadrados"), ("kWh", "kilovatio hora", "kilovatios hora"),
            ("Hz", "hercio", "hercios"), ("kHz", "kilohercio", "kilohercios"), ("MHz", "megahercio", "megahercios"),
            ("GHz", "gigahercio", "gigahercios"),
            ("MWh", "megavatio hora", "megavatios hora"), ("GWh", "gigavatio hora", "gigavatios hora"),
            ("TWh", "teravatio hora", "teravatios hora"), ("kwh", "kilovatio hora", "kilovatios hora"),
            ("mol", "mol", "moles"), ("mmol", "milimol", "milimoles"),
            ("hPa", "hectopascal", "hectopascales"), ("kPa", "kilopascal", "kilopascales"),
            ("mmHg", "milímetro de mercurio", "milímetros de mercurio"),
            ("Mbps", "megabit por segundo", "megabits por segundo"),
            ("Mb/s", "megabit por segundo", "megabits por segundo"),
            ("Gbps", "gigabit por segundo", "gigabits por segundo"),
            ("Gb/s", "gigabit por segundo", "gigabits por segundo"),
        ]
        for (sign, one, many) in others { units[sign] = CountedNoun(one, many) }
        return units
    }()

    private static let spanishAbbreviations: [String: [Abbreviation]] = [
        "sr": [.title("señor"), .beforeWord("señor").capitalised],
        "sra": [.title("señora"), .beforeWord("señora").capitalised], "sras": [.title("señoras")],
        "srta": [.title("señorita")],
        "sres": [.title("señores"), .beforeWord("señores").capitalised],
        "dr": [.title("doctor")], "dra": [.title("doctora")], "dres": [.title("doctores")],
        "dras": [.title("doctoras")], "d": [.beforeName("don").capitalised.orInitials],
        "dña": [.title("doña")], "prof": [.title("profesor")],
        "ud": [.afterNumber("unidad").lowercased, .anywhere("usted").bare.capitalised],
        "cnel": [.beforeName("coronel")], "mons": [.beforeName("monseñor")], "rvdo": [.beforeName("reverendo")],
        "jj.oo": [.anywhere("Juegos Olímpicos")], "rr.hh": [.anywhere("recursos humanos")],
        "cc.aa": [.anywhere("comunidades autónomas")],
        "uds": [.afterNumber("unidades").lowercased, .anywhere("ustedes").bare.capitalised],
        "vd": [.anywhere("usted").bare.capitalised],
        "vds": [.anywhere("ustedes").bare.capitalised], "ff.aa": [.anywhere("Fuerzas Armadas")],
        "pl": [.beforeName("plaza").capitalised], "s": [.beforeNumber("siglo")],
        "sto": [.title("Santo")], "sta": [.title("Santa")], "p.ej": [.anywhere("por ejemplo")],
        "ej": [.anywhere("ejemplo")], "etc": [.anywhere("etcétera").bare], "ee.uu": [.anywhere("Estados Unidos")],
        "a.m": [.afterNumber("A M")], "p.m": [.afterNumber("P M")], "cda": [.anywhere("cucharada")],
        "cdas": [.anywhere("cucharadas")], "cdta": [.anywhere("cucharadita")], "cdtas": [.anywhere("cucharaditas")],
        "a.c": [.anywhere("antes de Cristo").lowercased, .afterNumber("antes de Cristo")],
        "d.c": [.anywhere("después de Cristo").lowercased, .afterNumber("después de Cristo")],
        "pers": [.afterOne("persona"), .afterNumber("personas")], "trim": [.anywhere("trimestre")],
        "comp": [.afterOne("comprimido"), .afterNumber("comprimidos")], "ptos": [.afterNumber("puntos")],
        "cant": [.beforeNumber("cantidad")],
        "ext": [.beforeNumber("extensión")],
        "edif": [.beforeName("edificio")], "incl": [.anywhere("incluido")],
        "hab": [
            .afterOne("habitación"), .afterDigit("habitaciones"), .beforeNumber("habitación"),
            .afterNumber("habitantes"),
        ],
        "s.a": [.anywhere("sociedad anónima")], "p": [.beforePage("página"), .afterNumber("páginas")],
        "pág": [.beforePage("página")], "pp": [.beforePage("páginas"), .afterNumber("páginas")],
        "vols": [.beforeNumber("volúmenes"), .afterNumber("volúmenes")],
        "apdo": [.beforeNumber("apartado"), .beforeOf("apartado")],
        "seg": [.afterOne("segundo"), .afterNumber("segundos")], "tlf": [.anywhere("teléfono")],
        "excmo": [.anywhere("excelentísimo")], "excma": [.anywhere("excelentísima")],
        "ilmo": [.anywhere("ilustrísimo")], "ilma": [.anywhere("ilustrísima")], "ntra": [.beforeName("nuestra")],
        "arq": [.beforeName("arquitecto")], "hnos": [.anywhere("hermanos")],
        "ctra": [.beforeName("carretera"), .beforeOf("carretera")], "urb": [.beforeName("urbanización")],
        "págs": [.beforePage("páginas"), .afterNumber("páginas")],
        "núm": [.beforeNumber("número")], "n.º": [.beforeNumber("número")],
        "nº": [.beforeNumber("número").bare], "n°": [.beforeNumber("número")], "vol": [.beforeNumber("volumen")],
        "d.ª": [.anywhere("doña").capitalised], "m.ª": [.anywhere("María").capitalised],
        "mª": [.anywhere("María").bare.capitalised], "fdo": [.anywhere("firmado")],
        "t.ª": [.beforeWord("temperatura").capitalised, .beforeNumber("temperatura").capitalised],
        "doc": [.beforeWord("documento").lowercased, .beforeNumber("documento").lowercased],
        "pts": [.afterNumber("puntos").bare], "cad": [.beforeMonth("caduca").bare],
        "tª": [.beforeWord("temperatura").bare.capitalised, .beforeNumber("temperatura").bare.capitalised],
        "bco": [.beforeName("banco").capitalised],
        "esc": [.beforeNumber("escalera"), .beforeLetters("escalera")], "arts": [.beforeNumber("artículos")],
        "tels": [.anywhere("teléfonos")],
        "vto": [.beforeMonth("vencimiento").bare, .anywhere("vencimiento").lowercased],
        "fra": [.beforeWord("factura"), .beforeNumber("factura")], "km": [.beforeNumber("kilómetro").bare],
        "temp.máx": [.anywhere("temperatura máxima")], "temp.mín": [.anywhere("temperatura mínima")],
        "c.p": [.beforeNumber("código postal").capitalised],
        "s.n.m": [.anywhere("sobre el nivel del mar").lowercased],
        "m.s.n.m": [.afterNumber("metros sobre el nivel del mar").lowercased],
        "msnm": [.afterNumber("metros sobre el nivel del mar").bare.lowercased],
        "s.l": [.anywhere("sociedad limitada").capitalised.orInitials],
        "cf": [.anywhere("confer").lowercased], "ibíd": [.anywhere("ibídem")],
        "xfa": [.anywhere("por favor").bare.lowercased], "xq": [.anywhere("porque").bare.lowercased],
        "tmb": [.anywhere("también").bare.lowercased],
        "cap": [.beforeNumber("capítulo")], "art": [.beforeNumber("artículo")], "fig": [.beforeNumber("figura")],
        "tel": [.anywhere("teléfono")], "tfno": [.anywhere("teléfono")], "avda": [.anywhere("avenida")],
        "av": [.beforeName("avenida"), .beforeOf("avenida")], "pza": [.beforeName("plaza"), .beforeOf("plaza")],
        "ss": [.beforeNumber("siglos"), .anywhere("siguientes").lowercased], "cc.oo": [.anywhere("Comisiones Obreras")],
        "op": [.beforeNumber("opus")], "no": [.beforeNumber("número").capitalised], "dcha": [.anywhere("derecha")],
        "izq": [.anywhere("izquierda")], "izda": [.anywhere("izquierda")], "esq": [.anywhere("esquina")],
        "ltda": [.anywhere("limitada")], "s.m": [.anywhere("Su Majestad").capitalised.orInitials],
        "ss.mm": [.anywhere("Sus Majestades").capitalised],
        "s.a.r": [.anywhere("Su Alteza Real").capitalised.orInitials],
        "p.d": [.anywhere("posdata").capitalised.orInitials],
        "fol": [.beforeNumber("folio")], "mill": [.afterOne("millón"), .afterNumber("millones")],
        "bill": [.afterOne("billón").lowercased, .afterNumber("billones").lowercased],
        "aprox": [.anywhere("aproximadamente")],
        "máx": [.anywhere("máximo")], "mín": [.anywhere("mínimo")], "vs": [.anywhere("versus").bare],
        "cía": [.anywhere("compañía")], "depto": [.anywhere("departamento")], "dpto": [.anywhere("departamento")],
        "ed": [.anywhere("edición")], "gral": [.beforeName("general")], "admón": [.anywhere("administración")],
    ]
}

/// Spanish numbers, dates and times in words.
enum SpanishNumbers {
    static let digits = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"]

    private static let small =
        digits + [
            "diez", "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve",
            "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis",
            "veintisiete",
            "veintiocho", "veintinueve",
        ]
    private static let tens = [
        "", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
    ]
    private static let hundreds = [
        "", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos",
        "ochocientos", "novecientos",
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in [(1_000_000_000_000, "billón", "billones"), (1_000_000, "millón", "millones")] {
            let count = number / size % 1_000_000
            if count > 0 { groups.append(count == 1 ? "un \(one)" : "\(belowMillion(count, .masculine)) \(many)") }
        }
        if number % 1_000_000 > 0 { groups.append(belowMillion(number % 1_000_000, gender)) }
        return groups.joined(separator: " ")
    }

    private static func belowMillion(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        var groups: [String] = []
        let thousands = number / 1_000
        if thousands > 0 {
            let form: CountedNoun.Gender = gender == .feminine ? .feminine : .masculine
            groups.append(thousands == 1 ? "mil" : "\(belowThousand(thousands, form)) mil")
        }
        if number % 1_000 > 0 { groups.append(belowThousand(number % 1_000, gender)) }
        return groups.joined(separator: " ")
    }

    private static func belowThousand(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number != 100 else { return "cien" }
        var words: [String] = []
        if number >= 100 {
            let hundred = hundreds[number / 100]
            words.append(gender == .feminine && number >= 200 ? hundred.dropLast(2) + "as" : hundred)
        }
        if number % 100 > 0 { words.append(belowHundred(number % 100, gender)) }
        return words.joined(separator: " ")
    }

    /// “uno” is “un” before masculine nouns and “una” before feminine ones.
    private static func belowHundred(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        let words =
            number < 30
            ? small[number] : tens[number / 10] + (number % 10 > 0 ? " y \(small[number % 10])" : "")
        guard number % 10 == 1, number != 11, let gender else { return words }
        if gender == .feminine { return words.dropLast() + "a" }
        return number == 21 ? "veintiún" : String(words.dropLast())
    }

    private static let ordinals = [
        "", "primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo", "noveno", "décimo",
        "undécimo", "duodécimo", "decimotercero", "decimocuarto", "decimoquinto", "decimosexto", "decimoséptimo",
        "decimoctavo", "decimonoveno",
    ]
    private static let hundredths = [
        "", "centésimo", "ducentésimo", "tricentésimo", "cuadringentésimo", "quingentésimo", "sexcentésimo",
        "septingentésimo", "octingentésimo", "noningentésimo",
    ]
    private static let tenths = [
        "", "décimo", "vigésimo", "trigésimo", "cuadragésimo", "quincuagésimo", "sexagésimo", "septuagésimo",
        "octogésimo",
        "nonagésimo",
    ]

    /// “1.º”, “3er”, and as many write them: “3ro”, “2da”, “4tos”.
    static let ordinalEndings: [String: String] = {
        var endings = ["º": "m", "ª": "f", "er": "short"]
        for consonant in ["d", "m", "n", "r", "t", "v"] {
            endings[consonant + "o"] = "m"
            endings[consonant + "a"] = "f"
            endings[consonant + "os"] = "ms"
            endings[consonant + "as"] = "fs"
        }
        return endings
    }()

    /// Nouns before which Roman numerals are ordinals: “la II Guerra Mundial”, “el III Reich”.
    static let countedInOrder: [String: CountedNoun.Gender] = {
        let masculine = [
            "aniversario", "campeonato", "centenario", "certamen", "coloquio", "concilio", "concurso", "congreso",
            "encuentro", "festival", "foro", "imperio", "milenio", "reich", "seminario", "simposio", "torneo",
        ]
        let feminine = [
            "asamblea", "bienal", "conferencia", "cruzada", "cumbre", "dinastía", "edición", "feria", "guerra",
            "internacional", "jornada", "legión", "legislatura", "olimpiada", "república",
        ]
        var nouns: [String: CountedNoun.Gender] = [:]
        for noun in masculine { nouns[noun] = .masculine }
        for noun in feminine { nouns[noun] = .feminine }
        return nouns
    }()

    /// The place's `after` is `f` for the feminine, `ms` and `fs` for the plurals, `short` for “primer” and “tercer”, or a
    /// noun that is ``countedInOrder``.
    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        guard (1..<1_000_000).contains(number) else { return cardinal(number, nil) }
        var words = ordinal(number)
        let form = countedInOrder[place.after].map { $0 == .feminine ? "f" : "short" } ?? place.after
        switch form {
        case "f", "fs":
            let plural = form == "fs" ? "s" : ""
            words = words.split(separator: " ").map { String($0.dropLast()) + "a" + plural }.joined(separator: " ")
        case "ms":
            words = words.split(separator: " ").map { String($0) + "s" }.joined(separator: " ")
        case "short" where words.hasSuffix("primero") || words.hasSuffix("tercero"):
            words.removeLast()
        default: break
        }
        return words
    }

    private static func ordinal(_ number: Int) -> String {
        let thousands = number / 1_000
        let count = thousands > 1 ? cardinal(thousands, .masculine).filter { $0 != " " } : ""
        let rest = number % 100
        var parts = [thousands > 0 ? count + "milésimo" : "", hundredths[number % 1_000 / 100]]
        parts += rest < ordinals.count ? [ordinals[rest]] : [tenths[rest / 10], ordinals[rest % 10]]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// An ordinal up to ten behind a ruler's name, a plain number beyond.
    static func ruler(_ number: Int, _ name: String) -> String {
        guard number <= 10 else { return cardinal(number, nil) }
        return ordinal(number, Numerals.Place(after: queens.contains(name) ? "f" : ""))
    }

    private static let queens: Set<String> = ["isabel", "juana", "margarita", "reina", "victoria"]

    /// The word for a half in the gender of the noun after it; `nil` before what may be no noun.
    static func half(_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String? {
        if let gender { return gender == .feminine ? "media" : "medio" }
        guard noun.utf16.count > 3, !halvesPrecede.contains(noun), !SentenceOpeners.contains(noun, language: "es")
        else {
            return nil
        }
        return noun.hasSuffix("a") ? "media" : "medio"
    }

    /// Words that stand behind a half and are not its noun.
    private static let halvesPrecede: Set<String> = [
        "aproximadamente", "como", "cuando", "desde", "donde", "entre", "está", "hasta", "para", "pero", "porque",
        "según",
        "sobre",
    ]

    /// The gender of a noun by its ending and by lists of those that end otherwise; `nil` for what may be no noun.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard !isCapitalised, noun.utf16.count > 2, number == 1 || noun.hasSuffix("s"),
            !SentenceOpeners.contains(noun, language: "es")
        else { return nil }
        let one = noun.hasSuffix("s") && !singulars.contains(noun) ? String(noun.dropLast()) : noun
        if masculine.contains(one) || one.hasSuffix("ema") { return .masculine }
        if feminine.contains(one) || feminineEndings.contains(where: { one.hasSuffix($0) }) { return .feminine }
        return one.hasSuffix("o") || number != 1 && one.hasSuffix("e") ? .masculine : nil
    }

    /// “máximo” as its noun wants it: “velocidad máxima”, “precios máximos”.
    ///
    /// Before a number the word before it may be a verb: “tarda máximo 5 minutos”.
    static func adjective(_ stem: String, _ place: Numerals.Place, before next: NextKind) -> String? {
        var noun = place.before
        var gender = genderOfCounted(1, noun, isCapitalised: false)
        let one = noun.hasSuffix("s") ? String(noun.dropLast()) : noun
        if next == .number, gender == .feminine, !isMeasure(one) { gender = nil }
        if noun == "temp" || noun == "vel" { gender = .feminine }
        if gender == nil, noun.isEmpty || ["la", "las", "su", "una"].contains(noun) {
            noun = place.after
            gender = genderOfCounted(1, noun, isCapitalised: false)
        }
        let isPlural = gender != nil && noun.hasSuffix("s") && !singulars.contains(noun)
        return stem + (gender == .feminine ? "a" : "o") + (isPlural ? "s" : "")
    }

    /// Whether a noun without its last “s” is what is measured, and no verb.
    private static func isMeasure(_ noun: String) -> Bool {
        measures.contains(noun) || ["ción", "cione", "sión", "dad", "dade", "tud"].contains { noun.hasSuffix($0) }
    }

    private static let measures: Set<String> = [
        "altura", "anchura", "carga", "distancia", "edade", "estancia", "frecuencia", "fuerza", "multa", "nota",
        "pena", "potencia", "temperatura", "tolerancia",
    ]

    private static let singulars: Set<String> = ["mes", "crisis", "gas", "país", "tos"]

    private static let feminineEndings = ["a", "ción", "cione", "sión", "sione", "dad", "dade", "tud", "tude"]

    /// Nouns without their last “s” that end like feminine ones.
    private static let masculine: Set<String> = [
        "mes", "mese", "país", "gas", "idioma", "iva", "clima", "sistema", "programa", "drama", "fantasma", "diploma",
        "síntoma",
        "día", "mapa", "planeta", "cometa", "tranvía", "sofá", "papa", "gorila", "dálmata", "euro",
        "telegrama", "panorama", "carisma", "atleta", "artista", "millón", "millone", "billón", "billone",
    ]

    /// Feminine nouns without their last “s” that do not end in “a”.
    private static let feminine: Set<String> = [
        "base", "calle", "hab", "carne", "clase", "crisis", "flor", "flore", "foto", "frase", "fuente", "imagen",
        "imágene",
        "leche", "ley", "leye", "llave", "luz", "luce", "madre", "mano", "moto", "muerte", "mujer", "mujere", "nave",
        "noche", "nube", "orden", "parte", "pared", "parede", "radio", "raíz", "raíce", "red", "rede", "sangre",
        "serie",
        "suerte", "tarde", "torre", "tribu", "vez", "vece", "voz", "voce",
    ]

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        let part: String
        switch denominator {
        case 2: return numerator == 1 ? "un medio" : nil
        case 3: part = "tercio"
        case 4...10: part = ordinals[denominator]
        case 100: part = "centésimo"
        default: return nil
        }
        return "\(cardinal(numerator, .masculine)) \(part)\(numerator == 1 ? "" : "s")"
    }

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = cardinal(hour, .feminine)
        switch minute {
        case 0: return hour == 1 ? hourWords : "\(hourWords) horas"
        case 1...9: return "\(hourWords) cero \(cardinal(minute, nil))"
        default: return "\(hourWords) \(cardinal(minute, nil))"
        }
    }

    private static let monthNames = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
        "diciembre",
    ]

    static let dates: DateWords = {
        var dates = DateWords(
            names: monthNames,
            otherNames: [
                "ene": 1, "feb": 2, "mar": 3, "abr": 4, "jun": 6, "jul": 7, "ago": 8, "sep": 9, "sept": 9,
                "setiembre": 9,
                "oct": 10, "nov": 11, "dic": 12,
            ],
            monthsAreLowercase: true
        ) { day, month, year, _, _ in
            let words = "\(cardinal(day, nil)) de \(monthNames[month - 1])"
            return year.map { "\(words) de \(cardinal($0, nil))" } ?? words
        }
        dates.expiriesFollow = [
            "cad", "caduca", "caducidad", "vence", "vencimiento", "vto", "válida hasta", "válido hasta",
        ]
        dates.days = [
            "lun": "lunes", "mar": "martes", "mié": "miércoles", "jue": "jueves", "vie": "viernes", "sáb": "sábado",
            "dom": "domingo", "l": "lunes", "m": "martes", "x": "miércoles", "j": "jueves", "v": "viernes",
            "s": "sábado", "d": "domingo",
        ]
        dates.joiners = ["de", "del"]
        dates.beforeYear = "de"
        return dates
    }()
}
