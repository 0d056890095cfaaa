import Foundation

/// Some bytes, a piece many times over, and some more bytes, which need no memory until they are unpacked.
///
/// - SeeAlso: RFC 1950 and RFC 1951, whose fixed codes pack each 258 bytes of a repetition into less than two.
struct PackedRepetition {
    var head: [UInt8]
    var piece: [UInt8]
    /// How many times the piece follows the head.
    var count: Int
    var tail: [UInt8]

    /// The longest match of the format, in bytes.
    private static let longest = 258

    var bytes: [UInt8] { head + Array(repeating: piece, count: count).joined() + tail }

    /// This as a zlib stream without a valid checksum, which PDF readers ignore; it is such a repetition itself.
    ///
    /// - Precondition: The count is greater than 100.
    func packed() -> PackedRepetition {
        precondition(count > 100, "nothing repeats often enough in \(count) pieces")
        var start = Bits()
        // The two bytes that begin the stream, and a last block of fixed codes.
        start.number(0x9C78, bits: 16)
        start.number(0b011, bits: 3)
        for byte in head + piece { start.literal(byte) }
        let matched = (count - 1) * piece.count
        var match = Bits()
        match.match(distance: piece.count)
        var sample = start
        for _ in 0..<16 { sample.all += match.all }
        let sampled = sample.bytes
        // Eight matches are whole bytes, as many as one has bits.
        let begin = (start.all.count + 7) / 8
        let period = Array(sampled[begin..<begin + match.all.count])
        let bits = matched / Self.longest * match.all.count - (begin * 8 - start.all.count)
        let (times, left) = bits.quotientAndRemainder(dividingBy: 8 * period.count)
        var end = Bits()
        for byte in period { end.number(Int(byte), bits: 8) }
        end.all.removeLast(end.all.count - left)
        for index in matched / Self.longest * Self.longest..<matched { end.literal(piece[index % piece.count]) }
        for byte in tail { end.literal(byte) }
        end.number(0, bits: 7)
        return PackedRepetition(
            head: Array(sampled[..<begin]),
            piece: period,
            count: times,
            tail: end.bytes + [0, 0, 0, 0]
        )
    }
}

/// The bits of a packed stream.
private struct Bits {
    var all: [Bool] = []

    /// The bits as bytes, lowest bit first.
    var bytes: [UInt8] {
        stride(from: 0, to: all.count, by: 8).map { start in
            var byte: UInt8 = 0
            for bit in 0..<min(8, all.count - start) where all[start + bit] { byte |= 1 << UInt8(bit) }
            return byte
        }
    }

    /// Adds a number, lowest bit first.
    mutating func number(_ number: Int, bits: Int) {
        for bit in 0..<bits { all.append(number >> bit & 1 == 1) }
    }

    /// Adds a code, highest bit first.
    private mutating func code(_ code: Int, bits: Int) {
        for bit in (0..<bits).reversed() { all.append(code >> bit & 1 == 1) }
    }

    mutating func literal(_ byte: UInt8) {
        if byte < 144 {
            code(0x30 + Int(byte), bits: 8)
        } else {
            code(0x190 + Int(byte) - 144, bits: 9)
        }
    }

    /// Adds the longest match with what is this many bytes before.
    mutating func match(distance: Int) {
        code(0xC5, bits: 8)
        let offset = distance - 1
        guard offset >= 4 else { return code(offset, bits: 5) }
        let further = Int.bitWidth - offset.leadingZeroBitCount - 2
        code(2 * (further + 1) + (offset >> further & 1), bits: 5)
        number(offset & (1 << further - 1), bits: further)
    }
}
