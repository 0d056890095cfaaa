package import Foundation

/// A text of a person's own that is practiced again and again.
package struct Speech: Sendable, Hashable, Codable, Identifiable {
    package typealias ID = Identifier<Speech>

    /// Most characters (grapheme clusters) of a text.
    package static let longest = 10_000

    package let id: ID
    package var title: ItemName
    package var text: String
    /// BCP 47, in canonical form.
    package var language: String
    package let created: Date
    package var updated: Date

    /// - Parameters:
    ///   - id: The speech's id.
    ///   - title: The title; `nil` or blank for the first words of the text.
    ///   - text: At most ``longest`` characters, and not only white space.
    ///   - language: A BCP 47 tag.
    ///   - created: The time of its creation.
    ///   - updated: The time of the last change.
    /// - Throws: ``SpeechError/empty``, ``SpeechError/tooLong(_:limit:)``, ``SpeechError/invalidLanguage``;
    ///   ``LibraryError/invalidName(_:)`` for a title that is not a valid name.
    package init(
        id: ID = ID(),
        title: String? = nil,
        text: String,
        language: String,
        created: Date,
        updated: Date? = nil
    ) throws {
        let tag = LanguageTag.canonical(language)
        // An empty tag is “und” in canonical form.
        guard !LanguageTag.language(of: language).isEmpty, LanguageTag.isWellFormed(tag) else {
            throw SpeechError.invalidLanguage
        }
        self.id = id
        self.title = try Self.title(title, of: text)
        self.text = try Self.checked(text)
        self.language = tag
        self.created = created
        self.updated = Self.kept(updated ?? created)
    }

    /// Returns the speech with another title, text or language.
    ///
    /// Its ``updated`` is later than before also where the clock was set back, because pages recognize a newer text by it.
    ///
    /// - Throws: As ``init(id:title:text:language:created:updated:)``.
    package func changed(title: String?, text: String, language: String, at time: Date) throws -> Speech {
        let later = max(time, updated.addingTimeInterval(0.002))
        return try Speech(id: id, title: title, text: text, language: language, created: created, updated: later)
    }

    /// The time of a change is a whole number of these, so that it is the same since 2001 as since 1970: pages recognize a
    /// change by it.
    private static let partsOfSecond = 1_048_576.0

    private static func kept(_ time: Date) -> Date {
        let parts = (time.timeIntervalSinceReferenceDate * partsOfSecond).rounded(.down)
        return Date(timeIntervalSinceReferenceDate: parts / partsOfSecond)
    }

    /// How many characters the text has.
    package var characters: Int { text.count }

    private static func checked(_ text: String) throws(SpeechError) -> String {
        // A text that is short in units cannot be long in characters.
        if text.utf8.count > longest {
            let count = text.count
            guard count <= longest else { throw .tooLong(count, limit: longest) }
        }
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        return text
    }

    private static func title(_ title: String?, of text: String) throws -> ItemName {
        if let title, title.contains(where: { !$0.isWhitespace }) { return try ItemName(title) }
        return ItemName(firstWordsOf: text) ?? "Speech"
    }
}

/// Why a speech cannot be stored or found.
package enum SpeechError: UserFacingError, Equatable {
    case empty
    /// In characters.
    case tooLong(Int, limit: Int)
    case invalidLanguage
    case notFound
    /// It is another than the one that a change was made from.
    case changed
    /// Several have the name that was given.
    case ambiguous(count: Int)

    package var failure: Failure {
        switch self {
        case .empty:
            Failure(.invalidContent, "speech.empty", "The speech has no text.").suggesting("Write something first.")
        case .tooLong(let count, let limit):
            Failure(
                .tooLarge,
                "speech.too-long",
                "The speech has \(count.grouped) characters; a speech has at most \(limit.grouped)."
            )
            .suggesting("Divide it into several speeches, or add it as a document and practise that.")
        case .invalidLanguage:
            Failure(.invalidRequest, "speech.invalid-language", "The language is not a BCP 47 tag.")
                .suggesting("Give one such as et or en-GB.")
        case .notFound:
            Failure(.notFound, "speech.not-found", "There is no such speech.")
                .suggesting("Choose another from the list.", inTerminal: "“echotext speeches” lists them.")
        case .changed:
            Failure(.conflict, "speech.changed", "The speech has been changed meanwhile.")
                .suggesting("Look at it again, and repeat what you wanted.")
        case .ambiguous(let count):
            Failure(.invalidRequest, "speech.ambiguous", "\(count) speeches have that title.")
                .suggesting("Give the id; “echotext speeches” lists them.")
        }
    }
}

/// The speeches of a library.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks.
package protocol Speeches: Sendable {
    /// All speeches that can be read, the last changed first; ties are ordered by id.
    func speeches() async throws -> [Speech]

    /// How many speeches cannot be read.
    func unreadable() async throws -> Int

    /// The speech with an id, or `nil`.
    func speech(_ id: Speech.ID) async throws -> Speech?

    /// Adds `speech`, or replaces the one with the same id; the change is durable when the call returns.
    func save(_ speech: Speech) async throws

    /// Saves a speech, unless the one that is stored is another than `seen`, or is gone.
    ///
    /// - Returns: Whether it is saved.
    func save(_ speech: Speech, insteadOf seen: Speech) async throws -> Bool

    /// - Throws: ``SpeechError/notFound``.
    func delete(_ id: Speech.ID) async throws
}

extension Speeches {
    /// Changes a speech; what another process changes at the same time stays.
    ///
    /// - Parameters:
    ///   - id: The speech.
    ///   - change: Returns the changed speech; may be called several times, each with the present one.
    /// - Returns: The changed speech.
    /// - Throws: ``SpeechError/notFound``; what `change` throws, which changes nothing.
    package func change(_ id: Speech.ID, _ change: (Speech) throws -> Speech) async throws -> Speech {
        while true {
            guard let seen = try await speech(id) else { throw SpeechError.notFound }
            let changed = try change(seen)
            if try await save(changed, insteadOf: seen) { return changed }
        }
    }

    /// Finds one speech.
    ///
    /// - Parameter reference: Its id, at least four characters that begin no other speech's id, or its title or the
    ///   beginning of it.
    /// - Returns: The speech.
    /// - Throws: ``SpeechError/notFound``, ``SpeechError/ambiguous(count:)``.
    package func speech(called reference: String) async throws -> Speech {
        let all = try await speeches()
        let wanted = reference.lowercased()
        if let speech = all.first(where: { $0.id.rawValue == wanted }) { return speech }
        let others = all.filter { $0.id.begins(with: reference) }
        let matches = all.named(reference, or: others) { $0.title }
        guard matches.count <= 1 else { throw SpeechError.ambiguous(count: matches.count) }
        if let match = matches.first { return match }
        throw SpeechError.notFound
    }
}
