import API
import EchoText
import HTTPTypes
import Hummingbird

/// `/api/library/ID/speech-check`: checks of narrations for sentences that do not sound as they are written.
struct SpeechCheckRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.post("library/:id/speech-check", use: begin)
            .get("library/:id/speech-check", use: show)
            .delete("library/:id/speech-check", use: forget)
            .post("library/:id/sentences/:number/speak", use: speak)
    }

    struct SpeechCheckBody: Decodable {
        let recognizer: Recognizer.ID?
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<SpeechCheckResponse> {
        let id = try context.itemID()
        let body = try await request.decode(as: SpeechCheckBody.self, context: context)
        let status = try await checks.begin(id, by: body.recognizer)
        return EditedResponse(status: .accepted, response: SpeechCheckResponse(withFindingsOf: id, status))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> SpeechCheckResponse {
        let id = try context.itemID()
        return SpeechCheckResponse(withFindingsOf: id, try await checks.status(of: id))
    }

    func forget(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.itemID()
        try await checks.forget(id)
        return .noContent
    }

    func speak(_ request: Request, _ context: WebRequestContext) async throws -> SpokenSentenceResponse {
        let id = try context.itemID()
        guard let number = Int(try context.parameters.require("number")) else {
            throw WebError.badRequest(what: "a sentence has a number, from 1")
        }
        let spoken = try await checks.speak(number, of: id, voices: await studio.voices)
        return SpokenSentenceResponse(number, spoken)
    }

    private var checks: SpeechChecks {
        get async throws { try await studio.librarySession.use().speechChecks }
    }
}
