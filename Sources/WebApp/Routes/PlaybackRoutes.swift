import API
import EchoText
import Foundation
import Hummingbird

/// `/api/playback`: the queue and where listening stopped.
struct PlaybackRoutes: Sendable {
    let studio: WebStudio
    private let turns = PrioritySemaphore(permits: 1)

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("playback", use: show)
            .post("playback/entries", use: append)
            .post("playback/entries/remove", use: remove)
            .post("playback/entries/move", use: move)
            .put("playback/current", use: setCurrent)
            .post("playback/clear", use: clear)
            .put("playback/bookmark", use: setBookmark)
            .delete("playback/bookmark", use: removeBookmark)
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        try await answer(try await studio.librarySession.use().library)
    }

    private func answer(_ library: Library) async throws -> PlaybackResponse {
        var queue = PlaybackQueue()
        var isUnreadable = false
        do {
            queue = try await library.playback.queue()
        } catch LibraryError.queueUnreadable {
            isUnreadable = true
        }
        let items = try await library.audio.readableItems(Set(queue.entries.map(\.item)))
        let entries = queue.entries.compactMap { entry in
            items[entry.item].map { PlaybackResponse.Entry(entry, of: $0) }
        }
        let missing = Set(queue.entries.map(\.item)).subtracting(items.keys)
        let unreadable = try await library.audio.unreadable(among: missing)
        var mark: PlaybackResponse.Mark?
        if let bookmark = try await library.playback.bookmark(), let item = try await library.audio.item(bookmark.item)
        {
            mark = PlaybackResponse.Mark(bookmark, of: item)
        }
        return PlaybackResponse(
            entries: entries,
            current: queue.current,
            bookmark: mark,
            lost: try await library.playback.lostBookmark(),
            isUnreadable: isUnreadable,
            unreadable: queue.entries.count { unreadable.contains($0.item) }
        )
    }

    /// Changes the queue, posts an event, and answers with the new queue.
    private func edit(_ change: (inout PlaybackQueue) throws -> Void) async throws -> PlaybackResponse {
        let library = try await studio.librarySession.use().library
        // Requests run in the sequence in which they come.
        try await turns.pass { _ in _ = try await library.playback.change(change) }
        await studio.events.post(.playback)
        return try await answer(library)
    }

    struct Addition: Decodable {
        let items: [AudioItem.ID]
        let start: Bool?
    }

    func append(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        let body = try await request.decode(as: Addition.self, context: context)
        let audio = try await studio.librarySession.use().library.audio
        let found = try await audio.readableItems(Set(body.items))
        for id in body.items where found[id] == nil {
            guard try await audio.item(id) != nil else { throw LibraryError.itemNotFound }
        }
        return try await edit { queue in
            let count = queue.entries.count
            queue.add(body.items)
            if body.start == true, queue.entries.count > count { _ = try queue.start(at: queue.entries[count].id) }
        }
    }

    struct Removal: Decodable {
        let ids: [UUID]
    }

    func remove(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        let body = try await request.decode(as: Removal.self, context: context)
        return try await edit { try $0.remove(Set(body.ids)) }
    }

    struct Move: Decodable {
        let id: UUID
        let position: Int
    }

    func move(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        let body = try await request.decode(as: Move.self, context: context)
        let library = try await studio.librarySession.use().library
        let items = Set(try await library.playback.queue().entries.map(\.item))
        // A page counts the entries that it was given, which are without those that cannot be read.
        let shown = Set(try await library.audio.readableItems(items).keys)
        return try await edit { queue in
            try queue.move(body.id, to: body.position, among: { shown.contains($0.item) })
        }
    }

    struct Current: Decodable {
        let id: UUID
    }

    func setCurrent(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        let body = try await request.decode(as: Current.self, context: context)
        return try await edit { _ = try $0.start(at: body.id) }
    }

    func clear(_ request: Request, _ context: WebRequestContext) async throws -> PlaybackResponse {
        let library = try await studio.librarySession.use().library
        // A queue that cannot be read is emptied too.
        try await turns.pass { _ in try await library.playback.save(PlaybackQueue()) }
        await studio.events.post(.playback)
        return try await answer(library)
    }

    struct Mark: Decodable {
        let item: AudioItem.ID
        let position: Double
        let list: String?
    }

    func setBookmark(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Mark.self, context: context)
        let library = try await studio.librarySession.use().library
        guard let item = try await library.audio.item(body.item) else { throw LibraryError.itemNotFound }
        guard (body.list?.count ?? 0) <= Bookmark.longestList else {
            throw WebError.tooLong(limit: Bookmark.longestList)
        }
        let bookmark = Bookmark(
            item: item.id,
            position: body.position,
            duration: item.duration,
            made: Date(),
            list: body.list
        )
        try await library.playback.save(bookmark)
        return .noContent
    }

    func removeBookmark(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.use().library.playback.save(nil as Bookmark?)
        return .noContent
    }
}
