/// Recognizes the pages on which a book lists its contents, which are not read.
enum ContentsPage {
    /// The kinds of lists in navigation documents.
    static let lists: Set<Substring> = [
        "doc-pagelist", "doc-toc", "landmarks", "loa", "loi", "lot", "lov", "page-list", "toc", "toc-brief",
    ]
    /// Those of them that stand outside `nav`, and names that other contents lists have.
    private static let pageLists: Set<Substring> = ["doc-pagelist", "landmarks", "page-list"]
    private static let names: Set<String> = ["toc", "contents", "tableofcontents"]
    /// The fewest links, and the least share of the letters that is in them, of a page that is a list of links.
    private static let fewestLinks = 4
    private static let share = 0.85

    /// Whether a page, given by its outermost element and its path in the container, only lists parts of the book.
    static func isOne(_ root: Element, at path: String) -> Bool {
        let all = root.descendants
        if all.contains(where: { $0.isContentsList }) {
            return letters(in: root) { $0.isContentsList || $0.isHead } < 80
        }
        let links = all.filter { link in
            guard let place = NoteReference.place(of: link), let target = ContainerPath.resolve(place, from: path)
            else { return false }
            return (target.name != path || target.fragment != nil) && link.text.contains(where: \.isLetter)
        }
        guard links.count >= fewestLinks else { return false }
        let listed = links.reduce(0) { $0 + letters(in: $1) { _ in false } }
        let whole = letters(in: root) { $0.isHead }
        return Double(listed) >= share * Double(whole)
    }

    /// Whether an element of these kinds lists pages or places of the book, and is not read at all.
    static func isPageList(_ name: String, _ kinds: [Substring]) -> Bool {
        let left = name == "nav" ? lists : pageLists
        return kinds.contains(where: left.contains)
    }

    /// Whether a block of a page lists contents.
    static func isList(_ block: Element, _ kinds: [Substring], at path: String) -> Bool {
        if kinds.contains(where: lists.contains) { return true }
        guard let id = block.attribute("id")?.lowercased() ?? block.classes.first else { return false }
        return (names.contains(id) || block.classes.contains(where: names.contains)) && isOne(block, at: path)
    }

    private static func letters(in element: Element, without isLeftOut: (Element) -> Bool) -> Int {
        if isLeftOut(element) { return 0 }
        return element.children.reduce(0) { sum, piece in
            switch piece {
            case .text(let text): sum + text.count(where: \.isLetter)
            case .element(let inner): sum + letters(in: inner, without: isLeftOut)
            }
        }
    }
}

extension Element {
    fileprivate var isContentsList: Bool {
        guard name == "nav" else { return false }
        let kinds = ((attribute("type") ?? "") + " " + (attribute("role") ?? "")).split(separator: " ")
        return kinds.contains(where: ContentsPage.lists.contains)
    }

    fileprivate var isHead: Bool { ["head", "script", "style"].contains(name) }
}
