import EchoText
import Foundation
import GRDB

extension AudioItem {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(row: Row) throws {
        let (created, duration): (Double, Double) = (row["created"], row["duration"])
        let sampleRate: Int = row["sampleRate"]
        guard let kind = AudioOrigin.Kind(rawValue: row["origin"]), let name = try? ItemName(row["name"] as String),
            RowBounds.times.contains(created), RowBounds.places.contains(duration),
            RowBounds.rates.contains(sampleRate)
        else {
            throw VaultError.databaseDamaged
        }
        let origin: AudioOrigin =
            switch kind {
            case .narrated: .narrated(try NarrationOrigin(row: row))
            case .recorded: .recorded(try SoundOrigin(stored: row["source"]))
            case .imported: .imported(try SoundOrigin(stored: row["source"]))
            }
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            created: Date(timeIntervalSince1970: created),
            duration: duration,
            size: row["size"],
            sampleRate: sampleRate,
            language: row["language"],
            words: row["words"],
            isFavorite: row["isFavorite"],
            origin: origin,
            isTranscribed: row["isTranscribed"]
        )
    }

    /// Inserts the recording with all its data into the tables.
    ///
    /// - Returns: The key of its row.
    @discardableResult
    func insert(text: String, timings: Data, content: ContentReference, into database: Database) throws -> Int64 {
        try content.insert(into: database)
        try database.execute(
            sql: """
                INSERT INTO item (
                    id, name, sortName, created, duration, size, sampleRate, language, words, isFavorite, origin, voice,
                    voiceName, speaker, engine, speed, pitch, document, documentPart, documentSelection, source,
                    content
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.text, name.sortKey, created.timeIntervalSince1970, duration, size, sampleRate,
                language, words, isFavorite, origin.kind.rawValue, narration?.voice.rawValue, narration?.voiceName,
                narration?.speaker, narration?.engine.rawValue, narration?.speed, narration?.pitch,
                narration?.document?.id, narration?.document?.part, try narration?.document?.selection?.stored(),
                try source.map { try JSONEncoder().encode($0) }, content.id.text,
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
        return key
    }

    /// Adds marks to the recording, which is in the tables and has none.
    func insert(_ marks: [RecordingMark], into database: Database, key: Int64) throws {
        for mark in marks.ordered(within: sampleCount) {
            try database.execute(
                sql: "INSERT INTO itemMark (item, sample, label) VALUES (?, ?, ?)",
                arguments: [key, mark.sample, mark.label]
            )
        }
    }

    /// - Throws: ``LibraryError/itemNotFound``.
    static func key(of id: ID, in database: Database) throws -> Int64 {
        let sql = "SELECT key FROM item WHERE id = ?"
        guard let key = try Int64.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw LibraryError.itemNotFound
        }
        return key
    }
}

extension SoundOrigin {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    fileprivate init(stored data: Data?) throws {
        guard let data else {
            self.init()
            return
        }
        // The details of a mismatch would not help a person.
        guard let origin = try? JSONDecoder().decode(Self.self, from: data) else { throw VaultError.databaseDamaged }
        self = origin
    }
}

extension NarrationOrigin {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
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
