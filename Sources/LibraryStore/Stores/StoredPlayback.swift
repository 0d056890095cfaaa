package import EchoText
import Foundation
import GRDB

/// The queue and the bookmark, in the encrypted database.
package struct StoredPlayback: PlaybackStore {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func queue() async throws -> PlaybackQueue {
        try await database.read { try Self.queue(in: $0) }
    }

    package func save(_ queue: PlaybackQueue) async throws {
        try await database.write { try Self.save(queue, in: $0) }
    }

    package func save(_ queue: PlaybackQueue, insteadOf seen: PlaybackQueue) async throws -> Bool {
        try await database.write { database in
            guard try Self.queue(in: database) == seen else { return false }
            try Self.save(queue, in: database)
            return true
        }
    }

    package func bookmark() async throws -> Bookmark? {
        try await database.read { try Self.bookmark(in: $0) }
    }

    package func lostBookmark() async throws -> LostBookmark? {
        try await database.read { database in
            let sql = "SELECT EXISTS (SELECT * FROM state WHERE name = 'bookmark')"
            let isSaved = try Bool.fetchOne(database, sql: sql)
            guard isSaved == true, try Self.bookmark(in: database) == nil else { return nil }
            return LostBookmark(name: try Bookmark.state("bookmark", in: database)?.name)
        }
    }

    package func save(_ bookmark: Bookmark?) async throws {
        try await database.write { database in
            if let bookmark {
                try Self.save(bookmark, in: database)
            } else {
                try database.execute(sql: "DELETE FROM state WHERE name = 'bookmark'")
            }
        }
    }

    static func bookmark(in database: Database) throws -> Bookmark? {
        guard let bookmark = try Bookmark.state("bookmark", in: database) else { return nil }
        let sql = "SELECT * FROM item WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [bookmark.item.rawValue]) else { return nil }
        // A recording that cannot be read is in no list, and cannot be played.
        return (try? AudioItem(row: row)) == nil ? nil : bookmark
    }

    /// Keeps the recording's name with the bookmark, where that recording is about to be deleted.
    static func nameBookmark(ofOneOf ids: Set<AudioItem.ID>, in database: Database) throws {
        guard var bookmark = try Self.bookmark(in: database), ids.contains(bookmark.item) else { return }
        let sql = "SELECT name FROM item WHERE id = ?"
        let name = try String.fetchOne(database, sql: sql, arguments: [bookmark.item.rawValue])
        bookmark.name = name.flatMap { try? ItemName(stored: $0) }
        try save(bookmark, in: database)
    }

    static func save(_ bookmark: Bookmark, in database: Database) throws {
        try bookmark.save(as: "bookmark", in: database)
    }

    static func queue(in database: Database) throws -> PlaybackQueue {
        let sql = "SELECT value FROM state WHERE name = 'queue'"
        guard let saved = try Data.fetchOne(database, sql: sql) else { return PlaybackQueue() }
        // A newer version may have written it.
        guard let queue = try? JSONDecoder().decode(PlaybackQueue.self, from: saved) else {
            throw LibraryError.queueUnreadable
        }
        return queue
    }

    static func save(_ queue: PlaybackQueue, in database: Database) throws {
        try queue.save(as: "queue", in: database)
    }
}

/// A single value, stored as JSON in the table `state`.
extension Decodable {
    /// An unreadable value, written by a newer version, counts as absent.
    fileprivate static func state(_ name: String, in database: Database) throws -> Self? {
        try Data.fetchOne(database, sql: "SELECT value FROM state WHERE name = ?", arguments: [name])
            .flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
    }
}

extension Encodable {
    fileprivate func save(as name: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)",
            arguments: [name, try JSONEncoder().encode(self)]
        )
    }
}
