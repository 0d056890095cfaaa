/// The starting point of a player.
package struct PlaybackStart: Sendable, Hashable {
    package let queue: PlaybackQueue
    /// The position in the first recording, in seconds.
    package let position: Double
    /// Whether it is the person's own queue.
    package let isOwnQueue: Bool

    /// Plays these recordings in sequence.
    package init(_ items: [AudioItem]) {
        var queue = PlaybackQueue()
        queue.add(items.map(\.id))
        self.init(queue, position: 0, isOwnQueue: false)
    }

    private init(_ queue: PlaybackQueue, position: Double, isOwnQueue: Bool) {
        self.queue = queue
        self.position = position
        self.isOwnQueue = isOwnQueue
    }

    /// The queue from its current entry on.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay`` when it is empty.
    package static func queue(in store: any PlaybackStore) async throws -> PlaybackStart {
        let queue = try await store.queue()
        guard !queue.entries.isEmpty else { throw PlaybackError.nothingToPlay }
        return PlaybackStart(queue, position: 0, isOwnQueue: true)
    }

    /// Starts at the bookmark: in the queue if its current recording has the bookmark, else in that recording alone.
    ///
    /// - Throws: ``PlaybackError/noBookmark``, ``PlaybackError/bookmarkLost``.
    package static func bookmark(in store: any PlaybackStore) async throws -> PlaybackStart {
        guard let bookmark = try await store.bookmark() else {
            throw try await store.isBookmarkLost() ? PlaybackError.bookmarkLost : .noBookmark
        }
        let queue = try await store.queue()
        if queue.currentEntry?.item == bookmark.item {
            return PlaybackStart(queue, position: bookmark.position, isOwnQueue: true)
        }
        var alone = PlaybackQueue()
        alone.add([bookmark.item])
        return PlaybackStart(alone, position: bookmark.position, isOwnQueue: false)
    }

    /// Starts with the first recording of a list.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay`` when the list is empty.
    package static func list(_ query: AudioQuery, in library: any AudioLibrary) async throws -> PlaybackStart {
        let items = try await library.items(matching: query).items
        guard !items.isEmpty else { throw PlaybackError.nothingToPlay }
        return PlaybackStart(items)
    }

    /// Starts at the bookmark, else with the queue, else with all recordings, newest first.
    ///
    /// - Parameters:
    ///   - store: The store of the bookmark and the queue.
    ///   - library: The library with the recordings.
    ///   - lost: Called when the recording of the bookmark was deleted.
    /// - Returns: The recordings to play.
    /// - Throws: ``PlaybackError/nothingToPlay``.
    package static func anything(
        in store: any PlaybackStore,
        _ library: any AudioLibrary,
        lost: (PlaybackError) -> Void = { _ in }
    ) async throws -> PlaybackStart {
        do {
            return try await bookmark(in: store)
        } catch PlaybackError.noBookmark {
        } catch let error as PlaybackError where error == .bookmarkLost {
            lost(error)
        }
        do {
            return try await queue(in: store)
        } catch PlaybackError.nothingToPlay {
            var all = AudioQuery()
            all.limit = mostListed
            return try await list(all, in: library)
        }
    }

    /// The most recordings of a list that are played in sequence.
    package static let mostListed = 100_000
}
