/// A fault of a pronunciation dictionary, with its line (the first is 1).
package enum PronunciationDictionaryError: UserFacingError, Equatable {
    case tooLarge
    case tooManyEntries(line: Int)
    case missingEqualsSign(line: Int)
    case missingWord(line: Int)
    case missingReplacement(line: Int)
    case unclosedQuotes(line: Int)
    case unclosedPhonemes(line: Int)
    case misplacedStar(line: Int)
    case wordTooLong(line: Int)
    case phonemesTooLong(line: Int)

    package var failure: Failure {
        switch self {
        case .tooLarge:
            Failure(.invalidContent, "dictionary.too-large", "The pronunciation dictionary is larger than 1 MB.")
                .suggesting("Split it and use the part the text needs.")
        case .tooManyEntries(let line):
            Self.failure("dictionary.too-many-entries", at: line, "is one entry too many")
                .suggesting("A dictionary holds at most 50,000 entries; take out those the text does not need.")
        case .missingEqualsSign(let line):
            Self.failure("dictionary.missing-equals-sign", at: line, "has no equals sign")
                .suggesting("Write “word = replacement” or “word = /ipa/”, and “#” before a comment.")
        case .missingWord(let line):
            Self.failure("dictionary.missing-word", at: line, "has no word before the equals sign")
                .suggesting("Write the word to be replaced before the equals sign.")
        case .missingReplacement(let line):
            Self.failure("dictionary.missing-replacement", at: line, "has nothing after the equals sign")
                .suggesting("Write what is to be said after the equals sign: words, or phonemes between slashes.")
        case .unclosedQuotes(let line):
            Self.failure("dictionary.unclosed-quotes", at: line, "has quotes that are not closed")
                .suggesting("Write “\"word\" = replacement” with quotes on both sides of the word.")
        case .unclosedPhonemes(let line):
            Self.failure("dictionary.unclosed-phonemes", at: line, "has phonemes that do not end with a slash")
                .suggesting("Write phonemes between two slashes: “word = /ipa/”.")
        case .misplacedStar(let line):
            Self.failure("dictionary.misplaced-star", at: line, "has a star where none can stand")
                .suggesting("Write “pre* = …” or “*post = …”: one star, at one end of a single word.")
        case .wordTooLong(let line):
            Self.failure("dictionary.word-too-long", at: line, "has a word that is too long")
                .suggesting("A word or phrase has at most 200 characters, and one with a star at most 64.")
        case .phonemesTooLong(let line):
            Self.failure("dictionary.phonemes-too-long", at: line, "has too many phonemes")
                .suggesting(
                    "An entry has at most 200 phonemes, stress marks counted; write a longer phrase as several entries."
                )
        }
    }

    private static func failure(_ code: String, at line: Int, _ fault: String) -> Failure {
        Failure(.invalidContent, code, "Line \(line) of the pronunciation dictionary \(fault).")
    }
}
