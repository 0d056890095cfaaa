import API
import Books
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/library`: the recordings.
struct LibraryRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("library", use: list)
            .get("library/voices", use: voices)
            .get("library/origins", use: origins)
            .post("library/favorite", use: favorite)
            .post("library/delete", use: delete)
            .delete("library/unreadable", use: deleteUnreadable)
            .get("library/:id", use: show)
            .patch("library/:id", use: change)
            .get("library/:id/text", use: text)
            .get("library/:id/timings", use: timings)
            .get("library/:id/chapters", use: chapters)
            .get("library/:id/sound", use: sound)
            .get("library/:id/file", use: file)
            .delete("library/:id/file", use: deleteFile)
            .get("library/:id/waveform", use: waveform)
    }

    // MARK: - Lists

    func list(_ request: Request, _ context: WebRequestContext) async throws -> PageResponse {
        let query = try AudioQuery(request)
        let library = try await studio.librarySession.use().library.audio
        let page = try await library.items(matching: query)
        guard query.words != nil else {
            return PageResponse(
                items: page.items.map { ItemResponse($0) },
                total: page.total,
                unreadable: page.unreadable
            )
        }
        let places = Dictionary(
            try await library.search(query).map { ($0.item.id, $0.place) },
            uniquingKeysWith: { first, _ in first }
        )
        return PageResponse(
            items: page.items.map { ItemResponse($0, place: places[$0.id] ?? nil) },
            total: page.total,
            unreadable: page.unreadable
        )
    }

    struct NamedVoice: ResponseEncodable {
        let id: String
        let name: String
        @Nullable var quality: String?
        @Nullable var variant: String?

        init(_ id: Voice.ID, called name: String) {
            (self.id, self.name) = (id.rawValue, name)
            let parts = NeuralVoiceName(of: id)
            (quality, variant) = (parts?.quality?.rawValue, parts?.variant?.rawValue)
        }
    }

    func voices(_ request: Request, _ context: WebRequestContext) async throws -> [NamedVoice] {
        try await studio.librarySession.use().library.audio.voices().map {
            NamedVoice($0.id, called: $0.name)
        }
    }

    func origins(_ request: Request, _ context: WebRequestContext) async throws -> [String] {
        try await studio.librarySession.use().library.audio.origins().map(\.rawValue)
    }

    // MARK: - One recording

    func show(_ request: Request, _ context: WebRequestContext) async throws -> ItemResponse {
        ItemResponse(try await item(context))
    }

    private func item(_ context: WebRequestContext) async throws -> AudioItem {
        let id = try context.itemID()
        guard let item = try await studio.librarySession.use().library.audio.item(id) else {
            throw LibraryError.itemNotFound
        }
        return item
    }

    func text(_ request: Request, _ context: WebRequestContext) async throws -> ItemTextResponse {
        let id = try context.itemID()
        return try await ItemTextResponse(studio.librarySession.use().library.audio.text(of: id))
    }

    func timings(_ request: Request, _ context: WebRequestContext) async throws -> TimingResponse {
        let item = try await item(context)
        let timings = try await studio.librarySession.use().library.audio.timings(of: item.id)
        return TimingResponse(timings, sampleRate: item.sampleRate)
    }

    func chapters(_ request: Request, _ context: WebRequestContext) async throws -> [ChapterResponse] {
        try await .all(of: try await item(context), in: studio.librarySession.use().library)
    }

    func sound(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.itemID()
        let sound = try await studio.librarySession.use().library.audio.sound(of: id)
        return try await StoredBytesResponse(sound, type: "audio/wav").response(to: request)
    }

    /// The file that the recording was imported from, to be saved by a browser.
    func file(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let item = try await item(context)
        let bytes = try await studio.librarySession.use().library.audio.file(of: item.id)
        let disposition = Disposition.attachment(item.fileName)
        return try await StoredBytesResponse(bytes, type: "application/octet-stream", disposition: disposition)
            .response(to: request)
    }

    /// Deletes the file that the recording was imported from; the recording stays.
    func deleteFile(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let item = try await item(context)
        let library = try await studio.librarySession.use().library.audio
        guard item.hasFile else { throw LibraryError.fileNotKept }
        try await library.deleteFiles(of: [item.id])
        await studio.events.post(.library(changed: [item.id]))
        return .noContent
    }

    /// How loud the recording is from beginning to end; its sound is read for as long as the client waits.
    func waveform(_ request: Request, _ context: WebRequestContext) async throws -> [UInt8] {
        let id = try context.itemID()
        let open = try await studio.librarySession.use()
        return try await context.whileWaitedFor(on: studio.connections) {
            try await open.waveforms.waveform(of: id, in: open.library.audio).peaks
        }
    }

    struct Change: Decodable {
        let name: String?
        let isFavorite: Bool?
    }

    func change(_ request: Request, _ context: WebRequestContext) async throws -> ItemResponse {
        let id = try context.itemID()
        let body = try await request.decode(as: Change.self, context: context)
        let open = try await studio.librarySession.use()
        let library = open.library.audio
        if let text = body.name {
            let name = try ItemName(text)
            try await library.rename(id, to: name)
            await open.rename(id, to: name)
        }
        if let isFavorite = body.isFavorite { try await library.setFavorite(isFavorite, for: [id]) }
        await studio.events.post(.library(changed: [id]))
        return ItemResponse(try await item(context))
    }

    // MARK: - Many

    struct Favorites: Decodable {
        let ids: [AudioItem.ID]
        let isFavorite: Bool
    }

    func favorite(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Favorites.self, context: context)
        try await studio.librarySession.use().library.audio.setFavorite(body.isFavorite, for: Set(body.ids))
        await studio.events.post(.library(changed: body.ids))
        return .noContent
    }

    struct Deletion: Decodable {
        let ids: [AudioItem.ID]
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Deletion.self, context: context)
        let open = try await studio.librarySession.use()
        try await open.library.audio.delete(Set(body.ids))
        await deleted(body.ids, from: open)
        return .noContent
    }

    /// Deletes what the list with the same conditions leaves out.
    func deleteUnreadable(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let query = try AudioQuery(request)
        let open = try await studio.librarySession.use()
        let ids = try await open.library.audio.deleteUnreadable(matching: query)
        // Pages hear of it also when there were none, as their lists may count what can be read again.
        await deleted(ids, from: open)
        return .noContent
    }

    private func deleted(_ ids: [AudioItem.ID], from open: OpenLibrary) async {
        // Pages hear of the deletion first, so that none asks how far the work on a deleted recording is.
        await studio.events.post(.library(deleted: ids))
        await open.endAll(of: Set(ids))
        await studio.events.post(.playback)
    }
}

extension AudioQuery {
    /// - Throws: ``WebError/badRequest(what:)``.
    init(_ request: Request) throws {
        self.init()
        words = request.wordsToFind
        field = try request.choice("in") ?? field
        order = try request.choice("order") ?? order
        isAscending = try request.flag("ascending") ?? false
        isFavorite = try request.flag("favorite")
        origins = Set(try request.choices("origin"))
        hasDocument = try request.flag("hasDocument")
        isTranscribed = try request.flag("transcribed")
        document = request.text("document").map { Document.ID(rawValue: $0) }
        voices = Set(request.texts("voice").map { Voice.ID(rawValue: $0) })
        let any = 0...Double(Int32.max)
        speed = try request.range("speed", within: any)
        pitch = try request.range("pitch", within: any)
        duration = try request.range("length", within: any)
        created = try request.dates("created")
        offset = try request.listOffset
        limit = try request.listLimit ?? limit
    }
}

extension [ChapterResponse] {
    /// The chapters that an audiobook of the recording would have.
    static func all(of item: AudioItem, in library: Library) async throws -> [ChapterResponse] {
        let book = try await RecordedBook(of: item, in: library)
        return book.marks.map { ChapterResponse($0, sampleRate: item.sampleRate) }
    }
}
