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

    /// The keys of all entries.
    package let keys: Set<String>

    /// Finds the metadata in a model's bytes; `nil` when they are not a message.
    package init?(of model: Data) {
        var keys: Set<String> = []
        let isMessage = model.withUnsafeBytes { bytes in
            var reader = MessageReader(bytes)
            while let next = reader.next() {
                guard next.number == Self.field, let note = next.value.range else { continue }
                var parts = MessageReader(bytes, in: note)
                while let part = parts.next() {
                    if part.number == Self.keyField, let key = part.value.range {
                        keys.insert(String(decoding: bytes[key], as: UTF8.self))
                    }
                }
            }
            return reader.isAtEnd && !bytes.isEmpty
        }
        guard isMessage else { return nil }
        self.keys = keys
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
