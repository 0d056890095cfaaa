/// How words are to be said, as a person wrote it down.
///
/// One entry a line, `word = replacement` or `word = /ipa/`; `Documentation/TextPreparation.md` describes the format.
/// An entry matches whole words or phrases in any case; in quotes, only just as written; with a star at one end, the
/// beginning or the end of a word. The longest match wins, then quotes, then the later line.
package struct PronunciationDictionary: Sendable {
    /// The spoken replacement.
    enum Replacement: Sendable, Hashable {
        case words(String)
        case phonemes(String)
    }

    /// A step on the way through the words of a phrase.
    private struct Node: Sendable {
        var next: [String: Int] = [:]
        var anyCase: Replacement?
        /// By the exact writing.
        var exact: [String: Replacement] = [:]
    }

    /// Entries for one end of a word, by the letters there.
    private struct Affixes: Sendable {
        var anyCase: [String: Replacement] = [:]
        var exact: [String: Replacement] = [:]
        /// Lengths in UTF-16 units, longest first.
        var lengths: [Int] = []

        subscript(lowercased: String, exactly: String) -> Replacement? {
            exact[exactly] ?? anyCase[lowercased]
        }
    }

    private var nodes = [Node()]
    private var prefixes = Affixes()
    private var suffixes = Affixes()

    /// How many entries there are, overridden ones left out.
    package private(set) var count = 0

    package static let maximumBytes = 1_000_000
    package static let maximumEntries = 50_000

    /// - Parameter text: A whole dictionary file.
    /// - Throws: ``PronunciationDictionaryError`` for the first line that is not an entry, a comment or blank.
    package init(parsing text: String) throws(PronunciationDictionaryError) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        for entry in try DictionaryEntry.entries(in: text) {
            insert(entry)
        }
        prefixes.lengths = Self.lengths(of: prefixes)
        suffixes.lengths = Self.lengths(of: suffixes)
    }

    private static func lengths(of affixes: Affixes) -> [Int] {
        Set([affixes.anyCase.keys, affixes.exact.keys].joined().map(\.utf16.count)).sorted(by: >)
    }

    private mutating func insert(_ entry: DictionaryEntry) {
        switch entry.part {
        case .whole: insertPhrase(entry)
        case .prefix: insert(entry, into: \.prefixes)
        case .suffix: insert(entry, into: \.suffixes)
        }
    }

    private mutating func insert(_ entry: DictionaryEntry, into affixes: WritableKeyPath<Self, Affixes>) {
        let old: Replacement?
        if entry.isExact {
            old = self[keyPath: affixes].exact.updateValue(entry.replacement, forKey: entry.key)
        } else {
            old = self[keyPath: affixes].anyCase.updateValue(entry.replacement, forKey: entry.key.lowercased())
        }
        if old == nil { count += 1 }
    }

    private mutating func insertPhrase(_ entry: DictionaryEntry) {
        let units = Array(entry.key.utf16)
        var node = 0
        var position = 0
        while let (token, end) = Self.token(in: units, at: position) {
            if let next = nodes[node].next[token] {
                node = next
            } else {
                nodes.append(Node())
                nodes[node].next[token] = nodes.count - 1
                node = nodes.count - 1
            }
            position = end
        }
        let old: Replacement?
        if entry.isExact {
            old = nodes[node].exact.updateValue(entry.replacement, forKey: entry.key)
        } else {
            old = nodes[node].anyCase
            nodes[node].anyCase = entry.replacement
        }
        if old == nil { count += 1 }
    }

    // MARK: Matching

    /// The longest word a match may hold, in UTF-16 units.
    private static let longestToken = 200

    /// The dictionary's replacement for the word or phrase that begins at `start`.
    ///
    /// - Complexity: One hash look-up for each word of the longest phrase that begins alike, and for each length of the
    ///   entries with a star.
    func match(in units: [UInt16], at start: Int) -> Rewrite? {
        var node = 0
        var position = start
        var best: (Replacement, Int)?
        while !nodes[node].next.isEmpty, let (token, end) = Self.token(in: units, at: position),
            let next = nodes[node].next[token]
        {
            node = next
            position = end
            if let found = replacement(at: nodes[node], in: units, start..<end) { best = (found, end) }
        }
        if let (replacement, end) = best { return Rewrite(replacement, for: start..<end, isPartOfWord: false) }
        return affix(in: units, at: start)
    }

    private func replacement(at node: Node, in units: [UInt16], _ range: Range<Int>) -> Replacement? {
        guard !node.exact.isEmpty else { return node.anyCase }
        return node.exact[Self.collapsed(units[range])] ?? node.anyCase
    }

    private func affix(in units: [UInt16], at start: Int) -> Rewrite? {
        guard !prefixes.lengths.isEmpty || !suffixes.lengths.isEmpty, units[start].isLetterOrDigit else { return nil }
        let end = Self.wordEnd(in: units, from: start)
        let wordLength = end - start
        var best: Rewrite?
        for length in prefixes.lengths where length < wordLength && best == nil {
            let range = start..<start + length
            let part = String(decoding: units[range], as: UTF16.self)
            best = prefixes[part.lowercased(), part].map { Rewrite($0, for: range, isPartOfWord: true) }
        }
        for length in suffixes.lengths where length < wordLength && length > best?.range.count ?? 0 {
            let range = end - length..<end
            let part = String(decoding: units[range], as: UTF16.self)
            if let found = suffixes[part.lowercased(), part] {
                return Rewrite(found, for: range, isPartOfWord: true)
            }
        }
        return best
    }

    private static func wordEnd(in units: [UInt16], from start: Int) -> Int {
        var index = start
        while index < units.count, units[index].isLetterOrDigit || isApostrophe(in: units, at: index, from: start) {
            index += 1
        }
        return index
    }

    private static func isApostrophe(in units: [UInt16], at index: Int, from start: Int) -> Bool {
        (units[index] == 0x27 || units[index] == 0x2019) && index > start && units[index - 1].isLetter
            && index + 1 < units.count && units[index + 1].isLetter
    }

    /// The word, white space or sign at `start`, in the form entries are looked up by, and where it ends.
    private static func token(in units: [UInt16], at start: Int) -> (String, Int)? {
        guard start < units.count else { return nil }
        var end = start + 1
        if units[start].isSpace {
            while end < units.count, units[end].isSpace, end - start < 16 { end += 1 }
            return (" ", end)
        }
        if units[start].isLetterOrDigit { end = wordEnd(in: units, from: start) }
        guard end - start <= longestToken else { return nil }
        return (String(decoding: units[start..<end], as: UTF16.self).lowercased(), end)
    }

    /// The text with each run of white space as one space.
    private static func collapsed(_ units: ArraySlice<UInt16>) -> String {
        var plain: [UInt16] = []
        for unit in units where !unit.isSpace || plain.last != 0x20 {
            plain.append(unit.isSpace ? 0x20 : unit)
        }
        return String(decoding: plain, as: UTF16.self)
    }
}

extension Rewrite {
    fileprivate init(_ replacement: PronunciationDictionary.Replacement, for range: Range<Int>, isPartOfWord: Bool) {
        switch replacement {
        case .words(let words): self.init(range: range, content: .words(words), isPartOfWord: isPartOfWord)
        case .phonemes(let phonemes): self.init(range: range, content: .phonemes(phonemes), isPartOfWord: isPartOfWord)
        }
    }
}
