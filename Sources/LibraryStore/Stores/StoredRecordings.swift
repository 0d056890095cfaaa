package import EchoText
import FileSystem
package import Foundation
import GRDB

/// Recordings in progress: the latest chunks in the encrypted database, the others in encrypted files next to it.
///
/// A process that records into a session holds a lock on a file named after it, which the system releases when the
/// process ends for any reason. Changes of a session are serialized.
package actor StoredRecordings: RecordingSessions {
    /// How many seconds of chunks are moved to a file together; a chunk of that length is written to a file at once.
    static let segmentSeconds = 30
    /// How many samples are compared with a chunk at once.
    private static let comparedSamples = 1 << 21

    let database: LibraryDatabase
    let contents: any SealedContents
    let now: @Sendable () -> Date
    private var held = HeldLocks<AudioItem>()
    /// Hashes of the chunks that this process has added to sessions, by their numbers.
    private var added: [AudioItem.ID: [Int: Int]] = [:]
    /// The chunk after the one that was known again last, and where it begins, as it often comes next.
    private var following: [AudioItem.ID: (number: Int, start: Int)] = [:]
    /// Sessions that something is done to, with what waits for its turn.
    private var turns: [AudioItem.ID: [CheckedContinuation<Void, Never>]] = [:]

    package init(
        database: LibraryDatabase,
        contents: any SealedContents,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.database = database
        self.contents = contents
        self.now = now
    }

    // MARK: - Holding

    package func begin(_ order: RecordingOrder) async throws -> RecordingSession {
        // Rounded to the precision that its row can store.
        let created = Date(timeIntervalSince1970: now().timeIntervalSince1970)
        let session = RecordingSession(created: created, order: order)
        let (instructions, marks) = (try JSONEncoder().encode(order), try JSONEncoder().encode(session.marks))
        try hold(session.id)
        do {
            try await database.write { database in
                try database.execute(
                    sql:
                        "INSERT INTO recordingSession (id, created, state, instructions, marks) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        session.id.rawValue, created.timeIntervalSince1970, session.state.rawValue, instructions, marks,
                    ]
                )
            }
        } catch {
            held.release(session.id)
            throw error
        }
        return session
    }

    package func resume(_ id: AudioItem.ID) async throws -> RecordingSession {
        try await holding(id) {
            try await self.database.write { database in
                try database.execute(
                    sql: "UPDATE recordingSession SET state = 'recording' WHERE id = ?",
                    arguments: [id.rawValue]
                )
                return try RecordingSession(row: Self.row(of: id, in: database))
            }
        }
    }

    package func release(_ id: AudioItem.ID) async {
        await inTurn(id) { held.release(id) }
    }

    /// Forgets a session that is over.
    private func forgetSession(_ id: AudioItem.ID) {
        held.release(id)
        added[id] = nil
        following[id] = nil
    }

    /// Acquires the session's lock unless this process has it.
    private func hold(_ id: AudioItem.ID) throws {
        try held.hold(id, orThrow: RecordingError.sessionBusy) { try SessionLocks(of: database.folder).take(id) }
    }

    /// Does `work` with a session in its turn, holding it; when that fails, it is held afterwards only if it was before.
    private func holding<Result: Sendable>(
        _ id: AudioItem.ID,
        _ work: () async throws -> Result
    ) async throws -> Result {
        try await inTurn(id) {
            let wasHeld = held.has(id)
            try hold(id)
            do {
                return try await work()
            } catch {
                if (error as? RecordingError)?.isOfAbsence == true {
                    forgetSession(id)
                } else if !wasHeld {
                    held.release(id)
                }
                throw error
            }
        }
    }

    /// Runs `work` exclusively for the session, in the order of the calls.
    private func inTurn<Result: Sendable>(
        _ id: AudioItem.ID,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        if turns[id] == nil {
            turns[id] = []
        } else {
            await withCheckedContinuation { turns[id, default: []].append($0) }
        }
        defer {
            if turns[id]?.isEmpty ?? true { turns[id] = nil } else { turns[id]?.removeFirst().resume() }
        }
        return try await work()
    }

    // MARK: - Lists

    package func sessions() async throws -> [RecordingSession] {
        let sessions = try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM recordingSession ORDER BY created, key")
                .map { row in (try? RecordingSession(row: row)) ?? RecordingSession(unreadable: row) }
        }
        return try sessions.map { try shown($0) }
    }

    package func session(_ id: AudioItem.ID) async throws -> RecordingSession {
        try shown(try await database.read { try RecordingSession(row: Self.row(of: id, in: $0)) })
    }

    /// The session with the state it is really in.
    private func shown(_ session: RecordingSession) throws -> RecordingSession {
        guard session.state == .recording, !held.has(session.id),
            try !SessionLocks(of: database.folder).isTaken(session.id)
        else { return session }
        var session = session
        session.state = .interrupted
        return session
    }

    static func row(of id: AudioItem.ID, in database: Database) throws -> Row {
        let sql = "SELECT * FROM recordingSession WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw try EndedSessions.absence(of: id, in: database)
        }
        return row
    }

    // MARK: - Changes

    @discardableResult
    package func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> RecordingSession {
        try await holding(id) {
            let session = try await database.read { try RecordingSession(row: Self.row(of: id, in: $0)) }
            guard chunk.number <= session.nextChunk else {
                throw RecordingError.chunkMissing(next: session.nextChunk)
            }
            let hash = chunk.samples.hashValue
            guard chunk.number == session.nextChunk else {
                guard try await isThere(chunk, in: session) else { throw RecordingError.chunkTaken }
                return session
            }
            guard 2 * (session.samples + chunk.samples.count) <= WAVHeader.maximumPlainData else {
                throw LibraryError.recordingTooLong
            }
            var grown = session
            grown.samples += chunk.samples.count
            grown.nextChunk += 1
            // Little-endian, as every machine is that Swift runs on.
            let sound = chunk.samples.withUnsafeBytes { Data($0) }
            guard chunk.samples.count < Self.segmentSeconds * session.order.sampleRate else {
                try await keepSegment(sound, as: grown, from: session.samples)
                added[id, default: [:]][chunk.number] = hash
                return grown
            }
            try await keepChunk(sound, as: grown, from: session.samples)
            added[id, default: [:]][chunk.number] = hash
            do {
                try await sealChunks(of: grown)
            } catch {
                // The chunk stays where it is; the next one tries again.
            }
            return grown
        }
    }

    /// Whether the sound of a chunk is there whose number is taken.
    ///
    /// Chunks that an earlier process or another one has added are compared with the sound itself.
    private func isThere(_ chunk: RecordingChunk, in session: RecordingSession) async throws -> Bool {
        if let hash = added[session.id]?[chunk.number] { return hash == chunk.samples.hashValue }
        for start in try await places(of: chunk, in: session) {
            do {
                let there = try await sound(of: session.id, in: start..<start + chunk.samples.count)
                guard there == chunk.samples else { continue }
                remember(chunk, of: session.id, at: start)
                return true
            } catch let error as VaultError where error.isOfOnePart {
                // It may stand elsewhere.
            }
        }
        // Silence stands in many places.
        guard chunk.isDistinct else { return false }
        let start = session.samples - chunk.tail(of: session)
        do {
            let tail = try await sound(of: session.id, in: start..<session.samples)
            if let place = chunk.place(in: tail) {
                remember(chunk, of: session.id, at: start + place)
                return true
            }
        } catch let error as VaultError where error.isOfOnePart {
            // Damaged sound cannot be compared, and a refusal would make the same sound a recording of its own.
            return true
        }
        return try await isThere(chunk, beginningBefore: start, in: session)
    }

    /// Where a chunk begins if it is there, as far as that can be known without looking through the sound.
    private func places(of chunk: RecordingChunk, in session: RecordingSession) async throws -> [Int] {
        let (count, behind) = (chunk.samples.count, session.nextChunk - chunk.number)
        var places: [Int] = []
        if let next = following[session.id], next.number == chunk.number { places.append(next.start) }
        let row = try await database.read { try RecordedPiece.start(ofChunk: behind, beforeEndOf: session, in: $0) }
        if let row {
            places.append(row)
        } else if behind <= session.samples / count {
            places.append(session.samples - behind * count)  // All after it have its length.
        }
        return places.filter { $0 + count <= session.samples }
    }

    /// Remembers that a chunk is there, so that what comes after it is looked for there first.
    private func remember(_ chunk: RecordingChunk, of id: AudioItem.ID, at start: Int) {
        added[id, default: [:]][chunk.number] = chunk.samples.hashValue
        following[id] = (chunk.number + 1, start + chunk.samples.count)
    }

    /// Whether a chunk stands in the sound before the last of a session, after which much may have been recorded.
    ///
    /// Damaged sound is passed over there: a chunk that is not found becomes a recording of its own, and is not lost.
    private func isThere(
        _ chunk: RecordingChunk,
        beginningBefore start: Int,
        in session: RecordingSession
    ) async throws -> Bool {
        let length = chunk.samples.count
        // Neighboring stretches share all but one sample of a chunk, so that it is whole in one of them.
        var next = start
        while next > 0 {
            let first = max(0, next - Self.comparedSamples)
            let range = first..<min(session.samples, next + length - 1)
            do {
                if let place = chunk.place(in: try await sound(of: session.id, in: range)) {
                    remember(chunk, of: session.id, at: first + place)
                    return true
                }
            } catch let error as VaultError where error.isOfOnePart {
                // It is passed over.
            }
            next = first
        }
        return false
    }

    /// Reads a stretch of a session's sound, which is shorter where that has become a recording meanwhile.
    private func sound(of id: AudioItem.ID, in range: Range<Int>) async throws -> [Int16] {
        var sound: [Int16] = []
        while sound.count < range.count {
            let start = range.lowerBound + sound.count
            let more = try await samples(of: id, from: start, limit: range.upperBound - start)
            guard !more.isEmpty else { break }
            sound += more
        }
        return sound
    }

    private func keepChunk(_ sound: Data, as grown: RecordingSession, from start: Int) async throws {
        try await database.write { database in
            let key = try grown.saveGrowth(in: database)
            try database.execute(
                sql: "INSERT INTO recordedChunk (session, start, samples, sound) VALUES (?, ?, ?, ?)",
                arguments: [key, start, sound.count / 2, sound]
            )
        }
    }

    private func keepSegment(_ sound: Data, as grown: RecordingSession, from start: Int) async throws {
        try await keepSegment(sound, from: start) { try grown.saveGrowth(in: $0) }
    }

    /// Writes sound to an encrypted file, which is added to the session if `change` succeeds.
    ///
    /// - Parameters:
    ///   - sound: 16-bit mono.
    ///   - start: Its first sample.
    ///   - change: The change in the same transaction; receives the session's key.
    /// - Throws: What `change` throws, ``VaultError``; nothing has changed then.
    private func keepSegment(
        _ sound: Data,
        from start: Int,
        _ change: @escaping @Sendable (Database) throws -> Int64
    ) async throws {
        let reference = try await contents.write(sound, name: .recorded)
        do {
            try await database.write { database in
                let key = try change(database)
                try reference.insert(into: database)
                try database.execute(
                    sql: "INSERT INTO recordedSegment (session, start, samples, content) VALUES (?, ?, ?, ?)",
                    arguments: [key, start, sound.count / 2, reference.id.text]
                )
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([reference])
            throw error
        }
    }

    /// Moves chunks to a file when there are enough of them.
    private func sealChunks(of session: RecordingSession) async throws {
        let least = Self.segmentSeconds * session.order.sampleRate
        let run = try await database.read { try ChunkRun(of: session.id, atLeast: least, in: $0) }
        guard let run else { return }
        try await keepSegment(run.sound, from: run.start) { database in
            try database.execute(
                sql: "DELETE FROM recordedChunk WHERE session = ? AND start >= ? AND start < ?",
                arguments: [run.session, run.start, run.start + run.sound.count / 2]
            )
            guard database.changesCount == run.chunks else { throw RecordingError.sessionNotFound }
            return run.session
        }
    }

    @discardableResult
    package func update(
        _ id: AudioItem.ID,
        _ change: @Sendable (inout RecordingSession) -> Void
    ) async throws -> RecordingSession {
        try await inTurn(id) {
            let wasHeld = held.has(id)
            try hold(id)
            defer { if !wasHeld { held.release(id) } }
            var session = try await database.read { try RecordingSession(row: Self.row(of: id, in: $0)) }
            if !wasHeld, session.state == .recording { session.state = .interrupted }
            var changed = session
            change(&changed)
            session.take(changed)
            try await save(session)
            return session
        }
    }

    /// Saves the fields that a person may change.
    private func save(_ session: RecordingSession) async throws {
        let instructions = try JSONEncoder().encode(session.order)
        let marks = try JSONEncoder().encode(session.marks)
        try await database.write { database in
            try database.execute(
                sql: "UPDATE recordingSession SET state = ?, instructions = ?, marks = ? WHERE id = ?",
                arguments: [session.state.rawValue, instructions, marks, session.id.rawValue]
            )
            guard database.changesCount == 1 else { throw RecordingError.sessionNotFound }
        }
    }

    package func discard(_ id: AudioItem.ID) async throws { try await discard(id, isWanted: false) }

    /// Deletes a session with its sound.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - isWanted: Whether sound of it that comes later is wanted all the same, since nobody has discarded it.
    /// - Throws: As ``discard(_:)``.
    func discard(_ id: AudioItem.ID, isWanted: Bool) async throws {
        let time = now()
        try await holding(id) {
            let references = try await database.writeToFree { database in
                let references = try RecordedPiece.references(of: id, in: database)
                try Self.delete(id, with: references, at: time, in: database)
                if isWanted { try EndedSessions.remove(id, in: database) }
                return references
            }
            forgetSession(id)
            // The rows are gone for good; a file that stays behind is swept away later.
            try? await contents.delete(references)
        }
    }

    /// Deletes the rows of a session, and remembers that it has ended.
    static func delete(
        _ id: AudioItem.ID,
        with references: [ContentReference],
        at time: Date,
        in database: Database
    ) throws {
        try database.execute(sql: "DELETE FROM recordingSession WHERE id = ?", arguments: [id.rawValue])
        guard database.changesCount == 1 else { throw try EndedSessions.absence(of: id, in: database) }
        try EndedSessions.add(id, at: time, in: database)
        for reference in references { try reference.delete(from: database) }
    }

    // MARK: - Finishing

    package func finish(_ id: AudioItem.ID, keepsPart: Bool, from file: ImportedFile?) async throws -> AudioItem {
        try await finish(id, keepsPart: keepsPart, from: file, isDigested: false).item
    }

    package func finishWithDigest(_ id: AudioItem.ID) async throws -> (item: AudioItem, digest: String?) {
        try await finish(id, keepsPart: false, from: nil, isDigested: true)
    }

    private func finish(
        _ id: AudioItem.ID,
        keepsPart: Bool,
        from file: ImportedFile?,
        isDigested: Bool
    ) async throws -> (item: AudioItem, digest: String?) {
        try await holding(id) {
            let (session, pieces) = try await database.read { database in
                var session = try RecordingSession(row: Self.row(of: id, in: database))
                let pieces = try RecordedPiece.all(of: id, in: database)
                session.samples = RecordedPiece.count(of: pieces, stated: session.samples)
                return (session, pieces)
            }
            guard session.samples > 0 else { throw RecordingError.nothingRecorded }
            let sound = RecordedSound(
                of: session,
                in: pieces,
                keepsPart: keepsPart,
                isDigested: isDigested,
                database: database,
                contents: contents
            )
            let segments = pieces.compactMap(\.reference)
            let reference = try await contents.write(
                name: .recording,
                length: WAVHeader.plainLength + 2 * session.samples,
                notedIn: database
            ) { try await sound.next() }
            let item: AudioItem
            do {
                let lost = await sound.lost
                item = try await keep(session, sound: reference, lost: lost, from: file, instead: segments)
            } catch {
                // Nothing refers to it; where it stays, a check counts it.
                try? await contents.delete([reference])
                throw error
            }
            forgetSession(id)
            // It is a recording now; a file that stays behind is swept away later.
            try? await contents.delete(segments)
            return (item, await sound.digest)
        }
    }
}

extension RecordingSession {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(row: Row) throws {
        let order = try RecordingOrder.stored(row["instructions"])
        let (samples, nextChunk): (Int, Int) = (row["samples"], row["nextChunk"])
        guard let state = State(rawValue: row["state"]), RecordingOrder.sampleRates.contains(order.sampleRate),
            RowBounds.counts.contains(samples), RowBounds.counts.contains(nextChunk)
        else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: AudioItem.ID(rawValue: row["id"]),
            created: Date(seconds: row["created"]),
            order: order,
            state: state,
            samples: samples,
            nextChunk: nextChunk,
            marks: Self.marks(row["marks"])
        )
    }

    /// The stored marks; since the sound is whole without them, one that says so replaces damaged ones.
    private static func marks(_ data: Data) -> [RecordingMark] {
        (try? [RecordingMark].stored(data)) ?? [RecordingMark(sample: 0, label: "The marks were damaged and are lost.")]
    }

    /// Stands for a session that cannot be read: it is listed among the others, and can be discarded.
    init(unreadable row: Row) {
        self.init(
            id: AudioItem.ID(rawValue: row["id"]),
            created: Date(seconds: row["created"]),
            order: RecordingOrder(unreadable: ItemName(ofUnreadable: row["instructions"] as Data)),
            state: .interrupted,
            isUnreadable: true
        )
    }

    /// Saves how much there is of it.
    ///
    /// - Returns: Its key.
    /// - Throws: ``RecordingError/sessionNotFound``.
    fileprivate func saveGrowth(in database: Database) throws -> Int64 {
        let key = try Int64.fetchOne(
            database,
            sql: "UPDATE recordingSession SET samples = ?, nextChunk = ? WHERE id = ? RETURNING key",
            arguments: [samples, nextChunk, id.rawValue]
        )
        guard let key else { throw RecordingError.sessionNotFound }
        return key
    }
}
