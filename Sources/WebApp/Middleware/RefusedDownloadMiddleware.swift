import EchoText
import Hummingbird

/// Reports a refused download as an event, because a browser that saves downloads does not show the response.
struct RefusedDownloadMiddleware: RouterMiddleware {
    let events: StudioEvents

    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            // A client that went away needs no reason.
            let hasGone = error is CancellationError && Task.isCancelled
            if !hasGone, let id = context.parameters.get("id") {
                await events.post(.export(id: id, ExportOutcome(failure: Failure(error))))
            }
            throw error
        }
    }
}
