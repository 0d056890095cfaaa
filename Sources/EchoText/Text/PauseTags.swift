import Foundation

/// Pauses asked for in a text: `[pause:1.5s]`, `[pause:800ms]`, `[pause:2]` (seconds) and `[pause]`, in any case.
package enum PauseTags {
    package enum Segment: Sendable, Hashable {
        case text(TextRange)
        /// Silence of this many seconds, 0 ... 60, and where it is written.
        case pause(seconds: Double, TextRange)
    }

    /// The length of `[pause]`, in seconds.
    package static let defaultSeconds = 0.5

    /// The longest pause, in seconds; larger ones are cut to it.
    package static let longestSeconds = 60.0

    /// The longest that all pauses of one text may last, in seconds: a day.
    package static let maximumSeconds = 86_400.0

    /// Refuses a text whose pauses last longer than ``maximumSeconds``, before anything of it is spoken.
    ///
    /// - Throws: ``SynthesisError/tooMuchSilence``.
    package static func check(_ text: String) throws(SynthesisError) {
        var silence = 0.0
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "[")) {
            let candidate = Array(String(decoding: rest[open...].prefix(longestTag), as: UTF8.self).utf16)
            silence += tag(in: candidate, at: 0)?.seconds ?? 0
            guard silence <= maximumSeconds else { throw .tooMuchSilence }
            rest = rest[rest.index(after: open)...]
        }
    }

    /// Splits a text at its pauses.
    ///
    /// A malformed tag is text.
    ///
    /// - Parameters:
    ///   - text: The text, with or without tags.
    ///   - start: Where the text's first UTF-16 unit stands in the whole text.
    /// - Returns: Segments that cover the text, in order, without empty ones.
    package static func split(_ text: String, at start: Int) -> [Segment] {
        let units = Array(text.utf16)
        var segments: [Segment] = []
        var textStart = 0
        var position = 0
        while let open = units[position...].firstIndex(of: 0x5B) {
            position = open + 1
            guard let tag = tag(in: units, at: open) else { continue }
            if textStart < open { segments.append(.text(start + textStart..<start + open)) }
            segments.append(.pause(seconds: tag.seconds, start + open..<start + tag.end))
            textStart = tag.end
            position = tag.end
        }
        if textStart < units.count { segments.append(.text(start + textStart..<start + units.count)) }
        return segments
    }

    /// The longest tag, in UTF-16 units.
    private static let longestTag = 32

    private static func tag(in units: [UInt16], at open: Int) -> (seconds: Double, end: Int)? {
        let candidate = units[open..<min(units.count, open + longestTag)]
        guard let close = candidate.firstIndex(of: 0x5D) else { return nil }
        let content = String(decoding: units[open + 1..<close], as: UTF16.self).lowercased()
        guard content.hasPrefix("pause") else { return nil }
        let rest = content.dropFirst(5)
        if rest.isEmpty { return (defaultSeconds, close + 1) }
        guard rest.first == ":" else { return nil }
        return seconds(rest.dropFirst().trimming { $0 == " " }).map { ($0, close + 1) }
    }

    private static func seconds(_ duration: Substring) -> Double? {
        let (number, scale): (Substring, Double) =
            if duration.hasSuffix("ms") {
                (duration.dropLast(2), 0.001)
            } else if duration.hasSuffix("s") {
                (duration.dropLast(), 1)
            } else {
                (duration, 1)
            }
        let digits = number.trimming { $0 == " " }
        guard digits.first?.isNumber == true, digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
            let value = Double(digits)
        else { return nil }
        return min(value * scale, longestSeconds)
    }
}

extension Substring {
    /// Without the characters at both ends that satisfy `isOutside`.
    func trimming(_ isOutside: (Character) -> Bool) -> Substring {
        var rest = self
        while let first = rest.first, isOutside(first) { rest.removeFirst() }
        while let last = rest.last, isOutside(last) { rest.removeLast() }
        return rest
    }
}
