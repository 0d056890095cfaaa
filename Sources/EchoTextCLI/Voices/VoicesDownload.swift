import ArgumentParser
import EchoText
import Foundation

/// `echotext voices download`.
struct VoicesDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download voices and install them.",
        discussion: """
            “echotext voices available” lists them. Ctrl-C stops it; what has come is kept, and the next download goes on \
            from there. Each voice is tried before it is taken in.
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
            try await Interruption.cancelling { try await download() }
        }
    }

    private func download() async throws {
        let rules = try await outbound.rules()
        let events = StudioEvents()
        try await Studio.with { studio in
            let results = try await studio.withVoiceDesk(rules, events: events) { desk in
                try await desk.sweep()
                let catalogue = await desk.catalogue()
                let entries = try voices.map { try catalogue.entry(called: $0) }
                let progress = await DownloadLine(of: entries.map(\.id), events: events)
                let results = await download(entries, by: desk)
                await progress.end()
                return results
            }
            let installed = results.compactMap { try? $0.get() }  // what failed is thrown below
            for voice in installed { try await keepRecord(of: voice) }
            if select, let last = installed.last { try await VoicesSelect.select(last.voice) }
            if !installed.isEmpty { try tell(of: installed) }
            for result in results { _ = try result.get() }
        }
    }

    /// All of them at the same time, whatever becomes of one; the desk sees to it that not too much is done at once.
    private func download(_ entries: [CatalogueEntry], by desk: VoiceDesk) async -> [Result<InstalledVoice, any Error>]
    {
        await withTaskGroup(of: (Int, Result<InstalledVoice, any Error>).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await desk.download(entry.id)))
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

    private func keepRecord(of voice: InstalledVoice) async throws {
        _ = try await ReachableLibrary.use { library in
            try await library.voices.update(voice.voice.id) { record in
                record.installation = voice
                record.setAside = nil
            }
        }
    }

    private func tell(of voices: [InstalledVoice]) throws {
        if answer.json {
            return try Answer.json(
                voices.map { voice in
                    var row = VoiceRow(voice.voice)
                    row.add(voice)
                    row.isSelected = select && voice == voices.last
                    return row
                }
            )
        }
        for voice in voices { try Answer.text(voice.voice.id.rawValue) }
    }
}

/// How far downloads have come, on one line of the terminal.
private struct DownloadLine: Sendable {
    private let drawing: Task<Void, Never>
    private let events: StudioEvents

    init(of entries: [CatalogueEntry.ID], events: StudioEvents) async {
        self.events = events
        let subscription = await events.subscribe()
        let line = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
        drawing = Task {
            var states: [CatalogueEntry.ID: VoiceDownload.State] = [:]
            for await entry in subscription.entries {
                guard case .voice(let status) = entry.event else { continue }
                states[status.entry] = status.state
                line.show(entries.compactMap { id in states[id].map { Self.words(id, $0) } }.joined(separator: "   "))
            }
            line.clear()
        }
    }

    /// Takes the line away.
    func end() async {
        await events.close()
        await drawing.value
    }

    private static func words(_ id: CatalogueEntry.ID, _ state: VoiceDownload.State) -> String {
        let name = id.rawValue.replacing("vits-piper-", with: "")
        switch state {
        case .waiting: return "\(name): waiting"
        case .downloading(let progress): return "\(name): \(words(progress))"
        case .extracting: return "\(name): unpacking"
        case .validating: return "\(name): trying the voice"
        case .downloaded, .active: return "\(name): installed"
        case .notDownloaded, .paused, .failed: return "\(name): stopped"
        }
    }

    private static func words(_ progress: TransferProgress) -> String {
        let share = progress.fraction.map { "\(Int($0 * 100)) %, " } ?? ""
        let size = progress.total.map { " of \(Answer.size(Int($0)))" } ?? ""
        let left = progress.left.map { ", \(Answer.time($0 / .seconds(1))) left" } ?? ""
        return "\(share)\(Answer.size(Int(progress.bytes)))\(size)\(left)"
    }
}
