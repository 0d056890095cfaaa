/// Why a document is not read.
package enum DocumentError: UserFacingError, Equatable, Codable {
    /// The content is none of the kinds that can be read; `found` is what it looks like, if that is known.
    case unsupported(found: String?)
    case empty
    /// It begins as this kind and cannot be read as one.
    case damaged(DocumentKind)
    /// It asks for a password; `wrong` when the one that was given does not open it.
    case encrypted(wrong: Bool)
    /// It has pages, but nothing is written on them: a scan.
    case noText
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
    /// This machine has nothing that keeps a reader from the person's files.
    case notConfined
    case noSuchPage(Int)
    /// There is no picture to show of it.
    case noPicture

    package var code: String {
        switch self {
        case .unsupported: "document.unsupported"
        case .empty: "document.empty"
        case .damaged: "document.damaged"
        case .encrypted(wrong: false): "document.password-needed"
        case .encrypted(wrong: true): "document.password-wrong"
        case .noText: "document.no-text"
        case .protectedByDRM: "document.drm"
        case .tooLarge: "document.too-large"
        case .tooMuchInside: "document.too-much-inside"
        case .tooManyPages: "document.too-many-pages"
        case .tooSlow: "document.too-slow"
        case .readerDied: "document.reader-died"
        case .cannotStartReader: "document.cannot-start-reader"
        case .notConfined: "document.not-confined"
        case .noSuchPage: "document.no-such-page"
        case .noPicture: "document.no-picture"
        }
    }

    package var message: String {
        switch self {
        case .unsupported(nil): "This is no document that EchoText can read."
        case .unsupported(let found?): "This is no document that EchoText can read: it looks like \(found)."
        case .empty: "There is nothing in this file."
        case .damaged(let kind): "This \(kind.name) file is damaged."
        case .encrypted(wrong: false): "This document asks for a password."
        case .encrypted(wrong: true): "That password does not open this document."
        case .noText: "This document has no text, only pictures of pages."
        case .protectedByDRM: "This document is locked by its seller (DRM)."
        case .tooLarge(let limit): "This file is larger than \(limit / 1_000_000) MB."
        case .tooMuchInside: "This document holds far more than its size suggests."
        case .tooManyPages(let limit): "This document has more than \(limit) pages."
        case .tooSlow(let seconds): "This document could not be read within \(seconds) seconds."
        case .readerDied: "The process that read this document ended unexpectedly."
        case .cannotStartReader: "The process that reads documents could not be started."
        case .notConfined:
            "Documents are not opened: nothing on this machine would keep a hostile one from your files and the network."
        case .noSuchPage(let number): "There is no page \(number)."
        case .noPicture: "There is no picture of this."
        }
    }

    package var suggestion: String? {
        switch self {
        case .unsupported: "Give a PDF, EPUB, Markdown or text file."
        case .empty, .damaged: "Get the file once more from where it came from."
        case .encrypted(wrong: false): "Give the password that opens it."
        case .encrypted(wrong: true): "Check the password and try again."
        case .noText: "Run text recognition (OCR) over it first."
        case .protectedByDRM: "Ask the seller for a copy without DRM."
        case .tooLarge, .tooManyPages: "Divide it and give its parts one by one."
        case .tooMuchInside, .tooSlow, .readerDied: "Save it anew with another program, and try that file."
        case .cannotStartReader: "Check that the machine has memory and processes to spare."
        case .notConfined:
            "Install bubblewrap (apt-get install bubblewrap) or a kernel with Landlock. ECHOTEXT_UNCONFINED=1 opens them all the same: a hostile document can then read, send and change what you can, an unlocked library too."
        case .noSuchPage, .noPicture: nil
        }
    }
}
