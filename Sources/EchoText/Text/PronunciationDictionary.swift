/// How words are to be said, as a person wrote it down.
///
/// Each line is an entry, `word = replacement` or `word = /ipa/`; `Documentation/TextPreparation.md` has the format.
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
        /// The replacements by exact writing.
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

/// A line of a pronunciation dictionary.
struct DictionaryEntry {
    enum Part {
        case whole
        case prefix
        case suffix
    }

    /// The text to replace, in plain Unicode, each run of white space one space, without quotes and star.
    let key: String
    let part: Part
    /// Whether upper and lower case count.
    let isExact: Bool
    let replacement: PronunciationDictionary.Replacement

    private static let longestKey = 200
    private static let longestAffix = 64
    /// Most phonemes of an entry, in Unicode scalars; espeak-ng loses those of a word beyond some 230.
    private static let longestPhonemes = 200

    static func entries(in text: String) throws(PronunciationDictionaryError) -> [DictionaryEntry] {
        var entries: [DictionaryEntry] = []
        var number = 0
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines {
            number += 1
            var line = line
            if number == 1, line.first == "\u{FEFF}" { line.removeFirst() }
            // The library would keep nothing from there on, comments included.
            guard !line.utf8.contains(0) else { throw .nullCharacter(line: number) }
            let content = withoutComment(line).trimming(\.isWhitespace)
            guard !content.isEmpty else { continue }
            guard entries.count < PronunciationDictionary.maximumEntries else { throw .tooManyEntries(line: number) }
            entries.append(try DictionaryEntry(content, line: number))
        }
        return entries
    }

    /// The line up to a `#` at its beginning or after white space, outside quotes.
    private static func withoutComment(_ line: Substring) -> Substring {
        guard line.utf8.contains(0x23) else { return line }
        var isQuoted = false
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if character == "\"" { isQuoted.toggle() }
            if character == "#", !isQuoted, previous.isWhitespace { return line[..<index] }
            previous = character
        }
        return line
    }

    private init(_ content: Substring, line: Int) throws(PronunciationDictionaryError) {
        let (key, value, isExact) = try Self.split(content, line: line)
        guard !value.isEmpty else { throw .missingReplacement(line: line) }
        replacement = try Self.replacement(value, line: line)
        self.isExact = isExact
        let stars = key.count { $0 == "*" }
        if stars > 0, key.utf16.count > 1 {
            guard stars == 1, key.first == "*" || key.last == "*", !key.contains(where: \.isWhitespace) else {
                throw .misplacedStar(line: line)
            }
            part = key.first == "*" ? .suffix : .prefix
            self.key = Self.plain(part == .suffix ? key.dropFirst() : key.dropLast())
            guard self.key.utf16.allSatisfy(\.isLetterOrDigit) else { throw .misplacedStar(line: line) }
        } else {
            part = .whole
            self.key = Self.plain(key)
        }
        guard !self.key.isEmpty else { throw .missingWord(line: line) }
        guard self.key.utf16.count <= (part == .whole ? Self.longestKey : Self.longestAffix) else {
            throw .wordTooLong(line: line)
        }
    }

    /// Key and value; the key may stand in quotes and hold equals signs there.
    private static func split(
        _ content: Substring,
        line: Int
    ) throws(PronunciationDictionaryError) -> (key: Substring, value: Substring, isExact: Bool) {
        guard content.first == "\"" else {
            guard let equals = content.firstIndex(of: "=") else { throw .missingEqualsSign(line: line) }
            let value = content[content.index(after: equals)...].trimming(\.isWhitespace)
            let key = content[..<equals].trimming(\.isWhitespace)
            guard !key.isEmpty else { throw .missingWord(line: line) }
            return (key, value, false)
        }
        let inside = content.dropFirst()
        guard let close = inside.firstIndex(of: "\"") else { throw .unclosedQuotes(line: line) }
        let key = inside[..<close].trimming(\.isWhitespace)
        guard !key.isEmpty else { throw .missingWord(line: line) }
        let rest = inside[inside.index(after: close)...].trimming(\.isWhitespace)
        guard rest.first == "=" else { throw .missingEqualsSign(line: line) }
        return (key, rest.dropFirst().trimming(\.isWhitespace), true)
    }

    private static func replacement(
        _ value: Substring,
        line: Int
    ) throws(PronunciationDictionaryError) -> PronunciationDictionary.Replacement {
        guard value.first == "/" else { return .words(String(value)) }
        guard value.count > 1, value.last == "/" else { throw .unclosedPhonemes(line: line) }
        let phonemes = value.dropFirst().dropLast().trimming(\.isWhitespace)
        guard !phonemes.isEmpty else { throw .missingReplacement(line: line) }
        guard phonemes.unicodeScalars.count <= longestPhonemes else { throw .phonemesTooLong(line: line) }
        return .phonemes(String(phonemes))
    }

    /// The key in the form texts are compared in.
    private static func plain(_ key: Substring) -> String {
        let text = CleanText(cleaning: Array(key.utf16))
        return text.spoken(0..<text.units.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// A fault of a pronunciation dictionary, with its line (the first is 1).
package enum PronunciationDictionaryError: UserFacingError, Equatable {
    case tooLarge
    case tooManyEntries(line: Int)
    case missingEqualsSign(line: Int)
    case missingWord(line: Int)
    case missingReplacement(line: Int)
    case unclosedQuotes(line: Int)
    case unclosedPhonemes(line: Int)
    case misplacedStar(line: Int)
    case wordTooLong(line: Int)
    case phonemesTooLong(line: Int)
    case nullCharacter(line: Int)

    package var failure: Failure {
        switch self {
        case .tooLarge:
            Failure(.invalidContent, "dictionary.too-large", "The pronunciation dictionary is larger than 1 MB.")
                .suggesting("Split it and use the part the text needs.")
        case .tooManyEntries(let line):
            Self.failure("dictionary.too-many-entries", at: line, "is one entry too many")
                .suggesting("A dictionary holds at most 50,000 entries; take out those the text does not need.")
        case .missingEqualsSign(let line):
            Self.failure("dictionary.missing-equals-sign", at: line, "has no equals sign")
                .suggesting("Write “word = replacement” or “word = /ipa/”, and “#” before a comment.")
        case .missingWord(let line):
            Self.failure("dictionary.missing-word", at: line, "has no word before the equals sign")
                .suggesting("Write the word to be replaced before the equals sign.")
        case .missingReplacement(let line):
            Self.failure("dictionary.missing-replacement", at: line, "has nothing after the equals sign")
                .suggesting("Write what is to be said after the equals sign: words, or phonemes between slashes.")
        case .unclosedQuotes(let line):
            Self.failure("dictionary.unclosed-quotes", at: line, "has quotes that are not closed")
                .suggesting("Write “\"word\" = replacement” with quotes on both sides of the word.")
        case .unclosedPhonemes(let line):
            Self.failure("dictionary.unclosed-phonemes", at: line, "has phonemes that do not end with a slash")
                .suggesting("Write phonemes between two slashes: “word = /ipa/”.")
        case .misplacedStar(let line):
            Self.failure("dictionary.misplaced-star", at: line, "has a star where none can stand")
                .suggesting("Write “pre* = …” or “*post = …”: one star, at one end of a single word.")
        case .wordTooLong(let line):
            Self.failure("dictionary.word-too-long", at: line, "has a word that is too long")
                .suggesting("A word or phrase has at most 200 characters, and one with a star at most 64.")
        case .phonemesTooLong(let line):
            Self.failure("dictionary.phonemes-too-long", at: line, "has too many phonemes")
                .suggesting(
                    "An entry has at most 200 phonemes, stress marks counted; write a longer phrase as several entries."
                )
        case .nullCharacter(let line):
            Self.failure("dictionary.null-character", at: line, "has a character that no text has, NUL")
                .suggesting("Take it out, or save the dictionary as plain text (UTF-8) first.")
        }
    }

    private static func failure(_ code: String, at line: Int, _ fault: String) -> Failure {
        Failure(.invalidContent, code, "Line \(line) of the pronunciation dictionary \(fault).")
    }
}
