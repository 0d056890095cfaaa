import CXML
import EchoText
import Foundation

/// Owns one parsed XML or HTML file.
///
/// Nothing is fetched and the file's own entities are not expanded, so that it can neither reach the network nor
/// grow.
struct Markup: ~Copyable {
    private let handle: xmlDocPtr

    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - isContent: Whether it is a page; a malformed page is parsed as a browser would.
    init?(_ bytes: Data, isContent: Bool) {
        let spelled = NamedCharacters.spelledOut(in: bytes)
        let quiet = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
        let recovering = isContent ? 0 : Int32(XML_PARSE_RECOVER.rawValue)
        let parsed = spelled.withUnsafeBytes { bytes -> xmlDocPtr? in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let start, let count = Int32(exactly: bytes.count) else { return nil }
            let options = quiet | recovering | Int32(XML_PARSE_NOCDATA.rawValue)
            if let document = xmlReadMemory(start, count, nil, nil, options) { return document }
            guard isContent else { return nil }
            let html = Int32(HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue)
            let quietHTML = Int32(HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue)
            return htmlReadMemory(start, count, nil, "UTF-8", html | quietHTML)
        }
        guard let parsed else { return nil }
        handle = parsed
    }

    deinit { xmlFreeDoc(handle) }

    /// Calls `body` with the outermost element, which `body` must not keep.
    borrowing func withRoot<Result>(_ body: (Element) throws -> Result) rethrows -> Result? {
        guard let root = xmlDocGetRootElement(handle) else { return nil }
        return try body(Element(node: root))
    }
}

/// An element of a ``Markup``, valid as long as the ``Markup`` is.
struct Element {
    fileprivate let node: xmlNodePtr

    /// The name without a prefix, in lower case.
    var name: String { node.pointee.name.map { String(cString: $0).lowercased() } ?? "" }

    /// Its child nodes, in order.
    var children: some Sequence<Piece> {
        sequence(first: node.pointee.children) { $0?.pointee.next }
            .lazy.compactMap { $0 }.compactMap { Piece($0) }
    }

    var elements: some Sequence<Element> {
        children.lazy.compactMap { piece in
            if case .element(let element) = piece { element } else { nil }
        }
    }

    /// The element and all elements within it, in document order.
    var descendants: [Element] {
        var found = [self]
        for element in elements { found += element.descendants }
        return found
    }

    /// The element that it is in.
    var parent: Element? {
        guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else { return nil }
        return Element(node: parent)
    }

    /// The piece behind it in the same element; comments do not count.
    var next: Piece? {
        var next: xmlNodePtr? = node.pointee.next
        while let current = next {
            if let piece = Piece(current) { return piece }
            next = current.pointee.next
        }
        return nil
    }

    /// The words of `class`, in lower case and without hyphens and underscores: “page-num” and “pageNum” are one.
    var classes: [String] {
        guard let words = attribute("class") else { return [] }
        return words.lowercased().split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "-" && $0 != "_" } }
    }

    /// All text within it.
    var text: String {
        children.map { piece in
            switch piece {
            case .text(let text): text
            case .element(let element): element.text
            }
        }.joined()
    }

    /// The value of an attribute, by its name without prefix.
    func attribute(_ name: String) -> String? {
        var attribute = node.pointee.properties
        while let current = attribute {
            if let found = current.pointee.name, Self.local(String(cString: found)) == name {
                return Self.value(of: current)
            }
            attribute = current.pointee.next
        }
        return nil
    }

    private static func local(_ name: String) -> Substring { name.split(separator: ":").last ?? "" }

    private static func value(of attribute: xmlAttrPtr) -> String {
        var value = ""
        var node = attribute.pointee.children
        while let current = node {
            if current.pointee.type == XML_TEXT_NODE, let content = current.pointee.content {
                value += String(cString: content)
            }
            node = current.pointee.next
        }
        return value
    }
}

/// A child of an element.
enum Piece {
    case element(Element)
    case text(String)

    fileprivate init?(_ node: xmlNodePtr) {
        switch node.pointee.type {
        case XML_ELEMENT_NODE: self = .element(Element(node: node))
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
            guard let content = node.pointee.content else { return nil }
            self = .text(String(cString: content))
        // References to the file's own entities are ignored.
        default: return nil
        }
    }
}

/// Characters that have names in HTML but not in XML.
private enum NamedCharacters {
    private static let ofXML: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

    /// `bytes` with `&nbsp;` and the like as numeric references, which every parser knows.
    static func spelledOut(in bytes: Data) -> Data {
        guard bytes.contains(UInt8(ascii: "&")), !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF])
        else {
            return bytes
        }
        let source = [UInt8](bytes)
        var target: [UInt8] = []
        target.reserveCapacity(source.count + 256)
        var position = 0
        while position < source.count {
            let byte = source[position]
            if byte == UInt8(ascii: "&"), let (length, number) = name(in: source, at: position + 1) {
                target.append(contentsOf: "&#\(number);".utf8)
                position += length + 2
            } else {
                target.append(byte)
                position += 1
            }
        }
        return Data(target)
    }

    private static func name(in bytes: [UInt8], at start: Int) -> (length: Int, number: UInt32)? {
        let name = bytes[start...].prefix(32).prefix { $0 != UInt8(ascii: ";") && $0 < 0x80 && $0 > 0x2F }
        guard !name.isEmpty, bytes.indices.contains(name.endIndex), bytes[name.endIndex] == UInt8(ascii: ";") else {
            return nil
        }
        let text = String(decoding: name, as: UTF8.self)
        guard !ofXML.contains(text), let known = htmlEntityLookup(text) else { return nil }
        return (name.count, known.pointee.value)
    }
}
