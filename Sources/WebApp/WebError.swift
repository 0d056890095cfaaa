import EchoText

/// Why the page cannot be served, or a request not be answered.
package enum WebError: UserFacingError, Equatable {
    case noSession
    case pageMissing
    /// The folder with the sessions is not the person's alone or cannot be written.
    case folderUnusable
    case portInUse(port: Int)
    case cannotListen
    /// The request is not one that the page makes.
    case badRequest(what: String)
    case notFound
    case tooLong(limit: Int)
    case wrongAddress
    case foreignPage
    case notJSON
    /// Too many requests wait for the same.
    case busy

    package var code: String {
        switch self {
        case .noSession: "web.no-session"
        case .pageMissing: "web.page-missing"
        case .folderUnusable: "web.folder-unusable"
        case .portInUse: "web.port-in-use"
        case .cannotListen: "web.cannot-listen"
        case .badRequest: "web.bad-request"
        case .notFound: "web.not-found"
        case .tooLong: "web.too-long"
        case .wrongAddress: "web.wrong-address"
        case .foreignPage: "web.foreign-page"
        case .notJSON: "web.not-json"
        case .busy: "web.busy"
        }
    }

    package var message: String {
        switch self {
        case .noSession: "This browser has not been let in."
        case .pageMissing: "The page's files are not where the program expects them."
        case .folderUnusable: "The folder in which the page's sessions are remembered cannot be used safely."
        case .portInUse(let port): "Another program listens on port \(port)."
        case .cannotListen: "The page cannot be served: listening on this machine's own address failed."
        case .badRequest(let what): "The request cannot be understood: \(what)."
        case .notFound: "There is nothing at that address."
        case .tooLong(let limit): "That is too long; at most \(limit) characters are taken."
        case .wrongAddress: "The server does not answer to that name."
        case .foreignPage: "Only EchoText's own page may do that."
        case .notJSON: "What changes something has to be sent as JSON, and a file as application/octet-stream."
        case .busy: "Too many documents are being imported at once."
        }
    }

    package var suggestion: String? {
        switch self {
        case .noSession:
            "Open the address that “echotext serve” has printed; a new one comes with the next “echotext serve”."
        case .pageMissing: "Install EchoText again, with the folder “EchoText_WebApp.resources” beside the program."
        case .folderUnusable: "See that the folder “echotext-web” belongs to you and is closed to others."
        case .portInUse: "Choose another port with --port, or end the other program."
        case .wrongAddress: "Open the address that “echotext serve” has printed."
        case .busy: "Wait until one is done."
        case .cannotListen, .badRequest, .notFound, .tooLong, .foreignPage, .notJSON: nil
        }
    }
}
