package import EchoText
import FileSystem
package import Foundation
import GRDB

/// Unfinished narrations: rows in the encrypted database, and their sound in encrypted files next to it.
///
/// A process that works on a job holds a lock on a file named after it, which the system releases when the process ends
/// for any reason.
package actor StoredJobs: NarrationJobs {
    let database: LibraryDatabase
    let contents: any SealedContents
    private let now: @Sendable () -> Date
    private var held = HeldLocks<AudioItem>()

    package init(
        database: LibraryDatabase,
        contents: any SealedContents,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.database = database
        self.contents = contents
        self.now = now
    }

    // MARK: - Taking into work

    package func begin(_ order: NarrationOrder, text: String) async throws -> NarrationJob {
        // Rounded to the precision that its row can store.
        let created = Date(timeIntervalSince1970: now().timeIntervalSince1970)
        let job = NarrationJob(created: created, order: order, length: text.utf16.count)
        let instructions = try JSONEncoder().encode(order)
        try hold(job.id)
        do {
            try await database.write { database in
                try database.execute(
                    sql: "INSERT INTO job (id, created, state, instructions, text, length) VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        job.id.rawValue, job.created.timeIntervalSince1970, job.state.rawValue, instructions,
                        Data(text.utf8), job.length,
                    ]
                )
            }
        } catch {
            held.release(job.id)
            throw error
        }
        return job
    }

    package func resume(_ id: AudioItem.ID) async throws -> (job: NarrationJob, text: String) {
        guard !held.has(id) else { throw LibraryError.jobBusy }
        try hold(id)
        do {
            return try await database.write { database in
                try database.execute(
                    sql: "UPDATE job SET state = 'open', failure = NULL WHERE id = ?",
                    arguments: [id.rawValue]
                )
                let row = try Self.row(of: id, in: database)
                guard let job = try? NarrationJob(row: row) else { throw LibraryError.jobDamaged }
                return (job, String(decoding: row["text"] as Data, as: UTF8.self))
            }
        } catch {
            held.release(id)
            throw error
        }
    }

    /// Acquires the job's lock unless this process has it.
    private func hold(_ id: AudioItem.ID) throws {
        try held.hold(id, orThrow: LibraryError.jobBusy) {
            try FileLock.on(id, in: database.folder, orThrow: LibraryError.jobNotFound)
        }
    }

    // MARK: - Work

    package func jobs() async throws -> [NarrationJob] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "\(Self.selection) ORDER BY created, job.key").map { row in
                (try? NarrationJob(row: row)) ?? NarrationJob(unreadable: row)
            }
        }
    }

    package func keep(_ segment: NarrationSegment, for id: AudioItem.ID) async throws {
        try hold(id)
        let chunks = SoundChunks(segment.sound)
        let timings = TimingTableCodec.encode(segment.sentences, of: nil)
        let reference = try await contents.write(name: .segment, length: 2 * segment.sound.count) {
            await chunks.next()
        }
        do {
            try await database.write { database in
                let row = try Self.row(of: id, in: database)
                let key: Int64 = row["key"]
                try reference.insert(into: database)
                try database.execute(
                    sql: """
                        INSERT INTO segment (job, number, content, samples, position, nextSentence, timings)
                        VALUES (?, (SELECT count(*) FROM segment WHERE job = ?), ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        key, key, reference.id.text, segment.sound.count, segment.position, segment.nextSentence,
                        timings,
                    ]
                )
                guard !segment.leftOut.isEmpty else { return }
                var job = try NarrationJob(row: row)
                job.leaveOut(segment.leftOut)
                try database.execute(
                    sql: "UPDATE job SET leftOut = ? WHERE key = ?",
                    arguments: [try job.leftOut.stored, key]
                )
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([reference])
            throw error
        }
    }

    package func leave(_ id: AudioItem.ID, as state: NarrationJob.State, failure: Failure?) async throws {
        try hold(id)
        defer { held.release(id) }
        let failure = try failure.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try await database.write { database in
            try database.execute(
                sql: "UPDATE job SET state = ?, failure = ? WHERE id = ?",
                arguments: [state.rawValue, failure, id.rawValue]
            )
            guard database.changesCount == 1 else { throw LibraryError.jobNotFound }
        }
    }

    package func discard(_ id: AudioItem.ID) async throws {
        try hold(id)
        defer { held.release(id) }
        let references = try await database.writeToFree { database in
            let references = try Self.segmentRows(of: id, in: database).map(ContentReference.init(row:))
            try Self.deleteJob(id, with: references, in: database)
            return references
        }
        try await contents.delete(references)
    }

    private static let selection = """
        SELECT job.*, coalesce(kept.samples, 0) AS samples, coalesce(kept.position, 0) AS position,
            coalesce(kept.nextSentence, 0) AS nextSentence
        FROM job LEFT JOIN (
            SELECT job, sum(min(samples, \(RowBounds.counts.upperBound + 1))) AS samples, max(position) AS position,
                max(nextSentence) AS nextSentence
            FROM segment GROUP BY job
        ) AS kept ON kept.job = job.key
        """

    static func row(of id: AudioItem.ID, in database: Database) throws -> Row {
        let row = try Row.fetchOne(database, sql: "\(selection) WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw LibraryError.jobNotFound }
        return row
    }

    // MARK: - Finishing

    struct Segment {
        let reference: ContentReference
        /// How many.
        let samples: Int
        /// The end of its text in the whole one, in UTF-16 units.
        let position: Int
        let timings: Data
    }

    private static func segmentRows(of id: AudioItem.ID, in database: Database) throws -> [Row] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(ContentReference.columns), samples, segment.position, timings FROM segment
                JOIN job ON job.key = segment.job JOIN content ON content.id = segment.content
                WHERE job.id = ? ORDER BY number
                """,
            arguments: [id.rawValue]
        )
    }

    static func segments(of id: AudioItem.ID, in database: Database) throws -> [Segment] {
        try segmentRows(of: id, in: database).map { row in
            let reference = try ContentReference(row: row)
            let segment = Segment(
                reference: reference,
                samples: row["samples"],
                position: row["position"],
                timings: row["timings"]
            )
            guard RowBounds.counts.contains(segment.samples) else { throw VaultError.databaseDamaged }
            return segment
        }
    }

    package func finish(_ id: AudioItem.ID) async throws -> AudioItem {
        try hold(id)
        defer { held.release(id) }
        let (job, text, segments) = try await database.read { database in
            let row = try Self.row(of: id, in: database)
            let text = String(decoding: row["text"] as Data, as: UTF8.self)
            return (try NarrationJob(row: row), text, try Self.segments(of: id, in: database))
        }
        guard job.samples > 0 else { throw LibraryError.jobNotFound }
        let written = text.writtenPart(before: job.position)
        let units = Array(written.utf16)
        let timings = TimingTableCodec.encode(segments.timings(of: units).sentences, of: units)
        let length = Int(segments.map { Int64($0.reference.length) }.totalSize)
        guard length <= WAVHeader.maximumPlainData else { throw LibraryError.recordingTooLong }
        let cues = try job.order.cues.map { try JSONEncoder().encode($0) }
        let sound = SegmentedSound(
            header: WAVHeader(sampleRate: job.order.voice.sampleRate, dataLength: Int64(length)),
            segments: segments.map(\.reference),
            contents: contents
        )
        let reference = try await contents.write(
            name: .recording,
            length: WAVHeader.plainLength + length,
            notedIn: database
        ) { try await sound.next() }
        let item = AudioItem(finished: job, size: reference.length, words: written.wordCount)
        do {
            try await database.write { [now] database in
                let played: Double = try Self.row(of: id, in: database)["heard"]
                let present = try StoredPlayback.bookmark(in: database)
                let key = try item.insert(text: written, timings: timings, content: reference, into: database)
                if let cues {
                    let sql = "UPDATE itemText SET cues = ? WHERE item = ?"
                    try database.execute(sql: sql, arguments: [cues, key])
                }
                if let bookmark = Bookmark(played: played, of: item, made: now(), beside: present) {
                    try StoredPlayback.save(bookmark, in: database)
                }
                try Self.deleteJob(id, with: segments.map(\.reference), in: database)
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([reference])
            throw error
        }
        // It is a recording now; a file that stays behind is swept away later.
        try? await contents.delete(segments.map(\.reference))
        return item
    }

    private static func deleteJob(
        _ id: AudioItem.ID,
        with references: [ContentReference],
        in database: Database
    ) throws {
        try database.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id.rawValue])
        guard database.changesCount == 1 else { throw LibraryError.jobNotFound }
        for reference in references { try reference.delete(from: database) }
    }
}

extension [StoredJobs.Segment] {
    /// The times of their sentences: for a segment whose times are damaged, its text as one sentence without words.
    ///
    /// - Parameter text: The whole text in UTF-16 units.
    /// - Returns: The sentences, and how many segments have damaged times.
    fileprivate func timings(of text: [UInt16]) -> (sentences: [TimedSentence], damaged: Int) {
        var (sentences, damaged): ([TimedSentence], Int) = ([], 0)
        var (position, sample) = (0, 0)
        for segment in self {
            let source = position..<Swift.max(position, Swift.min(segment.position, text.count))
            let samples = sample..<sample + segment.samples
            (position, sample) = (source.upperBound, samples.upperBound)
            if let kept = try? TimingTableCodec.decode(segment.timings, of: nil) {
                sentences += kept
                continue
            }
            damaged += 1
            let words = String(decoding: text[source], as: UTF16.self)
            guard !words.allSatisfy(\.isWhitespace) else { continue }
            sentences.append(TimedSentence(source: source, text: words, samples: samples, words: []))
        }
        return (sentences, damaged)
    }
}

extension NarrationJob {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    fileprivate init(row: Row) throws {
        // The details of a mismatch would not help a person.
        guard let order = try? JSONDecoder().decode(NarrationOrder.self, from: row["instructions"] as Data),
            let state = State(rawValue: row["state"]), RowBounds.rates.contains(order.voice.sampleRate)
        else { throw VaultError.databaseDamaged }
        let (position, sentence, samples): (Int, Int, Int) = (row["position"], row["nextSentence"], row["samples"])
        let length: Int? = row["length"]
        guard [position, sentence, samples, length ?? 0].allSatisfy({ RowBounds.counts.contains($0) }) else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: AudioItem.ID(rawValue: row["id"]),
            created: Date(seconds: row["created"]),
            order: order,
            length: length,
            state: state,
            failure: (row["failure"] as String?).map { Failure(kept: $0) },
            position: position,
            sentence: sentence,
            samples: samples,
            leftOut: try [String](stored: row["leftOut"])
        )
    }
}

extension [String] {
    /// The first words of what could not be spoken, of a column that has them as JSON; none where it is empty.
    ///
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(stored data: Data?) throws {
        guard let data else {
            self = []
            return
        }
        // The details of a mismatch would not help a person.
        guard let excerpts = try? JSONDecoder().decode(Self.self, from: data) else { throw VaultError.databaseDamaged }
        self = excerpts
    }

    /// The value of the column.
    var stored: Data? {
        get throws { isEmpty ? nil : try JSONEncoder().encode(self) }
    }
}

extension NarrationJob {
    /// Stands for a job that cannot be read: it is listed among the others as failed, and can be discarded.
    fileprivate init(unreadable row: Row) {
        self.init(
            id: AudioItem.ID(rawValue: row["id"]),
            created: Date(seconds: row["created"]),
            order: NarrationOrder(unreadable: row["instructions"] as Data),
            length: nil,
            state: .failed,
            failure: LibraryError.jobDamaged.failure,
            position: 0,
            sentence: 0,
            samples: 0
        )
    }
}

extension Failure {
    /// The stored failure: JSON, or a code alone.
    fileprivate init(kept text: String) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? Failure(.internal, text, "")
    }
}

extension AudioItem {
    fileprivate init(finished job: NarrationJob, size: Int, words: Int) {
        let order = job.order
        self.init(
            id: job.id,
            name: order.name,
            created: job.created,
            duration: Double(job.samples) / Double(order.voice.sampleRate),
            size: size,
            sampleRate: order.voice.sampleRate,
            language: order.voice.language,
            words: words,
            origin: .narrated(NarrationOrigin(order, leftOut: job.leftOut))
        )
    }
}

extension String {
    /// The narrated part of the text at `position`, in UTF-16 units, with the white space after it.
    fileprivate func writtenPart(before position: Int) -> String {
        let end = utf16.index(startIndex, offsetBy: position, limitedBy: endIndex) ?? endIndex
        return self[end...].allSatisfy(\.isWhitespace) ? self : String(self[..<end])
    }
}

extension StoredJobs {
    package func text(ofJob id: AudioItem.ID) async throws -> String {
        try await database.read { database in
            String(decoding: try Self.row(of: id, in: database)["text"] as Data, as: UTF8.self)
        }
    }

    package func save(played seconds: Double, ofJob id: AudioItem.ID) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE job SET heard = ? WHERE id = ?", arguments: [seconds, id.rawValue])
            guard database.changesCount == 1 else { throw LibraryError.jobNotFound }
        }
    }

    package func played(ofJob id: AudioItem.ID) async throws -> Double {
        try await database.read { try Self.row(of: id, in: $0)["heard"] }
    }

    package func timings(ofJob id: AudioItem.ID) async throws -> (sentences: [TimedSentence], damaged: Int) {
        let (text, segments) = try await database.read { database in
            let row = try Self.row(of: id, in: database)
            return (String(decoding: row["text"] as Data, as: UTF8.self), try Self.segments(of: id, in: database))
        }
        return segments.timings(of: Array(text.utf16))
    }

    package func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
        let segments = try await database.read { database in
            _ = try Self.row(of: id, in: database)
            return try Self.segments(of: id, in: database)
        }
        var offset = 0
        for segment in segments {
            let first = max(0, start - offset)
            if first < segment.samples {
                let range = first..<first + min(limit, segment.samples - first)
                let width = MemoryLayout<Int16>.size
                let bytes = range.lowerBound * width..<range.upperBound * width
                let data = try await read(bytes, of: segment.reference, ofJob: id)
                // Little-endian, as every machine is that Swift runs on.
                return data.withUnsafeBytes { bytes in
                    (0..<range.count).map { bytes.loadUnaligned(fromByteOffset: $0 * width, as: Int16.self) }
                }
            }
            offset += segment.samples
        }
        return []
    }

    /// A job that becomes a recording meanwhile loses its files; the error is then that the job is missing, not a file.
    private func read(_ bytes: Range<Int>, of reference: ContentReference, ofJob id: AudioItem.ID) async throws -> Data
    {
        do {
            let sound = try await contents.sound(of: reference)
            guard bytes.upperBound <= sound.length else { throw VaultError.contentDamaged }
            return try await sound.read(bytes)
        } catch VaultError.contentMissing {
            try await database.read { _ = try Self.row(of: id, in: $0) }
            throw VaultError.contentMissing
        }
    }
}
