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

        static func key(_ path: String, _ fragment: String?) -> String { "\(path)#\(fragment ?? "")" }
    }

    private static let maximumEntries = 5_000

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
                let lists = all.filter { $0.name == "nav" }
                let contents =
                    lists.first { ($0.attribute("type") ?? "").split(separator: " ").contains("toc") } ?? lists.first
                for list in contents?.elements.filter({ $0.name == "ol" }) ?? [] { readList(list, level: 1) }
            }
        }
    }

    private mutating func readPoints(of parent: Element, level: Int) {
        for point in parent.elements where point.name == "navpoint" {
            let title = point.elements.first { $0.name == "navlabel" }?.text
            add(title, level: level, to: point.elements.first { $0.name == "content" }?.attribute("src"))
            readPoints(of: point, level: level + 1)
        }
    }

    private mutating func readList(_ list: Element, level: Int) {
        for item in list.elements where item.name == "li" {
            if let link = item.elements.first(where: { $0.name == "a" }) {
                add(link.text, level: level, to: link.attribute("href"))
            }
            for inner in item.elements where inner.name == "ol" { readList(inner, level: level + 1) }
        }
    }

    private mutating func add(_ title: String?, level: Int, to reference: String?) {
        guard entries.count < Self.maximumEntries, let title = title?.asOneLine(),
            let target = reference.flatMap({ ContainerPath.resolve($0, from: path) })
        else { return }
        entries.append(Entry(title: title, level: level, path: target.name, fragment: target.fragment))
    }
}
