import API
import EchoText
import Hummingbird

/// `/api/voices/downloads`: bringing voices onto this machine.
struct VoiceDownloadRoutes: Sendable {
    let studio: WebStudio

    private var downloads: VoiceDownloads { studio.voiceServices.downloads }

    func add(to group: RouterGroup<StudioContext>) {
        group.get("voices/downloads", use: list)
            .post("voices/downloads", use: start)
            .post("voices/downloads/:entry/cancel", use: cancel)
            .delete("voices/downloads/:entry", use: discard)
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> [VoiceStateResponse] {
        _ = try await studio.librarySession.enter()
        return await downloads.statuses().map(VoiceStateResponse.init)
    }

    struct Order: Decodable {
        let entry: CatalogueEntry.ID
    }

    func start(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<VoiceStateResponse> {
        let order = try await request.decode(as: Order.self, context: context)
        _ = try await studio.librarySession.enter()
        let rules = try await studio.voiceServices.rules()
        guard !rules.isOffline || rules.catalogue.isFolder else { throw VoiceDownloadError.offline }
        try await downloads.start(order.entry)
        // A download that is no longer listed has ended.
        let status = await downloads.statuses().first { $0.entry == order.entry }
        return EditedResponse(
            status: .accepted,
            response: VoiceStateResponse(status ?? VoiceStatus(entry: order.entry, state: .none))
        )
    }

    func cancel(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.enter()
        await downloads.cancel(try entry(context))
        return .noContent
    }

    func discard(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.enter()
        try await downloads.discard(try entry(context))
        return .noContent
    }

    private func entry(_ context: StudioContext) throws -> CatalogueEntry.ID {
        CatalogueEntry.ID(rawValue: try context.parameters.require("entry"))
    }
}

extension CatalogueAddress {
    fileprivate var isFolder: Bool {
        if case .folder = self { true } else { false }
    }
}
