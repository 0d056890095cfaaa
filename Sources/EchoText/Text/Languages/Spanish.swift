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
            romanCardinalsFollowStops: ["cap", "lib", "p", "pp", "pág", "págs", "s", "ss", "t", "vol"],
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
            "al", "así", "aun", "aún", "con", "da", "dan", "dar", "de", "del", "di", "dio", "dos", "día", "el", "en",
            "era", "es", "esa", "ese", "eso", "fe", "fin", "fue", "fui", "ha", "han", "has", "hay", "haz", "he",
            "hoy", "iba", "ida", "ir", "la", "las", "le", "les", "ley", "lo", "los", "luz", "mal", "mar", "mas", "me",
            "mes", "mi", "mil", "mis", "muy", "más", "mí", "mía", "mío", "ni", "no", "nos", "ojo", "oro", "os", "oyó",
            "oí", "oír", "pan", "par", "paz", "pez", "pie", "por", "que", "qué", "rey", "ríe", "río", "sal", "se",
            "sea", "si", "sin", "sol", "son", "soy", "su", "sur", "sus", "sé", "sí", "tal", "tan", "te", "ti", "tu",
            "tus", "té", "tía", "tío", "tú", "un", "una", "uno", "va", "van", "vas", "ve", "ven", "ver", "vez", "vio",
            "voy", "voz", "vía", "ya", "yo", "él",
        ],
        acronyms: [
            "ave": "ave", "bic": "bic", "boe": "boe", "cia": "cia", "cif": "cif", "cis": "cis", "epi": "epi",
            "ere": "ere", "eta": "eta", "ibi": "ibi", "ico": "ico", "ine": "ine", "iva": "iva", "led": "led",
            "mir": "mir", "nif": "nif", "onu": "onu", "opa": "opa", "pib": "pib", "pin": "pin", "rae": "rae",
            "ram": "ram", "rom": "rom", "sim": "sim", "tac": "tac", "tic": "tic", "uci": "uci", "usa": "usa",
            "ute": "ute", "uvi": "uvi",
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
            ("mol", "mol", "moles"), ("Nm", "newton metro", "newtons metro"), ("mmol", "milimol", "milimoles"),
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
        "dras": [.title("doctoras")],
        "d": [
            .beforeName("don").capitalised.orInitials, .afterOne("día").lowercased, .afterNumber("días").lowercased,
        ],
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
        "ene": [.anywhere("enero").lowercased], "feb": [.anywhere("febrero").lowercased],
        "mar": [.anywhere("marzo").lowercased], "abr": [.anywhere("abril").lowercased],
        "jun": [.anywhere("junio").lowercased], "jul": [.anywhere("julio").lowercased],
        "ago": [.anywhere("agosto").lowercased], "sept": [.anywhere("septiembre").lowercased],
        "oct": [.anywhere("octubre").lowercased], "nov": [.anywhere("noviembre").lowercased],
        "dic": [.anywhere("diciembre").lowercased], "vid": [.anywhere("véase")], "lib": [.beforeNumber("libro")],
        "t": [.beforeNumber("tomo").lowercased],
        "pte": [.beforeOf("Presidente").capitalised, .beforeName("Presidente").capitalised],
        "tte": [.beforeName("teniente")], "cdte": [.beforeName("comandante")],
        "ayto": [.anywhere("Ayuntamiento").capitalised], "v.tb": [.anywhere("véase también").lowercased],
        "tb": [.anywhere("también").lowercased], "ctrl": [.anywhere("Control").bare.capitalised],
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
        "esc": [.beforeNumber("escalera"), .beforeLetters("escalera")],
        "arts": [.beforeNumber("artículos"), .afterNumber("artículos")],
        "plta": [.anywhere("planta").lowercased], "univ": [.beforeName("Universidad"), .beforeOf("Universidad")],
        "n": [.ofNote("nota").lowercased], "nn": [.ofNote("notas").lowercased],
        "en": [.ofDate("enero").lowercased],
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
        "h": [.beforeNumber("hacia").lowercased], "lcda": [.title("licenciada")], "lcdo": [.title("licenciado")],
        "min": [.beforeNumber("minuto").bare.lowercased], "ref": [.beforeNumber("referencia")],
        "v": [.beforeWord("véase").lowercased, .beforeName("véase").lowercased],
        "asc": [.anywhere("ascensor").lowercased],
        "cap": [.beforeNumber("capítulo"), .beforePerson("capitán").capitalised],
        "disp": [.beforeWord("disposición").lowercased],
        "art": [.beforeNumber("artículo")], "fig": [.beforeNumber("figura")],
        "tel": [.anywhere("teléfono")], "tfno": [.anywhere("teléfono")], "avda": [.anywhere("avenida")],
        "av": [.beforeName("avenida"), .beforeOf("avenida")], "pza": [.beforeName("plaza"), .beforeOf("plaza")],
        "ss": [.beforeNumber("siglos"), .afterNumber("y siguientes").lowercased, .anywhere("siguientes").lowercased],
        "exc": [.beforeWord("excepto").lowercased], "ed.rev": [.anywhere("edición revisada").lowercased],
        "cc.oo": [.anywhere("Comisiones Obreras")],
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
        "ed": [.anywhere("edición")], "gral": [.beforeName("general"), .anywhere("general").lowercased],
        "admón": [.anywhere("administración")],
    ]
}
