/// A text that is read piece by piece, so that its length costs no memory.
package protocol TextSource: Sendable {
    /// The next piece, never empty, cut between characters; `nil` at the end.
    ///
    /// - Throws: ``TextSourceError``, or `CancellationError` when the calling task is cancelled.
    func next() async throws -> String?

    /// How long the whole text is, in UTF-16 units, or `nil` when that shows only at the end (a pipe).
    var length: Int? { get async }

    /// Whether ``next()`` would answer without waiting for whoever is still writing the text, within `seconds` from now.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func isReady(within seconds: Double) async throws -> Bool
}

extension TextSource {
    /// A text that is written already never waits.
    package func isReady(within seconds: Double) async throws -> Bool { true }
}

/// A text that is in memory already.
package actor StringSource: TextSource {
    private var text: String?
    package let length: Int?

    package init(_ text: String) {
        self.text = text.isEmpty ? nil : text
        length = text.utf16.count
    }

    package func next() -> String? {
        defer { text = nil }
        return text
    }
}

/// Why a text could not be read.
///
/// `file` is a bare file name, never a path; `nil` is standard input.
package enum TextSourceError: UserFacingError, Equatable {
    case notFound(file: String)
    case isFolder(file: String)
    case unreadable(file: String?)
    /// The content is no text; `kind` is what it looks like, if that is known.
    case binary(file: String?, kind: String?)

    package var failure: Failure {
        switch self {
        case .notFound(let file):
            Failure(.missingInput, "text.not-found", "There is no file “\(file)”.")
                .suggesting("Check the name and the folder.")
        case .isFolder(let file):
            Failure(.missingInput, "text.is-folder", "“\(file)” is a folder, not a text.")
                .suggesting("Give the name of a text file in it.")
        case .unreadable(let file):
            Failure(.missingInput, "text.unreadable", "\(Self.subject(file)) cannot be read.")
                .suggesting("Check its permissions.")
        case .binary(let file, let kind):
            Failure(
                .invalidContent,
                "text.binary",
                "\(Self.subject(file)) is not plain text\(kind.map { ": it looks like \($0)" } ?? "")."
            )
            .suggesting("Save it as plain text (UTF-8) first.")
        }
    }

    private static func subject(_ file: String?) -> String { file.map { "“\($0)”" } ?? "Standard input" }
}
