/// A paragraph, heading, list item or row of a table of a printed page.
struct PrintedParagraph: Sendable {
    enum Kind: Sendable, Hashable {
        case plain
        case heading
        case listItem
        case tableRow
        case caption
    }

    var kind: Kind
    var text: String
    /// Its footnote references, in UTF-16 units.
    var references: [Range<Int>] = []
    /// The index of its page.
    var page: Int
    var size: Float
    var isBold: Bool
    /// The top of its first row.
    var top: Float
    /// Whether its last row reaches the column's right edge, so that it may continue in the next column.
    var endsFull = false
    /// Whether its first row is indented.
    var isIndented = false

    /// Decides whether `next` continues it.
    ///
    /// - Parameters:
    ///   - next: The following paragraph.
    ///   - isRest: Whether `next` starts a column like the rest of a paragraph.
    /// - Returns: Whether the two are one paragraph.
    func continues(in next: PrintedParagraph, isRest: Bool) -> Bool {
        guard kind == .plain || kind == .listItem, next.kind == .plain, abs(size - next.size) < 0.06 * size,
            isBold == next.isBold, let last = text.unicodeScalars.last, let first = next.text.unicodeScalars.first
        else { return false }
        if LineEnds.isDivided(text) { return first.properties.isLowercase || endsFull }
        if Self.closing.contains(last) { return isRest }
        return first.properties.isLowercase || (endsFull && !next.isIndented)
    }

    /// The characters that end a sentence.
    private static let closing: Set<Unicode.Scalar> = [
        ".", "?", "!", ":", ";", "…", "”", "\"", "»", "。", "！", "？", "؟", "۔", "।",
    ]

    /// Adds `next`, which continues where this one ends.
    mutating func append(_ next: String, references more: [Range<Int>], ends: LineEnds) {
        let joint = ends.joint(of: text, and: next)
        if joint.dropping > 0 { text.unicodeScalars.removeLast() }
        text += joint.adding
        let offset = text.utf16.count
        text += next
        references += more.map { $0.lowerBound + offset..<$0.upperBound + offset }
    }
}
