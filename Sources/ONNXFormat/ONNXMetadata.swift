package import Foundation

/// The notes that an ONNX model carries: pairs of a key and a text, which sherpa-onnx reads before anything else.
///
/// A model is one message of protocol buffers, and a repeated field may be added to at the message's end. So notes are added without
/// reading what the model computes.
///
/// - SeeAlso: `ModelProto.metadata_props` (field 14) in onnx.proto3 of github.com/onnx/onnx.
package struct ONNXMetadata {
    private static let field = 14
    private static let keyField = 1
    private static let valueField = 2

    /// The keys of all notes.
    package let keys: Set<String>

    /// Finds the notes in a model's bytes; `nil` when they are no message.
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

    /// What has to be put at a model's end to add these notes.
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
