import EchoText
import Foundation
import Hummingbird

/// `/api/voices/catalogue`: what there is to download, and how it stands with each.
struct CatalogueRoutes: Sendable {
    let studio: WebStudio
    private let losses = UnreadLosses()

    init(studio: WebStudio) {
        self.studio = studio
    }

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
        _ = try await studio.door.enter()
        await losses.forget()
        return .noContent
    }

    private func catalogue(for library: Library) async throws -> CatalogueResponse {
        let desk = studio.shelf.desk
        let found = try await desk.losses(in: library.voices)
        let records = try await library.voices.records()
        let active = try await library.profiles.chosen().profile.voice
        let rules = try? await studio.shelf.rules()  // An address that is none is told of when it is used.
        let problems = Dictionary(found.filter { !$0.isGone }.map { ($0.voice.voice.id, $0.failure) }) { first, _ in
            first
        }
        let offers = try await desk.offers(active: active)
        let installed = Set(offers.compactMap { $0.installed?.voice.id })
        return CatalogueResponse(
            voices: offers.compactMap { offer in
                CatalogueVoiceResponse(
                    offer,
                    offer.id.flatMap { records[$0] },
                    problem: offer.installed.flatMap { problems[$0.voice.id] }
                )
            },
            active: active.rawValue,
            refreshedAt: await desk.refreshedAt(),
            isOffline: rules?.isOffline ?? false,
            source: rules?.catalogue.name ?? CatalogueAddress.sherpaOnnx.name,
            losses: await losses.add(found.filter(\.isGone), installed: installed).map(VoiceLossResponse.init)
        )
    }
}

/// Losses that a page has not said it has shown.
private actor UnreadLosses {
    private var losses: [Voice.ID: VoiceLoss] = [:]

    /// - Returns: All of them, by name, without those that are there again.
    func add(_ new: [VoiceLoss], installed: Set<Voice.ID>) -> [VoiceLoss] {
        for loss in new { losses[loss.voice.voice.id] = loss }
        losses = losses.filter { !installed.contains($0.key) }
        return losses.values.sorted { $0.voice.voice.name < $1.voice.voice.name }
    }

    func forget() { losses = [:] }
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
