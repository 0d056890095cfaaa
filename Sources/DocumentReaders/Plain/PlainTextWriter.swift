import EchoText
import Foundation

/// Writes the clean text of a plain text, line by line, and delivers it in pieces.
struct PlainTextWriter: ~Copyable {
    /// A line longer than this is delivered in parts.
    private static let longestLine = 1 << 20
    /// How much of the written text later decisions look back at, in bytes.
    private static let lookBack = 256
    /// The buffer's size in bytes: enough for a line, the pieces of a call, and separators between lines of one byte.
    private static let room = 4 << 20
    /// The limit on headings; further ones are ignored.
    private static let maximumHeadings = 5_000

    /// Text that has been written and not delivered.
    private let output: UnsafeMutableBufferPointer<UInt8>
    private let style: PlainTextStyle
    /// The number of bytes in ``output``.
    private var count = 0
    /// UTF-16 units written.
    private(set) var units = 0
    private(set) var pageStarts = [0]
    private(set) var headings: [TextRange] = []
    private(set) var chapters = ChapterList()

    private var line: [UInt8] = []
    private var endedWithReturn = false
    /// Whether a blank line or page break has followed the last text.
    private var hasBreak = true
    /// Whether the line's beginning has been written already.
    private var isInLine = false
    /// Whether that part ended within a word, so that no separator follows.
    private var isInWord = false
    /// The start of the paragraph: in ``output``, negative if already delivered, and in units.
    private var paragraph = (byte: 0, unit: 0, lines: 0)
    private var lastLine = (length: 0, indent: 0)
    private var hasParts = false

    init(style: PlainTextStyle) {
        self.style = style
        // Memory that is never written to is not used.
        output = .allocate(capacity: Self.room)
    }

    deinit { output.deallocate() }

    /// Adds the next piece of the text in UTF-8, at most 256 KiB of whole characters; call ``deliver(all:_:)``
    /// afterwards.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        var start = 0
        for (index, byte) in piece.enumerated() where (0x0A...0x0D).contains(byte) || byte == 0x85 {
            // The second byte of U+0085, or one of another character.
            if byte == 0x85, index == start || piece[index - 1] != 0xC2 { continue }
            let isSecondHalf = byte == 0x0A && endedWithReturn && index == start && line.isEmpty
            line.append(contentsOf: piece[start..<(byte == 0x85 ? index - 1 : index)])
            start = index + 1
            endedWithReturn = byte == 0x0D
            if isSecondHalf { continue }
            endLine()
            if byte == 0x0C { endPage() }
        }
        if start < piece.count {
            line.append(contentsOf: piece[start...])
            endedWithReturn = false
        }
        if line.count > Self.longestLine { writePart() }
    }

    /// Delivers text that is not looked back at any more, if there is enough of it, or all text.
    mutating func deliver(all: Bool = false, _ give: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        guard all || count > 64 << 10 else { return }
        var end = all ? count : count - Self.lookBack
        while end > 0, end < count, output[end] & 0xC0 == 0x80 { end -= 1 }
        guard end > 0 else { return }
        try give(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: output[..<end])))
        for index in end..<count { output[index - end] = output[index] }
        count -= end
        paragraph.byte -= end
    }

    mutating func finish() {
        if !line.isEmpty { endLine() }
        endParagraph()
        if let last = pageStarts.last, last == units, pageStarts.count > 1 { pageStarts.removeLast() }
    }

    private mutating func endPage() {
        endParagraph()
        hasBreak = true
        pageStarts.append(units)
    }

    /// Writes the beginning of a line that is too long to buffer.
    private mutating func writePart() {
        let space = line.lastIndex(of: 0x20)
        let rest = space.map { Array(line[($0 + 1)...]) } ?? []
        if let space { line.removeSubrange(space...) }
        writeLine(endsHere: false)
        line = rest
        isInLine = true
        isInWord = space == nil
    }

    private mutating func endLine() {
        writeLine(endsHere: true)
        line.removeAll(keepingCapacity: true)
        isInLine = false
        isInWord = false
    }

    private mutating func writeLine(endsHere: Bool) {
        let indent = line.prefix(while: Self.isGap).count
        guard let last = line.lastIndex(where: { $0 > 0x20 && $0 != 0x7F }) else {
            if endsHere, !isInLine { endParagraph() }
            return
        }
        let text = line[indent...last]
        if isInLine {
            if !isInWord || indent > 0 { write(0x20) }
        } else {
            separate(from: text, indent: indent)
        }
        write(text)
        paragraph.lines += 1
        lastLine = (line.count, indent)
        hasBreak = false
    }

    /// Writes the separator between the text so far and the next line.
    private mutating func separate(from next: ArraySlice<UInt8>, indent: Int) {
        if hasBreak || beginsParagraph(next, indent: indent) {
            endParagraph()
            if count > 0 { write("\n\n") }
            paragraph = (count, units, 0)
        } else if !style.isWrapped {
            write(0x0A)
        } else {
            let before = String(decoding: output[max(count - 64, paragraph.byte, 0)..<count], as: UTF8.self)
            let joint = style.ends.joint(of: before, and: String(decoding: next.prefix(64), as: UTF8.self))
            if joint.dropping > 0 {
                repeat { count -= 1 } while output[count] & 0xC0 == 0x80
                units -= 1
            }
            write(joint.adding)
        }
    }

    private func beginsParagraph(_ next: ArraySlice<UInt8>, indent: Int) -> Bool {
        let endsSentence = count > 0 && [0x2E, 0x21, 0x3F, 0x3A, 0x22, 0x9D].contains(output[count - 1])
        if isItem(next) { return true }
        guard style.isWrapped else { return endsSentence || lastLine.length > 90 }
        if indent > lastLine.indent + 1 { return true }
        return endsSentence && lastLine.length * 10 < style.width * 6
    }

    /// Whether a line starts with a bullet or number of a list.
    private func isItem(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, let second = line.dropFirst().first else { return false }
        if first == 0x2A || first == 0x2D || first == 0x2B { return second == 0x20 }
        if line.starts(with: [0xE2, 0x80, 0xA2]) { return true }
        let digits = line.prefix { (0x30...0x39).contains($0) }.count
        guard (1...2).contains(digits) else { return false }
        let rest = line.dropFirst(digits)
        return (rest.first == 0x2E || rest.first == 0x29) && rest.dropFirst().first == 0x20
    }

    private mutating func endParagraph() {
        hasBreak = true
        defer { paragraph.lines = 0 }
        let length = count - paragraph.byte
        guard paragraph.lines == 1, (1...100).contains(length) else { return }
        let text = String(decoding: output[paragraph.byte..<count], as: UTF8.self)
        guard let part = HeadingWords.part(in: text) else { return }
        if part == .part { hasParts = true }
        chapters.add(text, level: part == .chapter && hasParts ? 2 : 1, start: paragraph.unit)
        if headings.count < Self.maximumHeadings { headings.append(paragraph.unit..<units) }
    }

    // MARK: - Bytes

    private static func isGap(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (byte == 0x20 || byte == 0x09 || Unicode.Scalar(byte).isInformationSeparator)
    }

    private mutating func write(_ text: ArraySlice<UInt8>) {
        var hadSpace = false
        for byte in text {
            if Self.isGap(byte) {
                hadSpace = true
            } else if byte > 0x20, byte != 0x7F {
                if hadSpace { write(0x20) }
                hadSpace = false
                write(byte)
            }
        }
    }

    private mutating func write(_ text: String) {
        for byte in text.utf8 { write(byte) }
    }

    private mutating func write(_ byte: UInt8) {
        precondition(count < output.count, "a call's pieces are longer than they may be")
        output[count] = byte
        count &+= 1
        if byte & 0xC0 != 0x80 { units &+= 1 }
        if byte >= 0xF0 { units &+= 1 }
    }
}

/// Words that introduce a part of a book.
enum HeadingWords {
    enum Part {
        case part
        case chapter
    }

    private static let parts: Set<String> = [
        "part", "book", "volume", "teil", "buch", "osa", "raamat", "partie", "livre", "parte", "libro",
    ]
    private static let chapters: Set<String> = [
        "chapter", "kapitel", "peatükk", "chapitre", "capítulo", "capitulo", "section", "letter", "scene", "act",
    ]
    private static let alone: Set<String> = [
        "prologue", "epilogue", "introduction", "preface", "foreword", "conclusion", "afterword", "appendix", "prolog",
        "epilog",
        "vorwort", "einleitung", "eessõna", "sissejuhatus", "prólogo", "epílogo", "préface",
    ]

    /// Returns the part that `text`, a paragraph of one line, introduces; `nil` if it is not a heading.
    static func part(in text: String) -> Part? {
        let words = text.prefix(60).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard let first = words.first, !text.hasSuffix(",") else { return nil }
        if alone.contains(first) { return words.count <= 4 && text.last != "." ? .chapter : nil }
        // “1. Kapitel”, “3. peatükk”
        if words.count >= 2, Int(first) != nil, chapters.contains(words[1]) { return .chapter }
        guard words.count >= 2, isCount(words[1]) else { return words.count == 1 && isRoman(text) ? .chapter : nil }
        if parts.contains(first) { return .part }
        return chapters.contains(first) ? .chapter : nil
    }

    private static let counts: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "first",
        "second",
        "third", "the", "eins", "zwei", "drei",
    ]

    private static func isCount(_ word: String) -> Bool {
        Int(word) != nil || counts.contains(word) || PageNumeral.value(of: word) != nil
    }

    /// Whether it is a Roman numeral such as “XIV.”.
    private static func isRoman(_ text: String) -> Bool {
        let letters = text.hasSuffix(".") ? text.dropLast() : text[...]
        let isLetter = letters.count == 1 && !"IVX".contains(letters)
        return !letters.isEmpty && letters.count <= 7 && !isLetter && letters.allSatisfy { "IVXLC".contains($0) }
    }
}

/// The line layout of a text, determined from its beginning.
struct PlainTextStyle {
    /// Whether lines are wrapped at a fixed width, so that a line's end does not end a paragraph.
    let isWrapped: Bool
    /// The width of most of its longer lines, in bytes.
    let width: Int
    let ends: LineEnds

    /// - Throws: `CancellationError` when the calling task is cancelled.
    init(of head: Data, in encoding: TextEncoding) throws {
        var text: [UInt8] = []
        var converter = TextConverter(encoding)
        try head.withUnsafeBytes { head in
            try converter.convert(head, isLast: true) { piece in
                try Task.checkCancellation()
                text.append(contentsOf: piece)
            }
        }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.reversed().drop { $0 <= 0x20 }.count }
        let filled = lines.filter { $0 > 0 }.sorted()
        width = filled.isEmpty ? 0 : filled[min(filled.count * 9 / 10, filled.count - 1)]
        isWrapped = Self.isWrapped(lines, width: width)
        var ends = LineEnds()
        if isWrapped {
            var previous: String?
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let line = String(decoding: line, as: UTF8.self).trimmed
                ends.learn(line, follows: previous)
                previous = line
            }
        }
        self.ends = ends
    }

    /// Whether lines followed by another are nearly as long as the longest.
    private static func isWrapped(_ lines: [Int], width: Int) -> Bool {
        guard (30...120).contains(width) else { return false }
        var followed = 0
        var full = 0
        for (line, next) in zip(lines, lines.dropFirst()) where line > 0 && next > 0 {
            followed += 1
            if line * 10 >= width * 7, line <= width + 20 { full += 1 }
        }
        return followed >= 2 && full * 10 >= followed * 6
    }
}
