package import EchoText
package import Foundation

/// The queue, and where listening stopped.
package struct PlaybackResponse: Encodable, Sendable {
    /// An entry of the queue; a recording may have several.
    package struct Entry: Encodable, Sendable {
        package let id: UUID
        /// In a command's list: its number, from 1.
        package let number: Int?
        /// In a command's list: whether it is the current one.
        package let isCurrent: Bool?
        /// The recording; an entry whose recording was deleted is only in a command's list.
        package let item: ItemResponse?

        package init(_ entry: PlaybackQueue.Entry, of item: AudioItem) {
            (id, number, isCurrent) = (entry.id, nil, nil)
            self.item = ItemResponse(item)
        }

        /// The answer of a command about an entry.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - item: Its recording; `nil` if it was deleted.
        ///   - number: Its number in the queue, from 1.
        ///   - isCurrent: Whether it is the current one.
        package init(_ entry: PlaybackQueue.Entry, of item: AudioItem?, number: Int, isCurrent: Bool) {
            (id, self.number, self.isCurrent) = (entry.id, number, isCurrent)
            self.item = item.map { ItemResponse($0) }
        }
    }

    /// Where listening stopped.
    package struct Mark: Encodable, Sendable {
        package let item: ItemResponse
        /// In seconds.
        package let position: Double
        package let made: Date
        /// The query of the list that it was played from, which continues after it.
        @Nullable package var list: String?

        package init(_ bookmark: Bookmark, of item: AudioItem) {
            self.item = ItemResponse(item)
            (position, made) = (bookmark.position, bookmark.made)
            list = bookmark.list
        }
    }

    /// In the order in which they are played.
    package let entries: [Entry]
    /// The current entry's id.
    @Nullable package var current: UUID?
    @Nullable package var bookmark: Mark?
    /// Whether the place where listening stopped is lost.
    package let isBookmarkLost: Bool
    /// Its recording's name, if that is gone and known.
    @Nullable package var lostName: String?
    /// Whether the queue cannot be read, and takes no entries until it is emptied.
    package let isUnreadable: Bool
    /// How many entries cannot be read and are left out.
    package let unreadable: Int

    package init(
        entries: [Entry],
        current: UUID?,
        bookmark: Mark?,
        lost: LostBookmark?,
        isUnreadable: Bool,
        unreadable: Int
    ) {
        self.entries = entries
        (isBookmarkLost, self.isUnreadable) = (lost != nil, isUnreadable)
        lostName = lost?.name?.text
        self.unreadable = unreadable
        (self.current, self.bookmark) = (current, bookmark)
    }
}
