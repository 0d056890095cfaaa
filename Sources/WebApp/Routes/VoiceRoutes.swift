import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/voices`: the voices that an engine can speak with, and samples of them.
struct VoiceRoutes: Sendable {
    let studio: WebStudio

    /// Samples are synthesized independently of narrations, one at a time.
    private let turns = PrioritySemaphore(permits: 1)

    init(studio: WebStudio) {
        self.studio = studio
    }

    /// The longest sample that is spoken, in characters.
    private static let sampleLimit = 200

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("voices", use: list).get("voices/sample", use: sample)
    }

    struct VoiceResponse: ResponseEncodable {
        let id: String
        let name: String
        let language: String
        let engine: String
        let speakers: Int
        @Nullable var speakerNames: [String]?
        let sampleRate: Int
        @Nullable var quality: String?
        @Nullable var variant: String?
        let isFavorite: Bool

        init(_ voice: Voice, isFavorite: Bool) {
            self.isFavorite = isFavorite
            (id, name, language) = (voice.id.rawValue, voice.name, voice.language)
            (engine, sampleRate) = (voice.engine.rawValue, voice.sampleRate)
            (speakers, speakerNames) = (voice.speakers, voice.speakerNames)
            let name = NeuralVoiceName(of: voice.id)
            (quality, variant) = (name?.quality?.rawValue, name?.variant?.rawValue)
        }
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> [VoiceResponse] {
        let library = try await studio.librarySession.use().library
        return VoiceListing.ranked(try await studio.listings(for: library)).compactMap { listing in
            listing.voice.map { VoiceResponse($0, isFavorite: listing.isFavorite) }
        }
    }

    func sample(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let library = try await studio.librarySession.use().library
        var sample = NarrationRequest()
        sample.voice = request.text("voice")
        sample.speaker = try request.integer("speaker", in: 0...Int(Int32.max)).map(VoiceSpeaker.number)
        (sample.speed, sample.pitch) = (try request.number("speed"), try request.number("pitch"))
        (sample.liveliness, sample.rhythm) = (try request.number("liveliness"), try request.number("rhythm"))
        let given = request.text("text")
        guard (given?.count ?? 0) <= Self.sampleLimit else { throw WebError.tooLong(limit: Self.sampleLimit) }
        sample.name = "Sample"
        let order = try await sample.resolve(in: library, among: await studio.voices, naming: "").order
        let text = given ?? SampleSentence.sentence(in: order.voice.language)
        let narration = try studio.narrator.narration(of: StringSource(text), as: order, lanes: 1)
        let samples: [Int16]
        do {
            samples = try await turns.pass { _ in
                try await narration.reduce(into: []) { samples, passage in
                    samples += passage.clip.pcm16
                    // A taste of a voice, not of its silence.
                    samples += repeatElement(0, count: min(passage.silence, passage.clip.sampleRate))
                }
            }
        } catch {
            await library.voices.note(error, of: order.voice.id)
            throw error
        }
        let file = ByteBuffer(bytes: WAVHeader.file(of: samples, sampleRate: order.voice.sampleRate))
        return Response(status: .ok, headers: [.contentType: "audio/wav"], body: .init(byteBuffer: file))
    }
}

/// Operations on installed voices: `/api/voices/chosen`, `favorites`, `installed`, `retry` and `uploads`.
struct InstalledVoiceRoutes: Sendable {
    let studio: WebStudio
    /// Allows one upload at a time.
    private let turns = PrioritySemaphore(permits: 1)

    init(studio: WebStudio) {
        self.studio = studio
    }

    /// Most bytes of a file that is handed in.
    private static let largest: Int64 = 1_000_000_000

    func add(to group: RouterGroup<WebRequestContext>) {
        group.put("voices/chosen", use: choose)
            .put("voices/favorites", use: mark)
            .delete("voices/installed/:name", use: remove)
            .post("voices/retry", use: retry)
            .post("voices/uploads", use: upload)
    }

    struct Choice: Decodable {
        let voice: String
        let speaker: Int?
    }

    func choose(_ request: Request, _ context: WebRequestContext) async throws -> ProfileResponse {
        let choice = try await request.decode(as: Choice.self, context: context)
        let library = try await studio.librarySession.use().library
        let voice = try VoiceSearch(among: await studio.voices).voice(called: choice.voice)
        let speaker = try voice.number(of: .number(choice.speaker ?? 0))
        let profile = try await library.profiles.select(voice.id, speaker: speaker)
        await studio.events.post(.profiles)
        await studio.events.post(.voices)
        return ProfileResponse(profile, among: [voice])
    }

    struct Mark: Decodable {
        let voice: Voice.ID
        let isFavorite: Bool
    }

    func mark(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let mark = try await request.decode(as: Mark.self, context: context)
        let library = try await studio.librarySession.use().library
        guard try await studio.listings(for: library).contains(where: { $0.id == mark.voice }) else {
            throw ModelDownloadError.unknownEntry(String(mark.voice.rawValue.prefix(100)), similar: [])
        }
        try await library.voices.update(mark.voice) { $0.isFavorite = mark.isFavorite }
        await studio.events.post(.voices)
        return .noContent
    }

    func remove(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.use()
        let name = try context.parameters.require("name")
        try await studio.voiceServices.downloads.remove(
            Voice.ID(rawValue: "piper/" + (name.removingPercentEncoding ?? name))
        )
        return .noContent
    }

    struct DisabledVoice: Decodable {
        let voice: Voice.ID
    }

    /// Lets a disabled voice speak again.
    func retry(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try await request.decode(as: DisabledVoice.self, context: context).voice
        let library = try await studio.librarySession.use().library
        await studio.voiceServices.enable(id)
        _ = try await library.voices.enable(id)
        await studio.events.post(.voices)
        return .noContent
    }

    /// Installs a voice from an archive, whose bytes are the body.
    func upload(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<VoiceListingResponse> {
        let library = try await studio.librarySession.use().library
        let name = request.text("name")?.split(separator: "/").last.map(String.init) ?? ""
        guard name.lowercased().hasSuffix(".tar.bz2") else { throw ModelInstallError.notAnArchive }
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > Self.largest {
            throw ModelDownloadError.tooLarge(limit: Self.largest)
        }
        let voice = try await turns.pass { _ in
            try await studio.voiceServices.inbox.hold(
                named: name,
                filledBy: { take in try await Self.copy(request.body, to: take) },
                { try await studio.voiceServices.downloads.add($0, named: name) }
            )
        }
        guard let listing = try await studio.listings(for: library).first(where: { $0.id == voice.voice.id }) else {
            throw ModelInstallError.notInstalled(voice.voice.id)
        }
        return EditedResponse(status: .created, response: VoiceListingResponse(listing))
    }

    private static func copy(_ body: RequestBody, to take: ([UInt8]) async throws -> Void) async throws {
        var bytes: Int64 = 0
        for try await buffer in body {
            bytes += Int64(buffer.readableBytes)
            guard bytes <= largest else { throw ModelDownloadError.tooLarge(limit: largest) }
            try await take(Array(buffer.readableBytesView))
        }
    }
}

/// `/api/voices/downloads`: bringing voices onto this machine.
struct ModelDownloadRoutes: Sendable {
    let studio: WebStudio

    private var downloads: ModelDownloads { studio.voiceServices.downloads }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("voices/downloads", use: list)
            .post("voices/downloads", use: start)
            .post("voices/downloads/:entry/cancel", use: cancel)
            .delete("voices/downloads/:entry", use: discard)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> [VoiceStateResponse] {
        _ = try await studio.librarySession.use()
        return await downloads.statuses().map(VoiceStateResponse.init)
    }

    struct DownloadBody: Decodable {
        let entry: CatalogueEntry.ID
    }

    func start(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<VoiceStateResponse> {
        let order = try await request.decode(as: DownloadBody.self, context: context)
        _ = try await studio.librarySession.use()
        let rules = try await studio.voiceServices.rules()
        guard rules.allowsDownloads else { throw ModelDownloadError.offline }
        try await downloads.start(order.entry)
        // A download that is no longer listed has ended.
        let status = await downloads.statuses().first { $0.entry == order.entry }
        return EditedResponse(
            status: .accepted,
            response: VoiceStateResponse(status ?? VoiceStatus(entry: order.entry, state: .none))
        )
    }

    func cancel(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.use()
        await downloads.cancel(try entry(context))
        return .noContent
    }

    func discard(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.use()
        try await downloads.discard(try entry(context))
        return .noContent
    }

    private func entry(_ context: WebRequestContext) throws -> CatalogueEntry.ID {
        CatalogueEntry.ID(rawValue: try context.parameters.require("entry"))
    }
}

extension OutboundRules {
    /// Whether voices and recognizers can be downloaded: a folder is no connection.
    fileprivate var allowsDownloads: Bool {
        if case .folder = catalogue { true } else { !isOffline }
    }
}

/// `/api/voices/listings`: every voice, with notices, and the refreshing of the catalogue.
struct CatalogueRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("voices/listings", use: show)
            .post("voices/catalogue/refresh", use: refresh)
            .post("voices/losses/dismiss", use: dismiss)
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> VoiceListingsResponse {
        try await listings(for: try await studio.librarySession.use().library)
    }

    func refresh(_ request: Request, _ context: WebRequestContext) async throws -> VoiceListingsResponse {
        let library = try await studio.librarySession.use().library
        try await studio.voiceServices.downloads.refresh()
        return try await listings(for: library)
    }

    func dismiss(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let registry = try await studio.librarySession.use().library.voices
        let installedVoices = try await studio.voiceServices.downloads.installedVoices()
        try await registry.settle(VoiceAudit(of: installedVoices, against: try await registry.records()).losses)
        await studio.events.post(.voices)
        return .noContent
    }

    /// Compares the installed voices with the library's records, without writing anything.
    private func listings(for library: Library) async throws -> VoiceListingsResponse {
        let installedVoices = try await studio.voiceServices.downloads.installedVoices()
        let rules = try? await studio.voiceServices.rules()  // An invalid address is reported when it is used.
        let losses = VoiceAudit(of: installedVoices, against: try await library.voices.records()).losses
        return VoiceListingsResponse(
            voices: try await studio.listings(of: installedVoices, for: library).map(VoiceListingResponse.init),
            refreshedAt: await studio.voiceServices.downloads.refreshedAt(),
            isOffline: rules.map { !$0.allowsDownloads } ?? false,
            source: rules?.catalogue.name ?? CatalogueAddress.sherpaOnnx.name,
            losses: losses.filter(\.isNews).map(VoiceLossResponse.init)
        )
    }
}

/// All voices, for the page.
struct VoiceListingsResponse: ResponseEncodable {
    let voices: [VoiceListingResponse]
    @Nullable var refreshedAt: Date?
    /// Whether nothing can be downloaded, since EchoText stays offline.
    let isOffline: Bool
    /// The source of voices: `sherpaOnnx`, `mirror` or `folder`.
    let source: String
    let losses: [VoiceLossResponse]
}

/// A voice whose files are missing or damaged.
struct VoiceLossResponse: Encodable {
    let voice: String
    let name: String
    @Nullable var entry: String?
    let failure: FailureResponse

    init(_ loss: UnavailableVoice) {
        voice = loss.id.rawValue
        name = loss.name
        entry = loss.entry?.rawValue
        failure = FailureResponse(loss.failure)
    }
}

extension CatalogueAddress {
    /// For programs; never translated.
    fileprivate var name: String {
        switch self {
        case .sherpaOnnx: "sherpaOnnx"
        case .mirror: "mirror"
        case .folder: "folder"
        }
    }
}
