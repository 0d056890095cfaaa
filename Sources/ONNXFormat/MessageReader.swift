package import Foundation

/// Iterates over the fields of a protocol buffers message without a schema.
///
/// Nothing is copied: a length-delimited field is a range of the input bytes. Nested messages are only entered on
/// request, so deep nesting costs nothing.
///
/// - SeeAlso: “Encoding”, protobuf.dev/programming-guides/encoding.
package struct MessageReader {
    /// The value of a field, by its wire type.
    package enum Value: Equatable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        /// The range of its bytes.
        case bytes(Range<Int>)
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private let end: Int
    private var isBroken = false

    /// - Parameters:
    ///   - bytes: The input; must stay valid while the reader is used.
    ///   - range: The part of them that is the message.
    package init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
        let whole = 0..<bytes.count
        let part = (range ?? whole).clamped(to: whole)
        self.bytes = bytes
        position = part.lowerBound
        end = part.upperBound
    }

    /// Whether the whole message was read and is valid.
    package var isAtEnd: Bool { position == end && !isBroken }

    /// The next field; `nil` at the end or at invalid bytes, which ``isAtEnd`` distinguishes.
    package mutating func next() -> (number: Int, value: Value)? {
        guard position < end, !isBroken else { return nil }
        guard let tag = varint(), (1..<1 << 29).contains(tag >> 3), let value = value(ofWireType: tag & 7) else {
            isBroken = true
            return nil
        }
        return (Int(tag >> 3), value)
    }

    /// The next number, if the message is read as a packed list of numbers.
    package mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < end else { break }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        isBroken = true
        return nil
    }

    private mutating func value(ofWireType type: UInt64) -> Value? {
        switch type {
        case 0: varint().map { .varint($0) }
        case 1:
            take(8).map {
                .fixed64(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0.lowerBound, as: UInt64.self)))
            }
        case 2: varint().flatMap { take($0) }.map { .bytes($0) }
        case 5:
            take(4).map {
                .fixed32(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0.lowerBound, as: UInt32.self)))
            }
        default: nil
        }
    }

    private mutating func take(_ count: UInt64) -> Range<Int>? {
        guard count <= UInt64(end - position) else { return nil }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }
}

extension MessageReader.Value {
    /// The bytes of a length-delimited field.
    package var range: Range<Int>? {
        if case .bytes(let range) = self { range } else { nil }
    }

    /// The signed number of a varint field.
    package var number: Int64? {
        if case .varint(let number) = self { Int64(bitPattern: number) } else { nil }
    }
}

/// Why the bytes of a model were refused.
package enum ONNXFault: Error, Equatable {
    /// The bytes are not a message, or are truncated.
    case damaged
    /// A count or size exceeds that of every voice or recognizer.
    case tooLarge
    /// A tensor's dimensions, type and bytes do not match.
    case badTensor
    /// The model's weights are in another file, which is never opened.
    case externalData
    /// The model has unsupported parts: functions, sparse tensors, training.
    case unsupported
    /// Two nodes make the same tensor, or a node reads one that no node makes.
    case badWiring
    /// A node depends on its own output.
    case cyclic
}

/// Writes the fields of a protocol buffers message.
package struct MessageWriter {
    package private(set) var data: Data

    /// - Parameter fields: Encoded fields at the beginning of the message.
    package init(beginningWith fields: Data = Data()) {
        data = fields
    }

    /// Reserves memory, so that a large message is not copied as it grows.
    package mutating func reserve(_ count: Int) { data.reserveCapacity(count) }

    package mutating func write(_ field: Int, _ number: Int64) {
        write(UInt64(field) << 3)
        write(UInt64(bitPattern: number))
    }

    package mutating func write(_ field: Int, _ bytes: Data) {
        begin(field, count: bytes.count)
        data.append(bytes)
    }

    /// Writes the bytes of a field that lie in several places, each copied once.
    package mutating func write(_ field: Int, joining parts: [Data]) {
        begin(field, count: parts.reduce(0) { $0 + $1.count })
        for part in parts { data.append(part) }
    }

    /// Begins a field of so many bytes, which are written elsewhere.
    mutating func begin(_ field: Int, count: Int) {
        write(UInt64(field) << 3 | 2)
        write(UInt64(count))
    }

    package mutating func write(_ field: Int, _ text: String) { write(field, Data(text.utf8)) }

    /// Writes a packed list.
    package mutating func write(_ field: Int, _ numbers: [Int]) {
        var packed = MessageWriter()
        for number in numbers { packed.write(UInt64(bitPattern: Int64(number))) }
        write(field, packed.data)
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }
}
