import EchoText

/// The first letter of a chapter as a picture or a block of its own.
enum Initial {
    private static let classes = ["cap", "initial", "drop", "lettrine", "versal", "firstletter", "letra"]
    private static let descriptions: Set<String> = [
        "a", "an", "big", "capital", "cap", "decorated", "decorative", "drop", "dropcap", "floriated", "fancy",
        "illuminated", "illustrated", "initial", "large", "letter", "ornamental", "ornate", "the",
    ]
    private static let marks: Set<Character> = ["“", "”", "\"", "'", "‘", "’", "„", "«", "‹", "¿", "¡", "(", "—", "–"]

    /// The letter that the words about a picture consist of, with a quotation mark; `nil` for other words.
    static func letter(of words: String) -> String? {
        if isLetter(words) { return words }
        let parts = words.split { $0.isWhitespace || $0 == ":" || $0 == "-" || $0 == "," }
        guard (2...5).contains(parts.count), let last = parts.last, last.count == 1, last.first?.isUppercase == true,
            parts.dropLast().allSatisfy({ descriptions.contains($0.lowercased()) }),
            parts.dropLast().contains(where: { $0.count > 1 })
        else { return nil }
        return String(last)
    }

    private static func isLetter(_ words: String) -> Bool {
        let bare = words.filter { !marks.contains($0) }
        return words.count <= 3 && bare.count == 1 && bare.first?.isLetter == true
    }

    /// Whether a block consists of one letter and is made to be the first of a word.
    static func isOne(_ element: Element) -> Bool {
        guard ["div", "figure", "p", "table"].contains(element.name) else { return false }
        let names = element.classes
        let isStyled = element.attribute("style")?.lowercased().contains("float") == true
        let isNamed = names.contains { name in classes.contains { name.contains($0) } }
        guard isNamed || isStyled else { return false }
        let text = element.text.trimmed
        if !text.isEmpty { return isLetter(text) }
        let picture = element.descendants.first { $0.name == "img" }
        return picture?.attribute("alt").flatMap { letter(of: $0.trimmed) } != nil
    }

    /// Whether what follows begins in the middle of a word.
    static func isContinued(by pieces: ArraySlice<Piece>) -> Bool {
        for piece in pieces {
            switch piece {
            case .text(let text):
                guard let first = text.first(where: { !$0.isWhitespace }) else { continue }
                return text.first == first && first.isLowercase
            case .element(let element):
                let text = element.text
                guard let first = text.first(where: { !$0.isWhitespace }) else { return false }
                guard first.isLetter, text.first != " " else { return false }
                return first.isLowercase || text.prefix(while: \.isLetter).allSatisfy(\.isUppercase)
            }
        }
        return false
    }
}
