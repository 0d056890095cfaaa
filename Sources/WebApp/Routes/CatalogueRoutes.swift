import EchoText
import Foundation
import Hummingbird

/// `/api/voices/catalogue`: the voices of the catalogue and their states.
struct CatalogueRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("voices/catalogue", use: show)
            .post("voices/catalogue/refresh", use: refresh)
            .post("voices/losses/dismiss", use: dismiss)
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> CatalogueResponse {
        try await catalogue(for: try await studio.librarySession.enter().library)
    }

    func refresh(_ request: Request, _ context: StudioContext) async throws -> CatalogueResponse {
        let library = try await studio.librarySession.enter().library
        try await studio.voiceServices.downloads.refresh()
        return try await catalogue(for: library)
    }

    func dismiss(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let registry = try await studio.librarySession.enter().library.voices
        let installedVoices = try await studio.voiceServices.downloads.installedVoices()
        try await registry.settle(VoiceAudit(of: installedVoices, against: try await registry.records()).losses)
        await studio.events.post(.voices)
        return .noContent
    }

    /// Compares the installed voices with the library's records, and writes nothing.
    private func catalogue(for library: Library) async throws -> CatalogueResponse {
        let downloads = studio.voiceServices.downloads
        let installedVoices = try await downloads.installedVoices()
        let records = try await library.voices.records()
        let active = try await library.profiles.chosen().profile.voice
        let rules = try? await studio.voiceServices.rules()  // An invalid address is reported when it is used.
        let losses = VoiceAudit(of: installedVoices, against: records).losses.filter(\.isNews)
        return CatalogueResponse(
            voices: await downloads.offers(of: installedVoices, active: active).compactMap { offer in
                CatalogueVoiceResponse(offer, offer.id.flatMap { records[$0] })
            },
            active: active.rawValue,
            refreshedAt: await downloads.refreshedAt(),
            isOffline: rules?.isOffline ?? false,
            source: rules?.catalogue.name ?? CatalogueAddress.sherpaOnnx.name,
            losses: losses.map(VoiceLossResponse.init)
        )
    }
}

extension CatalogueAddress {
    /// For programs: never translated.
    fileprivate var name: String {
        switch self {
        case .sherpaOnnx: "sherpaOnnx"
        case .mirror: "mirror"
        case .folder: "folder"
        }
    }
}
