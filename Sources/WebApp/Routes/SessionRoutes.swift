import EchoText
import HTTPTypes
import Hummingbird

/// `/api/sessions`: the sessions of browsers.
struct SessionRoutes: Sendable {
    let sessions: SessionStore

    func add(to group: RouterGroup<StudioContext>) {
        group.post("sessions/end", use: end)
    }

    /// Ends every session, this one too; browsers are let in again by a new address.
    func end(_ request: Request, _ context: StudioContext) async throws -> Response {
        await sessions.endAll()
        return Response(status: .noContent, headers: [.clearSiteData: "\"*\""])
    }
}

/// `/api/proof`: shows a page that it still talks to the server it came from.
///
/// The page asks without its session, because another program may listen at the port meanwhile.
struct ProofRoute: Sendable {
    private static let lengths = 16...128

    let sessions: SessionStore

    struct Proof: ResponseEncodable {
        let proof: String
    }

    func prove(_ request: Request, _ context: StudioContext) async throws -> Proof {
        guard let challenge = request.text("of"), Self.lengths.contains(challenge.utf8.count) else {
            throw WebError.badRequest(what: "“of” has 16 to 128 bytes")
        }
        return Proof(proof: sessions.proof(of: challenge))
    }
}
