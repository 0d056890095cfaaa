package import EchoText

/// Finds sentences and words by the simplest rules that hold for plain English.
package struct PlainSegmenter: TextSegmenter {
    package init() {}

    package func sentences(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        var sentences: [TextRange] = []
        var start = 0
        for index in units.indices where index > 0 && isSpace(units[index - 1]) && !isSpace(units[index]) {
            let before = units[start..<index].last { !isSpace($0) }
            guard let before, [0x2E, 0x21, 0x3F].contains(before) else { continue }
            sentences.append(start..<index)
            start = index
        }
        return start < units.count ? sentences + [start..<units.count] : sentences
    }

    package func words(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        var words: [TextRange] = []
        var start: Int?
        for index in 0...units.count {
            let isWord =
                index < units.count
                && (Unicode.Scalar(units[index])?.properties.isAlphabetic ?? true
                    || (0x30...0x39).contains(units[index]))
            if isWord, start == nil { start = index }
            if !isWord, let begun = start {
                words.append(begun..<index)
                start = nil
            }
        }
        return words
    }

    private func isSpace(_ unit: UInt16) -> Bool { unit == 0x20 || (0x09...0x0D).contains(unit) }
}
