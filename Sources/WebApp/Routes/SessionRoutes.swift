import EchoText
import HTTPTypes
import Hummingbird

/// `/api/sessions`: the sessions of browsers.
struct SessionRoutes: Sendable {
    let sessions: SessionStore

    func add(to group: RouterGroup<WebRequestContext>) {
        group.post("sessions/end", use: end)
    }

    /// Ends all sessions, including this one; browsers need a new address to get in again.
    func end(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        await sessions.endAll()
        return Response(status: .noContent, headers: [.clearSiteData: "\"*\""])
    }
}

/// `/api/proof`: proves to a page that it still talks to the server it came from.
///
/// The page sends the request without its session, because another program may be listening on the port.
struct ProofRoute: Sendable {
    private static let lengths = 16...128

    let sessions: SessionStore

    struct Proof: ResponseEncodable {
        let proof: String
    }

    func prove(_ request: Request, _ context: WebRequestContext) async throws -> Proof {
        guard let challenge = request.text("of"), Self.lengths.contains(challenge.utf8.count) else {
            throw WebError.badRequest(what: "“of” has 16 to 128 bytes")
        }
        return Proof(proof: sessions.proof(of: challenge))
    }
}
