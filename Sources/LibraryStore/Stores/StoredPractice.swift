package import EchoText
package import Foundation
import GRDB

/// The practice sessions and hard segments in the encrypted database, and the sound of takes in encrypted files next to
/// it.
package struct StoredPractice: PracticeStore {
    let database: LibraryDatabase
    let contents: any SealedContents

    package init(database: LibraryDatabase, contents: any SealedContents) {
        self.database = database
        self.contents = contents
    }

    // MARK: - Sessions

    package func add(_ practice: PracticeRecord, text: String?) async throws {
        let row = try PracticeRow(practice)
        let text = text.map { Data($0.utf8) }
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO practiceSession
                        (id, created, updated, isFinished, title, language, instructions, state, text)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    practice.id.rawValue, practice.created.timeIntervalSince1970,
                    practice.updated.timeIntervalSince1970, practice.isFinished, practice.title.text,
                    practice.language, row.instructions, row.state, text,
                ]
            )
        }
    }

    package func practices() async throws -> [PracticeRecord] {
        try await database.read { database in
            let sql = "SELECT \(PracticeRow.columns) FROM practiceSession ORDER BY isFinished, updated DESC, key DESC"
            return try Row.fetchAll(database, sql: sql).compactMap { Self.readable($0) }
        }
    }

    package func unreadable() async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT \(PracticeRow.columns) FROM practiceSession")
                .count { Self.readable($0) == nil }
        }
    }

    private static func readable(_ row: Row) -> PracticeRecord? {
        // Why it cannot be read does not matter here.
        try? PracticeRecord(row: row)
    }

    package func practice(_ id: PracticeRecord.ID) async throws -> PracticeRecord {
        try await database.read { database in
            let sql = "SELECT \(PracticeRow.columns) FROM practiceSession WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
                throw PracticeError.sessionNotFound
            }
            return try PracticeRecord(row: row)
        }
    }

    package func text(of id: PracticeRecord.ID) async throws -> String? {
        try await database.read { database in
            let sql = "SELECT text FROM practiceSession WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
                throw PracticeError.sessionNotFound
            }
            return (row["text"] as Data?).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    package func update(_ practice: PracticeRecord) async throws {
        let row = try PracticeRow(practice)
        try await database.write { database in
            try database.execute(
                sql: "UPDATE practiceSession SET updated = ?, isFinished = ?, state = ? WHERE id = ?",
                arguments: [
                    practice.updated.timeIntervalSince1970, practice.isFinished, row.state, practice.id.rawValue,
                ]
            )
            guard database.changesCount == 1 else { throw PracticeError.sessionNotFound }
        }
    }

    package func delete(_ id: PracticeRecord.ID) async throws {
        let references = try await database.writeToFree { database in
            let key = try Self.key(of: id, in: database)
            let references = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(ContentReference.columns) FROM practiceTake
                    JOIN content ON content.id = practiceTake.content WHERE session = ?
                    """,
                arguments: [key]
            ).map(ContentReference.init(row:))
            try database.execute(sql: "DELETE FROM practiceSession WHERE key = ?", arguments: [key])
            for reference in references { try reference.delete(from: database) }
            return references
        }
        // The rows are deleted; a remaining file is removed by the sweep.
        try await contents.delete(references)
    }

    // MARK: - Takes

    package func add(_ take: PracticeTake, sound: Data) async throws {
        let reference = try await contents.write(sound, name: .take)
        do {
            try await database.write { database in
                let key = try Self.key(of: take.practice, in: database)
                try reference.insert(into: database)
                try database.execute(
                    sql: """
                        INSERT INTO practiceTake
                            (id, session, created, segment, repetition, rate, text, seconds, isKept, content)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        take.id.rawValue, key, take.created.timeIntervalSince1970, take.segment, take.repetition,
                        take.rate, Data(take.text.utf8), take.seconds, take.isKept, reference.id.text,
                    ]
                )
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([reference])
            throw error
        }
    }

    package func takes(of id: PracticeRecord.ID) async throws -> [PracticeTake] {
        try await database.read { database in
            let key = try Self.key(of: id, in: database)
            let sql = "\(Self.takes) WHERE practiceTake.session = ? ORDER BY practiceTake.key"
            return try Row.fetchAll(database, sql: sql, arguments: [key]).map(PracticeTake.init(row:))
        }
    }

    package func take(_ id: PracticeTake.ID) async throws -> PracticeTake {
        try await database.read { database in
            let sql = "\(Self.takes) WHERE practiceTake.id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
                throw PracticeError.takeNotFound
            }
            return try PracticeTake(row: row)
        }
    }

    package func sound(of id: PracticeTake.ID) async throws -> any StoredSound {
        let reference = try await database.read { database in
            try Self.sound(of: id, in: database)
        }
        guard let reference else { throw PracticeError.takeNotFound }
        return try await contents.sound(of: reference)
    }

    package func score(of id: PracticeTake.ID) async throws -> TakeScore? {
        try await database.read { database in
            let sql = "SELECT score, text FROM practiceTake WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
                throw PracticeError.takeNotFound
            }
            let text = String(decoding: row["text"] as Data, as: UTF8.self)
            return try (row["score"] as Data?).map { try TakeScore.stored($0).checked(against: text) }
        }
    }

    package func keep(_ score: TakeScore, of id: PracticeTake.ID, keepsSound: Bool) async throws {
        let data = try JSONEncoder().encode(score)
        let reference = try await database.write { database in
            try database.execute(
                sql: "UPDATE practiceTake SET score = ?, points = ?, pace = ? WHERE id = ?",
                arguments: [data, score.score, score.pace.take, id.rawValue]
            )
            guard database.changesCount == 1 else { throw PracticeError.takeNotFound }
            guard !keepsSound, let reference = try Self.sound(of: id, in: database) else {
                return ContentReference?.none
            }
            try database.execute(sql: "UPDATE practiceTake SET content = NULL WHERE id = ?", arguments: [id.rawValue])
            try reference.delete(from: database)
            return reference
        }
        // The score is stored; a file that stays behind is swept away later.
        if let reference { try? await contents.delete([reference]) }
    }

    package func delete(_ id: PracticeTake.ID) async throws {
        let reference = try await database.writeToFree { database in
            let reference = try Self.sound(of: id, in: database)
            try database.execute(sql: "DELETE FROM practiceTake WHERE id = ?", arguments: [id.rawValue])
            guard database.changesCount == 1 else { throw PracticeError.takeNotFound }
            try reference?.delete(from: database)
            return reference
        }
        if let reference { try await contents.delete([reference]) }
    }

    // MARK: - Hard segments

    package func hardSegments() async throws -> [HardSegment] {
        try await database.read { database in
            try Data.fetchAll(database, sql: "SELECT segment FROM hardSegment ORDER BY due, key")
                .map { try HardSegment.stored($0).checked() }
        }
    }

    package func keep(_ segment: HardSegment) async throws {
        let data = try JSONEncoder().encode(segment)
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO hardSegment (digest, due, segment) VALUES (?, ?, ?)
                    ON CONFLICT (digest) DO UPDATE SET due = excluded.due, segment = excluded.segment
                    """,
                arguments: [segment.digest, segment.next.timeIntervalSince1970, data]
            )
        }
    }

    package func removeHardSegment(_ digest: String) async throws {
        try await database.writeToFree { database in
            try database.execute(sql: "DELETE FROM hardSegment WHERE digest = ?", arguments: [digest])
        }
    }

    // MARK: - Rows

    private static let takes = """
        SELECT practiceTake.id, practiceSession.id AS practice, practiceTake.created, segment, repetition, rate, practiceTake.text,
            seconds, points, pace, isKept, score IS NOT NULL AS isScored, content IS NOT NULL AS hasSound
        FROM practiceTake JOIN practiceSession ON practiceSession.key = practiceTake.session
        """

    /// - Throws: ``PracticeError/sessionNotFound``.
    private static func key(of id: PracticeRecord.ID, in database: Database) throws -> Int64 {
        let sql = "SELECT key FROM practiceSession WHERE id = ?"
        guard let key = try Int64.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw PracticeError.sessionNotFound
        }
        return key
    }

    private static func sound(of id: PracticeTake.ID, in database: Database) throws -> ContentReference? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(ContentReference.columns) FROM practiceTake
                JOIN content ON content.id = practiceTake.content WHERE practiceTake.id = ?
                """,
            arguments: [id.rawValue]
        ).map(ContentReference.init(row:))
    }
}

/// The JSON in a session's row.
private struct PracticeRow {
    /// All but the text.
    static let columns = "id, created, updated, title, language, instructions, state"

    struct Instructions: Codable {
        let source: PracticeSource
        let voice: Voice.ID
        let speaker: Int
    }

    struct State: Codable {
        let session: PracticeSession
        let tally: PracticeTally
        let summary: PracticeSummary?
    }

    let instructions: Data
    let state: Data

    init(_ practice: PracticeRecord) throws {
        let encoder = JSONEncoder()
        instructions = try encoder.encode(
            Instructions(source: practice.source, voice: practice.voice, speaker: practice.speaker)
        )
        state = try encoder.encode(
            State(session: practice.session, tally: practice.tally, summary: practice.summary)
        )
    }
}

extension PracticeRecord {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid row.
    fileprivate init(row: Row) throws {
        let instructions = try PracticeRow.Instructions.stored(row["instructions"])
        let state = try PracticeRow.State.stored(row["state"])
        guard let title = try? ItemName(stored: row["title"]), state.summary?.isInReach ?? true else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: ID(rawValue: row["id"]),
            created: Date(seconds: row["created"]),
            updated: Date(seconds: row["updated"]),
            title: title,
            language: row["language"],
            source: instructions.source,
            voice: instructions.voice,
            speaker: instructions.speaker,
            session: state.session,
            tally: state.tally,
            summary: state.summary
        )
    }
}

extension PracticeTake {
    /// - Throws: ``VaultError/databaseDamaged``.
    fileprivate init(row: Row) throws(VaultError) {
        let (created, seconds, pace): (Double, Double, Double?) = (row["created"], row["seconds"], row["pace"])
        guard RowBounds.times.contains(created), RowBounds.places.contains(seconds),
            RowBounds.paces.contains(pace ?? 0)
        else { throw .databaseDamaged }
        self.init(
            id: ID(rawValue: row["id"]),
            practice: PracticeRecord.ID(rawValue: row["practice"]),
            created: Date(timeIntervalSince1970: created),
            segment: row["segment"],
            repetition: row["repetition"],
            rate: row["rate"],
            text: String(decoding: row["text"] as Data, as: UTF8.self),
            seconds: seconds,
            isScored: row["isScored"],
            score: row["points"],
            pace: pace,
            isKept: row["isKept"],
            hasSound: row["hasSound"]
        )
    }
}

extension TakeScore {
    /// The same score, if its words are in the segment's text and its numbers can be reckoned with.
    ///
    /// - Throws: ``VaultError/databaseDamaged``.
    fileprivate func checked(against text: String) throws(VaultError) -> TakeScore {
        let length = text.utf16.count
        let times: [Time] = words.compactMap(\.take) + words.compactMap(\.model) + extra.compactMap(\.time)
        guard words.allSatisfy({ $0.source.lowerBound >= 0 && $0.source.upperBound <= length }),
            times.allSatisfy({
                RowBounds.places.contains($0.lowerBound) && RowBounds.places.contains($0.upperBound)
            }),
            (0...1).contains(score ?? 0),
            RowBounds.paces.contains(pace.take ?? 0), RowBounds.paces.contains(pace.model ?? 0)
        else { throw .databaseDamaged }
        return self
    }
}

extension PracticeSummary {
    /// Whether its numbers can be reckoned with.
    fileprivate var isInReach: Bool {
        let scores = [score, best?.score, worst?.score].compactMap(\.self)
        return scores.allSatisfy { (0...1).contains($0) } && RowBounds.paces.contains(pace ?? 0)
    }
}

extension HardSegment {
    /// The same segment, if it waits for a day that there is.
    ///
    /// - Throws: ``VaultError/databaseDamaged``.
    fileprivate func checked() throws(VaultError) -> HardSegment {
        let times = [since, next].map(\.timeIntervalSince1970)
        guard Self.days.indices.contains(stage), times.allSatisfy(RowBounds.times.contains),
            (0...1).contains(score ?? 0)
        else { throw .databaseDamaged }
        return self
    }
}

/// The speeches, in the encrypted database.
package struct StoredSpeeches: Speeches {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func speeches() async throws -> [Speech] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM practiceSpeech ORDER BY updated DESC, id")
                .compactMap { Self.readable($0) }
        }
    }

    package func unreadable() async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM practiceSpeech").count { Self.readable($0) == nil }
        }
    }

    private static func readable(_ row: Row) -> Speech? {
        // Why it cannot be read does not matter here.
        try? Speech(row: row)
    }

    package func speech(_ id: Speech.ID) async throws -> Speech? {
        try await database.read { try Self.speech(id, in: $0) }
    }

    package func save(_ speech: Speech) async throws {
        try await database.write { try Self.save(speech, in: $0) }
    }

    package func save(_ speech: Speech, insteadOf seen: Speech) async throws -> Bool {
        try await database.write { database in
            guard try Self.speech(seen.id, in: database) == seen else { return false }
            try Self.save(speech, in: database)
            return true
        }
    }

    private static func speech(_ id: Speech.ID, in database: Database) throws -> Speech? {
        try Row.fetchOne(database, sql: "SELECT * FROM practiceSpeech WHERE id = ?", arguments: [id.rawValue])
            .map(Speech.init(row:))
    }

    private static func save(_ speech: Speech, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO practiceSpeech (id, title, language, created, updated, text) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET title = excluded.title, language = excluded.language,
                    created = excluded.created, updated = excluded.updated, text = excluded.text
                """,
            arguments: [
                speech.id.rawValue, speech.title.text, speech.language, speech.created.timeIntervalSince1970,
                speech.updated.timeIntervalSince1970, Data(speech.text.utf8),
            ]
        )
    }

    package func delete(_ id: Speech.ID) async throws {
        try await database.writeToFree { database in
            try database.execute(sql: "DELETE FROM practiceSpeech WHERE id = ?", arguments: [id.rawValue])
            guard database.changesCount == 1 else { throw SpeechError.notFound }
        }
    }
}

extension Speech {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid row.
    fileprivate init(row: Row) throws {
        let language: String = row["language"]
        do {
            try self.init(
                id: ID(rawValue: row["id"]),
                title: row["title"],
                text: String(decoding: row["text"] as Data, as: UTF8.self),
                // A name such as “english” could be stored once; the text is still worth reading.
                language: LanguageTag.isWellFormed(LanguageTag.canonical(language)) ? language : "und",
                created: Date(seconds: row["created"]),
                updated: Date(seconds: row["updated"])
            )
        } catch {
            throw VaultError.databaseDamaged
        }
    }
}
