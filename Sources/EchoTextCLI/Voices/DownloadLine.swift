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

    private static func words(_ state: VoiceDownload.State, after before: VoiceDownload.State?) -> String {
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
        let size = Answer.size(Int(bytes)) + (total.map { " of \(Answer.size(Int($0)))" } ?? "")
        let pace = rate.map { "\(Answer.size(Int($0)))/s" }
        let rest = left.map { "\(Answer.time($0 / .seconds(1))) left" }
        return [share, size, pace, rest].compactMap(\.self).joined(separator: ", ")
    }
}
