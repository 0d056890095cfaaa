import API
import EchoText
import Hummingbird

/// `/api/history`: the texts that were spoken lately.
struct HistoryRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("history", use: list).delete("history", use: clear).delete("history/:id", use: delete)
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> HistoryResponse {
        HistoryResponse(try await studio.librarySession.enter().library.history.texts())
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        guard let id = Int(try context.parameters.require("id")) else { throw LibraryError.textNotFound }
        try await studio.librarySession.enter().library.history.delete(id)
        await studio.events.post(.history)
        return .noContent
    }

    func clear(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.enter().library.history.clear()
        await studio.events.post(.history)
        return .noContent
    }
}
