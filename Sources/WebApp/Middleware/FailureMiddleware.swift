import API
import EchoText
import Foundation
import Hummingbird
import Logging

/// Turns a thrown error into a response that the page can show.
///
/// A ``UserFacingError`` keeps its code and message. Any other error becomes a bare 500, and only its type is logged,
/// because its description may contain private data.
struct FailureMiddleware: RouterMiddleware {
    let librarySession: LibrarySession

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any UserFacingError {
            let file = (error as? SentFileFailure)?.fileName
            return try FailureResponse.answer(to: request, with: error.failure, about: file, context: context)
        } catch let error as any HTTPResponseError where error.status == .badRequest {
            // How Hummingbird says that a body could not be decoded.
            let error = WebError.badRequest(what: "a field is missing or of the wrong kind")
            return try FailureResponse.answer(to: request, with: error.failure, context: context)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            // How Hummingbird says that a body is longer than the context allows.
            return try FailureResponse.answer(to: request, with: WebError.tooLarge.failure, context: context)
        } catch let error as any HTTPResponseError {
            let status = error.status
            let failure = Failure(.internal, "web.\(status.code)", status.reasonPhrase + ".")
            return try FailureResponse.answer(to: request, with: failure, status: status, context: context)
        } catch is CancellationError {
            // Work for a request that is still waited for also ends when the library closes.
            guard !Task.isCancelled, await librarySession.present == nil else { throw HTTPError(.serviceUnavailable) }
            return try FailureResponse.answer(to: request, with: VaultError.locked.failure, context: context)
        } catch {
            context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            return try FailureResponse.answer(to: request, with: Failure(error), context: context)
        }
    }
}

/// Reports a refused download as an event, because a browser that saves downloads does not show the response.
struct RefusedDownloadMiddleware: RouterMiddleware {
    let events: StudioEvents

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
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

/// Rejects HEAD where GET uses up what it answers with.
///
/// All other addresses answer HEAD as GET, without the body.
struct OnlyOnceMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .head else { throw WebError.notFound }
        return try await next(request, context)
    }
}
