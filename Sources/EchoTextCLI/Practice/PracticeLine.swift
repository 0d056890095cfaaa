import EchoText
import Foundation

/// Shows a practice session on the terminal: each segment, and below it a progress bar while it is repeated.
actor PracticeLine {
    private let isTerminal: Bool
    private let output: @Sendable (String) -> Void
    private var shown = ""

    /// - Parameters:
    ///   - isTerminal: Whether a line can be drawn again.
    ///   - output: Receives what is shown; standard error when absent.
    init(
        isTerminal: Bool,
        output: @escaping @Sendable (String) -> Void = { text in
            // If standard error is closed, nobody sees it.
            _ = try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    ) {
        self.isTerminal = isTerminal
        self.output = output
    }

    /// Shows a segment.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - position: Its position and repetition.
    ///   - settings: The settings of the session.
    func show(_ segment: PracticeSegment, at position: PracticeSession.Position, _ settings: PracticeSettings) {
        clear()
        let repetition = settings.repeats > 1 ? " (\(position.repetition)/\(settings.repeats))" : ""
        let text = settings.hidesText ? "…" : CommandOutput.harmless(segment.text, isLine: true)
        output("\(segment.number)\(repetition)  \(text)\n")
    }

    /// Shows how much of a pause has passed.
    func showEcho(_ elapsed: Double, of seconds: Double?, isRecorded: Bool) {
        guard isTerminal else { return }
        let mark = isRecorded ? "● recording" : "your turn"
        guard let seconds, seconds > 0 else { return draw("   \(mark)\(isRecorded ? "" : "; n moves on")") }
        let width = 20
        let filled = min(width, Int((Double(width) * elapsed / seconds).rounded()))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        draw("   \(mark) \(bar) \(String(format: "%.1f", max(0, seconds - elapsed))) s")
    }

    func showPause() {
        // A terminal cuts the line at its width, which is mostly 80 columns.
        let keys = "space resumes, r again, b/a compare, h hard, number and Enter jump, q ends"
        if isTerminal { draw("   ⏸ \(keys)") }
    }

    /// Shows the score of a take.
    func show(_ score: TakeScore, of segment: PracticeSegment) {
        clear()
        output("   \(segment.number): \(Self.words(for: score, of: segment.text))\n")
    }

    func note(_ words: String) {
        clear()
        output("echotext: \(CommandOutput.harmless(words, isLine: true))\n")
    }

    /// Clears the line.
    func clear() {
        guard isTerminal, !shown.isEmpty else { return }
        shown = ""
        output("\r\u{1B}[K")
    }

    private func draw(_ line: String) {
        guard line != shown else { return }
        shown = line
        output("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h")
    }

    /// “82 %, 110 words a minute (model 140); missed: sea; instead of keeper: teacher”.
    static func words(for score: TakeScore, of text: String) -> String {
        var parts: [String] = []
        let pace = score.pace.take.map { take in
            let model = score.pace.model.map { " (model \(Int($0.rounded())))" } ?? ""
            return ", \(Int(take.rounded())) words a minute\(model)"
        }
        if let value = score.score {
            parts.append(PracticeHistory.score(value) + (pace ?? ""))
        } else {
            parts.append("no score: \(score.reason?.words ?? "it was not heard")\(pace ?? "")")
        }
        let missed = score.words.filter { $0.kind == .missed }.map { String(text.part($0.source)) }
        if !missed.isEmpty { parts.append("missed: \(missed.joined(separator: " "))") }
        for word in score.words where word.kind == .different {
            parts.append("instead of \(text.part(word.source)): \(word.heard ?? "")")
        }
        if !score.extra.isEmpty { parts.append("added: \(score.extra.map(\.heard).joined(separator: " "))") }
        return CommandOutput.harmless(parts.joined(separator: "; "), isLine: true)
    }
}

extension TakeScore.Reason {
    fileprivate var words: String {
        switch self {
        case .noRecognizer: "no recogniser on this machine knows the language"
        case .failed: "the recogniser failed"
        }
    }
}
