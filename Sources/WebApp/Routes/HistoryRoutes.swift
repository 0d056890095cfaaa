import EchoText
import Foundation
import Hummingbird

/// `/api/history`: the texts that were spoken lately.
struct HistoryRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("history", use: list).delete("history", use: clear).delete("history/:id", use: delete)
    }

    struct EntryResponse: Encodable {
        let id: Int
        let text: String
        let words: Int
        let spoken: Date

        init(_ entry: HistoryEntry) {
            (id, text, words, spoken) = (entry.id, entry.text, entry.text.wordCount, entry.spoken)
        }
    }

    struct HistoryResponse: ResponseEncodable {
        let entries: [EntryResponse]
        let unreadable: [HistoryEntry.ID]
        var limit = TextHistoryLimits.entries
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> HistoryResponse {
        let texts = try await studio.librarySession.enter().library.history.texts()
        return HistoryResponse(entries: texts.entries.map(EntryResponse.init), unreadable: texts.unreadable)
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
