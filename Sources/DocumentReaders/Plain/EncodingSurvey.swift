import Foundation

/// Determines the encoding of a text, piece by piece.
struct EncodingSurvey {
    /// How much of the beginning is examined closely, in bytes.
    static let headLength = 1 << 20

    /// The text's first bytes, ``headLength`` at most.
    private(set) var head = Data()
    private var strays = 0
    private var multibyte = 0
    /// The last bytes so far, which may be an incomplete character.
    private var rest: [UInt8] = []

    /// Analyzes the next bytes of the text.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        if head.count < Self.headLength { head.append(contentsOf: piece.prefix(Self.headLength - head.count)) }
        // Bytes of a possibly incomplete character are examined with those that follow.
        if rest.isEmpty {
            let whole = count(in: piece, isLast: false)
            rest = Array(piece[whole...])
        } else {
            let bytes = rest + piece
            let whole = bytes.withUnsafeBytes { count(in: $0, isLast: false) }
            rest = Array(bytes[whole...])
        }
    }

    /// The encoding: by the byte order mark, else by zero bytes (UTF-16) or valid sequences (UTF-8), else by a guess.
    ///
    /// - Returns: The encoding, the length of the byte order mark to skip, and whether the encoding was guessed.
    mutating func finish() -> (encoding: TextEncoding, skip: Int, isGuessed: Bool) {
        let bytes = rest
        rest = []
        _ = bytes.withUnsafeBytes { count(in: $0, isLast: true) }
        if let marked = TextEncoding.marked(head) { return (marked.encoding, marked.length, false) }
        if let bigEndian = TextEncoding.unmarkedUTF16(head.prefix(4_096)) {
            return (.utf16(bigEndian: bigEndian), 0, true)
        }
        // A few stray bytes in a long text do not indicate another encoding.
        if strays == 0 || strays * 20 < multibyte { return (.utf8, 0, false) }
        return (.named(TextEncoding.guess(head)), 0, true)
    }

    /// Counts valid and invalid sequences of UTF-8 in `bytes`.
    ///
    /// - Returns: How many bytes were examined: all but three, if more may follow.
    private mutating func count(in bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
        var position = 0
        let end = isLast ? bytes.count : max(0, bytes.count - 3)
        while position < end {
            let length = UTF8Sequence.length(in: bytes, at: position)
            if length == 0 { strays += 1 }
            if length > 1 { multibyte += 1 }
            position += max(length, 1)
        }
        return position
    }
}
