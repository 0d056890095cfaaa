import EchoText
import Foundation

/// Shows a practice session on the terminal: each segment, and below it a progress bar while it is repeated.
actor PracticeLine {
    /// The width of the microphone's level, in characters.
    private static let levelWidth = 8

    private let isTerminal: Bool
    private let output: @Sendable (String) -> Void
    private var shown = ""
    private var isRecording = false
    /// The level of the sound that was recorded last, in dBFS.
    private var average = SoundLevel.floor
    /// The highest level since the last drawing, in dBFS.
    private var peak = SoundLevel.floor

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

    /// Shows that a microphone records from now on, until ``endRecording()``.
    ///
    /// On a terminal a red mark stands with every line that is drawn; elsewhere words say when it begins and ends.
    func beginRecording() {
        isRecording = true
        (average, peak) = (SoundLevel.floor, SoundLevel.floor)
        guard isTerminal else { return note("● recording") }
        drawMark()
    }

    /// Takes the level of what is recorded, which is shown with the mark, and says what is missing of it.
    func take(_ event: SoundCapture.Event, of segment: Int) {
        switch event {
        case .level(let level, _):
            average = level.average
            peak = max(peak, level.peak)
        case .continued(let name): note("the microphone is gone; continuing with \(name)")
        case .lost(let seconds, _):
            note("part \(segment): \(LevelLine.missing(seconds)), as this machine was too busy to take it")
        }
    }

    /// Shows that nothing is recorded any more.
    func endRecording() {
        isRecording = false
        guard isTerminal else { return note("the recording has ended") }
        clear()
    }

    /// Shows how much of a pause has passed.
    func showEcho(_ elapsed: Double, of seconds: Double?) {
        guard isTerminal else { return }
        let mark = isRecording ? recordingMark : "your turn"
        peak = SoundLevel.floor
        guard let seconds, seconds > 0 else { return draw("   \(mark)\(isRecording ? "" : "; n moves on")") }
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
        write("   \(segment.number): \(Self.words(for: score, of: segment.text))\n")
    }

    func note(_ words: String) {
        write("echotext: \(CommandOutput.harmless(words, isLine: true))\n")
    }

    /// Clears the line.
    func clear() {
        guard isTerminal, !shown.isEmpty else { return }
        shown = ""
        output("\r\u{1B}[K")
    }

    private var recordingMark: String {
        let level = LevelLine.meter(average, peak: peak, width: Self.levelWidth)
        return "\u{1B}[31m● recording\u{1B}[39m [\(level)]"
    }

    /// Writes a line above the one that is drawn; a mark is there again at once.
    private func write(_ line: String) {
        clear()
        output(line)
        if isRecording, isTerminal { drawMark() }
    }

    private func drawMark() { draw("   \(recordingMark)") }

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
