import EchoText

/// A phrase as `espeak_Synth` reads it, phonemes spelled in espeak-ng's own way between `[[` and `]]`.
///
/// Consecutive phonemes are one word. A word of more than ``longestWord`` phonemes is split, since espeak-ng does not
/// speak words of more than some 230, and writes beyond its buffer from some 350 on.
struct EspeakText {
    /// The limit on the phonemes of a word, in Unicode scalars.
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
