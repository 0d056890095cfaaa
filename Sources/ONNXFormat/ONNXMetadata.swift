package import Foundation

/// The metadata of an ONNX model: pairs of a key and a text, which sherpa-onnx reads first.
///
/// A model is one protocol buffers message, and elements of a repeated field may be appended at its end. So metadata
/// can be added without parsing the graph.
///
/// - SeeAlso: `ModelProto.metadata_props` (field 14) in onnx.proto3 of github.com/onnx/onnx.
package struct ONNXMetadata {
    private static let field = 14
    private static let keyField = 1
    private static let valueField = 2

    /// All entries: the value of each key, the last where there are several.
    package let values: [String: String]

    /// The keys of all entries.
    package var keys: Set<String> { Set(values.keys) }

    /// Finds the metadata in a model's bytes; `nil` when they are not a message.
    package init?(of model: Data) {
        var values: [String: String] = [:]
        let isMessage = model.withUnsafeBytes { bytes in
            var reader = MessageReader(bytes)
            while let next = reader.next() {
                guard next.number == Self.field, let note = next.value.range else { continue }
                var (key, value): (String?, String) = (nil, "")
                var parts = MessageReader(bytes, in: note)
                while let part = parts.next() {
                    guard let range = part.value.range else { continue }
                    if part.number == Self.keyField { key = String(decoding: bytes[range], as: UTF8.self) }
                    if part.number == Self.valueField { value = String(decoding: bytes[range], as: UTF8.self) }
                }
                if let key { values[key] = value }
            }
            return reader.isAtEnd && !bytes.isEmpty
        }
        guard isMessage else { return nil }
        self.values = values
    }

    /// The bytes to append to a model to add these entries.
    package static func ending(adding notes: [(key: String, value: String)]) -> Data {
        var ending = MessageWriter()
        for note in notes {
            var pair = MessageWriter()
            pair.write(keyField, note.key)
            pair.write(valueField, note.value)
            ending.write(field, pair.data)
        }
        return ending.data
    }
}
