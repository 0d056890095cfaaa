import API
import EchoText
import Foundation
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

/// `/api/draft`: the text that is being written.
struct DraftRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("draft", use: show).put("draft", use: save).post("draft/file", use: read)
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> TextResponse {
        TextResponse(text: try await studio.librarySession.enter().library.draft.draft())
    }

    func save(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: TextResponse.self, context: context)
        try await studio.librarySession.enter().library.draft.save(draft: body.text)
        return .noContent
    }

    struct FileResponse: ResponseEncodable {
        let text: String
        let notices: [NoticeReport]
    }

    /// Returns the text of a file in any encoding; nothing is stored.
    func read(_ request: Request, _ context: StudioContext) async throws -> FileResponse {
        _ = try await studio.librarySession.enter()
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        let bytes = Data(body.readableBytesView)
        if !DocumentKind.isUTF16(bytes.prefix(4_096)), let kind = BinaryContent(bytes.prefix(64 * 1_024)) {
            throw TextSourceError.binary(file: nil, kind: kind.name)
        }
        let file = try await studio.reader.decode(bytes)
        return FileResponse(text: file.text, notices: file.notices.map(NoticeReport.init))
    }
}
