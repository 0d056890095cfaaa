import EchoText

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

    /// Words of a sentence that name a note by its number.
    ///
    /// A reference behind “chapter” is not the chapter's number.
    private static let naming: Set<String> = [
        "anm.", "anmerkung", "fußnote", "joonealune", "lk", "lk.", "märkus", "märkust", "nota", "notas", "note",
        "notes", "p.", "pp.", "see", "siehe", "s.", "véase", "voir", "vt", "vt.",
    ]
    private static let joining: Set<String> = ["and", "et", "ja", "or", "to", "und", "y"]

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
        if isRaised || holdsRaised(element) {
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

    /// Whether all of its text is raised by an element in it.
    private static func holdsRaised(_ element: Element) -> Bool {
        let text = element.text.filter { !$0.isWhitespace }
        return element.descendants.dropFirst().contains { inner in
            isRaised(inner) && inner.text.filter { !$0.isWhitespace } == text
        }
    }

    /// Whether the number of a reference is said with the word before it: “see 5”, “notes 5 and 6”, but not “see⁵”.
    static func isSaid(_ element: Element, after line: String) -> Bool {
        guard line.last?.isWhitespace == true, element.text.contains(where: \.isNumber), !isRaised(element),
            !holdsRaised(element)
        else { return false }
        var words = line.split(whereSeparator: \.isWhitespace).map { word in
            word.lowercased().drop { !$0.isLetter && !$0.isNumber }
        }
        if let last = words.last, joining.contains(String(last)) {
            guard words.dropLast().last?.contains(where: \.isNumber) == true else { return false }
            words.removeLast(2)
        }
        return words.last.map { naming.contains(String($0)) } == true
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

/// The meaning of raised text, judged by its neighbors: “10⁶” is a power, “1848³” a year with the sign of a
/// note.
enum RaisedText {
    /// Part of what it stands at (“1st”, “14C”).
    case letters
    /// A number of its own behind another one: the half of “3½”.
    case number
    /// An exponent, in raised characters.
    case exponent(String)
    /// An exponent that raised characters cannot show (“x” in “eˣ”).
    case expression
    /// The sign of a note.
    case noteSign

    private static let raised: [Character: Character] = [
        "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "-": "⁻",
        "−": "⁻", "–": "⁻", "+": "⁺", "n": "ⁿ",
    ]
    private static let plain: [Character: Character] = {
        var plain = Dictionary(raised.map { ($1, $0) }) { first, _ in first }
        plain["⁻"] = "-"
        return plain
    }()
    private static let minus: Set<Character> = ["-", "−", "–"]
    private static let noteSigns: Set<Character> = ["*", "†", "‡", "§", "¶", "‖", "⁂", "#"]
    /// Signs of a calculation, of which none stands in running text.
    private static let operators: Set<Character> = ["=", "+", "−", "×", "·", "÷", "<", ">", "≈", "≤", "≥", "^"]
    private static let units: Set<String> = [
        "mm", "cm", "dm", "km", "nm", "µm", "μm", "hm", "ft", "in", "yd", "mi", "mol", "kg", "sec", "hz", "cd", "pa",
    ]
    /// The chemical elements of common isotopes whose signs are no words.
    private static let elements: Set<String> = [
        "Ar", "B", "C", "Ca", "Co", "Cs", "F", "Fe", "H", "K", "Kr", "Li", "N", "Na", "O", "P", "Pb", "Pu", "Ra", "Rn",
        "S", "Sr", "Tc", "Th", "U", "Xe",
    ]
    /// Units that are no words, and therefore need no number before them.
    private static let clearUnits: Set<String> = ["mm", "cm", "dm", "km", "nm", "µm", "μm"]
    /// Words whose number counts a part of a book or a day, and has no exponent.
    private static let counting: Set<String> = [
        "act", "article", "artikkel", "band", "book", "buch", "capítulo", "chap", "chapitre", "chapter", "example",
        "fig", "figure", "hour", "kapitel", "kd", "köide", "leht", "line", "lk", "map", "no", "note", "nr", "number",
        "osa", "page", "part", "partie", "peatükk", "pp", "página", "room", "scene", "section", "seite", "stanza",
        "tabelle", "table", "teil", "tome", "tomo", "verse", "version", "vol", "volume",
    ]

    /// - Parameters:
    ///   - text: The raised text, in plain characters.
    ///   - before: The end of the line before it, with a space where white space follows that.
    ///   - behind: The beginning of what follows.
    ///   - followsNote: Whether the sign of a note stands right before it.
    init(_ text: String, after before: String, before behind: String, followsNote: Bool) {
        let bare = text.filter { !$0.isWhitespace }
        let found = Kind(bare)
        guard let kind = found, let last = before.last else {
            let isVerse = found == .number && behind.first?.isLetter == true && Self.isAlone(.number, behind)
            self = isVerse || found == nil && Self.isLetteredNote(bare, before, behind) ? .noteSign : .letters
            return
        }
        if kind == .expression {
            self = last.isASCII && last.isNumber || Self.isVariable(before) ? .expression : .letters
            return
        }
        if kind == .sign || followsNote && kind != .variable {
            self = .noteSign
            return
        }
        let isFraction = kind == .number && (behind.first == "/" || behind.first == "⁄")
        if isFraction, last.isWhitespace || last.isNumber {
            self = .number
        } else if last.isWhitespace {
            self = Self.isAlone(kind, behind) ? .noteSign : .letters
        } else if kind == .list {
            self = .noteSign
        } else if kind == .charge {
            self = last.isNumber ? .exponent(Self.raise(bare)) : .letters
        } else if Self.isBase(before, of: bare, kind, behind) {
            self = .exponent(Self.raise(bare))
        } else {
            self = kind == .variable || Self.operators.contains(last) || last == "/" ? .letters : .noteSign
        }
    }

    /// Whether small letters behind a word are the sign of a note, and no ending: “thenᵃ”, “moreⁱᵛ”, but “Mʳ” and “2ᵉ”.
    private static func isLetteredNote(_ text: String, _ before: String, _ behind: String) -> Bool {
        guard behind.first?.isLetter != true, let last = before.last else { return false }
        let isLetter = text.count == 1 && text.allSatisfy { "abcfg".contains($0) }
        guard isLetter || ["ii", "iii", "iv", "vi", "vii", "viii", "ix"].contains(text) else { return false }
        if ".,;:!?”’»".contains(last) { return before.dropLast().last?.isLowercase == true }
        let word = before.reversed().prefix(while: \.isLetter)
        return word.count >= 4 && word.allSatisfy(\.isLowercase)
    }

    /// Figures in raised characters.
    static func raise(_ figures: String) -> String { String(figures.map { raised[$0] ?? $0 }) }

    /// Raised figures in plain characters; `nil` for another character.
    static func lowered(_ character: Character) -> Character? { plain[character] }

    private enum Kind {
        case number
        /// A number with a sign before it.
        case signed
        /// A number with a sign behind it, as of an ion.
        case charge
        case variable
        /// Variables and numbers with signs between them.
        case expression
        /// Several numbers.
        case list
        /// A sign, or a number in brackets.
        case sign

        init?(_ text: String) {
            guard let first = text.first, let last = text.last, text.count <= 12 else { return nil }
            let digits = text.filter { $0.isASCII && $0.isNumber }
            let hasSign = first == "+" || RaisedText.minus.contains(first)
            if digits.count == text.count {
                guard digits.count <= 4 else { return nil }
                self = .number
            } else if text == "n" || text == "-n" || text == "−n" {
                self = .variable
            } else if hasSign, !digits.isEmpty, digits.count == text.count - 1 {
                self = .signed
            } else if last == "+" || RaisedText.minus.contains(last), !digits.isEmpty, digits.count == text.count - 1 {
                self = .charge
            } else if RaisedText.isExpression(text) {
                self = .expression
            } else if text.allSatisfy(RaisedText.noteSigns.contains) {
                self = .sign
            } else if NoteSign.isBracketed(text), NoteSign.isMark(text) {
                self = .sign
            } else if !digits.isEmpty, first != "+", text.allSatisfy(Self.isOfList) {
                self = .list
            } else {
                return nil
            }
        }

        private static func isOfList(_ character: Character) -> Bool {
            character.isASCII && character.isNumber || ",;–-".contains(character)
                || RaisedText.noteSigns.contains(character)
        }
    }

    /// Whether raised text is one variable that ends no ordinal or abbreviation (“1ª”), or a sum or a product.
    private static func isExpression(_ text: String) -> Bool {
        guard text.count > 1 else { return "ijkmpqxyz".contains(text) }
        let isOfSigns = { (sign: Character) in sign == "+" || sign == "·" || minus.contains(sign) }
        let hasSign = text.dropLast().contains(where: isOfSigns)
        let letters = text.split { !$0.isLetter }
        return text.count <= 7 && hasSign && !letters.isEmpty && letters.allSatisfy { $0.count == 1 }
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || isOfSigns($0) }
    }

    /// Whether a line ends with a letter of its own.
    private static func isVariable(_ before: String) -> Bool {
        before.last?.isLetter == true && before.dropLast().last?.isLetter != true
    }

    /// The last letter or sign before, and the first one behind, white space aside.
    private static func sides(_ head: Substring, _ behind: String) -> [Character] {
        [head.last(where: { !$0.isWhitespace }), behind.first(where: { !$0.isWhitespace })].compactMap(\.self)
    }

    /// Whether figures behind white space are the sign of a note or of a verse, and not of an isotope (“¹⁴C”).
    private static func isAlone(_ kind: Kind, _ behind: String) -> Bool {
        guard kind == .number || kind == .list else { return false }
        return !elements.contains(String(behind.prefix(while: \.isLetter)))
    }

    /// Whether what stands before raised figures has an exponent.
    private static func isBase(_ before: String, of exponent: String, _ kind: Kind, _ behind: String) -> Bool {
        guard let last = before.last else { return false }
        if last.isNumber {
            return last.isASCII && isNumericBase(before, kind, behind)
        }
        if last.isLetter { return isLetterBase(before, of: exponent, kind, behind) }
        guard last == ")" || last == "]", let opening = before.lastIndex(of: last == ")" ? "(" : "[") else {
            return false
        }
        let inner = before[opening...].dropFirst().dropLast()
        return inner.contains { operators.contains($0) || $0 == "-" || $0 == "/" } && inner.contains { !$0.isLetter }
            && !inner.split(separator: " ").contains { $0.count > 3 && $0.allSatisfy(\.isLetter) }
    }

    private static func isNumericBase(_ before: String, _ kind: Kind, _ behind: String) -> Bool {
        if kind == .signed || kind == .variable { return true }
        let digits = String(before.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        let head = before.dropLast(digits.count)
        if sides(head, behind).contains(where: operators.contains) { return true }
        if let letter = head.last, letter.isLetter {
            // “x1²”, but not “B12³”.
            return digits.count == 1 && !(head.dropLast().last?.isLetter ?? false) && letter.isLowercase
        }
        guard head.last != ".", head.last != ",", head.last?.isNumber != true else { return false }
        guard digits == "10" || digits.count == 1 else { return false }
        let words = String(head).trimmed.lowercased()
        guard let word = words.split(whereSeparator: { !$0.isLetter }).last.map({ String($0) }) else { return true }
        // “Apollo 8³”
        if digits.count == 1, followsName(head) { return false }
        return !(counting.contains(word) && (words.hasSuffix(word) || words.hasSuffix(word + ".")))
    }

    /// Whether the word before is written as a name, as a short word at a sentence's beginning is not.
    private static func followsName(_ head: Substring) -> Bool {
        let word = head.split(whereSeparator: \.isWhitespace).last ?? ""
        return word.count > 3 && word.first?.isUppercase == true && word.allSatisfy(\.isLetter)
    }

    private static func isLetterBase(_ before: String, of exponent: String, _ kind: Kind, _ behind: String) -> Bool {
        let word = String(before.reversed().prefix(while: \.isLetter).reversed())
        let head = before.dropLast(word.count)
        let isSmall = exponent == "2" || exponent == "3"
        let isCalculation = sides(head, behind).contains(where: operators.contains)
        if kind == .signed { return word.count <= 3 }
        if kind == .variable { return word.count == 1 }
        if word.count == 1 {
            // “H₂O³” has a note.
            let formula = head.reversed().drop(while: \.isNumber)
            let isOfFormula =
                word == word.uppercased() && head.last?.isNumber == true && formula.first?.isLetter == true
            if isOfFormula, !isCalculation { return false }
            // “Charles V³”
            return word == word.lowercased() || isCalculation || isSmall && !followsName(head)
        }
        guard isSmall else { return false }
        let followsNumber = String(head).trimmed.last.map { $0.isNumber || $0 == "/" } ?? false
        let unit = word.lowercased()
        return clearUnits.contains(unit) || followsNumber && units.contains(unit)
            || isCalculation && word.count <= 2 || isProduct(word)
    }

    /// Whether letters are factors, as of “mc²” and “πr²”: small ones that make no word, without a vowel and without points.
    private static func isProduct(_ word: String) -> Bool {
        word.count <= 3 && !counting.contains(word) && !shortened.contains(word)
            && word.allSatisfy { $0.isLowercase && !"aeiouyäöüõåæøœàâéèêëîïôùûáíóú".contains($0) }
    }

    /// Words cut short to consonants, behind which a raised number is the sign of a note.
    private static let shortened: Set<String> = [
        "bd", "bzw", "cf", "ch", "chr", "cr", "ct", "dr", "ff", "fr", "ft", "gr", "hg", "hl", "hr", "hrs", "jh", "jt",
        "kg", "kr", "lb", "lbs", "ltd", "mr", "mrs", "ms", "nt", "ph", "pl", "pr", "qt", "rm", "sgs", "sh", "sr", "st",
        "str", "td", "th", "tn", "tr", "tsd", "ts", "vgl", "vlt", "vs", "vt", "wd", "yd", "yr", "yrs", "zw",
    ]
}
