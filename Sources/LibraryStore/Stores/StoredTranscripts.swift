package import EchoText
import Foundation
import GRDB

/// The transcripts, in the encrypted database.
package struct StoredTranscripts: TranscriptStore {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func versions(of item: AudioItem.ID) async throws -> [TranscriptVersion] {
        try await database.read { database in
            let key = try AudioItem.key(of: item, in: database)
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT id, number, created, source, language, words, isCurrent FROM transcript
                    WHERE item = ? ORDER BY number DESC
                    """,
                arguments: [key]
            ).map { TranscriptVersion(row: $0, of: item) }
        }
    }

    package func transcript(_ id: Transcript.ID) async throws -> Transcript {
        try await database.read { try Transcript.stored(id, in: $0) }
    }

    @discardableResult
    package func add(_ transcript: Transcript) async throws -> TranscriptVersion {
        let new = try NewTranscript(transcript)
        return try await database.write { try new.insert(into: $0) }
    }

    package func makeCurrent(_ id: Transcript.ID) async throws {
        try await database.write { database in
            let transcript = try Transcript.stored(id, in: database)
            try transcript.becomeCurrent(in: database)
        }
    }

    package func forgetFailedRecognizer(of id: Transcript.ID) async throws {
        try await database.write { database in
            var source = try Transcript.stored(id, in: database).source
            source.insteadOf = nil
            let data = try JSONEncoder().encode(source)
            try database.execute(sql: "UPDATE transcript SET source = ? WHERE id = ?", arguments: [data, id.rawValue])
        }
    }

    @discardableResult
    package func delete(_ id: Transcript.ID) async throws -> AudioItem.ID {
        try await database.writeToFree { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT item.key, item.id, isCurrent FROM transcript JOIN item ON item.key = transcript.item
                    WHERE transcript.id = ?
                    """,
                arguments: [id.rawValue]
            )
            guard let row else { throw TranscriptError.notFound }
            try database.execute(sql: "DELETE FROM transcript WHERE id = ?", arguments: [id.rawValue])
            if row["isCurrent"] { try Transcript.chooseNewest(of: row["key"], in: database) }
            return AudioItem.ID(rawValue: row["id"])
        }
    }
}

/// A transcript to be stored, in the form of its row.
struct NewTranscript: Sendable {
    private let transcript: Transcript
    private let source: Data
    private let segments: Data

    init(_ transcript: Transcript) throws {
        // NaN cannot be stored.
        try transcript.check(duration: .greatestFiniteMagnitude)
        self.transcript = transcript
        source = try JSONEncoder().encode(transcript.source)
        segments = try JSONEncoder().encode(transcript.segments)
    }

    /// Adds it as the newest version.
    ///
    /// - Parameters:
    ///   - database: The library.
    ///   - order: What it was made for; `nil` where it becomes the current version in any case.
    /// - Returns: The version.
    /// - Throws: ``LibraryError/itemNotFound``, ``TranscriptError/ofNarration``, ``TranscriptError/invalidSegments``.
    func insert(into database: Database, for order: TranscriptionOrder? = nil) throws -> TranscriptVersion {
        let sql = "SELECT * FROM item WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [transcript.item.rawValue]) else {
            throw LibraryError.itemNotFound
        }
        let item = try AudioItem(row: row)
        guard item.narration == nil else { throw TranscriptError.ofNarration }
        try transcript.check(duration: item.duration)
        let key: Int64 = row["key"]
        let made: Int = row["transcriptsMade"]
        guard RowBounds.counts.contains(made) else { throw VaultError.databaseDamaged }
        let number = made + 1
        let isCurrent = try order.map { try Self.becomesCurrent($0, ofKey: key, in: database) } ?? true
        try database.execute(sql: "UPDATE item SET transcriptsMade = ? WHERE key = ?", arguments: [number, key])
        try database.execute(
            sql: """
                INSERT INTO transcript (id, item, number, created, source, language, words, isCurrent, segments)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
                """,
            arguments: [
                transcript.id.rawValue, key, number, transcript.created.timeIntervalSince1970, source,
                transcript.language, transcript.wordCount, segments,
            ]
        )
        if isCurrent { try transcript.becomeCurrent(in: database) }
        return TranscriptVersion(transcript, number: number, isCurrent: isCurrent)
    }

    private static func becomesCurrent(
        _ order: TranscriptionOrder,
        ofKey key: Int64,
        in database: Database
    ) throws -> Bool {
        let sql = "SELECT id, source FROM transcript WHERE item = ? AND isCurrent = 1"
        let present = try Row.fetchOne(database, sql: sql, arguments: [key])
        return order.makesCurrent(
            insteadOf: present.map { Transcript.ID(rawValue: $0["id"]) },
            // A source that cannot be read may be that of a person's own text.
            isOwn: present.map { (try? TranscriptSource.stored($0["source"]))?.isOwn ?? true } ?? false
        )
    }
}

extension Transcript {
    /// - Throws: ``TranscriptError/notFound``; ``VaultError/databaseDamaged``.
    fileprivate static func stored(_ id: ID, in database: Database) throws -> Transcript {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT transcript.*, item.id AS owner FROM transcript JOIN item ON item.key = transcript.item
                WHERE transcript.id = ?
                """,
            arguments: [id.rawValue]
        )
        guard let row else { throw TranscriptError.notFound }
        return Transcript(
            id: id,
            item: AudioItem.ID(rawValue: row["owner"]),
            created: Date(seconds: row["created"]),
            source: try TranscriptSource.stored(row["source"]),
            language: row["language"],
            segments: try [TranscriptSegment].stored(row["segments"]).checked()
        )
    }

    /// Makes it the current version, whose text and times the recording gets.
    fileprivate func becomeCurrent(in database: Database) throws {
        let sql = "SELECT * FROM item WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [item.rawValue]) else {
            throw LibraryError.itemNotFound
        }
        let key: Int64 = row["key"]
        try Self.makeNoneCurrent(of: key, in: database)
        try database.execute(sql: "UPDATE transcript SET isCurrent = 1 WHERE id = ?", arguments: [id.rawValue])
        try Self.show(self, as: try AudioItem(row: row), key: key, in: database)
    }

    private static func makeNoneCurrent(of key: Int64, in database: Database) throws {
        try database.execute(
            sql: "UPDATE transcript SET isCurrent = 0 WHERE item = ? AND isCurrent = 1",
            arguments: [key]
        )
    }

    /// Makes the newest version of a recording that can be read the current one, or clears the recording's text when there
    /// is none.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    static func chooseNewest(of key: Int64, in database: Database) throws -> Bool {
        let newest = try String.fetchAll(
            database,
            sql: "SELECT id FROM transcript WHERE item = ? ORDER BY number DESC",
            arguments: [key]
        )
        for id in newest {
            do {
                try stored(ID(rawValue: id), in: database).becomeCurrent(in: database)
                return true
            } catch VaultError.databaseDamaged {
                continue  // The next one may be readable.
            }
        }
        try makeNoneCurrent(of: key, in: database)
        let sql = "SELECT * FROM item WHERE key = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [key]) else { throw LibraryError.itemNotFound }
        try show(nil, as: try AudioItem(row: row), key: key, in: database)
        return false
    }

    /// Has a recording's text, times and index be those of its current transcript.
    private static func show(_ transcript: Transcript?, as item: AudioItem, key: Int64, in database: Database) throws {
        let text = transcript?.text ?? ""
        let sentences = transcript?.timings(sampleRate: item.sampleRate, count: item.sampleCount) ?? []
        let language = transcript.map(\.language).flatMap { $0 == "und" ? nil : $0 } ?? item.language
        try database.execute(
            sql: "UPDATE item SET words = ?, language = ?, isTranscribed = ? WHERE key = ?",
            arguments: [transcript?.wordCount ?? 0, language, transcript != nil, key]
        )
        try database.execute(
            sql: "UPDATE itemText SET text = ?, timings = ? WHERE item = ?",
            arguments: [Data(text.utf8), TimingTableCodec.encode(sentences, of: Array(text.utf16)), key]
        )
        // An index without contents takes all columns or none.
        try database.execute(
            sql: "UPDATE search SET name = ?, text = ? WHERE rowid = ?",
            arguments: [item.name.text.searchable, text.searchable, key]
        )
    }
}

extension TranscriptVersion {
    fileprivate init(row: Row, of item: AudioItem.ID) {
        self.init(
            id: Transcript.ID(rawValue: row["id"]),
            item: item,
            number: row["number"],
            created: Date(seconds: row["created"]),
            source: (try? TranscriptSource.stored(row["source"])) ?? .unreadable,
            language: row["language"],
            words: row["words"],
            isCurrent: row["isCurrent"]
        )
    }
}

extension [TranscriptSegment] {
    /// The same segments, if their times can be reckoned with and their words are in their texts.
    ///
    /// - Throws: ``VaultError/databaseDamaged``.
    func checked() throws(VaultError) -> [TranscriptSegment] {
        let areInReach = allSatisfy { segment in
            let length = segment.text.utf16.count
            return RowBounds.places.contains(segment.time.lowerBound)
                && RowBounds.places.contains(segment.time.upperBound)
                && segment.words.allSatisfy { word in
                    RowBounds.places.contains(word.start) && RowBounds.places.contains(word.end)
                        && word.source.lowerBound >= 0 && word.source.upperBound <= length
                }
        }
        guard areInReach else { throw .databaseDamaged }
        return self
    }
}

/// A value stored as JSON in a row.
extension Decodable {
    /// - Throws: ``VaultError/databaseDamaged``.
    static func stored(_ data: Data) throws(VaultError) -> Self {
        // The details of a mismatch would not help a person.
        guard let value = try? JSONDecoder().decode(Self.self, from: data) else { throw .databaseDamaged }
        return value
    }
}
