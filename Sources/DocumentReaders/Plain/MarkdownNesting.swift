/// Limits how deep the blocks of a Markdown text are nested.
///
/// cmark-gfm checks each open block for each line, and a line can open as many blocks as it has characters: 650 kB of
/// “>” took more than a minute. The removed signs make no difference to a listener.
enum MarkdownNesting {
    /// The limit on the signs of quotations and list items at the beginning of a line.
    static let deepest = 64

    /// - Parameter bytes: The text, in UTF-8.
    /// - Returns: The text, with at most ``deepest`` container markers in each line.
    static func limited(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var copied = 0
        var position = 0
        while position < bytes.count {
            if let excess = excess(in: bytes, from: position) {
                kept += bytes[copied..<excess.lowerBound]
                copied = excess.upperBound
                position = copied
            }
            position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
        }
        guard copied > 0 else { return bytes }
        return kept + bytes[copied...]
    }

    /// The range of the signs beyond the limit in the line at `start`; `nil` when there are none.
    private static func excess(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var position = start
        var depth = 0
        var limit = start
        while true {
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            guard let end = sign(in: bytes, at: position) else { break }
            depth += 1
            position = end
            if depth == deepest { limit = end }
        }
        return depth > deepest ? limit..<position : nil
    }

    /// The end of the sign that opens a block at `position`; `nil` when there is none.
    private static func sign(in bytes: [UInt8], at position: Int) -> Int? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first == UInt8(ascii: ">") { return position + 1 }
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "*") || first == UInt8(ascii: "+") {
            return isGap(bytes, at: position + 1) ? position + 1 : nil
        }
        let digits = bytes[position...].prefix(9).prefix { (0x30...0x39).contains($0) }.count
        let end = position + digits
        guard digits > 0, end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")") else {
            return nil
        }
        return isGap(bytes, at: end + 1) ? end + 1 : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether there is a blank or the line's end at `position`.
    private static func isGap(_ bytes: [UInt8], at position: Int) -> Bool {
        position >= bytes.count || isBlank(bytes[position]) || bytes[position] == 0x0A || bytes[position] == 0x0D
    }
}
