import EchoText

/// A ``SpokenText`` as an engine reads it: one run of Unicode scalars, each knowing where it was written.
struct EngineText {
    private(set) var scalars: [Unicode.Scalar] = []
    private(set) var sources: [TextRange] = []

    init() {}

    /// Takes `text` as it is written, from UTF-16 unit `start` of the whole text on.
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

    /// Takes `text` as what is said for `source`, a word of its own.
    mutating func append(_ text: String, for source: TextRange) {
        separate(from: text.unicodeScalars.first)
        for scalar in text.unicodeScalars {
            scalars.append(scalar)
            sources.append(source)
        }
    }

    /// Where what is said in `range`, in scalars, is written, without white space at its ends; `nil` when there is no more.
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

    /// Keeps what follows from being the same word.
    mutating func endWord() { separate() }

    /// Keeps two words that stand for different writings from running into one.
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
