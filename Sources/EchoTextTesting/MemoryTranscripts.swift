package import EchoText
import Foundation

/// Transcripts without a disk.
package actor MemoryTranscripts: TranscriptStore {
    private struct Version {
        var transcript: Transcript
        var version: TranscriptVersion
    }

    private let library: MemoryLibrary
    /// Ordered by number.
    private var kept: [AudioItem.ID: [Version]] = [:]
    private var numbers: [AudioItem.ID: Int] = [:]
    private var damaged: Set<Transcript.ID> = []

    /// - Parameter library: The library with the recordings.
    package init(_ library: MemoryLibrary) {
        self.library = library
    }

    /// Simulates damage to a transcript, which can be listed nevertheless.
    package func damage(_ id: Transcript.ID) { damaged.insert(id) }

    package func versions(of item: AudioItem.ID) async throws -> [TranscriptVersion] {
        _ = try await recording(item)
        return (kept[item] ?? []).map(\.version).reversed()
    }

    package func transcript(_ id: Transcript.ID) async throws -> Transcript {
        let (item, index) = try await place(of: id)
        guard let found = kept[item]?[index] else { throw TranscriptError.notFound }
        guard !damaged.contains(id) else { throw VaultError.databaseDamaged }
        return found.transcript
    }

    @discardableResult
    package func add(_ transcript: Transcript) async throws -> TranscriptVersion {
        try await add(transcript, for: nil)
    }

    // `order` is what it was made for; without one it becomes the current version in any case.
    func add(_ transcript: Transcript, for order: TranscriptionOrder?) async throws -> TranscriptVersion {
        let item = try await recording(transcript.item)
        guard item.narration == nil else { throw TranscriptError.ofNarration }
        try transcript.check(duration: item.duration)
        let number = (numbers[item.id] ?? 0) + 1
        numbers[item.id] = number
        let present = kept[item.id]?.first(where: \.version.isCurrent)?.transcript
        let isOwn = present?.source.isOwn ?? false
        let isCurrent = order?.makesCurrent(insteadOf: present?.id, isOwn: isOwn) ?? true
        let version = TranscriptVersion(transcript, number: number, isCurrent: isCurrent)
        kept[item.id, default: []].append(Version(transcript: transcript, version: version))
        if isCurrent { await choose(number, of: item.id) }
        return version
    }

    package func makeCurrent(_ id: Transcript.ID) async throws {
        let (item, index) = try await place(of: id)
        guard let number = kept[item]?[index].version.number else { throw TranscriptError.notFound }
        await choose(number, of: item)
    }

    package func forgetFailedRecognizer(of id: Transcript.ID) async throws {
        let (item, index) = try await place(of: id)
        kept[item]?[index].transcript.source.insteadOf = nil
        kept[item]?[index].version.source.insteadOf = nil
    }

    @discardableResult
    package func delete(_ id: Transcript.ID) async throws -> AudioItem.ID {
        let (item, index) = try await place(of: id)
        guard let gone = kept[item]?.remove(at: index).version, gone.isCurrent else { return item }
        await choose(kept[item]?.last { !damaged.contains($0.transcript.id) }?.version.number, of: item)
        return item
    }

    private func choose(_ number: Int?, of item: AudioItem.ID) async {
        var versions = kept[item] ?? []
        for index in versions.indices {
            versions[index].version.isCurrent = versions[index].version.number == number
        }
        kept[item] = versions
        await library.follow(versions.first(where: \.version.isCurrent)?.transcript, in: item)
    }

    func recording(_ id: AudioItem.ID) async throws -> AudioItem {
        guard let item = try await library.item(id) else {
            kept[id] = nil
            throw LibraryError.itemNotFound
        }
        return item
    }

    private func place(of id: Transcript.ID) async throws -> (AudioItem.ID, Int) {
        let owner = kept.first { $0.value.contains { $0.transcript.id == id } }?.key
        guard let owner, try await library.item(owner) != nil,
            // Versions may have come and gone while the library was asked.
            let index = kept[owner]?.firstIndex(where: { $0.transcript.id == id })
        else { throw TranscriptError.notFound }
        return (owner, index)
    }
}

/// Transcription jobs in memory, as one process sees them.
package struct MemoryTranscriptions: TranscriptionJobs {
    private let contents: Contents
    /// Distinguishes the processes.
    private let process = UUID()

    /// - Parameter transcripts: Receives finished transcripts.
    package init(_ transcripts: MemoryTranscripts) {
        contents = Contents(transcripts)
    }

    private init(_ contents: Contents) {
        self.contents = contents
    }

    /// Returns the same jobs as another process sees them.
    package func reopened() -> MemoryTranscriptions { MemoryTranscriptions(contents) }

    package func begin(_ order: TranscriptionOrder, for item: AudioItem.ID) async throws -> TranscriptionJob {
        try await contents.begin(order, for: item, process)
    }

    package func resume(_ id: TranscriptionJob.ID) async throws -> TranscriptionJob {
        try await contents.resume(id, process)
    }

    package func jobs() async throws -> [TranscriptionJob] { await contents.jobs() }

    /// Makes what was heard so far in a job unreadable.
    package func damage(_ id: TranscriptionJob.ID) async { await contents.damage(id) }

    package func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment] {
        try await contents.segments(of: id)
    }

    package func keep(
        _ segments: [TranscriptSegment],
        progress: Double,
        for id: TranscriptionJob.ID
    ) async throws {
        try await contents.keep(segments, progress: progress, for: id, process)
    }

    @discardableResult
    package func update(
        _ id: TranscriptionJob.ID,
        _ change: @Sendable (inout TranscriptionJob) -> Void
    ) async throws -> TranscriptionJob {
        try await contents.update(id, process, change)
    }

    package func restart(_ id: TranscriptionJob.ID) async throws { try await contents.restart(id, process) }

    package func noteStart(of id: TranscriptionJob.ID) async throws -> Int {
        try await contents.noteStart(of: id, process)
    }

    package func forgetStarts(of id: TranscriptionJob.ID) async throws {
        try await contents.forgetStarts(of: id, process)
    }

    package func release(_ id: TranscriptionJob.ID) async { await contents.release(id, process) }

    package func finish(_ id: TranscriptionJob.ID, as transcript: Transcript) async throws -> TranscriptVersion {
        try await contents.finish(id, as: transcript, process)
    }

    package func discard(_ id: TranscriptionJob.ID) async throws { try await contents.discard(id, process) }

    /// The stored data, for all processes.
    private actor Contents {
        private struct Work {
            var job: TranscriptionJob
            var segments: [TranscriptSegment] = []
            var holder: UUID?
            var starts = 0
        }

        private let transcripts: MemoryTranscripts
        private var work: [TranscriptionJob.ID: Work] = [:]
        private var order: [TranscriptionJob.ID] = []
        private var damaged: Set<TranscriptionJob.ID> = []

        init(_ transcripts: MemoryTranscripts) {
            self.transcripts = transcripts
        }

        func begin(
            _ instructions: TranscriptionOrder,
            for item: AudioItem.ID,
            _ process: UUID
        ) async throws -> TranscriptionJob {
            _ = try await transcripts.recording(item)
            let job = TranscriptionJob(item: item, created: Date(), order: instructions)
            work[job.id] = Work(job: job, holder: process)
            order.append(job.id)
            return job
        }

        func resume(_ id: TranscriptionJob.ID, _ process: UUID) async throws -> TranscriptionJob {
            guard var found = await there(id) else { throw TranscriptError.jobNotFound }
            guard found.holder == nil else { throw TranscriptError.jobBusy }
            found.holder = process
            work[id] = found
            return found.job
        }

        func jobs() async -> [TranscriptionJob] {
            var jobs: [TranscriptionJob] = []
            for id in order {
                if let found = await there(id) { jobs.append(found.job) }
            }
            return jobs
        }

        func damage(_ id: TranscriptionJob.ID) { damaged.insert(id) }

        func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment] {
            guard let found = await there(id) else { throw TranscriptError.jobNotFound }
            guard !damaged.contains(id) else { throw VaultError.databaseDamaged }
            return found.segments.sorted { $0.time.lowerBound < $1.time.lowerBound }
        }

        func keep(
            _ segments: [TranscriptSegment],
            progress: Double,
            for id: TranscriptionJob.ID,
            _ process: UUID
        ) async throws {
            try await change(id, process) { work in
                work.segments += segments
                if progress > work.job.progress { work.starts = min(work.starts, 1) }
                work.job.progress = progress
            }
        }

        func update(
            _ id: TranscriptionJob.ID,
            _ process: UUID,
            _ change: @Sendable (inout TranscriptionJob) -> Void
        ) async throws -> TranscriptionJob {
            try await self.change(id, process) { work in
                var job = work.job
                change(&job)
                work.job.take(job)
                if !job.state.isInTurn { work.starts = 0 }
            }
            guard let changed = work[id]?.job else { throw TranscriptError.jobNotFound }
            return changed
        }

        func restart(_ id: TranscriptionJob.ID, _ process: UUID) async throws {
            try await change(id, process) { work in
                work.segments = []
                work.job.progress = 0
                work.starts = 0
            }
        }

        func noteStart(of id: TranscriptionJob.ID, _ process: UUID) async throws -> Int {
            try await change(id, process) { $0.starts += 1 }
            return work[id]?.starts ?? 1
        }

        func forgetStarts(of id: TranscriptionJob.ID, _ process: UUID) async throws {
            try await change(id, process) { $0.starts = 0 }
        }

        func release(_ id: TranscriptionJob.ID, _ process: UUID) {
            if work[id]?.holder == process { work[id]?.holder = nil }
        }

        func finish(
            _ id: TranscriptionJob.ID,
            as transcript: Transcript,
            _ process: UUID
        ) async throws -> TranscriptVersion {
            try await change(id, process) { _ in }
            let version = try await transcripts.add(transcript, for: work[id]?.job.order)
            work[id] = nil
            return version
        }

        func discard(_ id: TranscriptionJob.ID, _ process: UUID) async throws {
            try await change(id, process) { _ in }
            work[id] = nil
        }

        private func change(
            _ id: TranscriptionJob.ID,
            _ process: UUID,
            _ change: (inout Work) -> Void
        ) async throws {
            guard var found = await there(id) else { throw TranscriptError.jobNotFound }
            guard (found.holder ?? process) == process else { throw TranscriptError.jobBusy }
            found.holder = process
            change(&found)
            work[id] = found
        }

        /// A job is deleted with its recording.
        private func there(_ id: TranscriptionJob.ID) async -> Work? {
            guard let found = work[id], (try? await transcripts.recording(found.job.item)) != nil else { return nil }
            return work[id]
        }
    }
}

/// Connections that were made, without a disk.
package actor MemoryOutbound: OutboundLedger {
    private var kept: [OutboundRecord] = []

    package init() {}

    package func begin(_ record: OutboundRecord) -> Int {
        kept.append(record)
        return kept.count
    }

    package func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) {
        guard kept.indices.contains(number - 1) else { return }
        kept[number - 1].outcome = outcome
        kept[number - 1].bytesReceived = bytesReceived
    }

    package func records(limit: Int) -> [OutboundRecord] { kept.reversed().prefix(max(0, limit)).map(\.self) }
}
