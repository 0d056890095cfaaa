/// A notice for the person about a document that was read.
package enum DocumentNotice: Sendable, Hashable, Codable {
    /// These pages, by number, could not be read; the rest is there.
    case unreadablePages([Int])
    /// Reading stopped before this page, by number; the rest is missing.
    case endsBefore(page: Int)
    /// These pages, by number, have no text, or none besides numbers, heads and feet: they are blank, or pictures.
    case pagesWithoutText([Int])
    /// These pages, by number, are written in fonts that do not say which letters they show.
    case unknownLetters([Int])
    /// Some signs on these pages, by number, are missing or wrong, since fonts do not say which they are.
    case unknownSigns([Int])
    /// The pages have only numbers, heads and feet, as pictures of pages with a number added to each do.
    case onlyRunningLines
    /// The document is an XFA form, whose fields are not read.
    case unreadForm
    /// This many boxes of a form are ticked, which the text does not say.
    case tickedBoxes(Int)
    /// This many files that the document names are missing from it, or cannot be read.
    case missingParts(Int)
    /// This many things that a book shows among its text, such as embedded pages, were not read.
    case embeddedParts(Int)
    /// This many characters could not be decoded, and are shown as “�”.
    case replacedCharacters(Int)
    /// The encoding had to be guessed; its name.
    case guessedEncoding(String)
    /// The container holds several books; only the first was read.
    case furtherBooks(Int)

    /// A stable, dotted name for programs to match on.
    package var code: String {
        switch self {
        case .unreadablePages: "document.unreadable-pages"
        case .endsBefore: "document.ends-early"
        case .pagesWithoutText: "document.pages-without-text"
        case .unknownLetters: "document.unknown-letters"
        case .unknownSigns: "document.unknown-signs"
        case .onlyRunningLines: "document.only-running-lines"
        case .unreadForm: "document.unread-form"
        case .tickedBoxes: "document.ticked-boxes"
        case .missingParts: "document.missing-parts"
        case .embeddedParts: "document.embedded-parts"
        case .replacedCharacters: "document.replaced-characters"
        case .guessedEncoding: "document.guessed-encoding"
        case .furtherBooks: "document.further-books"
        }
    }

    /// The notice as one sentence for a person.
    package var message: String {
        switch self {
        case .unreadablePages(let pages): "\(Self.pages(pages)) could not be read and \(Self.verb(pages)) left out."
        case .endsBefore(1): "No page of the document could be read."
        case .endsBefore(let page): "The document could be read only up to page \(page - 1)."
        case .pagesWithoutText(let pages):
            "\(Self.pages(pages)) \(pages.count == 1 ? "has" : "have") no text, or only page numbers and heads."
        case .unknownLetters(let pages):
            "\(Self.pages(pages)) cannot be read rightly: fonts do not say which letters they show."
        case .unknownSigns(let pages):
            "Some signs on \(Self.pages(pages, inSentence: true)) are missing or wrong: fonts do not say which they are."
        case .onlyRunningLines: "There are only page numbers, heads and feet; the pages themselves may be pictures."
        case .unreadForm: "The form in this document is of a kind (XFA) whose fields cannot be read."
        case .tickedBoxes(1): "A box of the form is ticked, which is not read."
        case .tickedBoxes(let count): "\(count) boxes of the form are ticked, which is not read."
        case .missingParts(1): "A part that the document names is missing from it or cannot be read."
        case .missingParts(let count): "\(count) parts that the document names are missing from it or cannot be read."
        case .embeddedParts(1): "An embedded page or object was not read."
        case .embeddedParts(let count): "\(count) embedded pages or objects were not read."
        case .replacedCharacters(1): "One character could not be recognised and is shown as “�”."
        case .replacedCharacters(let count): "\(count) characters could not be recognised and are shown as “�”."
        case .guessedEncoding(let name): "The file does not say how its characters are written; it was read as \(name)."
        case .furtherBooks(1): "The file holds another book, which was not read."
        case .furtherBooks(let count): "The file holds \(count) other books, which were not read."
        }
    }

    /// The numbers of the pages concerned; for a document that ends early, the last page that was read.
    package var pages: [Int]? {
        switch self {
        case .unreadablePages(let pages), .pagesWithoutText(let pages), .unknownLetters(let pages),
            .unknownSigns(let pages):
            pages
        case .endsBefore(let page): page > 1 ? [page - 1] : nil
        default: nil
        }
    }

    /// The number of things concerned, where they are not pages.
    package var count: Int? {
        switch self {
        case .tickedBoxes(let count), .missingParts(let count), .replacedCharacters(let count),
            .furtherBooks(let count), .embeddedParts(let count):
            count
        default: nil
        }
    }

    /// The name of the encoding that it is about.
    package var encoding: String? {
        if case .guessedEncoding(let name) = self { name } else { nil }
    }

    private static func verb(_ pages: [Int]) -> String { pages.count == 1 ? "is" : "are" }

    /// “Page 3”, “Pages 3–6 and 9”, “212 pages”.
    private static func pages(_ pages: [Int], inSentence: Bool = false) -> String {
        let runs = runs(of: pages)
        guard runs.count <= 8, let last = runs.last else { return "\(pages.count) pages" }
        let word = inSentence ? "page" : "Page"
        guard runs.count > 1 else { return "\(word)\(pages.count > 1 ? "s" : "") \(last)" }
        return "\(word)s \(runs.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// Joins consecutive numbers: “3–6”, “9”.
    private static func runs(of pages: [Int]) -> [String] {
        var runs: [ClosedRange<Int>] = []
        for page in pages {
            if let last = runs.last, last.upperBound < page, page == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...page
            } else {
                runs.append(page...page)
            }
        }
        return runs.flatMap { run in
            run.count > 2 ? ["\(run.lowerBound)–\(run.upperBound)"] : run.map(String.init)
        }
    }
}

/// A notice as programs read it.
package struct NoticeReport: Sendable, Hashable, Encodable {
    package let code: String
    package let message: String
    /// ``DocumentNotice/pages``, all of them.
    package let pages: [Int]?
    package let count: Int?
    package let encoding: String?

    package init(_ notice: DocumentNotice) {
        (code, message) = (notice.code, notice.message)
        (pages, count, encoding) = (notice.pages, notice.count, notice.encoding)
    }
}
