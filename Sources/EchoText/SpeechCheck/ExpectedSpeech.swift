/// The expected speech of a sentence: its spoken words, each with its range in the text.
package struct ExpectedSpeech: Sendable {
    struct Word: Sendable, Hashable {
        /// As ``Swift/String/comparedWord`` has it.
        let text: String
        /// Its range in UTF-16 units from the start of the sentence; words spoken for one sign share its range.
        let source: TextRange
    }

    let words: [Word]
    private let units: [UInt16]
    private let preparation: TextPreparation

    /// - Parameters:
    ///   - sentence: The sentence's text.
    ///   - preparation: The preparation of the text for speech.
    package init(of sentence: String, by preparation: TextPreparation) {
        self.preparation = preparation
        let units = Array(sentence.utf16)
        self.units = units
        words = preparation.prepare(sentence, at: 0).pieces.flatMap { piece -> [Word] in
            switch piece.content {
            case .written(let text): Self.words(of: text) { $0.offset(by: piece.source.lowerBound) }
            case .words(let words): Self.words(of: words) { _ in piece.source }
            case .phonemes:
                Self.words(of: String(decoding: units[piece.source.clamped(to: units.indices)], as: UTF16.self)) {
                    $0.offset(by: piece.source.lowerBound)
                }
            }
        }
    }

    /// The range in the text of the words in `range`, without the punctuation around them; empty for no words.
    func source(of range: Range<Int>) -> TextRange {
        guard let first = words[range].map(\.source.lowerBound).min(),
            let last = words[range].map(\.source.upperBound).max()
        else {
            let place = range.lowerBound < words.count ? words[range.lowerBound].source.lowerBound : units.count
            return place..<place
        }
        return first..<last
    }

    func written(_ source: TextRange) -> String {
        String(decoding: units[source.clamped(to: units.indices)], as: UTF16.self)
    }

    /// The letters that may be written down where the words in `range` are said.
    func spellings(of range: Range<Int>) -> Set<[Unicode.Scalar]> {
        let said = words[range].map(\.text).joined(separator: " ")
        return preparation.letters(of: said).union(preparation.letters(of: written(source(of: range))))
    }

    private static func words(of text: String, _ place: (TextRange) -> TextRange) -> [Word] {
        let units = Array(text.utf16)
        return text.spokenWords.compactMap { range in
            let word = String(decoding: units[range], as: UTF16.self).comparedWord
            return word.isEmpty ? nil : Word(text: word, source: place(range))
        }
    }
}

extension TextPreparation {
    /// The letters and digits of `text`, in every spelling of its spoken form.
    func letters(of text: String) -> Set<[Unicode.Scalar]> {
        Set(([text] + spellings(of: text)).map { Array($0.comparedWord.unicodeScalars) })
    }
}

extension TextRange {
    fileprivate func offset(by distance: Int) -> TextRange { lowerBound + distance..<upperBound + distance }
}
