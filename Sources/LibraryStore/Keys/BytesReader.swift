/// Reads numbers and fields off the front of a file's bytes; all numbers are big-endian.
struct BytesReader {
    private var rest: UnsafeRawBufferPointer.SubSequence

    /// The bytes ended where more were expected.
    struct Ended: Error {}

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, rest.count >= count else { throw Ended() }
        defer { rest = rest.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    mutating func bytes(_ count: Int) throws -> [UInt8] { Array(try take(count)) }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws -> Value {
        try take(MemoryLayout<Value>.size).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}

extension FixedWidthInteger {
    /// Most significant byte first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
