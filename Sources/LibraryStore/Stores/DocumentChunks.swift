/// A text in chunks, each small enough to be searched at once.
///
/// Chunks end at a line end if possible, else between words, and never within a character.
struct DocumentChunks: Sequence, IteratorProtocol {
    /// Most bytes of a chunk in UTF-8, unless a character is longer.
    static let longest = 16_384

    struct Chunk {
        /// Its start in the whole text, in UTF-16 units and in bytes.
        let start: Int
        let byte: Int
        let text: String
    }

    /// At least as many chunks as `text` has: all but the last have more than half of ``longest``.
    static func maximumChunks(in text: String) -> Int { text.utf8.count / (longest / 2) + 1 }

    private var rest: Substring
    private var start = 0
    private var byte = 0

    init(of text: String) {
        rest = text[...]
    }

    mutating func next() -> Chunk? {
        guard !rest.isEmpty else { return nil }
        let end = self.end
        let text = String(rest[..<end])
        rest = rest[end...]
        defer {
            start += text.utf16.count
            byte += text.utf8.count
        }
        return Chunk(start: start, byte: byte, text: text)
    }

    private var end: String.Index {
        let bytes = rest.utf8
        guard var limit = bytes.index(bytes.startIndex, offsetBy: Self.longest, limitedBy: bytes.endIndex),
            limit < bytes.endIndex
        else { return rest.endIndex }
        while bytes[limit] & 0xC0 == 0x80 { limit = bytes.index(before: limit) }
        let window = bytes[..<limit]
        let half = bytes.index(bytes.startIndex, offsetBy: Self.longest / 2)
        for sign in [UInt8(ascii: "\n"), UInt8(ascii: " ")] {
            if let found = window.lastIndex(of: sign), found >= half { return bytes.index(after: found) }
        }
        return limit
    }
}
