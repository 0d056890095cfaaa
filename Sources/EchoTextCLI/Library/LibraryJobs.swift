import API
import ArgumentParser
import EchoText
import Foundation

extension NarrationJobs {
    /// Finds a job by its id or the beginning of it; without a reference, the only job there is.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/ambiguous(count:ids:)``.
    func job(called reference: String?) async throws -> NarrationJob {
        try await jobs().filter { $0.id.isMeant(by: reference) }.only(orThrow: LibraryError.jobNotFound)
    }
}

extension Identifier {
    /// Whether a person may mean it: by the id or its beginning; without a reference, by nothing.
    func isMeant(by reference: String?) -> Bool {
        reference.map(begins(with:)) ?? true
    }
}

extension Collection {
    /// The only element that a person's reference found.
    ///
    /// - Throws: `error` for none; ``LibraryError/ambiguous(count:ids:)`` for several.
    func only(orThrow error: any Error) throws -> Element {
        guard count <= 1 else { throw LibraryError.ambiguous(count: count) }
        guard let element = first else { throw error }
        return element
    }
}

extension UnfinishedResponse {
    /// Describes `jobs`, each with the entry of the batch that failed with it.
    static func all(_ jobs: [NarrationJob], among batch: [BatchEntry]) -> [UnfinishedResponse] {
        let failed = batch.filter { $0.state == .failed }
        return jobs.map { job in
            UnfinishedResponse(UnfinishedNarration(job, entry: failed.first { $0.narration == job.id }?.id))
        }
    }
}

/// Prints how to resume a narration that was left unfinished.
@Sendable
func reportUnfinished(_ id: AudioItem.ID) {
    EchoTextCommand.say(
        "what was spoken so far is kept: continue with “echotext library continue \(id.rawValue.prefix(8))”"
    )
}

/// Reports what could not be spoken, without its words where the output may be stored as a log.
@Sendable
func sayUnspoken(_ excerpt: String) {
    EchoTextCommand.say(warning(ofUnspoken: isatty(STDERR_FILENO) == 1 ? "“\(excerpt)”" : "a part of the text"))
}

/// Returns the warning about a part of a text that could not be spoken.
func warning(ofUnspoken part: String) -> String { "warning: \(part) could not be spoken and was left out" }

/// `echotext library jobs`.
struct LibraryJobs: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List narrations that were not finished, and why.",
        discussion: """
            “echotext library continue”, “keep” and “discard” resume one, make a recording of what was spoken of it, or discard \
            it. What the batch could not begin is tried again by “echotext batch --retry”, one of it by “echotext batch --retry --only 3”; \
            “echotext batch --cancel --only 3” forgets it.
            """
    )

    @OptionGroup
    var answer: JSONOption

    private struct Listing: Encodable {
        let jobs: [UnfinishedResponse]
        /// Entries that the batch could not start.
        let batch: [BatchEntryResponse]
    }

    func run(in library: Library) async throws {
        let jobs = try await library.jobs.jobs()
        let batch = try await library.batch.entries()
        let failed = try await library.unbegun(of: batch.filter { $0.state == .failed }, beside: jobs).map { entry in
            BatchEntryResponse(
                BatchProgress.Step(entry, number: (batch.firstIndex { $0.id == entry.id } ?? 0) + 1)
            )
        }
        if json {
            return try CommandOutput.json(Listing(jobs: UnfinishedResponse.all(jobs, among: batch), batch: failed))
        }
        guard !jobs.isEmpty || !failed.isEmpty else { return EchoTextCommand.say("no unfinished narrations") }
        try CommandOutput.table(
            ["ID", "STATE", "SPOKEN", "BEGUN", "NAME", "REASON"],
            jobs.map { job in
                [
                    String(job.id.rawValue.prefix(8)), job.state.rawValue,
                    CommandOutput.time(Double(job.samples) / Double(job.order.voice.sampleRate)),
                    CommandOutput.date(job.created), job.order.name.text, job.failure?.words ?? "",
                ]
            }
                + failed.map {
                    [
                        "batch \($0.number)", $0.state.rawValue, "", "", $0.name,
                        $0.failure.map { $0.message.isEmpty ? $0.code : $0.message } ?? "",
                    ]
                }
        )
    }
}

/// `echotext library continue`.
struct LibraryContinue: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue",
        abstract: "Continue a narration at the first sentence that is missing."
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var job: String?

    @OptionGroup(title: "Work")
    var work: WorkOptions

    @Flag(help: "After Ctrl-C make a recording of what was spoken so far.")
    var keepPartial = false

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        try await run(in: library) { job in try await speak(job, into: library) }
    }

    /// Continues the narration with `speak`, which speaks the rest of it and makes a recording of it.
    func run(in library: Library, _ speak: (NarrationJob) async throws -> AudioItem) async throws {
        let job = try await library.jobs.job(called: job)
        guard !job.isUnreadable else { throw LibraryError.jobDamaged }
        let item =
            keepPartial
            ? try await library.takingOutOfBatch(job.id, isStopped: { Task.isCancelled }, { try await speak(job) })
            : try await speak(job)
        try CommandOutput.kept(item, asJSON: json)
    }

    private func speak(_ job: NarrationJob, into library: Library) async throws -> AudioItem {
        var engines = Studio.Engines()
        let lanes = work.lanes(usual: try await library.settings.lanes())
        engines.lanes = lanes
        engines.timeout = .seconds(work.timeout)
        engines.voiceFolder = job.order.voiceFolder
        return try await Studio.with(engines) { studio in
            guard await studio.voices.contains(where: { $0.id == job.order.voice.id }) else {
                throw SynthesisError.voiceNotInstalled(job.order.voice.id)
            }
            let narration = StoredNarration(in: library, by: studio.narrator, lanes: lanes)
            return try await narration.resume(
                job.id,
                keepsPart: keepPartial,
                listener: .init(
                    left: reportUnfinished,
                    passage: { passage, _ in if let part = passage.unspoken() { sayUnspoken(part) } }
                )
            )
        }
    }
}

extension Library {
    /// Ends a narration, and takes its entry, if it has one, out of the batch, which would take the part that is kept for
    /// the whole.
    ///
    /// - Parameters:
    ///   - narration: The narration.
    ///   - isStopped: Whether there may be only a part, once there is a recording; the entry stays otherwise.
    ///   - end: Makes a recording of it.
    /// - Returns: What `end` returns.
    /// - Throws: ``LibraryError/batchBusy`` when the entry is unfinished and another process is working on the batch, and
    ///   what `end` throws; the entry stays then.
    fileprivate func takingOutOfBatch(
        _ narration: AudioItem.ID,
        isStopped: () -> Bool = { true },
        _ end: () async throws -> AudioItem
    ) async throws -> AudioItem {
        let entries = try await batch.entries()
        guard let entry = entries.first(where: { $0.narration == narration && $0.state != .done }) else {
            return try await end()
        }
        // Another process that works on the batch would not notice.
        if entry.isLeft { try await batch.hold() }
        let outcome: Result<AudioItem, any Error>
        do {
            let text = try await jobs.text(ofJob: narration)
            let item = try await end()
            if isStopped() {
                // A separate task, because stores refuse to start in a cancelled task.
                try await Task {
                    let isPart = try await audio.text(of: item.id) != text
                    // The batch finds the whole, and says that it is done; it does not look at what has failed.
                    guard isPart || !entry.isLeft else { return }
                    _ = try await batch.remove(.one(entry.id))
                    guard isPart else { return }
                    EchoTextCommand.say("note: it is taken out of the batch, which does not speak the rest of it")
                }.value
            }
            outcome = .success(item)
        } catch {
            outcome = .failure(error)
        }
        if entry.isLeft { await batch.release() }
        return try outcome.get()
    }
}

/// `echotext library keep`.
struct LibraryKeep: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Make a recording of what was spoken of an unfinished narration.",
        discussion: "One of the batch leaves it: the rest of it is not spoken."
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var job: String?

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let job = try await library.jobs.job(called: job)
        let item = try await library.takingOutOfBatch(job.id) {
            let part = try await library.jobs.resume(job.id).job
            guard part.samples > 0 else {
                let state: NarrationJob.State = job.failure == nil ? .stopped : .failed
                try await library.jobs.leave(part.id, as: state, failure: job.failure)
                throw LibraryError.nothingToKeep
            }
            return try await library.jobs.finish(part.id)
        }
        try CommandOutput.kept(item, asJSON: json)
    }
}

/// `echotext library discard`.
struct LibraryDiscard: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Discard an unfinished narration and what was spoken of it."
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var job: String?

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let job = try await library.jobs.job(called: job)
        try await confirmation.confirm("Discard what was spoken of “\(job.order.name)”?")
        if !job.isUnreadable { _ = try await library.jobs.resume(job.id) }
        try await library.jobs.discard(job.id)
        if !json { EchoTextCommand.say("\(job.id.rawValue) is discarded") }
    }
}
