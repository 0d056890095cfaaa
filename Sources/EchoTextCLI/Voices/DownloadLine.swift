import EchoText
import Foundation

/// Shows the progress of downloads on one line of the terminal.
struct DownloadLine: Sendable {
    private let drawing: Task<Void, Never>
    private let events: StudioEvents

    init(of entries: [CatalogueEntry], events: StudioEvents) async {
        self.events = events
        let subscription = await events.subscribe()
        let line = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
        drawing = Task {
            var states: [CatalogueEntry.ID: VoiceDownload.State] = [:]
            for await entry in subscription.entries {
                guard case .voice(let status) = entry.event else { continue }
                states[status.entry] = status.state
                let words = entries.compactMap { entry in states[entry.id].map { Self.words(entry, $0) } }
                line.show(words.joined(separator: "   "))
            }
            line.clear()
        }
    }

    /// Takes the line away.
    func end() async {
        await events.close()
        await drawing.value
    }

    private static func words(_ entry: CatalogueEntry, _ state: VoiceDownload.State) -> String {
        let name = entry.voice?.rawValue ?? entry.id.rawValue
        switch state {
        case .waiting: return "\(name): waiting"
        case .downloading(let progress): return "\(name): \(progress.words)"
        case .extracting: return "\(name): unpacking"
        case .validating: return "\(name): trying the voice"
        case .downloaded, .active: return "\(name): installed"
        case .notDownloaded, .paused, .failed: return "\(name): stopped"
        }
    }
}

extension TransferProgress {
    /// `12 %, 7.1 MB of 57 MB, 2.3 MB/s, 0:22 left`, as far as that is known.
    var words: String {
        let share = fraction.map { "\(Int($0 * 100)) %" }
        let size = Answer.size(Int(bytes)) + (total.map { " of \(Answer.size(Int($0)))" } ?? "")
        let pace = rate.map { "\(Answer.size(Int($0)))/s" }
        let rest = left.map { "\(Answer.time($0 / .seconds(1))) left" }
        return [share, size, pace, rest].compactMap(\.self).joined(separator: ", ")
    }
}
