import EchoText
import Foundation
import Hummingbird
import Logging

/// Turns a thrown error into an answer the page can show.
///
/// A ``UserFacingError`` keeps its code and words. Anything else becomes a bare 500 and goes to the log by its type, because its
/// description was never meant for strangers.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: StudioContext,
        next: @concurrent (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any UserFacingError {
            return try Problem(error).response(status: .answer(to: error), from: request, context: context)
        } catch let error as any HTTPResponseError where error.status == .badRequest {
            // How Hummingbird says that a body could not be decoded.
            let error = WebError.badRequest(what: "a field is missing or of the wrong kind")
            return try Problem(error).response(status: .unprocessableContent, from: request, context: context)
        } catch let error as any HTTPResponseError {
            let status = error.status
            let problem = Problem(code: "web.\(status.code)", message: status.reasonPhrase + ".", suggestion: nil)
            return try problem.response(status: status, from: request, context: context)
        } catch is CancellationError {
            throw HTTPError(.serviceUnavailable)
        } catch {
            context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            let problem = Problem(code: "unexpected", message: "Something went wrong inside EchoText.", suggestion: nil)
            return try problem.response(status: .internalServerError, from: request, context: context)
        }
    }
}

/// A failure as the page gets it.
struct Problem: ResponseEncodable, Equatable {
    let code: String
    let message: String
    @Nullable var suggestion: String?
    /// Seconds until it is worth trying again.
    var retryAfter: Double?

    init(code: String, message: String, suggestion: String?) {
        (self.code, self.message, self.suggestion) = (code, message, suggestion)
    }

    init(_ error: any UserFacingError) {
        self.init(code: error.code, message: error.message, suggestion: error.suggestion)
        switch error {
        case VaultError.lockedOut(let wait): retryAfter = (wait / .seconds(1)).rounded(.up)
        case VaultError.attemptInProgress: retryAfter = 1
        // About as long as a short narration takes.
        case LibraryError.tooManyJobs: retryAfter = 10
        case VoiceDownloadError.tooManyRequests(_, let wait?): retryAfter = (wait / .seconds(1)).rounded(.up)
        case WebError.busy: retryAfter = 1
        default: break
        }
    }

    func response(status: HTTPResponse.Status, from request: Request, context: StudioContext) throws -> Response {
        var response = try response(from: request, context: context)
        response.status = status
        if let retryAfter { response.headers[.retryAfter] = String(Int(retryAfter)) }
        return response
    }
}

extension HTTPResponse.Status {
    /// The status that says of `error` what a program has to know.
    static func answer(to error: any UserFacingError) -> Self {
        switch error {
        case let error as VaultError: answer(to: error)
        case let error as LibraryError: answer(to: error)
        case let error as WebError: answer(to: error)
        case let error as VoiceDownloadError: answer(to: error)
        case let error as VoiceInstallError: answer(to: error)
        case let error as DocumentError: answer(to: error)
        case is SynthesisError, is PronunciationDictionaryError, is VoiceFolderError: .unprocessableContent
        case is ExportError, is PageRangesError: .unprocessableContent
        default: .internalServerError
        }
    }

    private static func answer(to error: VaultError) -> Self {
        switch error {
        case .wrongPasscode, .wrongRecoveryCode: .forbidden
        case .lockedOut, .attemptInProgress: .tooManyRequests
        case .weakPasscode, .passcodesDiffer, .recoveryCodeNotConfirmed, .misspeltRecoveryCode: .unprocessableContent
        case .noPasscode, .passcodeExists, .inUse: .conflict
        case .readOnly, .deviceFolderReadOnly: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .contentMissing, .contentDamaged, .system: .internalServerError
        case .locked, .deviceSecretMissing, .deviceSecretUnsafe, .deviceSecretDamaged, .slotsMissing, .slotsDamaged,
            .slotsTooNew, .unsafeFolder, .notEncrypted, .wrongKey, .databaseDamaged, .newerSchema, .tpmUnavailable,
            .tpmLockedOut, .clockMoved:
            // It does not open, for whichever reason: the page shows the one that is named, and the ways out.
            .init(code: 423, reasonPhrase: "Locked")
        }
    }

    private static func answer(to error: LibraryError) -> Self {
        switch error {
        case .itemNotFound, .textNotFound, .profileNotFound, .jobNotFound, .entryNotFound, .unknownSetting,
            .documentNotFound, .batchEntryNotFound:
            .notFound
        case .invalidName, .invalidSetting, .ambiguous, .ambiguousDocument, .recordingTooLong: .unprocessableContent
        case .profileNameTaken, .defaultProfileStays, .jobBusy, .documentThere, .batchBusy, .narrationStopped: .conflict
        case .tooManyJobs: .tooManyRequests
        }
    }

    private static func answer(to error: VoiceDownloadError) -> Self {
        switch error {
        case .offline, .busy: .conflict
        case .unknownEntry, .notThere: .notFound
        case .badAddress, .folderMissing, .badProxy: .unprocessableContent
        case .tooLarge: .contentTooLarge
        case .tooManyRequests: .tooManyRequests
        case .stalled: .gatewayTimeout
        case .noSpace, .cannotWrite: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .proxyRefused, .unreachable, .untrusted, .unsafeRedirect, .refused, .serverFailed, .interrupted,
            .wrongSize, .wrongChecksum, .wrongContent, .badCatalogue:
            .badGateway
        }
    }

    private static func answer(to error: VoiceInstallError) -> Self {
        switch error {
        case .notInstalled, .gone: .notFound
        case .builtIn, .altered: .conflict
        case .noSpace, .cannotWrite: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .cannotStartUnpacker: .internalServerError
        case .forbidden, .damagedArchive, .notAnArchive, .tooManyFiles, .tooMuchInside, .bomb, .tooSlow, .unpackerDied,
            .notConfined, .silent, .inconsistent, .nothingToAdd:
            .unprocessableContent
        }
    }

    private static func answer(to error: DocumentError) -> Self {
        switch error {
        case .noSuchPage, .noPicture: .notFound
        case .tooLarge: .contentTooLarge
        case .unsupported, .empty, .damaged, .encrypted, .noText, .protectedByDRM, .tooMuchInside, .tooManyPages,
            .tooSlow, .readerDied, .cannotStartReader, .notConfined:
            .unprocessableContent
        }
    }

    private static func answer(to error: WebError) -> Self {
        switch error {
        case .noSession: .unauthorized
        case .badRequest: .unprocessableContent
        case .notFound: .notFound
        case .tooLong: .contentTooLarge
        case .wrongAddress: .misdirectedRequest
        case .foreignPage: .forbidden
        case .notJSON: .unsupportedMediaType
        case .busy: .tooManyRequests
        case .pageMissing, .folderUnusable, .portInUse, .cannotListen: .internalServerError
        }
    }
}
