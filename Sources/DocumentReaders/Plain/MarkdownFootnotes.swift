/// The footnotes of a Markdown text, each with a label of its own and a reference to it.
///
/// cmark-gfm drops a footnote to which nothing refers, and one whose label an earlier one has, as where chapters were
/// put together. It numbers them in the order of the first references to them, so those before the text stand in that
/// order; a footnote that the text does not refer to comes after the others.
struct MarkdownFootnotes {
    /// The limit on footnotes that get a reference; nobody writes more.
    private static let most = 100_000

    /// The text, in UTF-8, behind ``references`` paragraphs of one reference each.
    let bytes: [UInt8]
    /// How many paragraphs stand before the text.
    let references: Int

    init(of text: [UInt8]) {
        var written: [(name: String, label: [UInt8])] = []
        var body: [UInt8] = []
        var copied = 0
        var position = 0
        var fence: CodeFence?
        var isInComment = false
        var referred: Set<String> = []
        var places: [String: Int] = [:]
        var defined: [String: Int] = [:]
        while position < text.count, referred.count < Self.most {
            let end = text[position...].firstIndex(where: Self.endsLine) ?? text.count
            let line = text[position..<end]
            position = end + 1
            let content = line.drop(while: Self.standsBeforeContent)
            if fence == nil, isInComment || content.starts(with: "<!--".utf8) {
                isInComment = !line.contains("-->".utf8)
                continue
            }
            if let sign = CodeFence(content) {
                if let open = fence {
                    if sign.closes(open) { fence = nil }
                } else {
                    fence = sign
                }
            }
            guard fence == nil else { continue }
            let definition = Self.label(of: content)
            for reference in Self.references(in: text[(definition?.upperBound ?? content.startIndex)..<end]) {
                let name = String(decoding: text[reference], as: UTF8.self).lowercased()
                if places[name] == nil, places.count < Self.most { places[name] = places.count }
            }
            guard let label = definition else { continue }
            let name = String(decoding: text[label], as: UTF8.self).lowercased()
            var ending = ""
            // Indented that far, a line is code or belongs to the footnote above it.
            if !Self.isIndented(line) {
                if var number = defined[name] {
                    repeat { number += 1 } while defined["\(name)^\(number)"] != nil
                    defined[name] = number
                    ending = "^\(number)"
                    body += text[copied..<label.upperBound]
                    body += ending.utf8
                    copied = label.upperBound
                }
                defined[name + ending, default: 0] += 1
            }
            guard referred.insert(name + ending).inserted else { continue }
            written.append((name + ending, Array(text[label]) + Array(ending.utf8)))
        }
        let placed = written.map { (place: places[$0.name] ?? Int.max, label: $0.label) }
        var before: [UInt8] = []
        for note in placed.filter({ $0.place < .max }).sorted(by: { $0.place < $1.place }) {
            before += Self.paragraph(referringTo: note.label)
        }
        for note in placed where note.place == .max { before += Self.paragraph(referringTo: note.label) }
        bytes = before + body + text[copied...]
        references = referred.count
    }

    private static func paragraph(referringTo label: [UInt8]) -> [UInt8] {
        Array("[^".utf8) + label + Array("]\n\n".utf8)
    }

    /// The range of the label where a footnote begins, as in “[^label]: The note.”; `nil` where none does.
    private static func label(of content: ArraySlice<UInt8>) -> Range<Int>? {
        guard content.starts(with: "[^".utf8) else { return nil }
        let start = content.startIndex + 2
        guard let end = content[start...].firstIndex(where: { $0 == UInt8(ascii: "]") || $0 <= 0x20 }), end > start,
            content[end...].starts(with: "]:".utf8)
        else { return nil }
        return start..<end
    }

    /// The ranges of the labels in what looks like references, as in “A fact[^label].”, in order.
    private static func references(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var rest = line
        while let open = rest.firstIndex(of: UInt8(ascii: "[")) {
            rest = rest[(open + 1)...]
            guard rest.first == UInt8(ascii: "^") else { continue }
            let label = rest.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
            rest = rest[label.endIndex...]
            if !label.isEmpty, rest.first == UInt8(ascii: "]") { found.append(label.indices) }
        }
        return found
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Whether a byte belongs to an indentation, or to the sign of a quotation or list item.
    private static func standsBeforeContent(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, UInt8(ascii: ">"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ")"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isIndented(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == 0x09 || line.prefix { $0 == 0x20 }.count > 3
    }
}

/// The sign that begins a block of code, or ends it.
private struct CodeFence {
    private let sign: UInt8
    private let length: Int
    private let isBare: Bool

    init?(_ content: ArraySlice<UInt8>) {
        guard let first = content.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return nil }
        sign = first
        length = content.prefix { $0 == first }.count
        let rest = content.dropFirst(length)
        guard length > 2, first == UInt8(ascii: "~") || !rest.contains(first) else { return nil }
        isBare = rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    func closes(_ open: CodeFence) -> Bool { isBare && sign == open.sign && length >= open.length }
}
