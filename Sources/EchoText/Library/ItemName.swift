import Foundation

/// A name a person gave: one line that can be shown, searched and turned into a file name.
///
/// White space at its ends is removed; otherwise it is stored exactly as given, or refused.
package struct ItemName: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Most Unicode scalars.
    package static let longest = 200

    package let text: String

    /// - Throws: ``LibraryError/invalidName(_:)``.
    package init(_ text: String) throws(LibraryError) {
        try self.init(stored: text)
        guard self.text.unicodeScalars.contains(where: Self.isVisible) else { throw .invalidName(.empty) }
    }

    /// A name from a store, which may be of a version that took names that show nothing.
    ///
    /// - Throws: ``LibraryError/invalidName(_:)``.
    package init(stored text: String) throws(LibraryError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw .invalidName(.empty) }
        guard trimmed.unicodeScalars.count <= Self.longest else { throw .invalidName(.tooLong(limit: Self.longest)) }
        guard !trimmed.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .invalidName(.controlCharacter)
        }
        self.text = trimmed
    }

    /// A name from a literal in the source.
    ///
    /// - Precondition: the text is a valid name.
    package init(stringLiteral text: StaticString) {
        do {
            try self.init("\(text)")
        } catch {
            preconditionFailure("“\(text)” is no name")
        }
    }

    /// Names a text after the beginning of its first line with a letter or digit: at most 60 characters, cut between
    /// words, without Markdown's marks, and without a comma or dash at the end.
    ///
    /// Where that cuts a later sentence, the name ends before it. Fails when the text contains no valid name.
    ///
    /// - Parameters:
    ///   - spoken: Any text.
    ///   - isTitle: Whether the text is a given title, whose marks belong to it.
    package init?(firstWordsOf spoken: String, isTitle: Bool = false) {
        let longestTitle = 60
        let written = Self.firstLine(of: spoken).unicodeScalars.map { Self.isForbidden($0) ? " " : String($0) }.joined()
        let line = isTitle ? written : Self.withoutMarks(written)
        var title = ""
        var isCut = false
        for word in line.split(whereSeparator: \.isWhitespace) {
            let longer = title.isEmpty ? String(word) : "\(title) \(word)"
            guard title.count + word.count < longestTitle, longer.unicodeScalars.count <= Self.longest else {
                isCut = true
                break
            }
            title = longer
        }
        if isCut, !isTitle { title = Self.wholeSentences(of: title) }
        if title.isEmpty {
            let beginning = line.trimmingCharacters(in: .whitespaces).prefix(longestTitle)
            title = beginning.characters(withinScalars: Self.longest)
        }
        while let last = title.last, Self.openEnds.contains(last) { title.removeLast() }
        guard let name = try? ItemName(title) else { return nil }  // why it is no name does not matter here
        self = name
    }

    /// A line of Markdown as it is read: without the marks of headings, lists and quotations before it, of emphasis and code
    /// around words, and of links.
    private static func withoutMarks(_ line: String) -> String {
        let heading = /^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+)+/
        let closing = /\s+#+\s*$/
        let link = /!?\[([^\[\]]+)\]\([^()\s]*\)/
        let emphasis = /(^|[\s("“«'])(\*{1,3}|_{1,3}|`{1,2}|~~)([^\s*_`~](?:.*?[^\s*_`~])??)\2(?=$|[\s)"”»'.,;:!?])/
        var text = line.replacing(heading, with: "", maxReplacements: 1)
        if text.count < line.count { text = text.replacing(closing, with: "") }
        text = text.replacing(link) { String($0.output.1) }
        text = text.replacing(emphasis) { "\($0.output.1)\($0.output.3)" }
        // Markdown does not remove a line of marks alone, such as a rule.
        return text.contains { $0.isLetter || $0.isNumber } ? text : line
    }

    /// The sentences that end in a beginning of a text, without the last full stop; all of it where none ends after some words.
    private static func wholeSentences(of beginning: String) -> String {
        // A short word before the full stop may be an abbreviation, as may one of four letters with a capital (“Prof.”).
        let sentences = /^(?<whole>.{14,}(?:(?:[\p{L}\p{N}]{5}|[\p{Ll}\p{N}]{4})\.|[!?…])["”»’']?) \P{Ll}/
        guard let whole = try? sentences.firstMatch(in: beginning)?.output.whole else { return beginning }
        return String(whole.hasSuffix(".") ? whole.dropLast() : whole)
    }

    /// Characters that a name does not end with, because they announce more.
    private static let openEnds: Set<Character> = [",", ";", ":", "–", "—", "-", "،", "、", "，", "；", "：", " "]

    /// The beginning of the first line with a letter or digit, or of the text if no line has one.
    private static func firstLine(of text: String) -> String {
        let lines = text.unicodeScalars.prefix(10_000).split { $0.isLineEnd }
        let first = lines.first { $0.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
        return String(first ?? text.unicodeScalars[...]).characters(withinScalars: 240)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(stored: decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }

    /// The key for ordering lists and comparing names: case-insensitive, and the same on every machine.
    ///
    /// Compare its scalars.
    package var sortKey: String { text.lowercased().decomposedStringWithCanonicalMapping }

    /// Whether it takes room: joiners, selectors of variants, fillers and the blank of braille alone show nothing.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace && scalar != "\u{2800}"
    }

    /// Whether it is a control character, a line or paragraph separator, or changes the direction of the text around
    /// it.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}

extension StringProtocol {
    /// The longest prefix of whole characters with at most `limit` Unicode scalars.
    func characters(withinScalars limit: Int) -> String {
        var (beginning, left) = ("", limit)
        for character in self {
            left -= character.unicodeScalars.count
            guard left >= 0 else { break }
            beginning.append(character)
        }
        return beginning
    }
}

extension Unicode.Scalar {
    /// - SeeAlso: Unicode Standard, section 5.8, “Newline Guidelines”.
    fileprivate var isLineEnd: Bool {
        (0x0A...0x0D).contains(value) || value == 0x85 || (0x2028...0x2029).contains(value)
    }
}

extension Collection {
    /// The elements that a person means, ignoring case.
    ///
    /// - Parameters:
    ///   - reference: The words that the person has typed.
    ///   - others: The elements whose ids begin with it.
    ///   - name: The name of an element.
    /// - Returns: Those with that name and `others`, else those whose name begins so; none for white space alone.
    func named(_ reference: String, or others: [Element] = [], by name: (Element) -> ItemName) -> [Element]
    where Element: Identifiable {
        let wanted = reference.lowercased()
        guard wanted.contains(where: { !$0.isWhitespace }) else { return [] }
        let exact = filter { name($0).text.lowercased() == wanted }
        // A name may read as the beginning of another one's id: then either is meant.
        let found = exact + others.filter { other in !exact.contains { $0.id == other.id } }
        return found.isEmpty ? filter { name($0).text.lowercased().hasPrefix(wanted) } : found
    }
}
