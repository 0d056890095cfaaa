import EchoText
import Foundation
import Hummingbird

/// `/api/voices/catalogue`: what there is to download, and how it stands with each.
struct CatalogueRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("voices/catalogue", use: show)
            .post("voices/catalogue/refresh", use: refresh)
            .post("voices/losses/dismiss", use: dismiss)
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> CatalogueResponse {
        try await catalogue(for: try await studio.door.enter().library)
    }

    func refresh(_ request: Request, _ context: StudioContext) async throws -> CatalogueResponse {
        let library = try await studio.door.enter().library
        try await studio.shelf.desk.refresh()
        return try await catalogue(for: library)
    }

    func dismiss(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let registry = try await studio.door.enter().library.voices
        let stock = try await studio.shelf.desk.stock()
        try await registry.settle(VoiceInventory(of: stock, against: try await registry.records()).losses)
        await studio.events.post(.voices)
        return .noContent
    }

    /// Compares what is there with what the library knows, and writes nothing.
    private func catalogue(for library: Library) async throws -> CatalogueResponse {
        let desk = studio.shelf.desk
        let stock = try await desk.stock()
        let records = try await library.voices.records()
        let active = try await library.profiles.chosen().profile.voice
        let rules = try? await studio.shelf.rules()  // An address that is none is told of when it is used.
        let losses = VoiceInventory(of: stock, against: records).losses.filter(\.isNews)
        return CatalogueResponse(
            voices: await desk.offers(of: stock, active: active).compactMap { offer in
                CatalogueVoiceResponse(offer, offer.id.flatMap { records[$0] })
            },
            active: active.rawValue,
            refreshedAt: await desk.refreshedAt(),
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
