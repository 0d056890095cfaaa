/// The numbers of a printed book's pages, which stand in the middle of its sentences.
enum PrintedPageNumber {
    private static let classes: Set<String> = [
        "folio", "page", "pagebreak", "pagenr", "pagenum", "pagenumber", "pagenumbers", "pageno", "pb", "pgno", "pgnum",
        "pgnumber", "pn", "pnum", "seitenzahl", "xebookmakerpageno", "pagination", "printpage", "leht",
    ]
    private static let ids: Set<String> = [
        "folio", "lk", "pag", "page", "pagebreak", "pageno", "pagenum", "pagenumber", "pb", "pg", "seite",
    ]
    private static let names: Set<String> = [
        "lk", "p", "pag", "page", "pagina", "pg", "pp", "página", "s", "seite", "folio", "fol",
    ]
    private static let brackets: Set<Character> = ["[", "]", "{", "}", "(", ")", "|"]

    /// Whether an element is the number of a page, or the empty place of one.
    static func isOne(_ element: Element, isBlock: Bool) -> Bool {
        let id = (element.attribute("id") ?? element.attribute("name"))?.lowercased()
        let isPlaced = element.attribute("style").map { style in
            style.contains("absolute") && style.contains("position")
        }
        guard id != nil || isPlaced == true || element.attribute("class") != nil else { return false }
        let isNamed = element.classes.contains(where: classes.contains)
        guard isNamed || isPlaced == true || id.map({ isPageID($0, isBlock: isBlock) }) == true else { return false }
        let text = element.text
        guard !text.allSatisfy(\.isWhitespace) else { return false }
        guard text.utf8.count <= 40, let number = Self.number(in: text) else { return false }
        if isNamed { return true }
        if isPlaced == true, text.contains(where: brackets.contains) { return true }
        guard let id, isPageID(id, isBlock: isBlock) else { return false }
        return id.hasSuffix(number) || !isBlock && element.name == "a"
    }

    /// Whether an id is that of a page, such as “page_12”, “Pg12” or “p12”.
    private static func isPageID(_ id: String, isBlock: Bool) -> Bool {
        let letters = id.prefix(while: \.isLetter)
        let rest = id.dropFirst(letters.count).drop { "-_.".contains($0) }
        guard rest.count <= 5, !rest.isEmpty, rest.allSatisfy({ $0.isNumber || "ivxlc".contains($0) }) else {
            return false
        }
        return ids.contains(String(letters)) || letters == "p" && !isBlock
    }

    /// The number in “12”, “[Pg 12]”, “{17}”, “page xiv”; `nil` for other text.
    private static func number(in text: String) -> String? {
        var words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if words.count == 2, names.contains(words[0]) { words.removeFirst() }
        guard words.count == 1, let word = words.first else { return nil }
        var bare = word
        for name in ["page", "pg", "p"] where bare.hasPrefix(name) {
            let rest = bare.dropFirst(name.count)
            if !rest.isEmpty, rest.allSatisfy(\.isNumber) { bare = String(rest) }
        }
        let digits = bare.last.map { "rvab".contains($0) } == true && bare.count > 1 ? String(bare.dropLast()) : bare
        let isNumber = (1...5).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber || PageNumeral.value(of: bare) != nil ? bare : nil
    }

    /// The range of the first “[Pg 12]” in a text.
    static func firstRange(in text: Substring) -> Range<Substring.Index>? {
        var start = text.startIndex
        while let opening = text[start...].firstIndex(where: { $0 == "[" || $0 == "{" }) {
            let inner = text[opening...].dropFirst().prefix(12)
            if let closing = inner.firstIndex(where: { $0 == "]" || $0 == "}" }) {
                let words = inner[..<closing].lowercased().split { !$0.isLetter && !$0.isNumber }
                if words.count == 2, ["pg", "page", "p", "seite", "lk"].contains(words[0]),
                    PageNumeral.value(of: String(words[1])) != nil
                {
                    return opening..<text.index(after: closing)
                }
            }
            start = text.index(after: opening)
        }
        return nil
    }
}
