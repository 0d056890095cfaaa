package import EchoText
import Foundation
import GRDB
import Synchronization

/// The recordings, in the encrypted database, with their sound in encrypted files next to it.
package struct StoredLibrary: AudioLibrary {
    let database: LibraryDatabase
    let contents: any SealedContents

    package init(database: LibraryDatabase, contents: any SealedContents) {
        self.database = database
        self.contents = contents
    }

    // MARK: - Lists

    package func items(matching query: AudioQuery) async throws -> AudioPage {
        guard let selection = AudioSelection(query) else { return AudioPage(items: [], total: 0) }
        let limit = max(0, query.limit)
        let offset = max(0, query.offset)
        let unreadable = database.unreadableItems
        return try await database.read { database in
            let known = unreadable.keys
            do {
                return try selection.page(in: database, limit: limit, offset: offset, without: known)
            } catch VaultError.databaseDamaged {
                let found = try unreadable.find(in: database)
                return try selection.page(in: database, limit: limit, offset: offset, without: found)
            }
        }
    }

    package func unreadableItems() async throws -> [AudioItem.ID] {
        let unreadable = database.unreadableItems
        return try await database.read { database in
            let keys = try unreadable.find(in: database)
            return try Row.fetchAll(database, sql: "SELECT key, id FROM item ORDER BY key")
                .filter { row in keys.contains(row["key"] as Int64) }
                .map { row in AudioItem.ID(rawValue: row["id"]) }
        }
    }

    package func items(withIDsBeginning prefix: String, limit: Int) async throws -> [AudioItem] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM item WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                arguments: [prefix, prefix + "\u{10FFFF}", max(0, limit)]
            ).map(AudioItem.init(row:))
        }
    }

    package func search(_ query: AudioQuery) async throws -> [AudioHit] {
        let items = try await items(matching: query).items
        guard let words = query.words.flatMap({ SearchWords($0) }), query.field != .name else {
            return items.map { AudioHit(item: $0, place: nil) }
        }
        var hits: [AudioHit] = []
        for item in items {
            try Task.checkCancellation()
            hits.append(AudioHit(item: item, place: try await place(of: words, in: item)))
        }
        return hits
    }

    private func place(of words: SearchWords, in item: AudioItem) async throws -> AudioHit.Place? {
        // It was deleted since the list was read, so there is no match any more.
        guard let kept = try await keptText(of: item.id), let source = words.firstMatch(in: kept.text) else {
            return nil
        }
        let units = Array(kept.text.utf16)
        // A damaged table leaves the recording among those found, as one whose name alone matches.
        guard let sentences = try? TimingTableCodec.decode(kept.timings, of: units) else { return nil }
        let sample = sentences.sample(at: source.lowerBound)
        return AudioHit.Place(
            source: source,
            excerpt: TextExcerpt(of: units, around: source),
            seconds: Double(sample) / Double(item.sampleRate)
        )
    }

    package func item(_ id: AudioItem.ID) async throws -> AudioItem? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
                .map(AudioItem.init(row:))
        }
    }

    package func items(_ ids: Set<AudioItem.ID>) async throws -> [AudioItem] {
        precondition(ids.count <= Self.mostAtOnce, "\(ids.count) recordings are more than can be asked for at once")
        let places = repeatElement("?", count: ids.count).joined(separator: ", ")
        return try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM item WHERE id IN (\(places))",
                arguments: StatementArguments(ids.map(\.rawValue))
            ).map(AudioItem.init(row:))
        }
    }

    package func voices() async throws -> [(id: Voice.ID, name: String)] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT voice, max(voiceName) AS name FROM item WHERE voice IS NOT NULL GROUP BY voice"
            )
            .map { row in
                let id = Voice.ID(rawValue: row["voice"])
                return (id: id, name: Voice.name(of: id, given: row["name"]))
            }
            .sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
        }
    }

    package func origins() async throws -> [AudioOrigin.Kind] {
        let found = try await database.read { database in
            try Set(String.fetchAll(database, sql: "SELECT DISTINCT origin FROM item"))
        }
        return AudioOrigin.Kind.allCases.filter { found.contains($0.rawValue) }
    }

    // MARK: - Parts of one

    package func text(of id: AudioItem.ID) async throws -> String {
        guard let kept = try await keptText(of: id) else { throw LibraryError.itemNotFound }
        return kept.text
    }

    package func timings(of id: AudioItem.ID) async throws -> [TimedSentence] {
        guard let kept = try await keptText(of: id) else { throw LibraryError.itemNotFound }
        return try TimingTableCodec.decode(kept.timings, of: Array(kept.text.utf16))
    }

    private func keptText(of id: AudioItem.ID) async throws -> (text: String, timings: Data)? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT text, timings FROM itemText JOIN item ON item.key = itemText.item WHERE item.id = ?",
                arguments: [id.rawValue]
            ).map { (String(decoding: $0["text"] as Data, as: UTF8.self), $0["timings"]) }
        }
    }

    package func sound(of id: AudioItem.ID) async throws -> any StoredSound {
        let reference = try await database.read { try StoredLibrary.content(of: id, in: $0) }
        return try await contents.sound(of: reference)
    }

    static func content(of id: AudioItem.ID, in database: Database) throws -> ContentReference {
        let row = try Row.fetchOne(
            database,
            sql:
                "SELECT \(ContentReference.columns) FROM content JOIN item ON item.content = content.id WHERE item.id = ?",
            arguments: [id.rawValue]
        )
        guard let row else { throw LibraryError.itemNotFound }
        return try ContentReference(row: row)
    }

    package func file(of id: AudioItem.ID) async throws -> any StoredBytes {
        let reference: ContentReference? = try await database.read { database in
            let key = try AudioItem.key(of: id, in: database)
            let sql = "SELECT isSound FROM itemFile WHERE item = ?"
            let isSound = try Bool.fetchOne(database, sql: sql, arguments: [key]) ?? false
            if isSound { return try StoredLibrary.content(of: id, in: database) }
            return try StoredLibrary.file(ofKey: key, in: database)
                ?? StoredLibrary.sharedFile(ofKey: key, in: database)
        }
        guard let reference else { throw LibraryError.fileNotKept }
        return try await contents.sound(of: reference)
    }

    package func deleteFiles(of ids: Set<AudioItem.ID>) async throws {
        let references = try await database.writeToFree { database in
            for id in ids { try StoredLibrary.forgetFile(of: id, in: database) }
            let references = try StoredLibrary.takeFiles(of: ids, in: database)
            for reference in references { try reference.delete(from: database) }
            return references
        }
        // The rows are changed; a remaining file is removed by the sweep.
        try await contents.delete(references)
    }

    /// Marks a recording as one whose file the library does not have.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    private static func forgetFile(of id: AudioItem.ID, in database: Database) throws {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw LibraryError.itemNotFound }
        var item = try AudioItem(row: row)
        guard item.hasFile else { return }
        item.forgetFile()
        let key: Int64 = row["key"]
        try database.execute(
            sql: "UPDATE item SET source = ? WHERE key = ?",
            arguments: [try item.source.map { try JSONEncoder().encode($0) }, key]
        )
    }

    /// Removes the imported files of recordings; their digests stay.
    ///
    /// A file that another recording shares is given to that recording.
    ///
    /// - Returns: The sealed files that nothing needs any more; their rows are still there.
    /// - Throws: ``LibraryError/itemNotFound``.
    private static func takeFiles(of ids: Set<AudioItem.ID>, in database: Database) throws -> [ContentReference] {
        let keys = try ids.map { try AudioItem.key(of: $0, in: database) }
        // None of them inherits from another.
        for key in keys {
            let sql = "UPDATE itemFile SET isSound = 0, isShared = 0 WHERE item = ?"
            try database.execute(sql: sql, arguments: [key])
        }
        return try keys.compactMap { try handFileOn(ofKey: $0, in: database) }
    }

    /// Gives a recording's own sealed file to another recording that shares it.
    ///
    /// The recording may be gone, and have left its row of the file.
    ///
    /// - Returns: The file if nothing needs it any more; its row is still there.
    /// - Throws: ``VaultError/databaseDamaged``.
    static func handFileOn(ofKey key: Int64, in database: Database) throws -> ContentReference? {
        guard let reference = try file(ofKey: key, in: database) else { return nil }
        try database.execute(
            sql: "UPDATE itemFile SET content = NULL, isShared = 0 WHERE item = ?",
            arguments: [key]
        )
        try database.execute(
            sql: """
                UPDATE itemFile SET content = ?, isShared = 0 WHERE item = (
                    SELECT other.item FROM itemFile AS own
                    JOIN itemFile AS other ON other.size = own.size AND other.digest = own.digest
                    WHERE own.item = ? AND other.isShared = 1 ORDER BY other.item LIMIT 1
                )
                """,
            arguments: [reference.id.text, key]
        )
        return database.changesCount == 0 ? reference : nil
    }

    /// The sealed file that the recording was imported from, if it has that itself and not as its sound.
    private static func file(ofKey key: Int64, in database: Database) throws -> ContentReference? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(ContentReference.columns) FROM content JOIN itemFile ON itemFile.content = content.id
                WHERE itemFile.item = ?
                """,
            arguments: [key]
        ).map(ContentReference.init(row:))
    }

    /// The sealed file that the recording was imported from, if another one has it.
    private static func sharedFile(ofKey key: Int64, in database: Database) throws -> ContentReference? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(ContentReference.columns) FROM itemFile AS own
                JOIN itemFile AS other ON other.size = own.size AND other.digest = own.digest
                JOIN content ON content.id = other.content WHERE own.item = ? AND own.isShared = 1
                """,
            arguments: [key]
        ).map(ContentReference.init(row:))
    }

    package func marks(of id: AudioItem.ID) async throws -> [RecordingMark] {
        try await database.read { database in
            try StoredLibrary.marks(ofKey: AudioItem.key(of: id, in: database), in: database)
        }
    }

    static func marks(ofKey key: Int64, in database: Database) throws -> [RecordingMark] {
        try Row.fetchAll(
            database,
            sql: "SELECT sample, label FROM itemMark WHERE item = ? ORDER BY sample, key",
            arguments: [key]
        ).map { RecordingMark(sample: min($0["sample"] as Int, RowBounds.counts.upperBound), label: $0["label"]) }
    }

    // MARK: - Changes

    package func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID) async throws {
        try await database.write { try StoredLibrary.setMarks(marks, of: id, in: $0) }
    }

    package func setMarks(
        _ marks: [RecordingMark],
        of id: AudioItem.ID,
        insteadOf seen: [RecordingMark]
    ) async throws -> Bool {
        try await database.write { database in
            let present = try StoredLibrary.marks(ofKey: AudioItem.key(of: id, in: database), in: database)
            guard present == seen else { return false }
            try StoredLibrary.setMarks(marks, of: id, in: database)
            return true
        }
    }

    private static func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID, in database: Database) throws {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw LibraryError.itemNotFound }
        let key: Int64 = row["key"]
        try database.execute(sql: "DELETE FROM itemMark WHERE item = ?", arguments: [key])
        try AudioItem(row: row).insert(marks, into: database, key: key)
    }

    package func rename(_ id: AudioItem.ID, to name: ItemName) async throws {
        try await database.write { database in
            let sql = """
                SELECT key, text FROM item JOIN itemText ON itemText.item = item.key WHERE id = ?
                """
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
                throw LibraryError.itemNotFound
            }
            let key: Int64 = row["key"]
            let text = String(decoding: row["text"] as Data, as: UTF8.self)
            try database.execute(
                sql: "UPDATE item SET name = ?, sortName = ? WHERE key = ?",
                arguments: [name.text, name.sortKey, key]
            )
            // An index without contents takes all columns or none.
            try database.execute(
                sql: "UPDATE search SET name = ?, text = ? WHERE rowid = ?",
                arguments: [name.text.searchable, text.searchable, key]
            )
        }
    }

    package func setFavorite(_ isFavorite: Bool, for ids: Set<AudioItem.ID>) async throws {
        try await database.write { database in
            for id in ids {
                try database.execute(
                    sql: "UPDATE item SET isFavorite = ? WHERE id = ?",
                    arguments: [isFavorite, id.rawValue]
                )
                guard database.changesCount == 1 else { throw LibraryError.itemNotFound }
            }
        }
    }

    package func delete(_ ids: Set<AudioItem.ID>) async throws {
        let references = try await database.writeToFree { database in
            try StoredLibrary.delete(ids, from: database)
        }
        // The rows are deleted; a remaining file is removed by the sweep.
        try await contents.delete(references)
    }

    package func deleteUnreadable(matching query: AudioQuery) async throws -> [AudioItem.ID] {
        guard let selection = AudioSelection(query) else { return [] }
        let unreadable = database.unreadableItems
        let (ids, references) = try await database.writeToFree { database in
            let keys = try unreadable.find(in: database)
            let ids = try selection.ids(among: keys, in: database)
            return (ids, try StoredLibrary.delete(Set(ids), from: database))
        }
        // The rows are deleted; a remaining file is removed by the sweep.
        try await contents.delete(references)
        return ids
    }

    /// Deletes the rows of recordings, and of all that belongs to them.
    ///
    /// - Returns: The sealed files that nothing needs any more.
    /// - Throws: ``LibraryError/itemNotFound``.
    private static func delete(_ ids: Set<AudioItem.ID>, from database: Database) throws -> [ContentReference] {
        let sounds = try ids.map { try content(of: $0, in: database) }
        let references = sounds + (try takeFiles(of: ids, in: database))
        try StoredPlayback.nameBookmark(ofOneOf: ids, in: database)
        try EndedSessions.add(recordedAmong: ids, at: .now, in: database)
        for id in ids {
            try database.execute(
                sql: "DELETE FROM search WHERE rowid = (SELECT key FROM item WHERE id = ?)",
                arguments: [id.rawValue]
            )
            try database.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id.rawValue])
        }
        for reference in references { try reference.delete(from: database) }
        do {
            var queue = try StoredPlayback.queue(in: database)
            queue.removeEntries(of: ids)
            try StoredPlayback.save(queue, in: database)
        } catch LibraryError.queueUnreadable {
            // It stays as it is until a person empties it; its entries without a recording are passed over.
        }
        return references
    }
}

extension StoredLibrary {
    /// Adds all of `recordings`, or none of them.
    package func add(_ recordings: [SealedRecording]) async throws {
        try await database.write { database in
            for recording in recordings {
                let timings = TimingTableCodec.encode(recording.timings, of: Array(recording.text.utf16))
                try recording.item.insert(
                    text: recording.text,
                    timings: timings,
                    content: recording.content,
                    into: database
                )
            }
        }
    }
}

/// A recording with all that belongs to it; its sound has been sealed already.
package struct SealedRecording: Sendable {
    package var item: AudioItem
    package var text: String
    package var timings: [TimedSentence]
    package var content: ContentReference

    package init(item: AudioItem, text: String, timings: [TimedSentence], content: ContentReference) {
        self.item = item
        self.text = text
        self.timings = timings
        self.content = content
    }
}

extension [TimedSentence] {
    /// The time of the text at UTF-16 unit `unit`, in samples.
    func sample(at unit: Int) -> Int {
        guard let sentence = last(where: { $0.source.lowerBound <= unit }) ?? first else { return 0 }
        let word = sentence.words.last { $0.source.lowerBound <= unit }
        return word?.samples.lowerBound ?? sentence.samples.lowerBound
    }
}

extension AudioItem {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(row: Row) throws {
        let (created, duration): (Double, Double) = (row["created"], row["duration"])
        let sampleRate: Int = row["sampleRate"]
        guard let kind = AudioOrigin.Kind(rawValue: row["origin"]),
            let name = try? ItemName(stored: row["name"] as String),
            RowBounds.times.contains(created), RowBounds.places.contains(duration),
            RowBounds.rates.contains(sampleRate),
            (0...Double(RowBounds.counts.upperBound)).contains(duration * Double(sampleRate))
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
        if let leftOut = try narration?.leftOut.stored {
            try database.execute(sql: "UPDATE item SET leftOut = ? WHERE key = ?", arguments: [leftOut, key])
        }
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
            },
            leftOut: try [String](stored: row["leftOut"])
        )
    }
}

extension String {
    /// The same for the search's index, to which a NUL is the end.
    var searchable: String { contains("\0") ? replacing("\0", with: " ") : self }
}

/// The keys of a table's rows that cannot be read, which lists leave out; all are searched for when one is found.
final class UnreadableRows: Sendable {
    private let table: String
    private let isReadable: @Sendable (Row) -> Bool
    private let found = Mutex<Set<Int64>>([])

    /// - Parameters:
    ///   - table: The name of a table whose rows have keys.
    ///   - isReadable: Whether a row of it can be read.
    init(of table: String, isReadable: @escaping @Sendable (Row) -> Bool) {
        (self.table, self.isReadable) = (table, isReadable)
    }

    /// Those of recordings.
    static func ofItems() -> UnreadableRows {
        // Why it cannot be read does not matter here.
        UnreadableRows(of: "item") { (try? AudioItem(row: $0)) != nil }
    }

    /// The known keys.
    var keys: Set<Int64> { found.withLock(\.self) }

    /// Looks for them, so that they are known from now on.
    ///
    /// - Returns: Their keys.
    func find(in database: Database) throws -> Set<Int64> {
        let all = try keys(in: database)
        found.withLock { $0 = all }
        return all
    }

    /// The keys of the rows that cannot be read; reads every row.
    func keys(in database: Database) throws -> Set<Int64> {
        var keys: Set<Int64> = []
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table)")
        while let row = try rows.next() {
            if !isReadable(row) { keys.insert(row["key"]) }
        }
        return keys
    }
}
