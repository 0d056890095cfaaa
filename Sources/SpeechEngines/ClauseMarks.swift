import EchoText

/// The marks that Piper's voices know, for the marks that end a clause in many scripts.
struct ClauseMarks: Sendable {
    private let marks: [Unicode.Scalar: String]

    /// - Parameter language: A BCP 47 tag; Greek writes a question mark as a semicolon.
    init(language: String) {
        let isGreek = ["el", "grc"].contains(LanguageTag.language(of: language))
        marks = isGreek ? Self.common.merging([";": "?", "·": ";", "\u{387}": ";"]) { $1 } : Self.common
    }

    /// The first mark of `scalars`, unless a letter or a number comes before it.
    func first(in scalars: some Sequence<Unicode.Scalar>) -> String? {
        for scalar in scalars {
            if let mark = marks[scalar] { return mark }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return nil }
        }
        return nil
    }

    private static let common: [Unicode.Scalar: String] = [
        ".": ".", "。": ".", "｡": ".", "．": ".", "।": ".", "॥": ".", "…": ".", "۔": ".", "։": ".", "።": ".", "။": ".",
        "!": "!", "！": "!", "¡": "!", "՜": "!",
        "?": "?", "？": "?", "؟": "?", "¿": "?", "՞": "?", "፧": "?", "\u{37E}": "?",
        ",": ",", "，": ",", "、": ",", "､": ",", "،": ",", "፣": ",", "—": ",", "–": ",", "(": ",", ")": ",",
        ";": ";", "；": ";", "؛": ";", "፤": ";",
        ":": ":", "：": ":",
    ]
}
