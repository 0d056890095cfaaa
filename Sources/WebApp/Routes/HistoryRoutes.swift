import API
import EchoText
import Foundation
import Hummingbird

/// `/api/history`: the texts that were spoken lately.
struct HistoryRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("history", use: list).delete("history", use: clear).delete("history/:id", use: delete)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> HistoryResponse {
        HistoryResponse(try await studio.librarySession.use().library.history.texts())
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        guard let id = Int(try context.parameters.require("id")) else { throw LibraryError.textNotFound }
        try await studio.librarySession.use().library.history.delete(id)
        await studio.events.post(.history)
        return .noContent
    }

    func clear(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.use().library.history.clear()
        await studio.events.post(.history)
        return .noContent
    }
}

/// `/api/draft`: the texts that are being written.
struct DraftRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("draft", use: show)
            .put("draft", use: save)
            .post("draft/take", use: take)
            .post("draft/file", use: read)
    }

    struct DraftsResponse: ResponseEncodable {
        struct One: Encodable {
            let page: String
            let text: String
        }

        /// The one that was saved last; empty when there is none.
        let text: String
        /// The one that was saved last first.
        let drafts: [One]

        init(_ drafts: [Draft]) {
            text = drafts.first?.text ?? ""
            self.drafts = drafts.map { One(page: $0.page, text: $0.text) }
        }
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> DraftsResponse {
        DraftsResponse(try await studio.librarySession.use().library.draft.drafts())
    }

    struct Writing: Decodable {
        let text: String
        let page: String?
    }

    func save(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Writing.self, context: context)
        let page = try Self.name(body.page ?? "")
        try await studio.librarySession.use().library.draft.save(Draft(page: page, text: body.text))
        return .noContent
    }

    struct Taking: Decodable {
        /// The page that has the draft, and the one that continues it.
        let from: String
        let page: String
    }

    struct TakenResponse: ResponseEncodable {
        /// `false` when another page was first, or the draft is spoken or cleared.
        let isTaken: Bool
    }

    /// Gives a draft to another page; the page that had it is notified, and saves its text again.
    func take(_ request: Request, _ context: WebRequestContext) async throws -> TakenResponse {
        let body = try await request.decode(as: Taking.self, context: context)
        let page = try Self.name(body.page)
        let isTaken = try await studio.librarySession.use().library.draft.rename(body.from, to: page)
        if isTaken { await studio.events.post(.draft(taken: body.from)) }
        return TakenResponse(isTaken: isTaken)
    }

    /// - Throws: ``WebError/tooLong(limit:)``.
    private static func name(_ page: String) throws -> String {
        guard page.unicodeScalars.count <= Draft.longestPage else { throw WebError.tooLong(limit: Draft.longestPage) }
        return page
    }

    struct FileResponse: ResponseEncodable {
        let text: String
        let notices: [NoticeReport]
    }

    /// Returns the text of a file in any encoding; nothing is stored.
    func read(_ request: Request, _ context: WebRequestContext) async throws -> FileResponse {
        _ = try await studio.librarySession.use()
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        let bytes = Data(body.readableBytesView)
        if !DocumentKind.isUTF16(bytes.prefix(4_096)), let kind = BinaryContent(bytes.prefix(64 * 1_024)) {
            throw TextSourceError.binary(file: nil, kind: kind.name)
        }
        let file = try await studio.reader.decode(bytes)
        return FileResponse(text: file.text, notices: file.notices.map(NoticeReport.init))
    }
}
