import EchoText
import Foundation
import GRDB

extension AudioItem {
    /// - Throws: ``VaultError/databaseDamaged`` when a value cannot be one of this program's.
    init(row: Row) throws {
        guard let engine = Voice.Engine(rawValue: row["engine"]), let name = try? ItemName(row["name"] as String) else {
            throw VaultError.databaseDamaged
        }
        let document: String? = row["document"]
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            created: Date(timeIntervalSince1970: row["created"]),
            duration: row["duration"],
            size: row["size"],
            sampleRate: row["sampleRate"],
            voice: Voice.ID(rawValue: row["voice"]),
            voiceName: row["voiceName"],
            speaker: row["speaker"],
            engine: engine,
            language: row["language"],
            speed: row["speed"],
            pitch: row["pitch"],
            words: row["words"],
            isFavorite: row["isFavorite"],
            document: try document.map { id in
                DocumentLink(
                    id: id,
                    part: row["documentPart"],
                    selection: try DocumentSelection(stored: row["documentSelection"])
                )
            }
        )
    }

    /// Puts the recording with all that belongs to it into the tables.
    func insert(text: String, timings: Data, content: ContentReference, into database: Database) throws {
        try content.insert(into: database)
        try database.execute(
            sql: """
                INSERT INTO item (
                    id, name, sortName, created, duration, size, sampleRate, voice, voiceName, speaker, engine, language,
                    speed, pitch, words, isFavorite, document, documentPart,
                    documentSelection, content
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.text, name.sortKey, created.timeIntervalSince1970, duration, size, sampleRate,
                voice.rawValue, voiceName, speaker, engine.rawValue, language, speed, pitch, words, isFavorite,
                document?.id, document?.part,
                try document?.selection?.stored(), content.id.text,
            ]
        )
        let key = database.lastInsertedRowID
        try database.execute(
            sql: "INSERT INTO itemText (item, timings, text) VALUES (?, ?, ?)",
            arguments: [key, timings, Data(text.utf8)]
        )
        try database.execute(
            sql: "INSERT INTO search (rowid, name, text) VALUES (?, ?, ?)",
            arguments: [key, name.text.searchable, text.searchable]
        )
    }
}

extension String {
    /// The same for the search's index, to which a NUL is the end.
    var searchable: String { contains("\0") ? replacing("\0", with: " ") : self }
}
