package import EchoText
import Foundation
import GRDB

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
        let sample = try TimingTable.decode(kept.timings, of: units).sample(at: source.lowerBound)
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
        return try TimingTable.decode(kept.timings, of: Array(kept.text.utf16))
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
            return try StoredLibrary.file(of: id, in: database)
        }
        guard let reference else { throw LibraryError.fileNotKept }
        return try await contents.sound(of: reference)
    }

    package func deleteFiles(of ids: Set<AudioItem.ID>) async throws {
        let references = try await database.writeToFree { database in
            try ids.compactMap { try StoredLibrary.forgetFile(of: $0, in: database) }
        }
        // The rows are changed; a remaining file is removed by the sweep.
        try await contents.delete(references)
    }

    /// Removes the reference to a recording's file; its digest stays.
    ///
    /// - Returns: The reference, if there was one.
    /// - Throws: ``LibraryError/itemNotFound``.
    private static func forgetFile(of id: AudioItem.ID, in database: Database) throws -> ContentReference? {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw LibraryError.itemNotFound }
        var item = try AudioItem(row: row)
        guard item.hasFile else { return nil }
        let reference = try file(of: id, in: database)
        item.forgetFile()
        let key: Int64 = row["key"]
        try database.execute(
            sql: "UPDATE item SET source = ? WHERE key = ?",
            arguments: [try item.source.map { try JSONEncoder().encode($0) }, key]
        )
        try database.execute(
            sql: "UPDATE itemFile SET content = NULL, isSound = 0 WHERE item = ?",
            arguments: [key]
        )
        try reference?.delete(from: database)
        return reference
    }

    /// The sealed file that the recording was imported from, if that is kept and not its sound.
    private static func file(of id: AudioItem.ID, in database: Database) throws -> ContentReference? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(ContentReference.columns) FROM content JOIN itemFile ON itemFile.content = content.id
                JOIN item ON item.key = itemFile.item WHERE item.id = ?
                """,
            arguments: [id.rawValue]
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
        ).map { RecordingMark(sample: $0["sample"], label: $0["label"]) }
    }

    // MARK: - Changes

    package func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID) async throws {
        try await database.write { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
            guard let row else { throw LibraryError.itemNotFound }
            let key: Int64 = row["key"]
            try database.execute(sql: "DELETE FROM itemMark WHERE item = ?", arguments: [key])
            try AudioItem(row: row).insert(marks, into: database, key: key)
        }
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
            let references = sounds + (try ids.compactMap { try StoredLibrary.file(of: $0, in: database) })
            for id in ids {
                try database.execute(
                    sql: "DELETE FROM search WHERE rowid = (SELECT key FROM item WHERE id = ?)",
                    arguments: [id.rawValue]
                )
                try database.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id.rawValue])
            }
            for reference in references { try reference.delete(from: database) }
            var queue = try StoredPlayback.queue(in: database)
            queue.removeEntries(of: ids)
            try StoredPlayback.save(queue, in: database)
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
