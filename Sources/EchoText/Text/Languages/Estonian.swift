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
