import API
import EchoText
import HTTPTypes
import Hummingbird

/// Why the API for developers does not answer a program.
enum ProgramError: UserFacingError, Equatable {
    case noKey
    case wrongKey
    case wrongHost
    case notFound
    /// The address is there, but takes other methods only.
    case wrongMethod(allowed: String)
    /// The body is not JSON.
    case notJSON
    /// The body is not a form with a file, or breaks off.
    case notForm
    /// A field is missing or of the wrong kind, or there are too many.
    case badField(String, what: String)
    case noSuchModel(String)
    /// A voice that another engine than the wanted one speaks.
    case otherEngine(voice: String, model: String)
    /// In characters.
    case inputTooLong(limit: Int)

    var failure: Failure {
        switch self {
        case .noKey:
            Failure(.unauthenticated, "api.no-key", "This request has no API key.")
                .suggesting(
                    "Send one as “Authorization: Bearer et-…”; “echotext keys create NAME” in a terminal makes it."
                )
        case .wrongKey:
            Failure(.unauthenticated, "api.wrong-key", "That API key opens nothing here.")
                .suggesting("Look for it in “echotext keys list”, or make another by “echotext keys create NAME”.")
        case .wrongHost:
            Failure(.misdirected, "api.wrong-host", "EchoText does not answer to that address.")
                .suggesting("Use http://localhost, with the port of “echotext serve” and /v1.")
        case .notFound:
            Failure(.notFound, "api.not-found", "There is nothing at that address.")
                .suggesting("There are /v1/models, /v1/audio/speech and /v1/audio/transcriptions.")
        case .wrongMethod(let allowed):
            Failure(.invalidRequest, "api.wrong-method", "That address takes \(allowed) only.")
        case .notJSON:
            Failure(.invalidRequest, "api.not-json", "The body of the request is not a JSON object.")
        case .notForm:
            Failure(
                .invalidRequest,
                "api.not-form",
                "The body of the request is not multipart/form-data, or breaks off."
            )
            .suggesting("Send the sound as the field “file” of a form.")
        case .badField(let name, let what):
            Failure(.invalidRequest, "api.bad-field", "“\(name)” \(what).")
        case .noSuchModel(let name):
            Failure(.notFound, "api.no-such-model", "There is no model “\(name.prefix(100))” here.")
                .suggesting("GET /v1/models lists those of this machine; “tts-1” and “whisper-1” are its usual ones.")
        case .otherEngine(let voice, let model):
            Failure(.invalidRequest, "api.other-engine", "The voice “\(voice)” is not one of “\(model)”.")
                .suggesting("Ask for the model “tts-1”, which is any engine.")
        case .inputTooLong(let limit):
            Failure(.tooLarge, "api.input-too-long", "“input” has more than \(limit.grouped) characters.")
                .suggesting("Divide it into several requests.")
        }
    }

    /// The field that it is about.
    var field: String? {
        switch self {
        case .badField(let name, _): name
        case .noSuchModel: "model"
        case .otherEngine: "voice"
        case .inputTooLong: "input"
        case .noKey, .wrongKey, .wrongHost, .notFound, .wrongMethod, .notJSON, .notForm: nil
        }
    }
}

/// A failure that is about a field of a program's request.
struct ProgramFieldFailure: UserFacingError {
    let field: String
    let failure: Failure
}

/// A failure in the form in which OpenAI's libraries expect it.
struct ProgramFailureResponse: ResponseGenerator {
    private struct Body: Encodable {
        struct Content: Encodable {
            let message: String
            let type: String
            @Nullable var param: String?
            let code: String
        }

        let error: Content
    }

    private let body: Body
    private let status: HTTPResponse.Status
    private let retryAfter: Duration?
    private let allowed: String?

    /// - Parameters:
    ///   - failure: What is reported.
    ///   - status: The status where it does not follow from the failure.
    ///   - error: What was thrown.
    init(_ failure: Failure, _ status: HTTPResponse.Status?, error: any Error) {
        let reason = error as? ProgramError
        self.status = status ?? Self.status(of: failure, reason, isAboutField: error is ProgramFieldFailure)
        // Whoever reads it has a terminal, but gave no option of a command.
        let suggestion = failure.suggestion ?? failure.inTerminal.suggestion
        body = Body(
            error: .init(
                message: [failure.message, suggestion].compactMap(\.self).joined(separator: " "),
                type: Self.type(of: self.status),
                param: reason?.field ?? (error as? ProgramFieldFailure)?.field,
                code: Self.code(of: failure, reason)
            )
        )
        retryAfter = failure.retryAfter
        allowed = if case .wrongMethod(let allowed) = reason { allowed } else { nil }
    }

    /// As OpenAI answers; the libraries ask again by themselves after 409, 429 and from 500 on.
    private static func status(
        of failure: Failure,
        _ reason: ProgramError?,
        isAboutField: Bool
    ) -> HTTPResponse.Status {
        if case .wrongMethod = reason { return .methodNotAllowed }
        return switch failure.kind {
        case .invalidRequest, .invalidContent, .missingInput, .voiceNotFound: .badRequest
        // Another voice or file may do.
        case .unavailable where isAboutField: .badRequest
        default: HTTPResponse.Status(of: failure.kind)
        }
    }

    private static func type(of status: HTTPResponse.Status) -> String {
        switch status.code {
        case 429: "rate_limit_error"
        case 500...: "server_error"
        default: "invalid_request_error"
        }
    }

    /// The names that programs know, and else the program's own.
    private static func code(of failure: Failure, _ reason: ProgramError?) -> String {
        switch reason {
        case .noKey, .wrongKey: "invalid_api_key"
        case .noSuchModel: "model_not_found"
        default: failure.code
        }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(body, from: request, context: context)
        response.status = status
        if let wait = retryAfter { response.headers[.retryAfter] = String(Int((wait / .seconds(1)).rounded(.up))) }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if let allowed { response.headers[.allow] = allowed }
        return response
    }
}
