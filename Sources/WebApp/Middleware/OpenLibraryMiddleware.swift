import EchoText
import Hummingbird

/// Lets in only while the library is open, before anything else of a request is looked at; what is still being sent when it
/// is closed breaks off.
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
