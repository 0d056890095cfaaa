import EchoText

/// Builds clean text from pieces of markup: white space is collapsed, and the separator of two blocks is written with
/// the second.
struct FlowText {
    /// The separator that a mark begins with.
    private struct Lead {
        var length: Int
        /// Whether it is a space between two words, of which the text behind the mark may bring another one.
        var isGap: Bool
    }

    /// The limit on blocks and on marks; further ones become plain text.
    private static let maximumParts = 200_000
    /// The limit on passages in stated languages, which each narration of the text keeps.
    private static let maximumPassages = 10_000

    private(set) var builder = TextBuilder()
    private(set) var blocks: [TextBlock] = []
    private(set) var marks: [TextMark] = []
    /// The passages whose language is stated, in order.
    private(set) var passages: [LanguagePassage] = []
    /// The stated language of the text that is added now.
    private(set) var language: String?
    /// Where the text in that language begins.
    private var languageStart = 0
    /// Whether white space is pending.
    private var hasGap = false
    /// Whether the next text starts a block.
    private var isAtBlockStart = true
    private var needsSeparator = false
    /// Whether a line has just started within the block.
    private var isFreshLine = false
    /// The start of each open block's text; `nil` while it is empty.
    private var openBlocks: [(start: Int?, index: Int)] = []
    private var openMarks = 0
    private var last: Unicode.Scalar?
    /// The last character before the open mark.
    private var lastBeforeMark: Unicode.Scalar?
    /// The separator before the open inline mark, and before the mark that ends the text.
    private var openLead: Lead?
    private var lead: Lead?
    /// The depth of rows being read, in which blocks and lines become words of one line.
    private var openRows = 0
    /// Whether a cell has ended, so that the next text of the row follows a comma.
    private var needsComma = false
    /// Whether the next block continues the word that the last one ended with.
    private var continuesWord = false
    /// Keys whose position will be that of the next text.
    private var pendingKeys: [String] = []
    private var places: [String: Int] = [:]

    var length: Int { builder.length }

    /// Whether the last character written is a punctuation mark.
    var endsWithMark: Bool { last.map { Character($0).isPunctuation } ?? false }

    /// Whether the last character written belongs to a mark.
    var endsWithReference: Bool { !isAtBlockStart && marks.last?.range.upperBound == length }

    /// The end of the current line, with a space where white space or a comma follows; empty at the line's start.
    var lineEnd: String {
        guard !isAtBlockStart, !isFreshLine else { return "" }
        let line = String(builder.text.suffix(32).reversed().prefix { !$0.isNewline }.reversed())
        return hasGap || needsComma ? line + " " : line
    }

    /// Whether text is in a row.
    var isInRow: Bool { openRows > 0 }

    /// Starts a row, in which everything is on one line until ``endRow()``.
    mutating func beginRow() {
        if openRows > 0 { breakCell() }
        openRows += 1
    }

    mutating func endRow() {
        openRows -= 1
        if openRows > 0 { breakCell() } else { needsComma = false }
    }

    /// Ends a cell: what follows in the row is divided from it by a comma.
    mutating func breakCell() {
        if !isAtBlockStart { needsComma = true }
    }

    /// Lets the next block continue the word that the last one ended with.
    mutating func continueWord() {
        guard needsSeparator || !isAtBlockStart else { return }
        needsSeparator = false
        isAtBlockStart = false
        continuesWord = true
    }

    /// Ends the current block, if there is one.
    mutating func breakBlock() {
        if continuesWord { return }
        if isInRow {
            hasGap = true
            return
        }
        if !isAtBlockStart { needsSeparator = true }
        isAtBlockStart = true
        hasGap = false
    }

    /// Adds text with collapsed white space; white space alone adds nothing.
    mutating func append(_ text: String) {
        var run = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.isInformationSeparator {
                if !run.isEmpty { write(&run) }
                hasGap = true
            } else if scalar.isShown, scalar != "\u{AD}" {
                run.unicodeScalars.append(scalar)
            }
        }
        if !run.isEmpty { write(&run) }
    }

    /// Adds the alternative text of a picture, with a gap on both sides.
    mutating func appendAlternative(_ words: String) {
        append(" ")
        beginBlock()
        append(words)
        endBlock(.altText)
        append(" ")
    }

    /// Adds lines unchanged, except for blank ones, which would end the block.
    mutating func appendLines(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where line.contains(where: { !$0.isWhitespace }) {
            if !isAtBlockStart { breakLine() }
            let indent = line.prefix { $0 == " " || $0 == "\t" }.count
            append(String(line.dropFirst(indent)))
        }
    }

    /// Ends the line within the block.
    mutating func breakLine() {
        guard !isAtBlockStart else { return }
        if isInRow {
            hasGap = true
            return
        }
        builder.append("\n")
        hasGap = false
        isFreshLine = true
        lead = nil
    }

    private mutating func write(_ run: inout String) {
        let lead = self.lead
        self.lead = nil
        if isAtBlockStart {
            if needsSeparator { builder.append("\n\n") }
            needsSeparator = false
            isAtBlockStart = false
        } else {
            if let lead { keepSeparator(lead, before: run) }
            if needsComma {
                builder.append(endsWithMark ? " " : ", ")
            } else if hasGap, !isFreshLine, !continuesWord {
                builder.append(" ")
                if lead?.isGap == false, let mark = marks.last {
                    marks[marks.count - 1].range = mark.range.lowerBound..<length
                }
            }
        }
        needsComma = false
        continuesWord = false
        isFreshLine = false
        hasGap = false
        for key in pendingKeys where places[key] == nil { places[key] = builder.length }
        pendingKeys.removeAll()
        for index in openBlocks.indices.reversed() {
            guard openBlocks[index].start == nil else { break }
            openBlocks[index].start = builder.length
        }
        last = run.unicodeScalars.last
        builder.append(run)
        run.removeAll(keepingCapacity: true)
    }

    /// Leaves the separator out of the mark that ends the text if what follows, `run`, needs it.
    private mutating func keepSeparator(_ lead: Lead, before run: String) {
        guard !needsComma, let mark = marks.last, mark.range.count > lead.length else { return }
        if lead.isGap, hasGap || run.unicodeScalars.first?.properties.isAlphabetic != true { return }
        marks[marks.count - 1].range = mark.range.lowerBound + lead.length..<mark.range.upperBound
    }

    /// Starts a block, which ``endBlock(_:level:)`` ends; blocks may be nested.
    mutating func beginBlock() {
        openBlocks.append((nil, blocks.count))
    }

    /// Records the text since the block's start, if there is any.
    mutating func endBlock(_ kind: TextBlock.Kind, level: Int = 1) {
        guard let (start, index) = openBlocks.popLast(), let start, length > start, blocks.count < Self.maximumParts
        else {
            return
        }
        let level = min(max(level, 1), DocumentChapter.deepestLevel)
        blocks.insert(TextBlock(kind, level: level, range: start..<length), at: index)
    }

    /// Starts a mark, which ``endMark(_:isBlock:from:)`` ends.
    ///
    /// - Parameter isBlock: Whether it consists of whole blocks.
    /// - Returns: The start to pass to ``endMark(_:isBlock:from:)``.
    mutating func beginMark(isBlock: Bool) -> Int {
        if isBlock { breakBlock() }
        openMarks += 1
        if openMarks == 1 {
            lastBeforeMark = last
            openLead = isBlock ? nil : nextLead
        }
        return length
    }

    /// The separator between the last text and the next.
    private var nextLead: Lead? {
        if isAtBlockStart { return Lead(length: needsSeparator ? 2 : 0, isGap: false) }
        if needsComma { return Lead(length: endsWithMark ? 1 : 2, isGap: false) }
        if isFreshLine { return Lead(length: 0, isGap: false) }
        return hasGap ? Lead(length: 1, isGap: true) : nil
    }

    /// Marks the text since `start` with its separator; nested marks are ignored.
    mutating func endMark(_ role: TextMark.Role, isBlock: Bool, from start: Int) {
        if isBlock { breakBlock() }
        openMarks -= 1
        guard length > start, openMarks == 0 else { return }
        if isBlock, start == 0 {
            builder.append("\n\n")
            needsSeparator = false
        }
        guard marks.count < Self.maximumParts else { return }
        marks.append(TextMark(role, range: start..<length))
        guard !isBlock else { return }
        last = lastBeforeMark
        lead = openLead
    }

    /// Lets the text from here on be in the language of a tag; `nil` where none is stated.
    ///
    /// - Returns: The language before.
    mutating func changeLanguage(to tag: String?) -> String? {
        let before = language
        guard tag != before else { return before }
        if let before, length > languageStart { add(languageStart..<length, in: before) }
        (language, languageStart) = (tag, length)
        return before
    }

    private mutating func add(_ range: TextRange, in language: String) {
        if let last = passages.last, last.language == language, last.range.upperBound == range.lowerBound {
            passages[passages.count - 1].range = last.range.lowerBound..<range.upperBound
        } else if passages.count < Self.maximumPassages {
            passages.append(LanguagePassage(range: range, language: language))
        }
    }

    /// Records the position of the next text under `key`.
    mutating func recordPosition(for key: String) {
        pendingKeys.append(key)
    }

    /// The position recorded under `key`; the end if no text followed.
    func place(of key: String) -> Int? { places[key] ?? (pendingKeys.contains(key) ? length : nil) }
}

/// A growing text with its length in UTF-16 units.
struct TextBuilder {
    private(set) var text = ""
    private(set) var length = 0

    /// - Returns: The range of the piece.
    @discardableResult
    mutating func append(_ piece: String) -> TextRange {
        let start = length
        text += piece
        length += piece.utf16.count
        return start..<length
    }
}

/// The alternative text of a picture.
enum AlternativeText {
    private static let placeholders: Set<String> = [
        "alt", "alt text", "alt text not available", "alternate text", "alternate text not available",
        "alternative text", "alternative text not available", "abbildung", "bild", "cover image", "decoration",
        "decorative", "decorative image", "divider", "figure", "foto", "fotografie", "graphic", "grafik",
        "ilustración", "illustration", "illustratsioon", "image", "image not available", "imagen", "img",
        "ornament", "photo", "photograph", "picture", "pilt", "spacer", "missing alt text",
        "no alt text", "no alt text available", "no alternative text", "no alternative text available",
        "no description available", "description not available", "image description not available",
        "no image description available", "picture not available", "cover",
    ]
    private static let fileExtensions: Set<String> = ["bmp", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]

    /// Whether a program wrote the words because nobody described the picture: such a sentence, or the file's name.
    static func isPlaceholder(_ words: String) -> Bool {
        let plain = words.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }.trimmed
        if placeholders.contains(plain) { return true }
        // “image 12”
        let name = plain.prefix { !$0.isNumber }
        if plain.hasPrefix("im"), name.count < plain.count, placeholders.contains(String(name).trimmed),
            plain.dropFirst(name.count).allSatisfy(\.isNumber)
        {
            return true
        }
        let parts = words.lowercased().split(separator: ".")
        return parts.count > 1 && !words.contains(" ")
            && parts.last.map { fileExtensions.contains(String($0)) } ?? false
    }
}
