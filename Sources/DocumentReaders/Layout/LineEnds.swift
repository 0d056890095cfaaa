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

    /// How `text` and the line `next` are joined.
    ///
    /// - Returns: The number of UTF-16 units to remove from the end of `text`, and the string to insert.
    func joint(of text: String, and next: String) -> (dropping: Int, adding: String) {
        guard let last = text.unicodeScalars.last, let first = next.unicodeScalars.first else { return (0, "") }
        guard Self.isDivided(text) else {
            let isDash = last == "—" && !text.hasSuffix(" —")
            return (0, isDash || Self.needsNoSpace(last, first) ? "" : " ")
        }
        if last == "\u{AD}" { return (1, "") }
        guard first.properties.isLowercase else {
            // “UTF-” and “8”, “Saint-” and “Denis”; or a dash written as a hyphen.
            return first.properties.isAlphabetic || first.properties.numericType != nil ? (0, "") : (0, " ")
        }
        return keepsHyphen(text, next) ? (0, "") : (1, "")
    }

    private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{AD}", "\u{2010}"]

    /// Chinese and Japanese are written without spaces.
    private static func needsNoSpace(_ last: Unicode.Scalar, _ first: Unicode.Scalar) -> Bool {
        func isIdeographic(_ scalar: Unicode.Scalar) -> Bool { (0x3000...0x9FFF).contains(scalar.value) }
        return isIdeographic(last) && isIdeographic(first)
    }

    private func keepsHyphen(_ text: String, _ next: String) -> Bool {
        let before = text.utf8.dropLast(text.hasSuffix("-") ? 1 : 3)
        let start = before.reversed().prefix { WordHash.isLetter($0) || $0 == UInt8(ascii: "-") }
        let after = next.utf8.prefix(while: WordHash.isLetter)
        guard !start.contains(UInt8(ascii: "-")) else { return true }
        let (head, tail) = (Array(start.reversed()), Array(after))
        if count(head + tail) > 0 { return false }
        if count(head + [UInt8(ascii: "-")] + tail) > 0 { return true }
        return head.count > 3 && tail.count > 3 && count(head) > 0 && count(tail) > 0
    }

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
