import EchoText
import Foundation
import Hummingbird

/// A speech, with its text or, in a list, with the beginning of it.
struct SpeechResponse: ResponseEncodable {
    /// Characters of the beginning.
    private static let longestExcerpt = 140

    let id: String
    let title: String
    /// Left out of a list.
    private(set) var text: String?
    /// Only in a list.
    private(set) var excerpt: String?
    let language: String
    let created: Date
    let updated: Date
    let characters: Int

    init(_ speech: Speech, isListed: Bool = false) {
        id = speech.id.rawValue
        title = speech.title.text
        language = speech.language
        (created, updated) = (speech.created, speech.updated)
        characters = speech.characters
        if isListed { excerpt = Self.excerpt(of: speech.text) } else { text = speech.text }
    }

    private static func excerpt(of text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > longestExcerpt ? line.prefix(longestExcerpt) + "…" : line
    }
}

/// All speeches, the last changed first.
struct SpeechesResponse: ResponseEncodable {
    let speeches: [SpeechResponse]
    /// The most characters that a speech has.
    var limit = Speech.longest
}
