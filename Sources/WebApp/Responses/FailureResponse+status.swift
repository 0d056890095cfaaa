import API
import EchoText
import Hummingbird

extension FailureResponse: ResponseEncodable {
    /// The answer to a request that ended with `failure`.
    static func answer(
        to request: Request,
        with failure: Failure,
        about file: String? = nil,
        status: HTTPResponse.Status? = nil,
        context: WebRequestContext
    ) throws -> Response {
        var content = FailureResponse(failure, file: file)
        content.retryAfter = failure.retryAfter.map { ($0 / .seconds(1)).rounded(.up) }
        var response = try content.response(from: request, context: context)
        response.status = status ?? HTTPResponse.Status(of: failure.kind)
        if let wait = content.retryAfter { response.headers[.retryAfter] = String(Int(wait)) }
        return response
    }
}

extension HTTPResponse.Status {
    /// The status code that shows a program the kind of a failure.
    init(of kind: FailureKind) {
        self =
            switch kind {
            case .invalidRequest, .invalidContent, .missingInput, .unavailable: .unprocessableContent
            case .unauthenticated: .unauthorized
            case .forbidden: .forbidden
            case .notFound, .voiceNotFound: .notFound
            case .conflict, .offline, .busy: .conflict
            case .tooLarge: .contentTooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .misdirected: .misdirectedRequest
            // The library does not open, for any reason: the page shows the named one, and the remedies.
            case .locked, .incompatible, .libraryDamaged: .init(code: 423, reasonPhrase: "Locked")
            case .tooManyRequests, .lockedOut: .tooManyRequests
            case .damaged, .processFailed, .internal: .internalServerError
            case .remoteRefused, .remoteFailed: .badGateway
            case .interrupted: .serviceUnavailable
            case .remoteTimedOut: .gatewayTimeout
            case .cannotCreate, .inputOutput: .init(code: 507, reasonPhrase: "Insufficient Storage")
            }
    }
}

/// An error together with the file that it is about, for the client that sent the file.
///
/// The message itself names no file, since messages end up in logs as well.
struct SentFileFailure: UserFacingError {
    /// As the client wrote it.
    let fileName: String
    let cause: any UserFacingError

    var failure: Failure { cause.failure }

    /// Does `work`, and adds the file to its error; what is no fault of a file comes as it is.
    ///
    /// - Throws: What `work` throws, or that with the file's name.
    static func naming<Output>(_ fileName: String, _ work: () async throws -> Output) async throws -> Output {
        do {
            return try await work()
        } catch let error as any UserFacingError
            where !fileName.isEmpty && !(error is VaultError) && !(error is WebError)
        {
            throw SentFileFailure(fileName: fileName, cause: error)
        }
    }
}
