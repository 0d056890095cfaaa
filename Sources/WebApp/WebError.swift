package import EchoText

/// Why the page cannot be served, or a request not be answered.
package enum WebError: UserFacingError, Equatable {
    case noSession
    case pageMissing
    /// The folder with the sessions is not the person's alone or cannot be written.
    case folderUnusable(path: String)
    /// The disk of the folder with the sessions has no room for what lets a browser in.
    case diskFull(path: String)
    case portInUse(port: Int)
    case cannotListen
    /// The request is malformed.
    case badRequest(what: String)
    /// The client stopped sending before the end of the body that it had announced, or sent something else in it.
    case cutShort
    case notFound
    case tooLong(limit: Int)
    /// The body of the request has more bytes than are taken at once.
    case tooLarge
    case wrongAddress
    case foreignPage
    case notJSON
    /// Too many requests are waiting.
    case busy

    package var failure: Failure {
        switch self {
        case .noSession:
            Failure(.unauthenticated, "web.no-session", "This browser has not been let in.")
                .suggesting(
                    "Open EchoText from the menu of programs, or type “echotext serve” in a terminal: it opens the page, or prints its address."
                )
        case .pageMissing:
            Failure(.internal, "web.page-missing", "The page's files are not where the program expects them.")
                .suggesting("Install EchoText again, with the folder “EchoText_WebApp.resources” beside the program.")
        case .folderUnusable(let path):
            Failure(
                .cannotCreate,
                "web.folder-unusable",
                "The folder in which the page's sessions are remembered cannot be made or used safely."
            )
            .suggesting(
                "See that the folder “echotext-web” belongs to you and is closed to others, and that you may write where it is to be.",
                inTerminal:
                    "See that the folder “\(path)” belongs to you and is closed to others, and that you may write where it is to be."
            )
        case .diskFull(let path):
            Failure(.inputOutput, "web.disk-full", "The disk is full: nothing can be stored that lets a browser in.")
                .suggesting(
                    "Make room on the disk of the folder “echotext-web”, in which the page's sessions are remembered, and try again.",
                    inTerminal: "Make room on the disk of the folder “\(path)”, and try again."
                )
        case .portInUse(let port):
            Failure(.internal, "web.port-in-use", "Another program listens on port \(port).")
                .suggesting("Choose another port with --port, or end the other program.")
        case .cannotListen:
            Failure(
                .internal,
                "web.cannot-listen",
                "The page cannot be served: listening on this machine's own address failed."
            )
        case .badRequest(let what):
            Failure(.invalidRequest, "web.bad-request", "The request cannot be understood: \(what).")
                .suggesting(Self.anotherVersion)
        case .cutShort:
            Failure(
                .invalidRequest,
                "web.cut-short",
                "The request ended before all of it had come, so nothing of it was taken."
            )
            .suggesting("Send it again.")
        case .notFound:
            Failure(.notFound, "web.not-found", "There is nothing at that address.")
                .suggesting(Self.anotherVersion)
        case .tooLong(let limit):
            Failure(.tooLarge, "web.too-long", "That is too long; at most \(limit.grouped) characters are taken.")
                .suggesting("Shorten it, or divide it into parts.")
        case .tooLarge:
            Failure(.tooLarge, "web.too-large", "That is too much at once, so it was not taken.")
                .suggesting("Divide it into parts, or add it as a document.")
        case .wrongAddress:
            Failure(.misdirected, "web.wrong-address", "EchoText does not answer to that address.")
                .suggesting("Open the address that “echotext serve” has printed.")
        case .foreignPage:
            Failure(.forbidden, "web.foreign-page", "Only EchoText's own page may do that.")
        case .notJSON:
            Failure(
                .unsupportedMediaType,
                "web.not-json",
                "What changes something has to be sent as JSON, and a file as application/octet-stream."
            )
            .suggesting(Self.anotherVersion)
        case .busy:
            Failure(.tooManyRequests, "web.busy", "Too many files are being sent at once, so this one was not taken.")
                .suggesting("Send it again when one of them is done.")
                .retrying(after: .seconds(1))
        }
    }

    private static let anotherVersion =
        "If the page asked for it, load it again: EchoText may be another version by now."
}
