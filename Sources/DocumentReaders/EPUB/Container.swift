import CArchive
import EchoText
import Foundation

/// The files in an EPUB's container, unpacked in memory on demand.
///
/// Names are only keys: no file is written, so hostile names do no harm.
struct Container {
    private static let maximumEntries = 20_000
    /// The limit on bytes unpacked in one call, and of one file.
    private static let maximumBytes = 160_000_000
    private static let largestEntry = 48_000_000

    /// Where the list of files is taken from.
    private enum Source {
        /// The directory at the end of the container.
        case directory
        /// The header before each file, for a container whose directory is lost or damaged.
        case headers
    }

    private let bytes: Data
    private let source: Source
    /// All names, including those of folders.
    let names: Set<String>
    /// The names by their plain form; those of several files are left out.
    private let alike: [String: String]

    /// - Throws: ``DocumentError/damaged(_:)``, ``DocumentError/tooMuchInside``, `CancellationError`.
    init(_ bytes: Data) throws {
        let listed = try Self.names(in: bytes, by: .directory)
        let hasAll = listed.isWhole && !listed.names.isEmpty
        let met = try hasAll ? [] : Self.names(in: bytes, by: .headers).names
        let isBetter = met.count > listed.names.count
        self.bytes = isBetter ? bytes + Self.end : bytes
        names = isBetter ? met : listed.names
        source = isBetter ? .headers : .directory
        guard !names.isEmpty else { throw DocumentError.damaged(.epub) }
        let forms = Dictionary(grouping: names, by: Self.form)
        alike = forms.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// The end of an empty directory.
    ///
    /// Behind the last file, libarchive looks further ahead than the file's size takes, which may stand there, and takes the file for
    /// damaged if nothing follows.
    private static let end = Data("PK\u{05}\u{06}".utf8) + Data(count: 20)

    private static func names(in bytes: Data, by source: Source) throws -> (names: Set<String>, isWhole: Bool) {
        var names: Set<String> = []
        let isWhole = try visit(bytes, by: source) { name, _ in
            names.insert(name)
            return true
        }
        return (names, isWhole)
    }

    private static func form(_ name: String) -> String {
        let plain = (name.removingPercentEncoding ?? name).lowercased()
        return String(plain.map { $0 == "\\" ? "/" : $0 == "+" ? " " : $0 })
    }

    /// The name of the file that is meant by `name`: this one, else the only one that differs from it in case, percent
    /// encoding or the signs for slashes and spaces alone.
    private func actual(_ name: String) -> String { names.contains(name) ? name : alike[Self.form(name)] ?? name }

    /// Whether there is a file of this name.
    func has(_ name: String) -> Bool { names.contains(actual(name)) }

    /// The contents of the files in `wanted` that exist and can be unpacked.
    ///
    /// - Throws: ``DocumentError/tooMuchInside``, `CancellationError`.
    func contents(of wanted: Set<String>) throws -> [String: Data] {
        var found: [String: Data] = [:]
        var total = 0
        guard !wanted.isEmpty else { return [:] }
        let asked = Dictionary(grouping: wanted, by: actual)
        try Self.visit(bytes, by: source) { name, archive in
            guard let asked = asked[name], asked.contains(where: { found[$0] == nil }) else { return true }
            guard let content = try Self.content(archive, most: min(Self.largestEntry, Self.maximumBytes - total))
            else {
                return true
            }
            for name in asked { found[name] = content }
            total += content.count
            // Markup is compressed to a tenth or a thirtieth of its size; a ratio above 150 is not a book.
            guard total < 16_000_000 || total / 150 < bytes.count else { throw DocumentError.tooMuchInside }
            return found.count < wanted.count
        }
        return found
    }

    /// Calls `take` for every file until it returns that it has enough.
    ///
    /// - Returns: Whether the list of files was read to its end or as far as needed.
    @discardableResult
    private static func visit(
        _ bytes: Data,
        by source: Source,
        _ take: (String, OpaquePointer) throws -> Bool
    ) throws -> Bool {
        try bytes.withUnsafeBytes { bytes in
            guard let archive = archive_read_new() else { throw DocumentError.damaged(.epub) }
            defer { archive_read_free(archive) }
            var first = 0
            switch source {
            case .directory: archive_read_support_format_zip_seekable(archive)
            case .headers:
                archive_read_support_format_zip_streamable(archive)
                first = Self.firstHeader(bytes) ?? 0
            }
            let locale = UnicodeLocale()
            defer { locale.end() }
            let contents = UnsafeRawBufferPointer(rebasing: bytes[first...])
            guard archive_read_open_memory(archive, contents.baseAddress, contents.count) == ARCHIVE_OK else {
                return false
            }
            var entries = 0
            var entry: OpaquePointer?
            while true {
                let status = archive_read_next_header(archive, &entry)
                // Entries after a damaged one cannot be trusted; those before it are valid.
                guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return status == ARCHIVE_EOF }
                try Task.checkCancellation()
                entries += 1
                guard entries <= maximumEntries else { throw DocumentError.tooMuchInside }
                let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
                guard let name else { continue }
                guard try take(String(cString: name), archive) else { return true }
            }
        }
    }

    /// The place of the first file's header, before which other bytes may stand.
    private static func firstHeader(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let sign = Array("PK\u{03}\u{04}".utf8)
        return bytes.prefix(65_536).indices.first { bytes[$0...].starts(with: sign) }
    }

    /// The rest of the entry; `nil` for a damaged or encrypted one.
    private static func content(_ archive: OpaquePointer, most: Int) throws -> Data? {
        var content = Data()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = archive_read_data(archive, piece.baseAddress, piece.count)
            guard count >= 0 else { return nil }
            guard count > 0, let base = piece.baseAddress else { return content }
            content.append(base.assumingMemoryBound(to: UInt8.self), count: count)
            guard content.count <= most else { throw DocumentError.tooMuchInside }
            try Task.checkCancellation()
        }
    }
}

/// A locale for the calling thread in which libarchive keeps all characters of names; in the C locale it drops
/// non-ASCII ones.
private struct UnicodeLocale {
    private let former: locale_t?
    private let own: locale_t?

    init() {
        own = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        former = own.flatMap { uselocale($0) }
    }

    func end() {
        guard let own else { return }
        uselocale(former)
        freelocale(own)
    }
}

/// Resolves references between the files of a container.
enum ContainerPath {
    /// Resolves `reference`, as written in the file `base`.
    ///
    /// - Returns: A name and the part after “#”; `nil` for a reference that leaves the container.
    static func resolve(_ reference: String, from base: String) -> (name: String, fragment: String?)? {
        let parts = reference.trimmed.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? String(parts[1]).removingPercentEncoding ?? String(parts[1]) : nil
        guard let first = parts.first, !first.contains(":") else { return nil }
        let bare = first.prefix { $0 != "?" }
        // A name with a bare percent sign is taken as it is written.
        let path = String(bare).removingPercentEncoding ?? String(bare)
        if path.isEmpty { return (base, fragment) }
        let isFromRoot = path.hasPrefix("/") || path.hasPrefix("\\")
        var folders = isFromRoot ? [] : base.split(separator: "/").dropLast().map(String.init)
        for part in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) where part != "." {
            if part == ".." {
                guard folders.popLast() != nil else { return nil }
            } else {
                folders.append(String(part))
            }
        }
        return folders.isEmpty ? nil : (folders.joined(separator: "/"), fragment)
    }
}

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

    /// The paths of the texts but the contents lists, by themselves in lower case.
    var textPaths: [String: String] {
        let texts = items.values.filter { $0.isText && ![navigation, contentsTable].contains($0.path) }
        return Dictionary(texts.map { ($0.path.lowercased(), $0.path) }) { first, _ in first }
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
        // Where nothing is in the reading order, everything is what there is to read.
        guard !spine.contains(where: \.isLinear) else { return }
        for index in spine.indices { spine[index].isLinear = true }
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
