/// Finds sentences and words in a language's own way.
///
/// - SeeAlso: Unicode Standard Annex 29, Text Segmentation.
package protocol TextSegmenter: Sendable {
    /// Cuts `text` into sentences.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - language: A BCP 47 tag; an unknown one is cut by rules that hold for most.
    /// - Returns: In order, together covering every unit of the text; a sentence keeps the white space after it.
    func sentences(in text: String, language: String) -> [TextRange]

    /// The words of `text`, in order: runs with a letter, a digit or an ideograph in them. Marks and spaces are left out.
    func words(in text: String, language: String) -> [TextRange]
}

/// Sentences and words as they are heard: what nobody sees in a text (soft hyphens, zero-width characters, odd spaces)
/// neither divides nor joins them.
extension TextSegmenter {
    /// The sentences of `text` by its plain form, in its own units and together covering all of it.
    func plainSentences(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        let clean = CleanText(cleaning: units)
        guard !clean.isIdentity, !clean.units.isEmpty else { return sentences(in: text, language: language) }
        let plain = String(decoding: clean.units, as: UTF16.self)
        var found: [TextRange] = []
        var start = 0
        for range in sentences(in: plain, language: language) {
            let end = range.upperBound < clean.units.count ? Int(clean.ends[range.upperBound - 1]) : units.count
            guard end > start else { continue }
            found.append(start..<end)
            start = end
        }
        return found
    }

    /// The words of `text` by its plain form, in its own units: each once, with all that is written within it.
    func plainWords(in text: String, language: String) -> [TextRange] {
        let clean = CleanText(cleaning: Array(text.utf16))
        guard !clean.isIdentity else { return words(in: text, language: language) }
        let plain = String(decoding: clean.units, as: UTF16.self)
        var found: [TextRange] = []
        for range in words(in: plain, language: language) {
            let source = clean.source(of: range)
            guard source.lowerBound >= found.last?.upperBound ?? 0, !source.isEmpty else { continue }
            found.append(source)
        }
        return found
    }
}

/// Words with which sentences begin and which no name begins with: pronouns, articles, conjunctions and the like.
///
/// After an abbreviation that may end a sentence (“12 Oak Dr.”, “in the U.S.”), such a word with a capital letter shows that
/// it did.
package enum SentenceOpeners {
    /// Whether `word`, in lower case, is one in the language with this two-letter code.
    package static func contains(_ word: String, language: String) -> Bool {
        words[language]?.contains(word) ?? false
    }

    private static let words = [
        "de": german, "en": english, "es": spanish, "et": estonian, "fr": french,
    ]

    private static let english: Set<String> = [
        "a", "after", "all", "although", "an", "and", "are", "as", "at", "because", "before", "both", "but", "can",
        "could", "did", "do", "does", "during", "each", "every", "finally", "first", "for", "from", "had", "has",
        "have", "he", "her", "here", "his", "how", "however", "i", "if", "in", "is", "it", "its", "later", "let",
        "many", "maybe", "meanwhile", "most", "my", "never", "next", "nobody", "nor", "not", "nothing", "now", "of",
        "on", "once", "one", "only", "or", "our", "perhaps", "please", "several", "she", "should", "since", "so",
        "some", "soon", "still", "such", "that", "the", "their", "then", "there", "these", "they", "this", "those",
        "though", "thus", "to", "today", "tomorrow", "under", "until", "was", "we", "were", "what", "when", "where",
        "whether", "which", "while", "why", "will", "with", "would", "yes", "yesterday", "yet", "you", "your",
    ]

    private static let german: Set<String> = [
        "aber", "alle", "alles", "als", "also", "am", "an", "auch", "auf", "aus", "bei", "beim", "bis", "bitte",
        "da",
        "dabei", "dafür", "daher", "damals", "damit", "danach", "dann", "daraus", "darum", "das", "dass", "dem",
        "den", "denn", "der", "deren", "des", "deshalb", "die", "dies", "diese", "dieser", "dieses", "doch", "dort",
        "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "einige", "er", "erst", "es", "für",
        "gegen", "hat", "heute", "hier", "hinter", "ich", "ihr", "ihre", "im", "immer", "in", "ist", "ja", "jede",
        "jeder", "jedoch", "jetzt", "kein", "keine", "können", "man", "mein", "meine", "mit", "morgen", "nach",
        "nein", "nicht", "nichts", "niemand", "noch", "nun", "nur", "ob", "oder", "ohne", "schon", "sein", "seine",
        "seit", "sie", "sind", "so", "sobald", "solche", "sonst", "später", "trotzdem", "über", "um", "und", "uns",
        "unser", "unsere", "unter", "viele", "vielleicht", "vom", "von", "vor", "wann", "war", "waren", "warum",
        "was", "weder", "weil", "welche", "wenn", "wer", "wie", "wir", "wird", "wo", "wohl", "zu", "zuerst",
        "zuletzt",
        "zum", "zur", "zwischen",
    ]

    private static let french: Set<String> = [
        "à", "ainsi", "alors", "après", "au", "aucun", "aujourd'hui", "aussi", "aux", "avant", "avec", "ce", "cela",
        "cependant", "ces", "cet", "cette", "chaque", "comme", "comment", "dans", "depuis", "des", "donc", "du",
        "elle",
        "elles", "en", "enfin", "ensuite", "et", "il", "ils", "j'ai", "je", "la", "le", "les", "leur", "leurs",
        "lorsque", "ma", "mais", "mes", "mon", "ne", "non", "nos", "notre", "nous", "on", "or", "ou", "où", "oui",
        "par",
        "pendant", "personne", "peut", "plus", "pour", "pourquoi", "puis", "quand", "que", "quel", "quelle", "qui",
        "rien", "sa", "sans", "ses", "si", "son", "sous", "sur", "ta", "toutefois", "tous", "tout", "toutes", "tu",
        "un", "une", "vers", "voici", "voilà", "vos", "votre", "vous", "c'est", "c'était", "d'abord", "s'il",
    ]

    private static let spanish: Set<String> = [
        "a", "ahora", "al", "algunos", "allí", "además", "ante", "antes", "aquí", "así", "aunque", "ayer", "cada",
        "como", "cómo", "con", "cuando", "cuándo", "de", "desde", "después", "donde", "dónde", "durante", "él",
        "el",
        "ella", "ellas", "ellos", "en", "entonces", "era", "es", "esa", "ese", "eso", "esta", "está", "este",
        "esto",
        "fue", "ha", "hace", "hasta", "hay", "hoy", "la", "las", "le", "les", "lo", "los", "luego", "más", "mi",
        "muchos",
        "nada", "nadie", "ni", "no", "nos", "nosotros", "nuestra", "nuestro", "o", "otra", "otro", "para", "pero",
        "por",
        "porque", "pues", "que", "qué", "quien", "quién", "se", "según", "si", "sí", "sin", "sobre", "son", "su",
        "sus",
        "también", "tampoco", "todo", "todos", "tras", "tu", "tú", "un", "una", "y", "ya", "yo",
    ]

    private static let estonian: Set<String> = [
        "aga", "alles", "ammu", "edasi", "ehk", "ei", "eile", "ent", "et", "ega", "enne", "esmalt", "homme",
        "hiljem",
        "iga", "ja", "juba", "kas", "keegi", "kes", "keda", "kell", "kogu", "kohe", "koos", "kuhu", "kui", "kuid",
        "kuidas", "kuna", "kus", "kust", "kõik", "kõige", "lõpuks", "ma", "me", "meie", "mida", "miks", "mina",
        "mis",
        "missugune", "mitte", "mitu", "mõni", "nad", "need", "nemad", "nende", "nii", "niisiis", "ning", "nüüd",
        "oli", "olid", "on", "palun", "peagi", "pärast", "pealegi", "sa", "samuti", "seal", "see", "seda", "seega",
        "seejärel", "selle", "sellest", "sest", "siin", "siis", "sina", "ta", "te", "teda", "teie", "tema",
        "temast",
        "tol", "too", "täna", "umbes", "veel", "vaid", "või", "üks",
    ]
}
