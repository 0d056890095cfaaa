import HTTPTypes
import Hummingbird

/// Asks for a session: a cookie that only the page's own host name gets.
///
/// Cookies are shared by every port of a host, so the page has a host name of its own (``SessionStore/host()``), and the cookie is sent to no other.
struct SessionMiddleware: RouterMiddleware {
    static let cookie = "echotext"
    let sessions: SessionStore

    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.cookies[Self.cookie]?.value, await sessions.isValid(token) else {
            throw WebError.noSession
        }
        return try await next(request, context)
    }
}

/// `/open/TICKET`: lets a browser in, once.
struct TicketRoute: Sendable {
    let sessions: SessionStore

    func open(_ request: Request, _ context: StudioContext) async throws -> Response {
        let ticket = try context.parameters.require("ticket")
        guard let token = try await sessions.redeem(ticket) else {
            // The page itself says what to do when there is no session.
            return Response(status: .seeOther, headers: [.location: "/"])
        }
        let age = Int(SessionStore.lifetime)
        let cookie = "\(SessionMiddleware.cookie)=\(token); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict"
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie])
    }
}
