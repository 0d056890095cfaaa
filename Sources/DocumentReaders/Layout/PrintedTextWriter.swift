import EchoText

/// Writes paragraphs as clean text, and records the position of each.
///
/// The separator of two pieces belongs to the second, so that any piece can be cut out. A paragraph that continues on
/// the next page is written up to its last whole word; running lines and footnotes then follow inside it, with
/// separators on both sides.
struct PrintedTextWriter {
    /// The position of a paragraph.
    struct Place {
        var kind: PrintedParagraph.Kind
        var text: String
        var range: TextRange
        var page: Int
        var top: Float
        var size: Float
    }

    private enum Pending {
        case page(Int)
        case mark(TextMark.Role, String)
    }

    private static let separator = "\n\n"

    private(set) var builder = TextBuilder()
    private(set) var pageStarts: [Int]
    private(set) var marks: [TextMark] = []
    private(set) var places: [Place] = []
    private var open: PrintedParagraph?
    /// Whether the open paragraph continues one that was already written.
    private var isRest = false
    private var hasBody = false
    private var pending: [Pending] = []

    init(pages: Int) {
        pageStarts = Array(repeating: 0, count: pages)
    }

    var headings: [Place] { places.filter { $0.kind == .heading } }

    mutating func begin(page: Int) {
        pending.append(.page(page))
    }

    mutating func add(_ role: PrintedRole, _ text: String) {
        let role: TextMark.Role =
            switch role {
            case .header: .header
            case .footer: .footer
            case .pageNumber: .pageNumber
            case .footnote: .footnote
            }
        pending.append(.mark(role, text))
    }

    /// Adds the next paragraph.
    ///
    /// - Parameters:
    ///   - paragraph: The paragraph; joined to the previous paragraph if it continues that.
    ///   - looksLikeRest: Whether it starts a column like the rest of a paragraph.
    ///   - ends: How lines are joined.
    mutating func add(_ paragraph: PrintedParagraph, isRest looksLikeRest: Bool = false, ends: LineEnds) {
        guard var first = open, first.continues(in: paragraph, isRest: looksLikeRest) else {
            flush()
            open = paragraph
            isRest = false
            return
        }
        if pending.isEmpty {
            first.append(paragraph.text, references: paragraph.references, ends: ends)
            first.endsFull = paragraph.endsFull
            open = first
        } else {
            divide(first, before: paragraph, ends: ends)
        }
    }

    mutating func finish() {
        flush()
        open = nil
    }

    /// Writes `first` with its whole last word, then the pending lines, and leaves the rest of `next` open.
    private mutating func divide(_ first: PrintedParagraph, before next: PrintedParagraph, ends: LineEnds) {
        var (first, rest) = (first, next)
        var glue = " "
        if LineEnds.isDivided(first.text, before: next.text) {
            let word = String(next.text.prefix { $0 != " " })
            first.append(word, references: [], ends: ends)
            let length = min(word.utf16.count + 1, next.text.utf16.count)
            rest.text = String(next.text.dropFirst(word.count + 1))
            rest.references = next.references.compactMap {
                $0.lowerBound < length ? nil : $0.moved(by: -length)
            }
        } else {
            glue = ends.joint(of: first.text, and: next.text).adding
        }
        if rest.text.isEmpty { glue = "" }
        write(first)
        builder.append(glue)
        writePending(inParagraph: !rest.text.isEmpty)
        open = rest.text.isEmpty ? nil : rest
        isRest = open != nil
    }

    private mutating func flush() {
        if let open { write(open) }
        open = nil
        isRest = false
        writePending(inParagraph: false)
    }

    private mutating func write(_ paragraph: PrintedParagraph) {
        if hasBody, !isRest { builder.append(Self.separator) }
        hasBody = true
        let range = builder.append(paragraph.text)
        let references = FootnoteReferences.ranges(in: paragraph)
        marks += references.map { reference in
            TextMark(
                .footnoteReference,
                range: reference.moved(by: range.lowerBound)
            )
        }
        places.append(
            Place(
                kind: paragraph.kind,
                text: paragraph.kind == .plain ? String(paragraph.text.prefix(200)) : paragraph.text,
                range: range,
                page: paragraph.page,
                top: paragraph.top,
                size: paragraph.size
            )
        )
    }

    private mutating func writePending(inParagraph: Bool) {
        for piece in pending {
            switch piece {
            case .page(let page): pageStarts[page] = builder.length
            case .mark(let role, let text):
                let start = builder.length
                if hasBody { builder.append(Self.separator) }
                builder.append(text)
                if inParagraph || !hasBody { builder.append(Self.separator) }
                marks.append(TextMark(role, range: start..<builder.length))
            }
        }
        pending = []
    }
}

extension PrintedTextWriter {
    func blocks(_ levels: HeadingLevels) -> [TextBlock] {
        places.compactMap { place in
            switch place.kind {
            case .plain: nil
            case .heading: TextBlock(.heading, level: levels.level(of: place) ?? 1, range: place.range)
            case .listItem: TextBlock(.listItem, range: place.range)
            case .tableRow: TextBlock(.tableRow, range: place.range)
            case .caption: TextBlock(.caption, range: place.range)
            }
        }
    }

    /// The target of an outline's entry: the paragraph with its title, or the first below its position.
    func place(of entry: PrintedDocument.Entry) -> Int {
        let title = entry.title.lettersAndNumbers
        let onPage = places.filter { $0.page == entry.page }
        let named = onPage.filter { place in
            let text = place.text.lettersAndNumbers
            return !title.isEmpty && (text.hasSuffix(title) || text.hasPrefix(title)) && text.count < title.count + 12
        }
        // Position distinguishes several paragraphs with the same title.
        let nearest = named.min { abs($0.top - (entry.top ?? 0)) < abs($1.top - (entry.top ?? 0)) }
        let found = entry.top == nil ? named.first { $0.kind == .heading } ?? named.first : nearest
        if let found { return found.range.lowerBound }
        if let top = entry.top, let found = onPage.first(where: { $0.top >= top - 6 }) { return found.range.lowerBound }
        return onPage.first?.range.lowerBound ?? pageStarts[entry.page]
    }
}

extension String {
    fileprivate var lettersAndNumbers: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}

/// Finds a paragraph's footnote references among its raised characters.
private enum FootnoteReferences {
    private static let units: Set<Substring> = ["km", "cm", "mm", "dm", "nm", "ft", "in", "yd", "mi"]

    static func ranges(in paragraph: PrintedParagraph) -> [Range<Int>] {
        guard !paragraph.references.isEmpty else { return [] }
        let text = paragraph.text
        return paragraph.references.compactMap { range in
            let start = text.utf16.index(text.startIndex, offsetBy: range.lowerBound)
            let end = text.utf16.index(start, offsetBy: range.count)
            guard isReference(text[start..<end]), canPrecedeReference(text[..<start]) else { return nil }
            return range
        }
    }

    private static func isReference(_ sign: Substring) -> Bool {
        let inner = sign.drop { $0 == "[" || $0 == "(" }.prefix { $0 != "]" && $0 != ")" }
        let isNumber = inner.count <= 3 && inner.allSatisfy { $0.isASCII && $0.isNumber || $0 == "," }
        return !inner.isEmpty
            && (isNumber || inner.allSatisfy { "*∗†‡§¶".contains($0) } || inner.count == 1 && sign.count == 3)
    }

    /// Whether a reference can follow this text, and the raised digit is not a power: x², 10², km².
    private static func canPrecedeReference(_ before: Substring) -> Bool {
        guard let last = before.last, !last.isWhitespace else { return !before.isEmpty }
        if last.isNumber { return false }
        guard last.isLetter else { return true }
        let word = before.suffix(12).split { !$0.isLetter }.last ?? ""
        return word.count > 1 && !units.contains(word)
    }
}

/// Finds the footnotes of a column: the small print at its foot that begins with a number or a sign, or continues a note.
///
/// Other small print is text: a table, a quotation, source code.
enum Footnotes {
    /// - Parameters:
    ///   - rows: The rows of one column, from top to bottom.
    ///   - bodySize: The size of the document's text, in points.
    ///   - height: The height of the page.
    ///   - hasOpen: Whether the page before ends within a footnote.
    /// - Returns: The number of rows at the end that are footnotes.
    static func count(in rows: [PrintedRow], bodySize: Float, height: Float, hasOpen: Bool) -> Int {
        let small = rows.reversed().prefix { $0.size < 0.93 * bodySize }.count
        let start = rows.count - small
        guard start > 0 else { return 0 }
        let first = (start..<rows.count).first { index in
            let (row, above) = (rows[index], rows[index - 1])
            let gap = row.box.top - above.box.bottom
            let isNote = starts(row) && row.cells.count <= 2 && (index == start || gap > 0.3 * bodySize)
            return isNote || index == start && hasOpen && gap > 0.5 * bodySize
        }
        guard let first, (rows.count - first) * 2 <= rows.count + 4, rows[first].box.top > 0.4 * height,
            rows[first].box.top > rows[first - 1].box.middle
        else { return 0 }
        return rows.count - first
    }

    /// Whether a footnote ends within a sentence.
    static func isOpen(_ note: String) -> Bool { note.last.map { !".?!…”\"»)]".contains($0) } ?? false }

    /// Whether the row starts with a footnote's number or sign.
    static func starts(_ row: PrintedRow) -> Bool {
        guard let cell = row.cells.first, let first = cell.text.first else { return false }
        if cell.raised.first?.lowerBound == 0 || "*∗†‡§¶".contains(first) { return true }
        let digits = cell.text.prefix { $0.isASCII && $0.isNumber }
        guard (1...3).contains(digits.count) else { return false }
        let next = cell.text.dropFirst(digits.count).first
        return next.map { $0 == " " || $0 == "." || $0 == ")" || $0.isLetter } ?? (row.cells.count > 1)
    }
}

/// Decides whether a hyphen at the end of a line belongs to the word or only marks the line break.
///
/// The decision uses the document itself: a word that occurs elsewhere without the hyphen is joined; one that occurs
/// elsewhere with it keeps it.
struct LineEnds: Sendable {
    /// The number of times that each word occurs within lines, by a hash of its lower-case letters.
    private var words: [UInt64: Int32] = [:]

    /// Counts the words of a line, except those divided by its end or by that of the line before.
    mutating func learn(_ line: String, follows previous: String?) {
        var token = WordHash()
        var compound = WordHash()
        var hasHyphen = false
        var skips = previous.map(Self.isDivided) ?? false
        func note(_ hash: WordHash, in words: inout [UInt64: Int32]) {
            if hash.length > 1, !skips { words[hash.value, default: 0] &+= 1 }
        }
        let end = Self.isDivided(line) ? line.utf8.lastIndex(of: UInt8(ascii: " ")) ?? line.startIndex : line.endIndex
        for byte in line.utf8[..<end] {
            if WordHash.isLetter(byte) {
                token.add(byte)
                compound.add(byte)
            } else if byte == UInt8(ascii: "-"), token.length > 0 {
                note(token, in: &words)
                token = WordHash()
                compound.add(byte)
                hasHyphen = true
            } else {
                if token.length > 0 {
                    note(token, in: &words)
                    if hasHyphen { note(compound, in: &words) }
                    skips = false
                }
                token = WordHash()
                compound = WordHash()
                hasHyphen = false
            }
        }
        note(token, in: &words)
        if hasHyphen, token.length > 0 { note(compound, in: &words) }
    }

    /// Whether `line` ends in the middle of a word.
    static func isDivided(_ line: String) -> Bool {
        guard let last = line.unicodeScalars.last, hyphens.contains(last) else { return false }
        return line.unicodeScalars.dropLast().last?.properties.isAlphabetic ?? false
    }

    /// Whether `line` ends in the middle of a word, or of a span of numbers that ends in `next`: “1914-” and “1918”.
    static func isDivided(_ line: String, before next: String) -> Bool {
        isDivided(line) || dividesNumbers(line, next)
    }

    private static func dividesNumbers(_ line: String, _ next: String) -> Bool {
        let end = line.utf8.suffix(2)
        guard end.count == 2, end.last == UInt8(ascii: "-"), let before = end.first, let after = next.utf8.first else {
            return false
        }
        let digits: ClosedRange<UInt8> = 0x30...0x39
        // “-12-” is the number of a page.
        let isPage =
            line.utf8.first == UInt8(ascii: "-") && line.utf8.dropFirst().dropLast().allSatisfy { digits.contains($0) }
        return !isPage && digits.contains(before) && digits.contains(after)
    }

    /// How `text` and the line `next` are joined.
    ///
    /// - Returns: The number of UTF-16 units to remove from the end of `text`, and the string to insert.
    func joint(of text: String, and next: String) -> (dropping: Int, adding: String) {
        guard let last = text.unicodeScalars.last, let first = next.unicodeScalars.first else { return (0, "") }
        if Self.dividesNumbers(text, next) { return (0, "") }
        guard Self.isDivided(text) else {
            let isDash = last == "—" && !text.hasSuffix(" —")
            return (0, isDash || Self.needsNoSpace(last, first) ? "" : " ")
        }
        if last == "\u{AD}" { return (1, "") }
        guard first.properties.isLowercase else {
            // “UTF-” and “8”, “Saint-” and “Denis”; or a dash written as a hyphen.
            return first.properties.isAlphabetic || first.properties.numericType != nil ? (0, "") : (0, " ")
        }
        if isShared(text, next) { return (0, " ") }
        return keepsHyphen(text, next) ? (0, "") : (1, "")
    }

    private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{AD}", "\u{2010}"]

    /// Chinese and Japanese are written without spaces.
    private static func needsNoSpace(_ last: Unicode.Scalar, _ first: Unicode.Scalar) -> Bool {
        func isIdeographic(_ scalar: Unicode.Scalar) -> Bool { (0x3000...0x9FFF).contains(scalar.value) }
        return isIdeographic(last) && isIdeographic(first)
    }

    /// Whether the hyphen stands for the end of a word that follows behind one of ``joiners``.
    ///
    /// “Haus- und Hofarbeit” and “pre- and post-war” are of that kind.
    private func isShared(_ text: String, _ next: String) -> Bool {
        let tail = Array(next.utf8.prefix(while: WordHash.isLetter))
        guard Self.joiners.contains(String(decoding: tail, as: UTF8.self)) else { return false }
        let before = text.utf8.dropLast(text.hasSuffix("-") ? 1 : 3)
        let head = before.reversed().prefix { WordHash.isLetter($0) }
        return count(Array(head.reversed()) + tail) == 0
    }

    /// Words that join two others, in German and English; “or” may be the end of a word.
    private static let joiners: Set<String> = ["and", "beziehungsweise", "bzw", "oder", "und"]

    private func keepsHyphen(_ text: String, _ next: String) -> Bool {
        let before = text.utf8.dropLast(text.hasSuffix("-") ? 1 : 3)
        let start = before.reversed().prefix { WordHash.isLetter($0) || $0 == UInt8(ascii: "-") }
        let after = next.utf8.prefix(while: WordHash.isLetter)
        guard !start.contains(UInt8(ascii: "-")) else { return true }
        let (head, tail) = (Array(start.reversed()), Array(after))
        if count(head + tail) > 0 { return false }
        if count(head + [UInt8(ascii: "-")] + tail) > 0 { return true }
        let words = String(decoding: head, as: UTF8.self).lowercased().split(separator: "’")
        if Self.isFrenchCompound(
            words.last.map { String($0) } ?? "",
            String(decoding: tail, as: UTF8.self).lowercased()
        ) {
            return true
        }
        // “l'é-” and “tat”
        let isElided = before.dropLast(start.count).last == UInt8(ascii: "'")
        if !isElided, Self.isCompound(head, tail) { return true }
        return head.count > 3 && tail.count > 3 && count(head) > 0 && count(tail) > 0
    }

    /// Whether the hyphen belongs to a word of which the document does not tell: “e-mail”, “well-known”, “twenty-first”.
    private static func isCompound(_ head: [UInt8], _ tail: [UInt8]) -> Bool {
        let first = String(decoding: head, as: UTF8.self).lowercased().filter(\.isLetter)
        let second = String(decoding: tail, as: UTF8.self).lowercased()
        // No word is divided behind its first letter.
        if first.count == 1 { return true }
        if tens.contains(first) { return ones.contains(second) }
        if let others = compounds[first], others.contains(second) { return true }
        return (first == "self" || first == "well") && !endings.contains(second)
    }

    /// Whether a French word ends with its hyphen: “peut-être”, “est-ce”, “avez-vous”, “celui-là”.
    private static func isFrenchCompound(_ first: String, _ second: String) -> Bool {
        switch second {
        case "vous": first.count > 3 && first.hasSuffix("ez") || inverted.contains(first)
        case "nous": first.count > 4 && first.hasSuffix("ons")
        case "là": ["ceux", "celui", "celle", "celles"].contains(first) || first.hasSuffix("née")
        case "même", "mêmes": pronouns.contains(first)
        case "il", "ils", "elle", "elles", "on", "je", "tu", "ce": inverted.contains(first)
        default: frenchTens.contains(first) && frenchOnes.contains(second)
        }
    }

    private static let pronouns: Set<String> = ["elle", "elles", "eux", "lui", "moi", "nous", "soi", "toi", "vous"]

    /// French verbs that stand before their subjects, none of which makes another word with it.
    private static let inverted: Set<String> = [
        "allait", "avaient", "avait", "commença", "continua", "crois", "cria", "demanda", "devait", "dira", "dirait",
        "dis", "disaient", "disait", "dit", "doit", "doivent", "eût", "est", "faisait", "fait", "faudrait", "faut",
        "fallait", "fit", "fût", "murmura", "ont", "pensa", "pensait", "peut", "peuvent", "pourrait", "pouvait",
        "puis", "répliqua", "répondit", "reprit", "sait", "semble", "semblait", "sera", "serait", "seront", "sont",
        "savait", "suis", "veut", "veulent", "voulait", "voit", "vient", "étaient", "était", "étais",
    ]

    private static let frenchTens: Set<String> = [
        "vingt", "trente", "quarante", "cinquante", "soixante", "dix", "vingts",
    ]

    private static let frenchOnes: Set<String> = [
        "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize", "quatorze",
        "quinze", "seize", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
        "neuvième",
    ]

    private static let tens: Set<String> = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    private static let ones: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "first", "second", "third", "fourth",
        "fifth", "sixth", "seventh", "eighth", "ninth",
    ]

    /// The second parts of compounds by their first one.
    private static let compounds: [String: Set<String>] = [
        "absent": ["minded"], "après": ["demain", "guerre", "midi"], "arrière": ["pays", "plan"],
        "au": ["delà", "dessous", "dessus", "devant"], "avant": ["bras", "dernier", "garde", "guerre", "hier"],
        "beau": ["fils", "frère", "père"], "belle": ["fille", "mère", "sœur"], "ceux": ["ci"], "celle": ["ci"],
        "celles": ["ci"], "celui": ["ci"], "ci": ["après", "contre", "dessous", "dessus", "joint"],
        "demi": ["frère", "heure", "mesure", "siècle", "sœur", "tour"], "first": ["class", "rate"],
        "full": ["length", "scale", "time"],
        "good": ["looking", "natured"], "grand": ["mère", "père"], "grands": ["parents"],
        "half": ["asleep", "brother", "dead", "dozen", "empty", "full", "hearted", "hour", "open", "past", "sister"],
        "high": ["level", "quality", "speed", "tech"], "long": ["distance", "lasting", "range", "standing", "term"],
        "low": ["cost", "key", "level"], "là": ["bas", "dedans", "dessous", "dessus", "haut"],
        "old": ["fashioned"], "part": ["time"],
        "petit": ["déjeuner", "fils"], "petite": ["fille"], "peut": ["être"],
        "quelques": ["uns", "unes"], "quatre": ["vingt", "vingts"], "second": ["class", "hand", "rate"],
        "short": ["lived", "range", "sighted", "term"], "so": ["called"],
        "vice": ["admiral", "chairman", "chancellor", "president", "principal"],
    ]

    /// Ends of words that begin with “self” or “well” and have no hyphen, as German ones do not.
    private static let endings: Set<String> = [
        "blech", "blechdach", "blechhütte", "fleisch", "head", "hood", "ie", "ies", "ing", "ington", "ish", "ishly",
        "ishness", "less", "lessly", "lessness", "ness", "pappe", "same", "spring", "springs",
    ]

    private func count(_ letters: [UInt8]) -> Int32 {
        var hash = WordHash()
        for letter in letters { hash.add(letter) }
        return words[hash.value] ?? 0
    }
}

/// FNV-1a over the bytes of a word, with ASCII letters in lower case.
private struct WordHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var length = 0

    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }

    mutating func add(_ byte: UInt8) {
        let small = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        value = (value ^ UInt64(small)) &* 0x0000_0100_0000_01B3
        length += 1
    }
}
