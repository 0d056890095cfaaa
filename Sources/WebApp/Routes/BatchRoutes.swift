import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/batch`: documents that become recordings in sequence.
struct BatchRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("batch", use: show)
            .post("batch", use: add)
            .post("batch/start", use: start)
            .post("batch/cancel", use: cancel)
            .post("batch/dismiss", use: dismiss)
            .delete("batch/:id", use: remove)
            .post("batch/:id/retry", use: retry)
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        BatchResponse(try await studio.librarySession.use().batch.status())
    }

    struct AdditionBody: Decodable {
        struct Chosen: Decodable {
            let id: Document.ID
            let selection: DocumentSelection?
        }

        let documents: [Chosen]
        let isByChapter: Bool
        let narration: NarrationRequest

        private enum Key: CodingKey {
            case documents, byChapter
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            documents = try container.decode([Chosen].self, forKey: .documents)
            isByChapter = try container.decodeIfPresent(Bool.self, forKey: .byChapter) ?? false
            narration = try NarrationRequest(body: decoder)
        }
    }

    func add(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let body = try await request.decode(as: AdditionBody.self, context: context)
        guard !body.documents.isEmpty else { throw WebError.badRequest(what: "“documents” names at least one") }
        let open = try await studio.librarySession.use()
        var documents: [(document: Document, selection: DocumentSelection?)] = []
        for wanted in body.documents {
            guard let document = try await open.library.documents.document(wanted.id) else {
                throw LibraryError.documentNotFound
            }
            documents.append((document, wanted.selection))
        }
        let orders = try await body.narration.orders(
            for: documents,
            isByChapter: body.isByChapter,
            among: await studio.voices,
            in: open.library
        )
        return BatchResponse(try await open.batch.add(orders.map { $0.order }))
    }

    func start(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let batch = try await studio.librarySession.use().batch
        await batch.start()
        return BatchResponse(try await batch.status())
    }

    func cancel(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let batch = try await studio.librarySession.use().batch
        try await batch.cancel()
        return BatchResponse(try await batch.status())
    }

    func dismiss(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let batch = try await studio.librarySession.use().batch
        try await batch.dismiss()
        return BatchResponse(try await batch.status())
    }

    func remove(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let id = try entry(context)
        let batch = try await studio.librarySession.use().batch
        try await batch.remove(id)
        return BatchResponse(try await batch.status())
    }

    func retry(_ request: Request, _ context: WebRequestContext) async throws -> BatchResponse {
        let id = try entry(context)
        let batch = try await studio.librarySession.use().batch
        try await batch.retry(id)
        return BatchResponse(try await batch.status())
    }

    private func entry(_ context: WebRequestContext) throws -> BatchEntry.ID {
        guard let id = BatchEntry.ID(try context.parameters.require("id")) else {
            throw LibraryError.batchEntryNotFound
        }
        return id
    }
}
