package import Foundation

/// Extracts the text of a document: the port behind which every format is read.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks: its results keep the promises
/// of ``DocumentStructure``; the same bytes give the same text; the file's name does not matter; calls may overlap.
package protocol DocumentReader: Sendable {
    /// Reads all of `file`.
    ///
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) async throws -> DocumentText

    /// Reads a whole plain text from its stored file.
    ///
    /// - Throws: As ``read(_:)``, and ``VaultError`` when its bytes cannot be read.
    func read(text file: any StoredBytes) async throws -> DocumentText

    /// Detects the encoding of a plain text and decodes it, without other changes.
    ///
    /// - Parameter bytes: At most the maximum size of a plain text.
    /// - Returns: The text on one page, with notices about its encoding.
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func decode(_ bytes: Data) async throws -> DocumentText

    /// Draws a page, or the cover.
    ///
    /// - Parameters:
    ///   - page: From 1, for a PDF; `nil` for the cover, which is the first page of a PDF.
    ///   - file: The document.
    ///   - width: In pixels, 16 to ``PagePicture/widest``; a smaller cover is not enlarged.
    /// - Returns: The picture, with a height that keeps its proportions, at most ``PagePicture/highest``.
    /// - Throws: ``DocumentError/noPicture`` for a document without one, ``DocumentError/noSuchPage(_:)`` and the other
    ///   errors of ``read(_:)``.
    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture
}

extension DocumentReader {
    package func read(text file: any StoredBytes) async throws -> DocumentText {
        try await read(DocumentFile(name: "", bytes: try await file.read(0..<file.length)))
    }
}

/// A page, drawn.
package struct PagePicture: Sendable, Hashable {
    package static let widest = 4_096
    package static let highest = 8_192

    package var png: Data
    /// In pixels.
    package var width: Int
    package var height: Int

    package init(png: Data, width: Int, height: Int) {
        self.png = png
        self.width = width
        self.height = height
    }
}

/// A document that a person has handed in: its bytes, in memory.
package struct DocumentFile: Sendable, Hashable {
    /// The original file name without its path; shown to people only, nothing is inferred from it.
    package var name: String
    package var bytes: Data
    /// The password of a protected file.
    package var password: String?

    package init(name: String, bytes: Data, password: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.password = password
    }
}

/// Why a document is not read.
package enum DocumentError: UserFacingError, Equatable, Codable {
    /// The content is of no readable kind; `found` is the kind it looks like, if known.
    case unsupported(found: String?)
    case empty
    /// It begins like this kind of document but cannot be parsed.
    case damaged(DocumentKind)
    /// It needs a password; `wrong` if the given one does not open it.
    case encrypted(wrong: Bool)
    /// It has pages, but their content is pictures or drawings: a scan, or letters drawn as outlines.
    case noText
    /// It could be read, but has neither text nor pictures.
    case blank
    /// Its fonts do not say which letters they show.
    case unknownLetters
    case protectedByDRM
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The unpacked file, or its text, exceeds the limits.
    case tooMuchInside
    case tooManyPages(limit: Int)
    case tooSlow(seconds: Int)
    /// The reader's own process ended over it.
    case readerDied
    case cannotStartReader
    /// This machine has no sandbox that keeps a reader away from the person's files.
    case notConfined
    case noSuchPage(Int)
    /// It has no picture to show.
    case noPicture
    /// It names a picture as its cover, which is missing, damaged or of a kind that is not drawn.
    case coverNotDrawn
    /// It has no captions with times.
    case noTimes

    package var failure: Failure {
        switch self {
        case .unsupported(nil):
            Failure(.invalidContent, "document.unsupported", "EchoText cannot read this file.")
                .suggesting("Give a PDF, EPUB, Markdown or text file.")
        case .unsupported(let found?):
            Failure(
                .invalidContent,
                "document.unsupported",
                "EchoText cannot read this file: it looks like \(found)."
            )
            .suggesting("Give a PDF, EPUB, Markdown or text file.")
        case .empty:
            Failure(.invalidContent, "document.empty", "There is nothing in this file.")
                .suggesting(Self.onceMore)
        case .damaged(let kind):
            Failure(.invalidContent, "document.damaged", "This \(kind.name) file is damaged.")
                .suggesting(Self.onceMore)
        case .encrypted(wrong: false):
            Failure(.invalidContent, "document.password-needed", "This document asks for a password.")
                .suggesting("Give the password that opens it.")
        case .encrypted(wrong: true):
            Failure(.invalidContent, "document.password-wrong", "That password does not open this document.")
                .suggesting("Check the password and try again.")
        case .noText:
            Failure(.invalidContent, "document.no-text", "This document has no text, only pictures or drawings of it.")
                .suggesting("Run text recognition (OCR) over it first.")
        case .blank:
            Failure(.invalidContent, "document.blank", "Nothing is written in this document.")
                .suggesting("Check that it is the file you meant.")
        case .unknownLetters:
            Failure(
                .invalidContent,
                "document.unknown-letters",
                "This document's fonts do not say which letters they show, so that it cannot be read."
            )
            .suggesting("Run text recognition (OCR) over it first.")
        case .protectedByDRM:
            Failure(.invalidContent, "document.drm", "This document is locked by its seller (DRM).")
                .suggesting("Ask the seller for a copy without DRM.")
        case .tooLarge(let limit):
            Failure(.tooLarge, "document.too-large", "This file is larger than \(limit / 1_000_000) MB.")
                .suggesting(Self.inParts)
        case .tooMuchInside:
            Failure(.invalidContent, "document.too-much-inside", "This document holds far more than its size suggests.")
                .suggesting(Self.savedAgain)
        case .tooManyPages(let limit):
            Failure(.invalidContent, "document.too-many-pages", "This document has more than \(limit.grouped) pages.")
                .suggesting(Self.inParts)
        case .tooSlow(let seconds):
            Failure(.invalidContent, "document.too-slow", "This document could not be read within \(seconds) seconds.")
                .suggesting(Self.savedAgain)
        case .readerDied:
            Failure(.invalidContent, "document.reader-died", "The process that read this document ended unexpectedly.")
                .suggesting(Self.savedAgain)
        case .cannotStartReader:
            Failure(
                .processFailed,
                "document.cannot-start-reader",
                "The process that reads documents could not be started."
            )
            .suggesting("Check that the machine has memory and processes to spare.")
        case .notConfined:
            Failure(
                .unavailable,
                "document.not-confined",
                "Documents are not opened: nothing on this machine would keep a hostile one from your files and the network."
            )
            .suggesting(
                "Install bubblewrap (apt-get install bubblewrap) or a kernel with Landlock. ECHOTEXT_UNCONFINED=1 opens them all the same: a hostile document can then read, send and change what you can, an unlocked library too."
            )
        case .noSuchPage(let number):
            Failure(.notFound, "document.no-such-page", "There is no page \(number).")
        case .noPicture:
            Failure(.notFound, "document.no-picture", "There is no picture of this.")
        case .coverNotDrawn:
            Failure(.invalidContent, "document.cover-not-drawn", "The cover cannot be shown.")
        case .noTimes:
            Failure(
                .invalidContent,
                "document.no-times",
                "Only the times of subtitles (SRT or VTT) can be kept, if they were imported with them."
            )
            .suggesting("Leave out the times, or import the subtitles once more.")
        }
    }

    private static let onceMore = "Get the file once more from where it came from."
    private static let inParts = "Divide it and give its parts one by one."
    private static let savedAgain = "Save it again with another program, and try that file."
}

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
    /// This many comments and highlights of readers were left out.
    case comments(Int)
    /// This many files that the document names are missing from it, or cannot be read.
    case missingParts(Int)
    /// This many things that a book shows among its text, such as embedded pages, or that are attached to a PDF, were not
    /// read.
    case embeddedParts(Int)
    /// This many characters could not be decoded, and are shown as “�”.
    case replacedCharacters(Int)
    /// The encoding had to be guessed; its name.
    case guessedEncoding(String)
    /// The container holds several books; only the first was read.
    case furtherBooks(Int)
    /// The cover, or first page, could not be drawn; the document is kept without a picture.
    case coverNotDrawn

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
        case .comments: "document.comments"
        case .missingParts: "document.missing-parts"
        case .embeddedParts: "document.embedded-parts"
        case .replacedCharacters: "document.replaced-characters"
        case .guessedEncoding: "document.guessed-encoding"
        case .furtherBooks: "document.further-books"
        case .coverNotDrawn: "document.cover-not-drawn"
        }
    }

    /// The notice as one sentence for a person.
    package var message: String {
        switch self {
        case .unreadablePages(let pages): "\(Self.pages(pages)) could not be read and \(Self.verb(pages)) left out."
        case .endsBefore(1): "No page of the document could be read."
        case .endsBefore(let page): "The document could be read only up to page \(page - 1)."
        case .pagesWithoutText(let pages):
            "\(Self.pages(pages)) \(pages.count == 1 ? "has" : "have") no text, or only page numbers, headers or footers."
        case .unknownLetters(let pages):
            "\(Self.pages(pages)) cannot be read correctly: fonts do not say which letters they show."
        case .unknownSigns(let pages):
            "Some signs on \(Self.pages(pages, inSentence: true)) are missing or wrong: fonts do not say which they are."
        case .onlyRunningLines:
            "There are only page numbers, headers and footers; the pages themselves may be pictures."
        case .unreadForm: "The form in this document is of a kind (XFA) whose fields cannot be read."
        case .tickedBoxes(1): "A box of the form is ticked, which is not read."
        case .tickedBoxes(let count): "\(count) boxes of the form are ticked, which is not read."
        case .comments(1): "A comment or highlight was not read."
        case .comments(let count): "\(count) comments and highlights were not read."
        case .missingParts(1): "A part that the document names is missing from it or cannot be read."
        case .missingParts(let count): "\(count) parts that the document names are missing from it or cannot be read."
        case .embeddedParts(1): "An embedded page or object was not read."
        case .embeddedParts(let count): "\(count) embedded pages or objects were not read."
        case .replacedCharacters(1): "One character could not be recognised and is shown as “�”."
        case .replacedCharacters(let count): "\(count) characters could not be recognised and are shown as “�”."
        case .guessedEncoding(let name): "The file does not say how its characters are written; it was read as \(name)."
        case .furtherBooks(1): "The file holds another book, which was not read."
        case .furtherBooks(let count): "The file holds \(count) other books, which were not read."
        case .coverNotDrawn: "The cover cannot be shown."
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
            .furtherBooks(let count), .embeddedParts(let count), .comments(let count):
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
    /// All pages that it is about.
    package let pages: [Int]?
    /// How many of what it is about, where that is not pages.
    package let count: Int?
    package let encoding: String?

    package init(_ notice: DocumentNotice) {
        (code, message) = (notice.code, notice.message)
        (pages, count, encoding) = (notice.pages, notice.count, notice.encoding)
    }
}
