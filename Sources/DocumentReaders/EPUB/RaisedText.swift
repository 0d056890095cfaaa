/// What a raised piece of text is, judged by what stands on its sides: “10⁶” is a power, “1848³” a year with the sign of a
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
            self = isVerse ? .noteSign : .letters
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
            // “Charles V³”
            return word == word.lowercased() || isCalculation || isSmall && !followsName(head)
        }
        guard isSmall else { return false }
        let followsNumber = String(head).trimmed.last.map { $0.isNumber || $0 == "/" } ?? false
        let unit = word.lowercased()
        return clearUnits.contains(unit) || followsNumber && units.contains(unit)
            || isCalculation && word.count <= 2
    }
}
