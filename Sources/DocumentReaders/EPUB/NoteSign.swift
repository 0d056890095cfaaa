/// The sign of a note in the text: “12”, “*”, “[iv]”, “b”, “Note 3”.
enum NoteSign {
    private static let names: Set<String> = [
        "anm", "anmerkung", "en", "endnote", "fn", "footnote", "fussnote", "fußnote", "joonealune", "märkus", "n",
        "nota", "note", "viide",
    ]

    /// The first words of links back to the text.
    private static let waysBack: Set<String> = [
        "back", "go", "jump", "retour", "return", "ritorna", "tagasi", "takaisin", "terug", "volver", "voltar",
        "zurück",
    ]

    private static let signs: Set<Character> = ["*", "†", "‡", "§", "¶", "‖", "⁂"]
    private static let brackets: [Character: Character] = ["[": "]", "(": ")", "{": "}", "⟦": "⟧"]

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

    /// Whether the whole text is a number of up to four digits, up to three signs, or these, a letter or a small Roman
    /// number in brackets.
    static func isMark(_ text: String) -> Bool {
        let bare = text.filter { !$0.isWhitespace }
        guard isBracketed(bare) else { return isNumber(bare) || isSigns(bare) }
        let inner = String(bare.dropFirst().dropLast())
        return isNumber(inner) || isSigns(inner) || inner.count == 1 && inner.first?.isLetter == true
            || inner == inner.lowercased() && PageNumeral.value(of: inner) != nil
    }

    static func isBracketed(_ text: String) -> Bool {
        guard text.count > 2, let first = text.first, let closing = brackets[first] else { return false }
        return text.last == closing
    }

    static func isSigns(_ text: String) -> Bool { (1...3).contains(text.count) && text.allSatisfy(signs.contains) }

    /// Whether it is a number, also in raised characters, with at most a full stop behind it.
    static func isNumber(_ text: String) -> Bool {
        let digits = text.last == "." ? text.dropLast() : text[...]
        return (1...4).contains(digits.count)
            && digits.allSatisfy { $0.isASCII && $0.isNumber || RaisedText.lowered($0)?.isNumber == true }
    }
}
