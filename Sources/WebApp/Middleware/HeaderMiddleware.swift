import EchoText
import HTTPTypes
import Hummingbird

/// Adds security headers to every response.
struct HeaderMiddleware: RouterMiddleware {
    /// Allows only the page's own files, and no markup made from text.
    static let pagePolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "media-src 'self' blob:", "connect-src 'self'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")
    /// Stored data is never a page, whatever its bytes.
    static let dataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let isData = request.isForData
        response.headers[.contentSecurityPolicy] = isData ? Self.dataPolicy : Self.pagePolicy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(self), autoplay=(self)"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if isData || response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = isData ? "no-store" : "no-cache"
        }
        return response
    }
}

/// Adds to every response the number of the last event before it was made.
///
/// With it the page knows whether a response includes the change of an event, and which of two responses is newer.
struct LastEventMiddleware: RouterMiddleware {
    let events: StudioEvents

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        let last = await events.last
        var response = try await next(request, context)
        response.headers[.lastEventID] = events.id(of: last)
        return response
    }
}
