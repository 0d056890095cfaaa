/// The ways in which what is said for a text may be written down.
extension TextPreparation {
    /// The text as it is said, with its numbers in words and in digits.
    ///
    /// One who writes down speech may write “1984”, “nineteen eighty-four” or “one thousand nine hundred eighty-four”.
    ///
    /// - Returns: Each once, the one with digits as they are said first.
    package func spellings(of text: String) -> [String] {
        let said = said(for: text)
        return [said, spelled(said, asYears: false), spelled(said, asYears: true)].reduce(into: []) { all, spelling in
            if !all.contains(spelling) { all.append(spelling) }
        }
    }

    /// What is said for `text`; what is given as phonemes stays as it is written.
    private func said(for text: String) -> String {
        let units = Array(text.utf16)
        return prepare(text, at: 0).pieces.map { piece in
            switch piece.content {
            case .written(let text): text
            case .words(let words): " \(words) "
            case .phonemes: String(decoding: units[piece.source.clamped(to: units.indices)], as: UTF16.self)
            }
        }.joined()
    }

    private func spelled(_ text: String, asYears: Bool) -> String {
        guard let numerals = rules?.numerals else { return text }
        return text.split(whereSeparator: \.isWhitespace).map { word in
            let digits = String(word).comparedWord
            guard digits.count <= Self.maximumDigits, let number = Int(digits), number >= 0 else { return String(word) }
            return (asYears ? numerals.year?(number) : nil) ?? numerals.cardinal(number, nil)
        }.joined(separator: " ")
    }

    /// What the rules of a language have words for.
    private static let maximumDigits = 15
}
