import EchoText
import Foundation
import GRDB

extension LibraryDatabase {
    /// How many recordings are unfinished, and which of them have lost sound.
    func gaps() async throws -> (sessions: Int, gaps: [VaultReport.Gap]) {
        try await read { database in
            let sessions = try Row.fetchAll(database, sql: "SELECT * FROM recordingSession ORDER BY created, key")
                .map(RecordingSession.init(row:))
            let gaps = try sessions.compactMap { session in
                let kept = try RecordedPiece.all(of: session.id, in: database).reduce(0) { $0 + $1.samples.count }
                guard kept < session.samples else { return VaultReport.Gap?.none }
                return VaultReport.Gap(
                    session: session.id,
                    name: session.order.name.text,
                    seconds: Double(session.samples - kept) / Double(session.order.sampleRate),
                    duration: session.duration
                )
            }
            return (sessions.count, gaps)
        }
    }

    /// Removes a missing file from an unfinished recording.
    func dropSegment(in reference: ContentReference) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM recordedSegment WHERE content = ?",
                arguments: [reference.id.text]
            )
            try reference.delete(from: database)
        }
    }

    /// Rows of encrypted files without any reference.
    func unusedContents() async throws -> [ContentReference] {
        try await read { try Self.unusedContents(in: $0) }
    }

    private static func unusedContents(in database: Database) throws -> [ContentReference] {
        let unused = ContentReference.tables.map { "NOT EXISTS (SELECT * FROM \($0) WHERE \($0).content = content.id)" }
        return try Row.fetchAll(
            database,
            sql: "SELECT \(ContentReference.columns) FROM content WHERE \(unused.joined(separator: " AND "))"
        ).map(ContentReference.init(row:))
    }

    /// Removes rows of encrypted files without any reference.
    ///
    /// - Returns: The references in those rows.
    /// - Throws: ``VaultError``.
    func removeUnusedContents() async throws -> [ContentReference] {
        try await write { database in
            let unused = try Self.unusedContents(in: database)
            for reference in unused { try reference.delete(from: database) }
            return unused
        }
    }

    /// Tables whose rows are meaningless without their owners.
    private static let parts: Set = [
        "itemText", "itemMark", "transcript", "transcriptionJob", "transcribedSegment", "recordedChunk",
        "recordedSegment", "practiceTake", "itemFile",
    ]

    /// Removes rows whose owners were deleted.
    ///
    /// - Returns: The number of removed rows.
    /// - Throws: ``VaultError``.
    func removeDanglingRows() async throws -> Int {
        try await write { database in
            let found = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            let dangling = Set(
                found.compactMap { row -> [String]? in
                    guard Self.parts.contains(row["table"]), let key = row["rowid"] as Int64? else { return nil }
                    return [row["table"], "\(key)"]
                }
            )
            for row in dangling {
                try database.execute(sql: "DELETE FROM \(row[0]) WHERE rowid = ?", arguments: [Int64(row[1])])
            }
            return dangling.count
        }
    }

    /// The keys of recordings that have transcripts but no current one, or whose text is not the current one's.
    static func unclearTranscripts(in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT key FROM item WHERE isTranscribed <> EXISTS (
                    SELECT * FROM transcript WHERE item = item.key AND isCurrent = 1
                ) OR isTranscribed = 0 AND EXISTS (SELECT * FROM transcript WHERE item = item.key)
                """
        )
    }

    /// Makes the newest transcript current where the current one is unclear.
    ///
    /// - Returns: The number of recordings.
    /// - Throws: ``VaultError``.
    func chooseTranscripts() async throws -> Int {
        try await write { database in
            let keys = try Self.unclearTranscripts(in: database)
            for key in keys { try Transcript.chooseNewest(of: key, in: database) }
            return keys.count
        }
    }
}
