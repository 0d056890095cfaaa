import EchoText
import Foundation

/// The line layout of a text, determined from its beginning.
struct PlainTextStyle {
    /// Whether lines are wrapped at a fixed width, so that a line's end does not end a paragraph.
    let isWrapped: Bool
    /// The width of most of its longer lines, in bytes.
    let width: Int
    let ends: LineEnds

    /// - Throws: `CancellationError` when the calling task is cancelled.
    init(of head: Data, in encoding: TextEncoding) throws {
        var text: [UInt8] = []
        var converter = TextConverter(encoding)
        try head.withUnsafeBytes { head in
            try converter.convert(head, isLast: true) { piece in
                try Task.checkCancellation()
                text.append(contentsOf: piece)
            }
        }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.reversed().drop { $0 <= 0x20 }.count }
        let filled = lines.filter { $0 > 0 }.sorted()
        width = filled.isEmpty ? 0 : filled[min(filled.count * 9 / 10, filled.count - 1)]
        isWrapped = Self.isWrapped(lines, width: width)
        var ends = LineEnds()
        if isWrapped {
            var previous: String?
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let line = String(decoding: line, as: UTF8.self).trimmed
                ends.learn(line, follows: previous)
                previous = line
            }
        }
        self.ends = ends
    }

    /// Whether lines followed by another are nearly as long as the longest.
    private static func isWrapped(_ lines: [Int], width: Int) -> Bool {
        guard (30...120).contains(width) else { return false }
        var followed = 0
        var full = 0
        for (line, next) in zip(lines, lines.dropFirst()) where line > 0 && next > 0 {
            followed += 1
            if line * 10 >= width * 7, line <= width + 20 { full += 1 }
        }
        return followed >= 2 && full * 10 >= followed * 6
    }
}

extension String {
    /// The string without white space at both ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
