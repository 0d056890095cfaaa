import EchoText

/// Extracts the spoken text from pages of XHTML.
struct SpokenMarkup {
    fileprivate static let hidden: Set<String> = [
        "audio", "canvas", "datalist", "head", "iframe", "map", "noscript", "rp", "rt", "script", "select", "style",
        "template", "textarea", "title", "video",
    ]
    /// Elements of a drawing that are not visible.
    private static let hiddenInDrawings: Set<String> = [
        "clippath", "defs", "desc", "filter", "marker", "mask", "metadata", "pattern", "script", "style", "symbol",
        "title",
    ]
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
        "html",
        "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
    ]
    private static let notes: Set<Substring> = [
        "doc-endnote", "doc-footnote", "doc-footnotes", "doc-endnotes", "endnote", "endnotes", "footnote", "footnotes",
        "rearnote", "rearnotes",
    ]

    private(set) var flow = FlowText()
    /// Whether there are pictures, with words about them or without.
    private(set) var hasPictures = false
    /// How many embedded pages and objects were not read because they have no alternative text.
    private(set) var embedded = 0
    /// Places within pages that the table of contents refers to, as ``Navigation/Entry/key``.
    private let targets: Set<String>
    private var path = ""
    /// Whether the page is a single drawing, whose texts are separate.
    private var isDrawing = false
    private var listDepth = 0
    /// The number of the next item in each enclosing list; `nil` for a list without numbers.
    private var counters: [Int?] = []

    init(targets: Set<String>) {
        self.targets = targets
    }

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - markup: The page.
    ///   - path: Its path in the container.
    ///   - isLinear: Whether it belongs to the reading order.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    mutating func add(_ markup: borrowing Markup, at path: String, isLinear: Bool) throws {
        self.path = path
        flow.breakBlock()
        flow.recordPosition(for: Navigation.Entry.key(path, nil))
        try markup.withRoot { root in
            isDrawing = root.name == "svg"
            if isLinear {
                try walk(root)
            } else {
                try marked(.nonLinear, isBlock: true) { try $0.walk(root) }
            }
        }
        flow.breakBlock()
    }

    private mutating func walkChildren(of element: Element) throws {
        for piece in element.children {
            switch piece {
            case .text(let text): flow.append(text)
            case .element(let inner): try walk(inner)
            }
        }
    }

    private mutating func walk(_ element: Element) throws {
        let name = element.name
        if let id = element.attribute("id") { recordTarget(id) }
        if element.isEmbedded { embedded += 1 }
        guard !element.isUnseen else { return }
        let kinds =
            (element.attribute("type") ?? "").split(separator: " ")
            + (element.attribute("role") ?? "").split(separator: " ")
        if kinds.contains("pagebreak") || kinds.contains("doc-pagebreak") { return }
        if Self.isReference(name, element, kinds) {
            try marked(.footnoteReference, isBlock: false) { try $0.walkChildren(of: element) }
        } else if kinds.contains(where: Self.notes.contains) {
            try marked(.footnote, isBlock: true) { try $0.walkBlock(name, element) }
        } else if Self.blocks.contains(name) {
            flow.breakBlock()
            try Task.checkCancellation()
            try walkBlock(name, element)
            flow.breakBlock()
        } else {
            try walkInline(name, element)
        }
    }

    private mutating func recordTarget(_ id: String) {
        let key = Navigation.Entry.key(path, id)
        if targets.contains(key) { flow.recordPosition(for: key) }
    }

    private mutating func walkInline(_ name: String, _ element: Element) throws {
        switch name {
        case "br": flow.breakLine()
        case "img", "image", "area": addPicture(element)
        case "svg": try walkDrawing(element, isWhole: true)
        case "math": flow.append(" " + (element.attribute("alttext") ?? element.text) + " ")
        default: try walkChildren(of: element)
        }
    }

    /// Reads a drawing: its name, and each piece of text that is seen in it.
    private mutating func walkDrawing(_ element: Element, isWhole: Bool) throws {
        hasPictures = true
        if isWhole { addAlternative(element.attribute("label") ?? element.elements.first { $0.name == "title" }?.text) }
        for inner in element.elements where !Self.hiddenInDrawings.contains(inner.name) {
            guard inner.attribute("aria-hidden") != "true" else { continue }
            if let id = inner.attribute("id") { recordTarget(id) }
            switch inner.name {
            case "text":
                if isDrawing { flow.breakBlock() } else { flow.append(" ") }
                try walkChildren(of: inner)
                if isDrawing { flow.breakBlock() } else { flow.append(" ") }
            case "foreignobject": try walkChildren(of: inner)
            default: try walkDrawing(inner, isWhole: false)
            }
        }
    }

    private mutating func addPicture(_ element: Element) {
        hasPictures = true
        addAlternative(element.attribute("alt"))
    }

    private mutating func addAlternative(_ words: String?) {
        guard let words = words?.asOneLine(longest: 2_000), !AlternativeText.isPlaceholder(words) else { return }
        flow.append(" ")
        flow.beginBlock()
        flow.append(words)
        flow.endBlock(.altText)
        flow.append(" ")
    }

    private mutating func walkBlock(_ name: String, _ element: Element) throws {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            try block(.heading, level: name.last?.wholeNumberValue ?? 1) { try $0.walkChildren(of: element) }
        case "blockquote": try block(.quotation) { try $0.walkChildren(of: element) }
        case "figcaption", "caption": try block(.caption) { try $0.walkChildren(of: element) }
        case "pre": block(.code) { $0.flow.appendLines(element.text) }
        case "ol", "ul", "dl":
            let first = element.attribute("start").flatMap { Int($0) } ?? 1
            counters.append(name == "ol" && element.attribute("style")?.contains("none") != true ? first : nil)
            try walkChildren(of: element)
            counters.removeLast()
        case "li": try walkItem(element)
        case "tr": walkRow(element)
        default: try walkChildren(of: element)
        }
    }

    private mutating func walkItem(_ element: Element) throws {
        let number = counters.last ?? nil
        if let number { counters[counters.count - 1] = number < Int.max ? number + 1 : number }
        try block(.listItem, level: max(counters.count, 1)) { reader in
            if let number, element.text.contains(where: { !$0.isWhitespace }) { reader.flow.append("\(number). ") }
            try reader.walkChildrenOfItem(element)
        }
    }

    /// Puts an item's first paragraph on the same line as its number.
    private mutating func walkChildrenOfItem(_ element: Element) throws {
        var isFirst = true
        for piece in element.children {
            switch piece {
            case .text(let text):
                flow.append(text)
                if text.contains(where: { !$0.isWhitespace }) { isFirst = false }
            case .element(let inner) where isFirst && inner.name == "p":
                isFirst = false
                if let id = inner.attribute("id") { recordTarget(id) }
                try walkChildren(of: inner)
                flow.breakBlock()
            case .element(let inner):
                isFirst = false
                try walk(inner)
            }
        }
    }

    private mutating func walkRow(_ row: Element) {
        block(.tableRow) { reader in
            var hasCell = false
            for cell in row.elements where (cell.name == "td" || cell.name == "th") && !cell.isUnseen {
                reader.lookInside(cell)
                guard let text = cell.cellText.asOneLine(longest: 20_000) else { continue }
                if hasCell { reader.flow.append(reader.flow.endsWithMark ? " " : ", ") }
                if let id = cell.attribute("id") { reader.recordTarget(id) }
                reader.flow.append(text)
                hasCell = true
            }
        }
    }

    /// Counts the pictures, embedded pages and objects in a cell.
    private mutating func lookInside(_ cell: Element) {
        for element in cell.descendants {
            if element.isEmbedded { embedded += 1 }
            if ["img", "image", "svg"].contains(element.name) { hasPictures = true }
        }
    }

    private mutating func block(
        _ kind: TextBlock.Kind,
        level: Int = 1,
        _ body: (inout SpokenMarkup) throws -> Void
    ) rethrows {
        flow.beginBlock()
        try body(&self)
        flow.endBlock(kind, level: level)
    }

    private mutating func marked(
        _ role: TextMark.Role,
        isBlock: Bool,
        _ body: (inout SpokenMarkup) throws -> Void
    ) rethrows {
        let start = flow.beginMark(isBlock: isBlock)
        try body(&self)
        flow.endMark(role, isBlock: isBlock, from: start)
    }

    /// Whether an element is a bare reference to a note; a reference made of words is part of its sentence.
    private static func isReference(_ name: String, _ element: Element, _ kinds: [Substring]) -> Bool {
        if kinds.contains("doc-backlink") || kinds.contains("backlink") { return NoteSign.isWayBack(element.text) }
        if kinds.contains("noteref") || kinds.contains("doc-noteref") { return NoteSign.isSign(element.text) }
        guard name == "sup" || name == "a" else { return false }
        let raised =
            name == "sup" ? element.elements.first { $0.name == "a" } : element.elements.first { $0.name == "sup" }
        let link = name == "a" ? element : raised
        guard raised != nil, link?.attribute("href")?.contains("#") == true else { return false }
        let text = element.text.filter { !$0.isWhitespace && !"[]()".contains($0) }
        return !text.isEmpty && text.count <= 4
            && text.allSatisfy { $0.isNumber || "*†‡§¶".contains($0) || $0.isLetter && text.count == 1 }
    }
}

/// The sign of a note in the text: “12”, “*”, “[iv]”, “b”, “Note 3”.
private enum NoteSign {
    private static let names: Set<String> = [
        "anm", "anmerkung", "en", "endnote", "fn", "footnote", "fussnote", "fußnote", "joonealune", "märkus", "n",
        "nota", "note", "viide",
    ]

    /// The first words of links back to the text.
    private static let waysBack: Set<String> = [
        "back", "go", "jump", "retour", "return", "ritorna", "tagasi", "takaisin", "terug", "volver", "voltar",
        "zurück",
    ]

    /// Whether the text of a link from a note to its reference is a sign, or describes the link's target; other words
    /// are part of the note.
    static func isWayBack(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard !isSign(text), let first = words.first else { return true }
        return words.count <= 6 && waysBack.contains(first)
    }

    static func isSign(_ text: String) -> Bool {
        var words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if words.count > 1, let first = words.first, names.contains(first) { words.removeFirst() }
        return words.count <= 1
            && words.allSatisfy { word in
                word.count == 1 || word.contains(where: \.isNumber) || PageNumeral.value(of: word) != nil
            }
    }
}

extension Element {
    /// Whether it is invisible on its page.
    fileprivate var isUnseen: Bool { SpokenMarkup.hidden.contains(name) || isHidden }

    private var isHidden: Bool { attribute("hidden") != nil || attribute("aria-hidden") == "true" }

    /// Whether it shows another page or an object without alternative text.
    fileprivate var isEmbedded: Bool {
        if isHidden { return false }
        return switch name {
        case "iframe": attribute("src") != nil || attribute("srcdoc") != nil
        case "embed": attribute("src") != nil
        case "object": attribute("data") != nil && !text.contains { !$0.isWhitespace } && !hasAlternative
        default: false
        }
    }

    private var hasAlternative: Bool { descendants.contains { $0.name == "img" && $0.attribute("alt") != nil } }

    /// All text within a cell, with its blocks separated.
    fileprivate var cellText: String {
        children.map { piece in
            switch piece {
            case .text(let text): text
            case .element(let element) where element.isUnseen: ""
            case .element(let element):
                element.name == "img" ? " \(element.alternative) " : element.separated
            }
        }.joined()
    }

    private var alternative: String {
        let words = attribute("alt") ?? ""
        return AlternativeText.isPlaceholder(words) ? "" : words
    }

    private var separated: String { ["p", "div", "li", "br"].contains(name) ? " \(cellText) " : cellText }
}
