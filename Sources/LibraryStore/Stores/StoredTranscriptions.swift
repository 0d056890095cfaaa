package import EchoText
import FileSystem
package import Foundation
import GRDB

/// Transcriptions that are not transcripts yet, in the encrypted database.
///
/// A process that works on a job holds a lock on a file named after it, which the system frees when the process ends in any way.
package actor StoredTranscriptions: TranscriptionJobs {
    private let database: LibraryDatabase
    private let now: @Sendable () -> Date
    private var held = HeldLocks<TranscriptionJob>()

    package init(database: LibraryDatabase, now: @escaping @Sendable () -> Date = { .now }) {
        self.database = database
        self.now = now
    }

    package func begin(_ order: TranscriptionOrder, for item: AudioItem.ID) async throws -> TranscriptionJob {
        // To as many places as its row can keep.
        let created = Date(timeIntervalSince1970: now().timeIntervalSince1970)
        let job = TranscriptionJob(item: item, created: created, order: order)
        let instructions = try JSONEncoder().encode(order)
        let state = try JSONEncoder().encode(job.state)
        try hold(job.id)
        do {
            try await database.write { database in
                let key = try AudioItem.key(of: item, in: database)
                let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM transcriptionJob") ?? 0
                guard count < TranscriptionJob.most else {
                    throw LibraryError.tooManyJobs(limit: TranscriptionJob.most)
                }
                try database.execute(
                    sql: """
                        INSERT INTO transcriptionJob (
                            id, item, created, instructions, state, recognizer, failures, progress
                        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        job.id.rawValue, key, created.timeIntervalSince1970, instructions, state, job.recognizer,
                        job.failures, job.progress,
                    ]
                )
            }
        } catch {
            held.release(job.id)
            throw error
        }
        return job
    }

    package func resume(_ id: TranscriptionJob.ID) async throws -> TranscriptionJob {
        guard !held.has(id) else { throw TranscriptError.jobBusy }
        return try await holding(id) { _ in }
    }

    package func jobs() async throws -> [TranscriptionJob] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "\(Self.selection) ORDER BY transcriptionJob.key")
                .map { row in (try? TranscriptionJob(row: row)) ?? TranscriptionJob(unreadable: row) }
        }
    }

    package func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment] {
        let segments = try await database.read { database in
            let key: Int64 = try Self.row(of: id, in: database)["key"]
            return try Data.fetchAll(
                database,
                sql: "SELECT segment FROM transcribedSegment WHERE job = ? ORDER BY key",
                arguments: [key]
            )
        }
        return try segments.map { try TranscriptSegment.stored($0) }.checked()
            .sorted { $0.time.lowerBound < $1.time.lowerBound }
    }

    package func keep(
        _ segments: [TranscriptSegment],
        progress: Double,
        for id: TranscriptionJob.ID
    ) async throws {
        let stored = try segments.map { try JSONEncoder().encode($0) }
        try await holding(id) { database in
            let key: Int64 = try Self.row(of: id, in: database)["key"]
            for segment in stored {
                try database.execute(
                    sql: "INSERT INTO transcribedSegment (job, segment) VALUES (?, ?)",
                    arguments: [key, segment]
                )
            }
            try database.execute(
                sql: """
                    UPDATE transcriptionJob SET
                        starts = CASE WHEN ? > progress THEN min(starts, 1) ELSE starts END,
                        progress = ?
                    WHERE key = ?
                    """,
                arguments: [progress, progress, key]
            )
        }
    }

    @discardableResult
    package func update(
        _ id: TranscriptionJob.ID,
        _ change: @Sendable (inout TranscriptionJob) -> Void
    ) async throws -> TranscriptionJob {
        while true {
            let old = try await database.read { try TranscriptionJob(row: Self.row(of: id, in: $0)) }
            var job = old
            change(&job)
            if let changed = try await replace(old, by: job) { return changed }
        }
    }

    /// Saves what may be changed of a job, unless another change has come between.
    ///
    /// - Returns: The job after it; `nil` when nothing was changed.
    private func replace(_ old: TranscriptionJob, by job: TranscriptionJob) async throws -> TranscriptionJob? {
        let state = try JSONEncoder().encode(job.state)
        let failure = try job.failure.map { try JSONEncoder().encode($0) }
        let (recognizer, failures, isInTurn) = (job.recognizer, job.failures, job.state.isInTurn)
        try hold(old.id)
        return try await forgettingMissing(old.id) {
            try await database.write { database in
                var present = try TranscriptionJob(row: Self.row(of: old.id, in: database))
                let (before, now) = (old, present)
                present.take(before)
                guard present == now else { return nil }
                try database.execute(
                    sql: """
                        UPDATE transcriptionJob SET
                            state = ?, recognizer = ?, failures = ?, failure = ?, starts = CASE WHEN ? THEN starts ELSE 0 END
                        WHERE id = ?
                        """,
                    arguments: [state, recognizer, failures, failure, isInTurn, old.id.rawValue]
                )
                return try TranscriptionJob(row: Self.row(of: old.id, in: database))
            }
        }
    }

    package func restart(_ id: TranscriptionJob.ID) async throws {
        try await holding(id) { database in
            let key: Int64 = try Self.row(of: id, in: database)["key"]
            try database.execute(sql: "DELETE FROM transcribedSegment WHERE job = ?", arguments: [key])
            try database.execute(
                sql: "UPDATE transcriptionJob SET progress = 0, starts = 0 WHERE key = ?",
                arguments: [key]
            )
        }
    }

    package func noteStart(of id: TranscriptionJob.ID) async throws -> Int {
        try hold(id)
        return try await forgettingMissing(id) {
            try await database.write { database in
                let key: Int64 = try Self.row(of: id, in: database)["key"]
                try database.execute(
                    sql: "UPDATE transcriptionJob SET starts = starts + 1 WHERE key = ?",
                    arguments: [key]
                )
                let starts: Int = try Self.row(of: id, in: database)["starts"]
                return starts
            }
        }
    }

    package func forgetStarts(of id: TranscriptionJob.ID) async throws {
        try await holding(id) { database in
            try database.execute(
                sql: "UPDATE transcriptionJob SET starts = 0 WHERE id = ?",
                arguments: [id.rawValue]
            )
        }
    }

    package func release(_ id: TranscriptionJob.ID) { held.release(id) }

    package func finish(_ id: TranscriptionJob.ID, as transcript: Transcript) async throws -> TranscriptVersion {
        try hold(id)
        let new = try NewTranscript(transcript)
        let version = try await forgettingMissing(id) {
            try await database.write { database in
                let order = try TranscriptionOrder.stored(Self.row(of: id, in: database)["instructions"])
                try Self.delete(id, in: database)
                return try new.insert(into: database, for: order)
            }
        }
        held.release(id)
        return version
    }

    package func discard(_ id: TranscriptionJob.ID) async throws {
        try hold(id)
        defer { held.release(id) }
        try await database.writeToFree { try Self.delete(id, in: $0) }
    }

    // MARK: - Rows and locks

    /// Takes the job's lock unless this process has it.
    private func hold(_ id: TranscriptionJob.ID) throws {
        try held.hold(id, orThrow: TranscriptError.jobBusy) {
            try FileLock.on(id, in: database.folder, orThrow: TranscriptError.jobNotFound)
        }
    }

    /// Changes a job that this process holds or can hold.
    ///
    /// - Returns: The job after it.
    @discardableResult
    private func holding(
        _ id: TranscriptionJob.ID,
        _ change: @escaping @Sendable (Database) throws -> Void
    ) async throws -> TranscriptionJob {
        try hold(id)
        return try await forgettingMissing(id) {
            try await database.write { database in
                try change(database)
                return try TranscriptionJob(row: Self.row(of: id, in: database))
            }
        }
    }

    /// Does `work`, and releases a job that turns out to be gone.
    private func forgettingMissing<Result>(
        _ id: TranscriptionJob.ID,
        _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch TranscriptError.jobNotFound {
            held.release(id)
            throw TranscriptError.jobNotFound
        }
    }

    private static let selection = """
        SELECT transcriptionJob.*, item.id AS owner FROM transcriptionJob JOIN item ON item.key = transcriptionJob.item
        """

    private static func row(of id: TranscriptionJob.ID, in database: Database) throws -> Row {
        let sql = "\(selection) WHERE transcriptionJob.id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw TranscriptError.jobNotFound
        }
        return row
    }

    private static func delete(_ id: TranscriptionJob.ID, in database: Database) throws {
        try database.execute(sql: "DELETE FROM transcriptionJob WHERE id = ?", arguments: [id.rawValue])
        guard database.changesCount == 1 else { throw TranscriptError.jobNotFound }
    }
}

extension TranscriptionJob {
    /// - Throws: ``VaultError/databaseDamaged`` when a value cannot be one of this program's.
    fileprivate init(row: Row) throws {
        let order = try TranscriptionOrder.stored(row["instructions"])
        let state = try State.stored(row["state"])
        let progress: Double = row["progress"]
        let range = order.range ?? progress..<progress
        let next = if case .retrying(let time) = state { time.timeIntervalSince1970 } else { 0.0 }
        let (recognizer, failures): (Int, Int) = (row["recognizer"], row["failures"])
        guard [progress, range.lowerBound, range.upperBound].allSatisfy({ RowBounds.places.contains($0) }),
            RowBounds.times.contains(next), !order.recognizers.isEmpty,
            RowBounds.counts.contains(recognizer), RowBounds.counts.contains(failures)
        else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: ID(rawValue: row["id"]),
            item: AudioItem.ID(rawValue: row["owner"]),
            created: Date(seconds: row["created"]),
            order: order,
            state: state,
            recognizer: recognizer,
            failures: failures,
            progress: progress,
            failure: try (row["failure"] as Data?).map { try Failure.stored($0) }
        )
    }

    /// Stands for a job that cannot be read: it is listed among the others as failed, and can be discarded.
    fileprivate init(unreadable row: Row) {
        let damage = TranscriptError.jobDamaged.failure
        self.init(
            id: ID(rawValue: row["id"]),
            item: AudioItem.ID(rawValue: row["owner"]),
            created: Date(seconds: row["created"]),
            order: TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "?")]),
            state: .failed(damage),
            failure: damage
        )
    }
}
