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

    package var code: String {
        switch self {
        case .tooLarge: "dictionary.too-large"
        case .tooManyEntries: "dictionary.too-many-entries"
        case .missingEqualsSign: "dictionary.missing-equals-sign"
        case .missingWord: "dictionary.missing-word"
        case .missingReplacement: "dictionary.missing-replacement"
        case .unclosedQuotes: "dictionary.unclosed-quotes"
        case .unclosedPhonemes: "dictionary.unclosed-phonemes"
        case .misplacedStar: "dictionary.misplaced-star"
        case .wordTooLong: "dictionary.word-too-long"
        case .phonemesTooLong: "dictionary.phonemes-too-long"
        }
    }

    package var message: String {
        switch self {
        case .tooLarge: "The pronunciation dictionary is larger than 1 MB."
        case .tooManyEntries(let line): "Line \(line) of the pronunciation dictionary is one entry too many."
        case .missingEqualsSign(let line): "Line \(line) of the pronunciation dictionary has no equals sign."
        case .missingWord(let line): "Line \(line) of the pronunciation dictionary has no word before the equals sign."
        case .missingReplacement(let line):
            "Line \(line) of the pronunciation dictionary has nothing after the equals sign."
        case .unclosedQuotes(let line): "Line \(line) of the pronunciation dictionary has quotes that are not closed."
        case .unclosedPhonemes(let line):
            "Line \(line) of the pronunciation dictionary has phonemes that do not end with a slash."
        case .misplacedStar(let line):
            "Line \(line) of the pronunciation dictionary has a star where none can stand."
        case .wordTooLong(let line): "Line \(line) of the pronunciation dictionary has a word that is too long."
        case .phonemesTooLong(let line): "Line \(line) of the pronunciation dictionary has too many phonemes."
        }
    }

    package var suggestion: String? {
        switch self {
        case .tooLarge: "Split it and use the part the text needs."
        case .tooManyEntries: "A dictionary holds at most 50,000 entries; take out those the text does not need."
        case .missingEqualsSign: "Write “word = replacement” or “word = /ipa/”, and “#” before a comment."
        case .missingWord: "Write the word to be replaced before the equals sign."
        case .missingReplacement: "Write what is to be said after the equals sign: words, or phonemes between slashes."
        case .unclosedQuotes: "Write “\"word\" = replacement” with quotes on both sides of the word."
        case .unclosedPhonemes: "Write phonemes between two slashes: “word = /ipa/”."
        case .misplacedStar: "Write “pre* = …” or “*post = …”: one star, at one end of a single word."
        case .phonemesTooLong:
            "An entry has at most 200 phonemes, stress marks counted; write a longer phrase as several entries."
        case .wordTooLong: "A word or phrase has at most 200 characters, and one with a star at most 64."
        }
    }
}
