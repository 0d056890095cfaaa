package import Foundation

/// The recordings to play, in order, and the current one.
///
/// It is a value that decides what to play; a player plays it.
package struct PlaybackQueue: Sendable, Hashable, Codable {
    /// An entry of the queue; a recording may have several.
    package struct Entry: Sendable, Hashable, Codable, Identifiable {
        package let id: UUID
        package let item: AudioItem.ID

        package init(id: UUID = UUID(), item: AudioItem.ID) {
            self.id = id
            self.item = item
        }
    }

    /// The next action of a player after a step.
    package enum Step: Sendable, Hashable {
        /// Plays this entry from its start.
        case play(Entry)
        /// Stops, because the queue has ended.
        case stop
    }

    package private(set) var entries: [Entry] = []
    /// The current entry; `nil` before the first.
    package private(set) var current: Entry.ID?

    /// The number of seconds after which “previous” leads to the start of the recording instead of to the previous one.
    package static let restartAfter = 3.0

    package init() {}

    package var currentEntry: Entry? { entries.first { $0.id == current } }

    private var currentIndex: Int? { entries.firstIndex { $0.id == current } }

    // MARK: - Editing

    package mutating func add(_ items: [AudioItem.ID]) {
        entries += items.map { Entry(item: $0) }
    }

    /// Removes entries; if the current entry is removed, the next one becomes current.
    ///
    /// Those that are gone already, as when another page removed them, do not keep the others.
    ///
    /// - Throws: ``LibraryError/entryNotFound`` when all of them are gone.
    package mutating func remove(_ ids: Set<Entry.ID>) throws(LibraryError) {
        guard ids.isEmpty || !ids.isDisjoint(with: entries.map(\.id)) else { throw .entryNotFound }
        if let index = currentIndex, ids.contains(entries[index].id) {
            current = entries[index...].first { !ids.contains($0.id) }?.id
        }
        entries.removeAll { ids.contains($0.id) }
    }

    /// Removes all entries of deleted recordings.
    package mutating func removeEntries(of items: Set<AudioItem.ID>) {
        let gone = Set(entries.filter { items.contains($0.item) }.map(\.id))
        // They were found in the queue just now.
        try? remove(gone)
    }

    /// Moves an entry behind `position` others; a position beyond the end moves it to the end.
    ///
    /// - Parameters:
    ///   - id: The entry.
    ///   - position: How many of the others that are counted stand before it then.
    ///   - isCounted: Whether one of the others is counted, as those are that a list shows.
    /// - Throws: ``LibraryError/entryNotFound``.
    package mutating func move(
        _ id: Entry.ID,
        to position: Int,
        among isCounted: (Entry) -> Bool = { _ in true }
    ) throws(LibraryError) {
        guard let from = entries.firstIndex(where: { $0.id == id }) else { throw .entryNotFound }
        let entry = entries.remove(at: from)
        let places = entries.indices.filter { isCounted(entries[$0]) }
        let index = max(0, position)
        entries.insert(entry, at: index < places.count ? places[index] : entries.count)
    }

    package mutating func clear() {
        entries = []
        current = nil
    }

    // MARK: - Stepping

    /// Begins at an entry, or at the first when none is named.
    ///
    /// - Throws: ``LibraryError/entryNotFound``.
    package mutating func start(at id: Entry.ID? = nil) throws(LibraryError) -> Step {
        guard let id else { return step(to: entries.first) }
        guard let entry = entries.first(where: { $0.id == id }) else { throw .entryNotFound }
        return step(to: entry)
    }

    /// Advances to the next entry; after the last, to the first if `loops`, else it stops there.
    package mutating func next(loops: Bool) -> Step {
        guard let index = currentIndex else { return step(to: entries.first) }
        if index + 1 < entries.count { return step(to: entries[index + 1]) }
        return loops ? step(to: entries.first) : .stop
    }

    /// Goes back to the previous entry, or to the start of the current one if that is the first or has played for some
    /// seconds.
    ///
    /// - Parameters:
    ///   - elapsed: How long the current entry has played, in seconds.
    ///   - loops: Whether the first entry is preceded by the last.
    /// - Returns: The entry to play.
    package mutating func previous(elapsed: Double, loops: Bool) -> Step {
        guard let index = currentIndex else { return step(to: entries.first) }
        if elapsed > Self.restartAfter { return step(to: entries[index]) }
        if index > 0 { return step(to: entries[index - 1]) }
        return step(to: loops ? entries.last : entries[index])
    }

    private mutating func step(to entry: Entry?) -> Step {
        guard let entry else { return .stop }
        current = entry.id
        return .play(entry)
    }
}

/// The position at which a listener stopped.
package struct Bookmark: Sendable, Hashable, Codable {
    package let item: AudioItem.ID
    /// Seconds from the recording's start.
    package let position: Double
    package let made: Date
    /// The list that the recording was played from, which continues after it; `nil` for none or the queue.
    ///
    /// It is the page's query for recordings, whose offset is the position in the list.
    package let list: String?
    /// The recording's name, once it was deleted: it says which one is gone.
    package var name: ItemName?

    /// The most characters of a list's query.
    package static let longestList = 2_000

    /// How many seconds before its end a recording counts as finished.
    package static let endMargin = 2.0

    /// - Parameters:
    ///   - item: The recording.
    ///   - position: Seconds from its start.
    ///   - duration: The recording's length in seconds; the position is clamped to it, and a position just before the
    ///     end becomes the start.
    ///   - made: The time of the bookmark.
    ///   - list: The query of the list it was played from.
    package init(item: AudioItem.ID, position: Double, duration: Double, made: Date, list: String? = nil) {
        self.item = item
        self.list = list
        let inside = position.isFinite ? min(max(0, position), max(0, duration)) : 0
        self.position = inside > duration - Self.endMargin && inside > 0 ? 0 : inside
        self.made = made
    }

    /// Makes the bookmark of a narration that was listened to before it became a recording.
    ///
    /// Fails if nothing of it was played, or if another recording has the bookmark.
    ///
    /// - Parameters:
    ///   - seconds: The listening position from the narration's start.
    ///   - item: The recording that it became.
    ///   - made: The time of the bookmark.
    ///   - present: The present bookmark.
    package init?(played seconds: Double, of item: AudioItem, made: Date, beside present: Bookmark?) {
        guard present?.item == item.id || (present == nil && seconds > 0) else { return nil }
        self.init(item: item.id, position: seconds, duration: item.duration, made: made, list: present?.list)
    }
}

/// The persistent store of the queue and the bookmark.
package protocol PlaybackStore: Sendable {
    /// An empty queue when none was saved.
    ///
    /// - Throws: ``LibraryError/queueUnreadable``, ``VaultError``.
    func queue() async throws -> PlaybackQueue

    /// Saves a queue instead of any other, also of one that cannot be read.
    func save(_ queue: PlaybackQueue) async throws

    /// Saves a queue, unless the saved one is another than `seen`.
    ///
    /// - Returns: Whether it is saved.
    /// - Throws: ``LibraryError/queueUnreadable``, ``VaultError``.
    func save(_ queue: PlaybackQueue, insteadOf seen: PlaybackQueue) async throws -> Bool

    /// The bookmark; `nil` when there is none, it or its recording cannot be read, or its recording was deleted.
    func bookmark() async throws -> Bookmark?
    func save(_ bookmark: Bookmark?) async throws

    /// The bookmark that is saved but cannot be read, or whose recording cannot be read or was deleted; `nil` if none is.
    func lostBookmark() async throws -> LostBookmark?
}

/// A bookmark whose place cannot be found any more.
package struct LostBookmark: Sendable, Hashable {
    /// The name that its recording had when it was deleted; `nil` when that is unknown.
    package let name: ItemName?

    package init(name: ItemName?) { self.name = name }
}

extension PlaybackStore {
    /// Changes the queue; what another process changes at the same time stays.
    ///
    /// - Parameter change: May be called several times, each with the present queue.
    /// - Returns: The changed queue.
    /// - Throws: What `change` throws, which changes nothing; ``LibraryError/queueUnreadable``, ``VaultError``.
    @discardableResult
    package func change(_ change: (inout PlaybackQueue) throws -> Void) async throws -> PlaybackQueue {
        while true {
            let seen = try await queue()
            var changed = seen
            try change(&changed)
            if changed == seen { return seen }
            if try await save(changed, insteadOf: seen) { return changed }
        }
    }
}
