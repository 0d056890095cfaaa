/// Estonian numbers, dates and times in words.
enum EstonianNumbers {
    static let digits = ["null", "üks", "kaks", "kolm", "neli", "viis", "kuus", "seitse", "kaheksa", "üheksa"]
    private static let genitives = [
        "nulli", "ühe", "kahe", "kolme", "nelja", "viie", "kuue", "seitsme", "kaheksa", "üheksa",
    ]

    static func cardinal(_ number: Int) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in scales where number / size > 0 {
            let count = number / size % 1_000
            guard count > 0 else { continue }
            groups.append(count == 1 ? one : "\(belowThousand(count)) \(many)")
        }
        if number % 1_000 > 0 { groups.append(belowThousand(number % 1_000)) }
        return groups.joined(separator: " ")
    }

    private static let scales = [
        (1_000_000_000_000, "triljon", "triljonit"), (1_000_000_000, "miljard", "miljardit"),
        (1_000_000, "miljon", "miljonit"), (1_000, "tuhat", "tuhat"),
    ]

    private static func belowThousand(_ number: Int) -> String {
        parts(number, one: "", hundred: "sada", ten: "kümme", tens: "kümmend", teens: "teist", names: digits)
    }

    static func genitive(_ number: Int) -> String {
        var groups: [String] = []
        for (size, name) in [(1_000_000_000, "miljardi"), (1_000_000, "miljoni"), (1_000, "tuhande")] {
            let count = number / size % 1_000
            guard count > 0 else { continue }
            groups.append(count == 1 ? name : "\(genitiveBelowThousand(count)) \(name)")
        }
        if number % 1_000 > 0 || number == 0 { groups.append(genitiveBelowThousand(number % 1_000)) }
        return groups.joined(separator: " ")
    }

    private static func genitiveBelowThousand(_ number: Int) -> String {
        number == 0
            ? genitives[0]
            : parts(
                number,
                one: "",
                hundred: "saja",
                ten: "kümne",
                tens: "kümne",
                teens: "teistkümne",
                names: genitives
            )
    }

    private static func parts(
        _ number: Int,
        one: String,
        hundred: String,
        ten: String,
        tens: String,
        teens: String,
        names: [String]
    ) -> String {
        var words: [String] = []
        if number >= 100 { words.append((number >= 200 ? names[number / 100] : one) + hundred) }
        switch number % 100 {
        case 0: break
        case 1...9: words.append(names[number % 10])
        case 10: words.append(ten)
        case 11...19: words.append(names[number % 10] + teens)
        default:
            words.append(names[number % 100 / 10] + tens)
            if number % 10 > 0 { words.append(names[number % 10]) }
        }
        return words.joined(separator: " ")
    }

    /// A number and the unit of a sign in the case of an ending: “viie kilogrammini”, “kümneprotsendiline”.
    static func inflected(_ number: Int, _ sign: String, _ ending: String) -> String? {
        // “70 km/h-ni”
        if let slash = sign.firstIndex(of: "/") {
            guard !ending.hasPrefix("li"), let time = timesOfSpeeds[sign[slash...].dropFirst()] else { return nil }
            return inflected(number, String(sign[..<slash]), ending).map { "\($0) \(time)" }
        }
        guard let unit = unitStems[sign] else { return nil }
        let genitive = genitive(number)
        if ending.hasPrefix("li") { return genitive.filter { $0 != " " } + unit + ending }
        switch ending {
        case "", "ni", "na", "ta", "ga": return "\(genitive) \(unit)\(ending)"
        case "sse", "s", "st", "le", "l", "lt", "ks": return "\(genitive)\(ending) \(unit)\(ending)"
        default: return nil
        }
    }

    private static let timesOfSpeeds: [Substring: String] = ["h": "tunnis", "s": "sekundis", "t": "tunnis"]

    /// A number in the case of an ending, or before an adjective that it makes one word with: “viiele”, “kümneaastane”.
    static func compound(_ number: Int, _ part: String) -> String? {
        switch part {
        case "t": partitive(number)
        case "ne": genitive(number) + part
        case "sse", "s", "st", "le", "l", "lt", "ks", "ni", "na", "ta", "ga": genitive(number) + part
        default: ordinal(number, ending: part) ?? (part.utf16.count > 4 ? genitive(number) + part : nil)
        }
    }

    /// A number whose ending is right behind its digits: “kella 9st 11ni”, “90ndatel”.
    static func withEnding(_ number: Int, _ ending: String) -> String? {
        let isCase = ["ga", "ks", "le", "lt", "na", "ni", "sse", "st", "ta"].contains(ending)
        return isCase && number < 1_100 ? genitive(number) + ending : ordinal(number, ending: ending)
    }

    /// A time of day whose ending is behind its digits: “kella 11.30ni”.
    static func time(_ hour: Int, _ minute: Int, ending: String) -> String {
        guard minute > 0 else { return genitive(hour) + ending }
        return "\(genitive(hour)) \(minute < 10 ? "null " : "")\(genitive(minute))\(ending)"
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

    /// The partitive of a number that is one word; `nil` for others.
    private static func partitive(_ number: Int) -> String? {
        switch number {
        case 1...10:
            ["üht", "kaht", "kolme", "nelja", "viit", "kuut", "seitset", "kaheksat", "üheksat", "kümmet"][number - 1]
        case 100: "sadat"
        case 1_000: "tuhandet"
        default: nil
        }
    }

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

    /// Endings of cases by which nouns are known that are not in the list.
    private static let endingsOfNounsOnly: Set<String> = ["sse", "le", "ga"]

    /// Whether it looks like a genitive, which ends in a vowel and has two syllables: “sõbra”, but not “sau” of “sauga”.
    fileprivate static func isStem(_ stem: String) -> Bool {
        guard let last = stem.last, vowels.contains(last) else { return false }
        return stem.split { vowels.contains($0) }.count > 1
            || stem.first.map { vowels.contains($0) } == true
                && stem.contains { !vowels.contains($0) }
    }

    private static let vowels: Set<Character> = ["a", "e", "i", "o", "u", "õ", "ä", "ö", "ü"]

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
        return forms.contains { word.hasSuffix($0) }
            || ["distants", "rinnuliujumi", "seliliujumi", "vabaujumi"].contains { word.hasPrefix($0) }
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
    private static let countedStems: Set<String> = [
        "aasta", "auto", "dollari", "eksemplari", "etapi", "ettevõtte", "euro", "faili", "grupi", "hektari", "hommiku",
        "inimese", "juhtumi",
        "kilogrammi",
        "kilomeetri", "klassi", "koha", "kooli", "korra", "korruse", "kraadi", "kuu", "küla", "lapse", "lause",
        "lehekülje", "liikme", "liitri", "linna", "maakonna", "maja", "meetri", "mehe", "minuti", "mängu", "naise",
        "nädala", "osa", "poisi", "protsendi", "punkti", "päeva", "raamatu", "rea", "riigi", "ruumi", "rühma",
        "sekundi",
        "sendi",
        "sentimeetri", "sõna", "tunni", "tüdruku", "valla", "versiooni", "võistkonna", "võistluse", "õhtu", "õpilase",
        "öö",
    ]

    /// Cases of measures that say how often something is: “100 päevas”, parts of the day behind an hour: “umbes 8 õhtul”,
    /// and words that are none of a noun.
    fileprivate static let otherThanCounted: Set<String> = [
        "aastas", "endaga", "endale", "hommikul", "järele", "kellega", "kohal", "kohale", "korraga", "kuus", "kõrvale",
        "millega",
        "minutis", "nendega", "numbriga", "numbrile", "nädalas", "omale", "päevas", "sekundis", "sellega", "sellele",
        "temaga", "tunnis", "õhtul",
    ]

    /// Genitives of what signs stand for.
    private static let unitStems = [
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
        "sekund": "sekundis", "tund": "tunnis", "ööpäev": "ööpäevas",
    ]

    private static let genitivesOfUnits = [
        "detsiliiter": "detsiliitri", "gigabait": "gigabaidi", "gramm": "grammi", "hektar": "hektari",
        "inimene": "inimese", "kilogramm": "kilogrammi", "kilomeeter": "kilomeetri",
        "kilovatt-tund": "kilovatt-tunni", "kuupmeeter": "kuupmeetri", "liiter": "liitri",
        "megabait": "megabaidi", "megavatt-tund": "megavatt-tunni", "meeter": "meetri",
        "milligramm": "milligrammi", "milliliiter": "milliliitri", "ruutkilomeeter": "ruutkilomeetri",
        "ruutmeeter": "ruutmeetri", "sentimeeter": "sentimeetri", "tonn": "tonni", "tükk": "tüki",
    ]

    /// A ruler's number in the genitive, before something of the ruler's.
    static func ruler(_ number: Int, before next: String) -> String? {
        ofRulers.contains(next) ? ordinal(number, before: "klassi") : nil
    }

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

    /// Words for parts of a century.
    static let partsOfCenturies: Set<String> = [
        "algul", "algus", "alguse", "alguseks", "alguseni", "alguses", "algusest", "jooksul", "kesk", "keskel",
        "keskpaiga", "keskpaigaks", "keskpaigani", "keskpaigas", "keskpaigast", "keskpaik", "kestel", "lõpp", "lõppu",
        "lõpu", "lõpuks", "lõpul", "lõpuni", "lõpus", "lõpust", "teine", "teise", "teisel", "teisest", "viimane",
        "viimase", "viimasel", "vältel",
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

    /// Genitives of what has an ending behind a hyphen.
    ///
    /// “45. km-l” and “ptk-s 3” have some.
    static let stemsOfAbbreviations = [
        "a": "aasta", "ha": "hektari", "kg": "kilogrammi", "kl": "klassi", "km": "kilomeetri", "lg": "lõike",
        "lk": "lehekülje", "mnt": "maantee", "nr": "numbri", "ptk": "peatüki", "pst": "puiestee", "saj": "sajandi",
        "tk": "tüki", "tn": "tänava",
    ]

    /// Whether a word behind a year shows that its “a” is a genitive.
    ///
    /// “2025. a aruanne” has one, “2025. a toimus” has none.
    static func belongsToYear(_ word: String) -> Bool {
        partsOfCenturies.contains(word) || genitivesPrecede.contains(word) || dates.months[word] != nil
            || ["i", "ii", "iii", "iv"].contains(word) || nounsOfYears.contains { word.hasPrefix($0) }
    }

    /// The beginnings of what years have.
    private static let nounsOfYears = [
        "aruan", "eelarve", "esime", "kevad", "majandusaasta", "olümpiamäng", "parim", "riigieelarve", "seisuga",
        "sügis", "suve", "suurim", "talve", "tegevus", "tulem", "valimis",
    ]

    static let endingsOfAbbreviations: Set<String> = [
        "ga", "ks", "l", "le", "lt", "na", "ni", "s", "sse", "st", "ta",
    ]

    private static func inflected(_ number: Int, _ form: EstonianCase) -> String {
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
    private static func ordinalStem(_ number: Int) -> String {
        let stem = genitive(number)
        return stem.hasSuffix("kolme") ? stem.dropLast() + "a" : stem
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        switch (numerator, denominator) {
        case (1, 2): return "pool"
        case (1, 4): return "veerand"
        case (3, 4): return "kolmveerand"
        case (_, 3), (_, 5...20), (_, 100):
            let part = ordinalStem(denominator) + "ndik"
            return numerator == 1 ? part : "\(cardinal(numerator)) \(part)ku"
        default: return nil
        }
    }

    static func time(_ hour: Int, _ minute: Int) -> String {
        switch minute {
        case 0: cardinal(hour)
        case 1...9: "\(cardinal(hour)) null \(cardinal(minute))"
        default: "\(cardinal(hour)) \(cardinal(minute))"
        }
    }

    private static let monthNames = [
        "jaanuar", "veebruar", "märts", "aprill", "mai", "juuni", "juuli", "august", "september", "oktoober",
        "november",
        "detsember",
    ]

    /// Genitives of the months' names, to which the endings of the other cases are added.
    static let monthStems = [
        "jaanuari", "veebruari", "märtsi", "aprilli", "mai", "juuni", "juuli", "augusti", "septembri", "oktoobri",
        "novembri", "detsembri",
    ]

    /// The case in which a span begins that ends in a noun: “maist” before “maini”, “klassist” before “klassini”.
    static func beginning(ofSpanUntil month: String) -> String {
        guard month.hasSuffix("ni") else { return month }
        let stem = String(month.dropLast(2))
        return EstonianCase.stems.contains(stem) ? stem + "st" : month
    }

    /// A month whose name shows no case, as one in the genitive if a noun follows.
    ///
    /// “3. mai kirja” and “1. juuni seisuga” have one.
    static func month(_ month: String, before noun: String) -> String {
        guard ["juuli", "juuni", "mai"].contains(month), isDocument(noun) || nounsOfDays.contains(noun) else {
            return month
        }
        return monthStems[0]
    }

    private static let nounsOfDays: Set<String> = [
        "hommik", "hommiku", "hommikuks", "hommikul", "hommikust", "keskpäeval", "kiri", "kirja", "kirjad", "kirjaga",
        "kirjale", "kirjas", "kirjast", "leht", "lehe", "lehes", "lõunal", "päeval", "pärastlõunal", "seisuga", "teade",
        "teate", "teates", "õhtu", "õhtuks", "õhtul", "õhtust", "ööl",
    ]

    /// Words beside a date that is the time of what happens, most of them verbs.
    private static let wordsOfDates: Set<String> = [
        "algab", "algas", "allkirjastati", "asutati", "avati", "hiljemalt", "esitas", "esitati", "hukkus",
        "ilmus", "jõustub",
        "jõustus", "kinnitas", "kinnitati", "lõpeb", "lõppes", "otsustas", "saadeti", "suri", "sõlmiti", "sündis",
        "toimub", "toimus", "võeti", "võttis",
    ]

    /// Whether a noun behind a date is what was written on it: “8.11.2023 otsusega”.
    private static func isDocument(_ noun: String) -> Bool {
        !noun.hasPrefix("otsusta") && documents.contains { noun.hasPrefix($0) }
    }

    /// Whether a word before a date says what was done then: “muudetud 15.12.2026”.
    private static func isParticiple(_ word: String) -> Bool {
        word == "vastu" || ["dati", "dud", "nud", "tati", "tud"].contains { word.hasSuffix($0) }
    }

    private static let documents = [
        "avaldus", "käskkir", "koosolek", "korraldus", "kohtuotsus", "lepingu", "määrus", "otsus", "protokol",
        "taotlus",
    ]

    static let dates: DateWords = {
        var names = ["jaan": 1, "veebr": 2, "apr": 4, "aug": 8, "sept": 9, "okt": 10, "nov": 11, "dets": 12]
        for (index, stem) in monthStems.enumerated() {
            for ending in EstonianCase.endings.keys where !ending.hasPrefix("te") { names[stem + ending] = index + 1 }
        }
        var dates = DateWords(names: monthNames, otherNames: names, monthsAreLowercase: true) {
            day,
            month,
            year,
            place,
            _ in
            let stem = monthStems[month - 1]
            let isBeforeWhen = ["", "kell", "kl"].contains(place.after) || wordsOfDates.contains(place.after)
            let words: String
            if place.before == "alates" {
                words = "\(inflected(day, .ending("st"))) \(stem)st"
            } else if place.before == "kuni" {
                words = "\(inflected(day, .genitive)) \(stem)ni"
            } else if partitivesFollow.contains(place.before), isBeforeWhen {
                words = "\(inflected(day, .partitive)) \(stem)\(month < 5 ? "" : month == 5 ? "d" : "t")"
            } else if isParticiple(place.before) || wordsOfDates.contains(place.after)
                || wordsOfDates.contains(place.before)
            {
                // “05.11.2024 toimus koosolek” says when.
                words = "\(inflected(day, .ending("l"))) \(stem)l"
            } else if isDocument(place.after) {
                words = "\(inflected(day, .genitive)) \(stem)"
            } else {
                words = "\(inflected(day, .nominative)) \(monthNames[month - 1])"
            }
            return year.map { "\(words) \(cardinal($0))" } ?? words
        }
        dates.day = { day, place, _ in ordinal(day, place) }
        dates.dayNeedsDot = true
        dates.expiriesFollow = ["aegub", "exp", "kehtib kuni", "kehtiv kuni", "parim enne"]
        dates.days = [
            "e": "esmaspäev", "t": "teisipäev", "k": "kolmapäev", "n": "neljapäev", "r": "reede", "l": "laupäev",
            "p": "pühapäev",
        ]
        return dates
    }()
}

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
    fileprivate static let stems =
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
        ]

    /// Forms that the endings alone would read otherwise.
    private static let exceptions: [String: EstonianCase] = [
        "mai": .nominative, "juuni": .nominative, "juuli": .nominative, "osa": .nominative, "a": .ending("l"),
        "päeva": .partitive, "korda": .partitive, "kohta": .partitive, "peatükki": .partitive, "rida": .nominative,
        "vahel": .genitive, "vahele": .genitive, "katse": .nominative, "tee": .nominative, "teed": .nominative,
        "reede": .nominative,
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

    /// The case of a noun that is in no list, by an ending that hardly any nominative has: “reisile”, “lapsena”.
    private static func byEnding(_ noun: String) -> EstonianCase? {
        guard !EstonianNumbers.otherThanCounted.contains(noun), !noun.hasSuffix("liiga") else { return nil }
        return ["sse", "le", "ga", "na"].lazy.compactMap { ending in
            noun.hasSuffix(ending) && EstonianNumbers.isStem(String(noun.dropLast(ending.count)))
                ? endings[ending] : nil
        }.first
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
