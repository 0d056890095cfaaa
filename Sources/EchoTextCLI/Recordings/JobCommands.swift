import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext jobs`: running and unfinished work.
struct JobCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List, resume, stop and delete unfinished transcriptions.",
        discussion: """
            The list has unfinished narrations too; “echotext library continue” resumes one of them.
            """,
        subcommands: [JobList.self, JobShow.self, JobRetry.self, JobCancel.self, JobDelete.self],
        defaultSubcommand: JobList.self
    )
}

extension TranscriptionJobs {
    /// Finds a job by its id or the beginning of it; without a reference, the only job there is.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``LibraryError/ambiguous(count:ids:)``.
    func job(called reference: String?) async throws -> TranscriptionJob {
        try await jobs().filter { $0.id.isMeant(by: reference) }.only(orThrow: TranscriptError.jobNotFound)
    }
}

extension Library {
    /// The state of `job`, as far as a command knows it that does not run it.
    ///
    /// - Throws: ``TranscriptError/jobNotFound`` where the recording was deleted meanwhile, and the job with it.
    fileprivate func status(of job: TranscriptionJob) async throws -> TranscriptionStatus {
        guard let item = try await audio.item(job.item) else { throw TranscriptError.jobNotFound }
        return TranscriptionStatus(job, of: item)
    }
}

/// `echotext jobs list`.
struct JobList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what was not finished.")

    @OptionGroup
    var answer: JSONOption

    private struct Unfinished: Encodable {
        let transcriptions: [TranscriptionResponse]
        let narrations: [UnfinishedResponse]
    }

    func run(in library: Library) async throws {
        var jobs: [TranscriptionResponse] = []
        for job in try await library.transcriptions.jobs() {
            // A recording that is deleted meanwhile takes its jobs with it.
            guard let item = try await library.audio.readableItem(job.item) else { continue }
            jobs.append(TranscriptionResponse(TranscriptionStatus(job, of: item)))
        }
        let narrations = try await library.jobs.jobs()
        if json {
            let shown = UnfinishedResponse.all(narrations, among: try await library.batch.entries())
            return try CommandOutput.json(Unfinished(transcriptions: jobs, narrations: shown))
        }
        guard !jobs.isEmpty || !narrations.isEmpty else { return EchoTextCommand.say("nothing is unfinished") }
        var rows = jobs.map { job in
            [
                String(job.id.rawValue.prefix(8)), "transcription", job.state.rawValue,
                CommandOutput.time(job.position),
                CommandOutput.date(job.created), job.name,
            ]
        }
        rows += narrations.map { job in
            [
                String(job.id.rawValue.prefix(8)), "narration", job.state.rawValue,
                CommandOutput.time(Double(job.samples) / Double(job.order.voice.sampleRate)),
                CommandOutput.date(job.created),
                job.order.name.text,
            ]
        }
        try CommandOutput.table(["ID", "KIND", "STATE", "DONE", "BEGUN", "NAME"], rows)
    }
}

/// Which transcription a command is about.
struct JobReference: ParsableArguments {
    @Argument(help: "Its id, or the beginning of it (4 characters or more); not needed when there is only one.")
    var job: String?
}

/// `echotext jobs show`.
struct JobShow: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the state of a transcription, and its text so far."
    )

    @OptionGroup
    var reference: JobReference

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let job = try await library.transcriptions.job(called: reference.job)
        let shown = TranscriptionResponse(try await library.status(of: job))
        if json { return try CommandOutput.json(shown) }
        var lines = [
            ("id", shown.id.rawValue), ("recording", shown.name), ("state", shown.state.rawValue),
            ("begun", CommandOutput.date(shown.created)),
            ("recogniser", shown.recognizers.map(\.rawValue).joined(separator: ", ")),
            ("heard", CommandOutput.time(shown.position)),
        ]
        if let failure = shown.failure { lines.append(("failure", failure.message)) }
        let texts = try await library.transcriptions.segments(of: job.id).map(\.text).filter { !$0.isEmpty }
        let text = (CommandOutput.facts(lines) + [""] + texts).joined(separator: "\n")
        try CommandOutput.text(text.trimmingCharacters(in: .newlines))
    }
}

/// `echotext jobs retry`.
struct JobRetry: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Continue a transcription at the first segment that is missing, and wait for it."
    )

    @OptionGroup
    var reference: JobReference

    @OptionGroup(title: "Output")
    var output: TranscriptOutputOptions

    @Flag(help: "Connect to nothing; services are not asked.")
    var offline = false

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        try output.check(isAnswered: json)
        let job = try await library.transcriptions.job(called: reference.job)
        let version = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: offline) { tools in
                try await ForegroundQueue(in: library, with: tools, network: studio.networkWatch, isShown: !json)
                    .run { try await $0.retry(job.id) }
            }
        }
        let item = try await library.audio.item(job.item)
        var marks: [WrittenTranscript.Mark] = []
        if let item { marks = try await library.writtenMarks(of: item) }
        try await output.write(
            try await library.transcripts.transcript(version),
            called: item?.name.text ?? "",
            with: marks,
            json: json
        )
    }
}

/// `echotext jobs cancel`.
struct JobCancel: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Keep a transcription that waits from continuing by itself; what was heard is kept."
    )

    @OptionGroup
    var reference: JobReference

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let jobs = library.transcriptions
        let job = try await jobs.resume(try await jobs.job(called: reference.job).id)
        let cancelled = try await jobs.update(job.id) { $0.state = .cancelled }
        await jobs.release(job.id)
        if json { try CommandOutput.json(TranscriptionResponse(try await library.status(of: cancelled))) }
    }
}

/// `echotext jobs delete`.
struct JobDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Discard an unfinished transcription and its text so far."
    )

    @OptionGroup
    var reference: JobReference

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let job = try await library.transcriptions.job(called: reference.job)
        try await confirmation.confirm("Discard this transcription and its text so far?")
        try await library.transcriptions.discard(job.id)
    }
}
