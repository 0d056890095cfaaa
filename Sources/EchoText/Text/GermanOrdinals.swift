/// German numbers that a full stop before a noun makes ordinals.
package enum GermanOrdinals {
    /// Whether a number with a full stop is one between two words, in lower case, of which the second has a capital letter.
    package static func isOrdinal(before: String, after: String) -> Bool {
        nouns.contains(after)
            || !after.isEmpty && determiners.contains(before) && !SentenceOpeners.contains(after, language: "de")
    }

    /// Words behind which two numbers with full stops are a day and a month: “am 24.12.”.
    package static let wordsBeforeDays: Set<String> = ["ab", "am", "bis", "dem", "den", "seit", "vom", "zum"]

    /// Words for parts of a text, whose numbers may have full stops as days do: “Abschnitte bis 3.4.”.
    static let wordsForParts: Set<String> = [
        "abschnitt", "abschnitte", "abschnitten", "abbildung", "abbildungen", "anhang", "kapitel", "kapiteln", "nr",
        "nummer", "nummern", "punkt", "punkte", "punkten", "tabelle", "tabellen", "teil", "teile", "version",
        "versionen", "ziffer", "ziffern",
    ]

    /// Nouns that are counted in order more often than they begin sentences behind numbers.
    private static let nouns: Set<String> = [
        "abschnitt", "akt", "auflage", "ausgabe", "band", "bezirk", "buch", "etage", "etappe", "geburtstag",
        "jahrestag", "jahrgang", "jahrhundert", "jahrhunderts", "jahrtausend", "jahrtausends", "kapitel", "kapitels",
        "klasse", "kreuzzug", "lebensjahr", "mal", "monat", "obergeschoss", "platz", "quartal", "rang", "runde",
        "satz", "semester", "stock", "strophe", "stunde", "tag", "tages", "teil", "weltkrieg", "weltkrieges",
        "weltkriegs", "woche",
    ]

    /// Words after which a number with a full stop ends no sentence, unless a word follows with which sentences begin.
    private static let determiners: Set<String> = [
        "ab", "am", "beim", "das", "dem", "den", "der", "des", "die", "diese", "diesem", "diesen", "dieser", "dieses",
        "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "ins", "jede", "jedem", "jeden", "jeder", "jedes", "mein",
        "meine", "meinem", "meinen", "meiner", "sein", "seine", "seinem", "seinen", "seiner", "unser", "unsere",
        "unserem", "unseren", "unserer", "vom", "zum", "zur",
    ]
}
