import Foundation

/// German numbers, dates and times in words.
enum GermanNumbers {
    static let digits = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]

    private static let small = [
        "", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        "dreizehn",
        "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
    ]
    private static let tens = [
        "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
    ]
    private static let scales = [
        (1_000_000_000_000, "Billion", "Billionen"), (1_000_000_000, "Milliarde", "Milliarden"),
        (1_000_000, "Million", "Millionen"),
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in scales where number / size % 1_000 > 0 {
            let count = number / size % 1_000
            groups.append(count == 1 ? "eine \(one)" : "\(below(count)) \(many)")
        }
        let rest = number % 1_000_000
        if rest > 0 { groups.append(below(rest) + ending(rest, gender)) }
        return groups.joined(separator: " ")
    }

    /// “ein” is “eins” by itself and “eine” before feminine nouns.
    private static func ending(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number % 100 == 1 else { return "" }
        return switch gender {
        case nil: "s"
        case .feminine: "e"
        case .masculine, .neuter: ""
        }
    }

    /// Numbers below a million in one word, “ein” without an ending.
    private static func below(_ number: Int) -> String {
        switch number {
        case ..<20: small[number]
        case ..<100: (number % 10 > 0 ? small[number % 10] + "und" : "") + tens[number / 10]
        case ..<1_000: (number < 200 ? "" : small[number / 100]) + "hundert" + below(number % 100)
        default: (number < 2_000 ? "" : below(number / 1_000)) + "tausend" + below(number % 1_000)
        }
    }

    static func year(_ year: Int) -> String? {
        guard (1_100..<2_000).contains(year) else { return nil }
        return below(year / 100) + "hundert" + below(year % 100) + ending(year, nil)
    }

    /// Whether four digits between two words are a year, as in “Er dankte 1918 ab” and “geboren 1867”.
    ///
    /// A noun that is counted would follow; round numbers count more often.
    static func isYearPlace(_ year: Int, before: String, after: String, isName: Bool) -> Bool {
        guard year < 2_000, year % 100 != 0, !isName, !before.isEmpty, !countsFollow.contains(before) else {
            return false
        }
        // “Der Bau begann 1887 und dauerte lange.”
        let endsPart = after.isEmpty || ["oder", "und"].contains(after)
        // “wurde 1731 barockisiert”
        let isBeforeParticiple =
            ["worden", "wurde", "wurden"].contains(before) && ["en", "t"].contains(where: after.hasSuffix)
        return isBeforeParticiple || yearsPrecede.contains(after) || endsPart && yearsAloneFollow.contains(before)
    }

    private static let countsFollow: Set<String> = [
        "artikel", "auf", "circa", "code", "etwa", "fast", "genau", "hausnummer", "höchstens", "insgesamt", "je",
        "knapp",
        "kosten", "kostet", "kostete", "mindestens", "mit", "modell", "nummer", "nur", "pin", "platz",
        "raum", "rund", "seite", "sind", "typ", "unter", "verdiene", "verdienen", "verdient", "verdiente", "waren",
        "weitere", "zahlen", "zahlt", "zahlte", "zimmer", "zu", "zählt", "zählte", "über",
    ]

    private static let yearsPrecede: Set<String> = [
        "ab", "als", "am", "an", "auf", "aus", "begann", "das", "dem", "den", "der", "die", "durch", "eine", "einen",
        "endete", "er", "erbaut", "erhielt", "erschien", "erschienen", "es", "fiel", "gab", "gebaut", "geboren",
        "gegründet", "gestorben", "heiratete", "im", "in", "ins", "kam", "nach", "sie", "starb", "veröffentlicht",
        "vom",
        "von", "war", "wegen", "wieder", "wurde", "wurden", "zog", "zu", "zum", "zur",
    ]

    private static let yearsAloneFollow: Set<String> = [
        "entstand", "entstanden", "erbaut", "erschien", "erschienen", "gebaut", "geboren", "gegründet", "gestorben",
        "starb", "starben", "verstorben", "begann", "begannen", "beendet", "endete", "endeten",
        "bereits", "erst", "ermordet", "eröffnet", "frühestens", "geheiratet", "gekrönt", "schon", "spätestens",
        "zuletzt",
        "heiratete", "heirateten", "hingerichtet", "uraufgeführt", "verabschiedet", "zerstört",
    ]

    /// “den 1980ern”, “die 1848er Revolution”.
    static func yearWithEnding(_ number: Int, _ ending: String) -> String? {
        guard (1_100..<2_100).contains(number), ["er", "ern", "ers"].contains(ending) else { return nil }
        return (year(number) ?? cardinal(number, nil)) + ending
    }

    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        stem(number) + ending(of: place)
    }

    /// The ending behind the “e” of an adjective in a place.
    static func ending(of place: Numerals.Place) -> String {
        let noun = place.after
        switch place.before {
        case "dieses" where isNeuter(noun): return ""
        case "am", "vom", "zum", "im", "beim", "dem", "den", "des", "ab", "seit", "bis", "jeden", "dieses", "v", "zur",
            "diesem", "diesen", "jedem", "jenem", "jenen", "einschl", "einschließlich", "spätestens":
            return "n"
        case "der", "dieser", "jeder", "jener": return isFeminine(noun) || isPluralOfFeminine(noun) ? "n" : ""
        case "die": return isPluralOfFeminine(noun) ? "n" : ""
        case "das", "jedes": return ""
        // “als stellvertretender Leiter”
        case "als" where ["direktor", "leiter", "präsident", "sprecher"].contains(where: noun.hasSuffix): return "r"
        case let before where ownersInOtherCases.contains(before) || weakAdjectives.contains(before): return "n"
        case let before where owners.contains(before):
            // “sein 2. großes Album”
            return isFeminine(noun) ? "" : isNeuter(noun) || noun.hasSuffix("es") ? "s" : "r"
        case "aus", "bei", "in", "mit", "nach", "von":
            // “in 2. Auflage”, “von 3. Platz”
            if isFeminine(noun) { return "r" }
            if isNeuter(noun) || counted.contains(noun) { return "m" }
        case "":
            if isNeuter(noun) { return "s" }
            if counted.contains(noun) { return "r" }
        default: break
        }
        return noun == "jahrhundert" ? "s" : months.contains(noun) || noun.isEmpty ? "r" : ""
    }

    /// An adjective before its noun, as in “der deutschen Sprache”; `nil` where it may be an adverb.
    ///
    /// “(lat. Canis)” has one.
    static func adjective(_ stem: String, _ place: Numerals.Place, before next: NextKind) -> String? {
        guard next == .name, !SentenceOpeners.contains(place.after, language: "de"),
            // “zweimal tägl. Wasser” has an adverb.
            !languages.contains(stem) && !stem.hasSuffix("lich") || place.before == "eine"
                || GermanOrdinals.isDeterminer(place.before) || weakAdjectives.contains(place.before)
        else { return nil }
        // “die sogenannten Fragen”
        let isPlural =
            place.before == "die" && (place.after.hasSuffix("en") || pluralsOfMasculines.contains(place.after))
        return stem + "e" + (isPlural ? "n" : ending(of: place))
    }

    /// Adjectives behind a determiner, whose ending the next one has, too: “jeder anderen deutschen Stadt”.
    private static let weakAdjectives: Set<String> = [
        "alten", "anderen", "beiden", "besten", "einzigen", "ersten", "ganzen", "großen", "größten", "letzten",
        "meisten", "neuen", "vielen", "wichtigsten",
    ]

    private static let pluralsOfMasculines: Set<String> = [
        "beispiele", "bestandteile", "fälle", "gründe", "jahre", "maßnahmen", "orte", "preise", "punkte", "rechte",
        "schritte", "tage", "teile", "umstände", "werte", "wege", "ziele",
    ]

    private static let languages: Set<String> = ["deutsch", "englisch", "französisch", "griechisch", "lateinisch"]

    /// Words without an ending, behind which an adjective has one; the same words with endings.
    private static let owners: Set<String> = [
        "dein", "deren", "dessen", "ein", "euer", "ihr", "kein", "mein", "sein", "unser",
    ]

    private static let ownersInOtherCases: Set<String> = {
        var words: Set<String> = ["eurem", "euren", "eurer", "eures"]
        for owner in ["dein", "ein", "ihr", "kein", "mein", "sein", "unser"] {
            for ending in ["em", "en", "er", "es"] { words.insert(owner + ending) }
        }
        return words
    }()

    /// Masculine nouns that are counted in order.
    private static let counted: Set<String> = [
        "abschnitt", "akt", "band", "bezirk", "geburtstag", "hochzeitstag", "jahrestag", "jahrgang", "kreuzzug",
        "monat", "platz", "preis", "rang", "satz", "stock", "tag", "teil", "todestag", "weltkrieg", "korinther", "mose",
        "thessalonicher", "timotheus",
    ]

    /// Days that are somebody's.
    ///
    /// “Omas 80. Geburtstag” is one.
    static let feasts: Set<String> = ["geburtstag", "hochzeitstag", "jahrestag", "todestag"]

    /// Verbs whose object such a day is.
    static let verbsOfFeasts: Set<String> = [
        "begehen", "begeht", "beging", "begingen", "feiere", "feiern", "feiert", "feierte", "feierten", "vergaß",
    ]

    /// Words before the one whose day it is, which is an object then.
    ///
    /// “Für Omas 80. Geburtstag” and “wir haben Omas 80. Geburtstag vergessen” have them.
    static let accusativesOfFeasts: Set<String> = [
        "auf", "für", "gegen", "habe", "haben", "hast", "hat", "hatte", "hatten", "ohne", "plane", "planen", "plant",
        "planten", "um", "über",
    ]

    /// Prepositions before the one whose day it is.
    ///
    /// “Zu Omas 80. Geburtstag” has one.
    static let prepositionsOfFeasts: Set<String> = ["an", "bei", "mit", "nach", "seit", "von", "vor", "zu"]

    /// Words in “s” before such a day that are nobody's name.
    static let wordsBeforeFeasts: Set<String> = ["als", "bereits", "bis", "das", "des", "dies", "es", "was"]

    /// The gender that “1” takes before a noun in the singular; other numbers do not change.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard number == 1, isCapitalised else { return nil }
        if isFeminine(noun) { return .feminine }
        if isNeuter(noun) { return .neuter }
        if others.contains(noun) || masculine.contains(noun) { return .masculine }
        return endsLikeFeminine(noun) ? .feminine : nil
    }

    static func isFeminine(_ noun: String) -> Bool {
        feminine.contains(noun)
            || feminineEndings.contains(where: noun.hasSuffix) && !othersLikeFeminine.contains(where: noun.hasSuffix)
                && !["dung", "schaft"].contains(noun)
    }

    /// Whether a noun is the plural of a feminine one, as “Klassen” and “Sitzungen” are.
    private static func isPluralOfFeminine(_ noun: String) -> Bool {
        noun.hasSuffix("n")
            && (isFeminine(String(noun.dropLast())) || noun.hasSuffix("en") && isFeminine(String(noun.dropLast(2))))
    }

    /// Words before a noun in the accusative: “hat 1 Sohn”, “für 1 Monat”.
    static let accusativesFollow = accusatives.union(verbsOfObjects).union(["um"]).subtracting(["den"])

    /// Verbs before what somebody has or wants.
    static let verbsOfObjects: Set<String> = [
        "braucht", "brauche", "brauchen", "gab", "gibt", "hab", "habe", "haben", "hat", "hatte", "hatten", "kauft",
        "nimm", "sucht", "suche", "suchen",
    ]

    /// Nouns that are masculine for sure, as others that “ein” stands before may be neuter.
    static let masculine: Set<String> = [
        "abend", "apfel", "arzt", "ball", "baum", "becher", "berg", "besucher", "brief", "bruder", "bus", "eimer",
        "enkel", "esslöffel", "fehler", "film", "fisch", "flug", "freund", "garten", "gast", "hund", "hut", "kater",
        "koffer", "kuchen", "liter", "löffel", "meter", "monat", "neffe", "onkel", "platz", "punkt", "raum", "ring",
        "schlüssel", "schrank", "schüler", "sohn", "spieler", "stift", "stuhl", "tag", "teelöffel", "teller", "tisch",
        "topf", "treffer", "urenkel", "versuch", "wagen", "zettel", "zug", "zweig",
    ]

    /// Whether a noun behind “der” and an ordinal is masculine, so that no dative is possible.
    ///
    /// Other than ``masculine``, it has nouns before which “1” is rather the subject's, as “Teil” is. “Band” is masculine
    /// behind “während” alone, since bands play, too.
    static func isMasculineInOrder(_ noun: String, behind preposition: String) -> Bool {
        masculine.contains(noun) || masculineInOrder.contains(noun) || noun.hasSuffix("krieg")
            || noun == "band" && preposition == "während"
    }

    private static let masculineInOrder: Set<String> = [
        "advent", "akt", "april", "august", "dezember", "durchgang", "februar", "feiertag", "geburtstag", "januar",
        "juli", "juni", "lauf", "mai", "märz", "november", "oktober", "satz", "september", "spieltag", "teil",
    ]

    private static func isNeuter(_ noun: String) -> Bool {
        neuter.contains(noun) || neuterEndings.contains { noun.hasSuffix($0) }
    }

    /// Neuter nouns that are counted in order.
    private static let neuter: Set<String> = [
        "auto", "baby", "bier", "date", "drittel", "eigentor", "experiment", "foto", "gebäude", "gebot", "gegentor",
        "geschäft", "gesetz", "gespräch", "glas", "gleis", "gutachten", "hotel", "instrument", "interview",
        "jahrhundert", "jahrtausend", "jubiläum", "kapitel", "leben", "lied", "mädchen", "magazin", "modul",
        "obergeschoss", "opfer", "pferd", "problem", "programm", "projekt", "quartal", "rennen", "restaurant",
        "saisontor", "schiff", "semester", "team", "thema", "ticket", "tor", "treffen", "turnier", "viertel", "ziel",
        "zimmer", "og", "ug",
    ]

    /// Ends of nouns that are neuter, as the last words of compounds are: “Studioalbum”.
    private static let neuterEndings = [
        "album", "bild", "buch", "examen", "fest", "finale", "haus", "ium", "jahr", "kind", "konzert", "mal", "spiel",
        "stück", "werk", "zeug",
    ]

    private static let feminineEndings = [
        "ung", "heit", "keit", "schaft", "tion", "sion", "tät", "stunde", "minute", "seite", "tablette", "kapsel",
        "knoblauchzehe", "ampulle", "scheibe", "ärztin", "erin", "freundin", "kollegin", "kundin", "patientin",
        "studentin", "schrift", "karte", "flasche", "woche", "nummer", "tasse", "stelle", "straße", "tochter",
        "schwester",
    ]

    private static let feminine: Set<String> = [
        "allee", "antwort", "arbeit", "armee", "fahrt", "gabel", "gebühr", "geburt", "gefahr", "gegend", "geige",
        "gemeinde", "geschichte", "geste", "insel", "kartoffel", "mail", "mauer", "mutter", "nuss", "regel", "schüssel",
        "wurst", "aufl", "auflage", "aufgabe", "ausgabe", "bundesliga", "chance", "dose", "dosis", "ecke", "ehe",
        "etage", "etappe",
        "familie", "farbe",
        "fl", "flasche", "folge", "frage", "frau", "gruppe", "halbzeit", "hand", "hälfte",
        "idee", "kanne", "kapsel", "kps", "karte", "katze", "kirche", "klasse", "kugel", "lampe", "liga", "linie",
        "liste", "mark",
        "welle", "whg",
        "maschine",
        "meile", "milliarde", "million", "min", "minute", "msp", "münze",
        "nacht", "nase", "note", "packung", "person", "portion",
        "pr", "prise",
        "reihe", "reise", "rolle", "runde", "sache", "schule", "sekunde", "seite", "sorte", "stadt", "std", "stelle",
        "stimme", "straße", "strophe", "stufe", "stunde", "tabl", "tafel", "tasche", "tasse", "tbl", "tochter", "tonne",
        "tür", "wo", "woche",
        "zahl", "zeile", "zwiebel", "blume", "brücke", "bühne", "dame", "decke", "gasse", "glocke", "grenze", "hose",
        "hütte", "jacke", "kasse", "kerze", "kiste", "küche", "leiche", "lücke", "mühle", "mütze", "nichte", "pause",
        "pflanze", "quelle", "rose", "schlange", "seele", "sprache", "suppe", "tante", "treppe", "truhe", "waise",
        "wiese",
        "witwe", "ziege",
    ]

    /// Common masculine and neuter nouns, before which “1” is “ein”.
    private static let others: Set<String> = [
        "apfel", "auge", "auto", "bote", "experte", "käse", "kollege", "löwe", "name", "neffe", "zeuge", "bad", "bett",
        "bild", "blatt", "brot", "bruder", "buch", "cent", "ei", "esslöffel",
        "fall", "fenster", "fuß", "gast", "glas", "grad", "haus", "hund", "jahr", "kapitel", "kind", "kopf", "liter",
        "löffel", "mal", "mann", "mensch", "monat", "ort", "paar", "platz", "prozent", "punkt", "raum", "satz",
        "schritt",
        "abend", "arzt", "ball", "baum", "becher", "berg", "besuch", "besucher", "brief", "bus", "dollar", "eimer",
        "euro",
        "fehler", "film", "fisch", "flug", "fluss", "freund", "garten", "hafen", "hut", "junge", "kaffee", "koffer",
        "kreis", "kuchen", "kunde", "lehrer", "mitarbeiter", "nachbar", "ordner", "patient", "polizist", "ring", "rock",
        "sack", "schlüssel", "schrank", "schüler", "soldat", "spieler", "stein", "stern", "stift", "student", "teller",
        "topf", "treffer", "turm", "verletzter", "vogel", "wagen", "zahn", "zettel", "zug", "zweig",
        "sohn", "spiel", "stück", "stuhl", "tag", "teelöffel", "teil", "tisch", "tor", "uhr", "versuch", "wort",
        "zentimeter",
        "zentner", "zimmer", "zoll", "boden", "dach", "dorf", "feld", "glycerin", "himmel", "hof", "krieg", "land",
        "markt",
        "meer", "schaft", "schloss", "ufer", "volk", "wald", "wasser", "weg", "wind",
    ]

    /// “der Achte” and “die Zweite” behind a ruler's name.
    ///
    /// It is “dem Fünften” behind “unter Karl”, and “des Vierzehnten” behind “Ludwigs”.
    static func ruler(_ number: Int, _ name: String, _ before: String) -> String {
        let isQueen = queens.contains(name)
        let isGenitive = name.hasSuffix("s") && !namesInS.contains(name)
        switch true {
        case isGenitive: return "\(queens.contains(String(name.dropLast())) ? "der" : "des") \(stem(number))n"
        case datives.contains(before) || contractions.contains(before):
            return "\(isQueen ? "der" : "dem") \(stem(number))n"
        case !isQueen && (accusatives.contains(before) || accusativesOfRulers.contains(before)):
            return "den \(stem(number))n"
        default: return "\(isQueen ? "die" : "der") \(stem(number))"
        }
    }

    /// Words before a day whose month is not said.
    ///
    /// “Am 5., 6. und 7. Mai” and “Freitag, den 13., war” have some.
    static let daysFollow: Set<String> = ["am", "dem", "den", "der", "vom", "zum"]

    /// Adjectives of editions, which may be cut short.
    ///
    /// “3., überarb. Aufl.” has one.
    static let adjectivesOfEditions: Set<String> = [
        "aktual", "aktualisierte", "erg", "ergänzte", "erw", "erweiterte", "neubearb", "neubearbeitete", "verb",
        "verbesserte", "völlig", "überarb", "überarbeitete",
    ]

    /// Whether a word in lower case is a stone that is weighed in carats.
    static func isGem(_ word: String) -> Bool {
        ["brillant", "diamant", "edelstein", "rubin", "saphir", "smaragd"].contains(where: word.hasPrefix)
    }

    /// Persons of whom a participle without an object shows that they are the subject.
    static let masculinePersons: Set<String> = [
        "arzt", "besucher", "bruder", "enkel", "freund", "gast", "neffe", "onkel", "schüler", "sohn", "spieler",
        "urenkel",
    ]

    /// Lengths of time in the singular.
    static let lengthsOfTime: Set<String> = ["jahr", "minute", "monat", "sekunde", "stunde", "tag", "woche"]

    /// Words before a place or a noun that is no author.
    ///
    /// “In Rom u. a. fanden” has one.
    static let wordsBeforePlaces: Set<String> = ["am", "an", "auf", "das", "dem", "den", "der", "die", "im", "in"]

    /// Participles of verbs of which a person is no direct object.
    static let participlesWithoutObjects: Set<String> = [
        "abgesagt", "gefehlt", "gelacht", "geschlafen", "gestreikt", "teilgenommen", "überlebt",
        "zugesagt",
    ]

    /// Verbs in the plural of what authors do.
    static let verbsOfAuthors: Set<String> = [
        "argumentieren", "argumentierten", "belegen", "belegten", "berichten", "berichteten", "beschreiben",
        "beschrieben", "bestätigten", "fanden", "schlagen", "schlugen", "schreiben", "schrieben", "untersuchten",
        "vermuten", "vermuteten", "wiesen", "zeigen", "zeigten",
    ]

    /// Words for what was written or said, and for who speaks for others, as they stand behind “laut”.
    static let sources: Set<String> = [
        "abrechnung", "absprache", "angabe", "angaben", "anklage", "anleitung", "anweisung", "attest", "auskunft",
        "aussage", "aussagen", "bericht", "berichten", "beschluss", "bescheid", "fahrplan", "gesetz", "gutachten",
        "hersteller", "herstellerangabe", "herstellerangaben", "kalender", "liste", "medienberichten", "mietvertrag",
        "plan", "polizei", "polizeibericht", "programm", "protokoll", "prognose", "prospekt", "rechnung", "rezept",
        "satzung", "statistik", "studie", "tabelle", "umfrage", "urteil", "veranstalter", "vereinbarung", "verfassung",
        "verordnung", "vertrag", "wetterbericht", "zeugen", "zeitung",
    ]

    /// Articles in the genitive.
    static let genitiveArticles: Set<String> = ["des", "dieses", "eines", "jenes"]

    /// Adverbs between a preposition and a number: “nach nur 1 Woche”.
    static let adverbsOfCounts: Set<String> = [
        "ca", "circa", "etwa", "fast", "genau", "gut", "höchstens", "knapp", "mindestens", "nur", "rund", "ungefähr",
    ]

    /// Prepositions that the dative of a length of time follows: “vor 20 Jahren”.
    static let lengthsInDativeFollow = datives.union(["ab", "an", "binnen", "in", "vor", "zwischen"])

    /// Prepositions behind which “der” is no nominative.
    ///
    /// “Auf der 2. Schiene” and “während der 3. Fahrt” have some.
    static let dativesFollow = datives.union([
        "an", "auf", "außerhalb", "binnen", "hinter", "in", "innerhalb", "laut", "neben", "statt", "trotz", "vor",
        "wegen", "während", "zwischen", "über",
    ])

    /// Prepositions that the dative and the accusative of a name follow.
    private static let datives: Set<String> = ["aus", "bei", "mit", "nach", "seit", "unter", "von", "zu"]
    private static let accusatives: Set<String> = ["den", "durch", "für", "gegen", "ohne"]
    /// Those behind which the names of people are accusatives: “auf Ludwig den Dreizehnten”.
    private static let accusativesOfRulers: Set<String> = ["auf", "um", "über"]
    private static let contractions: Set<String> = ["beim", "dem", "vom", "zum"]

    /// Names that end in “s” in the nominative.
    private static let namesInS: Set<String> = [
        "alexis", "bonifatius", "clemens", "darius", "franziskus", "hadrianus", "innozenz", "johannes", "julius",
        "klemens", "nikolaus", "pius", "ramses", "sixtus", "thomas", "thutmosis", "xerxes",
    ]

    private static let queens: Set<String> = [
        "anna", "elisabeth", "isabella", "kaiserin", "katharina", "königin", "margarethe", "maria", "viktoria", "zarin",
    ]

    /// Whether a number with a full stop is an ordinal between the two words.
    static func isOrdinal(before: String, after: String, isCapitalised: Bool) -> Bool {
        guard isCapitalised else { return true }
        return months.contains(after) || GermanOrdinals.isOrdinal(before: before, after: after)
    }

    private static let irregular = [1: "erste", 3: "dritte", 7: "siebte", 8: "achte"]

    private static func stem(_ number: Int) -> String {
        let last = number % 100
        guard last > 0, last < 20 else { return cardinal(number, .masculine) + "ste" }
        let head = number > last ? cardinal(number - last, .masculine) : ""
        return head + (irregular[last] ?? small[last] + "te")
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        switch (numerator, denominator) {
        case (1, 2): return "ein halb"
        case (_, 3...20), (_, 100):
            let part = String(stem(denominator).dropLast()).capitalized + "el"
            let short = denominator == 3 ? "Drittel" : part
            return "\(cardinal(numerator, .neuter)) \(short)"
        default: return nil
        }
    }

    /// Words for a half that agree with its noun and the word before: “nach einer halben Stunde”.
    static func half(_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String? {
        let noun = noun.lowercased()
        let isFeminine =
            gender == .feminine || noun == "wurst"
            || noun.hasSuffix("e") && !["auge", "ende", "gebäude", "käse", "name"].contains(noun)
        let isNeuter = isNeuter(noun) || halvedNeuters.contains { noun.hasSuffix($0) }
        guard isFeminine || isNeuter || halvedMasculines.contains(where: { noun.hasSuffix($0) }) else { return nil }
        switch before {
        case "ein": return isNeuter ? "halbes" : "halber"
        case "eine", "die", "das": return "halbe"
        case "der": return isFeminine ? "halben" : "halbe"
        case "am", "beim", "dem", "den", "des", "einem", "einen", "einer", "eines", "im", "vom", "zum", "zur":
            return "halben"
        case "ab", "aus", "bei", "in", "mit", "nach", "seit", "von", "vor", "zu":
            return isFeminine ? "einer halben" : "einem halben"
        default:
            if isFeminine { return "eine halbe" }
            let isListed = before.isEmpty || before == "und" || before == "oder"
            return isNeuter ? "ein halbes" : isListed ? "ein halber" : "einen halben"
        }
    }

    /// Ends of nouns that are halved.
    private static let halvedNeuters = [
        "blatt", "brot", "bund", "chen", "dutzend", "gramm", "hundert", "kilo", "pfund", "prozent",
    ]
    private static let halvedMasculines = [
        "apfel", "becher", "dollar", "euro", "franken", "kopf", "liter", "löffel", "meter", "monat", "ring", "salat",
        "tag",
        "teller", "würfel", "zentner",
    ]

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = "\(cardinal(hour, .neuter)) Uhr"
        return minute == 0 ? hourWords : "\(hourWords) \(cardinal(minute, nil))"
    }

    private static let monthNames = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]
    private static let shortMonths = [
        "jan": 1, "jän": 1, "jänner": 1, "feb": 2, "febr": 2, "mrz": 3, "mär": 3, "apr": 4, "aug": 8, "sep": 9,
        "sept": 9,
        "okt": 10,
        "nov": 11, "dez": 12,
    ]
    private static let months = Set(monthNames.map { $0.lowercased() }).union(shortMonths.keys)

    static let dates: DateWords = {
        var dates = DateWords(names: monthNames, otherNames: shortMonths, monthsAreLowercase: false) {
            day,
            month,
            year,
            place,
            _ in
            let name = monthNames[month - 1]
            let words = "\(ordinal(day, Numerals.Place(before: place.before, after: name.lowercased()))) \(name)"
            return year.map { "\(words) \(GermanNumbers.year($0) ?? cardinal($0, nil))" } ?? words
        }
        dates.day = { day, place, _ in ordinal(day, place) }
        dates.dayNeedsDot = true
        dates.expiriesFollow = [
            "ablaufdatum", "exp", "gültig bis", "haltbar bis", "mhd", "verfallsdatum", "verwendbar bis",
        ]
        dates.days = [
            "mo": "Montag", "di": "Dienstag", "mi": "Mittwoch", "do": "Donnerstag", "fr": "Freitag", "sa": "Samstag",
            "so": "Sonntag",
        ]
        dates.dottedDaysFollow = GermanOrdinals.wordsBeforeDays
        dates.articles = ["dem", "den"]
        dates.partsPrecede = GermanOrdinals.wordsForParts
        return dates
    }()
}

/// German numbers that a full stop before a noun makes ordinals.
package enum GermanOrdinals {
    /// Whether a number with a full stop is one between two words, in lower case, of which the second has a capital letter.
    package static func isOrdinal(before: String, after: String) -> Bool {
        // “Er schrieb eine 2. Frau Meier lobte ihn.” has a mark.
        nouns.contains(after) || isSundayOfMonth(before: before, after: after)
            || before == "eine" && after != "frau" && GermanNumbers.isFeminine(after)
            || !after.isEmpty && determiners.contains(before) && !SentenceOpeners.contains(after, language: "de")
    }

    /// Whether it is a Sunday that is cut short, though “so” begins sentences.
    private static func isSundayOfMonth(before: String, after: String) -> Bool {
        after == "so" && ["jedem", "jeden", "jeder"].contains(before)
    }

    /// Whether a word in lower case is one after which a number or an adjective has a noun.
    static func isDeterminer(_ word: String) -> Bool { determiners.contains(word) }

    /// Whether a word in lower case is a ruler's name in the genitive.
    ///
    /// “Wilhelms II. Flotte” begins with one.
    package static func isRulerInGenitive(_ word: String) -> Bool {
        word.hasSuffix("s") && rulers.contains(String(word.dropLast()))
    }

    private static let rulers: Set<String> = [
        "albrecht", "alexander", "ferdinand", "friedrich", "georg", "gustav", "heinrich", "joseph", "karl", "konrad",
        "leopold", "ludwig", "maximilian", "napoleon", "otto", "philipp", "rudolf", "wilhelm",
    ]

    /// Words behind which two numbers with full stops are a day and a month: “am 24.12.”.
    package static let wordsBeforeDays: Set<String> = [
        "ab", "am", "bis", "dem", "den", "seit", "spätestens", "vom", "zum",
    ]

    /// Words for parts of a text, whose numbers may have full stops as days do: “Abschnitte bis 3.4.”.
    static let wordsForParts: Set<String> = [
        "abschnitt", "abschnitte", "abschnitten", "abbildung", "abbildungen", "anhang", "aufgabe", "beispiel",
        "definition", "formel", "gleichung", "kapitel", "kapiteln", "nr", "nummer", "nummern", "punkt", "punkte",
        "punkten", "satz", "siehe", "tabelle", "tabellen", "teil", "teile", "version",
        "versionen", "ziffer", "ziffern",
    ]

    /// Nouns that are counted in order more often than they begin sentences behind numbers.
    private static let nouns: Set<String> = [
        "abschnitt", "akt", "aufl", "auflage", "ausgabe", "band", "bezirk", "jh", "jhd", "jhs", "jahrhunderte",
        "jahrhunderten",
        "buch", "etage", "etappe", "geburtstag",
        "jahrestag", "jahrgang", "jahrhundert", "jahrhunderts", "jahrtausend", "jahrtausends", "kapitel", "kapitels",
        "klasse", "kreuzzug", "lebensjahr", "mal", "monat", "obergeschoss", "platz", "quartal", "rang", "runde",
        "satz", "semester", "stock", "strophe", "stunde", "tag", "tages", "teil", "weltkrieg", "weltkrieges",
        "weltkriegs", "woche", "korinther", "mose", "thessalonicher", "timotheus", "og", "ug",
    ]

    /// Words after which a number with a full stop ends no sentence, unless a word follows with which sentences begin.
    private static let determiners: Set<String> = [
        "ab", "am", "beim", "das", "dein", "deine", "deinem", "deinen", "deiner", "dem", "den", "der", "deren", "des",
        "dessen", "die", "diese", "diesem", "diesen", "dieser", "dieses", "ein", "einem", "einen", "eines", "euer",
        "eure", "eurem", "euren", "eurer", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "ins", "jede", "jedem",
        "jeden", "jeder", "jedes", "mein",
        "meine", "meinem", "meinen", "meiner", "sein", "seine", "seinem", "seinen", "seiner", "unser", "unsere",
        "ihres", "kein", "meines", "seines", "unserem", "unseren", "unserer", "unseres", "vom", "zum", "zur",
    ]
}
