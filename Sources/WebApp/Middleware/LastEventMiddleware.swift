import EchoText
import HTTPTypes
import Hummingbird

/// Says with every answer which event was the last before the answer was made.
///
/// With it the page distinguishes an event whose change the answer has from one that came later, and an old answer from a newer
/// one.
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
