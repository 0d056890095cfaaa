/// The form an Estonian ordinal takes before a noun.
enum EstonianCase {
    case nominative
    case genitive
    case partitive
    /// The genitive and this ending.
    case ending(String)
    /// The stem of the plural and this ending.
    case plural(String)

    /// The endings that nouns add to their genitive, and the case of an ordinal before them; adjectives do not take the
    /// last four cases.
    static let endings: [String: EstonianCase] = [
        "": .genitive, "t": .partitive, "sse": .ending("sse"), "s": .ending("s"), "st": .ending("st"),
        "le": .ending("le"), "l": .ending("l"), "lt": .ending("lt"), "ks": .ending("ks"), "ni": .genitive,
        "na": .genitive,
        "ta": .genitive, "ga": .genitive, "d": .plural("d"), "te": .plural("te"), "tel": .plural("tel"),
        "test": .plural("test"), "tes": .plural("tes"), "tele": .plural("tele"), "teks": .plural("teks"),
        "telt": .plural("telt"), "teni": .plural("te"), "tega": .plural("te"),
    ]

    /// Genitives of nouns that often follow an ordinal.
    static let stems =
        EstonianNumbers.monthStems + [
            "aasta", "aastapäeva", "sajandi", "klassi", "korruse", "peatüki", "koha", "päeva", "nädala", "lehekülje",
            "rea", "osa", "poole", "poolaja",
            "advendi", "katse", "lapse", "laua", "piirkonna", "platvormi", "ringkonna", "tee",
            "valimisringkonna", "pühapäeva", "esmaspäeva", "teisipäeva", "kolmapäeva", "neljapäeva", "reede",
            "laupäeva", "maailmasõja", "õppeaasta", "eluaasta", "hooaja", "eelarveaasta",
            "majandusaasta",
            "semestri", "koosseisu",
            "punkti",
            "paragrahvi", "artikli", "köite", "kursuse", "juubeli", "sünnipäeva", "korra", "kümnendi", "kongressi",
            "festivali", "konverentsi", "lõike", "etapi", "kvartali", "grupi", "rühma", "vaatuse", "mängu", "laulupeo",
            "tantsupeo", "üldlaulupeo", "faasi", "geimi", "istungi", "järgu", "kilomeetri", "liini", "minuti",
            "perioodi", "põlvkonna", "ringi", "seti", "sõidu", "taseme", "trüki", "tunni", "veerandaja", "vooru",
            "värava", "auhinna",
            "kuupäeva", "väljaande", "tähtpäeva", "linna", "kooli", "lõigu", "kihi", "jalutuskäigu", "matka", "jooksu",
            "mehe",
            "naise", "poja", "tütre", "venna", "õe", "isiku", "vabariigi",
        ]

    /// Forms that the endings alone would read otherwise.
    private static let exceptions: [String: EstonianCase] = [
        "mai": .nominative, "juuni": .nominative, "juuli": .nominative, "osa": .nominative, "a": .ending("l"),
        "päeva": .partitive, "korda": .partitive, "kohta": .partitive, "peatükki": .partitive, "rida": .nominative,
        "vahel": .genitive, "vahele": .genitive, "katse": .nominative, "tee": .nominative, "teed": .nominative,
        "reede": .nominative, "auhinda": .partitive, "inimest": .partitive, "korrust": .partitive,
        "last": .partitive, "lehekülge": .partitive, "meest": .partitive, "naist": .partitive, "poega": .partitive,
        "tuba": .partitive, "venda": .partitive, "õpilast": .partitive,
    ]

    /// The case of `noun`, as far as it is known; the nominative otherwise.
    init(of noun: String) {
        if let exception = Self.exceptions[noun] {
            self = exception
        } else if let form = Self.stems.lazy.compactMap({ Self.form(of: noun, stem: $0) }).first {
            self = form
        } else {
            self = Self.byEnding(noun) ?? .nominative
        }
    }

    /// Results behind the place that was reached with them.
    ///
    /// “Oli 4. tulemusega 62,15” has one.
    private static let results: Set<String> = ["ajaga", "punktisummaga", "summaga", "tulemusega"]

    /// The case of a noun that is in no list, by an ending that hardly any nominative has: “reisile”, “lapsena”.
    ///
    /// The other endings show it in nouns that are often counted: “majas”, “külast”.
    private static func byEnding(_ noun: String) -> EstonianCase? {
        guard !EstonianNumbers.otherThanCounted.contains(noun), !noun.hasSuffix("liiga"), !results.contains(noun)
        else { return nil }
        for ending in ["sse", "st", "ks", "le", "lt", "ni", "na", "ta", "ga", "l", "s"] where noun.hasSuffix(ending) {
            let stem = String(noun.dropLast(ending.count))
            let isNoun =
                EstonianNumbers.countedStems.contains(stem)
                || ["sse", "le", "ga", "na"].contains(ending) && EstonianNumbers.isStem(stem)
            if isNoun { return endings[ending] }
        }
        return nil
    }

    private static func form(of noun: String, stem: String) -> EstonianCase? {
        noun.hasPrefix(stem) ? endings[String(noun.dropFirst(stem.count))] : nil
    }

    func apply(nominative: String, genitive: String, partitive: String) -> String {
        switch self {
        case .nominative: nominative
        case .genitive: genitive
        case .partitive: partitive
        case .ending("sse") where genitive.hasSuffix("esimese") || genitive.hasSuffix("teise"):
            genitive.dropLast(2) + "sse"
        case .ending(let ending): genitive + ending
        case .plural(let ending):
            genitive.hasSuffix("se") && ending != "d" ? genitive.dropLast() + ending : genitive + ending
        }
    }
}
