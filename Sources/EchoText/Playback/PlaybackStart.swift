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
    /// - Throws: ``PlaybackError/noBookmark``.
    package static func bookmark(in store: any PlaybackStore) async throws -> PlaybackStart {
        guard let bookmark = try await store.bookmark() else { throw PlaybackError.noBookmark }
        let queue = try await store.queue()
        if queue.currentEntry?.item == bookmark.item {
            return PlaybackStart(queue, position: bookmark.position, isOwnQueue: true)
        }
        var alone = PlaybackQueue()
        alone.add([bookmark.item])
        return PlaybackStart(alone, position: bookmark.position, isOwnQueue: false)
    }

    /// Where listening stopped, or else the queue.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay``.
    package static func anything(in store: any PlaybackStore) async throws -> PlaybackStart {
        do {
            return try await bookmark(in: store)
        } catch PlaybackError.noBookmark {
            return try await queue(in: store)
        }
    }
}
