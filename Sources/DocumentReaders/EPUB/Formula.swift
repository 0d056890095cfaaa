import EchoText

/// Reads MathML: powers as raised figures, fractions with a word between their parts.
struct Formula {
    /// The word between the parts of a fraction; a slash in other languages than these.
    private static let overs = ["de": "durch", "en": "over", "es": "sobre", "et": "jagatud", "fr": "sur"]
    private static let roots: [String: String] = [
        "de": "Wurzel aus", "en": "the square root of", "es": "la raíz cuadrada de", "et": "ruutjuur",
        "fr": "racine carrée de",
    ]
    private static let powers: [String: String] = [
        "de": "hoch", "en": "to the power of", "es": "elevado a", "et": "astmes", "fr": "puissance",
    ]
    /// Function application, invisible times, separator and plus.
    private static let invisible: ClosedRange<Unicode.Scalar> = "\u{2061}"..."\u{2064}"
    /// The deepest nesting that is read.
    private static let deepest = 64

    private let language: String

    /// - Parameter language: The document's language, as a two-letter code.
    init(language: String) {
        self.language = language
    }

    /// The words of a `math` element: those its author wrote, else those of its structure.
    func words(of math: Element) -> String {
        let written = math.attribute("alttext")?.trimmed ?? ""
        if !written.isEmpty, !Self.isTeX(written) { return written }
        let read = list(math, depth: 0).trimmed
        return read.isEmpty ? written : read
    }

    /// Whether words about a formula are its source, as programs put them there.
    private static func isTeX(_ words: String) -> Bool {
        words.contains("\\") || words.contains("^{") || words.contains("_{") || words.hasPrefix("$")
    }

    private func list(_ element: Element, depth: Int) -> String {
        var line = ""
        for part in element.elements {
            let words = read(part, depth: depth)
            guard let first = words.first else { continue }
            let joins = line.last.map { "([{".contains($0) } == true || ")]},;".contains(first)
            line += line.isEmpty || joins ? words : " " + words
        }
        if line.isEmpty, !element.elements.contains(where: { _ in true }) { return token(element) }
        return line
    }

    private func token(_ element: Element) -> String {
        let text = element.text.unicodeScalars.filter { !Self.invisible.contains($0) }
        let words = String(String.UnicodeScalarView(text)).trimmed
        return element.name == "mo" && words == "-" ? "−" : words
    }

    private func read(_ element: Element, depth: Int) -> String {
        guard depth < Self.deepest else { return token(element) }
        let parts = Array(element.elements)
        func part(_ index: Int) -> String {
            parts.indices.contains(index) ? read(parts[index], depth: depth + 1) : ""
        }
        switch element.name {
        case "mi", "mn", "mo", "mtext", "ms": return token(element)
        case "annotation", "annotation-xml", "mphantom", "none", "mspace", "maligngroup", "malignmark": return ""
        case "semantics": return part(0)
        case "mfrac": return fraction(part(0), part(1))
        case "msup": return power(part(0), part(1))
        case "msub": return part(0) + Self.index(part(1))
        case "msubsup": return power(part(0) + Self.index(part(1)), part(2))
        case "msqrt":
            let inner = list(element, depth: depth + 1)
            return Self.roots[language].map { "\($0) \(inner)" } ?? "√\(inner)"
        case "mfenced":
            let inner = parts.indices.map(part).filter { !$0.isEmpty }.joined(separator: ", ")
            return (element.attribute("open") ?? "(") + inner + (element.attribute("close") ?? ")")
        case "mtr", "mlabeledtr": return parts.indices.map(part).filter { !$0.isEmpty }.joined(separator: ", ")
        case "mtable": return parts.indices.map(part).filter { !$0.isEmpty }.joined(separator: "; ")
        default: return list(element, depth: depth + 1)
        }
    }

    private func fraction(_ above: String, _ below: String) -> String {
        let isNumeric = [above, below].allSatisfy { part in part.allSatisfy { $0.isASCII && $0.isNumber } }
        if isNumeric, !above.isEmpty, !below.isEmpty { return "\(above)/\(below)" }
        return Self.overs[language].map { "\(above) \($0) \(below)" } ?? "\(above) / \(below)"
    }

    private func power(_ base: String, _ exponent: String) -> String {
        let bare = exponent.filter { !$0.isWhitespace }
        guard !bare.isEmpty else { return base }
        if ["′", "'", "″", "*", "†", "∗"].contains(bare) { return base + bare }
        let digits = bare.first.map { "+-−".contains($0) } == true ? bare.dropFirst() : bare[...]
        let isPlain = digits == "n" || !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        if isPlain { return base + RaisedText.raise(bare) }
        return Self.powers[language].map { "\(base) \($0) \(exponent)" } ?? "\(base)^\(exponent)"
    }

    /// Words for an exponent of several signs.
    func exponent(_ words: String) -> String {
        Self.powers[language].map { " \($0) \(words)" } ?? "^\(words)"
    }

    private static func index(_ words: String) -> String { words.count > 3 ? " \(words)" : words }
}
