/// Sentences and words as they are heard: what nobody sees in a text (soft hyphens, zero-width characters, odd spaces)
/// neither divides nor joins them.
extension TextSegmenter {
    /// The sentences of `text` by its plain form, in its own units and together covering all of it.
    func heardSentences(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        let clean = CleanText(cleaning: units)
        guard !clean.isIdentity, !clean.units.isEmpty else { return sentences(in: text, language: language) }
        let plain = String(decoding: clean.units, as: UTF16.self)
        var found: [TextRange] = []
        var start = 0
        for range in sentences(in: plain, language: language) {
            let end = range.upperBound < clean.units.count ? Int(clean.ends[range.upperBound - 1]) : units.count
            guard end > start else { continue }
            found.append(start..<end)
            start = end
        }
        return found
    }

    /// The words of `text` by its plain form, in its own units: each once, with all that is written within it.
    func heardWords(in text: String, language: String) -> [TextRange] {
        let clean = CleanText(cleaning: Array(text.utf16))
        guard !clean.isIdentity else { return words(in: text, language: language) }
        let plain = String(decoding: clean.units, as: UTF16.self)
        var found: [TextRange] = []
        for range in words(in: plain, language: language) {
            let source = clean.source(of: range)
            guard source.lowerBound >= found.last?.upperBound ?? 0, !source.isEmpty else { continue }
            found.append(source)
        }
        return found
    }
}
