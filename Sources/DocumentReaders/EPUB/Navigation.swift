import EchoText
import Foundation

/// The contents list of an EPUB.
struct Navigation {
    struct Entry {
        var title: String
        /// Counted from 1.
        var level: Int
        var path: String
        var fragment: String?

        /// The key under which the text's position is recorded.
        var key: String { Self.key(path, fragment) }

        /// Names of files that differ in case alone are those of one file.
        static func key(_ path: String, _ fragment: String?) -> String { "\(path.lowercased())#\(fragment ?? "")" }
    }

    private static let maximumEntries = 5_000
    private static let otherLists: Set<String> = [
        "doc-pagelist", "landmarks", "loa", "loi", "lot", "lov", "page-list",
    ]

    private(set) var entries: [Entry] = []
    private let path: String

    /// - Parameters:
    ///   - bytes: A navigation document (EPUB 3) or a table of contents (EPUB 2).
    ///   - path: Its path in the container.
    init(_ bytes: Data, at path: String) {
        self.path = path
        guard let markup = Markup(bytes, isContent: true) else { return }
        markup.withRoot { root in
            let all = root.descendants
            if let map = all.first(where: { $0.name == "navmap" }) {
                readPoints(of: map, level: 1)
            } else {
                let navs = all.filter { $0.name == "nav" }
                let contents =
                    navs.first { !$0.kinds.isDisjoint(with: ["toc", "doc-toc"]) }
                    ?? navs.first { $0.kinds.isDisjoint(with: Self.otherLists) } ?? (navs.isEmpty ? root : nil)
                if let contents { readLists(in: contents) }
            }
        }
    }

    private mutating func readLists(in contents: Element) {
        let lists = contents.nearestLists
        for list in lists { readList(list, level: 1) }
        guard lists.isEmpty else { return }
        for link in contents.descendants where link.name == "a" {
            add(link.text, level: 1, to: link.attribute("href"))
        }
    }

    private mutating func readPoints(of parent: Element, level: Int) {
        for point in parent.elements where point.name == "navpoint" {
            let title = point.elements.first { $0.name == "navlabel" }?.text
            let content = point.descendants.first { $0.name == "content" && $0.attribute("src") != nil }
            add(title, level: level, to: content?.attribute("src"))
            readPoints(of: point, level: level + 1)
        }
    }

    /// Reads the items of a list, however they are wrapped; one without a link stands where its first link leads to.
    private mutating func readList(_ list: Element, level: Int) {
        for item in list.elements where item.name == "li" {
            let inner = item.nearestLists
            let label = item.labels.first { $0.name == "a" && $0.attribute("href") != nil && $0.hasText }
            let words = label?.text ?? item.labelText
            let title = words.contains { !$0.isWhitespace } ? words : item.labelOfPicture ?? ""
            let link = label ?? item.descendants.first { $0.name == "a" && $0.attribute("href") != nil }
            add(title, level: level, to: link?.attribute("href"))
            let hasTitle = title.contains { !$0.isWhitespace }
            for list in inner { readList(list, level: hasTitle ? level + 1 : level) }
        }
    }

    private mutating func add(_ title: String?, level: Int, to reference: String?) {
        guard entries.count < Self.maximumEntries, let title = title?.asOneLine(),
            let target = reference.flatMap({ ContainerPath.resolve($0, from: path) })
        else { return }
        entries.append(Entry(title: title, level: level, path: target.name, fragment: target.fragment))
    }
}

extension Element {
    /// The words of its type and its role.
    fileprivate var kinds: Set<String> {
        Set(((attribute("type") ?? "") + " " + (attribute("role") ?? "")).split(separator: " ").map(String.init))
    }

    private var isList: Bool { name == "ol" || name == "ul" }

    /// The outermost lists within it.
    fileprivate var nearestLists: [Element] { elements.flatMap { $0.isList ? [$0] : $0.nearestLists } }

    /// The elements within it that are in none of its lists.
    fileprivate var labels: [Element] { elements.flatMap { $0.isList ? [] : [$0] + $0.labels } }

    /// The text within it that is in none of its lists.
    fileprivate var labelText: String {
        children.map { piece in
            switch piece {
            case .text(let text): text
            case .element(let element): element.isList ? "" : element.labelText
            }
        }.joined()
    }

    /// The words for the first picture or link within it that has some, outside its lists.
    fileprivate var labelOfPicture: String? {
        labels.compactMap { $0.attribute("alt") ?? $0.attribute("title") }.first { label in
            label.contains { !$0.isWhitespace }
        }
    }

    fileprivate var hasText: Bool { text.contains { !$0.isWhitespace } }
}

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
    /// The fewest links, and the most letters beside each of them, of a page that a title names as contents.
    private static let (fewestOfTitled, longestEntry) = (2, 25)
    private static let titles: Set<String> = [
        "contents", "contenido", "inhalt", "inhaltsverzeichnis", "sisukord", "sommaire", "table des matières",
        "table of contents", "índice",
    ]

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
        guard links.count >= fewestOfTitled else { return false }
        let listed = links.reduce(0) { $0 + letters(in: $1) { _ in false } }
        let whole = letters(in: root) { $0.isHead }
        let isTitled = all.prefix(12).contains { titles.contains($0.text.trimmed.lowercased()) }
        if isTitled, whole - listed <= longestEntry * links.count { return true }
        guard links.count >= fewestLinks else { return false }
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

/// The numbers of a printed book's pages, which stand in the middle of its sentences.
enum PrintedPageNumber {
    private static let classes: Set<String> = [
        "folio", "page", "pagebreak", "pagenr", "pagenum", "pagenumber", "pagenumbers", "pageno", "pb", "pgno", "pgnum",
        "pgnumber", "pn", "pnum", "seitenzahl", "xebookmakerpageno", "pagination", "printpage", "leht",
        // Numbers of a poem's lines stand in their margin, too.
        "linenum", "linenumber", "lineno", "ln",
    ]
    /// Ends of such classes with a program's name before them (`x-epub-pagebreak`).
    private static let classEndings = ["pagebreak", "pageno", "pagenum", "pagenumber"]
    private static let ids: Set<String> = [
        "folio", "lk", "pag", "page", "pagebreak", "pageno", "pagenum", "pagenumber", "pb", "pg", "seite",
    ]
    private static let names: Set<String> = [
        "lk", "p", "pag", "page", "pagina", "pg", "pp", "página", "s", "seite", "folio", "fol",
    ]
    private static let brackets: Set<Character> = ["[", "]", "{", "}", "(", ")", "|"]

    /// Whether an element is the number of a page, or the empty place of one.
    static func isOne(_ element: Element, isBlock: Bool) -> Bool {
        let id = (element.attribute("id") ?? element.attribute("name"))?.lowercased()
        let isPlaced = element.attribute("style").map { style in
            style.contains("absolute") && style.contains("position")
        }
        guard id != nil || isPlaced == true || element.attribute("class") != nil else { return false }
        let isNamed = element.classes.contains { name in
            classes.contains(name) || !isBlock && classEndings.contains { name.hasSuffix($0) }
        }
        guard isNamed || isPlaced == true || id.map({ isPageID($0, isBlock: isBlock) }) == true else { return false }
        let text = element.text
        guard !text.allSatisfy(\.isWhitespace) else { return false }
        guard text.utf8.count <= 40, let number = Self.number(in: text) else { return false }
        if isNamed { return true }
        if isPlaced == true, text.contains(where: brackets.contains) { return true }
        guard let id, isPageID(id, isBlock: isBlock) else { return false }
        return id.hasSuffix(number) || !isBlock && element.name == "a"
    }

    /// Whether an id is that of a page, such as “page_12”, “Pg12” or “p12”.
    private static func isPageID(_ id: String, isBlock: Bool) -> Bool {
        let letters = id.prefix(while: \.isLetter)
        let rest = id.dropFirst(letters.count).drop { "-_.".contains($0) }
        guard rest.count <= 5, !rest.isEmpty, rest.allSatisfy({ $0.isNumber || "ivxlc".contains($0) }) else {
            return false
        }
        return ids.contains(String(letters)) || letters == "p" && !isBlock
    }

    /// The number in “12”, “[Pg 12]”, “{17}”, “page xiv”; `nil` for other text.
    private static func number(in text: String) -> String? {
        var words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if words.count == 2, names.contains(words[0]) { words.removeFirst() }
        guard words.count == 1, let word = words.first else { return nil }
        var bare = word
        for name in ["page", "pg", "p"] where bare.hasPrefix(name) {
            let rest = bare.dropFirst(name.count)
            if !rest.isEmpty, rest.allSatisfy(\.isNumber) { bare = String(rest) }
        }
        let digits = bare.last.map { "rvab".contains($0) } == true && bare.count > 1 ? String(bare.dropLast()) : bare
        let isNumber = (1...5).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber || PageNumeral.value(of: bare) != nil ? bare : nil
    }

    /// The range of the first “[Pg 12]” in a text.
    static func firstRange(in text: Substring) -> Range<Substring.Index>? {
        var start = text.startIndex
        while let opening = text[start...].firstIndex(where: { $0 == "[" || $0 == "{" }) {
            let inner = text[opening...].dropFirst().prefix(12)
            if let closing = inner.firstIndex(where: { $0 == "]" || $0 == "}" }) {
                let words = inner[..<closing].lowercased().split { !$0.isLetter && !$0.isNumber }
                if words.count == 2, ["pg", "page", "p", "seite", "lk"].contains(words[0]),
                    PageNumeral.value(of: String(words[1])) != nil
                {
                    return opening..<text.index(after: closing)
                }
            }
            start = text.index(after: opening)
        }
        return nil
    }
}
