import EchoText
import Hummingbird

/// Reports by an event why a download was refused: a browser that was to store the download shows nothing of the answer.
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
