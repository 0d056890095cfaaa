/// Writes captions in sequence.
///
/// - SeeAlso: WebVTT: The Web Video Text Tracks Format (W3C). SubRip has no standard; players agree on this format.
package struct CaptionWriter: Sendable {
    package enum Format: Sendable {
        case subRip
        case webVTT
    }

    private let format: Format
    private var cues = 0

    package init(_ format: Format) {
        self.format = format
    }

    /// The text before the first caption.
    package var head: String { format == .webVTT ? "WEBVTT\n\n" : "" }

    /// Formats one caption; SubRip has no speakers.
    package mutating func cue(_ caption: Caption) -> String {
        cues += 1
        let time = "\(timestamp(caption.time.lowerBound)) --> \(timestamp(caption.time.upperBound))"
        let lines = caption.lines.joined(separator: "\n")
        switch format {
        case .subRip:
            return "\(cues)\n\(time)\n\(Self.withoutMarks(lines))\n\n"
        case .webVTT:
            let voice = caption.speaker.map { "<v \(Self.escaped($0))>" } ?? ""
            return "\(time)\n\(voice)\(Self.escaped(lines))\n\n"
        }
    }

    /// Formats a line that players do not show; empty for SubRip, which has no comments.
    package func comment(_ line: String) -> String {
        format == .webVTT ? "NOTE \(Self.escaped(line))\n\n" : ""
    }

    /// Returns the text without what players take for SubRip's marks, such as `<b>` and `{\an8}`; SubRip has no escapes for them.
    ///
    /// A sign of comparison stays.
    static func withoutMarks(_ text: String) -> String {
        text.replacing("-->", with: "→")
            .replacing(/<(\/?[A-Za-z][^<>]*)>/) { "‹\($0.1)›" }
            .replacing(/<(?=[\/A-Za-z])/, with: "‹")
            .replacing("{\\", with: "{＼")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// `01:02:03,456` for SubRip and `01:02:03.456` for WebVTT.
    private func timestamp(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1_000).rounded())
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1_000 % 60]
        return clock.map { padded($0, 2) }.joined(separator: ":") + (format == .subRip ? "," : ".")
            + padded(milliseconds % 1_000, 3)
    }
}
