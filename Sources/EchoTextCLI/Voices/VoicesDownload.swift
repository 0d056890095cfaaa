import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext voices download`.
struct VoicesDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download voices and install them.",
        discussion: """
            “echotext voices available” lists them. Ctrl-C stops it; the bytes that have arrived are kept, and the \
            next download resumes there. Each voice is tried before it is installed. With --json, one document lists \
            successes and failures; the exit code is that of the first failure.
            """
    )

    @Argument(help: "The ID of a voice; several may be given.")
    var voices: [String]

    @Flag(help: "Let the last of them speak from now on when no voice is named.")
    var select = false

    @OptionGroup(title: "Connection")
    var outbound: OutboundOptions

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await download() }
        }
    }

    /// The result of each download, as JSON.
    private struct Report: Encodable {
        var voices: [VoiceListingResponse] = []
        var failures: [FailureResponse] = []
    }

    private func download() async throws {
        let rules = try await outbound.rules()
        let events = StudioEvents()
        try await Studio.with { studio in
            let (entries, results) = try await studio.withModelDownloads(rules, events: events) { downloads in
                try await downloads.sweep()
                let catalogue = await downloads.catalogue()
                let entries = try voices.map { try catalogue.entry(called: $0) }
                warn(of: entries)
                let progress = await DownloadLine(of: entries, events: events)
                let results = await download(entries, by: downloads)
                await progress.end()
                return (entries, results)
            }
            let installed = results.compactMap { try? $0.get() }  // failures are reported below
            var failures = try FailedDownload.all(of: entries, results)
            var selected: Voice.ID?
            if let last = installed.last {
                // The result is reported also where the library cannot record it.
                do {
                    for voice in installed {
                        _ = try await OptionalLibrary.use { try await $0.voices.note(.came(voice)) }
                    }
                    if select {
                        try await VoicesSelect.select(last.voice)
                        selected = last.voice.id
                    }
                } catch {
                    failures.append(try FailedDownload(last.voice.id.rawValue, error))
                }
            }
            try report(installed, selected, failures)
        }
    }

    /// Warns about entries without a checksum to verify the download with.
    private func warn(of entries: [CatalogueEntry]) {
        let unknown = entries.filter { $0.sha256 == nil }.map { $0.voice?.rawValue ?? $0.id.rawValue }
        guard !unknown.isEmpty else { return }
        EchoTextCommand.say(
            "note: no checksum is known of \(unknown.joined(separator: ", ")), so only its sender vouches for it."
        )
        EchoTextCommand.say("hint: “echotext voices available --refresh” asks for the checksums there are.")
    }

    /// Downloads all entries at the same time, independently of each other; ``ModelDownloads`` limits how many run at once.
    private func download(_ entries: [CatalogueEntry], by downloads: ModelDownloads) async -> [Result<
        InstalledVoice, any Error
    >] {
        await withTaskGroup(of: (Int, Result<InstalledVoice, any Error>).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask { (index, await Self.result(of: entry.id, by: downloads)) }
            }
            var results: [Int: Result<InstalledVoice, any Error>] = [:]
            for await (index, result) in group { results[index] = result }
            return entries.indices.compactMap { results[$0] }
        }
    }

    /// A function of its own: of a closure with two returns, Swift 6.3.1 gives a wrong number beside the result where it
    /// optimizes.
    private static func result(
        of entry: CatalogueEntry.ID,
        by downloads: ModelDownloads
    ) async -> Result<InstalledVoice, any Error> {
        do {
            return .success(try await downloads.download(entry))
        } catch {
            return .failure(error)
        }
    }

    /// Reports the result of each download.
    ///
    /// - Throws: The only failure, or the exit status of the first.
    private func report(_ voices: [InstalledVoice], _ selected: Voice.ID?, _ failures: [FailedDownload]) throws {
        if answer.json {
            var report = Report()
            report.failures = failures.map { FailureResponse($0.error.failure.inTerminal, voice: $0.name) }
            report.voices = VoiceListingResponse.answers(about: voices, selecting: selected)
            try CommandOutput.json(report)
        } else {
            for voice in voices { try CommandOutput.text(voice.voice.id.rawValue) }
        }
        if failures.count == 1, !answer.json { throw failures[0].error }
        try FailedDownload.report(failures)
    }
}

/// A download that failed, or is installed and could not be selected.
struct FailedDownload {
    /// The ID of a voice, or the name of an entry that is none.
    let name: String
    let error: any UserFacingError

    /// - Throws: `error` itself, if it has no words for a person.
    init(_ name: String, _ error: any Error) throws {
        let known = error is CancellationError ? CommandError.interrupted : error as? any UserFacingError
        guard let known else { throw error }
        (self.name, self.error) = (name, known)
    }

    /// The entries whose result is a failure.
    ///
    /// - Throws: An error that has no words for a person.
    static func all<Brought>(
        of entries: [CatalogueEntry],
        _ results: [Result<Brought, any Error>]
    ) throws -> [FailedDownload] {
        try zip(entries, results).compactMap { entry, result in
            guard case .failure(let error) = result else { return nil }
            return try FailedDownload(entry.voice?.rawValue ?? entry.id.rawValue, error)
        }
    }

    /// Says what has failed and why.
    ///
    /// - Throws: The exit status of the first.
    static func report(_ failures: [FailedDownload]) throws {
        for failure in failures {
            EchoTextCommand.say("error: \(failure.name): \(failure.error.message)")
            if let suggestion = failure.error.failure.inTerminal.suggestion {
                EchoTextCommand.say("hint: \(suggestion)")
            }
        }
        if let first = failures.first { throw ExitCode(ExitStatus(of: first.error.kind).rawValue) }
    }
}

/// `echotext voices retry`.
struct VoicesRetry: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Enable a voice that was disabled because its engine stopped.",
        discussion: """
            A voice is disabled when its engine stopped repeatedly while it spoke. A page that is open has its own button \
            for this.
            """
    )

    @Argument(help: "Its ID.")
    var voice: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try await studio.installedID(called: voice)
        let wasDisabled = try await library.voices.enable(id)
        if json { return try CommandOutput.json(["voice": id.rawValue]) }
        EchoTextCommand.say(wasDisabled ? "\(id) is enabled again" : "\(id) was not disabled")
    }
}

/// `echotext voices add`.
struct VoicesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a neural voice from a file or a folder.",
        discussion: """
            Takes an archive of sherpa-onnx's “tts-models” release, a folder with a Piper voice, or a .onnx file with its \
            .onnx.json beside it, as Piper's voices are published. What a .onnx file lacks for sherpa-onnx is made. The \
            voice is tried before it is taken in; what you give stays as it is.
            """
    )

    @Argument(help: "The archive, folder or .onnx file.", completion: .file())
    var path: String

    @Flag(help: "Let it speak from now on when no voice is named.")
    var select = false

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await add() }
        }
    }

    private func add() async throws {
        let path = URL(filePath: path).standardizedFileURL.path
        try await Studio.with { studio in
            try await studio.installer.sweep()
            let phases = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
            defer { phases.clear() }
            let voice = try await studio.installer.add(path, named: nil) { phases.show($0) }
            phases.clear()
            _ = try await OptionalLibrary.use { try await $0.voices.note(.came(voice)) }
            if select { try await VoicesSelect.select(voice.voice) }
            try report(voice)
        }
    }

    private func report(_ voice: InstalledVoice) throws {
        if answer.json {
            let selected = select ? voice.voice.id : nil
            for answer in VoiceListingResponse.answers(about: [voice], selecting: selected) {
                try CommandOutput.json(answer)
            }
            return
        }
        try CommandOutput.text(voice.voice.id.rawValue)
        let licence = voice.licence.map { ", licence: \($0.name)" } ?? ""
        EchoTextCommand.say(
            CommandOutput.harmless("installed “\(voice.voice.name)”, \(CommandOutput.size(Int(voice.bytes)))\(licence)")
        )
    }
}

/// Shows the installation of a voice on one line of the terminal.
struct PhaseLine: Sendable {
    let isShown: Bool

    func show(_ phase: InstallPhase) {
        switch phase {
        case .extracting: show("unpacking…")
        case .validating: show("testing the voice…")
        }
    }

    func show(_ words: String) {
        guard isShown else { return }
        EchoTextCommand.show("\r\u{1B}[K\(CommandOutput.harmless(words, isLine: true))")
    }

    func clear() {
        guard isShown else { return }
        EchoTextCommand.show("\r\u{1B}[K")
    }
}

/// `echotext voices remove`.
struct VoicesRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete an installed voice.",
        discussion: "Recordings that were made with it stay. espeak-ng's voices cannot be deleted."
    )

    @Argument(help: "Its ID.")
    var voice: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await remove() }
    }

    private func remove() async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try await studio.installedID(called: voice)
        guard Voice.Engine(of: id) != .espeakNG else { throw ModelInstallError.builtIn(id) }
        try await confirmation.confirm("Delete the voice “\(id)”?")
        try await studio.installer.remove(id)
        let wasSelected = try await OptionalLibrary.use { library in
            try await library.voices.note(.went(id))
            return try await library.profiles.chosen().profile.voice == id
        }
        if wasSelected == true {
            EchoTextCommand.say(
                "it was the chosen voice; \(VoiceProfile.standard.voice) speaks until you select another"
            )
        }
        if answer.json { try CommandOutput.json(["removed": id.rawValue]) }
    }
}

/// `echotext voices discard` and `echotext recognizers discard`.
struct DownloadDiscard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete what has arrived of a download that was stopped.",
        discussion: "What is installed stays. A later download begins at its start."
    )

    @Argument(help: "The ID of what was to be downloaded; several may be given.")
    var entries: [String]

    @OptionGroup
    var answer: JSONOption

    private struct Discarded: Encodable {
        let entry: CatalogueEntry.ID
        /// The bytes that had arrived.
        let bytes: Int64
    }

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await discard() }
    }

    private func discard() async throws {
        var rules = OutboundRules()
        rules.isOffline = true
        let discarded = try await Studio.with { studio in
            try await studio.withModelDownloads(FollowedRules(rules)) { downloads in
                let catalogue = await downloads.catalogue()
                var discarded: [Discarded] = []
                for entry in try entries.map({ try catalogue.entry(called: $0) }) {
                    let bytes = await downloads.arrivedBytes(of: entry.id)
                    try await downloads.discard(entry.id)
                    discarded.append(Discarded(entry: entry.id, bytes: bytes))
                }
                return discarded
            }
        }
        if answer.json { return try CommandOutput.json(discarded) }
        for one in discarded {
            EchoTextCommand.say(
                one.bytes > 0
                    ? "deleted \(CommandOutput.size(Int(one.bytes))) of \(one.entry.rawValue)"
                    : "nothing had arrived of \(one.entry.rawValue)"
            )
        }
    }
}

/// Shows the progress of downloads on one line of the terminal.
struct DownloadLine: Sendable {
    private let drawing: Task<Void, Never>
    private let events: StudioEvents

    init(of entries: [CatalogueEntry], events: StudioEvents) async {
        self.events = events
        let subscription = await events.subscribe()
        let line = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
        drawing = Task {
            var states: [CatalogueEntry.ID: ModelDownload.State] = [:]
            var words: [CatalogueEntry.ID: String] = [:]
            for await entry in subscription.entries {
                guard case .voice(let status) = entry.event else { continue }
                let before = states.updateValue(status.state, forKey: status.entry)
                words[status.entry] = Self.words(status.state, after: before)
                let shown = entries.compactMap { entry in
                    words[entry.id].map { "\(entry.voice?.rawValue ?? entry.id.rawValue): \($0)" }
                }
                line.show(shown.joined(separator: "   "))
            }
            line.clear()
        }
    }

    /// Clears the line.
    func end() async {
        await events.close()
        await drawing.value
    }

    private static func words(_ state: ModelDownload.State, after before: ModelDownload.State?) -> String {
        switch state {
        case .waiting: "waiting"
        case .downloading(let progress): progress.words
        case .extracting: "unpacking"
        case .validating: "testing the voice"
        case .none: before == .validating ? "installed" : "stopped"
        case .paused, .failed: "stopped"
        }
    }
}

extension TransferProgress {
    /// For example `12 %, 7.1 MB of 57 MB, 2.3 MB/s, 0:22 left`, as far as that is known.
    var words: String {
        let share = fraction.map { "\(Int($0 * 100)) %" }
        let size = CommandOutput.size(Int(bytes)) + (total.map { " of \(CommandOutput.size(Int($0)))" } ?? "")
        let pace = rate.map { "\(CommandOutput.size(Int($0)))/s" }
        let rest = left.map { "\(CommandOutput.time($0 / .seconds(1))) left" }
        return [share, size, pace, rest].compactMap(\.self).joined(separator: ", ")
    }
}
