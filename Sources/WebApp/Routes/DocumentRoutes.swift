import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// `/api/documents`: documents to be read aloud.
struct DocumentRoutes: Sendable {
    let studio: WebStudio
    private let imports = ImportGate()

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("documents", use: list)
            .post("documents", use: add)
            .post("documents/delete", use: delete)
            .get("documents/languages", use: languages)
            .get("documents/:id", use: show)
            .patch("documents/:id", use: rename)
            .get("documents/:id/original", use: original)
    }

    // MARK: - Lists

    func list(_ request: Request, _ context: WebRequestContext) async throws -> DocumentListResponse {
        let query = try DocumentQuery(request)
        let library = try await studio.librarySession.use().library.documents
        let page = try await library.documents(matching: query)
        guard query.words != nil else {
            return DocumentListResponse(
                documents: page.documents.map { DocumentResponse($0) },
                total: page.total,
                unreadable: page.unreadable
            )
        }
        let places = Dictionary(
            try await library.search(query).map { ($0.document.id, $0.place) },
            uniquingKeysWith: { first, _ in first }
        )
        return DocumentListResponse(
            documents: page.documents.map { DocumentResponse($0, place: places[$0.id] ?? nil) },
            total: page.total,
            unreadable: page.unreadable
        )
    }

    func languages(_ request: Request, _ context: WebRequestContext) async throws -> [String] {
        try await studio.librarySession.use().library.documents.languages()
    }

    // MARK: - Importing

    /// Imports a file, whose bytes are the body; its password is a header field and is not stored.
    func add(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<ImportResponse> {
        let library = try await studio.librarySession.use().library.documents
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

    func show(_ request: Request, _ context: WebRequestContext) async throws -> DocumentResponse {
        DocumentResponse(try await document(context))
    }

    private func document(_ context: WebRequestContext) async throws -> Document {
        let id = try context.documentID()
        guard let document = try await studio.librarySession.use().library.documents.document(id) else {
            throw LibraryError.documentNotFound
        }
        return document
    }

    struct Change: Decodable {
        let name: String
    }

    func rename(_ request: Request, _ context: WebRequestContext) async throws -> DocumentResponse {
        let id = try context.documentID()
        let body = try await request.decode(as: Change.self, context: context)
        try await studio.librarySession.use().library.documents.rename(id, to: try ItemName(body.name))
        await studio.events.post(.documents(changed: [id]))
        return DocumentResponse(try await document(context))
    }

    func original(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let document = try await document(context)
        let bytes = try await studio.librarySession.use().library.documents.original(of: document.id)
        let disposition = Disposition.attachment(document.fileName)
        return try await StoredBytesResponse(bytes, type: document.kind.mediaType, disposition: disposition)
            .response(to: request)
    }

    // MARK: - Many

    struct Deletion: Decodable {
        let ids: [Document.ID]
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Deletion.self, context: context)
        try await studio.librarySession.use().library.documents.delete(Set(body.ids))
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

/// The content of a document for the viewer: its parts, text and pages.
struct DocumentReadingRoutes: Sendable {
    let studio: WebStudio
    /// Drawing a page takes the whole file into memory.
    private let drawings = PrioritySemaphore(permits: 2)

    /// The most UTF-16 units that are sent at once.
    static let longestPassage = 250_000
    private static let maximumPlaces = 5_000

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("documents/:id/structure", use: structure)
            .get("documents/:id/text", use: text)
            .get("documents/:id/places", use: places)
            .get("documents/:id/picture", use: picture)
            .get("documents/:id/thumbnail", use: thumbnail)
    }

    func structure(_ request: Request, _ context: WebRequestContext) async throws -> StructureResponse {
        let id = try context.documentID()
        return StructureResponse(try await studio.librarySession.use().library.documents.structure(of: id))
    }

    func text(_ request: Request, _ context: WebRequestContext) async throws -> PassageResponse {
        let id = try context.documentID()
        let any = 0...Int(Int32.max)
        let from = try request.integer("from", in: any) ?? 0
        let furthest = from + Self.longestPassage
        let to = min(furthest, try request.integer("to", in: any) ?? furthest)
        guard from <= to else { throw WebError.badRequest(what: "“from” is not after “to”") }
        let documents = try await studio.librarySession.use().library.documents
        let structure = try await documents.structure(of: id)
        return PassageResponse(try await documents.passage(of: id, in: from..<to), of: structure)
    }

    func places(_ request: Request, _ context: WebRequestContext) async throws -> PlacesResponse {
        let id = try context.documentID()
        let limit = try request.integer("limit", in: 1...Self.maximumPlaces) ?? 500
        let documents = try await studio.librarySession.use().library.documents
        // A result beyond the limit reveals whether there are more.
        let found = try await documents.places(of: request.text("words") ?? "", in: id, limit: limit + 1)
        return PlacesResponse(found, limit: limit, of: try await documents.structure(of: id))
    }

    // MARK: - Pictures

    /// A page or the cover, drawn in the requested size.
    func picture(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.documentID()
        let page = try request.integer("page", in: 1...DocumentKind.maximumPages)
        let width = try request.integer("width", in: 16...PagePicture.widest) ?? 800
        let password = try request.documentPassword
        let documents = try await studio.librarySession.use().library.documents
        guard let document = try await documents.document(id) else { throw LibraryError.documentNotFound }
        let original = try await documents.original(of: id)
        let picture = try await drawings.pass { _ in
            let bytes = try await original.read(0..<original.length)
            let file = DocumentFile(name: document.fileName, bytes: bytes, password: password)
            return try await studio.reader.picture(of: page, in: file, width: width)
        }
        return Self.response(picture.png, type: "image/png")
    }

    /// Returns the small picture that is stored with the document.
    func thumbnail(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.documentID()
        guard let picture = try await studio.librarySession.use().library.documents.picture(of: id) else {
            throw DocumentError.noPicture
        }
        let isJPEG = picture.starts(with: [0xFF, 0xD8, 0xFF])
        return Self.response(picture, type: isJPEG ? "image/jpeg" : "image/png")
    }

    private static func response(_ picture: Data, type: String) -> Response {
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: picture))
        return Response(status: .ok, headers: [.contentType: type], body: body)
    }
}

/// The selection of a document: choosing it, previewing it, and speaking it.
struct DocumentSelectionRoutes: Sendable {
    let studio: WebStudio
    /// Each has a whole text in memory.
    private let previews = PrioritySemaphore(permits: 2)

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("documents/:id/selection", use: selection)
            .put("documents/:id/selection", use: remember)
            .post("documents/:id/preview", use: preview)
            .post("documents/:id/narrations", use: narrate)
    }

    struct SelectionResponse: ResponseEncodable {
        private let selection: DocumentSelection

        init(_ selection: DocumentSelection) {
            self.selection = selection
        }

        func encode(to encoder: any Encoder) throws { try selection.encode(to: encoder) }
    }

    func selection(_ request: Request, _ context: WebRequestContext) async throws -> SelectionResponse {
        let id = try context.documentID()
        let remembered = try await studio.librarySession.use().library.documents.selection(of: id)
        return SelectionResponse(remembered ?? DocumentSelection())
    }

    func remember(_ request: Request, _ context: WebRequestContext) async throws -> SelectionResponse {
        let id = try context.documentID()
        let selection = try await request.decode(as: DocumentSelection.self, context: context)
        let documents = try await studio.librarySession.use().library.documents
        // Only a selection that is valid for the document is stored.
        _ = try selection.ranges(in: try await documents.structure(of: id))
        try await documents.remember(selection, for: id)
        return SelectionResponse(selection)
    }

    struct Wanted: Decodable {
        let selection: DocumentSelection?
        let from: Int?
        let to: Int?
    }

    func preview(_ request: Request, _ context: WebRequestContext) async throws -> SpokenResponse {
        let id = try context.documentID()
        let body = try await request.decode(as: Wanted.self, context: context)
        let (from, to) = (body.from ?? 0, body.to ?? .max)
        guard from <= to else { throw WebError.badRequest(what: "“from” is not after “to”") }
        let documents = try await studio.librarySession.use().library.documents
        let structure = try await documents.structure(of: id)
        let selection = try await chosen(body.selection, of: id, in: documents)
        return try await previews.pass { _ in
            let spoken = try SpokenSelection(of: try await documents.text(of: id), structure, selection)
            return try SpokenResponse(spoken, of: selection, in: structure, within: from..<to)
        }
    }

    /// Returns the selection of the request, or the last one.
    private func chosen(_ selection: DocumentSelection?, of id: Document.ID, in documents: any DocumentLibrary)
        async throws -> DocumentSelection
    {
        if let selection { return selection }
        return try await documents.selection(of: id) ?? DocumentSelection()
    }

    func narrate(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<NarrationResponse> {
        let id = try context.documentID()
        let body = try await request.decode(as: DocumentOrderBody.self, context: context)
        let open = try await studio.librarySession.use()
        let documents = open.library.documents
        guard let document = try await documents.document(id) else { throw LibraryError.documentNotFound }
        let selection = try await chosen(body.selection, of: id, in: documents)
        var order = try await body.narration.order(
            for: document,
            selection,
            among: await studio.voices,
            in: open.library
        )
        let spoken = try await documents.spoken(selection, of: id)
        order.languages = spoken.languages(of: try await documents.structure(of: id))
        let status = try await open.narrations.take(order, text: spoken.text)
        if body.selection != nil { try await documents.remember(selection, for: id) }
        return EditedResponse(status: .created, response: NarrationResponse(status))
    }
}

/// How a document is to be spoken, as the page says it.
struct DocumentOrderBody: Decodable {
    let selection: DocumentSelection?
    let narration: NarrationRequest

    private enum Key: CodingKey {
        case selection
    }

    init(from decoder: any Decoder) throws {
        selection = try decoder.container(keyedBy: Key.self).decodeIfPresent(DocumentSelection.self, forKey: .selection)
        narration = try NarrationRequest(body: decoder)
    }
}

/// A document's bytes on their way in.
enum DocumentUpload {
    /// Most bytes of a file of any kind.
    private static let largest = DocumentKind.allCases.map(\.largestFile).max() ?? 0

    /// Rejects a body that is declared too long before reading it.
    ///
    /// - Throws: ``DocumentError/tooLarge(limit:)``.
    static func check(length: String?) throws {
        guard let length = length.flatMap({ Int($0) }) else { return }
        guard length <= largest else { throw DocumentError.tooLarge(limit: largest) }
    }

    /// Reads the whole body of a request.
    ///
    /// - Throws: ``DocumentError/tooLarge(limit:)``; errors of reading when the browser disconnects.
    static func bytes(of request: Request) async throws -> Data {
        // Growing by doubling would take up to three times a large file.
        let expected = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        var bytes = Data(capacity: min(max(0, expected), largest))
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= largest else { throw DocumentError.tooLarge(limit: largest) }
            buffer.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

extension Request {
    /// The password of a document, percent-encoded, because header fields are ASCII only.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    var documentPassword: String? {
        get throws {
            guard let field = headers[.documentPassword] else { return nil }
            guard let password = field.removingPercentEncoding else {
                throw WebError.badRequest(what: "“X-Document-Password” is percent-encoded UTF-8")
            }
            return password
        }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initializer fails only for characters a header name may not have.
    static let documentPassword = Self("X-Document-Password")!
}

/// Allows one import at a time, because each holds a whole file in memory; a few may wait with unread bodies.
final class ImportGate: Sendable {
    /// The most that are inside or wait.
    static let most = 8

    private let turns = PrioritySemaphore(permits: 1)
    private let count = Atomic(0)

    /// - Throws: ``WebError/busy``; what `work` throws; `CancellationError`.
    func pass<Output>(_ work: () async throws -> Output) async throws -> Output {
        try await enter { try await turns.pass { _ in try await work() } }
    }

    /// Reads a body before the turn of `work`, so that a client that sends slowly keeps nobody waiting.
    ///
    /// - Parameters:
    ///   - read: Reads the body, to disk and not into memory: others may read theirs at the same time.
    ///   - work: Receives what was read, when its turn comes.
    /// - Returns: What `work` returned.
    /// - Throws: ``WebError/busy``; what `read` and `work` throw; `CancellationError`.
    func pass<Body, Output>(
        reading read: () async throws -> Body,
        then work: (Body) async throws -> Output
    ) async throws -> Output {
        try await enter {
            let body = try await read()
            return try await turns.pass { _ in try await work(body) }
        }
    }

    private func enter<Output>(_ work: () async throws -> Output) async throws -> Output {
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else { throw WebError.busy }
        return try await work()
    }
}

/// A stretch of a document's text with the blocks and marks that touch it.
struct PassageResponse: ResponseEncodable {
    struct Block: Encodable {
        let kind: String
        let level: Int
        let from: Int
        let to: Int
    }

    struct Mark: Encodable {
        /// Its index among all of the document's marks, which selections use.
        let index: Int
        let role: String
        let from: Int
        let to: Int
    }

    let from: Int
    let to: Int
    /// The length of the whole text.
    let length: Int
    let text: String
    let blocks: [Block]
    let marks: [Mark]

    init(_ passage: DocumentPassage, of structure: DocumentStructure) {
        (from, to, text) = (passage.range.lowerBound, passage.range.upperBound, passage.text)
        length = structure.length
        blocks = structure.blocks.filter { $0.range.overlaps(passage.range) }.map { block in
            Block(
                kind: block.kind.rawValue,
                level: block.level,
                from: block.range.lowerBound,
                to: block.range.upperBound
            )
        }
        marks = structure.marks.enumerated().filter { $1.range.overlaps(passage.range) }.map { index, mark in
            Mark(index: index, role: mark.role.rawValue, from: mark.range.lowerBound, to: mark.range.upperBound)
        }
    }
}

/// The positions of words in a document.
struct PlacesResponse: ResponseEncodable {
    struct Place: Encodable {
        let from: Int
        let to: Int
        let page: Int
    }

    let places: [Place]
    /// Whether there are more.
    let isCut: Bool

    init(_ ranges: [TextRange], limit: Int, of structure: DocumentStructure) {
        isCut = ranges.count > limit
        places = ranges.prefix(limit).map { range in
            Place(from: range.lowerBound, to: range.upperBound, page: structure.page(at: range.lowerBound))
        }
    }
}
