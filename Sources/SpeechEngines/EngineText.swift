import EchoText

/// A ``SpokenText`` as an engine reads it: one run of Unicode scalars, each with its place in the written text.
struct EngineText {
    private(set) var scalars: [Unicode.Scalar] = []
    private(set) var sources: [TextRange] = []

    init() {}

    /// Appends `text` as it is written, at UTF-16 unit `start` of the whole text.
    mutating func append(written text: String, at start: Int) {
        if scalars.last == "[", text.unicodeScalars.first == "[" { separate() }
        var unit = start
        for scalar in text.unicodeScalars {
            let width = UTF16.width(scalar)
            scalars.append(scalar)
            sources.append(unit..<unit + width)
            unit += width
        }
    }

    /// Appends `text` as the spoken form of `source`, as a separate word.
    mutating func append(_ text: String, for source: TextRange) {
        separate(from: text.unicodeScalars.first)
        for scalar in text.unicodeScalars {
            scalars.append(scalar)
            sources.append(source)
        }
    }

    /// The written range of the scalars in `range`, without white space at its ends; `nil` for white space only.
    func source(of range: Range<Int>) -> TextRange? {
        let clamped = scalars[range.clamped(to: 0..<scalars.count)]
        guard let first = clamped.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = clamped.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        return sources[first...last].reduce(sources[first]) { whole, part in
            min(whole.lowerBound, part.lowerBound)..<max(whole.upperBound, part.upperBound)
        }
    }

    /// The text as a string.
    var string: String {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: scalars)
        return String(string)
    }

    /// The runs between spaces, in scalars.
    var tokens: [Range<Int>] {
        var tokens: [Range<Int>] = []
        var start: Int?
        for (index, scalar) in scalars.enumerated() {
            if scalar.properties.isWhitespace {
                if let begun = start { tokens.append(begun..<index) }
                start = nil
            } else if start == nil {
                start = index
            }
        }
        if let start { tokens.append(start..<scalars.count) }
        return tokens
    }

    /// Ends the current word, so that the next text starts a new one.
    mutating func endWord() { separate() }

    /// Separates two words with different written ranges.
    private mutating func separate(from next: Unicode.Scalar?) {
        guard let last = scalars.last, let next else { return }
        guard last.properties.isAlphabetic || last.properties.numericType != nil || last == "[" else { return }
        guard next.properties.isAlphabetic || next.properties.numericType != nil || next == "[" else { return }
        separate()
    }

    private mutating func separate() {
        guard let source = sources.last else { return }
        scalars.append(" ")
        sources.append(source.upperBound..<source.upperBound)
    }
}
