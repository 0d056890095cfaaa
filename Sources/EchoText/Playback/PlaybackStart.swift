/// The starting point of a player.
package struct PlaybackStart: Sendable, Hashable {
    package let queue: PlaybackQueue
    /// In the first recording, in seconds.
    package let position: Double
    /// Whether it is the person's own queue.
    package let isOwnQueue: Bool

    /// These recordings, one after another.
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

    /// Where listening stopped: in the queue, where its current recording is the one; else that recording alone.
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

    /// What a list shows, from its first recording on.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay`` when it shows none.
    package static func list(_ query: AudioQuery, in library: any AudioLibrary) async throws -> PlaybackStart {
        let items = try await library.items(matching: query).items
        guard !items.isEmpty else { throw PlaybackError.nothingToPlay }
        return PlaybackStart(items)
    }

    /// Where listening stopped, or else the queue, or else the recordings, newest first.
    ///
    /// - Parameters:
    ///   - store: Has the place and the queue.
    ///   - library: Has the recordings.
    ///   - lost: Called when the recording that was heard last is gone.
    /// - Returns: What to play.
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

    /// The most recordings of a list that are played one after another.
    package static let mostListed = 100_000
}
