import API
import EchoText
import Foundation
import Hummingbird
import Logging
import NIOHTTP1

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
        } catch {
            let (failure, status) = try await failure(of: error, context)
            if request.isOfProgram {
                return try ProgramFailureResponse(failure, status, error: error).response(
                    from: request,
                    context: context
                )
            }
            let file = (error as? SentFileFailure)?.fileName
            return try FailureResponse.answer(to: request, with: failure, about: file, status: status, context: context)
        }
    }

    /// - Returns: What is answered, and with which status where that does not follow from it.
    /// - Throws: `HTTPError` where nobody waits for the answer any more.
    private func failure(
        of error: any Error,
        _ context: WebRequestContext
    ) async throws -> (failure: Failure, status: HTTPResponse.Status?) {
        switch error {
        case let error as any UserFacingError: return (error.failure, nil)
        case let error as any HTTPResponseError where error.status == .badRequest:
            // How Hummingbird says that a body could not be decoded.
            return (WebError.badRequest(what: "a field is missing or of the wrong kind").failure, nil)
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            // How Hummingbird says that a body is longer than the context allows.
            return (WebError.tooLarge.failure, nil)
        case is HTTPParserError:
            // How the connection says that a body breaks off, or is in no chunks though it announced them.
            return (WebError.cutShort.failure, .badRequest)
        case let error as any HTTPResponseError:
            let status = error.status
            return (Failure(.internal, "web.\(status.code)", status.reasonPhrase + "."), status)
        case is CancellationError:
            // Work for a request that is still waited for also ends when the library closes.
            guard !Task.isCancelled, await librarySession.present == nil else { throw HTTPError(.serviceUnavailable) }
            return (VaultError.locked.failure, nil)
        default:
            context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            return (Failure(error), nil)
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
