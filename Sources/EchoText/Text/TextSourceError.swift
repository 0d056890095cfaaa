/// Why a text could not be read.
///
/// `file` is a bare file name, never a path; `nil` is standard input.
package enum TextSourceError: UserFacingError, Equatable {
    case notFound(file: String)
    case isFolder(file: String)
    case unreadable(file: String?)
    /// The content is no text; `kind` is what it looks like, if that is known.
    case binary(file: String?, kind: String?)

    package var code: String {
        switch self {
        case .notFound: "text.not-found"
        case .isFolder: "text.is-folder"
        case .unreadable: "text.unreadable"
        case .binary: "text.binary"
        }
    }

    package var message: String {
        switch self {
        case .notFound(let file): "There is no file “\(file)”."
        case .isFolder(let file): "“\(file)” is a folder, not a text."
        case .unreadable(let file): "\(Self.subject(file)) cannot be read."
        case .binary(let file, let kind):
            "\(Self.subject(file)) is not plain text\(kind.map { ": it looks like \($0)" } ?? "")."
        }
    }

    package var suggestion: String? {
        switch self {
        case .notFound: "Check the name and the folder."
        case .isFolder: "Give the name of a text file in it."
        case .unreadable: "Check its permissions."
        case .binary: "Save it as plain text (UTF-8) first."
        }
    }

    private static func subject(_ file: String?) -> String { file.map { "“\($0)”" } ?? "Standard input" }
}
