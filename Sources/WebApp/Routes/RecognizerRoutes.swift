import API
import EchoText
import Hummingbird

/// `/api/recognizers`: the recognisers, installed and for download.
struct RecognizerRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("recognizers", use: list).delete("recognizers/:engine/:name", use: remove)
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> RecognizersResponse {
        let open = try await studio.librarySession.enter()
        let order = try await open.library.settings.recognizerOrder()
        let recognizers = order.sorted(try await open.transcriptions.recognizers())
        let offers = try await studio.voiceServices.downloads.recognizerOffers(for: request.text("language"))
        let paces = await open.transcriptions.paces()
        return RecognizersResponse(
            recognizers: recognizers.map { RecognizerResponse($0, paces, isDefault: $0.id == recognizers.first?.id) },
            order: order.ids.map(\.rawValue),
            offers: offers.filter { !$0.isInstalled }.map { RecognizerOfferResponse($0, paces) }
        )
    }

    func remove(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.enter()
        let (engine, name) = (try context.parameters.require("engine"), try context.parameters.require("name"))
        try await studio.voiceServices.downloads.removeRecognizer(Recognizer.ID(rawValue: "\(engine)/\(name)"))
        return .noContent
    }
}

/// All recognisers, for the page.
struct RecognizersResponse: ResponseEncodable {
    let recognizers: [RecognizerResponse]
    /// The ids that the person has put first.
    let order: [String]
    let offers: [RecognizerOfferResponse]
}

/// A recogniser that can be used.
struct RecognizerResponse: ResponseEncodable {
    let id: String
    let name: String
    /// `sherpaOnnx`, `pocketSphinx` or `remote`.
    let engine: String
    let languages: [String]
    /// The languages that it hears, where they are known.
    let hears: [String]
    /// The seconds that it is expected to need for a second of speech; `null` where that is not known.
    @Nullable var pace: Double?
    /// Whether that was measured with it on this machine.
    let isPaceMeasured: Bool
    /// `words`, `tokens`, `segments` or `none`.
    let timing: String
    let takesLanguage: Bool
    let takesHotwords: Bool
    let takesPrompt: Bool
    @Nullable var size: Int64?
    /// Whether it is asked first.
    let isDefault: Bool

    init(_ recognizer: Recognizer, _ paces: RecognizerPaces, isDefault: Bool) {
        (id, name, engine) = (recognizer.id.rawValue, recognizer.name, recognizer.engine.rawValue)
        (languages, timing) = (recognizer.languages, recognizer.timing.rawValue)
        (takesLanguage, takesHotwords) = (recognizer.takesLanguage, recognizer.takesHotwords)
        takesPrompt = recognizer.takesPrompt
        size = recognizer.size
        hears = recognizer.languages == ["mul"] ? recognizer.hears : recognizer.languages
        let expected = paces.expectation(of: recognizer.id)
        (pace, isPaceMeasured) = (expected?.pace, expected?.isMeasured ?? false)
        self.isDefault = isDefault
    }
}

/// A recogniser that can be downloaded.
struct RecognizerOfferResponse: ResponseEncodable {
    let entry: String
    let name: String
    let languages: [String]
    /// The languages that it hears, where they are known.
    let hears: [String]
    /// The seconds that it is expected to need for a second of speech; `null` where that is not known.
    @Nullable var pace: Double?
    /// Whether that was measured with it on this machine.
    let isPaceMeasured: Bool
    /// Why it is recommended: `quick`, `balanced` or `best`.
    @Nullable var reason: String?
    @Nullable var archiveBytes: Int64?
    let expectedBytes: Int64
    let download: VoiceStateResponse

    init(_ offer: RecognizerOffer, _ paces: RecognizerPaces) {
        let traits = RecognizerTraits(ofModel: offer.entry.id.rawValue)
        (entry, name) = (offer.entry.id.rawValue, traits.title)
        languages = [offer.entry.language]
        hears = offer.entry.language == "mul" ? traits.hears : [offer.entry.language]
        let expected = paces.expectation(of: traits.recognizer)
        (pace, isPaceMeasured) = (expected?.pace, expected?.isMeasured ?? false)
        reason = offer.reason?.rawValue
        (archiveBytes, expectedBytes) = (offer.entry.archiveBytes, offer.entry.expectedBytes)
        download = VoiceStateResponse(offer.download)
    }
}
