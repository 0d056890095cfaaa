import CXML
import EchoText
import Foundation

/// Owns one parsed XML or HTML file.
///
/// Nothing is fetched, and of the file's own entities only plain text is put in, so that it can neither reach the
/// network nor grow.
struct Markup: ~Copyable {
    private let handle: xmlDocPtr
    /// The notices about how the bytes of a malformed page were decoded.
    let notices: [DocumentNotice]
    /// Whether the end of a malformed page is missing, since its elements are nested too deep.
    let isCut: Bool

    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - isContent: Whether it is a page; a malformed page is parsed as a browser would.
    init?(_ bytes: Data, isContent: Bool) {
        let quiet = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
        let recovering = isContent ? 0 : Int32(XML_PARSE_RECOVER.rawValue)
        let options = quiet | recovering | Int32(XML_PARSE_NOCDATA.rawValue)
        let parsed = Self.parsed(NamedCharacters.spelledOut(in: bytes)) { xmlReadMemory($0, $1, nil, nil, options) }
        if let parsed {
            (handle, notices, isCut) = (parsed, [], false)
            return
        }
        guard isContent else { return nil }
        let page = PageEncoding.decoded(bytes)
        let spelled = DeclaredText.cut(from: NamedCharacters.spelledOut(in: page.bytes))
        guard let read = Self.leniently(spelled) else { return nil }
        (handle, notices, isCut) = (read.tree, page.notices, read.isCut)
    }

    /// Parses a page as a browser would, and one whose elements are nested deeper than the parser follows with fewer of them.
    private static func leniently(_ page: Data) -> (tree: xmlDocPtr, isCut: Bool)? {
        for form in DeepPage.Form.allCases {
            guard let read = html(DeepPage.written(page, form)) else { return nil }
            if !read.isCut || form == .paragraphs { return read }
            xmlFreeDoc(read.tree)
        }
        return nil
    }

    /// Parses HTML, in UTF-8.
    private static func html(_ page: Data) -> (tree: xmlDocPtr, isCut: Bool)? {
        guard let context = htmlNewParserCtxt() else { return nil }
        defer { htmlFreeParserCtxt(context) }
        let lenient = Int32(HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue)
        let quiet = Int32(HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue)
        let read = parsed(page) { htmlCtxtReadMemory(context, $0, $1, nil, "UTF-8", lenient | quiet) }
        guard let tree = read else { return nil }
        // The parser gives up at one error only, and leaves out what comes then.
        let last = xmlCtxtGetLastError(context)
        return (tree, last?.pointee.level == XML_ERR_FATAL)
    }

    private static func parsed(
        _ bytes: Data,
        _ parse: (UnsafePointer<CChar>, Int32) -> xmlDocPtr?
    ) -> xmlDocPtr? {
        bytes.withUnsafeBytes { bytes -> xmlDocPtr? in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let start, let count = Int32(exactly: bytes.count) else { return nil }
            return parse(start, count)
        }
    }

    deinit { xmlFreeDoc(handle) }

    /// Calls `body` with the outermost element, which `body` must not keep.
    borrowing func withRoot<Result>(_ body: (Element) throws -> Result) rethrows -> Result? {
        guard let root = xmlDocGetRootElement(handle) else { return nil }
        return try body(Element(node: root))
    }

    /// Calls `body` with each outermost element, which `body` must not keep: a malformed page may continue behind its end.
    borrowing func forEachRoot(_ body: (Element) throws -> Void) rethrows {
        var node = xmlDocGetRootElement(handle)
        while let current = node {
            if current.pointee.type == XML_ELEMENT_NODE { try body(Element(node: current)) }
            node = current.pointee.next
        }
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
        // References to entities that are no plain text are ignored.
        default: return nil
        }
    }
}

/// A page whose elements are nested deeper than the parser follows.
///
/// Most such pages begin elements again and again, and never end them.
private enum DeepPage {
    /// How a page is written, until the parser follows it.
    enum Form: CaseIterable {
        case asItIs
        /// Without the elements that only change how text looks.
        case plain
        /// With paragraphs instead of all other parts.
        case paragraphs
    }

    private static let looks: Set<String> = [
        "b", "big", "em", "font", "i", "small", "span", "strong", "tt", "u",
    ]
    /// The elements that stay, since they nest nothing, or their text is not read.
    private static let kept: Set<String> = [
        "area", "body", "br", "hr", "html", "image", "img", "input", "link", "meta", "option", "p", "select",
        "textarea",
    ]
    /// So much of a name is looked at, in bytes.
    private static let longestName = 32

    /// Writes a page, in UTF-8, in another form.
    static func written(_ page: Data, _ form: Form) -> Data {
        if form == .asItIs { return page }
        let source = [UInt8](page)
        var target: [UInt8] = []
        target.reserveCapacity(source.count)
        var place = 0
        while let start = source[place...].firstIndex(of: UInt8(ascii: "<")) {
            target += source[place..<start]
            let name = tagName(at: start, in: source)
            // The parser, too, takes all behind a tag without an end for a part of it.
            guard let end = name == nil ? start + 1 : tagEnd(at: start, in: source) else {
                place = start
                break
            }
            place = end
            if let name, let other = replacement(of: name, form) {
                target += other.utf8
            } else {
                target += source[start..<place]
            }
        }
        return Data(target + source[place...])
    }

    /// The text that is written instead of a tag; `nil` for one that stays.
    private static func replacement(of name: String, _ form: Form) -> String? {
        if looks.contains(name) { return "" }
        guard form == .paragraphs, !name.isEmpty, !kept.contains(name), !SpokenMarkup.hidden.contains(name) else {
            return nil
        }
        return SpokenMarkup.blocks.contains(name) || name == "td" || name == "th" ? "<p>" : ""
    }

    /// The name in a tag, in lower case and without a prefix; empty for a comment, and `nil` where neither begins.
    private static func tagName(at start: Int, in bytes: [UInt8]) -> String? {
        if bytes[start...].starts(with: "<!--".utf8) { return "" }
        let isEnd = bytes[(start + 1)...].first == UInt8(ascii: "/")
        let letters = bytes[(start + (isEnd ? 2 : 1))...].prefix(longestName).prefix { byte in
            byte < 0x80 && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ">") && byte > 0x20
        }
        let words = String(decoding: letters, as: UTF8.self).lowercased()
        guard words.first?.isLetter == true else { return nil }
        return words.split(separator: ":").last.map { String($0) } ?? words
    }

    /// Where a tag or comment ends that begins at `start`; `nil` for a tag that does not end.
    private static func tagEnd(at start: Int, in bytes: [UInt8]) -> Int? {
        if bytes[start...].starts(with: "<!--".utf8) { return commentEnd(at: start, in: bytes) }
        var quote: UInt8?
        var previous: UInt8 = 0
        for place in (start + 1)..<bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return place + 1
            } else if previous == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            if byte > 0x20 { previous = byte }
        }
        return nil
    }

    private static func commentEnd(at start: Int, in bytes: [UInt8]) -> Int {
        var place = start + 4
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "-"), bytes[place...].starts(with: "-->".utf8) { return place + 3 }
            place += 1
        }
        return bytes.count
    }
}

/// Characters that have names in HTML but not in XML, and plain text that a page gives a name.
private enum NamedCharacters {
    private static let ofXML: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

    /// `bytes` with `&nbsp;` and the like as numeric references, which every parser knows, and declared text put in.
    static func spelledOut(in bytes: Data) -> Data {
        guard bytes.contains(UInt8(ascii: "&")), !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF])
        else {
            return bytes
        }
        let source = [UInt8](bytes)
        var declared = DeclaredText(in: bytes)
        var target: [UInt8] = []
        target.reserveCapacity(source.count + 256)
        var position = 0
        while position < source.count {
            let byte = source[position]
            if byte == UInt8(ascii: "&"), let name = name(in: source, at: position + 1),
                let text = number(of: name) ?? declared.text(of: name)
            {
                target.append(contentsOf: text.utf8)
                position += name.utf8.count + 2
            } else {
                target.append(byte)
                position += 1
            }
        }
        return Data(target)
    }

    /// The name between the ampersand before `start` and a semicolon.
    private static func name(in bytes: [UInt8], at start: Int) -> String? {
        let name = bytes[start...].prefix(32).prefix { $0 != UInt8(ascii: ";") && $0 < 0x80 && $0 > 0x2C }
        guard !name.isEmpty, bytes.indices.contains(name.endIndex), bytes[name.endIndex] == UInt8(ascii: ";") else {
            return nil
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func number(of name: String) -> String? {
        guard !ofXML.contains(name), let known = htmlEntityLookup(name) else { return nil }
        return "&#\(known.pointee.value);"
    }
}

/// The plain text that a page declares under names of its own: `<!ENTITY us "The Company">`.
private struct DeclaredText {
    /// How much of a page is searched for declarations, in bytes, and how much text is put in, in UTF-8.
    private static let (reach, most) = (65_536, 1_000_000)

    private var texts: [String: String] = [:]
    private var length = 0

    /// - Parameter page: A page, in UTF-8 or another encoding in which ASCII is the same.
    init(in page: Data) {
        guard let subset = Self.subset(of: page) else { return }
        let declarations = String(decoding: page[subset], as: UTF8.self)
        for match in declarations.matches(of: #/<!ENTITY\s+([\w.-]{1,32})\s+(?:"([^"]*)"|'([^']*)')\s*>/#) {
            let text = String(match.2 ?? match.3 ?? "")
            // Markup, and what consists of other entities, could swell.
            let isPlain = !text.contains { "<%\"".contains($0) } && !text.replacing("&#", with: "").contains("&")
            if isPlain, texts[String(match.1)] == nil { texts[String(match.1)] = text }
        }
    }

    /// The text of a name; `nil` where there is none, or where too much has been put in.
    mutating func text(of name: String) -> String? {
        guard let text = texts[name], length + text.utf8.count <= Self.most else { return nil }
        length += text.utf8.count
        return text
    }

    /// `page` without its declarations, of which a parser of HTML takes the end for text.
    static func cut(from page: Data) -> Data {
        guard let subset = subset(of: page) else { return page }
        return page[..<subset.lowerBound] + page[subset.upperBound...]
    }

    /// The range of the declarations, with the brackets around them.
    private static func subset(of page: Data) -> Range<Data.Index>? {
        let head = page.prefix(reach)
        guard let type = head.range(of: Data("<!DOCTYPE".utf8)),
            let start = head[type.upperBound...].firstIndex(where: { [0x3E, 0x5B].contains($0) }), head[start] == 0x5B,
            let end = head[start...].range(of: Data("]>".utf8))
        else { return nil }
        return start..<end.upperBound - 1
    }
}

/// The encoding of a malformed page.
private enum PageEncoding {
    /// The page in UTF-8: by its byte order mark, else as it is where that is valid, else as its first lines state, else
    /// by a guess.
    static func decoded(_ page: Data) -> (bytes: Data, notices: [DocumentNotice]) {
        var survey = EncodingSurvey()
        page.withUnsafeBytes { survey.take($0) }
        let found = survey.finish()
        var (encoding, isGuessed) = (found.encoding, found.isGuessed)
        if case .named = encoding, let stated = stated(in: page.prefix(1_024)) {
            (encoding, isGuessed) = (stated, false)
        }
        // Pages in UTF-16 say so by their zero bytes.
        if case .utf16 = encoding { isGuessed = false }
        var converter = TextConverter(encoding)
        var text = Data()
        page.withUnsafeBytes { bytes in
            converter.convert(UnsafeRawBufferPointer(rebasing: bytes[found.skip...]), isLast: true) {
                text.append(contentsOf: $0)
            }
        }
        return (text, .ofDecoding(as: encoding, isGuessed: isGuessed, replaced: converter.replaced))
    }

    private static func stated(in head: Data) -> TextEncoding? {
        let lines = String(decoding: head, as: UTF8.self)
        guard let match = lines.firstMatch(of: #/(?:encoding|charset)\s*=\s*["']?([A-Za-z0-9_.:-]{2,40})/#) else {
            return nil
        }
        return TextEncoding.stated(String(match.1))
    }
}
