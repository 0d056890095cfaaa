internal import EchoText

/// Writes the values of a payload in sequence.
///
/// Numbers are little-endian; a string is its length in bytes (u32) and its UTF-8.
struct PayloadWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ string: String) {
        write(UInt32(string.utf8.count))
        bytes.append(contentsOf: string.utf8)
    }
}

/// Reads values that ``PayloadWriter`` wrote; anything else is a ``WorkerError/protocolViolation``.
struct PayloadReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func number() throws(WorkerError) -> UInt32 { UInt32(littleEndian: try load()) }

    mutating func signedNumber() throws(WorkerError) -> Int64 { Int64(littleEndian: try load()) }

    mutating func fraction() throws(WorkerError) -> Double {
        Double(bitPattern: UInt64(littleEndian: try load()))
    }

    mutating func string() throws(WorkerError) -> String {
        let length = Int(try number())
        guard length <= bytes.count - position else { throw .protocolViolation }
        defer { position += length }
        guard let string = String(validating: bytes[position..<position + length], as: UTF8.self) else {
            throw .protocolViolation
        }
        return string
    }

    /// - Throws: ``WorkerError/protocolViolation`` when bytes are left over.
    func finish() throws(WorkerError) {
        guard position == bytes.count else { throw .protocolViolation }
    }

    private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>() throws(WorkerError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw .protocolViolation }
        defer { position += size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    }
}
