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
        guard let kept = try await keptText(of: item.id), let source = words.firstPlace(in: kept.text) else {
            return nil
        }
        let units = Array(kept.text.utf16)
        let sample = try TimingTableCodec.decode(kept.timings, of: units).sample(at: source.lowerBound)
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
            let sounds = try ids.map { try StoredLibrary.content(of: $0, in: database) }
            let references = sounds + (try StoredLibrary.takeFiles(of: ids, in: database))
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
        // The rows are deleted; a remaining file is removed by the sweep.
        try await contents.delete(references)
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

extension AudioSelection {
    /// - Throws: ``VaultError/databaseDamaged`` for an unreadable row that is not left out.
    fileprivate func page(
        in database: Database,
        limit: Int,
        offset: Int,
        without keys: Set<Int64>
    ) throws -> AudioPage {
        let (rows, total) = try rows(in: database, limit: limit, offset: offset, without: keys)
        let all = keys.isEmpty ? total : try self.rows(in: database, limit: 0, offset: 0, without: []).total
        return AudioPage(items: try rows.map(AudioItem.init(row:)), total: total, unreadable: all - total)
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

/// A query in SQL: the terms after `WHERE` and `ORDER BY`.
struct AudioSelection {
    private let conditions: [String]
    private let arguments: StatementArguments
    /// The search expression, in the language of FTS5.
    private let pattern: String?
    private let order: String
    /// The index that has the order and all that conditions ask for.
    private let index: String

    /// Fails when nothing can match.
    init?(_ query: AudioQuery) {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        func add(_ condition: String, _ values: [(any DatabaseValueConvertible)?]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        if let words = query.words, !words.allSatisfy(\.isWhitespace) {
            guard let search = SearchWords(words) else { return nil }
            pattern = search.pattern(in: query.field)
        } else {
            pattern = nil
        }
        if !query.origins.isEmpty {
            let marks = Array(repeating: "?", count: query.origins.count).joined(separator: ", ")
            add("origin IN (\(marks))", query.origins.map(\.rawValue).sorted())
        }
        if let speed = query.speed { add("speed BETWEEN ? AND ?", [speed.lowerBound, speed.upperBound]) }
        if let pitch = query.pitch { add("pitch BETWEEN ? AND ?", [pitch.lowerBound, pitch.upperBound]) }
        if let length = query.duration { add("duration BETWEEN ? AND ?", [length.lowerBound, length.upperBound]) }
        if let created = query.created {
            let bounds = [created.lowerBound.timeIntervalSince1970, created.upperBound.timeIntervalSince1970]
            add("created >= ? AND created < ?", bounds)
        }
        if let isFavorite = query.isFavorite { add("isFavorite = ?", [isFavorite]) }
        if let hasDocument = query.hasDocument { add("(document IS NOT NULL) = ?", [hasDocument]) }
        if let isTranscribed = query.isTranscribed { add("isTranscribed = ?", [isTranscribed]) }
        if let document = query.document { add("document = ?", [document.rawValue]) }
        if !query.voices.isEmpty {
            let marks = Array(repeating: "?", count: query.voices.count).joined(separator: ", ")
            add("voice IN (\(marks))", query.voices.map(\.rawValue).sorted())
        }
        self.conditions = conditions
        self.arguments = arguments
        let direction = query.isAscending ? "ASC" : "DESC"
        (order, index) =
            switch query.order {
            case .date: ("created \(direction), id", "itemByDate")
            case .length: ("duration \(direction), created DESC, id", "itemByLength")
            case .size: ("size \(direction), created DESC, id", "itemBySize")
            case .name: ("sortName \(direction), created DESC, id", "itemByName")
            }
    }

    /// How many texts with the words are few, so that looking up each is cheaper than going through the order's index.
    private static let few = 2_000

    /// Reads the rows of a page, which need not be valid.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - limit: The most rows.
    ///   - offset: The number of rows before the page.
    ///   - keys: The keys of rows to leave out.
    /// - Returns: The rows of the page, and the total number.
    /// - Throws: `DatabaseError`.
    func rows(
        in database: Database,
        limit: Int,
        offset: Int,
        without keys: Set<Int64>
    ) throws -> (rows: [Row], total: Int) {
        let found = try pattern.map { pattern in
            let sql = "SELECT count(*) FROM search WHERE search MATCH ?"
            return try Int.fetchOne(database, sql: sql, arguments: [pattern]) ?? 0
        }
        let isFew = (found ?? .max) < Self.few
        var conditions = conditions
        var arguments = arguments
        if let pattern {
            // The plus sign makes SQLite scan the order's index, and check each entry against the matches.
            conditions.append("\(isFew ? "" : "+")item.key IN (SELECT rowid FROM search WHERE search MATCH ?)")
            arguments += [pattern]
        }
        if !keys.isEmpty { conditions.append("item.key NOT IN (\(keys.map(String.init).joined(separator: ", ")))") }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        let count = "SELECT count(*) FROM item WHERE \(condition)"
        let total =
            try self.conditions.isEmpty && keys.isEmpty && found != nil
            ? found : Int.fetchOne(database, sql: count, arguments: arguments)
        // The keys first, out of the index alone; whole rows only for the page.
        let sql = """
            SELECT item.* FROM (
                SELECT key AS wanted FROM item \(isFew ? "" : "INDEXED BY \(index)")
                WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?
            ) JOIN item ON item.key = wanted ORDER BY \(order)
            """
        return (try Row.fetchAll(database, sql: sql, arguments: arguments + [limit, offset]), total ?? 0)
    }
}

extension SearchWords {
    /// The words in the syntax of FTS5.
    ///
    /// Each word is quoted, so that it is not an operator; words contain no quotes.
    func pattern(in field: AudioQuery.Field) -> String {
        let all = words.map { "\"\($0)\"" }.joined(separator: " AND ") + " *"
        return switch field {
        case .anywhere: all
        case .name: "name : (\(all))"
        case .text: "text : (\(all))"
        }
    }
}

/// The keys of recordings whose rows cannot be read, which lists leave out; all are searched for when one is found.
final class UnreadableItems: Sendable {
    private let found = Mutex<Set<Int64>>([])

    /// The known keys.
    var keys: Set<Int64> { found.withLock(\.self) }

    /// Looks for them, so that they are known from now on.
    ///
    /// - Returns: Their keys.
    func find(in database: Database) throws -> Set<Int64> {
        let keys = try Self.keys(in: database)
        found.withLock { $0 = keys }
        return keys
    }

    /// The keys of the rows that cannot be read; reads every row.
    static func keys(in database: Database) throws -> Set<Int64> {
        var keys: Set<Int64> = []
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM item")
        while let row = try rows.next() {
            // Why it cannot be read does not matter here.
            if (try? AudioItem(row: row)) == nil { keys.insert(row["key"]) }
        }
        return keys
    }
}

/// The size of a library, from the sizes of the sealed files that its database names.
package struct StoredMeasure: LibraryMeasure {
    private let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func size() async throws -> LibrarySize {
        try await database.read { database in
            func sum(_ owners: String) throws -> Int {
                // The sizes of a damaged library may be any.
                let size = "min(content.size, \(RowBounds.counts.upperBound))"
                let sql = "SELECT coalesce(sum(\(size)), 0) FROM content JOIN \(owners)"
                return try Int.fetchOne(database, sql: sql) ?? 0
            }
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let page = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            return LibrarySize([
                .recordings: try sum("item ON item.content = content.id AND item.origin <> 'narrated'"),
                .importedFiles: try sum("itemFile ON itemFile.content = content.id"),
                .narrations: try sum("item ON item.content = content.id AND item.origin = 'narrated'"),
                .documents: try sum("documentContent ON documentContent.content = content.id"),
                .takes: try sum("practiceTake ON practiceTake.content = content.id"),
                .unfinished: try sum("segment ON segment.content = content.id")
                    + sum("recordedSegment ON recordedSegment.content = content.id"),
                .speechCache: try sum("speech ON speech.content = content.id"),
                .database: pages * page,
            ])
        }
    }
}

/// Detects other processes' changes of the database by polling.
package struct StoredWatch: LibraryWatch {
    /// How often it looks.
    private static let pace = Duration.seconds(1)
    /// The slowest polling interval while others keep writing, since each change makes subscribers read everything
    /// again.
    private static let slowestPace = Duration.seconds(4)

    private let database: LibraryDatabase
    private let clock: any Clock<Duration>

    package init(database: LibraryDatabase, clock: any Clock<Duration> = ContinuousClock()) {
        self.database = database
        self.clock = clock
    }

    package func changesByOthers() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let looking = Task {
                var seen = try? await database.versionByOthers()
                var pace = Self.pace
                while (try? await clock.sleep(for: pace)) != nil {
                    // If it cannot be read now, the next poll tries again.
                    guard let version = try? await database.versionByOthers() else { continue }
                    let isNew = seen != nil && version != seen
                    seen = version
                    if isNew { continuation.yield() }
                    pace = isNew ? min(pace * 2, Self.slowestPace) : Self.pace
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in looking.cancel() }
        }
    }
}
