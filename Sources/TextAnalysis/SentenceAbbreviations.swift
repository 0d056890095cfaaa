/// Abbreviations of one language by how their full stop stands to the end of a sentence.
///
/// All are in lower case, without the last full stop and without spaces (`z.b`). An abbreviation that is in none of the sets
/// ends its sentence before a capital letter, as “etc.” does.
struct SentenceAbbreviations {
    /// Something always follows, as a name after “Mr.” does.
    var neverEnding: Set<String> = []
    /// The same for words whose case matters.
    ///
    /// “M. Petit” is a gentleman, “2 m.” a length; “v. Thun” is a name, and “Karl V.” a king.
    var neverEndingAsWritten: Set<String> = []
    /// Two words that are cut short and never end a sentence, as written, of which the second is a capital letter (`m.E`).
    var pairs: Set<String> = []
    /// Ends the sentence unless a number or a letter in its place follows.
    ///
    /// “No. 7”, “Jan. 5” and “chap. IV” are of a piece.
    var beforeNumbers: Set<String> = []
    /// The same at the ends of longer words.
    ///
    /// “Hauptstr. 5” is of a piece.
    var beforeNumbersAtEnds: Set<String> = []
    /// Ends the sentence only before a word with which sentences begin.
    ///
    /// “& Co. They …” are two sentences, “& Co. London” is of a piece.
    var closing: Set<String> = []
    /// The same, but only behind a name.
    ///
    /// “12 Oak Dr. He …” are two sentences, “Dr. He” is of a piece.
    var closingBehindNames: Set<String> = []
    /// Initials that end a sentence before every capital letter.
    ///
    /// “6 P.M. John left” are two sentences.
    var times: Set<String> = []
    /// Names of days, months and time zones, which continue a sentence behind ``times``.
    var days: Set<String> = []
    /// Words that a letter follows as a name, which is no initial (“Plan B.”, “Vitamin C.”).
    var letterNouns: Set<String> = []
    /// Capital letters that are words (“you and I.”).
    var letterWords: Set<String> = []
    /// The months, which may follow a day's number with a full stop.
    var months: Set<String> = []

    /// The abbreviations of a language by its two-letter code; none for most.
    static func of(_ language: String) -> SentenceAbbreviations { languages[language] ?? SentenceAbbreviations() }

    private static let languages = [
        "en": english, "de": german, "fr": french, "es": spanish, "et": estonian, "da": danish, "it": italian,
        "pt": portuguese, "nl": dutch, "fi": finnish, "el": greek, "ru": russian,
    ]

    private static let english = SentenceAbbreviations(
        neverEnding: [
            "adm", "capt", "cf", "cmdr", "col", "cpl", "cpt", "e.g", "eq", "excl", "fr", "gen", "gov", "hon",
            "i.e", "incl", "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mt", "pres", "prof", "rev", "sen",
            "sgt", "ste", "supt", "viz", "vol", "vols", "vs",
        ],
        neverEndingAsWritten: ["Ch", "Fig", "Figs", "Ph", "REP", "Rep", "Sec", "Th", "v"],
        beforeNumbers: [
            "cor", "deut", "eph", "ezek", "gal", "heb", "isa", "jer", "lev", "matt", "prov", "ps", "rom", "thess",
            "a.d", "no", "nos", "p", "pp", "ft", "art", "ch", "chap", "eqs", "fig", "figs", "sec", "sect", "par",
            "para", "ref", "refs",
            "approx",
            "bk", "ca", "c", "ed", "ver", "exp", "ext", "tel", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
            "sept", "oct", "nov", "dec", "temp", "apt", "rm", "al", "op", "rte", "b", "fl",
        ],
        closing: [
            "amb", "armd", "assoc", "asst", "ave", "ea", "bldg", "blvd", "brig", "bros", "cllr", "co", "corp", "det",
            "dept", "div", "esq", "hwy", "inc", "inf", "insp", "jr", "ln", "ltd", "msgr", "pkwy", "pl", "rd", "sr",
        ],
        closingBehindNames: ["dr", "st"],
        times: ["a.m", "p.m", "a.d", "b.c", "c.e", "b.c.e"],
        days: [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues", "wed",
            "thu", "thur", "thurs", "fri", "january", "february", "march",
            "april", "may", "june", "july", "august", "september", "october", "november", "december",
            "bst", "cdt", "cest", "cet", "cst", "ct", "edt", "est", "et", "gmt", "mdt", "mst", "pdt", "pst", "pt",
            "utc",
        ],
        letterNouns: [
            "act", "annex", "appendix", "block", "book", "category", "chapter", "class", "column", "exhibit",
            "figure",
            "flat", "gate", "grade", "group", "hepatitis", "item", "letter", "model", "option", "page", "part",
            "plan",
            "platform", "point", "room", "scene", "schedule", "section", "size", "step", "table", "team", "type",
            "unit", "vitamin", "volume", "war", "zone",
        ],
        letterWords: ["i"]
    )

    private static let german = SentenceAbbreviations(
        neverEnding: [
            "abb", "allg", "a.d", "bd", "bspw", "bzgl", "bzw", "ca", "d.h", "dipl", "dr", "dt", "engl", "evtl",
            "anm", "ehem", "einschl", "entspr",
            "frz", "gem", "ggü", "griech", "insb", "lat", "lfd", "m.e", "mind", "mtl", "tgl",
            "zw",
            "ev", "fa", "fr", "geb", "gegr", "gest", "gez", "ggf", "h.c", "hl", "hr", "hrn", "hrsg", "i.d.r", "ing",
            "inkl",
            "exkl",
            "k.k", "kath", "fam", "bes", "ggfs", "i.h.v", "i.s.d", "i.s.v", "jew", "rd", "urspr",
            "i.v.m", "inh", "kap", "lt", "med", "nr", "o.g", "phil", "prof", "rer", "s.a", "s.o", "s.u",
            "skt", "sog", "sprechstd", "st", "stellv", "u.a", "überarb",
            "u.g", "u.k", "u.u", "v.a", "vgl", "z.b", "z.hd", "z.t", "z.z", "z.zt", "zzgl", "zzt",
        ],
        neverEndingAsWritten: [
            "em", "Msp", "Ph", "Pr", "Th", "Wg", "a", "d", "e", "gg", "i", "n", "o", "u", "ü", "v", "wg", "z",
        ],
        pairs: ["m.E", "m.W", "p.P", "s.S"],
        beforeNumbers: [
            "s", "art", "abs", "abschn", "al", "exp", "op", "par", "temp", "pkt", "str", "tab", "tel", "bl", "jg",
            "ziff", "abl", "fn", "fußn", "postf",
            "bgbl",
            "gl", "bde", "bj", "bsp", "abf", "ank", "erm", "erw", "jhrg", "pos",
            "rgbl", "az", "kl", "rdn", "rn", "rz", "zi",
            "mo",
            "di", "mi", "do", "sa", "jan", "jän", "feb", "febr", "apr", "aug", "sep", "sept", "okt", "nov", "dez",
        ],
        beforeNumbersAtEnds: ["nr", "nrn", "str"],
        closing: [
            "a.a.o", "kps", "tr",
            "bhf", "co", "d.gr", "einw", "ew", "fl", "verf", "hann", "kto", "tg", "kgs", "tbl", "whg", "hbf", "d.m",
            "d.j",
            "pck", "pers", "sek", "std", "verl",
            "stk",
            "ebd",
            "e.v",
            "jh", "jhd",
            "jhs", "max",
            "mill", "min", "mio", "mrd", "n.chr", "v.chr", "tabl", "tägl", "stündl", "wöchentl", "monatl", "jährl",
            "nördl", "östl", "südl", "westl",
            "sen", "joh", "jun", "seb",
            "tsd",
        ],
        times: ["o.ä", "u.ä"],
        letterNouns: [
            "abschnitt", "anhang", "blatt", "buchstabe", "größe", "gruppe", "hepatitis", "kapitel", "klasse",
            "plan", "punkt",
            "stufe", "teil", "typ", "vitamin", "zone",
        ],
        months: [
            "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
            "november", "dezember", "jan", "jän", "feb", "febr", "mrz", "apr", "aug", "sep", "sept", "okt", "nov",
            "dez",
        ]
    )

    private static let french = SentenceAbbreviations(
        neverEnding: ["apr", "bât", "cf", "dr", "éd", "me", "mgr", "mlle", "mme", "p.ex", "pr", "st", "ste"],
        neverEndingAsWritten: ["Ch", "M", "MM", "Ph", "Th"],
        beforeNumbers: [
            "no", "nos", "al", "art", "ch", "chap", "ép", "éq", "esc", "op", "exp", "fig", "n", "trim", "p", "pp", "t",
            "tél", "th",
            "vol", "env",
            "janv",
            "févr",
            "avr",
            "juil",
            "sept", "oct", "nov", "déc", "cor", "ga", "gn", "jn", "jr", "lc", "lv", "matt", "mc", "mt", "nb", "ps",
            "rm",
            "rom", "lun", "mar", "ven", "sam", "dim",
        ],
        closing: ["av", "bd", "co", "coll", "ex", "gén", "inc", "ltd", "pl", "prof", "rég", "resp"],
        letterNouns: ["annexe", "classe", "groupe", "hépatite", "partie", "plan", "taille", "type", "vitamine", "zone"]
    )

    private static let spanish = SentenceAbbreviations(
        neverEnding: [
            "arq", "avda", "bco", "cdte", "cnel", "tte", "dras", "dres", "sras", "excma", "excmo", "ilma", "ilmo",
            "ntra",
            "d", "dña", "dr", "dra", "edif", "lcda", "lcdo", "ee", "ff", "mons", "rvdo", "gral", "ing", "lic",
            "p.ej",
            "pl", "prof", "pza", "sr",
            "sra", "srta", "sres",
            "sta", "sto", "ud", "uds", "vd", "vds", "admón",
        ],
        neverEndingAsWritten: ["Art", "CC", "Cap", "Fig", "JJ", "RR", "a", "cf"],
        beforeNumbers: [
            "no", "nos", "nro", "núm", "núms", "al", "apdo", "tlf",
            "art", "arts", "cant", "cap", "esc", "ext", "tels", "fig", "hab", "temp", "op", "máx", "mín",
            "párrf",
            "pág",
            "págs", "p", "pp",
            "s", "tel",
            "vol", "aprox", "cad", "ed", "fol", "ss", "vto", "ene", "feb", "abr", "jun", "jul", "ago", "sep", "sept",
            "oct", "nov", "dic",
        ],
        closing: [
            "a.c", "av", "cc.aa", "cc.oo", "cía", "d.c", "depto", "dpto", "ee.uu", "ff.aa", "hnos", "jj.oo", "rr.hh",
            "s.a", "s.l",
        ],
        letterNouns: ["anexo", "clase", "grupo", "hepatitis", "parte", "plan", "talla", "tipo", "vitamina", "zona"]
    )

    private static let estonian = SentenceAbbreviations(
        neverEnding: [
            "ca", "dots", "dr", "hr", "ing", "k.a", "kol", "kpt", "lp", "mag", "mh", "n-ö", "nn", "nt", "pr", "prl",
            "prof", "s.o", "s.t", "sh", "st", "u", "v.a", "vrd", "vt", "õp",
        ],
        beforeNumbers: [
            "art", "exp", "krt", "lg", "lk", "nr", "op", "p", "ptk", "sünd", "surn", "tel", "kl", "jaan", "veebr",
            "apr", "aug", "sept",
            "okt",
            "nov", "dets",
        ],
        closing: [
            "a", "eks", "e.kr", "ekr", "p.kr", "pkr", "jm", "jt", "krv", "kt", "m.a.j", "mnt", "pst", "saj", "tn",
        ],
        letterNouns: ["hepatiit", "klass", "lisa", "osa", "plaan", "punkt", "rühm", "tüüp", "vitamiin"],
        months: [
            "jaanuar", "veebruar", "märts", "aprill", "mai", "juuni", "juuli", "august", "september", "oktoober",
            "november", "detsember",
        ]
    )

    private static let danish = SentenceAbbreviations(
        months: [
            "januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober",
            "november",
            "december",
        ]
    )

    private static let italian = SentenceAbbreviations(
        neverEnding: [
            "art", "avv", "arch", "cap", "dott", "dr", "es", "fig", "geom", "ing", "mons", "on", "pag", "prof",
            "rag",
            "sig", "sigg", "vol",
        ]
    )

    private static let portuguese = SentenceAbbreviations(
        neverEnding: ["art", "cap", "dr", "dra", "eng", "exmo", "fig", "pág", "p.ex", "prof", "sr", "sra", "vol"]
    )

    private static let dutch = SentenceAbbreviations(
        neverEnding: ["bijv", "bv", "dhr", "dr", "drs", "fig", "ir", "mevr", "mr", "mw", "nr", "prof"]
    )

    private static let finnish = SentenceAbbreviations(neverEnding: [
        "esim", "fil", "klo", "mm", "ns", "nro", "prof", "ts", "tri",
    ])

    private static let greek = SentenceAbbreviations(neverEnding: ["αρ", "βλ", "δρ", "κ", "κα", "π.χ", "σελ"])

    private static let russian = SentenceAbbreviations(
        neverEnding: [
            "акад", "г", "гг", "д", "им", "напр", "проф", "рис", "см", "ср", "стр", "т", "т.е", "т.к", "табл", "ул",
        ]
    )
}
