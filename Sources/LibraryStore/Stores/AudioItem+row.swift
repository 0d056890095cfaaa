import EchoText
import Foundation
import GRDB

extension AudioItem {
    /// - Throws: ``VaultError/databaseDamaged`` when a value cannot be one of this program's.
    init(row: Row) throws {
        guard let kind = AudioOrigin.Kind(rawValue: row["origin"]), let name = try? ItemName(row["name"] as String)
        else {
            throw VaultError.databaseDamaged
        }
        let origin: AudioOrigin =
            switch kind {
            case .narrated: .narrated(try NarrationOrigin(row: row))
            case .recorded: .recorded
            case .imported: .imported
            }
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            created: Date(timeIntervalSince1970: row["created"]),
            duration: row["duration"],
            size: row["size"],
            sampleRate: row["sampleRate"],
            language: row["language"],
            words: row["words"],
            isFavorite: row["isFavorite"],
            origin: origin
        )
    }

    /// Puts the recording with all that belongs to it into the tables.
    func insert(text: String, timings: Data, content: ContentReference, into database: Database) throws {
        try content.insert(into: database)
        try database.execute(
            sql: """
                INSERT INTO item (
                    id, name, sortName, created, duration, size, sampleRate, language, words, isFavorite, origin, voice,
                    voiceName, speaker, engine, speed, pitch, document, documentPart, documentSelection, content
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.text, name.sortKey, created.timeIntervalSince1970, duration, size, sampleRate,
                language, words, isFavorite, origin.kind.rawValue, narration?.voice.rawValue, narration?.voiceName,
                narration?.speaker, narration?.engine.rawValue, narration?.speed, narration?.pitch,
                narration?.document?.id, narration?.document?.part, try narration?.document?.selection?.stored(),
                content.id.text,
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

extension NarrationOrigin {
    /// - Throws: ``VaultError/databaseDamaged`` when a value cannot be one of this program's.
    fileprivate init(row: Row) throws {
        guard let engine = Voice.Engine(rawValue: row["engine"]) else { throw VaultError.databaseDamaged }
        let document: String? = row["document"]
        self.init(
            voice: Voice.ID(rawValue: row["voice"]),
            voiceName: row["voiceName"],
            speaker: row["speaker"],
            engine: engine,
            speed: row["speed"],
            pitch: row["pitch"],
            document: try document.map { id in
                DocumentLink(
                    id: id,
                    part: row["documentPart"],
                    selection: try DocumentSelection(stored: row["documentSelection"])
                )
            }
        )
    }
}

extension String {
    /// The same for the search's index, to which a NUL is the end.
    var searchable: String { contains("\0") ? replacing("\0", with: " ") : self }
}
