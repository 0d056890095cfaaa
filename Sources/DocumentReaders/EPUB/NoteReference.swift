/// Recognizes which elements of a page refer to a note, and which are raised.
enum NoteReference {
    private static let raised: Set<String> = [
        "sup", "super", "superscript", "superior", "exponent", "raised", "hochgestellt", "hoch",
    ]
    private static let lowered: Set<String> = ["sub", "subscript", "inferior", "tiefgestellt"]
    private static let references: Set<String> = [
        "endnoteanchor", "endnotemark", "endnoteref", "endnotereference", "fn", "fnanchor", "fnlink", "fnmark", "fnnum",
        "fnref", "footnote", "footnoteanchor", "footnotecall", "footnotelink", "footnotemark", "footnotenumber",
        "footnoteref", "footnotereference", "fnote", "noteanchor", "notecall", "notelink", "notemark", "notenum",
        "notenumber", "noteref", "notereference", "endnote", "ftnref",
    ]
    private static let referenceIDs = [
        "fnref", "fnanchor", "noteref", "ftnref", "footnoteref", "footnoteanchor", "endnoteref", "refnote", "reffn",
    ]
    private static let notes: Set<String> = [
        "endnote", "endnotes", "endnotetext", "footnote", "footnotes", "footnotetext", "fntext", "fnote", "fnotes",
        "notetext", "rearnote", "rearnotes", "msofootnotetext", "msoendnotetext",
    ]
    /// Elements that may hold a block's id at its beginning.
    private static let leading: Set<String> = ["a", "span", "sup", "b", "i", "em", "strong", "small", "p"]
    private static let targets = ["fn", "ftn", "footnote", "endnote", "note", "edn"]
    /// Words whose number is said, linked or not.
    private static let counted: Set<String> = [
        "abschnitt", "act", "anmerkung", "article", "capítulo", "chapter", "chapitre", "example", "figure", "fig",
        "joonis", "kapitel", "märkus", "nota", "note", "notes", "number", "no", "osa", "page", "pages", "part",
        "peatükk", "p", "pp", "see", "section", "seite", "siehe", "step", "table", "tabel", "tabelle", "teil", "verse",
        "vol", "volume", "vt", "sec", "eq", "equation", "ch", "art", "s", "lk", "nr", "and", "or", "to",
    ]

    static func isRaised(_ element: Element) -> Bool { isMoved(element, "sup", raised) { isUp($0) } }

    static func isLowered(_ element: Element) -> Bool { isMoved(element, "sub", lowered) { $0.hasPrefix("sub") } }

    private static func isMoved(
        _ element: Element,
        _ name: String,
        _ classes: Set<String>,
        _ fits: (Substring) -> Bool
    ) -> Bool {
        if element.name == name { return true }
        guard ["span", "a", "small", "font", "i", "em", "b"].contains(element.name) else { return false }
        if element.classes.contains(where: classes.contains) { return true }
        guard let style = element.attribute("style")?.lowercased().filter({ !$0.isWhitespace }) else { return false }
        return style.split(separator: ";").contains { rule in
            rule.hasPrefix("vertical-align:") && fits(rule.dropFirst("vertical-align:".count))
        }
    }

    private static func isUp(_ place: Substring) -> Bool {
        if ["super", "top", "text-top"].contains(where: { place.hasPrefix($0) }) { return true }
        let length = place.drop { $0 == "+" || $0 == "." || $0 == "0" }
        return length.first?.isNumber == true
    }

    /// The place in this book that a link leads to, as it is written.
    static func place(of link: Element) -> String? {
        guard link.name == "a", let place = link.attribute("href")?.trimmed, !place.isEmpty, !place.hasPrefix("//"),
            !place.prefix(while: { $0 != "/" && $0 != "#" && $0 != "?" }).contains(":")
        else { return nil }
        return place
    }

    /// The link of a reference: the element itself or the first one in it.
    static func link(of element: Element) -> Element? {
        if element.name == "a" { return element }
        return element.descendants.first { $0.name == "a" }
    }

    /// Whether an inline element that has no role of a reference is one all the same.
    ///
    /// `line` is the end of the line before it, with a space where white space follows that.
    static func isOne(_ element: Element, after line: @autoclosure () -> String) -> Bool {
        let name = element.name
        guard ["a", "sup", "span", "small", "font", "i", "em", "b"].contains(name) else { return false }
        let isRaised = Self.isRaised(element)
        let isNamed = Self.isNamed(element)
        guard name == "a" || isRaised || isNamed else { return false }
        let text = element.text.filter { !$0.isWhitespace }
        guard !text.isEmpty, text.count <= 8 else { return false }
        let before = line()
        guard let link = Self.link(of: element), let place = Self.place(of: link) else {
            return isNamed && NoteSign.isMark(text) && !before.isEmpty
        }
        let isLetter = text.count == 1 && text.first?.isLetter == true
        let holdsRaised = element.descendants.dropFirst().contains { inner in
            Self.isRaised(inner) && inner.text.filter { !$0.isWhitespace } == text
        }
        if isRaised || holdsRaised {
            return NoteSign.isMark(text) || isLetter
                || text == text.lowercased() && PageNumeral.value(of: text) != nil || text.count == 1
        }
        guard name == "a" || isNamed, let last = before.last else { return false }
        guard NoteSign.isMark(text) || isNamed && isLetter else { return false }
        if isNamed { return true }
        if NoteSign.isBracketed(text), !text.hasPrefix("(") { return !isCounted(before) }
        if NoteSign.isSigns(text), text.first != "§" { return true }
        if last.isWhitespace { return leadsToNote(place) && !isCounted(before) }
        return (last.isLetter || last.isNumber || ".,;:!?…”’»\"')".contains(last)) && !isAbbreviated(before)
    }

    /// Whether a class or an id says that it refers to a note.
    private static func isNamed(_ element: Element) -> Bool {
        if element.classes.contains(where: references.contains) { return true }
        guard let id = element.attribute("id")?.lowercased().filter({ $0 != "-" && $0 != "_" }) else { return false }
        return referenceIDs.contains { id.hasPrefix($0) }
    }

    private static func leadsToNote(_ place: String) -> Bool {
        guard let fragment = place.split(separator: "#", omittingEmptySubsequences: false).dropFirst().last else {
            return false
        }
        let bare = fragment.lowercased().filter { $0 != "-" && $0 != "_" }
        let letters = String(bare.prefix(while: \.isLetter))
        return targets.contains(letters) && bare.count > letters.count
    }

    /// Whether the word before is one that has a number (“section”).
    private static func isCounted(_ before: String) -> Bool {
        let line = before.trimmed.lowercased()
        guard let word = line.split(whereSeparator: { !$0.isLetter }).last.map({ String($0) }),
            line.hasSuffix(word) || line.hasSuffix(word + ".")
        else { return false }
        return counted.contains(word)
    }

    /// Whether a full stop before is that of a short word (“p.12”).
    private static func isAbbreviated(_ before: String) -> Bool { before.hasSuffix(".") && isCounted(before) }

    /// Whether a class says that a block is a note.
    static func isNote(_ element: Element) -> Bool { element.classes.contains(where: notes.contains) }

    /// Whether a text begins as a note does: with its sign.
    static func beginsWithSign(_ text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        let word = String(start.prefix { !$0.isWhitespace }.prefix(8))
        return NoteSign.isMark(word) || word.first.map { "*†‡".contains($0) || RaisedText.lowered($0) != nil } == true
    }

    /// The ids by which a link can reach the beginning of a block: its own, and those of the inline elements that it
    /// begins with.
    static func ids(at block: Element) -> [String] {
        var ids: [String] = []
        var element = block
        for depth in 0..<6 {
            if depth > 0, !leading.contains(element.name) { break }
            ids += [element.attribute("id"), element.attribute("name")].compactMap { $0 }
            let first = element.children.first { !$0.isBlank }
            guard case .element(let inner) = first else { break }
            element = inner
        }
        return ids
    }
}

extension Piece {
    /// Whether it is only white space between elements.
    fileprivate var isBlank: Bool {
        switch self {
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .element: false
        }
    }
}
