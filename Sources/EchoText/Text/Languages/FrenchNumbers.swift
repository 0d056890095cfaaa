/// French numbers, dates and times in words.
enum FrenchNumbers {
    static let digits = ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"]

    private static let small =
        digits + ["dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"]
    private static let tens = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"]
    private static let scales = [
        (1_000_000_000_000, "billion"), (1_000_000_000, "milliard"), (1_000_000, "million"),
    ]

    static func cardinal(_ number: Int, _ gender: CountedNoun.Gender?) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, name) in scales where number / size % 1_000 > 0 {
            let count = number / size % 1_000
            groups.append("\(belowThousand(count)) \(name)\(count > 1 ? "s" : "")")
        }
        let thousands = number / 1_000 % 1_000
        if thousands > 0 {
            groups.append(thousands == 1 ? "mille" : "\(belowThousand(thousands, isLast: false)) mille")
        }
        if number % 1_000 > 0 { groups.append(belowThousand(number % 1_000)) }
        let words = groups.joined(separator: " ")
        let endsInOne = number % 10 == 1 && number % 100 != 11 && number % 100 != 71 && number % 100 != 91
        return gender == .feminine && endsInOne ? words + "e" : words
    }

    private static func belowThousand(_ number: Int, isLast: Bool = true) -> String {
        guard number >= 100 else { return belowHundred(number, isLast: isLast) }
        let rest = number % 100
        let hundreds = number < 200 ? "cent" : "\(small[number / 100]) cent\(rest == 0 && isLast ? "s" : "")"
        return rest == 0 ? hundreds : "\(hundreds) \(belowHundred(rest, isLast: isLast))"
    }

    private static func belowHundred(_ number: Int, isLast: Bool) -> String {
        switch number {
        case ..<20: small[number]
        case 71: "soixante et onze"
        case ..<70: joined(tens[number / 10], number % 10, and: true)
        case ..<80: "soixante-\(small[number - 60])"
        case 80: isLast ? "quatre-vingts" : "quatre-vingt"
        default: "quatre-vingt-\(small[number - 80])"
        }
    }

    private static func joined(_ ten: String, _ unit: Int, and: Bool) -> String {
        switch unit {
        case 0: ten
        case 1 where and: "\(ten) et un"
        default: "\(ten)-\(small[unit])"
        }
    }

    /// The place's `after` is `f` for the feminine, and the word itself where “2nd”, “2nde” and their plurals are written.
    static func ordinal(_ number: Int, _ place: Numerals.Place) -> String {
        if number == 2, place.after.hasPrefix("second") { return place.after }
        guard number != 1 else {
            let isFeminine = place.after == "f" || place.after == "fs"
            return (isFeminine ? "première" : "premier") + (place.after.hasSuffix("s") ? "s" : "")
        }
        // “deux millionième”, “millionième”.
        var words = cardinal(number, nil)
        if words.hasSuffix("illions") || words.hasSuffix("illiards") { words.removeLast() }
        if number == 1_000_000 || number == 1_000_000_000 { words.removeFirst("un ".count) }
        return switch true {
        case words.hasSuffix("cinq"): words + "uième"
        case words.hasSuffix("neuf"): words.dropLast() + "vième"
        case words.hasSuffix("e"), words.hasSuffix("quatre-vingts"), words.hasSuffix("cents"): words.dropLast() + "ième"
        default: words + "ième"
        }
    }

    /// The feminine where the noun is known for it; the other numbers are said as they are written.
    static func genderOfCounted(_ number: Int, _ noun: String, isCapitalised: Bool) -> CountedNoun.Gender? {
        guard !isCapitalised, noun.utf16.count > 2, number == 1 || noun.hasSuffix("s") || noun.hasSuffix("x") else {
            return nil
        }
        let one = noun.hasSuffix("s") ? String(noun.dropLast()) : noun
        guard !masculine.contains(one), !(number == 1 && verbs.contains(one)) else { return nil }
        let isFeminine =
            feminine.contains(noun) || feminine.contains(one) || feminineEndings.contains { one.hasSuffix($0) }
            || number > 1 && feminineEndingsOfPlurals.contains { one.hasSuffix($0) }
        return isFeminine ? .feminine : nil
    }

    private static let feminineEndings = [
        "tion", "sion", "ette", "elle", "ence", "ance", "esse", "ité", "ière", "euse", "ée",
        "trice", "chère", "gère", "ienne",
    ]

    /// Endings of feminine nouns that verbs have in the singular: “le groupe 1 termine”.
    private static let feminineEndingsOfPlurals = [
        "ade", "aine", "asse", "erie", "erne", "gie", "ille", "ine", "onne", "otte", "phie", "tie", "ude", "ure",
    ]

    /// Forms of verbs that end like feminine nouns: “pour que le lot 1 convienne”.
    private static let verbs: Set<String> = [
        "abstienne", "advienne", "appartienne", "contienne", "contrevienne", "convienne", "devienne", "digère",
        "détienne", "entretienne", "exagère", "gère", "ingère", "intervienne", "maintienne", "obtienne", "parvienne",
        "provienne", "prévienne", "redevienne", "retienne", "revienne", "soutienne", "souvienne", "subvienne",
        "suggère", "survienne", "tienne", "vienne",
    ]

    /// Nouns that end like feminine ones.
    private static let masculine: Set<String> = [
        "chère", "jachère",
        "camarade", "capitaine", "cimetière", "comité", "croque-madame", "dimanche", "domaine", "gorille", "grade",
        "incendie", "interne", "externe", "magazine", "malade", "mercure", "moderne", "murmure", "nomade", "platine",
        "prélude", "riverain", "stade", "subalterne", "vaudeville", "lycée", "musée", "silence", "squelette", "traité",
        "trophée",
        "violoncelle",
    ]

    static func half(_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String? {
        if noun == "des" { return "la moitié" }
        return gender == .feminine ? "une demi" : nil
    }

    private static let feminine: Set<String> = [
        "aubergine", "banane", "betterave", "botte", "brioche", "carotte", "cerise", "courgette", "crème", "échalote",
        "feuille", "fraise", "galette", "gousse", "laitue", "orange", "pâte", "poire", "salade", "tomate", "volaille",
        "amie", "amp", "ampoule", "gél", "gélule", "bande", "barre", "bière", "bombe", "cause", "chaîne", "chaussure",
        "chute", "colline", "commande",
        "copine", "corde", "couleur", "course", "croix", "danse", "demande", "dose", "douche", "épaule", "erreur",
        "étude", "facture", "famille", "pers", "sem", "faute", "force", "forêt", "forme", "lampe",
        "larme", "leçon", "marche",
        "messe",
        "montagne", "planche", "poche", "poule", "preuve", "saison", "sorte", "source", "tante", "tête", "tombe",
        "vente", "veste", "victime",
        "assiette", "bague", "balle", "boîte", "bouteille", "branche", "carte", "chaise", "chambre", "chanson", "chose",
        "classe", "clé", "couche", "cuillère", "dame", "dent", "école", "église", "équipe", "étape", "étoile", "femme",
        "fenêtre", "fête", "fille", "fleur", "fois", "goutte", "guerre", "heure", "histoire", "idée",
        "image",
        "île", "jambe", "journée", "langue", "lettre", "ligne", "liste", "main", "maison", "mère", "minute", "moitié",
        "note", "nuit", "œuvre", "ombre", "page", "part", "partie", "pêche", "pensée", "personne", "phrase", "photo",
        "pièce", "pierre", "place", "plage", "plante", "pomme", "porte", "question", "raison", "règle", "reine", "robe",
        "rose", "route", "rue", "salle", "scène", "seconde", "semaine", "société", "soirée", "sœur", "table", "tâche",
        "tasse", "tonne", "tour", "tranche", "usine", "vache", "vague", "valise", "version", "vie", "ville", "voie",
        "voiture", "voix", "vue", "zone",
        "bonne", "fausse", "grande", "grosse", "longue", "petite", "seule", "vraie",
    ]

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        let part: String
        switch denominator {
        case 2: return numerator == 1 ? "un demi" : nil
        case 3: part = "tiers"
        case 4: part = numerator == 1 ? "quart" : "quarts"
        case 5...20, 100: part = ordinal(denominator, Numerals.Place()) + (numerator == 1 ? "" : "s")
        default: return nil
        }
        return "\(cardinal(numerator, nil)) \(part)"
    }

    static func time(_ hour: Int, _ minute: Int) -> String {
        let hourWords = "\(cardinal(hour, .feminine)) \(hour < 2 ? "heure" : "heures")"
        return minute == 0 ? hourWords : "\(hourWords) \(cardinal(minute, .feminine))"
    }

    private static let monthNames = [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ]

    static let dates: DateWords = {
        var dates = DateWords(
            names: monthNames,
            otherNames: [
                "janv": 1, "jan": 1, "févr": 2, "fév": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11,
                "déc": 12,
            ],
            joint: " ",
            first: "premier"
        ) { cardinal($0, nil) }
        dates.dayEndings = ["er"]
        dates.expiriesFollow = [
            "d'expiration", "d’expiration", "exp", "expiration", "expire", "expire fin", "péremption",
        ]
        dates.days = [
            "lun": "lundi", "mar": "mardi", "mer": "mercredi", "jeu": "jeudi", "ven": "vendredi", "sam": "samedi",
            "dim": "dimanche",
        ]
        return dates
    }()
}
