import EchoText
import Foundation
import GRDB

/// A range of a session's sound, with its storage.
struct RecordedPiece: Sendable {
    enum Place: Sendable {
        /// A row of `recordedChunk`, by its key.
        case row(Int64)
        case file(ContentReference)
    }

    /// In samples of the session.
    let samples: Range<Int>
    let place: Place

    var reference: ContentReference? { if case .file(let reference) = place { reference } else { nil } }

    /// All pieces of a session, in order.
    static func all(of id: AudioItem.ID, in database: Database) throws -> [RecordedPiece] {
        try pieces(in: database, where: "recordingSession.id = ?", [id.rawValue])
    }

    /// Finds the piece that contains a sample, or else the first one after it.
    static func first(from sample: Int, of id: AudioItem.ID, in database: Database) throws -> RecordedPiece? {
        let arguments: StatementArguments = [id.rawValue, sample]
        return try pieces(
            in: database,
            where: "recordingSession.id = ? AND piece.start + piece.samples > ?",
            arguments,
            limit: 1
        )
        .first
    }

    private static func pieces(
        in database: Database,
        where condition: String,
        _ arguments: StatementArguments,
        limit: Int = -1
    ) throws -> [RecordedPiece] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT piece.start, piece.samples, piece.row, \(ContentReference.columns) FROM recordingSession
                JOIN (
                    SELECT session, start, samples, key AS row, NULL AS content FROM recordedChunk
                    UNION ALL SELECT session, start, samples, NULL, content FROM recordedSegment
                ) AS piece ON piece.session = recordingSession.key
                LEFT JOIN content ON content.id = piece.content
                WHERE \(condition) ORDER BY piece.start LIMIT \(limit)
                """,
            arguments: arguments
        ).compactMap(RecordedPiece.init(row:))
    }

    /// Fails for a piece whose file has no row.
    private init?(row: Row) throws {
        let (start, count): (Int, Int) = (row["start"], row["samples"])
        guard RowBounds.counts.contains(start), RowBounds.counts.contains(count) else {
            throw VaultError.databaseDamaged
        }
        samples = start..<start + count
        if let key = row["row"] as Int64? {
            place = .row(key)
        } else {
            guard (row["contentID"] as String?) != nil else { return nil }
            place = .file(try ContentReference(row: row))
        }
    }

    /// The sound of a row, 16-bit mono; `nil` when it is not there any more.
    static func sound(ofRow key: Int64, in database: Database) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT sound FROM recordedChunk WHERE key = ?", arguments: [key])
    }
}

/// Consecutive chunks of a session that are enough for a file.
struct ChunkRun: Sendable {
    /// The session's key.
    let session: Int64
    /// The first sample.
    let start: Int
    /// How many they are.
    private(set) var chunks = 0
    /// All their sound, 16-bit mono.
    private(set) var sound = Data()

    /// Fails when the session has fewer samples in rows than `least`.
    init?(of id: AudioItem.ID, atLeast least: Int, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT recordingSession.key, min(start) AS start, sum(recordedChunk.samples) AS kept
                FROM recordingSession JOIN recordedChunk ON recordedChunk.session = recordingSession.key
                WHERE recordingSession.id = ? GROUP BY recordingSession.key
                """,
            arguments: [id.rawValue]
        )
        guard let row, row["kept"] as Int >= least else { return nil }
        (session, start) = (row["key"], row["start"])
        let chunks = try Row.fetchCursor(
            database,
            sql: "SELECT start, sound FROM recordedChunk WHERE session = ? ORDER BY start",
            arguments: [session]
        )
        while sound.count < 2 * least, let chunk = try chunks.next(), chunk["start"] == start + sound.count / 2 {
            sound += chunk["sound"] as Data
            self.chunks += 1
        }
    }
}
