extension LanguageRules {
    static let estonian = LanguageRules(
        code: "et",
        numerals: Numerals(
            decimalMark: ",",
            groupMark: " ",
            decimals: .asNumber,
            cardinal: { number, _ in EstonianNumbers.cardinal(number) },
            ordinal: { number, place in EstonianNumbers.ordinal(number, place) },
            isDottedOrdinal: { _, _, isCapitalised in !isCapitalised },
            ordinalJoints: ["ja", "või", "ning", "kuni"],
            compound: EstonianNumbers.compound,
            withEnding: EstonianNumbers.withEnding(_:_:),
            inCase: EstonianNumbers.cardinal(_:noun:next:),
            fraction: EstonianNumbers.fraction,
            wholeAndFraction: "ja",
            fractionsTakePlural: true,
            callsPrecede: ["helista", "helistage", "numbril", "numbrile", "telefonil", "hädaabinumber"],
            emergencyNumbers: ["112", "911"],
            telephonesFollow: ["tel", "telefon", "telefoni", "mob", "mobiil", "faks"],
            numbersOfRulesPrecede: ["meetod", "meetodi", "meetodit", "reegel", "reegli", "reeglit"],
            numbersFollow: [
                "aasta", "aastal", "aastast", "airbus", "android", "artikkel", "artikli", "artiklile", "artiklis",
                "boeing", "bussiga", "formula", "galaxy", "hindega", "hinne", "iphone", "joonis", "joonise",
                "joonisel", "kabinet", "kabinetis", "kanal", "kell", "kella", "kl", "koht", "kolmveerand",
                "lehekülg", "leheküljel", "liin", "liinil", "lisas", "lk", "lõige", "lõike", "lõikega", "lõikele",
                "lõikes", "maantee", "maja", "mnt", "nr", "number", "numbri", "numbril", "osa", "paragrahv",
                "paragrahvi", "paragrahvile", "paragrahvis", "peatükis", "peatükk", "playstation", "pool", "poole",
                "pst", "puiestee", "punkt", "punkti", "punktiga", "punktile", "punktis", "tabel", "tabelis", "tase",
                "tasemel", "tn", "toas", "tramm", "trammiga", "troll", "trolliga", "tuba", "tänav", "veerand",
                "versioon", "vormel", "windows", "xbox",
            ],
            romanCardinalsFollow: ["peatükk", "ptk", "osa", "köide", "vaatus", "stseen", "tase", "tüüp", "klass"],
            romanOrdinalsFollow: [
                "kuningas", "kuninganna", "paavst", "keiser", "tsaar", "karl", "gustav", "peeter", "katariina",
                "aleksander",
                "nikolai", "ivan", "henry", "louis", "elizabeth", "charles", "george", "johannes", "paulus", "pius",
                "erik",
                "edward", "ferdinand", "filip", "franz", "frederik", "haakon", "harald", "heinrich", "konrad",
                "leopold",
                "ludvig", "olav", "philip", "rudolf",
                "christian", "friedrich", "wilhelm", "ludwig", "napoleon", "benedictus", "valdemar", "sigismund",
            ],
            isBeforeOrdinalNoun: { noun in
                // “Karl XII poolt” is a ruler's.
                ["osa", "osas", "osast", "pool", "poolel", "pooles"].contains(noun)
                    || [
                        "aastatuhand", "koosseis", "korrus", "semest", "etapp", "etapi", "festival", "grupp", "jagu",
                        "klass", "koht", "kongress",
                        "konverents", "kursus", "kvartal", "köi", "laulupe", "laulupi", "maailmasõ", "peatük",
                        "poolaas",
                        "poolaeg", "poolaja", "ptk", "saj", "tantsupe", "tantsupi", "vaatus", "voor", "üldlaulupe",
                        "üldlaulupi",
                    ].contains { noun.hasPrefix($0) }
            },
            ruler: { number, _, _ in EstonianNumbers.ordinal(number, before: "") },
            rulerBefore: EstonianNumbers.ruler,
            pagesPrecede: ["lk", "lehekülg", "leheküljed", "leheküljel"],
            timesTenToThe: "korda kümme astmes",
            digitNames: EstonianNumbers.digits
        ),
        signs: SignWords(
            minus: "miinus",
            power: "astmes",
            point: "koma",
            to: "kuni",
            by: "korda",
            score: " ",
            scoresFollowNames: true,
            dot: "punkt",
            at: "ätt",
            slash: "kaldkriips",
            dash: "sidekriips",
            underscore: "alakriips",
            colon: "koolon",
            plus: "pluss",
            hashtag: "teemaviide",
            number: "number",
            sections: "paragrahvid",
            others: [
                "&": "ja", "§": "paragrahv", "×": "korda", "→": "", "←": "", "•": "", "◦": "", "▪": "", "●": "",
                "■": "",
                "±": "pluss-miinus", "≤": "väiksem või võrdne kui", "≥": "suurem või võrdne kui", "≠": "ei võrdu",
                "≈": "umbes", "÷": "jagatud", "√": "ruutjuur", "∞": "lõpmatus", "π": "pii", "‰": "promilli",
                "²": " ruudus", "³": " kuubis", "®": "registreeritud kaubamärk", "™": "kaubamärk", "№": "number",
            ],
            between: [
                "<": "väiksem kui", ">": "suurem kui", "=": "võrdub", "*": "korda", "~": "umbes", "−": "miinus",
                "^": "astmes",
            ],
            repeated: CountedNoun("kord", "korda")
        ),
        dates: EstonianNumbers.dates,
        times: TimeWords(
            time: { hour, minute, _ in EstonianNumbers.time(hour, minute) },
            seconds: { "ja \(EstonianNumbers.cardinal($0)) \($0 == 1 ? "sekund" : "sekundit")" },
            lengths: LengthWords(
                hour: CountedNoun("tund", "tundi"),
                minute: CountedNoun("minut", "minutit"),
                second: CountedNoun("sekund", "sekundit"),
                joint: "ja",
                clocksFollow: ["alates", "enne", "kell", "kella", "kellast", "kl", "kuni", "pärast"],
                lengthsFollow: ["aega", "ajaga", "kestis", "kestus", "pikkus"],
                hours: ["tundi"],
                minutes: ["min", "minutit"]
            ),
            dottedTimesFollow: ["kell", "kella", "kellast", "kl", "alates", "kuni"],
            dottedTimesPrecede: ["paiku", "ajal", "algab", "algas"]
        ),
        money: MoneyWords(
            currencies: estonianCurrencies,
            scales: [
                "tuh": CountedNoun("tuhat", "tuhat"), "mln": CountedNoun("miljon", "miljonit"),
                "mld": CountedNoun("miljard", "miljardit"), "mrd": CountedNoun("miljard", "miljardit"),
                "tuhat": CountedNoun("tuhat", "tuhat"), "miljon": CountedNoun("miljon", "miljonit"),
                "miljonit": CountedNoun("miljon", "miljonit"), "miljard": CountedNoun("miljard", "miljardit"),
                "miljardit": CountedNoun("miljard", "miljardit"),
            ],
            joint: "ja",
            saysMinor: true
        ),
        abbreviations: estonianAbbreviations,
        units: estonianUnits,
        inflected: EstonianNumbers.inflected,
        genitivesPrecede: EstonianNumbers.genitivesPrecede,
        spelledInCapitals: [
            "aga", "ei", "et", "ja", "ka", "kes", "kui", "ma", "me", "mis", "nii", "oma", "on", "sa", "see", "siis",
            "ta",
            "te", "või", "üks",
        ],
        perUnit: EstonianNumbers.perOne,
        directions: ["N": "põhjalaiust", "S": "lõunalaiust", "E": "idapikkust", "W": "läänepikkust"]
    )

    private static let estonianCurrencies: [String: MoneyWords.Currency] = {
        let cents = CountedNoun("sent", "senti")
        let euro = MoneyWords.Currency(major: CountedNoun("euro", "eurot"), minor: cents)
        let dollar = MoneyWords.Currency(major: CountedNoun("dollar", "dollarit"), minor: cents)
        let american = MoneyWords.Currency(major: CountedNoun("USA dollar", "USA dollarit"), minor: cents)
        let pound = MoneyWords.Currency(major: CountedNoun("nael", "naela"), minor: CountedNoun("penn", "penni"))
        func plain(_ one: String, _ many: String) -> MoneyWords.Currency {
            MoneyWords.Currency(major: CountedNoun(one, many), minor: nil)
        }
        return [
            "€": euro, "EUR": euro, "$": dollar, "US$": american, "USD": american, "£": pound, "GBP": pound,
            "¥": plain("jeen", "jeeni"), "JPY": plain("jeen", "jeeni"), "kr": plain("kroon", "krooni"),
            "EEK": plain("Eesti kroon", "Eesti krooni"), "SEK": plain("Rootsi kroon", "Rootsi krooni"),
            "NOK": plain("Norra kroon", "Norra krooni"), "DKK": plain("Taani kroon", "Taani krooni"),
            "₽": plain("rubla", "rubla"), "RUB": plain("rubla", "rubla"), "UAH": plain("grivna", "grivnat"),
            "PLN": plain("zlott", "zlotti"), "CHF": plain("Šveitsi frank", "Šveitsi franki"),
        ]
    }()

    private static let estonianUnits: [String: CountedNoun] = {
        let names: [(String, String, String)] = [
            ("km", "kilomeeter", "kilomeetrit"), ("m", "meeter", "meetrit"), ("cm", "sentimeeter", "sentimeetrit"),
            ("dm", "detsimeeter", "detsimeetrit"), ("mm", "millimeeter", "millimeetrit"),
            ("nm", "nanomeeter", "nanomeetrit"), ("µm", "mikromeeter", "mikromeetrit"),
            ("kg", "kilogramm", "kilogrammi"),
            ("g", "gramm", "grammi"), ("mg", "milligramm", "milligrammi"), ("t", "tonn", "tonni"),
            ("l", "liiter", "liitrit"), ("kl", "klaas", "klaasi"),
            ("dl", "detsiliiter", "detsiliitrit"), ("cl", "sentiliiter", "sentiliitrit"),
            ("ml", "milliliiter", "milliliitrit"), ("s", "sekund", "sekundit"), ("sek", "sekund", "sekundit"),
            ("ms", "millisekund", "millisekundit"), ("min", "minut", "minutit"), ("h", "tund", "tundi"),
            ("°", "kraad", "kraadi"), ("°C", "Celsiuse kraad", "Celsiuse kraadi"),
            ("°F", "Fahrenheiti kraad", "Fahrenheiti kraadi"), ("km/h", "kilomeeter tunnis", "kilomeetrit tunnis"),
            ("km/t", "kilomeeter tunnis", "kilomeetrit tunnis"), ("m/s", "meeter sekundis", "meetrit sekundis"),
            ("m²", "ruutmeeter", "ruutmeetrit"), ("km²", "ruutkilomeeter", "ruutkilomeetrit"),
            ("cm²", "ruutsentimeeter", "ruutsentimeetrit"), ("m³", "kuupmeeter", "kuupmeetrit"),
            ("km³", "kuupkilomeeter", "kuupkilomeetrit"),
            ("cm³", "kuupsentimeeter", "kuupsentimeetrit"), ("ha", "hektar", "hektarit"), ("W", "vatt", "vatti"),
            ("kW", "kilovatt", "kilovatti"), ("MW", "megavatt", "megavatti"),
            ("kWh", "kilovatt-tund", "kilovatt-tundi"),
            ("MWh", "megavatt-tund", "megavatt-tundi"), ("V", "volt", "volti"), ("kV", "kilovolt", "kilovolti"),
            ("mA", "milliamper", "milliamprit"), ("Hz", "herts", "hertsi"), ("kHz", "kiloherts", "kilohertsi"),
            ("MHz", "megaherts", "megahertsi"), ("GHz", "gigaherts", "gigahertsi"), ("J", "džaul", "džauli"),
            ("kJ", "kilodžaul", "kilodžauli"), ("kcal", "kilokalor", "kilokalorit"),
            ("hPa", "hektopaskal", "hektopaskalit"),
            ("kPa", "kilopaskal", "kilopaskalit"), ("dB", "detsibell", "detsibelli"), ("kB", "kilobait", "kilobaiti"),
            ("MB", "megabait", "megabaiti"), ("GB", "gigabait", "gigabaiti"), ("TB", "terabait", "terabaiti"),
            ("MB/s", "megabait sekundis", "megabaiti sekundis"), ("Mbit/s", "megabitt sekundis", "megabitti sekundis"),
            ("tk", "tükk", "tükki"), ("hj", "hobujõud", "hobujõudu"), ("in", "toll", "tolli"),
            ("px", "piksel", "pikslit"), ("tl", "teelusikatäis", "teelusikatäit"),
            ("spl", "supilusikatäis", "supilusikatäit"), ("sl", "supilusikatäis", "supilusikatäit"),
            ("″", "toll", "tolli"), ("hl", "hektoliiter", "hektoliitrit"), ("µg", "mikrogramm", "mikrogrammi"),
            ("ng", "nanogramm", "nanogrammi"), ("mmol", "millimool", "millimooli"), ("GW", "gigavatt", "gigavatti"),
            ("GWh", "gigavatt-tund", "gigavatt-tundi"), ("TWh", "teravatt-tund", "teravatt-tundi"),
            ("kwh", "kilovatt-tund", "kilovatt-tundi"), ("mAh", "milliampertund", "milliampertundi"),
            ("Ah", "ampertund", "ampertundi"), ("Wh", "vatt-tund", "vatt-tundi"),
            ("Nm", "njuutonmeeter", "njuutonmeetrit"), ("MPa", "megapaskal", "megapaskalit"),
            ("mmHg", "millimeeter elavhõbedasammast", "millimeetrit elavhõbedasammast"),
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0.0, CountedNoun($0.1, $0.2)) })
    }()

    private static let estonianAbbreviations: [String: [Abbreviation]] = [
        "nt": [.anywhere("näiteks").bare], "näit": [.anywhere("näiteks")], "jne": [.anywhere("ja nii edasi").bare],
        "jms": [.anywhere("ja muud sellist").bare], "jm": [.anywhere("ja muud").bare],
        "jmt": [.anywhere("ja mitmed teised").bare],
        "jt": [.anywhere("ja teised").bare], "vm": [.anywhere("või muud").bare],
        "vms": [.anywhere("või muud sellist").bare],
        "st": [.anywhere("see tähendab").bare], "s.t": [.anywhere("see tähendab").orInitials],
        "s.o": [.anywhere("see on").orInitials],
        "k.a": [.anywhere("kaasa arvatud").orInitials], "v.a": [.anywhere("välja arvatud").orInitials],
        "s.h": [.anywhere("sealhulgas").orInitials],
        "sh": [.anywhere("sealhulgas").bare], "s.a": [.anywhere("sel aastal").orInitials],
        "e.m.a": [.anywhere("enne meie ajaarvamist")],
        "m.a.j": [.anywhere("meie ajaarvamise järgi")], "ekr": [.anywhere("enne Kristust").bare],
        "pkr": [.anywhere("pärast Kristust").bare], "e.kr": [.anywhere("enne Kristust")],
        "p.kr": [.anywhere("pärast Kristust")], "nn": [.anywhere("niinimetatud").bare], "vt": [.anywhere("vaata").bare],
        "vrd": [.anywhere("võrdle").bare], "ca": [.anywhere("umbes").bare], "u": [.beforeNumber("umbes").bare],
        "lk": [.beforePage("lehekülg").bare, .afterNumber("lehekülge").bare], "nr": [.beforeNumber("number").bare],
        "s": [.beforeNumber("sündinud")], "ls": [.betweenNumbersOfLaw("lause").bare],
        "p": [.betweenNumbersOfLaw("punkt").bare, .beforeNumber("punkt"), .afterNumber("punkti")],
        "ptk": [.anywhere("peatükk").bare],
        "lg": [.beforeNumber("lõige").bare], "tel": [.anywhere("telefon").bare], "dr": [.beforeName("doktor").bare],
        "prof": [.beforeName("professor").bare, .beforeWord("professor").bare.lowercased],
        "hr": [.beforeName("härra").bare], "pr": [.beforeName("proua").bare],
        "prl": [.beforeName("preili").bare],
        "lp": [.beforeName("lugupeetud").bare, .beforeWord("lugupeetud").bare.lowercased],
        "op": [.beforeNumber("oopus")],
        "dots": [.beforeName("dotsent").bare],
        "mag": [.beforeName("magister").bare], "kol": [.beforeName("kolonel")], "kpt": [.beforeName("kapten").bare],
        "tn": [.afterName("tänav").bare], "pst": [.afterName("puiestee").bare], "mnt": [.afterName("maantee").bare],
        "krt": [.beforeNumber("korter").bare, .anywhere("korter").bare.lowercased],
        "kl": [.beforeNumber("kell").bare, .afterNumber("klass").bare],
        "saj": [.beforePart("sajandi").bare, .afterNumber("sajand").bare, .anywhere("sajand")],
        "a": [.afterCount("aastat").bare.lowercased, .afterNumber("aastal").bare],
        "tuh": [.afterNumber("tuhat").bare], "mln": [.afterNumber("miljonit").bare, .anywhere("miljonit").bare],
        "mld": [.afterNumber("miljardit").bare, .anywhere("miljardit").bare],
        "mrd": [.afterNumber("miljardit").bare], "toim": [.anywhere("toimetaja")], "tlk": [.anywhere("tõlkija")],
        "koost": [.anywhere("koostaja")], "sünd": [.anywhere("sündinud")], "surn": [.anywhere("surnud")],
        "max": [
            .anywhere("maksimaalselt").lowercased, .beforeNumber("maksimaalselt").bare, .beforeWord("maksimaalselt"),
        ],
        "min": [.anywhere("minimaalselt").lowercased, .beforeNumber("minimaalselt").bare, .beforeWord("minimaalselt")],
        "esm": [.anywhere("esmaspäev")], "ing": [.beforeName("insener")], "vol": [.beforeNumber("köide")],
        "jj": [.anywhere("ja järgmised").bare], "eks": [.beforeNumber("eksemplar")], "art": [.beforeNumber("artikkel")],
        "jpt": [.anywhere("ja paljud teised").bare], "maks": [.beforeNumber("maksimaalselt")],
        "mh": [.anywhere("muu hulgas").bare.lowercased], "õp": [.beforeName("õpetaja").bare.lowercased],
        "exp": [.beforeMonth("kehtib kuni").bare],
        "pk": [.afterOne("pakk").bare, .afterNumber("pakki").bare],
        "tabl": [.afterOne("tablett"), .afterNumber("tabletti")],
        "viitenr": [.beforeNumber("viitenumber").bare], "kab": [.beforeNumber("kabinet").bare],
        "jrk": [.beforeWord("järjekorra").bare], "täisk": [.anywhere("täiskasvanu").bare],
        "joon": [.beforeNumber("joonis")],
        "tbl": [.afterOne("tablett").bare, .afterNumber("tabletti").bare, .beforeNumber("tabel")],
    ]
}

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
        guard let unit = unitStems[sign] else { return nil }
        let genitive = genitive(number)
        if ending.hasPrefix("li") { return genitive.filter { $0 != " " } + unit + ending }
        switch ending {
        case "", "ni", "na", "ta", "ga": return "\(genitive) \(unit)\(ending)"
        case "sse", "s", "st", "le", "l", "lt", "ks": return "\(genitive)\(ending) \(unit)\(ending)"
        default: return nil
        }
    }

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
            || genitivesPrecede.contains(next) && noun.last.map { vowels.contains($0) } == true
        if isGenitive { return genitive(number) }
        guard !otherThanCounted.contains(noun) else { return nil }
        for ending in ["sse", "ks", "st", "le", "lt", "ni", "na", "ta", "ga", "l", "s"] where noun.hasSuffix(ending) {
            let stem = String(noun.dropLast(ending.count))
            guard countedStems.contains(stem) || endingsOfNounsOnly.contains(ending) && isStem(stem) else { continue }
            return ["ni", "na", "ta", "ga"].contains(ending) ? genitive(number) : genitive(number) + ending
        }
        return nil
    }

    /// Endings of cases by which nouns are known that are not in the list.
    private static let endingsOfNounsOnly: Set<String> = ["sse", "le", "ga"]

    /// Whether it looks like a genitive, which ends in a vowel and has two syllables: “sõbra”, but not “sau” of “sauga”.
    private static func isStem(_ stem: String) -> Bool {
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
    static let genitivesPrecede: Set<String> = [
        "asemel", "järel", "kaaluga", "kõrguseks", "laiuseks", "paksuseks", "pikkuseks", "kõrgusega",
        "laiusega", "mahuga", "piires", "pikkusega", "võimsusega",
        "võimsusel",
        "eest", "jooksul", "jaoks", "kaugusel", "kaugusele", "kõrgune", "kõrguse", "laiune", "laiuse", "paksune",
        "sügavune", "sügavuse", "kaupa", "kestel", "kohta", "kõrgusel", "möödudes",
        "möödumisel", "pikkune", "pikkuse", "puhul", "suurune", "suuruse", "sügavusel", "tagant", "ulatuses", "vanune",
        "vanuse", "vanused", "vanuselt", "vanuste", "vanustele", "võrra", "vältel",
    ]

    /// Those of them that stand behind a number without a noun, too: “5 võrra”.
    private static let genitivesOfNumbersPrecede: Set<String> = ["kaupa", "puhul", "vahel", "vahele", "võrra"]

    /// Genitives of measures that differ from the partitive and so show the case.
    private static let genitivesOfMeasures: Set<String> = [
        "aasta", "dollari", "euro", "hektari", "inimese", "kilomeetri", "kuu", "lapse", "lehekülje", "liitri", "meetri",
        "minuti", "naise", "nädala", "protsendi", "ruutmeetri", "sekundi", "sendi", "sentimeetri", "tunni", "õpilase",
    ]

    /// Genitives of nouns that are often counted, for endings that other words have, too.
    private static let countedStems: Set<String> = [
        "aasta", "dollari", "eksemplari", "etapi", "euro", "faili", "grupi", "hektari", "inimese", "juhtumi",
        "kilogrammi",
        "kilomeetri", "klassi", "koha", "kooli", "korra", "korruse", "kraadi", "kuu", "küla", "lapse", "lause",
        "lehekülje", "liikme", "liitri", "linna", "maakonna", "maja", "meetri", "mehe", "minuti", "mängu", "naise",
        "nädala", "osa", "poisi", "protsendi", "punkti", "päeva", "raamatu", "rea", "riigi", "rühma", "sekundi",
        "sendi",
        "sentimeetri", "sõna", "tunni", "tüdruku", "valla", "versiooni", "võistluse", "õpilase",
    ]

    /// Cases of measures that say how often something is: “100 päevas”; and words that are none of a noun.
    private static let otherThanCounted: Set<String> = [
        "aastas", "endaga", "endale", "järele", "kellega", "kohal", "kohale", "korraga", "kuus", "kõrvale", "millega",
        "minutis", "nendega", "numbriga", "numbrile", "nädalas", "omale", "päevas", "sekundis", "sellega", "sellele",
        "temaga", "tunnis",
    ]

    /// Genitives of what signs stand for.
    private static let unitStems = [
        "%": "protsendi", "€": "euro", "EUR": "euro", "$": "dollari", "£": "naela", "kg": "kilogrammi", "g": "grammi",
        "mg": "milligrammi", "t": "tonni", "km": "kilomeetri", "m": "meetri", "cm": "sentimeetri", "mm": "millimeetri",
        "l": "liitri", "dl": "detsiliitri", "ml": "milliliitri", "h": "tunni", "min": "minuti", "s": "sekundi",
        "°": "kraadi", "°C": "kraadi", "ha": "hektari", "W": "vati", "kW": "kilovati", "V": "voldi", "MB": "megabaidi",
        "GB": "gigabaidi", "TB": "terabaidi", "tk": "tüki", "m²": "ruutmeetri", "km²": "ruutkilomeetri",
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
        let isPartitive =
            partitivesFollow.contains(place.before)
            && (partitivesLikeGenitives.contains(place.after) || partitivesLikeNominatives.contains(place.after))
        return isPartitive ? inflected(number, .partitive) : ordinal(number, before: place.after)
    }

    /// Words before a noun in the partitive.
    static let partitivesFollow: Set<String> = ["enne", "keset", "peale", "pärast"]

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
        "ruutmeetri", "tonni", "tunni",
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
            } else if partitivesFollow.contains(place.before), isBeforeWhen {
                words = "\(inflected(day, .partitive)) \(stem)\(month < 5 ? "" : month == 5 ? "d" : "t")"
            } else if place.before != "kuni",
                isParticiple(place.before) || wordsOfDates.contains(place.after) || wordsOfDates.contains(place.before)
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
    private static let stems =
        EstonianNumbers.monthStems + [
            "aasta", "aastapäeva", "sajandi", "klassi", "korruse", "peatüki", "koha", "päeva", "nädala", "lehekülje",
            "rea", "osa", "poole", "poolaja", "maailmasõja", "õppeaasta", "eluaasta", "hooaja", "eelarveaasta",
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
    ]

    /// The case of `noun`, as far as it is known; the nominative otherwise.
    init(of noun: String) {
        if let exception = Self.exceptions[noun] {
            self = exception
        } else if let form = Self.stems.lazy.compactMap({ Self.form(of: noun, stem: $0) }).first {
            self = form
        } else {
            self = .nominative
        }
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
