/// Estonian numbers in the case of the nouns that they count.
extension EstonianNumbers {
    /// A number in the case of the noun behind it: “kolmes majas”, “kolmele inimesele”, “kahe nädala pärast”.
    ///
    /// Behind the nominative the noun is in the partitive, and then the number is left to the engine.
    static func cardinal(_ number: Int, noun: String, next: String) -> String? {
        let isGenitive =
            genitivesOfNumbersPrecede.contains(noun)
            || (number != 1 || next == "pärast") && genitivesOfMeasures.contains(noun)
            || genitivesPrecede.contains(next) && mayBeGenitive(noun, before: next)
            // “1250 pealtvaataja ees”, but “on 4 punkti ees”
            || next == "ees" && noun.hasSuffix("ja")
        if isGenitive { return genitive(number) }
        guard !otherThanCounted.contains(noun) else { return nil }
        for ending in ["sse", "ks", "st", "le", "lt", "ni", "na", "ta", "ga", "l", "s"] where noun.hasSuffix(ending) {
            let stem = String(noun.dropLast(ending.count))
            guard countedStems.contains(stem) || endingsOfNounsOnly.contains(ending) && isStem(stem) else { continue }
            return ["ni", "na", "ta", "ga"].contains(ending) ? genitive(number) : genitive(number) + ending
        }
        return nil
    }

    /// Whether a noun ends as a genitive does, and is none of the partitives before words for sizes.
    ///
    /// “10 kuu vanuses” has a genitive, “2 poissi vanuses 7 ja 9” has none.
    private static func mayBeGenitive(_ noun: String, before next: String) -> Bool {
        guard noun != "korda", noun.last.map({ vowels.contains($0) }) == true else { return false }
        return !sizesOfPartitives.contains(next) || genitivesOfMeasures.contains(noun) || countedStems.contains(noun)
            || unitStems.values.contains(noun)
    }

    /// Words for sizes that stand behind what has the size, too.
    private static let sizesOfPartitives: Set<String> = Set(stemsOfSizes.flatMap { [$0 + "ses", $0 + "sega"] })

    /// Whether a word is what a measure is mixed with: “veega”, but not “aga”, “sellega” and “päevaga”.
    static func isIngredient(_ word: String) -> Bool {
        if ["jääga", "meega", "teega", "veega", "võiga"].contains(word) { return true }
        guard !otherThanCounted.contains(word), !timesAndTools.contains(word) else { return false }
        return word.hasSuffix("ga") && isStem(String(word.dropLast(2)))
    }

    /// Words for how long something took and what it was done with: “kasvas 20 g päevaga”.
    private static let timesAndTools: Set<String> = [
        "aastaga", "hinnaga", "kahvliga", "lusikaga", "mikseriga", "minutiga", "nädalaga", "ööpäevaga", "päevaga",
        "saumikseriga", "sekundiga", "tunniga", "vispliga",
    ]

    /// Words that say more or less than a number, which is in the genitive behind them as its noun is.
    static let genitivesFollow: Set<String> = ["alla", "üle"]

    /// Whether a noun looks like a genitive, which no partitive does: “majapidamise”, “taotluse”, but not “eurot”.
    static func isGenitive(_ noun: String) -> Bool {
        noun.utf16.count > 4 && ["ase", "ise", "use"].contains { noun.hasSuffix($0) }
    }

    /// Whether a measure in the genitive may stand before a word in the elative: “50 € tellimusest”, “7 a vanusest”.
    ///
    /// Places and times have none: “alates 12 € Tallinnast”, “alates 30 € juunist”.
    static func isMeasuredElative(_ word: String) -> Bool { measuredElatives.contains { word.hasSuffix($0) } }

    /// Also the ends of compounds, such as “ostusummast”.
    private static let measuredElatives = [
        "annetusest", "arvest", "kasvust", "kaugusest", "kiirusest", "kogusest", "korvist", "kõrgusest", "laiusest",
        "maksest", "ostust", "pakist", "pikkusest", "summast", "sügavusest", "tellimusest", "tõusust", "vanusest",
    ]

    /// Endings of cases by which nouns are known that are not in the list.
    private static let endingsOfNounsOnly: Set<String> = ["sse", "le", "ga"]

    /// Whether it looks like a genitive, which ends in a vowel and has two syllables: “sõbra”, but not “sau” of “sauga”.
    static func isStem(_ stem: String) -> Bool {
        guard let last = stem.last, vowels.contains(last) else { return false }
        return stem.split { vowels.contains($0) }.count > 1
            || stem.first.map { vowels.contains($0) } == true
                && stem.contains { !vowels.contains($0) }
    }

    private static let vowels: Set<Character> = ["a", "e", "i", "o", "u", "õ", "ä", "ö", "ü"]

    /// Words behind a noun in the genitive.
    static let genitivesPrecede = Set([
        "asemel", "eest", "jaoks", "jooksul", "juures", "järel", "kaaluga", "kaugusel", "kaugusele", "kaupa", "kestel",
        "kohta", "mahuga", "möödudes", "möödumisel", "piires", "puhul", "tagant", "ulatuses", "võimsusega",
        "võimsusel", "võrra", "vältel",
    ]).union(stemsOfSizes.flatMap { stem in endingsOfSizes.map { stem + $0 } })

    /// The beginnings of words for how large or old something is: “25 km pikkusel lõigul”.
    private static let stemsOfSizes = ["kõrgu", "laiu", "paksu", "pikku", "suuru", "sügavu", "vanu"]

    private static let endingsOfSizes = [
        "ne", "se", "sed", "sega", "seks", "sel", "sele", "selt", "sena", "seni", "ses", "sesse", "sest", "st", "ste",
        "stega", "steks", "stel", "stele", "stelt", "stes", "stesse", "stest",
    ]

    /// Whether a word is a race, whose length is a genitive: “400 m tõkkejooksus”, “5 km jooks”, but “5 km jooksis”.
    static func isRace(_ word: String) -> Bool {
        let forms = ["", "u", "us", "uga", "uks", "ule", "ust"].map { "jooks" + $0 }
        // “2 km ujumist” is how much, “3 km kõnniteed” a road.
        let isPartitive = word.hasSuffix("mist") || word.hasSuffix("sõitu")
        return forms.contains { word.hasSuffix($0) }
            || ["kõnni", "kõnniga", "kõnnil", "kõnnile", "kõnnis", "kõnnist"].contains(word)
            || !isPartitive
                && [
                    "distants", "murdmaasõi", "suusatamis", "suusasõi", "ujumi", "rinnuliujumi", "seliliujumi",
                    "vabaujumi",
                ].contains { word.hasPrefix($0) }
    }

    /// Those of them that stand behind a number without a noun, too: “5 võrra”.
    private static let genitivesOfNumbersPrecede: Set<String> = ["kaupa", "puhul", "vahel", "vahele", "võrra"]

    /// Genitives of measures that differ from the partitive and so show the case.
    private static let genitivesOfMeasures: Set<String> = [
        "aasta", "dollari", "ettevõtte", "euro", "hektari", "inimese", "kilomeetri", "kuu", "lapse", "lehekülje",
        "liitri", "meetri", "minuti", "naise", "nädala", "protsendi", "ruutmeetri", "sekundi", "sendi", "sentimeetri",
        "tableti", "tilga", "tunni", "õpilase",
    ]

    /// Genitives of nouns that are often counted, for endings that other words have, too.
    static let countedStems: Set<String> = [
        "aasta", "auto", "dollari", "eksemplari", "etapi", "ettevõtte", "euro", "faili", "grupi", "hektari", "hommiku",
        "inimese", "juhtumi",
        "kilogrammi",
        "kilomeetri", "klassi", "koha", "kooli", "korra", "korruse", "kraadi", "kuu", "küla", "lapse", "lause",
        "lehekülje", "liikme", "liitri", "linna", "maakonna", "maja", "meetri", "mehe", "minuti", "mängu", "naise",
        "nädala", "osa", "poisi", "protsendi", "punkti", "päeva", "raamatu", "rea", "riigi", "ruumi", "rühma",
        "sekundi",
        "sendi",
        "sentimeetri", "sõna", "toa", "tunni", "tüdruku", "valla", "versiooni", "võistkonna", "võistluse", "õhtu",
        "õpilase",
        "öö",
    ]

    /// Cases of measures that say how often something is: “100 päevas”, parts of the day behind an hour: “umbes 8 õhtul”,
    /// and words that are none of a noun.
    static let otherThanCounted: Set<String> = [
        "aastas", "endaga", "endale", "hommikul", "järele", "kellega", "kohal", "kohale", "korraga", "kuus", "kõrvale",
        "millega",
        "minutis", "nendega", "numbriga", "numbrile", "nädalas", "omale", "päevas", "sekundis", "sellega", "sellele",
        "temaga", "tunnis", "õhtul",
    ]

    /// Genitives of thousands and more, whole and as they are cut short.
    static let scalesInGenitive = [
        "miljardi": "miljardi", "miljoni": "miljoni", "mld": "miljardi", "mln": "miljoni", "mrd": "miljardi",
        "tuh": "tuhande", "tuhande": "tuhande",
    ]

    /// The beginnings of nouns that are counted by numbers as large as years: “1850 eurole”.
    private static let countedLikeYears = [
        "dollari", "elaniku", "euro", "hektari", "inimese", "kilogrammi", "kilomeetri", "krooni", "liitri", "meetri",
        "osaleja", "pealtvaataja", "ruutmeetri", "tonni", "tunni",
    ]

    /// Whether a noun is counted by such numbers: “1850 eurole”, but “2019 eurovalimistel”.
    static func isCountedLikeYear(_ word: String) -> Bool {
        countedLikeYears.contains { stem in
            word == stem || word.hasPrefix(stem) && endingsOfAbbreviations.contains(String(word.dropFirst(stem.count)))
        }
    }

    /// Words behind “u” that show that it is “umbes”.
    static let estimates: Set<String> = [
        "aasta", "kaheksa", "kaks", "kell", "kolm", "kolmandik", "kuu", "kuus", "kümme", "miljon", "neli", "nädal",
        "pool", "poole", "sada", "sama", "seitse", "tund", "tuhat", "veerand", "viis", "üheksa", "üks",
    ]

    /// Genitives of what has an ending behind a hyphen.
    ///
    /// “45. km-l” and “ptk-s 3” have some.
    static let stemsOfAbbreviations = [
        "a": "aasta", "ha": "hektari", "kg": "kilogrammi", "kl": "klassi", "km": "kilomeetri", "lg": "lõike",
        "lk": "lehekülje", "min": "minuti", "mnt": "maantee", "nr": "numbri", "ptk": "peatüki", "pst": "puiestee",
        "saj": "sajandi",
        "ltn": "leitnandi", "mjr": "majori", "tk": "tüki", "tn": "tänava",
    ]

    /// Plurals of what has the ending “-d”, and partitives of what has “-i” or “-t”: “nr-d 5 ja 7”, “5 ltn-i”.
    static let formsOfAbbreviations = [
        "ha-d": "hektarid", "km-d": "kilomeetrid", "lg-d": "lõiked", "lk-d": "leheküljed", "ltn-d": "leitnandid",
        "ltn-i": "leitnanti", "mjr-i": "majorit", "mjr-d": "majorid", "nr-d": "numbrid", "nr-i": "numbrit",
        "ptk-d": "peatükid", "tn-d": "tänavad",
    ]

    static let endingsOfAbbreviations: Set<String> = [
        "ga", "ks", "l", "le", "lt", "na", "ni", "s", "sse", "st", "ta",
    ]
}
