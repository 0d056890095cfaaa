import Foundation

/// The notes that an ONNX model carries: pairs of a key and a text, which sherpa-onnx reads before anything else.
///
/// A model is one message of protocol buffers, and a repeated field may be added to at the message's end. So notes are added without
/// reading what the model computes.
///
/// - SeeAlso: `ModelProto.metadata_props` (field 14) in onnx.proto3 of github.com/onnx/onnx.
struct ONNXMetadata {
    private static let field = 14
    private static let keyField = 1
    private static let valueField = 2

    /// The keys of all notes.
    let keys: Set<String>

    /// Finds the notes in a model's bytes; `nil` when they are no message.
    init?(of model: Data) {
        var keys: Set<String> = []
        let isMessage = model.withUnsafeBytes { bytes in
            var reader = MessageReader(bytes)
            while let next = reader.next() {
                guard next.number == Self.field, let note = next.bytes else { continue }
                var parts = MessageReader(note)
                while let part = parts.next() {
                    if part.number == Self.keyField, let key = part.bytes {
                        keys.insert(String(decoding: key, as: UTF8.self))
                    }
                }
            }
            return reader.isAtEnd && !bytes.isEmpty
        }
        guard isMessage else { return nil }
        self.keys = keys
    }

    /// What has to be put at a model's end to add these notes.
    static func ending(adding notes: [(key: String, value: String)]) -> Data {
        var ending = Data()
        for note in notes {
            let pair = bytes(keyField, Data(note.key.utf8)) + bytes(valueField, Data(note.value.utf8))
            ending += bytes(field, pair)
        }
        return ending
    }

    private static func bytes(_ field: Int, _ content: Data) -> Data {
        number(UInt64(field) << 3 | UInt64(MessageReader.lengthType)) + number(UInt64(content.count)) + content
    }

    private static func number(_ number: UInt64) -> Data {
        var (rest, bytes) = (number, Data())
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        return bytes
    }
}

/// Steps through the fields of a message without understanding them.
private struct MessageReader {
    static let lengthType = 2

    private var rest: Slice<UnsafeRawBufferPointer>
    private var isBroken = false

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    /// Whether all was read and was fields.
    var isAtEnd: Bool { rest.isEmpty && !isBroken }

    /// The next field, its bytes when it has a length; `nil` at the end or at what is no field.
    mutating func next() -> (number: Int, bytes: UnsafeRawBufferPointer?)? {
        guard !rest.isEmpty, !isBroken, let tag = varint(), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return stop() }
        let number = Int(tag >> 3)
        switch Int(tag & 7) {
        case 0: return varint() == nil ? stop() : (number, nil)
        case 1: return take(8) == nil ? stop() : (number, nil)
        case 5: return take(4) == nil ? stop() : (number, nil)
        case Self.lengthType:
            guard let length = varint(), let bytes = take(length) else { return stop() }
            return (number, bytes)
        default: return stop()
        }
    }

    private mutating func stop() -> (number: Int, bytes: UnsafeRawBufferPointer?)? {
        isBroken = isBroken || !rest.isEmpty
        return nil
    }

    private mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
        guard count <= UInt64(rest.count) else {
            isBroken = true
            return nil
        }
        defer { rest = rest.dropFirst(Int(count)) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(Int(count)))
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        isBroken = true
        return nil
    }
}
