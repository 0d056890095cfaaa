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
    /// It has no captions with times.
    case noTimes

    package var failure: Failure {
        switch self {
        case .unsupported(nil):
            Failure(.invalidContent, "document.unsupported", "This is no document that EchoText can read.")
                .suggesting("Give a PDF, EPUB, Markdown or text file.")
        case .unsupported(let found?):
            Failure(
                .invalidContent,
                "document.unsupported",
                "This is no document that EchoText can read: it looks like \(found)."
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
            Failure(.invalidContent, "document.too-many-pages", "This document has more than \(limit) pages.")
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
