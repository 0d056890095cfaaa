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
            let (entries, results) = try await studio.withVoiceDownloads(rules, events: events) { downloads in
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
            for voice in installed { _ = try await OptionalLibrary.use { try await $0.voices.note(.came(voice)) } }
            if select, let last = installed.last { try await VoicesSelect.select(last.voice) }
            var failures: [(CatalogueEntry, any UserFacingError)] = []
            for (entry, result) in zip(entries, results) {
                guard case .failure(let error) = result else { continue }
                let known = error is CancellationError ? CommandError.interrupted : error as? any UserFacingError
                guard let known else { throw error }
                failures.append((entry, known))
            }
            try report(installed, failures)
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

    /// Downloads all entries at the same time, independently of each other; ``VoiceDownloads`` limits how many run at once.
    private func download(_ entries: [CatalogueEntry], by downloads: VoiceDownloads) async -> [Result<
        InstalledVoice, any Error
    >] {
        await withTaskGroup(of: (Int, Result<InstalledVoice, any Error>).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await downloads.download(entry.id)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<InstalledVoice, any Error>] = [:]
            for await (index, result) in group { results[index] = result }
            return entries.indices.compactMap { results[$0] }
        }
    }

    /// Reports the result of each download.
    ///
    /// - Throws: The only failure, or the exit status of the first.
    private func report(_ voices: [InstalledVoice], _ failures: [(entry: CatalogueEntry, error: any UserFacingError)])
        throws
    {
        if answer.json {
            var report = Report()
            report.failures = failures.map { entry, error in
                FailureResponse(error.failure, voice: entry.voice?.rawValue ?? entry.id.rawValue)
            }
            report.voices = VoiceListingResponse.answers(about: voices, selecting: select ? voices.last?.voice.id : nil)
            try Answer.json(report)
        } else {
            for voice in voices { try Answer.text(voice.voice.id.rawValue) }
        }
        guard let first = failures.first else { return }
        if failures.count == 1, !answer.json { throw first.error }
        for (entry, error) in failures {
            EchoTextCommand.say("error: \(entry.voice?.rawValue ?? entry.id.rawValue): \(error.message)")
            if let suggestion = error.suggestion { EchoTextCommand.say("hint: \(suggestion)") }
        }
        throw ExitCode(ExitStatus(of: first.error.kind).rawValue)
    }
}
