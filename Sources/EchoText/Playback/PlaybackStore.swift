package import Foundation

/// Where in a recording its listener stopped.
///
/// - SeeAlso: requirement FR25.
package struct Bookmark: Sendable, Hashable, Codable {
    package let item: AudioItem.ID
    /// Seconds from the recording's start.
    package let position: Double
    package let made: Date

    /// How near its end a recording counts as heard, in seconds.
    package static let heardBefore = 2.0

    /// - Parameters:
    ///   - item: What was heard.
    ///   - position: Seconds from its start.
    ///   - duration: Its length in seconds; a position outside is moved to its nearest end, and one just before the end to the start.
    ///   - made: When.
    package init(item: AudioItem.ID, position: Double, duration: Double, made: Date) {
        self.item = item
        let inside = position.isFinite ? min(max(0, position), max(0, duration)) : 0
        self.position = inside > duration - Self.heardBefore && inside > 0 ? 0 : inside
        self.made = made
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
}
