import API
import Books
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/transcripts` and `/api/library/ID/transcripts`: transcripts of recordings, in all their versions.
struct TranscriptRoutes: Sendable {
    let studio: WebStudio

    /// The most matches of one recording in a search result.
    private static let maximumPlaces = 50

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("library/:id/transcripts", use: versions)
            .post("library/:id/transcripts", use: edit)
            .get("transcripts/search", use: search)
            .get("transcripts/:transcript", use: show)
            .delete("transcripts/:transcript", use: delete)
            .post("transcripts/:transcript/current", use: makeCurrent)
            .post("transcripts/:transcript/instead-of/dismiss", use: dismiss)
            .get("transcripts/:transcript/differences", use: differences)
            .get("transcripts/:transcript/export", use: export)
    }

    // MARK: - Versions

    func versions(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptVersionsResponse {
        let id = try context.itemID()
        return TranscriptVersionsResponse(try await transcripts.versions(of: id))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptResponse {
        let transcript = try await transcripts.transcript(try context.transcriptID())
        return try await response(to: transcript)
    }

    func makeCurrent(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptVersionsResponse {
        let id = try context.transcriptID()
        let transcripts = try await transcripts
        let item = try await transcripts.transcript(id).item
        try await transcripts.makeCurrent(id)
        await studio.events.post(.library(changed: [item]))
        return TranscriptVersionsResponse(try await transcripts.versions(of: item))
    }

    func dismiss(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.transcriptID()
        let transcripts = try await transcripts
        let item = try await transcripts.transcript(id).item
        try await transcripts.forgetFailedRecognizer(of: id)
        await studio.events.post(.library(changed: [item]))
        return .noContent
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let item = try await transcripts.delete(try context.transcriptID())
        await studio.events.post(.library(changed: [item]))
        return .noContent
    }

    private var transcripts: any TranscriptStore {
        get async throws { try await studio.librarySession.use().library.transcripts }
    }

    private func response(to transcript: Transcript) async throws -> TranscriptResponse {
        let versions = try await transcripts.versions(of: transcript.item)
        guard let version = versions.first(where: { $0.id == transcript.id }) else { throw TranscriptError.notFound }
        return TranscriptResponse(transcript, version)
    }

    // MARK: - Editing

    struct Edit: Decodable {
        struct Segment: Decodable {
            let kind: TranscriptSegment.Kind?
            let start: Double
            let end: Double
            let text: String
            let speaker: String?
            /// When words of the base begin of which the person is sure.
            let accepted: [Double]?
        }

        /// The version that is changed; `nil` for a new transcript.
        let base: Transcript.ID?
        /// Whether the base was edited in the same sitting, and is replaced by the new version unless two speakers become
        /// one.
        let replacesBase: Bool?
        let segments: [Segment]
    }

    func edit(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<TranscriptResponse> {
        let id = try context.itemID()
        let body = try await request.decode(as: Edit.self, context: context)
        let library = try await studio.librarySession.use().library
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        let base = if let id = body.base { try await library.transcripts.transcript(id) } else { Transcript?.none }
        guard base.map({ $0.item == id }) ?? true else { throw TranscriptError.notFound }
        let segments = try body.segments.enumerated().map { try Self.segment($0.element, number: $0.offset + 1) }
        let edit = try TranscriptEdit(segments)
        let isReplaced = body.replacesBase == true && !(base.map { Self.joinsSpeakers(of: $0, edit) } ?? false)
        let origin = isReplaced ? await Self.origin(of: base, in: library) : nil
        let edited =
            try base?.edited(by: edit, duration: item.duration, at: Date(), since: origin)
            ?? Transcript(edit, of: item, at: Date())
        try await library.transcripts.add(edited)
        if origin != nil, let base { try await Self.remove(base.id, from: library.transcripts) }
        await studio.events.post(.library(changed: [id]))
        return EditedResponse(status: .created, response: try await response(to: edited))
    }

    /// Whether an edit leaves fewer speakers: nobody could tell them apart again without the version before.
    private static func joinsSpeakers(of base: Transcript, _ edit: TranscriptEdit) -> Bool {
        let before = Set(base.segments.filter { $0.kind == .speech }.map(\.speaker))
        let after = Set(edit.segments.filter { $0.kind == .speech }.map(\.speaker))
        return after.count < before.count
    }

    /// Deletes a version that another one has replaced.
    private static func remove(_ id: Transcript.ID, from transcripts: any TranscriptStore) async throws {
        do {
            try await transcripts.delete(id)
        } catch TranscriptError.notFound {
            // Another page has replaced it as well; both edits are there.
        }
    }

    /// The version that `edited` changes; `nil` unless a person has made `edited` of one that is still there.
    private static func origin(of edited: Transcript?, in library: Library) async -> Transcript? {
        guard let edited, edited.source.changes != nil, let base = edited.source.base else { return nil }
        return try? await library.transcripts.transcript(base)
    }

    private static func segment(
        _ segment: Edit.Segment,
        number: Int
    ) throws(TranscriptError) -> TranscriptEdit.Segment {
        guard segment.start <= segment.end else { throw .segmentBackwards(number: number) }
        return TranscriptEdit.Segment(
            kind: segment.kind ?? .speech,
            time: segment.start..<segment.end,
            text: segment.text,
            speaker: segment.speaker,
            accepted: segment.accepted ?? []
        )
    }

    // MARK: - Comparing, finding and exporting

    func differences(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptDifferencesResponse {
        guard let other = request.text("with") else {
            throw WebError.badRequest(what: "“with” is the id of another version")
        }
        let transcripts = try await transcripts
        let first = try await transcripts.transcript(try context.transcriptID())
        let second = try await transcripts.transcript(Transcript.ID(rawValue: other))
        guard first.item == second.item else {
            throw WebError.badRequest(what: "both versions are of the same recording")
        }
        let differences = TranscriptDifferences(from: first, to: second)
        return TranscriptDifferencesResponse(differences, from: first.id, to: second.id)
    }

    func search(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptHitsResponse {
        guard let text = request.wordsToFind, let words = SearchWords(text) else {
            throw WebError.badRequest(what: "“words” has a letter or digit")
        }
        var query = AudioQuery()
        query.words = text
        query.field = .text
        query.isTranscribed = true
        query.offset = try request.listOffset
        query.limit = try request.listLimit ?? query.limit
        let library = try await studio.librarySession.use().library
        let page = try await library.audio.items(matching: query)
        var hits: [TranscriptHitsResponse.Hit] = []
        for item in page.items {
            let versions = try await library.transcripts.versions(of: item.id)
            guard let current = versions.first(where: \.isCurrent) else { continue }
            let transcript: Transcript
            do {
                transcript = try await library.transcripts.transcript(current.id)
            } catch let error as VaultError where error.isOfOnePart {
                // The words are in it, at places that cannot be read.
                hits.append(.init(item: ItemResponse(item), transcript: current.id.rawValue, places: [], isCut: true))
                continue
            }
            // A place beyond the limit reveals whether there are more.
            let places = transcript.matches(of: words, limit: Self.maximumPlaces + 1)
            hits.append(
                TranscriptHitsResponse.Hit(
                    item: ItemResponse(item),
                    transcript: transcript.id.rawValue,
                    places: places.prefix(Self.maximumPlaces).map { .init($0, in: transcript) },
                    isCut: places.count > Self.maximumPlaces
                )
            )
        }
        return TranscriptHitsResponse(hits: hits, total: page.total)
    }

    func export(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.transcriptID()
        guard let format: TranscriptFormat = try request.choice("format") else {
            let known = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw WebError.badRequest(what: "“format” is one of \(known)")
        }
        let library = try await studio.librarySession.use().library
        let transcript = try await library.transcripts.transcript(id)
        guard let item = try await library.audio.item(transcript.item) else { throw LibraryError.itemNotFound }
        let written = WrittenTranscript(
            transcript,
            title: item.name.text,
            marks: try await library.writtenMarks(of: item),
            showsTimes: try request.flag("times") ?? false,
            isByWord: try request.flag("byWord") ?? false
        )
        let bytes = MemoryBytes()
        try await TranscriptExport(of: written).write(as: format, to: bytes, at: Date())
        var names = FileNames()
        let name = names.name(for: item.name.text, fileExtension: format.rawValue)
        return try await StoredBytesResponse(bytes, type: format.type, disposition: Disposition.attachment(name))
            .response(to: request)
    }
}

extension TranscriptFormat {
    /// The media type.
    var type: String {
        switch self {
        case .txt: "text/plain; charset=utf-8"
        case .md: "text/markdown; charset=utf-8"
        case .srt: "application/x-subrip"
        case .vtt: "text/vtt; charset=utf-8"
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        }
    }
}

extension WebRequestContext {
    /// The version of a transcript that the address names.
    func transcriptID() throws -> Transcript.ID {
        Transcript.ID(rawValue: try parameters.require("transcript"))
    }
}

/// `/api/speakers` and `/api/transcripts/ID/speakers`: speaker diarization of transcripts.
struct SpeakerRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("speakers", use: list)
            .post("transcripts/:transcript/speakers", use: begin)
            .delete("transcripts/:transcript/speakers", use: cancel)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> SpeakersResponse {
        let searches = try await searches
        let offers = try await studio.voiceServices.downloads.speakerModelOffers()
        return try await SpeakersResponse(searches.searches, by: searches.models(), offers)
    }

    struct SpeakerSearchBody: Decodable {
        /// `nil` when nobody knows.
        let speakers: Int?
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<SpeakerSearchResponse> {
        let id = try context.transcriptID()
        let order = try await request.decode(as: SpeakerSearchBody.self, context: context)
        let search = try await searches.begin(id, SpeakerCount(order.speakers))
        return EditedResponse(status: .accepted, response: SpeakerSearchResponse(search))
    }

    func cancel(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await searches.cancel(try context.transcriptID())
        return .noContent
    }

    private var searches: SpeakerSearches {
        get async throws { try await studio.librarySession.use().speakers }
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

struct TranscriptVersionsResponse: ResponseEncodable {
    let versions: [TranscriptVersionResponse]

    init(_ versions: [TranscriptVersion]) { self.versions = versions.map(TranscriptVersionResponse.init) }
}

/// Recordings with matches in their transcripts.
struct TranscriptHitsResponse: ResponseEncodable {
    struct Hit: Encodable {
        let item: ItemResponse
        let transcript: String
        let places: [Place]
        /// Whether there are more places.
        let isCut: Bool
    }

    struct Place: Encodable {
        let seconds: Double
        /// The text of the segment.
        let text: String
        let from: Int
        let to: Int

        init(_ place: TranscriptMatch, in transcript: Transcript) {
            seconds = place.time.lowerBound
            text = transcript.segments[place.segment].text
            (from, to) = (place.source.lowerBound, place.source.upperBound)
        }
    }

    let hits: [Hit]
    let total: Int
}
