package import Foundation

/// Where in a recording its listener stopped.
///
/// - SeeAlso: requirement FR25.
package struct Bookmark: Sendable, Hashable, Codable {
    package let item: AudioItem.ID
    /// Seconds from the recording's start.
    package let position: Double
    package let made: Date
    /// The list that it was played from and that is played after it; `nil` when nothing or the queue is.
    ///
    /// It is the query of a request for recordings, with the place in the list as its offset, as the page wrote it.
    package let list: String?

    /// The most characters of a list's query.
    package static let longestList = 2_000

    /// How near its end a recording counts as heard, in seconds.
    package static let heardBefore = 2.0

    /// - Parameters:
    ///   - item: What was heard.
    ///   - position: Seconds from its start.
    ///   - duration: Its length in seconds; a position outside is moved to its nearest end, and one just before the end to the start.
    ///   - made: When.
    ///   - list: The query of the list that it was played from.
    package init(item: AudioItem.ID, position: Double, duration: Double, made: Date, list: String? = nil) {
        self.item = item
        self.list = list
        let inside = position.isFinite ? min(max(0, position), max(0, duration)) : 0
        self.position = inside > duration - Self.heardBefore && inside > 0 ? 0 : inside
        self.made = made
    }

    /// Where listening to a narration stopped before it became a recording.
    ///
    /// Fails when nothing of it was heard, and when something else has the bookmark.
    ///
    /// - Parameters:
    ///   - seconds: From the narration's start.
    ///   - item: The recording that it has become.
    ///   - made: When.
    ///   - present: The bookmark that there is.
    package init?(heard seconds: Double, of item: AudioItem, made: Date, beside present: Bookmark?) {
        guard present?.item == item.id || (present == nil && seconds > 0) else { return nil }
        self.init(item: item.id, position: seconds, duration: item.duration, made: made, list: present?.list)
    }
}

/// Where the queue and the bookmark outlive the program.
package protocol PlaybackStore: Sendable {
    /// An empty queue when none was saved.
    func queue() async throws -> PlaybackQueue
    func save(_ queue: PlaybackQueue) async throws

    /// Where listening stopped; `nil` when there is nothing, or the recording is gone.
    func bookmark() async throws -> Bookmark?
    func save(_ bookmark: Bookmark?) async throws

    /// Whether a bookmark was saved whose recording is gone.
    func isBookmarkLost() async throws -> Bool
}
