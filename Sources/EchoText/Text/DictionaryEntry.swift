/// One line of a pronunciation dictionary.
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
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        for line in lines {
            number += 1
            var line = line
            if number == 1, line.first == "\u{FEFF}" { line.removeFirst() }
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
