import EchoText
import Foundation
import GRDB

/// The ids of sessions that became recordings or were discarded: sound of them that comes later is unwanted.
///
/// An older backup that is put back does not have those that ended after it, whose sound is wanted.
enum EndedSessions {
    /// The most that are remembered; the oldest are forgotten first.
    static let most = 10_000
    /// How long each is remembered, in seconds: a year.
    static let longest: TimeInterval = 366 * 86_400

    /// Remembers a session that has ended, and forgets the oldest.
    static func add(_ id: AudioItem.ID, at time: Date, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO endedSession (id, ended) VALUES (?, ?)",
            arguments: [id.rawValue, time.timeIntervalSince1970]
        )
        try forgetOldest(at: time, in: database)
    }

    /// Remembers those of recordings that are about to be deleted which were sessions, again or for the first time.
    static func add(recordedAmong ids: Set<AudioItem.ID>, at time: Date, in database: Database) throws {
        for id in ids {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO endedSession (id, ended)
                    SELECT id, ? FROM item WHERE id = ? AND origin = 'recorded'
                    """,
                arguments: [time.timeIntervalSince1970, id.rawValue]
            )
        }
        try forgetOldest(at: time, in: database)
    }

    /// Forgets a session whose later sound is still wanted.
    static func remove(_ id: AudioItem.ID, in database: Database) throws {
        try database.execute(sql: "DELETE FROM endedSession WHERE id = ?", arguments: [id.rawValue])
    }

    private static func forgetOldest(at time: Date, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM endedSession WHERE ended < ?
                OR key <= (SELECT key FROM endedSession ORDER BY key DESC LIMIT 1 OFFSET ?)
                """,
            arguments: [time.timeIntervalSince1970 - longest, most]
        )
    }

    /// Why there is no session with an id.
    static func absence(of id: AudioItem.ID, in database: Database) throws -> RecordingError {
        // A library of an earlier version that cannot be written to has no such table.
        guard try database.tableExists("endedSession") else { return .sessionNotFound }
        let isUnwanted = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT * FROM endedSession WHERE id = ?)
                AND NOT EXISTS (SELECT * FROM item WHERE id = ?)
                """,
            arguments: [id.rawValue, id.rawValue]
        )
        return isUnwanted == true ? .sessionDiscarded : .sessionNotFound
    }
}
