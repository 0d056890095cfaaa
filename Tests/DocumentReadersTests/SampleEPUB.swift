import EchoText
import Foundation

/// An EPUB made from its files.
struct SampleEPUB {
    struct Entry {
        var name: String
        var bytes: Data
    }

    var entries: [Entry] = []
    var hasMimetype = true
    /// Whether the size of each file stands behind it, as programs write it that cannot go back.
    var isStreamed = false

    /// A book of pages.
    ///
    /// - Parameters:
    ///   - pages: The content of the bodies; a page whose text begins with `~` is not linear.
    ///   - navigation: Titles and their targets.
    ///   - metadata: Further elements of the metadata.
    ///   - manifest: Further items of the manifest.
    ///   - further: Further files.
    init(
        pages: [String],
        navigation: [(title: String, place: String)] = [],
        metadata: String = "",
        manifest: String = "",
        further: [Entry] = []
    ) {
        var items = ""
        var spine = ""
        for (index, page) in pages.enumerated() {
            let name = "page\(index + 1).xhtml"
            items += #"<item id="p\#(index)" href="\#(name)" media-type="application/xhtml+xml"/>"#
            spine += #"<itemref idref="p\#(index)"\#(page.hasPrefix("~") ? #" linear="no""# : "")/>"#
            add("OEBPS/\(name)", Self.page(page.hasPrefix("~") ? String(page.dropFirst()) : page))
        }
        let list = navigation.map { #"<li><a href="\#($0.place)">\#($0.title)</a></li>"# }.joined()
        add("OEBPS/nav.xhtml", Self.page(#"<nav epub:type="toc"><ol>\#(list)</ol></nav>"#))
        items += #"<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>"#
        add(
            "OEBPS/package.opf",
            """
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Sample</dc:title>
            <dc:creator>Somebody</dc:creator><dc:language>en_gb</dc:language>\(metadata)</metadata>
            <manifest>\(items)\(manifest)</manifest><spine>\(spine)</spine></package>
            """
        )
        add(
            "META-INF/container.xml",
            """
            <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
            <rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
            """
        )
        entries += further
    }

    mutating func add(_ name: String, _ text: String) {
        entries.append(Entry(name: name, bytes: Data(text.utf8)))
    }

    mutating func replace(_ name: String, _ text: String) {
        entries.removeAll { $0.name == name }
        add(name, text)
    }

    private static func page(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
        <head><title>Not to be read</title><style>p { color: red }</style></head><body>\(body)</body></html>
        """
    }

    var file: DocumentFile { DocumentFile(name: "sample.epub", bytes: bytes) }

    /// A ZIP file whose files are stored uncompressed.
    var bytes: Data {
        var zip = Data()
        var directory = Data()
        let mimetype = hasMimetype ? [Entry(name: "mimetype", bytes: Data("application/epub+zip".utf8))] : []
        for entry in mimetype + entries {
            let offset = zip.count
            let name = Data(entry.name.utf8)
            var head = Data()
            for value in [20, isStreamed ? 0x0808 : 0x0800, 0, 0, 0x21] { head.append(value, bytes: 2) }
            var sizes = Data()
            sizes.append(Int(Self.checksum(entry.bytes)), bytes: 4)
            for _ in 0..<2 { sizes.append(entry.bytes.count, bytes: 4) }
            var lengths = Data()
            lengths.append(name.count, bytes: 2)
            lengths.append(0, bytes: 2)
            zip += Data("PK\u{03}\u{04}".utf8) + head + (isStreamed ? Data(count: sizes.count) : sizes) + lengths
            zip += name + entry.bytes
            if isStreamed { zip += Data("PK\u{07}\u{08}".utf8) + sizes }
            directory += Data("PK\u{01}\u{02}".utf8) + Data([20, 0]) + head + sizes + lengths
            directory += Data(repeating: 0, count: 10)
            directory.append(offset, bytes: 4)
            directory += name
        }
        let start = zip.count
        zip += directory + Data("PK\u{05}\u{06}".utf8) + Data(repeating: 0, count: 4)
        for _ in 0..<2 { zip.append(mimetype.count + entries.count, bytes: 2) }
        zip.append(directory.count, bytes: 4)
        zip.append(start, bytes: 4)
        zip.append(0, bytes: 2)
        return zip
    }

    /// The zip format's CRC-32.
    private static func checksum(_ bytes: Data) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~value
    }
}

extension Data {
    fileprivate mutating func append(_ value: Int, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
