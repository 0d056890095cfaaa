/// A notice for the person about a document that was read.
package enum DocumentNotice: Sendable, Hashable, Codable {
    /// These pages, by number, could not be read; the rest is there.
    case unreadablePages([Int])
    /// Reading stopped before this page, by number; what follows is not there.
    case endsBefore(page: Int)
    /// These pages, by number, are pictures without text.
    case pagesWithoutText([Int])
    /// This many files that the document names are missing from it, or cannot be read.
    case missingParts(Int)
    /// This many characters could not be decoded, and are shown as “�”.
    case replacedCharacters(Int)
    /// The encoding had to be guessed; its name.
    case guessedEncoding(String)
    /// The container holds more than one book; the first was read.
    case furtherBooks(Int)

    /// A stable, dotted name for programs to match on.
    package var code: String {
        switch self {
        case .unreadablePages: "document.unreadable-pages"
        case .endsBefore: "document.ends-early"
        case .pagesWithoutText: "document.pages-without-text"
        case .missingParts: "document.missing-parts"
        case .replacedCharacters: "document.replaced-characters"
        case .guessedEncoding: "document.guessed-encoding"
        case .furtherBooks: "document.further-books"
        }
    }

    /// One sentence for a person.
    package var message: String {
        switch self {
        case .unreadablePages(let pages): "\(Self.pages(pages)) could not be read and \(Self.verb(pages)) left out."
        case .endsBefore(let page): "The document could be read only up to page \(page - 1)."
        case .pagesWithoutText(let pages): "\(Self.pages(pages)) \(pages.count == 1 ? "has" : "have") no text."
        case .missingParts(1): "A part that the document names is missing from it or cannot be read."
        case .missingParts(let count): "\(count) parts that the document names are missing from it or cannot be read."
        case .replacedCharacters(1): "One character could not be told and is shown as “�”."
        case .replacedCharacters(let count): "\(count) characters could not be told and are shown as “�”."
        case .guessedEncoding(let name): "The file does not say how its characters are written; it was read as \(name)."
        case .furtherBooks(1): "The file holds another book, which was not read."
        case .furtherBooks(let count): "The file holds \(count) other books, which were not read."
        }
    }

    private static func verb(_ pages: [Int]) -> String { pages.count == 1 ? "is" : "are" }

    /// “Page 3”, “Pages 3, 4 and 9”, “12 pages”.
    private static func pages(_ pages: [Int]) -> String {
        guard pages.count <= 8, let last = pages.last else { return "\(pages.count) pages" }
        guard pages.count > 1 else { return "Page \(last)" }
        return "Pages \(pages.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }
}
