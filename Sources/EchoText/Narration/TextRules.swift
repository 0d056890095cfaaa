/// The language that a text is read in, and its preparation.
struct TextRules: Sendable {
    /// A BCP 47 tag.
    var language: String
    var preparation: TextPreparation

    /// The rules of a stated language; these if it is the same, whose region then stays.
    func of(_ stated: String) -> TextRules {
        guard LanguageTag.language(of: stated) != LanguageTag.language(of: language) else { return self }
        return TextRules(language: stated, preparation: preparation.adapted(to: stated))
    }

    /// These rules, or those of the language that `text` is clearly in if it is another.
    func adapted(to text: String) -> TextRules {
        guard LanguageGuess.knows(language), let found = LanguageGuess.language(of: text),
            found != LanguageTag.language(of: language)
        else { return self }
        return TextRules(language: found, preparation: preparation.adapted(to: found))
    }
}
