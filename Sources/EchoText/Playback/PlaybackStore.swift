/// Where the queue and the bookmark outlive the program.
package protocol PlaybackStore: Sendable {
    /// An empty queue when none was saved.
    func queue() async throws -> PlaybackQueue
    func save(_ queue: PlaybackQueue) async throws

    /// Where listening stopped; `nil` when there is nothing, or the recording is gone.
    func bookmark() async throws -> Bookmark?
    func save(_ bookmark: Bookmark?) async throws
}
