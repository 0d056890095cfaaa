import EchoText

/// A phrase as `espeak_Synth` reads it, phonemes spelled in espeak-ng's own way between `[[` and `]]`.
///
/// Phonemes that follow one another are one word; one of more than ``longestWord`` is cut, since from some 230 on espeak-ng says nothing of it
/// and from some 350 on it writes beyond its memory.
struct EspeakText {
    /// Most phonemes of a word, in Unicode scalars.
    private static let longestWord = 200

    private(set) var engineText = EngineText()

    init(_ phrase: SpokenText, spelling: EspeakPhonemeSpelling) {
        var word = 0
        for piece in phrase.pieces {
            if case .phonemes(let ipa) = piece.content {
                let count = ipa.unicodeScalars.count
                if word > 0, word + count > Self.longestWord {
                    engineText.endWord()
                    word = 0
                }
                word += count
            } else {
                word = 0
            }
            switch piece.content {
            case .written(let text):
                engineText.append(written: text.withoutEspeakInstructions, at: piece.source.lowerBound)
            case .words(let text): engineText.append(text.withoutEspeakInstructions, for: piece.source)
            case .phonemes(let ipa): engineText.append("[[\(spelling.mnemonics(for: ipa))]]", for: piece.source)
            }
        }
    }

    var string: String { engineText.string }
}
