import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/documents`: documents to be read aloud.
struct DocumentRoutes: Sendable {
    let studio: WebStudio
    private let imports = ImportGate()

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<StudioContext>) {
        group.get("documents", use: list)
            .post("documents", use: add)
            .post("documents/delete", use: delete)
            .get("documents/languages", use: languages)
            .get("documents/:id", use: show)
            .patch("documents/:id", use: rename)
            .get("documents/:id/original", use: original)
    }

    // MARK: - Lists

    func list(_ request: Request, _ context: StudioContext) async throws -> DocumentListResponse {
        let query = try DocumentQuery(request)
        let library = try await studio.librarySession.enter().library.documents
        let page = try await library.documents(matching: query)
        guard query.words != nil else {
            return DocumentListResponse(documents: page.documents.map { DocumentResponse($0) }, total: page.total)
        }
        let places = Dictionary(
            try await library.search(query).map { ($0.document.id, $0.place) },
            uniquingKeysWith: { first, _ in first }
        )
        return DocumentListResponse(
            documents: page.documents.map { DocumentResponse($0, place: places[$0.id] ?? nil) },
            total: page.total
        )
    }

    func languages(_ request: Request, _ context: StudioContext) async throws -> [String] {
        try await studio.librarySession.enter().library.documents.languages()
    }

    // MARK: - Importing

    /// Imports a file, whose bytes are the body; its password is a header field and is not stored.
    func add(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<ImportResponse> {
        let library = try await studio.librarySession.enter().library.documents
        let twin: DocumentImport.DuplicatePolicy = try request.choice("twin") ?? .refuse
        let name = (request.text("name") ?? "").split(separator: "/").last.map(String.init) ?? ""
        let password = try request.documentPassword
        let outcome: DocumentImport.Outcome = try await SentFileFailure.naming(name) {
            try DocumentUpload.check(length: request.headers[.contentLength])
            return try await imports.pass {
                let importer = DocumentImport(into: library, by: studio.reader)
                let file = DocumentFile(
                    name: name,
                    bytes: try await DocumentUpload.bytes(of: request),
                    password: password
                )
                return try await importer.add(consume file, twin: twin, at: Date())
            }
        }
        if !outcome.isReused { await studio.events.post(.documents(added: [outcome.document.id])) }
        return EditedResponse(status: outcome.isReused ? .ok : .created, response: ImportResponse(outcome))
    }

    // MARK: - One

    func show(_ request: Request, _ context: StudioContext) async throws -> DocumentResponse {
        DocumentResponse(try await document(context))
    }

    private func document(_ context: StudioContext) async throws -> Document {
        let id = try context.documentID()
        guard let document = try await studio.librarySession.enter().library.documents.document(id) else {
            throw LibraryError.documentNotFound
        }
        return document
    }

    struct Change: Decodable {
        let name: String
    }

    func rename(_ request: Request, _ context: StudioContext) async throws -> DocumentResponse {
        let id = try context.documentID()
        let body = try await request.decode(as: Change.self, context: context)
        try await studio.librarySession.enter().library.documents.rename(id, to: try ItemName(body.name))
        await studio.events.post(.documents(changed: [id]))
        return DocumentResponse(try await document(context))
    }

    func original(_ request: Request, _ context: StudioContext) async throws -> Response {
        let document = try await document(context)
        let bytes = try await studio.librarySession.enter().library.documents.original(of: document.id)
        let disposition = Disposition.attachment(document.fileName)
        return try await StoredBytesResponse(bytes, type: document.kind.mediaType, disposition: disposition)
            .response(to: request)
    }

    // MARK: - Many

    struct Deletion: Decodable {
        let ids: [Document.ID]
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Deletion.self, context: context)
        try await studio.librarySession.enter().library.documents.delete(Set(body.ids))
        await studio.events.post(.documents(deleted: body.ids))
        return .noContent
    }
}

extension DocumentQuery {
    /// - Throws: ``WebError/badRequest(what:)``.
    init(_ request: Request) throws {
        self.init()
        words = request.wordsToFind
        field = try request.choice("in") ?? field
        order = try request.choice("order") ?? order
        isAscending = try request.flag("ascending") ?? false
        kinds = Set(try request.choices("kind"))
        language = request.text("language")
        pages = try request.integers("pages", within: 1...Int(Int32.max))
        added = try request.dates("added")
        offset = try request.listOffset
        limit = try request.listLimit ?? limit
    }
}
