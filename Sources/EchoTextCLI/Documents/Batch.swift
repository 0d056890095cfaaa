import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext batch`.
struct Batch: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Make recordings of several documents, one after another.",
        discussion: """
            Each document becomes a recording, or with --chapters each of its chapters, and what is before them. One that fails is named, and the others are spoken. \
            After Ctrl-C, a crash or a power cut, “echotext batch” without documents resumes at the sentence where it \
            stopped. Ends with exit code 1 when one has failed in this run; what has failed stays in the batch until --retry \
            or --dismiss.

            Examples:
              echotext batch "A book" 3f2a "Another"
              echotext batch "A book" --chapters --voice en-gb
              echotext batch
            """
    )

    @Argument(help: "Documents, by id or name; none to resume the batch.")
    var documents: [String] = []

    @Flag(help: "Make a recording of each chapter, and of what is before them.")
    var chapters = false

    @Flag(help: "Let each caption of subtitles begin at its own time, as “echotext speak --keep-times” does.")
    var keepTimes = false

    @Option(help: "The recording's name; of several, each one's document and chapter follow it.")
    var name: String?

    @Flag(help: "Show the batch and do nothing.")
    var list = false

    @Flag(help: "Try again what failed, and resume the batch.")
    var retry = false

    @Option(
        help: ArgumentHelp(
            "With --retry or --cancel: only the entry of this number in the batch; may be repeated.",
            valueName: "n"
        )
    )
    var only: [Int] = []

    @Flag(
        help:
            "Cancel the rest of the batch, or with --only entries of any state; a narration that was begun stays unfinished."
    )
    var cancel = false

    @Flag(help: "Take what is done or has failed out of the batch.")
    var dismiss = false

    @OptionGroup(title: "Voice")
    var voice: VoiceOptions

    @OptionGroup(title: "Work")
    var work: WorkOptions

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if documents.isEmpty, chapters { throw ValidationError("--chapters is for documents.") }
        if documents.isEmpty, keepTimes { throw ValidationError("--keep-times is for documents.") }
        if documents.isEmpty, name != nil { throw ValidationError("--name is for documents.") }
        if !documents.isEmpty, list || cancel || retry || dismiss {
            throw ValidationError("--list, --cancel, --dismiss and --retry take no documents.")
        }
        if dismiss, cancel || retry { throw ValidationError("Give one of --cancel, --dismiss and --retry.") }
        if !only.isEmpty, !retry, !cancel {
            throw ValidationError("--only says what --retry tries again, or --cancel forgets.")
        }
        if voice.profile != nil, voice.voice != nil { throw ValidationError("Give --voice or --profile, not both.") }
    }

    func run(in library: Library) async throws {
        let found = try await library.documents.documents(called: documents)
        if list, !dismiss { return try show(BatchStatus(entries: try await library.batch.entries())) }
        if cancel || dismiss {
            if cancel { try await giveUp(in: library) } else { try await remove([.ended], in: library) }
            return try show(BatchStatus(entries: try await library.batch.entries()))
        }
        let retried = try await retried(in: library)
        let failed = try await library.batch.entries().filter { $0.state == .failed }.map(\.id)
        let earlier = Set(failed).subtracting(retried)
        let notices = try await notices(of: found, in: library)
        var engines = Studio.Engines()
        let lanes = work.lanes(usual: try await library.settings.lanes())
        engines.lanes = lanes
        engines.timeout = .seconds(work.timeout)
        let status = try await Studio.with(engines) { studio in
            var request = try await voice.request(in: library)
            request.name = name
            request.keepsTimes = keepTimes
            let orders = try await request.orders(
                for: found.map { ($0, nil) },
                isByChapter: chapters,
                among: await studio.voices,
                in: library
            )
            if let order = orders.first(where: { $0.substitution != nil }), let substitution = order.substitution {
                await studio.report(substitution, by: order.order.voice)
            }
            let run = BatchRun(in: library, by: studio.narrator, lanes: lanes, isQuiet: json)
            return try await run.run(orders.map { $0.order }, retrying: retried)
        }
        try show(status, notices)
        // Earlier failures are listed, but say nothing about this run.
        let hasFailed = status.entries.contains { $0.state == .failed && !earlier.contains($0.id) }
        guard !hasFailed else { throw ExitCode(ExitStatus.failure.rawValue) }
    }

    /// Returns the entries that `--retry` names.
    ///
    /// - Throws: ``LibraryError/batchEntryNotFound`` for a number without an entry, or with one that has not failed;
    ///   ``VaultError``.
    private func retried(in library: Library) async throws -> [BatchEntry.ID] {
        guard retry else { return [] }
        let entries = try await library.batch.entries()
        guard !only.isEmpty else { return entries.filter { $0.state == .failed }.map(\.id) }
        let chosen = try chosen(among: entries)
        guard chosen.allSatisfy({ $0.state == .failed }) else { throw LibraryError.batchEntryNotFound }
        return chosen.map(\.id)
    }

    /// Returns the entries that `--only` names.
    ///
    /// - Throws: ``LibraryError/batchEntryNotFound`` for a number without an entry.
    private func chosen(among entries: [BatchEntry]) throws -> [BatchEntry] {
        try only.map { number in
            guard number >= 1, number <= entries.count else { throw LibraryError.batchEntryNotFound }
            return entries[number - 1]
        }
    }

    /// The notices about how each document was read, by the document's id; they are printed on standard error too.
    private func notices(of documents: [Document], in library: Library) async throws -> [String: [DocumentNotice]] {
        var notices: [String: [DocumentNotice]] = [:]
        for document in documents {
            notices[document.id.rawValue] = try await library.documents.structure(of: document.id).notices
            for notice in notices[document.id.rawValue] ?? [] where !json {
                EchoTextCommand.say("note: \(document.mention): \(notice.message)")
            }
        }
        return notices
    }

    /// Removes the entries that `--only` names, or all unfinished ones.
    ///
    /// Unfinished entries stay while another program is working on the batch, because it would not notice.
    ///
    /// - Throws: ``LibraryError/batchBusy``, ``LibraryError/batchEntryNotFound``, ``VaultError``.
    private func giveUp(in library: Library) async throws {
        let chosen = try await chosen(among: library.batch.entries())
        let choices = only.isEmpty ? [BatchChoice.left] : chosen.map { BatchChoice.one($0.id) }
        guard only.isEmpty || chosen.contains(where: \.isLeft) else { return try await remove(choices, in: library) }
        try await library.batch.hold()
        do {
            try await remove(choices, in: library)
        } catch {
            await library.batch.release()
            throw error
        }
        await library.batch.release()
    }

    private func remove(_ choices: [BatchChoice], in library: Library) async throws {
        for choice in choices { try await library.batch.remove(choice) }
    }

    private func show(_ status: BatchStatus, _ notices: [String: [DocumentNotice]] = [:]) throws {
        if json { return try CommandOutput.json(BatchResponse(status, notices: notices)) }
        guard !status.entries.isEmpty else { return EchoTextCommand.say("nothing is left to do") }
        try CommandOutput.table(
            ["", "STATE", "NAME", "REASON"],
            status.entries.enumerated().map { index, entry in
                ["\(index + 1)", entry.state.rawValue, entry.order.name.text, entry.failure?.words ?? ""]
            }
        )
        let counts = status.counts
        EchoTextCommand.say("\(counts.done) of \(counts.total) done, \(counts.failed) failed")
        guard counts.failed > 0 else { return }
        EchoTextCommand.say("“echotext batch --retry” tries again what failed, “echotext batch --dismiss” takes it out")
    }
}

extension Failure {
    /// The message, or the code where there is no message.
    var words: String { message.isEmpty ? code : message }
}

/// The batch has what was ordered, and another program works on it.
struct MadeElsewhere: UserFacingError {
    var failure: Failure {
        LibraryError.batchBusy.failure
            .suggesting("What was ordered is in it, and is made there; “echotext batch --list” shows how far it is.")
    }
}

/// Runs the batch, and shows its progress.
struct BatchRun: Sendable {
    private let library: Library
    private let events: StudioEvents
    private let queue: NarrationQueue
    private let batch: BatchRunner
    private let isQuiet: Bool

    init(in library: Library, by narrator: Narrator, lanes: Int, isQuiet: Bool) {
        self.library = library
        self.isQuiet = isQuiet
        events = StudioEvents()
        queue = NarrationQueue(in: library, by: narrator, events: events) { lanes }
        batch = BatchRunner(in: library, by: queue, events: events)
    }

    /// Runs the unfinished entries, then `orders`.
    ///
    /// - Parameters:
    ///   - orders: Narrations to add.
    ///   - retried: Failed entries to try again.
    /// - Returns: The results of all entries.
    /// - Throws: ``LibraryError/batchBusy``, or ``MadeElsewhere`` where something was ordered; ``VaultError``;
    ///   `CancellationError` when the task is cancelled; unfinished entries stay in the library.
    func run(_ orders: [NarrationOrder], retrying retried: [BatchEntry.ID]) async throws -> BatchStatus {
        let subscription = await events.subscribe()
        let reporting = Task { await report(subscription.entries) }
        do {
            for id in retried { try await batch.retry(id) }
            if !orders.isEmpty { _ = try await batch.add(orders) }
            try await withTaskCancellationHandler {
                await batch.start()
                try await batch.finish()
            } onCancel: {
                Task { await close() }
            }
            try Task.checkCancellation()
        } catch {
            // A separate task, because this one may be cancelled and `close()` has to finish.
            await Task { await close() }.value
            await end(reporting)
            if case LibraryError.batchBusy = error, !orders.isEmpty || !retried.isEmpty { throw MadeElsewhere() }
            throw error
        }
        await end(reporting)
        return try await batch.status()
    }

    private func close() async {
        await batch.close()
        await queue.close()
        await batch.end()
    }

    private func end(_ reporting: Task<Void, Never>) async {
        await events.close()
        await reporting.value
    }

    /// Reports the start and the result of each entry.
    private func report(_ entries: AsyncStream<StudioEvents.Entry>) async {
        var begun: BatchEntry.ID?
        var heading = ""
        var line: ProgressLine?
        var times: [BatchEntry.ID: CaptionDelays] = [:]
        var unspoken: [BatchEntry.ID: [String]] = [:]
        for await entry in entries {
            if case .narration(let status) = entry.event, let id = status.order.batch {
                (times[id], unspoken[id]) = (status.times, status.leftOut)
            }
            switch entry.event {
            case .narration(let status) where status.state == .speaking && !isQuiet:
                if line == nil {
                    line = ProgressLine(total: status.length, isShown: isatty(STDERR_FILENO) == 1, heading: heading)
                }
                line?.update(units: status.position, seconds: status.seconds)
            case .batch(let progress):
                let new = progress.working.flatMap { $0.id == begun ? nil : $0 }
                begun = progress.working?.id ?? begun
                for step in [progress.ended, new].compactMap(\.self) {
                    line?.clear()
                    line = nil
                    heading = "\(step.number) of \(progress.counts.total)"
                    say(step, heading)
                    if step.state != .begun { unspoken.removeValue(forKey: step.id)?.forEach(sayUnspoken) }
                    guard step.state == .done, let words = times.removeValue(forKey: step.id)?.words else { continue }
                    if !isQuiet { EchoTextCommand.say("note: \(words)") }
                }
            default: break
            }
        }
        line?.clear()
    }

    private func say(_ step: BatchProgress.Step, _ counter: String) {
        guard !isQuiet else { return }
        let name = isatty(STDERR_FILENO) == 1 ? "“\(CommandOutput.harmless(step.name.text))”" : "narration \(step.id)"
        switch step.state {
        case .waiting: break
        case .begun: EchoTextCommand.say("\(counter): \(name)")
        case .done: EchoTextCommand.say("\(counter): \(name) is done")
        case .failed: EchoTextCommand.say("\(counter): \(name) failed: \(step.failure?.words ?? "")")
        }
    }
}
