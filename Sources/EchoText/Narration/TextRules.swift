/// The language that a text is read in, and its preparation.
struct TextRules: Sendable {
    /// A BCP 47 tag.
    var language: String
    var preparation: TextPreparation

    /// These rules, or those of the language that `text` is clearly in if it is another.
    func adapted(to text: String) -> TextRules {
        guard LanguageGuess.knows(language), let found = LanguageGuess.language(of: text),
            found != LanguageTag.language(of: language)
        else { return self }
        return TextRules(language: found, preparation: preparation.adapted(to: found))
    }
}
