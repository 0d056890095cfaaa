/// What a sound file says about itself.
///
/// Raw PCM has no room for it.
package struct AudioTags: Sendable, Hashable, Codable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var comment: String?
    /// A year or an ISO 8601 date.
    package var date: String?

    package init(
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        comment: String? = nil,
        date: String? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.comment = comment
        self.date = date
    }
}
