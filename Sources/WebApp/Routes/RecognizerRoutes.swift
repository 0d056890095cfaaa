import API
import EchoText
import Hummingbird

/// `/api/recognizers`: the recognizers, installed and for download.
struct RecognizerRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("recognizers", use: list).delete("recognizers/:engine/:name", use: remove)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> RecognizersResponse {
        let open = try await studio.librarySession.use()
        let order = try await open.library.settings.recognizerOrder()
        let language = request.text("language")
        let recognizers = order.sorted(try await open.transcriptions.recognizers(), for: language)
        let offers = try await studio.voiceServices.downloads.recognizerOffers(for: language)
        let paces = await open.transcriptions.paces()
        return RecognizersResponse(
            recognizers: recognizers.map { RecognizerResponse($0, paces, isDefault: $0.id == recognizers.first?.id) },
            order: order.ids,
            offers: offers.filter { !$0.isInstalled }.map { RecognizerOfferResponse($0, paces) }
        )
    }

    func remove(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.use()
        let (engine, name) = (try context.parameters.require("engine"), try context.parameters.require("name"))
        try await studio.voiceServices.downloads.removeRecognizer(Recognizer.ID(rawValue: "\(engine)/\(name)"))
        return .noContent
    }
}
