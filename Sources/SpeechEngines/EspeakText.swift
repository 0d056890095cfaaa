import EchoText

/// A phrase as `espeak_Synth` reads it, phonemes spelled in espeak-ng's own way between `[[` and `]]`.
struct EspeakText {
    private(set) var engineText = EngineText()

    init(_ phrase: SpokenText, spelling: EspeakPhonemeSpelling) {
        for piece in phrase.pieces {
            switch piece.content {
            case .written(let text): engineText.append(written: Self.plain(text), at: piece.source.lowerBound)
            case .words(let text): engineText.append(Self.plain(text), for: piece.source)
            case .phonemes(let ipa): engineText.append("[[\(spelling.mnemonics(for: ipa))]]", for: piece.source)
            }
        }
    }

    var string: String { engineText.string }

    /// `text` with nothing in it that espeak-ng takes for an instruction, as many UTF-16 units as before.
    private static func plain(_ text: String) -> String {
        guard text.contains("[[") || text.contains("\0") else { return text }
        return text.replacing("[[", with: "( ").replacing("\0", with: " ")
    }
}
