/// Estonian units of measure: with an ending, as adjectives, and as what an amount is for one of.
extension EstonianNumbers {
    /// A number and the unit of a sign in the case of an ending: “viie kilogrammini”, “kümneprotsendiline”.
    static func inflected(_ number: Int, _ sign: String, _ ending: String) -> String? {
        // “70 km/h-ni”
        if let slash = sign.firstIndex(of: "/") {
            guard !ending.hasPrefix("li"), let time = timesOfSpeeds[sign[slash...].dropFirst()] else { return nil }
            return inflected(number, String(sign[..<slash]), ending).map { "\($0) \(time)" }
        }
        guard let unit = unitStems[sign] ?? scales[sign] else { return nil }
        let genitive = genitive(number)
        if ending.hasPrefix("li") { return genitive.filter { $0 != " " } + unit + ending }
        switch ending {
        case "", "ni", "na", "ta", "ga": return "\(genitive) \(unit)\(ending)"
        case "sse", "s", "st", "le", "l", "lt", "ks": return "\(genitive)\(ending) \(unit)\(ending)"
        default: return nil
        }
    }

    /// Millions and more in the case of an ending: “1,3 mln-lt”, “5 tuh-ni”.
    private static let scales = ["mld": "miljardi", "mln": "miljoni", "mrd": "miljardi", "tuh": "tuhande"]

    private static let timesOfSpeeds: [Substring: String] = ["h": "tunnis", "s": "sekundis", "t": "tunnis"]

    /// Genitives of what signs stand for.
    static let unitStems = [
        "%": "protsendi", "€": "euro", "EUR": "euro", "$": "dollari", "£": "naela", "kg": "kilogrammi", "g": "grammi",
        "mg": "milligrammi", "t": "tonni", "km": "kilomeetri", "m": "meetri", "cm": "sentimeetri", "mm": "millimeetri",
        "l": "liitri", "dl": "detsiliitri", "ml": "milliliitri", "h": "tunni", "min": "minuti", "s": "sekundi",
        "°": "kraadi", "°C": "kraadi", "ha": "hektari", "W": "vati", "kW": "kilovati", "V": "voldi", "MB": "megabaidi",
        "GB": "gigabaidi", "TB": "terabaidi", "tk": "tüki", "m²": "ruutmeetri", "km²": "ruutkilomeetri",
        "cl": "sentiliitri", "sl": "supilusikatäie", "spl": "supilusikatäie", "tl": "teelusikatäie",
    ]

    /// A measure as an adjective of what has it: “kaheliitrine purk”, “neljakümneruutmeetrises korteris”.
    static func adjective(_ number: Int, _ sign: String, before noun: String) -> String? {
        guard let unit = unitStems[sign] else { return nil }
        let form: EstonianCase
        if containers[sign]?.contains(noun) == true {
            form = .nominative
        } else if sign == "m²", let caseOfSpace = spaces.lazy.compactMap({ Self.caseOf(noun, $0.one, $0.stem) }).first {
            form = caseOfSpace
        } else {
            return nil
        }
        let words = genitive(number)
        let adjective = form.apply(nominative: unit + "ne", genitive: unit + "se", partitive: unit + "st")
        return words.contains(" ") ? "\(words) \(adjective)" : words + adjective
    }

    /// The case of a noun by its nominative and its genitive; `nil` for another noun.
    ///
    /// “20 m² korterist” may be a part of one.
    private static func caseOf(_ noun: String, _ one: String, _ stem: String) -> EstonianCase? {
        if noun == one { return .nominative }
        guard noun.hasPrefix(stem), noun != stem + "st" else { return nil }
        return EstonianCase.endings[String(noun.dropFirst(stem.count))]
    }

    private static let spaces: [(one: String, stem: String)] = [
        ("korter", "korteri"), ("äripind", "äripinna"), ("büroopind", "büroopinna"), ("elamispind", "elamispinna"),
        ("krunt", "krundi"), ("tuba", "toa"),
    ]

    /// Nominatives alone: “2 l pudelisse” is poured.
    private static let containers: [String: Set<String>] = [
        "g": ["kott", "pakk", "purk"], "kg": ["kott", "pakk", "purk"],
        "l": ["kanister", "paak", "pott", "pudel", "purk"],
        "ml": ["pudel", "purk"],
    ]

    /// A noun that an amount is for one of, in the case that says so: “eurot kilogrammi kohta”, “eurot tunnis”.
    static func perOne(_ many: String, _ one: String) -> String? {
        if let time = times[one] { return "\(many) \(time)" }
        return genitivesOfUnits[one].map { "\(many) \($0) kohta" }
    }

    static func genitiveOfUnit(_ one: String) -> String? { genitivesOfUnits[one] }

    private static let times = [
        "aasta": "aastas", "aastas": "aastas", "kuu": "kuus", "kuus": "kuus", "minut": "minutis",
        "nädalas": "nädalas", "päevas": "päevas", "tunnis": "tunnis", "nädal": "nädalas", "päev": "päevas",
        "sekund": "sekundis", "tund": "tunnis", "öö": "öö eest", "ööpäev": "ööpäevas",
    ]

    private static let genitivesOfUnits = [
        "detsiliiter": "detsiliitri", "gigabait": "gigabaidi", "gramm": "grammi", "hektar": "hektari",
        "inimene": "inimese", "kilogramm": "kilogrammi", "kilomeeter": "kilomeetri",
        "kilovatt-tund": "kilovatt-tunni", "kuupmeeter": "kuupmeetri", "liiter": "liitri",
        "megabait": "megabaidi", "megavatt-tund": "megavatt-tunni", "meeter": "meetri",
        "milligramm": "milligrammi", "milliliiter": "milliliitri", "ruutkilomeeter": "ruutkilomeetri",
        "ruutmeeter": "ruutmeetri", "sentimeeter": "sentimeetri", "tonn": "tonni", "tükk": "tüki",
    ]
}
