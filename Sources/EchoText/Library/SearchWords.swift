import Foundation

/// The words of a search: all must occur, the last one possibly incomplete.
///
/// A word is a run of letters, digits and marks; case and diacritics are ignored.
package struct SearchWords: Sendable, Hashable {
    /// At least one word, folded.
    package let words: [String]

    /// Fails when `text` contains no word.
    package init?(_ text: String) {
        words = Self.runs(in: text).map(\.word)
        if words.isEmpty { return nil }
    }

    /// Whether all words are in `text`.
    package func match(_ text: String) -> Bool {
        let found = Set(Self.runs(in: text).map(\.word))
        return words.dropLast().allSatisfy(found.contains)
            && found.contains(where: isLast)
    }

    /// Finds the words in `text`: the first sequence of all of them, else the first occurrence of any.
    ///
    /// - Returns: In UTF-16 units; `nil` when none occurs.
    package func firstMatch(in text: String) -> TextRange? {
        var any: TextRange?
        var sequence: [TextRange] = []
        Self.forEachRun(in: text) { word, source in
            if any == nil, words.dropLast().contains(word) || isLast(word) { any = source }
            if sequence.count < words.count, !continues(sequence.count, word) { sequence = [] }
            if continues(sequence.count, word) { sequence.append(source) }
            return sequence.count < words.count
        }
        guard sequence.count == words.count, let first = sequence.first, let last = sequence.last else { return any }
        return first.lowerBound..<last.upperBound
    }

    /// Finds the ranges in `text` where the words occur in sequence, without overlaps.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - limit: The most ranges to return.
    /// - Returns: In UTF-16 units, in order.
    package func matches(in text: String, limit: Int) -> [TextRange] {
        var matches: [TextRange] = []
        var recent: [(word: String, source: TextRange)] = []
        Self.forEachRun(in: text) { word, source in
            recent.append((word, source))
            if recent.count > words.count { recent.removeFirst() }
            if recent.count == words.count, recent.indices.allSatisfy({ continues($0, recent[$0].word) }) {
                matches.append(recent[0].source.lowerBound..<source.upperBound)
                recent = []
            }
            return matches.count < limit
        }
        return Array(matches.prefix(max(0, limit)))
    }

    private func continues(_ index: Int, _ word: String) -> Bool {
        index + 1 == words.count ? isLast(word) : words[index] == word
    }

    private func isLast(_ word: String) -> Bool { words.last.map { word.hasPrefix($0) } ?? false }

    // MARK: - Words of a text

    private static func runs(in text: String) -> [(word: String, source: TextRange)] {
        var runs: [(String, TextRange)] = []
        forEachRun(in: text) { word, source in
            runs.append((word, source))
            return true
        }
        return runs
    }

    /// Visits the folded words of `text`, each with its range in UTF-16 units, until `visit` returns false.
    private static func forEachRun(in text: String, _ visit: (String, TextRange) -> Bool) {
        var word = ""
        var start = 0
        var offset = 0
        for scalar in text.unicodeScalars {
            if isWordPart(scalar, afterWord: !word.isEmpty) {
                if word.isEmpty { start = offset }
                append(scalar, to: &word)
            } else if !word.isEmpty {
                if !visit(word, start..<offset) { return }
                word = ""
            }
            offset += UTF16.width(scalar)
        }
        if !word.isEmpty { _ = visit(word, start..<offset) }
    }

    private static func isWordPart(_ scalar: Unicode.Scalar, afterWord: Bool) -> Bool {
        if scalar.isASCII {
            return (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value & 0xDF)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        case .decimalNumber, .letterNumber, .otherNumber, .privateUse: return true
        case .nonspacingMark, .spacingMark: return afterWord
        default: return false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to word: inout String) {
        if scalar.isASCII {
            let value = (0x41...0x5A).contains(scalar.value) ? scalar.value | 0x20 : scalar.value
            word.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: value)))
            return
        }
        for part in String(scalar).lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        where part.properties.generalCategory != .nonspacingMark {
            word.unicodeScalars.append(part)
        }
    }
}

/// A line of context around a match in a text.
package struct TextExcerpt: Sendable, Hashable {
    /// The line, cut between words; “…” marks the omitted text.
    package let text: String
    /// The range of the match in ``text``, in UTF-16 units.
    package let place: TextRange

    /// The most context before and after the match, in UTF-16 units.
    private static let (before, after) = (40, 80)
    private static let ellipsis = Array("…".utf16)

    /// - Parameters:
    ///   - units: The text.
    ///   - place: The range of the match, whose ends are not blank.
    package init(of units: [UInt16], around place: TextRange) {
        var start = max(0, place.lowerBound - Self.before)
        var end = min(units.count, place.upperBound + Self.after)
        if start > 0 {
            start = units[start..<place.lowerBound].firstIndex(where: Self.isBlank).map { $0 + 1 } ?? place.lowerBound
        }
        if end < units.count {
            end = units[place.upperBound..<end].lastIndex(where: Self.isBlank) ?? place.upperBound
        }
        let head = start > 0 ? Self.ellipsis : []
        var line = head
        var found = 0..<0
        var isAfterBlank = false
        for index in start..<end {
            guard !Self.isBlank(units[index]) else {
                isAfterBlank = line.count > head.count
                continue
            }
            if isAfterBlank { line.append(0x20) }
            isAfterBlank = false
            if index <= place.lowerBound { found = line.count..<line.count }
            line.append(units[index])
            if index < place.upperBound { found = found.lowerBound..<line.count }
        }
        if end < units.count { line += Self.ellipsis }
        text = String(decoding: line, as: UTF16.self)
        self.place = found
    }

    private static func isBlank(_ unit: UInt16) -> Bool {
        guard let scalar = Unicode.Scalar(unit) else { return false }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}
