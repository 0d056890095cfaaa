/// A paragraph of a text: lines that belong together, up to a blank line.
package struct Paragraph: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case body
        /// A title: marked with `#`, or a single short line without final punctuation, followed by a paragraph.
        case heading
        /// A point of a list.
        case item
    }

    /// The paragraph as written, line breaks turned to spaces, as many UTF-16 units as in the text.
    package var text: String
    /// Its first UTF-16 unit in the whole text.
    package var start: Int
    package var kind: Kind
    /// Whether the paragraph ends with it; `false` when it is handed on in parts and others follow.
    package var isWhole = true
}

/// Cuts a text into paragraphs as it arrives, holding at most one of them in memory.
///
/// Hard-wrapped lines are joined. A line that starts with `#`, a bullet or a number and a full stop begins a paragraph.
/// A paragraph longer than ``longest`` is returned in parts that end at the end of a sentence if possible, and one that
/// is still being written in parts that end with a sentence, whenever its writer pauses.
package struct ParagraphReader {
    /// Most UTF-16 units of a paragraph that are held at once: 16 Ki, some ten pages.
    package static let longest = 16 * 1_024

    /// How long a writer may pause before the sentences that are whole are handed on, in seconds.
    private static let patience = 0.5
    /// Beginnings of a text that may follow lines, added to find out whether a sentence ends with them in any case.
    ///
    /// Another sentence may begin, a number may follow, as in “No. 7”, or a name that is a month as well (“Dr. Mai”, “am 3. Mai”).
    private static let beginnings = ["Then", "7", "Mai"]

    private let source: any TextSource
    private let sentences: (@Sendable (String) -> [TextRange])?
    /// Why the source cannot be read on.
    private var failure: (any Error)?
    private var units: [UInt16] = []
    /// The start of ``units`` in the whole text.
    private var start = 0
    /// The start of the next paragraph in ``units``.
    private var position = 0
    private var isAtEnd = false
    /// Whether the paragraph before was handed on before its end was reached.
    private var isInParagraph = false

    /// - Parameters:
    ///   - source: The text.
    ///   - sentences: Finds the sentences of a text, which together cover it; `nil` to wait for whole paragraphs even
    ///     when their writer pauses.
    package init(of source: any TextSource, sentences: (@Sendable (String) -> [TextRange])? = nil) {
        self.source = source
        self.sentences = sentences
    }

    /// The next paragraph with more than white space in it, or `nil` at the end of the text.
    package mutating func next() async throws -> Paragraph? {
        while true {
            try Task.checkCancellation()
            skipBlank()
            if position == units.count {
                guard try await fill() else { return nil }
                continue
            }
            let reach = min(units.count, position + Self.longest + 1)
            let isAll = isAtEnd && reach == units.count
            guard let end = Self.end(ofParagraphAt: position, in: units[..<reach], isAtEnd: isAll) else {
                if reach < units.count { return takePart() }
                if let part = try await takeSentences() { return part }
                _ = try await fill()
                continue
            }
            return take(upTo: end, hasMore: end < units.count || !isAtEnd, isWhole: true)
        }
    }

    /// Whether no paragraph follows for certain, because the last one was read to the text's end.
    package var isFinished: Bool { isAtEnd && units[position...].allSatisfy(Self.isSpace) }

    /// Whether the next paragraph, or the end, is here without waiting for whoever is still writing the text.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package mutating func isReady() async throws -> Bool {
        while true {
            skipBlank()
            guard !isAtEnd, failure == nil, units.count - position <= Self.longest else { return true }
            if position < units.count, Self.end(ofParagraphAt: position, in: units[...], isAtEnd: false) != nil {
                return true
            }
            guard try await source.isReady(within: 0) else { return false }
            do {
                _ = try await fill()
            } catch let error where !(error is CancellationError) {
                failure = error
            }
        }
    }

    private mutating func fill() async throws -> Bool {
        guard !isAtEnd else { return false }
        if let failure { throw failure }
        guard let piece = try await source.next() else {
            isAtEnd = true
            return position < units.count
        }
        units.removeFirst(position)
        start += position
        position = 0
        units.append(contentsOf: piece.utf16)
        return true
    }

    private mutating func skipBlank() {
        while position < units.count, Self.isSpace(units[position]) {
            if Self.isLineEnd(units[position]) { isInParagraph = false }
            position += 1
        }
    }

    private mutating func take(upTo end: Int, hasMore: Bool, isWhole: Bool) -> Paragraph {
        defer {
            position = end
            isInParagraph = !isWhole
        }
        let last = units[position..<end].lastIndex { !Self.isSpace($0) } ?? position
        let lines = units[position...last]
        return Paragraph(
            text: Self.joined(lines),
            start: start + position,
            kind: isInParagraph ? .body : Self.kind(of: lines, hasMore: hasMore && isWhole),
            isWhole: isWhole
        )
    }

    /// The whole sentences of a paragraph whose writer pauses, if there are any.
    ///
    /// A sentence is whole when another has begun, or when its line has ended, or a space is behind its last mark, and another
    /// could begin.
    private mutating func takeSentences() async throws -> Paragraph? {
        guard let sentences, !isAtEnd, failure == nil else { return nil }
        if try await source.isReady(within: Self.patience) { return nil }
        let lines = units[position...]
        let isLineEnded = lines.reversed().prefix(while: Self.isSpace).contains(where: Self.isLineEnd)
        let isBehindMark = lines.last { !Self.isSpace($0) }.map(Self.endsSentence) == true
        // The number of an item is no sentence.
        let isOfWords = lines.contains { Unicode.Scalar($0)?.properties.isAlphabetic == true }
        let isSpaced = isBehindMark && isOfWords && lines.last.map(Self.isSpace) == true
        let text = Self.joined(lines)
        let ends = (isLineEnded || isSpaced ? Self.beginnings : [""]).map { sentences(text + $0).last?.lowerBound ?? 0 }
        guard let next = ends.min(), next > 0 else { return nil }
        return take(upTo: min(position + next, units.count), hasMore: true, isWhole: false)
    }

    /// The first part of a paragraph that is longer than may be held.
    private mutating func takePart() -> Paragraph {
        let reach = units[position..<min(position + Self.longest, units.count)]
        let afterSentence = reach.indices.dropFirst().last {
            Self.isSpace(reach[$0]) && Self.endsSentence(reach[$0 - 1])
        }
        let afterWord = afterSentence ?? reach.indices.dropFirst().last { Self.isSpace(reach[$0]) }
        var end = afterWord ?? reach.endIndex
        if afterWord == nil, end > reach.startIndex + 1, UTF16.isLeadSurrogate(units[end - 1]) { end -= 1 }
        return take(upTo: end, hasMore: true, isWhole: false)
    }

    // MARK: - Where paragraphs end

    /// Returns the end of the paragraph that begins at `start`, or `nil` when more of the text has to be read first.
    private static func end(
        ofParagraphAt start: Int,
        in units: ArraySlice<UInt16>,
        isAtEnd: Bool
    ) -> Int? {
        var line = start
        while let lineEnd = units[line...].firstIndex(where: isLineEnd) {
            let next = units[lineEnd...].firstIndex { !isLineEnd($0) } ?? units.endIndex
            if breaks(units[lineEnd..<next]) || units[line] == hash && beginsHeading(units[line...]) {
                return lineEnd
            }
            guard let word = units[next...].firstIndex(where: { !isBlankInLine($0) }) else { break }
            if isLineEnd(units[word]) || beginsBlock(units[word...]) { return lineEnd }
            line = word
        }
        return isAtEnd ? units.endIndex : nil
    }

    /// Whether a run of line ends separates paragraphs: a blank line, a form feed or a paragraph separator.
    private static func breaks(_ run: ArraySlice<UInt16>) -> Bool {
        if run.contains(where: { $0 == 0x0C || $0 == 0x2029 }) { return true }
        var ends = 0
        var previous: UInt16 = 0
        for unit in run {
            if !(unit == 0x0A && previous == 0x0D) { ends += 1 }
            previous = unit
        }
        return ends > 1
    }

    private static func kind(of lines: ArraySlice<UInt16>, hasMore: Bool) -> Paragraph.Kind {
        if lines.first == hash, beginsHeading(lines) { return .heading }
        if beginsBlock(lines) { return .item }
        let longestTitle = 80
        let isTitle = hasMore && lines.count <= longestTitle && !lines.contains(where: isLineEnd)
        return isTitle && !endsWithMark(lines) ? .heading : .body
    }

    private static func endsWithMark(_ lines: ArraySlice<UInt16>) -> Bool {
        guard let last = lines.last(where: { !isSpace($0) }), let scalar = Unicode.Scalar(last) else { return false }
        return scalar.properties.generalCategory.isPunctuation && scalar != ")"
    }

    /// Whether a line starts with `#`, a bullet, or a number and a stop, and a space after it.
    private static func beginsBlock(_ line: ArraySlice<UInt16>) -> Bool {
        guard let first = line.first else { return false }
        if first == hash { return beginsHeading(line) }
        if bullets.contains(first) { return line.dropFirst().first.map(isBlankInLine) ?? false }
        let digits = line.prefix(4).prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return false }
        let rest = line.dropFirst(digits.count)
        return (rest.first == 0x2E || rest.first == 0x29) && (rest.dropFirst().first.map(isBlankInLine) ?? false)
    }

    private static func beginsHeading(_ line: ArraySlice<UInt16>) -> Bool {
        let hashes = line.prefix(7).prefix { $0 == hash }.count
        return (1...6).contains(hashes) && (line.dropFirst(hashes).first.map(isBlankInLine) ?? false)
    }

    /// `lines` with each line end turned to a space, unit for unit.
    private static func joined(_ lines: ArraySlice<UInt16>) -> String {
        String(decoding: lines.map { isLineEnd($0) ? 0x20 : $0 }, as: UTF16.self)
    }

    // MARK: - Units

    private static let hash: UInt16 = 0x23
    private static let bullets: Set<UInt16> = [0x2A, 0x2B, 0x2D, 0x2022, 0x2023, 0x25E6, 0x2043]

    private static func isLineEnd(_ unit: UInt16) -> Bool {
        (0x0A...0x0D).contains(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029
    }

    private static func isBlankInLine(_ unit: UInt16) -> Bool {
        unit == 0x20 || unit == 0x09 || unit == 0xA0 || unit == 0x3000 || (0x2000...0x200B).contains(unit)
    }

    private static func isSpace(_ unit: UInt16) -> Bool { isLineEnd(unit) || isBlankInLine(unit) }

    private static func endsSentence(_ unit: UInt16) -> Bool {
        [0x2E, 0x21, 0x3F, 0x2026, 0x3002, 0xFF01, 0xFF1F, 0x0964, 0x06D4, 0x061F, 0x201D, 0x22].contains(unit)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isPunctuation: Bool {
        switch self {
        case .otherPunctuation, .closePunctuation, .finalPunctuation, .dashPunctuation, .initialPunctuation: true
        default: false
        }
    }
}

/// Where a paragraph is in a text.
package struct ParagraphRange: Sendable, Hashable {
    /// Without white space around it.
    package let source: TextRange
    package let isHeading: Bool

    package init(source: TextRange, isHeading: Bool) {
        (self.source, self.isHeading) = (source, isHeading)
    }

    /// Finds the paragraphs of a whole text, each in one piece however long it is.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func all(in text: String) async throws -> [ParagraphRange] {
        var ranges: [ParagraphRange] = []
        var reader = ParagraphReader(of: StringSource(text))
        var isWhole = true
        while let part = try await reader.next() {
            var start = part.start
            // The rest of a paragraph that was handed on in parts.
            if !isWhole, part.kind == .body, let first = ranges.popLast() { start = first.source.lowerBound }
            let source = start..<part.start + part.text.utf16.count
            ranges.append(ParagraphRange(source: source, isHeading: part.kind == .heading))
            isWhole = part.isWhole
        }
        return ranges
    }
}
