/// A stretch of a document that it says to be in another language than the rest.
package struct LanguagePassage: Sendable, Hashable, Codable {
    package var range: TextRange
    /// A BCP 47 tag in canonical form.
    package var language: String

    package init(range: TextRange, language: String) {
        self.range = range
        self.language = language
    }
}

/// The languages of a text, as far as its document states them or its words show them.
package struct TextLanguages: Sendable, Hashable, Codable {
    /// The language of the text, as a BCP 47 tag; `nil` if it is not known.
    package var main: String?
    /// Its passages in other languages, in order, apart.
    package var passages: [LanguagePassage]

    package init(main: String?, passages: [LanguagePassage] = []) {
        self.main = main
        self.passages = passages
    }
}

extension [LanguagePassage] {
    /// Describes what is wrong with the passages of a text of `length` UTF-16 units; `nil` if nothing is.
    func violation(ofLength length: Int) -> String? {
        var end = 0
        for passage in self {
            guard passage.range.lowerBound >= end, passage.range.upperBound <= length, !passage.range.isEmpty else {
                return "passages are in the text, in order, apart"
            }
            guard LanguageTag.stated(passage.language) == passage.language else {
                return "a passage's language is a canonical tag"
            }
            end = passage.range.upperBound
        }
        return nil
    }
}
