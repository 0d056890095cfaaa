import EchoText

/// A phrase as `espeak_Synth` reads it, phonemes spelled in espeak-ng's own way between `[[` and `]]`.
struct EspeakText {
    private(set) var engineText = EngineText()

    init(_ phrase: SpokenText, spelling: EspeakPhonemeSpelling) {
        for piece in phrase.pieces {
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
