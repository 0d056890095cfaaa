/// Estonian ordinals in the case of the nouns behind them.
extension EstonianNumbers {
    /// The ordinal in the case of the noun after it.
    static func ordinal(_ number: Int, before noun: String) -> String {
        inflected(number, EstonianCase(of: noun))
    }

    /// The same, where the word before it may ask for the partitive.
    ///
    /// “Enne 1. jaanuari” and “pärast 3. vooru” have one.
    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        let isFeast = feasts.contains(place.after) && verbsOfFeasts.contains(place.before)
        let isLikeOthers =
            partitivesLikeGenitives.contains(place.after) || partitivesLikeNominatives.contains(place.after)
        let isPartitive = isFeast || partitivesFollow.contains(place.before) && isLikeOthers
        return isPartitive ? inflected(number, .partitive) : ordinal(number, before: place.after)
    }

    /// Words before a noun in the partitive.
    static let partitivesFollow: Set<String> = ["enne", "keset", "peale", "pärast"]

    /// Days that are kept, of which the partitive is written as the genitive is.
    ///
    /// “80. sünnipäeva peame” has the partitive.
    static let feasts: Set<String> = ["aastapäeva", "sünnipäeva"]

    static let verbsOfFeasts: Set<String> = [
        "pea", "peab", "peame", "peavad", "peetakse", "peeti", "pidada", "pidama", "pidas", "pidasid", "pidasime",
        "tähista", "tähistab", "tähistada", "tähistame", "tähistas", "tähistasid", "tähistasime", "tähistatakse",
        "tähistati", "tähistavad",
    ]

    /// Words to which the name of such a day belongs.
    ///
    /// “80. sünnipäeva eel” has the genitive.
    static let wordsBehindFeasts: Set<String> = [
        "ajal", "ajaks", "aktus", "auks", "eel", "eelõhtul", "hommikul", "kontsert", "konverents", "koosolek", "kõne",
        "künnisel", "nimel", "näitus", "paiku", "peol", "pidu", "puhuks", "pidustused", "pidustusi", "üritus", "õhtul",
    ]

    /// Nouns whose partitive is written as their genitive is.
    private static let partitivesLikeGenitives: Set<String> = [
        "aprilli", "geimi", "jaanuari", "klassi", "kongressi", "liini", "mängu", "märtsi", "ringi", "veebruari",
        "vooru",
    ]

    /// Nouns whose partitive is written as their nominative is: “pärast II maailmasõda”.
    static let partitivesLikeNominatives: Set<String> = ["laulupidu", "maailmasõda", "tantsupidu", "üldlaulupidu"]

    /// Words behind a noun in the partitive that do not belong to it.
    static let wordsBehindPartitives: Set<String> = [
        "aga", "ei", "ja", "jäi", "kell", "kl", "kui", "läks", "ning", "oli", "on", "peab", "saab", "sai", "tegi",
        "tuleb", "võib", "või",
    ]

    static func inflected(_ number: Int, _ form: EstonianCase) -> String {
        let last = number % 100 / 10 == 1 ? number % 100 : number % 10
        switch last {
        case 1, 2:
            let head = number > last ? genitive(number - last) + " " : ""
            let stem = last == 1 ? "esime" : "tei"
            return head
                + form.apply(nominative: last == 1 ? "esimene" : "teine", genitive: stem + "se", partitive: stem + "st")
        default:
            let stem = ordinalStem(number)
            return form.apply(nominative: stem + "s", genitive: stem + "nda", partitive: stem + "ndat")
        }
    }

    /// The genitive, in which “kolme” becomes “kolma”.
    static func ordinalStem(_ number: Int) -> String {
        let stem = genitive(number)
        return stem.hasSuffix("kolme") ? stem.dropLast() + "a" : stem
    }

    /// An ordinal whose ending is behind its digits: “90ndatel”; `nil` for what has another.
    static func ordinal(_ number: Int, ending: String) -> String? {
        guard number > 2, ordinalEndings.contains(ending) else { return nil }
        return ordinalStem(number) + ending
    }

    private static let ordinalEndings: Set<String> = [
        "nda", "ndad", "ndaks", "ndal", "ndale", "ndalt", "ndani", "ndas", "ndast", "ndat", "ndate", "ndateks",
        "ndatel", "ndatele", "ndatelt", "ndateni", "ndates", "ndatesse", "ndatest",
    ]

    /// A ruler's number in the genitive, before something of the ruler's.
    static func ruler(_ number: Int, before next: String) -> String? {
        ofRulers.contains(next) ? ordinal(number, before: "klassi") : nil
    }

    /// Things and people of rulers, and words behind a ruler's name in the genitive.
    private static let ofRulers: Set<String> = [
        "abikaasa", "aeg", "ajal", "ajast", "armee", "eest", "ema", "isa", "juhtimisel", "kohta", "kroonimine", "kuju",
        "käsk", "käsul", "laevastik", "lapsed", "naine", "nimel", "nimeline", "nõuandja", "nõunik", "osa", "pojad",
        "poeg",
        "poliitika", "poolt", "portree", "reformid", "riik", "sõjavägi", "surm", "surma", "troonist", "tütar",
        "valitsemine",
        "valitsemisaeg", "valitsemisajal", "valitsusaeg", "valitsusajal", "valitsusaja", "vend", "väed", "vägi", "õde",
        "õukond", "õukonnas",
    ]
}
