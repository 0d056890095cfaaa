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

    /// “1.º”, “3er”, “2.os”, and as many write them: “3ro”, “2da”, “4tos”.
    static let ordinalEndings: [String: String] = {
        var endings = ["º": "m", "ª": "f", "er": "short", "os": "ms", "as": "fs"]
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
            !SentenceOpeners.contains(noun, language: "es"), !wordsOfNoCount.contains(noun)
        else { return nil }
        // “231 habs.” are people, “2 hab.” rooms.
        if noun == "habs" { return .masculine }
        let one = noun.hasSuffix("s") && !singulars.contains(noun) ? String(noun.dropLast()) : noun
        if masculine.contains(one) || one.hasSuffix("ema") { return .masculine }
        if feminine.contains(one) || feminineEndings.contains(where: { one.hasSuffix($0) }) { return .feminine }
        return one.hasSuffix("o") || number != 1 && one.hasSuffix("e") ? .masculine : nil
    }

    /// Words that end like nouns and stand behind numbers that count nothing: “perdió 0-1 fuera”.
    private static let wordsOfNoCount: Set<String> = [
        "ahora", "ante", "cerca", "como", "contra", "dentro", "desde", "fuera", "gracias", "hasta", "mientras", "nunca",
        "para", "siempre", "sobre",
    ]

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

    /// A fraction before “parte” or “partes”, with which it agrees: “dos terceras partes”.
    static func fractionOfParts(_ numerator: Int, _ denominator: Int) -> String? {
        guard (3...10).contains(denominator) else { return nil }
        let part = ordinal(denominator, Numerals.Place(after: numerator == 1 ? "f" : "fs"))
        return "\(cardinal(numerator, .feminine)) \(part)"
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
            joint: " de "
        ) { cardinal($0, nil) }
        dates.expiriesFollow = [
            "cad", "caduca", "caducidad", "vence", "vencimiento", "vto", "válida hasta", "válido hasta",
        ]
        dates.days = [
            "lun": "lunes", "mar": "martes", "mié": "miércoles", "jue": "jueves", "juev": "jueves", "miér": "miércoles",
            "viern": "viernes", "vie": "viernes", "sáb": "sábado",
            "dom": "domingo", "l": "lunes", "m": "martes", "x": "miércoles", "j": "jueves", "v": "viernes",
            "s": "sábado", "d": "domingo",
        ]
        dates.joiners = ["de", "del"]
        dates.beforeYear = "de"
        return dates
    }()
}
