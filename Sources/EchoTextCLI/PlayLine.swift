import EchoText
import Foundation

/// Shows the playback on one line of the terminal: name, position and length.
actor PlayLine {
    private let isTerminal: Bool
    private var item: AudioItem?
    private var position = 0.0
    private var speed: Double
    private var isPaused = false
    private var shown = ""

    init(isTerminal: Bool, speed: Double) {
        self.isTerminal = isTerminal
        self.speed = speed
    }

    func show(_ event: Player.Event) {
        switch event {
        case .began(let item, let position):
            (self.item, self.position) = (item, position)
            if !isTerminal { EchoTextCommand.say("playing \(item.mention)") }
        case .moved(let position): self.position = position
        case .paused: isPaused = true
        case .resumed: isPaused = false
        case .speedChanged(let speed): self.speed = speed
        case .passedOver(_, let code): note("a recording is skipped: \(Self.words(for: code))")
        case .placeNotKept: note("where you are cannot be kept")
        case .ended: return clear()
        }
        draw()
    }

    /// Clears the line.
    func clear() {
        guard isTerminal, !shown.isEmpty else { return }
        shown = ""
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    private func note(_ words: String) {
        clear()
        EchoTextCommand.say(words)
    }

    private func draw() {
        guard isTerminal, let item else { return }
        let times = "\(Answer.time(position)) / \(Answer.time(item.duration))"
        let pace = speed == 1 ? "" : String(format: "  ×%.2f", speed)
        let line = "\(isPaused ? "⏸" : "▶") \(times)\(pace)  \(Answer.harmless(item.name.text))"
        guard line != shown else { return }
        shown = line
        // A long name is truncated at the terminal's edge, not wrapped.
        FileHandle.standardError.write(Data("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h".utf8))
    }

    private static func words(for code: String) -> String {
        switch code {
        case LibraryError.itemNotFound.code: "it is not in the library any more"
        case VaultError.contentMissing.code: "its sound is missing"
        default: "its sound is damaged"
        }
    }
}
