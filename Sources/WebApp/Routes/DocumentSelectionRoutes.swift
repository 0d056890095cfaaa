import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// The selection of a document: choosing it, previewing it, and speaking it.
struct DocumentSelectionRoutes: Sendable {
    let studio: WebStudio
    /// Each has a whole text in memory.
    private let previews = PrioritySemaphore(permits: 2)

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<StudioContext>) {
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

    func selection(_ request: Request, _ context: StudioContext) async throws -> SelectionResponse {
        let id = try context.documentID()
        let remembered = try await studio.librarySession.enter().library.documents.selection(of: id)
        return SelectionResponse(remembered ?? DocumentSelection())
    }

    func remember(_ request: Request, _ context: StudioContext) async throws -> SelectionResponse {
        let id = try context.documentID()
        let selection = try await request.decode(as: DocumentSelection.self, context: context)
        let documents = try await studio.librarySession.enter().library.documents
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

    func preview(_ request: Request, _ context: StudioContext) async throws -> SpokenResponse {
        let id = try context.documentID()
        let body = try await request.decode(as: Wanted.self, context: context)
        let (from, to) = (body.from ?? 0, body.to ?? .max)
        guard from <= to else { throw WebError.badRequest(what: "“from” is not after “to”") }
        let documents = try await studio.librarySession.enter().library.documents
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

    func narrate(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<NarrationResponse> {
        let id = try context.documentID()
        let body = try await request.decode(as: DocumentOrderBody.self, context: context)
        let open = try await studio.librarySession.enter()
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
        narration = try NarrationBody(from: decoder).narration
    }
}
