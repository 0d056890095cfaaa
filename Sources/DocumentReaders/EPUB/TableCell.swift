/// Recognizes the cells of a table that only lays out a page.
enum TableCell {
    private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

    /// Whether a cell holds several paragraphs of text, or parts with headings.
    static func isLayout(_ cell: Element) -> Bool {
        guard !cell.elements.allSatisfy({ $0.name == "br" }) else { return false }
        let inner = cell.descendants.dropFirst()
        if inner.contains(where: { headings.contains($0.name) }) { return true }
        let paragraphs = inner.filter { $0.name == "p" || $0.name == "blockquote" }.map { $0.text.utf8.count }
        return paragraphs.count > 2 || paragraphs.count > 1 && paragraphs.reduce(0, +) > 300
    }
}
