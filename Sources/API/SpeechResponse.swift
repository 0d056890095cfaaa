package import EchoText
package import Foundation

/// A speech, with its text or, in a list, with the beginning of it.
package struct SpeechResponse: Encodable, Sendable {
    /// Characters of the beginning.
    private static let longestExcerpt = 140

    package let id: Speech.ID
    package let title: String
    /// Left out of a list.
    package private(set) var text: String?
    /// Only in a list.
    package private(set) var excerpt: String?
    /// A BCP 47 tag.
    package let language: String
    package let created: Date
    package let updated: Date
    /// Grapheme clusters of the text.
    package let characters: Int

    package init(_ speech: Speech, isListed: Bool = false) {
        (id, title, language) = (speech.id, speech.title.text, speech.language)
        (created, updated, characters) = (speech.created, speech.updated, speech.characters)
        if isListed { excerpt = Self.excerpt(of: speech.text) } else { text = speech.text }
    }

    private static func excerpt(of text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > longestExcerpt ? line.prefix(longestExcerpt) + "…" : line
    }
}
