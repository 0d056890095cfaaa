import Foundation

/// How a narration's timing table is written down.
package enum TimingFormat: String, Sendable, CaseIterable {
    /// Sentences and words, with where they are written.
    case json
    /// SubRip captions.
    case srt
    /// WebVTT captions.
    case vtt

    /// The format that the ending of `fileName` names.
    package init?(fileName: String) {
        self.init(rawValue: (fileName as NSString).pathExtension.lowercased())
    }
}

/// Writes a timing table row by row, so that its length costs no memory.
///
/// - SeeAlso: WebVTT: The Web Video Text Tracks Format (W3C). SubRip has no standard; players agree on this shape.
package struct TimingWriter: Sendable {
    private let format: TimingFormat
    private let sampleRate: Int
    private var rows = 0
    private var cues = 0

    /// - Parameters:
    ///   - format: Which.
    ///   - sampleRate: Of the narration, in hertz.
    package init(_ format: TimingFormat, sampleRate: Int) {
        self.format = format
        self.sampleRate = sampleRate
    }

    /// The text before the first row.
    package var head: String {
        switch format {
        case .json: #"{"version":1,"rangeUnit":"utf-16","sampleRate":\#(sampleRate),"sentences":["#
        case .srt: ""
        case .vtt: "WEBVTT\n\n"
        }
    }

    /// One row.
    package mutating func row(_ sentence: TimedSentence) -> String {
        defer { rows += 1 }
        switch format {
        case .json: return (rows == 0 ? "\n" : ",\n") + json(sentence)
        case .srt, .vtt: return captions(of: sentence)
        }
    }

    /// The text after the last row.
    ///
    /// - Parameter samples: How long the narration is.
    /// - Returns: Text, empty for captions.
    package func tail(samples: Int) -> String {
        switch format {
        case .json: "\n],\"duration\":\(seconds(samples))}\n"
        case .srt, .vtt: ""
        }
    }

    // MARK: - JSON

    private func json(_ sentence: TimedSentence) -> String {
        let words = sentence.words.map { word in
            #"{"word":\#(Self.quoted(sentence.text(of: word))),"start":\#(seconds(word.samples.lowerBound)),"#
                + #""end":\#(seconds(word.samples.upperBound)),"#
                + #""range":[\#(word.source.lowerBound),\#(word.source.upperBound)],"#
                + #""precision":"\#(word.precision.rawValue)"}"#
        }
        return #"{"text":\#(Self.quoted(sentence.text)),"start":\#(seconds(sentence.samples.lowerBound)),"#
            + #""end":\#(seconds(sentence.samples.upperBound)),"#
            + #""range":[\#(sentence.source.lowerBound),\#(sentence.source.upperBound)],"words":[\#(words.joined(separator: ","))]}"#
    }

    /// Seconds with four decimals, finer than a sample's tenth at any rate in use.
    private func seconds(_ samples: Int) -> String {
        let ticks = (samples * 10_000 + sampleRate / 2) / sampleRate
        let fraction = String(ticks % 10_000)
        return "\(ticks / 10_000)." + String(repeating: "0", count: 4 - fraction.count) + fraction
    }

    /// A JSON string.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    // MARK: - Captions

    private mutating func captions(of sentence: TimedSentence) -> String {
        var text = ""
        for cue in Cue.cues(of: sentence) {
            cues += 1
            let arrow = "\(timestamp(cue.samples.lowerBound)) --> \(timestamp(cue.samples.upperBound))"
            text += format == .srt ? "\(cues)\n\(arrow)\n\(cue.plainText)\n\n" : "\(arrow)\n\(cue.escapedText)\n\n"
        }
        return text
    }

    /// `01:02:03,456` for SubRip and `01:02:03.456` for WebVTT.
    private func timestamp(_ samples: Int) -> String {
        let milliseconds = (samples * 1_000 + sampleRate / 2) / sampleRate
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1_000 % 60]
        return clock.map { padded($0, 2) }.joined(separator: ":") + (format == .srt ? "," : ".")
            + padded(milliseconds % 1_000, 3)
    }
}

/// As much of a sentence as is shown at once.
private struct Cue {
    var text: String
    var samples: Range<Int>

    /// Two lines of 42 characters, the usual limit of broadcasters.
    private static let longest = 84

    static func cues(of sentence: TimedSentence) -> [Cue] {
        let units = Array(sentence.text.utf16)
        let base = sentence.source.lowerBound
        var cues: [Cue] = []
        var start = base
        var from = sentence.samples.lowerBound
        var previous: TimedWord?
        func close(at end: Int, until: Int) {
            let range = (start - base..<max(start, end) - base).clamped(to: 0..<units.count)
            let text = String(decoding: units[range], as: UTF16.self)
            if text.contains(where: { !$0.isWhitespace }), from < until {
                cues.append(Cue(text: text, samples: from..<until))
            }
        }
        for word in sentence.words {
            if let before = previous, word.source.upperBound - start > longest {
                close(at: word.source.lowerBound, until: before.samples.upperBound)
                start = word.source.lowerBound
                from = word.samples.lowerBound
            }
            previous = word
        }
        close(at: sentence.source.upperBound, until: sentence.samples.upperBound)
        return cues
    }

    /// One line, since an empty line would end the cue.
    var plainText: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    var escapedText: String {
        plainText.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
