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
package struct TimingWriter: Sendable {
    private let format: TimingFormat
    private let sampleRate: Int
    private var writer: CaptionWriter
    private var rows = 0
    /// When the last caption ends, in seconds.
    private var shown = 0.0

    /// - Parameters:
    ///   - format: The format.
    ///   - sampleRate: The narration's sample rate in hertz.
    package init(_ format: TimingFormat, sampleRate: Int) {
        self.format = format
        self.sampleRate = sampleRate
        writer = CaptionWriter(format == .vtt ? .webVTT : .subRip)
    }

    /// The text before the first row.
    package var head: String {
        switch format {
        case .json: #"{"version":1,"rangeUnit":"utf-16","sampleRate":\#(sampleRate),"sentences":["#
        case .srt, .vtt: writer.head
        }
    }

    /// Formats one row.
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
            #"{"word":\#(sentence.text(of: word).quotedJSON),"start":\#(seconds(word.samples.lowerBound)),"#
                + #""end":\#(seconds(word.samples.upperBound)),"#
                + #""range":[\#(word.source.lowerBound),\#(word.source.upperBound)],"#
                + #""precision":"\#(word.precision.rawValue)"}"#
        }
        return #"{"text":\#(sentence.text.quotedJSON),"start":\#(seconds(sentence.samples.lowerBound)),"#
            + #""end":\#(seconds(sentence.samples.upperBound)),"#
            + #""range":[\#(sentence.source.lowerBound),\#(sentence.source.upperBound)],"words":[\#(words.joined(separator: ","))]}"#
    }

    /// Seconds with four decimals, finer than a sample's tenth at any rate in use.
    private func seconds(_ samples: Int) -> String {
        let ticks = (samples * 10_000 + sampleRate / 2) / sampleRate
        let fraction = String(ticks % 10_000)
        return "\(ticks / 10_000)." + String(repeating: "0", count: 4 - fraction.count) + fraction
    }

    // MARK: - Captions

    private mutating func captions(of sentence: TimedSentence) -> String {
        guard !sentence.samples.isEmpty else { return "" }
        let segment = TranscriptSegment(sentence, sampleRate: sampleRate)
        let captions = Caption.captions(of: segment.captionWords, from: shown, until: segment.time.upperBound)
        shown = captions.last?.time.upperBound ?? shown
        return captions.map { writer.cue($0) }.joined()
    }
}

extension TranscriptSegment {
    /// A sentence of a narration.
    package init(_ sentence: TimedSentence, sampleRate: Int) {
        let rate = Double(sampleRate)
        let samples = sentence.samples
        let units = sentence.source.lowerBound..<sentence.source.lowerBound + sentence.text.utf16.count
        let words = sentence.words.map { word in
            let source = word.source.clamped(to: units)
            let heard = word.samples.clamped(to: samples)
            return RecognizedWord(
                source: source.moved(by: -units.lowerBound),
                start: Double(heard.lowerBound) / rate,
                end: Double(heard.upperBound) / rate,
                isEstimated: word.precision == .estimated
            )
        }
        self.init(
            time: Double(samples.lowerBound) / rate..<Double(samples.upperBound) / rate,
            text: sentence.text,
            words: words,
            timing: .words
        )
    }
}

extension String {
    /// The text as a JSON string.
    var quotedJSON: String {
        var quoted = "\""
        for scalar in unicodeScalars {
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
}
