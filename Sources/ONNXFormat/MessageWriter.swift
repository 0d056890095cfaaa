package import Foundation

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
        write(UInt64(field) << 3 | 2)
        write(UInt64(bytes.count))
        data.append(bytes)
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
