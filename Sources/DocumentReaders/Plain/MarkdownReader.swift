import CMarkdown
import EchoText
import Foundation

/// Reads GitHub Flavored Markdown, on the calling thread.
struct MarkdownReader {
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) throws -> DocumentText {
        let (bytes, notices) = try TextDecoding.utf8(file.bytes)
        var source = String(decoding: MarkdownNesting.limited(bytes), as: UTF8.self)
        let front = FrontMatter(takenFrom: &source)
        let tree = try MarkdownTree(source)
        var walk = MarkdownWalk()
        try tree.visit { node, isEntering in
            try Task.checkCancellation()
            try walk.take(node, isEntering: isEntering)
        }
        let flow = walk.flow
        guard flow.length > 0 else { throw DocumentError.empty }
        let structure = DocumentStructure(
            kind: .markdown,
            title: front.title,
            author: front.author,
            language: front.language ?? LanguageSample.language(of: flow.builder.text),
            pages: [DocumentPage(number: 1, range: 0..<flow.length)],
            chapters: flow.headingChapters.chapters(length: flow.length),
            blocks: flow.blocks,
            marks: flow.marks,
            notices: notices
        )
        return DocumentText(text: flow.builder.text, structure: structure)
    }
}

/// Front matter before a text: `---`, names and values, `---`.
private struct FrontMatter {
    var title: String?
    var author: String?
    var language: String?

    init(takenFrom source: inout String) {
        guard source.hasPrefix("---\n") || source.hasPrefix("---\r\n") else { return }
        let lines = source.split(separator: #/\r?\n/#, omittingEmptySubsequences: false).prefix(60)
        guard let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." }),
            Self.hasOnlyNames(lines[..<end].dropFirst())
        else { return }
        for line in lines[..<end].dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmed.trimmingCharacters(in: CharacterSet(charactersIn: "\"'")).asOneLine()
            switch parts[0].trimmed.lowercased() {
            case "title": title = value
            case "author": author = value
            case "lang", "language": language = value.flatMap(LanguageTag.stated)
            default: break
            }
        }
        source = String(source[lines[end].endIndex...])
    }

    /// Whether lines are names with values, so that no text is lost that stands between two rules.
    private static func hasOnlyNames(_ lines: ArraySlice<Substring>) -> Bool {
        guard let first = lines.first else { return true }
        guard !isBlank(first), lines.contains(where: isName) else { return false }
        return lines.allSatisfy { line in
            isName(line) || isBlank(line) || line.first.map { " \t#-]}".contains($0) } ?? true
        }
    }

    private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

    /// Whether a line begins with a name of at most three words and a colon.
    private static func isName(_ line: Substring) -> Bool {
        guard let first = line.first, !first.isWhitespace, first != "#", first != "-",
            let colon = line.firstIndex(of: ":")
        else { return false }
        return line[..<colon].split(separator: " ").count <= 3 && line[colon...].dropFirst().first?.isWhitespace ?? true
    }
}

/// Owns one parsed Markdown text.
private struct MarkdownTree: ~Copyable {
    private let root: OpaquePointer

    init(_ source: String) throws {
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(CMARK_OPT_FOOTNOTES | CMARK_OPT_VALIDATE_UTF8) else {
            throw DocumentError.damaged(.markdown)
        }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough", "autolink", "tasklist"] {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        let footnotes = MarkdownFootnotes(of: Array(source.utf8))
        footnotes.bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let root = cmark_parser_finish(parser) else { throw DocumentError.damaged(.markdown) }
        for _ in 0..<footnotes.references {
            if let paragraph = cmark_node_first_child(root) { cmark_node_free(paragraph) }
        }
        self.root = root
    }

    deinit { cmark_node_free(root) }

    /// Calls `take` on entering each node and, for a node with children, on leaving it.
    borrowing func visit(_ take: (OpaquePointer, _ isEntering: Bool) throws -> Void) throws {
        guard let iterator = cmark_iter_new(root) else { return }
        defer { cmark_iter_free(iterator) }
        while true {
            let event = cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE else { return }
            guard let node = cmark_iter_get_node(iterator) else { continue }
            if event == CMARK_EVENT_ENTER, isPictureWithoutWords(node) {
                cmark_iter_reset(iterator, node, CMARK_EVENT_EXIT)
            } else {
                try take(node, event == CMARK_EVENT_ENTER)
            }
        }
    }
}

/// Whether a node is a picture that nobody has described.
private func isPictureWithoutWords(_ node: OpaquePointer) -> Bool {
    guard cmark_node_get_type(node) == CMARK_NODE_IMAGE, let child = cmark_node_first_child(node),
        cmark_node_next(child) == nil, let words = cmark_node_get_literal(child)
    else { return false }
    return AlternativeText.isPlaceholder(String(cString: words))
}

/// Turns the nodes of a Markdown text into clean text.
private struct MarkdownWalk {
    private(set) var flow = FlowText()
    private var lists: [(number: Int?, isTight: Bool)] = []
    private var isAtItemStart = false
    private var hasCell = false
    private var marks: [Int] = []
    private var html = MarkdownHTML()
    /// The tag up to which nothing more is read; `nil` outside the reading aids of ruby text and lists of options.
    private var skipEnd: OpaquePointer?

    mutating func take(_ node: OpaquePointer, isEntering: Bool) throws {
        if let end = skipEnd {
            guard node == end else { return }
            skipEnd = nil
        }
        if takeFootnote(node, isEntering: isEntering) { return }
        let kind = String(cString: cmark_node_get_type_string(node))
        switch kind {
        case "text": flow.append(Self.literal(node))
        case "code": flow.append(Self.literal(node))
        case "softbreak": flow.append(" ")
        case "linebreak": flow.breakLine()
        case "code_block":
            flow.breakBlock()
            flow.beginBlock()
            flow.appendLines(Self.literal(node))
            flow.endBlock(.code)
            flow.breakBlock()
        case "thematic_break": flow.breakBlock()
        case "html_block":
            for block in try html.blocks(of: Self.literal(node)) {
                flow.breakBlock()
                flow.appendLines(block)
            }
            flow.breakBlock()
        case "html_inline": try takeInline(node)
        default: takeContainer(kind, node, isEntering: isEntering)
        }
    }

    /// Takes a tag within a line: the end of that, a picture, or the beginning of a reading aid.
    private mutating func takeInline(_ node: OpaquePointer) throws {
        let tag = Self.literal(node)
        switch Self.name(of: tag) {
        case "br": flow.breakLine()
        case "img":
            if let words = try html.blocks(of: tag).first { flow.appendAlternative(words) }
        case "input":
            if let words = try html.blocks(of: tag).first { flow.append(" " + words + " ") }
        case "select":
            flow.append(" ")
            try takeList(from: node)
        case "/select", "option": flow.append(" ")
        case let name: skipEnd = Self.aidEnds[name].flatMap { Self.tag(of: $0, behind: node) }
        }
    }

    /// Takes what a list of options within a line shows; the words of one that does not end are read as they are.
    private mutating func takeList(from node: OpaquePointer) throws {
        guard let end = Self.tag(of: ["/select", "select"], behind: node), Self.name(of: Self.literal(end)) == "/select"
        else { return }
        var piece = Self.literal(node)
        var next = cmark_node_next(node)
        while let current = next, current != end {
            // Words with emphasis are no part of an option.
            guard cmark_node_first_child(current) == nil else { return }
            piece += Self.markup(of: current)
            next = cmark_node_next(current)
        }
        if let words = try html.blocks(of: piece + "</select>").first { flow.append(words) }
        skipEnd = end
    }

    /// A node without children as HTML.
    private static func markup(of node: OpaquePointer) -> String {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_HTML_INLINE: literal(node)
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: " "
        default: literal(node).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
    }

    /// The tags that end each reading aid, whose own end may be missing.
    private static let aidEnds: [String: Set<String>] = [
        "rp": ["/rp", "/ruby", "rb", "rp", "rt", "rtc"], "rt": ["/rt", "/ruby", "rb", "rp", "rt", "rtc"],
        "rtc": ["/rtc", "/ruby", "rb", "rtc"],
    ]

    /// The first tag with one of `names` behind a node in the same element; `nil` when there is none.
    private static func tag(of names: Set<String>, behind node: OpaquePointer) -> OpaquePointer? {
        var next = cmark_node_next(node)
        while let current = next {
            if cmark_node_get_type(current) == CMARK_NODE_HTML_INLINE, names.contains(name(of: literal(current))) {
                return current
            }
            next = cmark_node_next(current)
        }
        return nil
    }

    /// The name in a tag, in lower case; one that ends an element has its slash.
    private static func name(of tag: String) -> String {
        let words = tag.dropFirst()
        let isEnd = words.hasPrefix("/")
        return (isEnd ? "/" : "") + words.dropFirst(isEnd ? 1 : 0).prefix(while: \.isLetter).lowercased()
    }

    /// Handles footnotes, whose node types have no names in cmark-gfm.
    ///
    /// - Returns: Whether the node is a footnote or a reference to one.
    private mutating func takeFootnote(_ node: OpaquePointer, isEntering: Bool) -> Bool {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_FOOTNOTE_REFERENCE where isEntering:
            let start = flow.beginMark(isBlock: false)
            flow.append("[\(Self.literal(node))]")
            flow.endMark(.footnoteReference, isBlock: false, from: start)
        case CMARK_NODE_FOOTNOTE_DEFINITION where isEntering: marks.append(flow.beginMark(isBlock: true))
        case CMARK_NODE_FOOTNOTE_DEFINITION:
            if let start = marks.popLast() { flow.endMark(.footnote, isBlock: true, from: start) }
        default: return false
        }
        return true
    }

    private mutating func takeContainer(_ kind: String, _ node: OpaquePointer, isEntering: Bool) {
        switch kind {
        case "heading": takeBlock(.heading, level: Int(cmark_node_get_heading_level(node)), isEntering: isEntering)
        case "block_quote": takeBlock(.quotation, isEntering: isEntering)
        case "paragraph":
            if isEntering, isAtItemStart { isAtItemStart = false } else { flow.breakBlock() }
        case "list":
            flow.breakBlock()
            if isEntering {
                let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
                lists.append((isOrdered ? Int(cmark_node_get_list_start(node)) : nil, true))
            } else {
                lists.removeLast()
            }
        case "item", "tasklist": takeItem(isEntering: isEntering)
        case "table_row", "table_header":
            takeBlock(.tableRow, isEntering: isEntering)
            hasCell = false
        case "table_cell":
            if isEntering, hasCell { flow.append(flow.endsWithMark ? " " : ", ") }
            hasCell = true
        case "image":
            if isEntering { flow.beginBlock() } else { flow.endBlock(.altText) }
        default: break
        }
    }

    private mutating func takeBlock(_ kind: TextBlock.Kind, level: Int = 1, isEntering: Bool) {
        if isEntering { flow.breakBlock() }
        if isEntering { flow.beginBlock() } else { flow.endBlock(kind, level: level) }
        if !isEntering { flow.breakBlock() }
    }

    private mutating func takeItem(isEntering: Bool) {
        takeBlock(.listItem, level: max(lists.count, 1), isEntering: isEntering)
        guard isEntering, let last = lists.indices.last else { return }
        isAtItemStart = true
        if let number = lists[last].number {
            flow.append("\(number). ")
            lists[last].number = number + 1
        }
    }

    private static func literal(_ node: OpaquePointer) -> String {
        cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }
}

/// Reads the pieces of HTML within a Markdown text.
private struct MarkdownHTML {
    /// The limit on pieces that are parsed; of further ones, what is outside their tags is taken as it is written.
    private static let mostParsed = 10_000
    /// The attributes with words that are read.
    private static let shownAttributes = ["alt", "label", "value"]
    private var parsed = 0

    /// The text of a piece, which may begin or end within an element, by blocks.
    ///
    /// A comment that nothing ends would take the rest of the document with it, so it is text.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    mutating func blocks(of piece: String) throws -> [String] {
        if piece.trimmed.hasPrefix("<!--"), !piece.contains("-->") {
            let words = piece.trimmed.dropFirst(4)
            return words.split(separator: #/\R\h*\R/#).map { String($0).trimmed }.filter { !$0.isEmpty }
        }
        let bare = Self.outsideTags(piece)
        let isShown = bare.contains { !$0.isWhitespace } || Self.shownAttributes.contains { piece.contains($0) }
        guard isShown else { return [] }
        guard parsed < Self.mostParsed, let markup = Markup(Data(piece.utf8), isContent: true), !markup.isCut else {
            return [bare]
        }
        parsed += 1
        var reader = SpokenMarkup(targets: [], language: nil)
        try reader.add(markup, at: "", isLinear: true)
        return reader.flow.builder.text.split(separator: "\n\n").map(String.init)
    }

    private static func outsideTags(_ piece: String) -> String {
        var isInTag = false
        var kept = String.UnicodeScalarView()
        for scalar in piece.unicodeScalars {
            if scalar == "<" { isInTag = true }
            if !isInTag { kept.append(scalar) }
            if scalar == ">" { isInTag = false }
        }
        return String(kept)
    }
}

/// Limits how deep the blocks of a Markdown text are nested.
///
/// cmark-gfm checks each open block for each line, and a line can open as many blocks as it has characters: 650 kB of
/// “>” took more than a minute. The removed signs make no difference to a listener.
enum MarkdownNesting {
    /// The limit on the signs of quotations and list items at the beginning of a line.
    static let deepest = 64

    /// - Parameter bytes: The text, in UTF-8.
    /// - Returns: The text, with at most ``deepest`` container markers in each line.
    static func limited(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var copied = 0
        var position = 0
        while position < bytes.count {
            if let excess = excess(in: bytes, from: position) {
                kept += bytes[copied..<excess.lowerBound]
                copied = excess.upperBound
                position = copied
            }
            position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
        }
        guard copied > 0 else { return bytes }
        return kept + bytes[copied...]
    }

    /// The range of the signs beyond the limit in the line at `start`; `nil` when there are none.
    private static func excess(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var position = start
        var depth = 0
        var limit = start
        while true {
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            guard let end = sign(in: bytes, at: position) else { break }
            depth += 1
            position = end
            if depth == deepest { limit = end }
        }
        return depth > deepest ? limit..<position : nil
    }

    /// The end of the sign that opens a block at `position`; `nil` when there is none.
    private static func sign(in bytes: [UInt8], at position: Int) -> Int? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first == UInt8(ascii: ">") { return position + 1 }
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "*") || first == UInt8(ascii: "+") {
            return isGap(bytes, at: position + 1) ? position + 1 : nil
        }
        let digits = bytes[position...].prefix(9).prefix { (0x30...0x39).contains($0) }.count
        let end = position + digits
        guard digits > 0, end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")") else {
            return nil
        }
        return isGap(bytes, at: end + 1) ? end + 1 : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether there is a blank or the line's end at `position`.
    private static func isGap(_ bytes: [UInt8], at position: Int) -> Bool {
        position >= bytes.count || isBlank(bytes[position]) || bytes[position] == 0x0A || bytes[position] == 0x0D
    }
}
