import OrderedCollections

/// How far the search for the speakers of a transcript has come.
package struct SpeakerSearch: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// Another search is under way.
        case queued
        case running
        /// The version that names them.
        case done(TranscriptVersion)
        case failed(Failure)
        case cancelled

        package var isUnderWay: Bool { self == .queued || self == .running }
    }

    package let transcript: Transcript.ID
    package let item: AudioItem.ID
    package var state = State.queued
    /// The share of the work that is done, from 0 to 1.
    package var progress = 0.0

    package init(of transcript: Transcript.ID, _ item: AudioItem.ID) {
        (self.transcript, self.item) = (transcript, item)
    }
}

/// Finds the speakers of transcripts in sequence, while a library is open.
///
/// A search is not a job of the library: it ends when the library is closed, and has to be started again.
package actor SpeakerSearches {
    /// The most searches that are under way or waiting.
    package static let maximumPending = 20

    private let finding: SpeakerFinding
    private let tools: TranscriptionTools
    private let events: StudioEvents
    private var queue = JobQueue<Work, Never>()

    private struct Work: Identifiable {
        var search: SpeakerSearch
        let count: SpeakerCount

        var id: Transcript.ID { search.transcript }
    }

    /// - Parameters:
    ///   - library: The library with the recordings and the transcripts.
    ///   - tools: The diarizer, and the sample rate conversion for it.
    ///   - events: Receives progress and ends.
    package init(in library: Library, with tools: TranscriptionTools, events: StudioEvents) {
        finding = SpeakerFinding(in: library, with: tools)
        (self.tools, self.events) = (tools, events)
    }

    /// Whether a search is running.
    package var isBusy: Bool { queue.jobs.values.contains { $0.search.state.isUnderWay } }

    /// The models that are installed, the newest first.
    package func models() async throws -> [SpeakerModel] { try await tools.diarizer.models() }

    /// The searches that are under way or waiting, or have failed.
    package var searches: [SpeakerSearch] {
        queue.jobs.values.map(\.search).sorted { $0.transcript.rawValue < $1.transcript.rawValue }
    }

    /// Begins to find the speakers of a transcript; it runs until it ends or ``cancel(_:)`` is called.
    ///
    /// - Throws: As ``SpeakerFinding/prepare(_:)``; ``SpeakerError/busy``, ``LibraryError/tooManyJobs(limit:)``,
    ///   ``VaultError/locked``.
    package func begin(_ id: Transcript.ID, _ count: SpeakerCount) async throws -> SpeakerSearch {
        let transcript = try await finding.prepare(id).transcript
        guard !queue.isClosed else { throw VaultError.locked }
        guard queue.jobs[id]?.search.state.isUnderWay != true else { throw SpeakerError.busy }
        guard queue.jobs.values.count(where: \.search.state.isUnderWay) < Self.maximumPending else {
            throw LibraryError.tooManyJobs(limit: Self.maximumPending)
        }
        let search = SpeakerSearch(of: id, transcript.item)
        queue.take(Work(search: search, count: count))
        queue.lineUp(id)
        beginNext()
        await events.post(.speakers(search))
        return search
    }

    /// Stops a search, or removes a failed one.
    ///
    /// - Throws: ``SpeakerError/notFound``.
    package func cancel(_ id: Transcript.ID) async throws {
        guard queue.jobs[id] != nil else { throw SpeakerError.notFound }
        guard !queue.isWaiting(id) else { return await leave(id, as: .cancelled) }
        let task = queue.tasks[id]
        task?.cancel()
        await task?.value
        guard queue.jobs[id]?.search.state.isUnderWay == false else { return }
        await leave(id, as: .cancelled)
    }

    /// Stops all searches.
    package func close() async {
        queue.close()
        let tasks = queue.tasks.values
        for task in tasks { task.cancel() }
        for id in queue.jobs.keys where queue.isWaiting(id) { await leave(id, as: .cancelled) }
        for task in tasks { await task.value }
        queue.removeAll()
    }

    private func beginNext() {
        for id in queue.begin() { queue.tasks[id] = Task { await self.run(id) } }
    }

    private func run(_ id: Transcript.ID) async {
        await change(id) { $0.state = .running }
        let found: Result<TranscriptVersion, any Error>
        do {
            guard let count = queue.jobs[id]?.count else { throw CancellationError() }
            found = .success(
                try await finding.find(in: id, count) { share in
                    Task { await self.reach(share, in: id) }
                }
            )
        } catch {
            found = .failure(error)
        }
        queue.free(id)
        beginNext()
        switch found {
        case .success(let version):
            await leave(id, as: .done(version))
            await events.post(.library(changed: [version.item]))
        case .failure(is CancellationError): await leave(id, as: .cancelled)
        case .failure(let error): await change(id) { $0.state = .failed(Failure(error)) }
        }
    }

    /// Reports each hundredth once; reports may arrive out of order.
    private func reach(_ share: Double, in id: Transcript.ID) async {
        guard let search = queue.jobs[id]?.search, search.state == .running,
            (share * 100).rounded(.down) > (search.progress * 100).rounded(.down)
        else { return }
        await change(id) { $0.progress = share }
    }

    private func change(_ id: Transcript.ID, _ body: (inout SpeakerSearch) -> Void) async {
        guard var search = queue.jobs[id]?.search else { return }
        body(&search)
        queue.jobs[id]?.search = search
        await events.post(.speakers(search))
    }

    private func leave(_ id: Transcript.ID, as state: SpeakerSearch.State) async {
        guard var search = queue.remove(id)?.search else { return }
        search.state = state
        await events.post(.speakers(search))
    }
}
