import EchoText
import Foundation
import HTTPTypes
import Hummingbird

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

    func add(to group: RouterGroup<StudioContext>) {
        group.get("documents/:id/structure", use: structure)
            .get("documents/:id/text", use: text)
            .get("documents/:id/places", use: places)
            .get("documents/:id/picture", use: picture)
            .get("documents/:id/thumbnail", use: thumbnail)
    }

    func structure(_ request: Request, _ context: StudioContext) async throws -> StructureResponse {
        let id = try context.documentID()
        return StructureResponse(try await studio.librarySession.enter().library.documents.structure(of: id))
    }

    func text(_ request: Request, _ context: StudioContext) async throws -> PassageResponse {
        let id = try context.documentID()
        let any = 0...Int(Int32.max)
        let from = try request.integer("from", in: any) ?? 0
        let furthest = from + Self.longestPassage
        let to = min(furthest, try request.integer("to", in: any) ?? furthest)
        guard from <= to else { throw WebError.badRequest(what: "“from” is not after “to”") }
        let documents = try await studio.librarySession.enter().library.documents
        let structure = try await documents.structure(of: id)
        return PassageResponse(try await documents.passage(of: id, in: from..<to), of: structure)
    }

    func places(_ request: Request, _ context: StudioContext) async throws -> PlacesResponse {
        let id = try context.documentID()
        let limit = try request.integer("limit", in: 1...Self.maximumPlaces) ?? 500
        let documents = try await studio.librarySession.enter().library.documents
        // One more than the limit reveals whether there are more.
        let found = try await documents.places(of: request.text("words") ?? "", in: id, limit: limit + 1)
        return PlacesResponse(found, limit: limit, of: try await documents.structure(of: id))
    }

    // MARK: - Pictures

    /// A page or the cover, drawn in the requested size.
    func picture(_ request: Request, _ context: StudioContext) async throws -> Response {
        let id = try context.documentID()
        let page = try request.integer("page", in: 1...DocumentKind.maximumPages)
        let width = try request.integer("width", in: 16...PagePicture.widest) ?? 800
        let password = try request.documentPassword
        let documents = try await studio.librarySession.enter().library.documents
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
    func thumbnail(_ request: Request, _ context: StudioContext) async throws -> Response {
        let id = try context.documentID()
        guard let picture = try await studio.librarySession.enter().library.documents.picture(of: id) else {
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
