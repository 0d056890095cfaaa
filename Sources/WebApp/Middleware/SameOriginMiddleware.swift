import HTTPTypes
import Hummingbird

/// Lets only this program's own page talk to the server.
///
/// Listening on loopback is not enough: any web page the person visits can send requests to `localhost`, and can point
/// its own name at `127.0.0.1`. So the name the request was sent to must be one of ours, and a browser must say that it asks from
/// our page. What changes something must also be JSON or bare bytes, which no form can send.
///
/// - SeeAlso: Fetch Metadata Request Headers (W3C), `Sec-Fetch-Site`.
struct SameOriginMiddleware: RouterMiddleware {
    let hosts: @Sendable () -> Set<String>

    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority?.lowercased(), hosts().contains(host) else {
            throw WebError.wrongAddress
        }
        guard isFromOurPage(request, host) else { throw WebError.foreignPage }
        guard changesNothing(request) || isOfNoForm(request) else { throw WebError.notJSON }
        return try await next(request, context)
    }

    private func changesNothing(_ request: Request) -> Bool {
        [.get, .head, .options].contains(request.method)
    }

    private func isOfNoForm(_ request: Request) -> Bool {
        guard let type = request.headers[.contentType]?.lowercased() else { return false }
        return type.hasPrefix("application/json") || type.hasPrefix("application/octet-stream")
    }

    /// A page that is opened may be led to from anywhere; everything else a browser asks for has to come from ours.
    private func isFromOurPage(_ request: Request, _ host: String) -> Bool {
        if let origin = request.headers[.origin], origin.lowercased() != "http://\(host)" { return false }
        guard let site = request.headers[.secFetchSite] else { return true }
        if site == "same-origin" || site == "none" { return true }
        let isOpened = request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] == "document"
        return isOpened && request.method == .get && !request.isForData
    }
}

extension Request {
    /// Whether it is for something under `/api`, however many strokes the address has: the router counts several as one.
    var isForData: Bool { uri.path.split(separator: "/").first == "api" }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initialiser fails only for characters a header name may not have.
    static let secFetchSite = Self("Sec-Fetch-Site")!
    // swift-format-ignore: NeverForceUnwrap
    static let secFetchMode = Self("Sec-Fetch-Mode")!
    // swift-format-ignore: NeverForceUnwrap
    static let secFetchDest = Self("Sec-Fetch-Dest")!
    // swift-format-ignore: NeverForceUnwrap
    static let referrerPolicy = Self("Referrer-Policy")!
    // swift-format-ignore: NeverForceUnwrap
    static let permissionsPolicy = Self("Permissions-Policy")!
    // swift-format-ignore: NeverForceUnwrap
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
    // swift-format-ignore: NeverForceUnwrap
    static let sampleRate = Self("X-Sample-Rate")!
}
