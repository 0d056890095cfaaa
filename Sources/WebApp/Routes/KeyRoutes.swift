import API
import EchoText
import Foundation
import Hummingbird

/// `/api/keys`: the keys with which programs use `/v1`.
struct KeyRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("keys", use: list).post("keys", use: create).delete("keys", use: remove)
    }

    private func keys() async throws -> any APIKeys {
        try await studio.librarySession.use().library.apiKeys
    }

    struct KeysResponse: ResponseEncodable {
        let keys: [APIKeyResponse]
        /// How many more cannot be read, and open nothing.
        let unreadable: Int
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> KeysResponse {
        let all = try await keys()
        return KeysResponse(
            keys: try await all.keys().map(APIKeyResponse.init),
            unreadable: try await all.unreadable()
        )
    }

    struct Values: Decodable {
        let name: String
    }

    func create(
        _ request: Request,
        _ context: WebRequestContext
    ) async throws -> EditedResponse<CreatedAPIKeyResponse> {
        let name = try ItemName(try await request.decode(as: Values.self, context: context).name)
        let secret = try await keys().add(name, at: Date())
        await studio.events.post(.settings)
        return EditedResponse(status: .created, response: CreatedAPIKeyResponse(name, secret))
    }

    /// A key's name may be any, such as “..”, which no path can end with: it stands in the query.
    func remove(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        guard let name = request.text("name") else { throw WebError.badRequest(what: "“name” is missing") }
        try await keys().remove(try ItemName(stored: name))
        await studio.events.post(.settings)
        return .noContent
    }
}
