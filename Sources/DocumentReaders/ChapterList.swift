import EchoText

/// Collects chapters as they are found, and makes them valid for ``DocumentStructure``.
struct ChapterList {
    /// The limit on the chapters of a document; further ones are ignored.
    private static let most = 5_000

    private var found: [(title: String, level: Int, start: Int)] = []

    var isEmpty: Bool { found.isEmpty }

    /// Adds a chapter; a chapter without a visible title is ignored.
    mutating func add(_ title: String, level: Int, start: Int) {
        guard found.count < Self.most, let title = title.asOneLine(longest: DocumentChapter.longestTitle) else {
            return
        }
        found.append((title, min(max(level, 1), DocumentChapter.deepestLevel), start))
    }

    /// The chapters of a text of `length` UTF-16 units.
    func chapters(length: Int) -> [DocumentChapter] {
        // A stable sort, so that chapters at the same position keep the document's order.
        let sorted = found.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
        var ends = [Int](repeating: length, count: sorted.count)
        var open: [Int] = []
        for (index, chapter) in sorted.enumerated() {
            while let last = open.last, sorted[last].level >= chapter.level {
                ends[last] = chapter.start
                open.removeLast()
            }
            open.append(index)
        }
        return zip(sorted, ends).map { DocumentChapter(title: $0.title, level: $0.level, range: $0.start..<$1) }
    }
}

extension String {
    /// Returns the string without control characters, with single spaces, truncated to `longest` characters; `nil` when
    /// nothing is left.
    func asOneLine(longest: Int = 300) -> String? {
        var line = ""
        var count = 0
        for word in split(whereSeparator: \.isWhitespace) {
            let scalars = word.unicodeScalars.filter { $0.isShown }
            guard !scalars.isEmpty else { continue }
            let shown = String(String.UnicodeScalarView(scalars))
            count += shown.count + 1
            if count > longest + 1 {
                line = String((line + (line.isEmpty ? "" : " ") + shown).prefix(longest - 1)) + "…"
                break
            }
            line += line.isEmpty ? shown : " " + shown
        }
        return line.isEmpty ? nil : line
    }
}

extension Unicode.Scalar {
    /// Whether it is visible on the page: neither a control character nor a format character.
    var isShown: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Joiners shape Persian, Indian scripts and emoji; tag characters make up flags.
        case .format: value == 0x200C || value == 0x200D || (0xE0020...0xE007F).contains(value)
        default: true
        }
    }
}
