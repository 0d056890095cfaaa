import EchoText
import Foundation

/// The content of an EPUB's package document.
struct Package {
    struct Item {
        /// The path in the container.
        var path: String
        var mediaType: String
        var properties: Set<String>
        /// The id of the item to read if this one cannot be read.
        var fallback: String?

        var isText: Bool {
            mediaType.isEmpty || ["html", "xml", "x-oeb1-document"].contains { mediaType.contains($0) }
        }
        var isPicture: Bool { mediaType.hasPrefix("image/") }
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
    /// The number of spine items that the manifest does not describe, or that are no text and have no fallback that is.
    private(set) var missing = 0

    private var items: [String: Item] = [:]
    /// Whether a part of the spine is a picture.
    private(set) var hasPictures = false

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
        guard isPackage == true, !spine.isEmpty || hasPictures else { return nil }
    }

    private var coverID: String?

    private mutating func readMetadata(_ metadata: Element) {
        var authors: [String] = []
        for element in metadata.descendants {
            switch element.name {
            case "title": title = title ?? element.text.asOneLine()
            case "creator": authors += [element.text.asOneLine(longest: 100)].compactMap { $0 }
            case "language":
                language = language ?? element.text.asOneLine(longest: 40).flatMap(LanguageTag.stated)
            case "meta" where element.attribute("name") == "cover": coverID = element.attribute("content")?.trimmed
            default: break
            }
        }
        author = authors.isEmpty ? nil : authors.prefix(5).joined(separator: ", ")
    }

    private mutating func readManifest(_ manifest: Element, path: String) {
        for element in manifest.elements where element.name == "item" {
            guard let id = element.attribute("id")?.trimmed, let reference = element.attribute("href"),
                let target = ContainerPath.resolve(reference, from: path), items.count < 20_000
            else { continue }
            let properties = Set(
                (element.attribute("properties") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
            )
            let item = Item(
                path: target.name,
                mediaType: element.attribute("media-type")?.trimmed.lowercased() ?? "",
                properties: properties,
                fallback: element.attribute("fallback")?.trimmed
            )
            items[id] = item
            if properties.contains("nav") { navigation = item.path }
            if properties.contains("cover-image") { cover = item }
            if item.mediaType == "application/x-dtbncx+xml" { contentsTable = item.path }
        }
        if cover == nil, let coverID { cover = items[coverID] }
    }

    private mutating func readSpine(_ element: Element) {
        if let id = element.attribute("toc")?.trimmed, let item = items[id] { contentsTable = item.path }
        for reference in element.elements where reference.name == "itemref" {
            guard let item = reference.attribute("idref").flatMap({ items[$0.trimmed] }) else {
                missing += 1
                continue
            }
            guard let text = text(of: item) else {
                // A picture has no text.
                if item.isPicture { hasPictures = true } else { missing += 1 }
                continue
            }
            spine.append(Place(path: text.path, isLinear: reference.attribute("linear")?.trimmed != "no"))
        }
    }

    /// The item, or the first of its fallbacks that is text.
    private func text(of item: Item) -> Item? {
        var item = item
        // Fallbacks may form a ring.
        for _ in 0..<16 {
            if item.isText { return item }
            guard let next = item.fallback.flatMap({ items[$0] }) else { return nil }
            item = next
        }
        return nil
    }
}

/// Finds a container's packages and detects DRM.
struct ContainerEntrance {
    /// The paths of the packages, the default one first.
    private(set) var packages: [String] = []

    /// - Throws: ``DocumentError/damaged(_:)``, ``DocumentError/protectedByDRM``.
    init(_ container: Container) throws {
        let locks = ["META-INF/sinf.xml", "META-INF/license.lcpl"]
        let files = try container.contents(of: ["META-INF/container.xml", "META-INF/encryption.xml"])
        if locks.contains(where: container.has) { throw DocumentError.protectedByDRM }
        if let encryption = files["META-INF/encryption.xml"], Self.isLocked(encryption) {
            throw DocumentError.protectedByDRM
        }
        if let bytes = files["META-INF/container.xml"], let markup = Markup(bytes, isContent: false) {
            let found = markup.withRoot { root in
                root.descendants.filter { $0.name == "rootfile" }.compactMap { $0.attribute("full-path") }
            }
            packages = (found ?? []).compactMap { ContainerPath.resolve($0, from: "")?.name }
        }
        if !packages.contains(where: container.has) {
            packages = container.names.filter { $0.lowercased().hasSuffix(".opf") }.sorted()
        }
        guard !packages.isEmpty else { throw DocumentError.damaged(.epub) }
    }

    /// Encrypted fonts do not count: they are common, and the text stays readable.
    private static func isLocked(_ bytes: Data) -> Bool {
        guard let markup = Markup(bytes, isContent: false) else { return false }
        return markup.withRoot { root in
            let parts = root.descendants.filter { $0.name == "encrypteddata" }
            return (parts.isEmpty ? [root] : parts).contains { part in
                let inner = part.descendants
                let ways = inner.filter { $0.name == "encryptionmethod" }.compactMap { $0.attribute("Algorithm") }
                let files = inner.filter { $0.name == "cipherreference" }.compactMap { $0.attribute("URI") }
                return ways.contains { !isOfFonts($0) } && (files.isEmpty || !files.allSatisfy(isFont))
            }
        } ?? false
    }

    private static func isOfFonts(_ algorithm: String) -> Bool {
        algorithm.contains("idpf.org/2008/embedding") || algorithm.contains("ns.adobe.com/pdf/enc")
    }

    private static func isFont(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".ttf", ".otf", ".woff", ".woff2", ".ttc"].contains { name.hasSuffix($0) }
    }
}
