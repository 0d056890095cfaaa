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
            let title = label?.text ?? item.labelText
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

    fileprivate var hasText: Bool { text.contains { !$0.isWhitespace } }
}
