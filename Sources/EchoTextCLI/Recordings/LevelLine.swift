import EchoText
import Foundation

/// Shows a recording on one line of the terminal: its length and level.
actor LevelLine {
    private static let shortestStep = Duration.milliseconds(80)
    private static let width = 30
    /// The level at the left end of the meter, in dBFS.
    private static let quietest = -60.0

    private let isShown: Bool
    private var lastDrawn: ContinuousClock.Instant?
    /// The second of the recording that was last drawn.
    private var lastSecond = -1
    /// The highest level since the last drawing.
    private var peak = SoundLevel.floor
    private var isClipped = false

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func begin(_ device: any CaptureDevice) {
        let name = Answer.harmless(device.name, isLine: true)
        EchoTextCommand.say("recording from \(name), \(device.sampleRate) Hz; Ctrl-C ends it")
    }

    func show(_ event: SoundCapture.Event) {
        switch event {
        case .continued(let name):
            clear()
            EchoTextCommand.say("the microphone is gone; continuing with \(Answer.harmless(name, isLine: true))")
        case .level(let level, let seconds):
            guard isShown else { return }
            peak = max(peak, level.peak)
            isClipped = isClipped || level.isClipped
            let now = ContinuousClock.now
            if let last = lastDrawn, now - last < Self.shortestStep, Int(seconds) == lastSecond { return }
            (lastDrawn, lastSecond) = (now, Int(seconds))
            draw(level, seconds)
        }
    }

    func end(_ end: SoundCapture.End) {
        clear()
        guard end == .deviceGone else { return }
        EchoTextCommand.say("the microphone is gone, and there is no other; the recording ends here")
    }

    /// Clears the line.
    func clear() {
        guard isShown, lastDrawn != nil else { return }
        lastDrawn = nil
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    private func draw(_ level: SoundLevel, _ seconds: Double) {
        func place(_ decibels: Double) -> Int {
            Int((max(0, 1 - decibels / Self.quietest) * Double(Self.width)).rounded())
        }
        let (loud, top) = (place(level.average), place(peak))
        let bar = (0..<Self.width).map { $0 < loud ? "█" : $0 < top ? "▒" : "░" }.joined()
        let words = String(format: "%4.0f dB, peak %4.0f dB", level.average, peak)
        let warning = isClipped ? "  too loud" : ""
        (peak, isClipped) = (SoundLevel.floor, false)
        let line = "● \(Answer.time(seconds.rounded(.down)))  \(bar)  \(words)\(warning)"
        FileHandle.standardError.write(Data("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h".utf8))
    }
}
