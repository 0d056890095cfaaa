import EchoText

/// Extracts the spoken text from pages of XHTML.
struct SpokenMarkup {
    static let hidden: Set<String> = [
        "audio", "canvas", "datalist", "head", "iframe", "map", "rp", "rt", "rtc", "script", "style", "template",
        "title", "video",
    ]
    /// Elements of a form that have a box of their own within a line.
    private static let fields: Set<String> = ["select", "textarea"]
    /// The kinds of inputs that do not show the words of their values.
    private static let wordlessInputs: Set<String> = [
        "checkbox", "color", "file", "hidden", "password", "radio", "range",
    ]
    /// Elements of a drawing that are not visible.
    private static let hiddenInDrawings: Set<String> = [
        "clippath", "defs", "desc", "filter", "marker", "mask", "metadata", "pattern", "script", "style", "symbol",
        "title",
    ]
    static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
        "table", "tbody", "tfoot", "thead", "tr", "ul",
    ]
    private static let notes: Set<Substring> = [
        "doc-endnote", "doc-footnote", "doc-footnotes", "doc-endnotes", "endnote", "endnotes", "footnote", "footnotes",
        "rearnote", "rearnotes",
    ]

    /// The markup that is read within a page.
    private static let namespaces: Set<String> = [
        "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg",
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
    /// The number of the next item in each enclosing list; `nil` for a list without numbers.
    private var counters: [Int?] = []
    /// Places of notes that references before have led to, as ``Navigation/Entry/key``.
    private var notePlaces: Set<String> = []
    /// Where the last variable with letters as its index ends (“mₑ”).
    private var endOfVariable: Int?
    private let formula: Formula

    /// - Parameters:
    ///   - targets: Places within pages that the table of contents refers to.
    ///   - language: The book's language, if it is known.
    init(targets: Set<String>, language: String?) {
        self.targets = targets
        formula = Formula(language: language.map { LanguageTag.language(of: $0) } ?? "en")
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
        try markup.forEachRoot { root in
            isDrawing = root.name == "svg"
            if isLinear, !ContentsPage.isOne(root, at: path) {
                try walk(root)
            } else {
                try marked(.nonLinear, isBlock: true) { try $0.walk(root) }
            }
        }
        flow.breakBlock()
    }

    private mutating func walkChildren(of element: Element) throws {
        let pieces = Array(element.children)
        var index = 0
        while index < pieces.count {
            switch pieces[index] {
            case .text(let text):
                if index + 2 < pieces.count, case .element(let link) = pieces[index + 1],
                    case .text(let rest) = pieces[index + 2], Self.isReference(link, between: text, rest)
                {
                    add(String(text.dropLast()))
                    try reference(link, in: ("[", "]"))
                    add(String(rest.dropFirst()))
                    index += 2
                } else {
                    add(text)
                }
            case .element(let inner):
                let start = flow.length
                try walk(inner)
                if flow.length > start, Initial.isOne(inner), Initial.isContinued(by: pieces[(index + 1)...]) {
                    flow.continueWord()
                }
            }
            index += 1
        }
    }

    /// Whether a link is the number of a note whose brackets stand outside it.
    private static func isReference(_ link: Element, between before: String, _ behind: String) -> Bool {
        before.last == "[" && behind.first == "]" && NoteReference.place(of: link) != nil
            && NoteSign.isMark(link.text)
    }

    private mutating func walk(_ element: Element) throws {
        let outer = flow.changeLanguage(to: element.statedLanguage ?? flow.language)
        let isBox = Self.fields.contains(element.name) || element.isSetApart
        let isApart = isBox && !element.isUnseen && !PrintedPageNumber.isOne(element, isBlock: false)
        if isApart { flow.append(" ") }
        try walkInside(element)
        if isApart { flow.append(" ") }
        _ = flow.changeLanguage(to: outer)
    }

    private mutating func walkInside(_ element: Element) throws {
        let name = element.name
        if let id = element.attribute("id") { recordTarget(id) }
        if element.isEmbedded { embedded += 1 }
        guard !element.isUnseen else { return }
        let kinds =
            (element.attribute("type") ?? "").split(separator: " ")
            + (element.attribute("role") ?? "").split(separator: " ")
        let isBlock = Self.blocks.contains(name)
        let isHeading = name.count == 2 && name.first == "h" && name.last?.isNumber == true
        let isPageBreak = kinds.contains("pagebreak") || kinds.contains("doc-pagebreak")
        // Some books put the page into the break before it.
        if isPageBreak, element.text.utf8.count <= 80 { return }
        if !isHeading, PrintedPageNumber.isOne(element, isBlock: isBlock) {
            for inner in element.descendants {
                if let id = inner.attribute("id") { recordTarget(id) }
            }
        } else if ContentsPage.isPageList(name, kinds) {
            return
        } else if Self.isReference(name, element, kinds) {
            try reference(element, isWayBack: kinds.contains("doc-backlink") || kinds.contains("backlink"))
        } else if !isBlock, NoteReference.isOne(element, after: flow.lineEnd) {
            try reference(element)
        } else if kinds.contains(where: Self.notes.contains) || isBlock && !isHeading && isNote(name, element) {
            try marked(.footnote, isBlock: true) { try $0.walkBlock(name, element) }
        } else if isBlock, ContentsPage.isList(element, kinds, at: path) {
            try marked(.nonLinear, isBlock: true) { try $0.walkBlock(name, element) }
        } else if isBlock {
            flow.breakBlock()
            try Task.checkCancellation()
            try walkBlock(name, element)
            flow.breakBlock()
        } else if NoteReference.isRaised(element) {
            try walkRaised(name, element)
        } else if NoteReference.isLowered(element) {
            try walkLowered(name, element)
        } else {
            try walkInline(name, element)
        }
    }

    /// Marks a reference and notes where it leads to.
    ///
    /// The number of one that is said with the word before it is read.
    private mutating func reference(
        _ element: Element,
        in brackets: (String, String) = ("", ""),
        isWayBack: Bool = false
    ) throws {
        let isSaid = !isWayBack && NoteReference.isSaid(element, after: flow.lineEnd)
        if !isWayBack, !flow.lineEnd.isEmpty, let link = NoteReference.link(of: element),
            let place = NoteReference.place(of: link),
            let target = ContainerPath.resolve(place, from: path), let fragment = target.fragment
        {
            notePlaces.insert(Navigation.Entry.key(target.name, fragment))
        }
        if isSaid {
            flow.append(brackets.0)
            try walkInline(element.name, element)
            flow.append(brackets.1)
            return
        }
        try marked(.footnoteReference, isBlock: false) { reader in
            reader.flow.append(brackets.0)
            try reader.walkPlainly(element)
            reader.flow.append(brackets.1)
        }
    }

    /// Adds the text of a reference as it is written.
    private mutating func walkPlainly(_ element: Element) throws {
        for piece in element.children {
            switch piece {
            case .text(let text): flow.append(text)
            case .element(let inner):
                if let id = inner.attribute("id") { recordTarget(id) }
                if !inner.isUnseen { try walkPlainly(inner) }
            }
        }
    }

    /// Whether a block that has no role of a note is one all the same: a reference leads to it, or it is named a note
    /// and begins as one.
    private func isNote(_ name: String, _ element: Element) -> Bool {
        guard !["article", "body", "dl", "html", "main", "ol", "table", "tbody", "ul"].contains(name) else {
            return false
        }
        let isNamed = NoteReference.isNote(element)
        if isNamed, NoteReference.beginsWithSign(element.text) { return true }
        guard !notePlaces.isEmpty else { return false }
        let ids = ["div", "section"].contains(name) && !isNamed ? [] : NoteReference.ids(at: element)
        let own = element.attribute("id").map { [$0] } ?? []
        let isReached = { (id: String) in notePlaces.contains(Navigation.Entry.key(path, id)) }
        if (name == "section" ? ids : ids + own).contains(where: isReached) { return true }
        return isNamed
            && element.descendants.contains { ($0.attribute("id") ?? $0.attribute("name")).map(isReached) == true }
    }

    /// Adds text with the signs of notes in it marked, and without the numbers of printed pages.
    private mutating func add(_ text: String) {
        // The first bytes of raised figures and of brackets.
        guard text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 || $0 == 0x5B || $0 == 0x7B }) else {
            flow.append(text)
            return
        }
        var rest = text[...]
        while let page = PrintedPageNumber.firstRange(in: rest) {
            addRaised(rest[..<page.lowerBound])
            rest = rest[page.upperBound...]
        }
        addRaised(rest)
    }

    private mutating func addRaised(_ text: Substring) {
        var rest = text
        while let start = rest.firstIndex(where: { RaisedText.lowered($0) != nil && $0 != "ⁿ" }) {
            flow.append(String(rest[..<start]))
            let figures = rest[start...].prefix { RaisedText.lowered($0) != nil }
            rest = rest[figures.endIndex...]
            let plain = String(figures.compactMap(RaisedText.lowered))
            let kind = RaisedText(
                plain,
                after: flow.lineEnd,
                before: String(rest.prefix(8)),
                followsNote: flow.endsWithReference
            )
            if case .noteSign = kind {
                let begin = flow.beginMark(isBlock: false)
                flow.append(String(figures))
                flow.endMark(.footnoteReference, isBlock: false, from: begin)
            } else {
                flow.append(String(figures))
            }
        }
        flow.append(String(rest))
    }

    /// Raised text: a power keeps its place, and the sign of a note is marked.
    private mutating func walkRaised(_ name: String, _ element: Element) throws {
        let text = element.text
        guard text.utf8.count <= 40, element.elements.allSatisfy({ $0.name != "img" }) else {
            return try walkInline(name, element)
        }
        let figures = String(text.map { RaisedText.lowered($0) ?? $0 })
        // “30<sup>o</sup> C”
        let scale = String(element.textBehind.drop(while: \.isWhitespace).prefix(while: \.isLetter))
        if figures == "o" || figures == "0", flow.lineEnd.last?.isNumber == true, scale == "C" || scale == "F" {
            flow.append("°")
            return
        }
        // “um 12<sup>30</sup> Uhr”
        if figures.count == 2, let minutes = Int(figures), minutes < 60, scale == "Uhr",
            flow.lineEnd.last?.isNumber == true
        {
            flow.append(":" + figures)
            return
        }
        // “m<sub>e</sub>c<sup>2</sup>”
        if figures == "2" || figures == "3", let end = endOfVariable, flow.length - end <= 1,
            flow.lineEnd.last?.isLetter == true
        {
            flow.append(RaisedText.raise(figures))
            return
        }
        let kind = RaisedText(
            figures,
            after: flow.lineEnd,
            before: element.textBehind,
            followsNote: flow.endsWithReference
        )
        switch kind {
        case .letters: try walkInline(name, element)
        case .number:
            flow.append(" ")
            try walkPlainly(element)
        case .exponent(let raised): flow.append(raised)
        case .expression:
            flow.append(formula.exponent(text))
            if element.textBehind.first?.isLetter == true { flow.append(" ") }
        case .noteSign: try reference(element)
        }
    }

    /// Lowered text: figures behind a number stay apart from it.
    private mutating func walkLowered(_ name: String, _ element: Element) throws {
        let text = element.text.filter { !$0.isWhitespace }
        let isIndex = !text.isEmpty && text.count <= 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
        guard isIndex, flow.lineEnd.last?.isNumber == true else {
            // “NOₓ” has none.
            let before = flow.lineEnd
            let isOfVariable =
                (1...3).contains(text.count) && text.allSatisfy(\.isLetter) && before.last?.isLetter == true
                && before.dropLast().last?.isLetter != true
            try walkInline(name, element)
            if isOfVariable { endOfVariable = flow.length }
            return
        }
        let offset: UInt32 = 0x2080 - 0x30
        let lowered = text.unicodeScalars.compactMap { Unicode.Scalar($0.value + offset) }
        flow.append(String(String.UnicodeScalarView(lowered)))
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
        case "math": flow.append(" " + formula.words(of: element) + " ")
        case "switch": try walkSwitch(element)
        case "input": addInput(element)
        case "select": try walkOptions(of: element)
        case "option": try walkOption(element)
        default: try walkChildren(of: element)
        }
    }

    /// Reads the words in a field of a form; any kind that is not known is a box for words.
    private mutating func addInput(_ element: Element) {
        let kind = element.attribute("type")?.lowercased() ?? ""
        if kind == "image" { return addPicture(element) }
        guard !Self.wordlessInputs.contains(kind), let words = element.attribute("value")?.asOneLine(longest: 2_000)
        else { return }
        flow.append(" " + words + " ")
    }

    /// Reads the option that a closed list shows: the last that is selected, else the first; of one with rows, all.
    private mutating func walkOptions(of element: Element) throws {
        let options = element.descendants.filter { $0.name == "option" }
        let rows = element.attribute("size").flatMap { Int($0.trimmed) } ?? 1
        if element.attribute("multiple") != nil || rows > 1 {
            for option in options where !option.isUnseen { try walkOption(option) }
        } else if let shown = options.last(where: { $0.attribute("selected") != nil }) ?? options.first {
            try walkOption(shown)
        }
    }

    /// Reads an option's label, which is shown in place of its text where it has one.
    private mutating func walkOption(_ option: Element) throws {
        flow.append(" ")
        if let label = option.attribute("label")?.asOneLine(longest: 2_000) {
            flow.append(label)
        } else {
            try walkChildren(of: option)
        }
    }

    /// Reads one of the contents that a page has for different programs: the first that is understood, else the default.
    private mutating func walkSwitch(_ element: Element) throws {
        let understood = element.elements.first { inner in
            inner.name == "case" && inner.attribute("required-namespace").map(Self.namespaces.contains) == true
        }
        guard let chosen = understood ?? element.elements.first(where: { $0.name == "default" }) else {
            return try walkChildren(of: element)
        }
        try walk(chosen)
    }

    /// Reads a drawing: its name, and each piece of text that is seen in it.
    private mutating func walkDrawing(_ element: Element, isWhole: Bool) throws {
        hasPictures = true
        if isWhole {
            let title = element.elements.first { $0.name == "title" }?.text
            addAlternative(element.attribute("aria-label") ?? title)
        }
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
        addAlternative(element.attribute("alt") ?? element.attribute("aria-label") ?? element.attribute("title"))
    }

    private mutating func addAlternative(_ words: String?) {
        guard let words = words?.asOneLine(longest: 2_000), !AlternativeText.isPlaceholder(words) else { return }
        if let letter = Initial.letter(of: words) {
            flow.append(letter)
            return
        }
        flow.appendAlternative(words)
    }

    private mutating func walkBlock(_ name: String, _ element: Element) throws {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            try block(.heading, level: name.last?.wholeNumberValue ?? 1) { try $0.walkChildren(of: element) }
        case "blockquote": try block(.quotation) { try $0.walkChildren(of: element) }
        case "figcaption", "caption": try block(.caption) { try $0.walkChildren(of: element) }
        case "pre": block(.code) { $0.flow.appendLines(element.text) }
        case "ol", "ul", "dl", "dir", "menu":
            let first = element.attribute("start").flatMap { Int($0) } ?? 1
            counters.append(name == "ol" && element.attribute("style")?.contains("none") != true ? first : nil)
            try walkChildren(of: element)
            counters.removeLast()
        case "li": try walkItem(element)
        case "tr": try walkRow(element)
        default: try walkChildren(of: element)
        }
    }

    private mutating func walkItem(_ element: Element) throws {
        let stated = element.attribute("value").flatMap { Int($0) }
        let number = (counters.last ?? nil).map { stated ?? $0 }
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
                add(text)
                if text.contains(where: { !$0.isWhitespace }) { isFirst = false }
            case .element(let inner) where isFirst && inner.name == "p" && !inner.isUnseen:
                isFirst = false
                if let id = inner.attribute("id") { recordTarget(id) }
                let outer = flow.changeLanguage(to: inner.statedLanguage ?? flow.language)
                try walkChildren(of: inner)
                _ = flow.changeLanguage(to: outer)
                flow.breakBlock()
            case .element(let inner):
                isFirst = false
                try walk(inner)
            }
        }
    }

    private mutating func walkRow(_ row: Element) throws {
        let cells = row.children.filter { piece in
            switch piece {
            // Text beside the cells is seen as one.
            case .text(let text): text.contains { !$0.isWhitespace }
            case .element(let cell): cell.name == "td" || cell.name == "th" || !cell.text.allSatisfy(\.isWhitespace)
            }
        }
        if !flow.isInRow, row.elements.contains(where: TableCell.isLayout) {
            for cell in cells {
                flow.breakBlock()
                try walk(cell)
            }
            return
        }
        try block(.tableRow) { reader in
            reader.flow.beginRow()
            for cell in cells {
                reader.flow.breakCell()
                try reader.walk(cell)
            }
            reader.flow.endRow()
        }
    }

    private mutating func walk(_ piece: Piece) throws {
        switch piece {
        case .text(let text): add(text)
        case .element(let element): try walk(element)
        }
    }

    private mutating func block(
        _ kind: TextBlock.Kind,
        level: Int = 1,
        _ body: (inout SpokenMarkup) throws -> Void
    ) rethrows {
        // The cells of a row are one block.
        guard !flow.isInRow else { return try body(&self) }
        flow.beginBlock()
        try body(&self)
        flow.endBlock(kind, level: level)
    }

    private mutating func marked(
        _ role: TextMark.Role,
        isBlock: Bool,
        _ body: (inout SpokenMarkup) throws -> Void
    ) rethrows {
        let isBlock = isBlock && !flow.isInRow
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

extension Element {
    /// Whether it is invisible on its page.
    fileprivate var isUnseen: Bool { SpokenMarkup.hidden.contains(name) || isHidden }

    /// The language that it says its text to be in.
    fileprivate var statedLanguage: String? { attribute("lang").flatMap(LanguageTag.stated) }

    private var isHidden: Bool {
        if attribute("hidden") != nil || attribute("aria-hidden") == "true" { return true }
        if name == "dialog", attribute("open") == nil { return true }
        // Pictures without words that scripts would show are there twice.
        if name == "noscript", text.allSatisfy(\.isWhitespace) { return true }
        guard let style else { return false }
        return style.contains("display:none") || style.contains("visibility:hidden")
    }

    /// Whether it has a place of its own on the page, so that its words belong to no other; a letter that floats begins a
    /// word.
    fileprivate var isSetApart: Bool {
        guard let style, !style.contains("float:") else { return false }
        return style.contains("position:absolute") || style.contains("display:block")
    }

    private var style: String? { attribute("style")?.lowercased().filter { !$0.isWhitespace } }

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

    /// The first characters behind it in its block.
    fileprivate var textBehind: String {
        var element = self
        var words = ""
        for _ in 0..<16 where words.count < 8 {
            switch element.next {
            case .text(let text): return String((words + text).prefix(8))
            case .element(let next):
                if SpokenMarkup.blocks.contains(next.name) || next.name == "br" { return words }
                words += next.text.prefix(8)
                element = next
            case nil:
                guard let parent = element.parent, !SpokenMarkup.blocks.contains(parent.name),
                    parent.name != "td", parent.name != "th"
                else { return words }
                element = parent
            }
        }
        return words
    }
}

/// Recognizes the cells of a table that only lays out a page.
enum TableCell {
    private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

    /// Whether a cell holds several paragraphs of text, or parts with headings.
    static func isLayout(_ cell: Element) -> Bool {
        guard !cell.elements.allSatisfy({ $0.name == "br" }) else { return false }
        let inner = cell.descendants.dropFirst()
        if inner.contains(where: { headings.contains($0.name) }) { return true }
        let paragraphs = inner.filter { $0.name == "p" || $0.name == "blockquote" }.map { $0.text.utf8.count }
        return paragraphs.count > 2 || paragraphs.count > 1 && paragraphs.reduce(0, +) > 300
    }
}
