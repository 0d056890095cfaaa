import Foundation

/// A name a person gave: one line that can be shown, searched and made a file's name from.
///
/// White space at its ends is removed; otherwise it is stored exactly as given, or refused.
package struct ItemName: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Most Unicode scalars.
    package static let longest = 200

    package let text: String

    /// - Throws: ``LibraryError/invalidName(_:)``.
    package init(_ text: String) throws(LibraryError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw .invalidName(.empty) }
        guard trimmed.unicodeScalars.count <= Self.longest else { throw .invalidName(.tooLong(limit: Self.longest)) }
        guard !trimmed.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .invalidName(.controlCharacter)
        }
        self.text = trimmed
    }

    /// A name that stands in the source.
    ///
    /// - Precondition: it is one.
    package init(stringLiteral text: StaticString) {
        do {
            try self.init("\(text)")
        } catch {
            preconditionFailure("“\(text)” is no name")
        }
    }

    /// The name a text gives itself: its first words, at most 60 characters of them, cut between words.
    ///
    /// Fails when the text has nothing that can be a name.
    ///
    /// - Parameter spoken: Any text.
    package init?(firstWordsOf spoken: String) {
        let longestTitle = 60
        let line = spoken.unicodeScalars.prefix(4 * longestTitle)
            .map { Self.isForbidden($0) ? " " : String($0) }.joined()
        var title = ""
        for word in line.split(whereSeparator: \.isWhitespace) {
            guard title.count + word.count < longestTitle else { break }
            title += title.isEmpty ? String(word) : " \(word)"
        }
        if title.isEmpty { title = String(line.trimmingCharacters(in: .whitespaces).prefix(longestTitle)) }
        guard let name = try? ItemName(title) else { return nil }  // why it is no name does not matter here
        self = name
    }

    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }

    /// The key by which lists are ordered and names are compared: without capitals, the same on every machine.
    ///
    /// Compare its scalars.
    package var sortKey: String { text.lowercased().decomposedStringWithCanonicalMapping }

    /// Controls, line and paragraph separators, and what turns the direction of the line around it.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
