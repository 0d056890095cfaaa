import EchoText

/// Writes paragraphs as clean text, and records the position of each.
///
/// The separator of two pieces belongs to the second, so that any piece can be cut out. A paragraph that continues on
/// the next page is written up to its last whole word; running lines and footnotes then follow inside it, with
/// separators on both sides.
struct PrintedTextWriter {
    /// The position of a paragraph.
    struct Place {
        var kind: PrintedParagraph.Kind
        var text: String
        var range: TextRange
        var page: Int
        var top: Float
        var size: Float
    }

    private enum Pending {
        case page(Int)
        case mark(TextMark.Role, String)
    }

    private static let separator = "\n\n"

    private(set) var builder = TextBuilder()
    private(set) var pageStarts: [Int]
    private(set) var marks: [TextMark] = []
    private(set) var places: [Place] = []
    private var open: PrintedParagraph?
    /// Whether the open paragraph continues one that was already written.
    private var isRest = false
    private var hasBody = false
    private var pending: [Pending] = []

    init(pages: Int) {
        pageStarts = Array(repeating: 0, count: pages)
    }

    var headings: [Place] { places.filter { $0.kind == .heading } }

    mutating func begin(page: Int) {
        pending.append(.page(page))
    }

    mutating func add(_ role: PrintedRole, _ text: String) {
        let role: TextMark.Role =
            switch role {
            case .header: .header
            case .footer: .footer
            case .pageNumber: .pageNumber
            case .footnote: .footnote
            }
        pending.append(.mark(role, text))
    }

    /// Adds the next paragraph.
    ///
    /// - Parameters:
    ///   - paragraph: The paragraph; joined to the previous paragraph if it continues that.
    ///   - looksLikeRest: Whether it starts a column like the rest of a paragraph.
    ///   - ends: How lines are joined.
    mutating func add(_ paragraph: PrintedParagraph, isRest looksLikeRest: Bool = false, ends: LineEnds) {
        guard var first = open, first.continues(in: paragraph, isRest: looksLikeRest) else {
            flush()
            open = paragraph
            isRest = false
            return
        }
        if pending.isEmpty {
            first.append(paragraph.text, references: paragraph.references, ends: ends)
            first.endsFull = paragraph.endsFull
            open = first
        } else {
            divide(first, before: paragraph, ends: ends)
        }
    }

    mutating func finish() {
        flush()
        open = nil
    }

    /// Writes `first` with its whole last word, then the pending lines, and leaves the rest of `next` open.
    private mutating func divide(_ first: PrintedParagraph, before next: PrintedParagraph, ends: LineEnds) {
        var (first, rest) = (first, next)
        var glue = " "
        if LineEnds.isDivided(first.text) {
            let word = String(next.text.prefix { $0 != " " })
            first.append(word, references: [], ends: ends)
            let length = min(word.utf16.count + 1, next.text.utf16.count)
            rest.text = String(next.text.dropFirst(word.count + 1))
            rest.references = next.references.compactMap {
                $0.lowerBound < length ? nil : $0.lowerBound - length..<$0.upperBound - length
            }
        } else {
            glue = ends.joint(of: first.text, and: next.text).adding
        }
        if rest.text.isEmpty { glue = "" }
        write(first)
        builder.append(glue)
        writePending(inParagraph: !rest.text.isEmpty)
        open = rest.text.isEmpty ? nil : rest
        isRest = open != nil
    }

    private mutating func flush() {
        if let open { write(open) }
        open = nil
        isRest = false
        writePending(inParagraph: false)
    }

    private mutating func write(_ paragraph: PrintedParagraph) {
        if hasBody, !isRest { builder.append(Self.separator) }
        hasBody = true
        let range = builder.append(paragraph.text)
        let references = FootnoteReferences.ranges(in: paragraph)
        marks += references.map { reference in
            TextMark(
                .footnoteReference,
                range: reference.lowerBound + range.lowerBound..<reference.upperBound + range.lowerBound
            )
        }
        places.append(
            Place(
                kind: paragraph.kind,
                text: paragraph.kind == .plain ? String(paragraph.text.prefix(200)) : paragraph.text,
                range: range,
                page: paragraph.page,
                top: paragraph.top,
                size: paragraph.size
            )
        )
    }

    private mutating func writePending(inParagraph: Bool) {
        for piece in pending {
            switch piece {
            case .page(let page): pageStarts[page] = builder.length
            case .mark(let role, let text):
                let start = builder.length
                if hasBody { builder.append(Self.separator) }
                builder.append(text)
                if inParagraph || !hasBody { builder.append(Self.separator) }
                marks.append(TextMark(role, range: start..<builder.length))
            }
        }
        pending = []
    }
}

extension PrintedTextWriter {
    func blocks(_ levels: HeadingLevels) -> [TextBlock] {
        places.compactMap { place in
            switch place.kind {
            case .plain: nil
            case .heading: TextBlock(.heading, level: levels.level(of: place) ?? 1, range: place.range)
            case .listItem: TextBlock(.listItem, range: place.range)
            case .tableRow: TextBlock(.tableRow, range: place.range)
            case .caption: TextBlock(.caption, range: place.range)
            }
        }
    }

    /// The target of an outline's entry: the paragraph with its title, or the first below its position.
    func place(of entry: PrintedDocument.Entry) -> Int {
        let title = entry.title.lettersAndNumbers
        let onPage = places.filter { $0.page == entry.page }
        let named = onPage.filter { place in
            let text = place.text.lettersAndNumbers
            return !title.isEmpty && (text.hasSuffix(title) || text.hasPrefix(title)) && text.count < title.count + 12
        }
        // Position distinguishes several paragraphs with the same title.
        let nearest = named.min { abs($0.top - (entry.top ?? 0)) < abs($1.top - (entry.top ?? 0)) }
        let found = entry.top == nil ? named.first { $0.kind == .heading } ?? named.first : nearest
        if let found { return found.range.lowerBound }
        if let top = entry.top, let found = onPage.first(where: { $0.top >= top - 6 }) { return found.range.lowerBound }
        return onPage.first?.range.lowerBound ?? pageStarts[entry.page]
    }
}

extension String {
    fileprivate var lettersAndNumbers: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}

/// Finds a paragraph's footnote references among its raised characters.
private enum FootnoteReferences {
    private static let units: Set<Substring> = ["km", "cm", "mm", "dm", "nm", "ft", "in", "yd", "mi"]

    static func ranges(in paragraph: PrintedParagraph) -> [Range<Int>] {
        guard !paragraph.references.isEmpty else { return [] }
        let text = paragraph.text
        return paragraph.references.compactMap { range in
            let start = text.utf16.index(text.startIndex, offsetBy: range.lowerBound)
            let end = text.utf16.index(start, offsetBy: range.count)
            guard isReference(text[start..<end]), canPrecedeReference(text[..<start]) else { return nil }
            return range
        }
    }

    private static func isReference(_ sign: Substring) -> Bool {
        let inner = sign.drop { $0 == "[" || $0 == "(" }.prefix { $0 != "]" && $0 != ")" }
        let isNumber = inner.count <= 3 && inner.allSatisfy { $0.isASCII && $0.isNumber || $0 == "," }
        return !inner.isEmpty
            && (isNumber || inner.allSatisfy { "*∗†‡§¶".contains($0) } || inner.count == 1 && sign.count == 3)
    }

    /// Whether a reference can follow this text, and the raised digit is not a power: x², 10², km².
    private static func canPrecedeReference(_ before: Substring) -> Bool {
        guard let last = before.last, !last.isWhitespace else { return !before.isEmpty }
        if last.isNumber { return false }
        guard last.isLetter else { return true }
        let word = before.suffix(12).split { !$0.isLetter }.last ?? ""
        return word.count > 1 && !units.contains(word)
    }
}
