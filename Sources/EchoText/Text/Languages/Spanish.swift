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
            telephonesFollow: ["tel", "tfno", "teléfono", "fax", "móvil"],
            genderOfCounted: SpanishNumbers.genderOfCounted,
            numbersFollow: ["número", "núm", "n.º", "nº", "artículo", "página", "línea", "sala", "planta"],
            romanCardinalsFollow: [
                "siglos", "capítulos", "tomos", "libros", "partes", "siglo", "capítulo", "tomo", "acto", "escena",
                "parte", "libro", "volumen", "título", "tema", "bowl",
            ],
            romanCardinalsFollowStops: ["cap", "s", "vol"],
            romanOrdinalsFollow: [
                "rey", "reina", "papa", "emperador", "felipe", "carlos", "alfonso", "isabel", "fernando", "juan",
                "pablo",
                "enrique", "luis", "pedro", "jorge", "benedicto", "pío", "sancho", "jaime", "ramiro", "napoleón",
                "alejandro", "eduardo", "francisco", "guillermo", "harald", "juana", "margarita", "victoria",
            ],
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
            others: [
                "&": "y", "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "", "■": "", "≤": "menor o igual que",
                "≥": "mayor o igual que", "≠": "distinto de", "≈": "aproximadamente", "÷": "dividido entre",
                "√": "raíz cuadrada de", "∞": "infinito", "‰": "por mil", "²": " al cuadrado", "³": " al cubo",
                "®": "marca registrada", "™": "marca", "№": "número", "×": "por", "±": "más menos",
            ],
            between: [
                "<": "menor que", ">": "mayor que", "*": "por", "^": "elevado a", "~": "aproximadamente", "−": "menos",
            ]
        ),
        dates: SpanishNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in SpanishNumbers.time(hour, minute) },
            seconds: { "y \(SpanishNumbers.cardinal($0, .masculine)) \($0 == 1 ? "segundo" : "segundos")" },
            repeatedWords: ["h", "hs", "horas"]
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
        ]
        let feminine: [(String, String)] = [
            ("t", "tonelada"), ("h", "hora"), ("ha", "hectárea"), ("kcal", "kilocaloría"),
        ]
        var units = Dictionary(uniqueKeysWithValues: masculine.map { ($0.0, CountedNoun($0.1, $0.1 + "s")) })
        for (sign, name) in feminine { units[sign] = CountedNoun(name, name + "s", .feminine) }
        let others: [(String, String, String)] = [
            ("km/h", "kilómetro por hora", "kilómetros por hora"), ("°C", "grado Celsius", "grados Celsius"),
            ("°F", "grado Fahrenheit", "grados Fahrenheit"), ("ºC", "grado Celsius", "grados Celsius"),
            ("m²", "metro cuadrado", "metros cuadrados"),
            ("km²", "kilómetro cuadrado", "kilómetros cuadrados"), ("m³", "metro cúbico", "metros cúbicos"),
            ("cm³", "centímetro cúbico", "centímetros cúbicos"), ("kWh", "kilovatio hora", "kilovatios hora"),
            ("Hz", "hercio", "hercios"), ("kHz", "kilohercio", "kilohercios"), ("MHz", "megahercio", "megahercios"),
            ("GHz", "gigahercio", "gigahercios"),
        ]
        for (sign, one, many) in others { units[sign] = CountedNoun(one, many) }
        return units
    }()

    private static let spanishAbbreviations: [String: [Abbreviation]] = [
        "sr": [.title("señor")], "sra": [.title("señora")], "srta": [.title("señorita")], "sres": [.title("señores")],
        "dr": [.title("doctor")], "dra": [.title("doctora")], "d": [.beforeName("don").capitalised],
        "dña": [.title("doña")], "prof": [.title("profesor")], "ud": [.anywhere("usted").bare.capitalised],
        "uds": [.anywhere("ustedes").bare.capitalised], "vd": [.anywhere("usted").bare.capitalised],
        "vds": [.anywhere("ustedes").bare.capitalised], "ff.aa": [.anywhere("Fuerzas Armadas")],
        "pl": [.beforeName("plaza").capitalised], "s": [.beforeNumber("siglo")],
        "sto": [.title("Santo")], "sta": [.title("Santa")], "p.ej": [.anywhere("por ejemplo")],
        "ej": [.anywhere("ejemplo")], "etc": [.anywhere("etcétera").bare], "ee.uu": [.anywhere("Estados Unidos")],
        "a.c": [.anywhere("antes de Cristo")], "d.c": [.anywhere("después de Cristo")],
        "s.a": [.anywhere("sociedad anónima")], "p": [.beforePage("página")], "pág": [.beforePage("página")],
        "págs": [.beforePage("páginas")], "núm": [.beforeNumber("número")], "n.º": [.beforeNumber("número")],
        "nº": [.beforeNumber("número").bare], "n°": [.beforeNumber("número")], "vol": [.beforeNumber("volumen")],
        "cap": [.beforeNumber("capítulo")], "art": [.beforeNumber("artículo")], "fig": [.beforeNumber("figura")],
        "tel": [.anywhere("teléfono")], "tfno": [.anywhere("teléfono")], "avda": [.anywhere("avenida")],
        "av": [.beforeName("avenida")], "pza": [.beforeName("plaza")], "aprox": [.anywhere("aproximadamente")],
        "máx": [.anywhere("máximo")], "mín": [.anywhere("mínimo")], "vs": [.anywhere("versus").bare],
        "cía": [.anywhere("compañía")], "depto": [.anywhere("departamento")], "dpto": [.anywhere("departamento")],
        "ed": [.anywhere("edición")], "gral": [.beforeName("general")], "admón": [.anywhere("administración")],
    ]
}
