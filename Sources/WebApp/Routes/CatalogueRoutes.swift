import API
import EchoText
import Foundation
import Hummingbird

/// `/api/voices/listings`: every voice, with notices, and the refreshing of the catalogue.
struct CatalogueRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("voices/listings", use: show)
            .post("voices/catalogue/refresh", use: refresh)
            .post("voices/losses/dismiss", use: dismiss)
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> VoiceListingsResponse {
        try await listings(for: try await studio.librarySession.enter().library)
    }

    func refresh(_ request: Request, _ context: StudioContext) async throws -> VoiceListingsResponse {
        let library = try await studio.librarySession.enter().library
        try await studio.voiceServices.downloads.refresh()
        return try await listings(for: library)
    }

    func dismiss(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let registry = try await studio.librarySession.enter().library.voices
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
            isOffline: rules?.isOffline ?? false,
            source: rules?.catalogue.name ?? CatalogueAddress.sherpaOnnx.name,
            losses: losses.filter(\.isNews).map(VoiceLossResponse.init)
        )
    }
}

/// All voices, for the page.
struct VoiceListingsResponse: ResponseEncodable {
    let voices: [VoiceListingResponse]
    @Nullable var refreshedAt: Date?
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
