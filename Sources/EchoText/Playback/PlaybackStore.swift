package import Foundation

/// The position at which a listener stopped.
///
/// - SeeAlso: requirement FR25.
package struct Bookmark: Sendable, Hashable, Codable {
    package let item: AudioItem.ID
    /// Seconds from the recording's start.
    package let position: Double
    package let made: Date
    /// The list that the recording was played from, which continues after it; `nil` for none or the queue.
    ///
    /// It is the page's query for recordings, whose offset is the position in the list.
    package let list: String?

    /// The most characters of a list's query.
    package static let longestList = 2_000

    /// How many seconds before its end a recording counts as finished.
    package static let heardBefore = 2.0

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
        self.position = inside > duration - Self.heardBefore && inside > 0 ? 0 : inside
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
    package init?(heard seconds: Double, of item: AudioItem, made: Date, beside present: Bookmark?) {
        guard present?.item == item.id || (present == nil && seconds > 0) else { return nil }
        self.init(item: item.id, position: seconds, duration: item.duration, made: made, list: present?.list)
    }
}

/// The persistent store of the queue and the bookmark.
package protocol PlaybackStore: Sendable {
    /// An empty queue when none was saved.
    func queue() async throws -> PlaybackQueue
    func save(_ queue: PlaybackQueue) async throws

    /// The bookmark; `nil` when there is none, or its recording was deleted.
    func bookmark() async throws -> Bookmark?
    func save(_ bookmark: Bookmark?) async throws

    /// Whether the recording of the saved bookmark was deleted.
    func isBookmarkLost() async throws -> Bool
}
