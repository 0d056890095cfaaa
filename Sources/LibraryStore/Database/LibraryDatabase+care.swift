import EchoText
import Foundation
import GRDB

extension LibraryDatabase {
    /// How often the library has been changed, a use at a time.
    func generation() async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT number FROM generation") ?? 0 }
    }

    /// Counts another use that changed something.
    ///
    /// - Returns: The new count.
    /// - Throws: ``VaultError``.
    func advanceGeneration() async throws -> Int {
        try await write { database in
            try database.execute(sql: "UPDATE generation SET number = number + 1")
            return try Int.fetchOne(database, sql: "SELECT number FROM generation") ?? 0
        }
    }

    /// An encrypted file and its owner.
    ///
    /// The owner is the recording or unfinished recording whose sound it is, or the name of its document, of its practice
    /// session or of the recording that was imported from it; there is none for a part of an unfinished narration and for
    /// the speech cache.
    struct ContentOwner: Sendable {
        let reference: ContentReference
        let item: AudioItem.ID?
        let session: AudioItem.ID?
        let name: String?
        /// Whether it belongs to the speech cache, and may be evicted.
        let isCache: Bool
        /// Whether it is the file that the recording of that name was imported from.
        let isImported: Bool
    }

    /// Every sealed file that something of the library is in.
    func contentOwners() async throws -> [ContentOwner] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(ContentReference.columns), item.id AS owner,
                        coalesce(item.name, imported.name, document.name, practiceSession.title) AS ownerName,
                        imported.key IS NOT NULL AS isImported,
                        recordingSession.id AS session, recordingSession.instructions,
                        EXISTS (SELECT * FROM speech WHERE speech.content = content.id) AS isCache
                    FROM content LEFT JOIN item ON item.content = content.id
                    LEFT JOIN itemFile ON itemFile.content = content.id
                    LEFT JOIN item AS imported ON imported.key = itemFile.item
                    LEFT JOIN documentContent ON documentContent.content = content.id
                    LEFT JOIN document ON document.key = documentContent.document
                    LEFT JOIN practiceTake ON practiceTake.content = content.id
                    LEFT JOIN practiceSession ON practiceSession.key = practiceTake.session
                    LEFT JOIN recordedSegment ON recordedSegment.content = content.id
                    LEFT JOIN recordingSession ON recordingSession.key = recordedSegment.session
                    ORDER BY item.created, content.id
                    """
            ).map { row in
                let order = try (row["instructions"] as Data?).map { try RecordingOrder.stored($0) }
                return ContentOwner(
                    reference: try ContentReference(row: row),
                    item: (row["owner"] as String?).map { AudioItem.ID(rawValue: $0) },
                    session: (row["session"] as String?).map { AudioItem.ID(rawValue: $0) },
                    name: row["ownerName"] ?? order?.name.text,
                    isCache: row["isCache"],
                    isImported: row["isImported"]
                )
            }
        }
    }

    /// Removes a file from the speech cache; its speech is synthesized again on demand.
    func dropSpeech(in reference: ContentReference) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM speech WHERE content = ?", arguments: [reference.id.text])
            try reference.delete(from: database)
        }
    }

    /// Redirects all references from one encrypted file to another.
    func replace(_ old: ContentReference, by new: ContentReference) async throws {
        try await write { database in
            try new.insert(into: database)
            for table in ContentReference.tables {
                try database.execute(
                    sql: "UPDATE \(table) SET content = ? WHERE content = ?",
                    arguments: [new.id.text, old.id.text]
                )
            }
            try old.delete(from: database)
        }
    }

    /// Makes the index that searches use again, from the names and texts.
    func rebuildSearch() async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM search")
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT key, name, text FROM item JOIN itemText ON itemText.item = item.key"
            )
            while let row = try rows.next() {
                try database.execute(
                    sql: "INSERT INTO search (rowid, name, text) VALUES (?, ?, ?)",
                    arguments: [
                        row["key"] as Int64, row["name"] as String,
                        String(decoding: row["text"] as Data, as: UTF8.self),
                    ]
                )
            }
        }
    }
}
