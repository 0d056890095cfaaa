import API
import EchoText
import HTTPTypes
import Hummingbird

/// `/api/speakers` and `/api/transcripts/ID/speakers`: speaker diarization of transcripts.
struct SpeakerRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("speakers", use: list)
            .post("transcripts/:transcript/speakers", use: begin)
            .delete("transcripts/:transcript/speakers", use: cancel)
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> SpeakersResponse {
        let searches = try await searches
        let offers = try await studio.voiceServices.downloads.speakerModelOffers()
        return try await SpeakersResponse(searches.searches, by: searches.models(), offers)
    }

    struct Order: Decodable {
        /// `nil` when nobody knows.
        let speakers: Int?
    }

    func begin(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<SpeakerSearchResponse> {
        let id = try context.transcriptID()
        let order = try await request.decode(as: Order.self, context: context)
        let search = try await searches.begin(id, SpeakerCount(order.speakers))
        return EditedResponse(status: .accepted, response: SpeakerSearchResponse(search))
    }

    func cancel(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await searches.cancel(try context.transcriptID())
        return .noContent
    }

    private var searches: SpeakerSearches {
        get async throws { try await studio.librarySession.enter().speakers }
    }
}

/// Whether diarization is available, and its running searches.
struct SpeakersResponse: ResponseEncodable {
    struct Model: Encodable {
        let id: String
        let name: String
        let kind: String
        let size: Int64
    }

    struct Offer: Encodable {
        let entry: String
        let kind: String
        let expectedBytes: Int64
        let download: VoiceStateResponse
    }

    /// Whether there is a model of each kind.
    let isReady: Bool
    /// The models that are installed, the newest first.
    let models: [Model]
    /// The models that are missing, for download.
    let offers: [Offer]
    /// The running, waiting and failed searches.
    let searches: [SpeakerSearchResponse]

    init(_ searches: [SpeakerSearch], by models: [SpeakerModel], _ offers: [SpeakerModelOffer]) {
        isReady = SpeakerModel.Kind.allCases.allSatisfy { kind in models.contains { $0.kind == kind } }
        self.models = models.map {
            Model(id: $0.id.rawValue, name: $0.name, kind: $0.kind.rawValue, size: $0.size)
        }
        self.offers = offers.map {
            Offer(
                entry: $0.entry.id.rawValue,
                kind: $0.kind.rawValue,
                expectedBytes: $0.entry.expectedBytes,
                download: VoiceStateResponse($0.download)
            )
        }
        self.searches = searches.map(SpeakerSearchResponse.init)
    }
}

/// The search for the speakers of a transcript.
struct SpeakerSearchResponse: ResponseEncodable {
    let transcript: String
    let item: String
    let state: String
    /// The share of the work that is done, from 0 to 1.
    let progress: Double
    /// The version that names them, and how many there are.
    @Nullable var version: String?
    @Nullable var speakers: Int?
    @Nullable var failure: FailureResponse?

    init(_ search: SpeakerSearch) {
        (transcript, item) = (search.transcript.rawValue, search.item.rawValue)
        progress = search.progress
        switch search.state {
        case .queued: state = "queued"
        case .running: state = "running"
        case .done(let found):
            state = "done"
            (version, speakers) = (found.id.rawValue, found.source.speakers)
        case .failed(let reason):
            state = "failed"
            failure = FailureResponse(reason)
        case .cancelled: state = "cancelled"
        }
    }
}
