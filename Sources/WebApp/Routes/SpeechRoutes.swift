import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/speeches`: texts of a person's own that are practised.
struct SpeechRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("speeches", use: list)
            .post("speeches", use: create)
            .get("speeches/:id", use: show)
            .put("speeches/:id", use: replace)
            .delete("speeches/:id", use: delete)
    }

    /// All of them, the last changed first.
    struct SpeechesResponse: ResponseEncodable {
        let speeches: [SpeechResponse]
        /// The most characters that a speech has.
        var limit = Speech.longest
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> SpeechesResponse {
        SpeechesResponse(speeches: try await speeches.speeches().map { SpeechResponse($0, isListed: true) })
    }

    struct Values: Decodable {
        let title: String?
        let text: String
        let language: String
    }

    func create(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<SpeechResponse> {
        let body = try await request.decode(as: Values.self, context: context)
        let speech = try Speech(title: body.title, text: body.text, language: body.language, created: .now)
        try await speeches.save(speech)
        await studio.events.post(.speeches)
        return EditedResponse(status: .created, response: SpeechResponse(speech))
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> SpeechResponse {
        SpeechResponse(try await speech(context))
    }

    func replace(_ request: Request, _ context: StudioContext) async throws -> SpeechResponse {
        let body = try await request.decode(as: Values.self, context: context)
        let speech = try await speech(context)
            .changed(title: body.title, text: body.text, language: body.language, at: .now)
        try await speeches.save(speech)
        await studio.events.post(.speeches)
        return SpeechResponse(speech)
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await speeches.delete(Speech.ID(rawValue: try context.parameters.require("id")))
        await studio.events.post(.speeches)
        return .noContent
    }

    private func speech(_ context: StudioContext) async throws -> Speech {
        let id = Speech.ID(rawValue: try context.parameters.require("id"))
        guard let speech = try await speeches.speech(id) else { throw SpeechError.notFound }
        return speech
    }

    private var speeches: any Speeches {
        get async throws { try await studio.librarySession.enter().library.speeches }
    }
}
