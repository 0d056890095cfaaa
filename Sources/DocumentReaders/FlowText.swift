import EchoText

/// Builds clean text from pieces of markup: white space is collapsed, and the separator of two blocks is written with
/// the second.
struct FlowText {
    /// The limit on blocks and on marks; further ones become plain text.
    private static let maximumParts = 200_000

    private(set) var builder = TextBuilder()
    private(set) var blocks: [TextBlock] = []
    private(set) var marks: [TextMark] = []
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
    /// Keys whose position will be that of the next text.
    private var pendingKeys: [String] = []
    private var places: [String: Int] = [:]

    var length: Int { builder.length }

    /// Whether the last character written is a punctuation mark.
    var endsWithMark: Bool { last.map { Character($0).isPunctuation } ?? false }

    /// Ends the current block, if there is one.
    mutating func breakBlock() {
        if !isAtBlockStart { needsSeparator = true }
        isAtBlockStart = true
        hasGap = false
    }

    /// Adds text with collapsed white space; white space alone adds nothing.
    mutating func append(_ text: String) {
        var run = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if !run.isEmpty { write(&run) }
                hasGap = true
            } else if scalar.isShown, scalar != "\u{AD}" {
                run.unicodeScalars.append(scalar)
            }
        }
        if !run.isEmpty { write(&run) }
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
        builder.append("\n")
        hasGap = false
        isFreshLine = true
    }

    private mutating func write(_ run: inout String) {
        if isAtBlockStart {
            if needsSeparator { builder.append("\n\n") }
            needsSeparator = false
            isAtBlockStart = false
        } else if hasGap, !isFreshLine {
            builder.append(" ")
        }
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
        return length
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
        if marks.count < Self.maximumParts { marks.append(TextMark(role, range: start..<length)) }
    }

    /// Records the position of the next text under `key`.
    mutating func recordPosition(for key: String) {
        pendingKeys.append(key)
    }

    /// The position recorded under `key`; the end if no text followed.
    func place(of key: String) -> Int? { places[key] ?? (pendingKeys.contains(key) ? length : nil) }
}
