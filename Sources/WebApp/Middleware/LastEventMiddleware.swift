import EchoText
import HTTPTypes
import Hummingbird

/// Adds to every response the number of the last event before it was made.
///
/// With it the page knows whether a response includes the change of an event, and which of two responses is newer.
struct LastEventMiddleware: RouterMiddleware {
    let events: StudioEvents

    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        let last = await events.last
        var response = try await next(request, context)
        response.headers[.lastEventID] = events.id(of: last)
        return response
    }
}
