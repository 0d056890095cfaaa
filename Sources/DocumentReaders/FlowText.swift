import EchoText

/// Clean text as it is taken from markup, piece by piece: gaps are collapsed, and what separates two blocks is written with
/// the second.
struct FlowText {
    /// Most blocks and most marks; what follows is text like any other.
    private static let mostParts = 200_000

    private(set) var builder = TextBuilder()
    private(set) var blocks: [TextBlock] = []
    private(set) var marks: [TextMark] = []
    /// Whether a gap has been met that nothing has followed.
    private var hasGap = false
    /// Whether the next text begins a block.
    private var isAtBlockStart = true
    private var needsSeparator = false
    /// Whether a line has just been begun within the block.
    private var isFreshLine = false
    /// Where the text of each open block begins; `nil` before it has any.
    private var openBlocks: [(start: Int?, index: Int)] = []
    private var openMarks = 0
    private var last: Unicode.Scalar?
    /// Keys to be answered with where the next text stands.
    private var awaited: [String] = []
    private var places: [String: Int] = [:]

    var length: Int { builder.length }

    /// Whether the last that was written is a punctuation mark.
    var endsWithMark: Bool { last.map { Character($0).isPunctuation } ?? false }

    /// Ends the block that is being written, if one is.
    mutating func breakBlock() {
        if !isAtBlockStart { needsSeparator = true }
        isAtBlockStart = true
        hasGap = false
    }

    /// Adds text with its gaps collapsed; without anything else it adds nothing.
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

    /// Adds lines as they stand, but for blank ones, which would end the block.
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
        for key in awaited where places[key] == nil { places[key] = builder.length }
        awaited.removeAll()
        for index in openBlocks.indices.reversed() {
            guard openBlocks[index].start == nil else { break }
            openBlocks[index].start = builder.length
        }
        last = run.unicodeScalars.last
        builder.append(run)
        run.removeAll(keepingCapacity: true)
    }

    /// Begins a block of a kind of its own, which ``endBlock(_:level:)`` ends; it may hold others.
    mutating func beginBlock() {
        openBlocks.append((nil, blocks.count))
    }

    /// Takes down what has been written since the block's beginning, if anything was.
    mutating func endBlock(_ kind: TextBlock.Kind, level: Int = 1) {
        guard let (start, index) = openBlocks.popLast(), let start, length > start, blocks.count < Self.mostParts else {
            return
        }
        let level = min(max(level, 1), DocumentChapter.deepestLevel)
        blocks.insert(TextBlock(kind, level: level, range: start..<length), at: index)
    }

    /// Begins a mark, which ``endMark(_:isBlock:from:)`` ends.
    ///
    /// - Parameter isBlock: Whether it stands in blocks of its own.
    /// - Returns: What to give to the end.
    mutating func beginMark(isBlock: Bool) -> Int {
        if isBlock { breakBlock() }
        openMarks += 1
        return length
    }

    /// Marks what has been written since `start` with what separates it; within another mark nothing is marked.
    mutating func endMark(_ role: TextMark.Role, isBlock: Bool, from start: Int) {
        if isBlock { breakBlock() }
        openMarks -= 1
        guard length > start, openMarks == 0 else { return }
        if isBlock, start == 0 {
            builder.append("\n\n")
            needsSeparator = false
        }
        if marks.count < Self.mostParts { marks.append(TextMark(role, range: start..<length)) }
    }

    /// Asks where the next text will stand.
    mutating func awaitText(for key: String) {
        awaited.append(key)
    }

    /// Where the text that was awaited under `key` stands; the end for what nothing followed.
    func place(of key: String) -> Int? { places[key] ?? (awaited.contains(key) ? length : nil) }
}
