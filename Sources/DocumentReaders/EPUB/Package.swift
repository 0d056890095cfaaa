import EchoText
import Foundation

/// The content of an EPUB's package document.
struct Package {
    struct Item {
        /// The path in the container.
        var path: String
        var mediaType: String
        var properties: Set<String>
    }

    struct Place {
        var path: String
        var isLinear: Bool
    }

    private(set) var title: String?
    private(set) var author: String?
    private(set) var language: String?
    private(set) var spine: [Place] = []
    /// The files with the table of contents, in the form of EPUB 3 and of EPUB 2.
    private(set) var navigation: String?
    private(set) var contentsTable: String?
    private(set) var cover: Item?
    /// The number of spine items that the manifest does not describe.
    private(set) var missing = 0

    private var items: [String: Item] = [:]

    /// - Parameters:
    ///   - bytes: The package document.
    ///   - path: Its path in the container.
    init?(_ bytes: Data, at path: String) {
        guard let markup = Markup(bytes, isContent: false) else { return nil }
        let isPackage = markup.withRoot { root in
            guard root.name == "package" else { return false }
            for part in root.elements {
                switch part.name {
                case "metadata": readMetadata(part)
                case "manifest": readManifest(part, path: path)
                default: break
                }
            }
            for part in root.elements where part.name == "spine" { readSpine(part) }
            return true
        }
        guard isPackage == true, !spine.isEmpty else { return nil }
    }

    private var coverID: String?

    private mutating func readMetadata(_ metadata: Element) {
        var authors: [String] = []
        for element in metadata.descendants {
            switch element.name {
            case "title": title = title ?? element.text.asOneLine()
            case "creator": authors += [element.text.asOneLine(longest: 100)].compactMap { $0 }
            case "language":
                language = language ?? element.text.asOneLine(longest: 40).map(LanguageTag.canonical)
            case "meta" where element.attribute("name") == "cover": coverID = element.attribute("content")
            default: break
            }
        }
        author = authors.isEmpty ? nil : authors.prefix(5).joined(separator: ", ")
        if language == "und" { language = nil }
    }

    private mutating func readManifest(_ manifest: Element, path: String) {
        for element in manifest.elements where element.name == "item" {
            guard let id = element.attribute("id"), let reference = element.attribute("href"),
                let target = ContainerPath.resolve(reference, from: path), items.count < 20_000
            else { continue }
            let properties = Set(
                (element.attribute("properties") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
            )
            let item = Item(path: target.name, mediaType: element.attribute("media-type") ?? "", properties: properties)
            items[id] = item
            if properties.contains("nav") { navigation = item.path }
            if properties.contains("cover-image") { cover = item }
            if item.mediaType == "application/x-dtbncx+xml" { contentsTable = item.path }
        }
        if cover == nil, let coverID { cover = items[coverID] }
    }

    private mutating func readSpine(_ element: Element) {
        if let id = element.attribute("toc"), let item = items[id] { contentsTable = item.path }
        for reference in element.elements where reference.name == "itemref" {
            guard let id = reference.attribute("idref"), let item = items[id] else {
                missing += 1
                continue
            }
            let isPage = item.mediaType.contains("html") || item.mediaType.contains("xml") || item.mediaType.isEmpty
            guard isPage, item.mediaType != "image/svg+xml" else { continue }
            spine.append(Place(path: item.path, isLinear: reference.attribute("linear") != "no"))
        }
    }
}

/// Finds a container's packages and detects DRM.
struct ContainerEntrance {
    /// The paths of the packages, the default one first.
    private(set) var packages: [String] = []

    /// - Throws: ``DocumentError/damaged(_:)``, ``DocumentError/protectedByDRM``.
    init(_ container: Container) throws {
        let locks = ["META-INF/rights.xml", "META-INF/sinf.xml", "META-INF/license.lcpl"]
        let files = try container.contents(of: ["META-INF/container.xml", "META-INF/encryption.xml"])
        if locks.contains(where: container.names.contains) { throw DocumentError.protectedByDRM }
        if let encryption = files["META-INF/encryption.xml"], Self.isLocked(encryption) {
            throw DocumentError.protectedByDRM
        }
        if let bytes = files["META-INF/container.xml"], let markup = Markup(bytes, isContent: false) {
            let found = markup.withRoot { root in
                root.descendants.filter { $0.name == "rootfile" }.compactMap { $0.attribute("full-path") }
            }
            packages = (found ?? []).compactMap { ContainerPath.resolve($0, from: "")?.name }
        }
        if packages.isEmpty { packages = container.names.filter { $0.hasSuffix(".opf") }.sorted() }
        guard !packages.isEmpty else { throw DocumentError.damaged(.epub) }
    }

    /// Encrypted fonts do not count: they are common, and the text stays readable.
    private static func isLocked(_ bytes: Data) -> Bool {
        guard let markup = Markup(bytes, isContent: false) else { return false }
        let ways = markup.withRoot { root in
            root.descendants.filter { $0.name == "encryptionmethod" }.compactMap { $0.attribute("Algorithm") }
        }
        return (ways ?? []).contains { !$0.contains("idpf.org/2008/embedding") && !$0.contains("ns.adobe.com/pdf/enc") }
    }
}
