import HTTPTypes
import Hummingbird

/// Accepts only requests from this program's own page.
///
/// Listening on loopback is not enough: any web page the person visits can send requests to `localhost`, and can point
/// its own name at `127.0.0.1`. So the request's host must be one of ours, and a browser must declare that our page
/// sends it. Requests that change something must also have a JSON or binary body, which no form can send.
///
/// A request to a former host name gets an explanation without a link, because somebody else's page there could
/// otherwise learn the present name. The browser's data for that name is cleared.
///
/// - SeeAlso: Fetch Metadata Request Headers (W3C), `Sec-Fetch-Site`.
struct SameOriginMiddleware: RouterMiddleware {
    /// As browsers send it: `echotext-k3v9x2pqabcdefgh.localhost:7340`; `nil` while it is not known yet.
    let host: @Sendable () -> String?
    /// The page for a person who uses another host name.
    let elsewhere: ByteBuffer

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let host = host(), let name = name(of: request), Self.names(host, for: request).contains(name) else {
            return try misdirected(request)
        }
        guard isFromOurPage(request, host) else { throw WebError.foreignPage }
        // A form cannot send the key that a program's request needs.
        guard changesNothing(request) || isOfNoForm(request) || request.isOfProgram else { throw WebError.notJSON }
        return try await next(request, context)
    }

    /// The only host name of the request; `nil` if it has several, or none.
    private func name(of request: Request) -> String? {
        // A second `Host` field stays among the other fields, where ``HostOfAddress`` puts an address with a host too.
        guard request.headers[.secondHost] == nil, request.head.path?.hasPrefix("/") == true else { return nil }
        return request.head.authority?.lowercased()
    }

    /// The names to which the request may be sent.
    ///
    /// A program has to find the server at each start, so the API for developers has this machine's own names too. No name
    /// that somebody else can point at this machine is among them.
    private static func names(_ host: String, for request: Request) -> [String] {
        guard request.isOfProgram else { return [host] }
        let port = host.lastIndex(of: ":").map { host[$0...] } ?? ""
        return [host] + ["localhost", "127.0.0.1", "[::1]"].map { $0 + port }
    }

    /// - Throws: ``WebError/wrongAddress`` for requests that are not a person's navigation, ``ProgramError/wrongHost`` for a
    ///   program's.
    private func misdirected(_ request: Request) throws -> Response {
        guard !request.isOfProgram else { throw ProgramError.wrongHost }
        guard request.method == .get, request.headers[.secFetchMode] == "navigate" else { throw WebError.wrongAddress }
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        // Nowhere else: the cookies of “localhost” are those of every port of this machine.
        if Self.isFormerName(request.head.authority ?? "") { headers[.clearSiteData] = "\"*\"" }
        return Response(status: .misdirectedRequest, headers: headers, body: .init(byteBuffer: elsewhere))
    }

    /// Whether it was the page's host name in an earlier run.
    private static func isFormerName(_ name: String) -> Bool {
        name.wholeMatch(of: /(?:echotext-[a-z0-9]{16}|[a-z0-9]{10})\.localhost(?::[0-9]+)?/.ignoresCase()) != nil
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
    /// Whether its path is below `/api` or `/v1`, however many slashes the address has: the router merges them.
    var isForData: Bool { uri.path.split(separator: "/").first == "api" || isOfProgram }

    /// Whether its path is below `/v1`, where programs are answered and not the page.
    var isOfProgram: Bool { uri.path.split(separator: "/").first == "v1" }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initializer fails only for characters a header name may not have.
    static let secondHost = Self("Host")!
    // swift-format-ignore: NeverForceUnwrap
    static let clearSiteData = Self("Clear-Site-Data")!
    // swift-format-ignore: NeverForceUnwrap
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
