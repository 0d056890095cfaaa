import EchoText
import HTTPTypes
import Hummingbird

/// Requires a session: a cookie that is limited to the page's own host name.
///
/// Responses in progress end with the session. All ports of a host share cookies, so the page has its own host name
/// (``SessionStore/host``), and the cookie is sent to no other.
struct SessionMiddleware: RouterMiddleware {
    let sessions: SessionStore

    /// The paths that an open page requests by itself.
    private static let askedByItself: Set = ["/api/state", "/api/events"]

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        let isVisit = !Self.askedByItself.contains(request.uri.path)
        guard let token = request.session, let end = await sessions.use(token, isVisit: isVisit) else {
            throw WebError.noSession
        }
        return try await next(request, context).breakingOff(at: end, cutting: context)
    }
}

/// The cookie that a session is known by.
enum SessionCookie {
    static let name = "echotext"
    /// How many seconds a browser keeps the cookie; the server ends unused sessions long before.
    private static let age = 30 * 24 * 3_600

    static func field(_ token: String) -> String {
        "\(name)=\(token); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict"
    }
}

extension Request {
    /// The token of the session that it says it is of.
    var session: String? { cookies[SessionCookie.name]?.value }
}

/// `/open/TICKET`: lets a browser in, once.
struct TicketRoute: Sendable {
    let sessions: SessionStore

    func open(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let ticket = try context.parameters.require("ticket")
        guard let token = try await sessions.redeem(ticket) else {
            // The page itself explains what to do without a session.
            return Response(status: .seeOther, headers: [.location: "/"])
        }
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: SessionCookie.field(token)])
    }
}

/// Rejects requests while the library is closed, before anything else of a request is examined; responses in progress
/// break off when it is closed.
struct OpenLibraryMiddleware: RouterMiddleware {
    let librarySession: LibrarySession

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        let end = try await librarySession.useInBackground().end
        let response = try await next(request, context)
        guard !end.isSet else { throw VaultError.locked }
        return response.breakingOff(at: end, cutting: context)
    }
}
