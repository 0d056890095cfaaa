package import Foundation

/// The recordings to play, in order, and the listener's place among them.
///
/// A value without a player: it says what is to be played, and a player does it.
///
/// - SeeAlso: requirements FR19–20 and FR22–24.
package struct PlaybackQueue: Sendable, Hashable, Codable {
    /// One place in the queue; a recording may be in it more than once.
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
        /// Plays this one from its start.
        case play(Entry)
        /// Stops; the queue has nothing more.
        case stop
    }

    package private(set) var entries: [Entry] = []
    /// Which entry is heard; `nil` before the first.
    package private(set) var current: Entry.ID?

    /// How long the first seconds of a recording are, in which “previous” leads to the one before and not to its start.
    package static let restartAfter = 3.0

    package init() {}

    package var currentEntry: Entry? { entries.first { $0.id == current } }

    private var currentIndex: Int? { entries.firstIndex { $0.id == current } }

    // MARK: - Editing

    package mutating func add(_ items: [AudioItem.ID]) {
        entries += items.map { Entry(item: $0) }
    }

    /// Takes entries out; when the current one goes, what followed it becomes current.
    ///
    /// - Throws: ``LibraryError/entryNotFound``, nothing being changed then.
    package mutating func remove(_ ids: Set<Entry.ID>) throws(LibraryError) {
        guard ids.isSubset(of: entries.map(\.id)) else { throw .entryNotFound }
        if let index = currentIndex, ids.contains(entries[index].id) {
            current = entries[index...].first { !ids.contains($0.id) }?.id
        }
        entries.removeAll { ids.contains($0.id) }
    }

    /// Takes out every entry of recordings that are gone.
    package mutating func removeEntries(of items: Set<AudioItem.ID>) {
        let gone = Set(entries.filter { items.contains($0.item) }.map(\.id))
        // They were found in the queue just now.
        try? remove(gone)
    }

    /// Moves an entry so that `position` entries stand before it; one beyond the end puts it last.
    ///
    /// - Throws: ``LibraryError/entryNotFound``.
    package mutating func move(_ id: Entry.ID, to position: Int) throws(LibraryError) {
        guard let from = entries.firstIndex(where: { $0.id == id }) else { throw .entryNotFound }
        let entry = entries.remove(at: from)
        entries.insert(entry, at: min(max(0, position), entries.count))
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

    /// On to the next; after the last, to the first when `loops`, else it stops and stays there.
    package mutating func next(loops: Bool) -> Step {
        guard let index = currentIndex else { return step(to: entries.first) }
        if index + 1 < entries.count { return step(to: entries[index + 1]) }
        return loops ? step(to: entries.first) : .stop
    }

    /// Back to the one before; to the start of this one when it is the first or has been heard for some seconds.
    ///
    /// - Parameters:
    ///   - elapsed: How long the current one has been heard, in seconds.
    ///   - loops: Whether the last one stands before the first.
    /// - Returns: What to play.
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
