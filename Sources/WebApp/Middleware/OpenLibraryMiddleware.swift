import EchoText
import Hummingbird

/// Rejects requests while the library is closed, before anything else of a request is examined; responses in progress
/// break off when it is closed.
struct OpenLibraryMiddleware: RouterMiddleware {
    let librarySession: LibrarySession

    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        let end = try await librarySession.admit().end
        let response = try await next(request, context)
        guard !end.hasCome else { throw VaultError.locked }
        return response.breakingOff(at: end, cutting: context)
    }
}
