import EchoText
import Foundation

/// Shows the progress of a narration on one line of the terminal.
struct ProgressLine {
    private let total: Int?
    private let isShown: Bool
    private let heading: String
    private let begun = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    /// - Parameters:
    ///   - total: Length of the text in UTF-16 units, if it is known.
    ///   - isShown: Whether the line is shown at all.
    ///   - heading: A text before it, such as “2 of 5”.
    init(total: Int?, isShown: Bool, heading: String = "") {
        self.total = total
        self.isShown = isShown
        self.heading = heading.isEmpty ? "" : "\(heading)  "
    }

    /// Shows that everything up to UTF-16 unit `units` has been spoken, as `seconds` of sound.
    mutating func update(units: Int, seconds: Double) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let shortestStep = Duration.milliseconds(100)
        if let last = lastDrawn, now - last < shortestStep { return }
        lastDrawn = now
        draw(units: units, seconds: seconds, elapsed: (now - begun) / .seconds(1))
    }

    /// Clears the line.
    func clear() {
        guard isShown, lastDrawn != nil else { return }
        EchoTextCommand.show("\r\u{1B}[K")
    }

    private func draw(units: Int, seconds: Double, elapsed: Double) {
        var line = "\(Self.clock(seconds)) spoken"
        if let total, total > 0 {
            let share = min(Double(units) / Double(total), 1)
            let left = share > 0 ? elapsed / share * (1 - share) : 0
            let width = 24
            let filled = Int(share * Double(width))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            line = "\(bar) \(Int(share * 100)) %  \(line), about \(Self.words(left)) left"
        }
        EchoTextCommand.show("\r\u{1B}[K\(CommandOutput.harmless(heading, isLine: true))\(line)")
    }

    private static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return whole >= 3_600
            ? "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))" : "\(whole / 60):\(two(whole % 60))"
    }

    private static func words(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: "\(max(1, Int(seconds.rounded()))) s"
        case ..<3_600: "\(Int((seconds / 60).rounded())) min"
        default: "\(Int(seconds / 3_600)) h \(Int(seconds / 60) % 60) min"
        }
    }
}
