internal import EchoText

/// A text that arrives from a worker in pieces, which may split a character.
struct ReceivedText: Sendable {
    private(set) var text = ""
    /// The text's length in UTF-16 units.
    private(set) var units = 0
    /// The first bytes of a character that is not complete yet.
    private var rest: [UInt8] = []

    /// Whether the text ends with a complete character.
    var isWhole: Bool { rest.isEmpty }

    /// Reserves memory for `count` bytes.
    mutating func reserve(_ count: Int) {
        text.reserveCapacity(count)
    }

    /// - Throws: ``WorkerError/protocolViolation`` for invalid UTF-8.
    mutating func append(_ piece: [UInt8]) throws(WorkerError) {
        let bytes = rest.isEmpty ? piece : rest + piece
        let whole = Self.wholeCharacters(in: bytes)
        guard let valid = String(validating: bytes[..<whole], as: UTF8.self) else { throw .protocolViolation }
        rest = Array(bytes[whole...])
        text += valid
        units += bytes[..<whole].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }

    /// The number of bytes before an incomplete last character.
    private static func wholeCharacters(in bytes: [UInt8]) -> Int {
        guard let lead = bytes.indices.suffix(4).last(where: { bytes[$0] & 0xC0 != 0x80 }) else { return bytes.count }
        let byte = bytes[lead]
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        return lead + length <= bytes.count ? bytes.count : lead
    }
}
