import EchoText
import Synchronization

/// Jobs on a disk that can be full.
final class JobsOnDisk: TranscriptionJobs {
    private let kept: any TranscriptionJobs
    private let full = Mutex(false)
    private let hold = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ jobs: any TranscriptionJobs) {
        kept = jobs
    }

    var isFull: Bool {
        get { full.withLock(\.self) }
        set { full.withLock { $0 = newValue } }
    }

    /// From now on, calls `wait` before each change of a job.
    func delayChanges(by wait: @escaping @Sendable () async -> Void) { hold.withLock { $0 = wait } }

    private func write() throws {
        if isFull { throw VaultError.readOnly(.diskFull) }
    }

    func begin(_ order: TranscriptionOrder, for item: AudioItem.ID) async throws -> TranscriptionJob {
        try write()
        return try await kept.begin(order, for: item)
    }

    func resume(_ id: TranscriptionJob.ID) async throws -> TranscriptionJob { try await kept.resume(id) }
    func jobs() async throws -> [TranscriptionJob] { try await kept.jobs() }
    func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment] { try await kept.segments(of: id) }

    func noteStart(of id: TranscriptionJob.ID) async throws -> Int {
        try write()
        return try await kept.noteStart(of: id)
    }

    func forgetStarts(of id: TranscriptionJob.ID) async throws {
        try write()
        try await kept.forgetStarts(of: id)
    }

    func keep(_ segments: [TranscriptSegment], progress: Double, for id: TranscriptionJob.ID) async throws {
        try write()
        try await kept.keep(segments, progress: progress, for: id)
    }

    func update(
        _ id: TranscriptionJob.ID,
        _ change: @Sendable (inout TranscriptionJob) -> Void
    ) async throws -> TranscriptionJob {
        let wait = hold.withLock { $0 }
        await wait?()
        try write()
        return try await kept.update(id, change)
    }

    func restart(_ id: TranscriptionJob.ID) async throws { try await kept.restart(id) }
    func release(_ id: TranscriptionJob.ID) async { await kept.release(id) }

    func finish(_ id: TranscriptionJob.ID, as transcript: Transcript) async throws -> TranscriptVersion {
        try write()
        return try await kept.finish(id, as: transcript)
    }

    func discard(_ id: TranscriptionJob.ID) async throws { try await kept.discard(id) }
}

extension Library {
    /// The same with other transcriptions.
    func with(_ transcriptions: any TranscriptionJobs) -> Library {
        Library(
            audio: audio,
            documents: documents,
            jobs: jobs,
            batch: batch,
            speech: speech,
            history: history,
            profiles: profiles,
            playback: playback,
            draft: draft,
            settings: settings,
            voices: voices,
            recordings: recordings,
            transcripts: transcripts,
            transcriptions: transcriptions,
            outbound: outbound,
            services: services,
            apiKeys: apiKeys,
            speeches: speeches,
            practice: practice,
            watch: watch,
            measure: measure
        )
    }
}
