package import Foundation

/// The tags of a sound file; each is one short line without control characters.
package struct SoundTags: Sendable, Hashable {
    /// Most Unicode scalars of a tag.
    package static let longest = 400

    package let title: String?
    package let artist: String?
    /// As it is written in the file.
    package let date: String?
    /// As it is written in the file.
    package let language: String?

    package init(title: String? = nil, artist: String? = nil, date: String? = nil, language: String? = nil) {
        self.title = Self.line(title)
        self.artist = Self.line(artist)
        self.date = Self.line(date)
        self.language = Self.line(language)
    }

    /// The day, or the moment, that ``date`` names; `nil` for a mere year or month.
    ///
    /// - SeeAlso: RFC 3339; a day is taken to begin in UTC.
    package var made: Date? {
        guard let date else { return nil }
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        // A text in none of these formats is not a date.
        let whole = styles.lazy.compactMap { try? Date(date, strategy: $0) }.first
        let made = whole ?? (try? Date(String(date.prefix(10)), strategy: styles[2]))
        // A date outside this range comes from a device whose clock was never set.
        return made.flatMap { ($0.timeIntervalSince1970 > 0 && $0 < .distantFuture) ? $0 : nil }
    }

    /// ``language`` as BCP 47; `nil` when it names none.
    package var languageTag: String? {
        let isTag = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        }
        guard let language, language.count <= 35, language.allSatisfy(isTag) else { return nil }
        return LanguageTag.stated(language)
    }

    private static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            let isControl = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
            line.unicodeScalars.append(isControl ? " " : scalar)
        }
        let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
