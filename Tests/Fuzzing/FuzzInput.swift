/// The fuzzer's bytes, taken from the front; at their end numbers are 0 and texts are empty.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number below `limit`.
    mutating func choice(of limit: Int) -> Int { Int(byte()) % limit }

    /// Little-endian.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
        (0..<MemoryLayout<Number>.size).reduce(0) { $0 | Number(truncatingIfNeeded: byte()) << ($1 * 8) }
    }

    /// Any value, including NaN.
    mutating func float() -> Float { Float(bitPattern: number()) }

    /// `count` bytes, or all remaining ones.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Bytes after a byte with their count.
    mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

    mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }
}

extension [UInt8] {
    /// As ``FuzzInput/text()`` reads it.
    static func counted(_ text: String) -> [UInt8] {
        let bytes = text.utf8.prefix(255)
        return [UInt8(bytes.count)] + bytes
    }
}
