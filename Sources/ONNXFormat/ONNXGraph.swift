package import Foundation

/// The computation of a model: nodes that read and make tensors, and their constants.
///
/// It is parsed from untrusted bytes: sizes, names and wiring are checked, no nested graph is parsed, and no weight
/// is copied.
///
/// - SeeAlso: onnx.proto3 of github.com/onnx/onnx, which defines these field numbers.
package struct ONNXGraph: Sendable {
    /// An input or output, and its element type (`TensorProto.DataType`; 0 when unspecified).
    package struct Port: Sendable, Hashable {
        package var name: String
        package var type: Int
        /// Its dimensions, `nil` for a variable one; `nil` for the whole list when unspecified.
        package var dimensions: [Int?]?

        package init(_ name: String, type: Int, dimensions: [Int?]? = nil) {
            self.name = name
            self.type = type
            self.dimensions = dimensions
        }
    }

    /// The nodes, each after those whose tensors it reads.
    package var nodes: [ONNXNode]
    package var constants: [String: ONNXTensor]
    package var inputs: [Port]
    package var outputs: [Port]
    /// The version of ONNX's own operator set that the nodes use.
    package let operations: Int
    /// The encoded versions of the format and of each operator set.
    private let preface: Data

    /// The limit on the nodes of a graph, including constants; a Piper voice has 3,000, the largest Whisper's decoder 21,000.
    private static let maximumNodes = 60_000

    private enum ModelField {
        static let version = 1, graph = 7, operations = 8, training = 20, functions = 25
    }

    private enum GraphField {
        static let node = 1, name = 2, constant = 5, input = 11, output = 12, sparse = 15
    }

    /// Reads a model.
    ///
    /// Nodes that only define a constant or rename a tensor are removed, so that all graphs have one form.
    ///
    /// - Throws: ``ONNXFault``.
    package init(model data: Data) throws(ONNXFault) {
        do {
            self = try data.withUnsafeBytes { raw in try Self(data, raw) }
        } catch let fault as ONNXFault {
            throw fault
        } catch {
            throw .damaged
        }
    }

    private init(_ data: Data, _ raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        var preface = MessageWriter()
        var graph: Range<Int>?
        var operations = 1
        var reader = MessageReader(raw)
        while let (number, value) = reader.next() {
            switch (number, value) {
            case (ModelField.version, .varint(let version)): preface.write(number, Int64(bitPattern: version))
            case (ModelField.operations, .bytes(let range)):
                preface.write(number, data.part(range))
                operations = try Self.operations(in: range, of: raw) ?? operations
            case (ModelField.graph, .bytes(let range)) where graph == nil: graph = range
            case (ModelField.graph, _), (ModelField.functions, _), (ModelField.training, _): throw .unsupported
            default: break
            }
        }
        guard reader.isAtEnd, let graph, preface.data.count <= 4_096 else { throw .damaged }
        self.preface = preface.data
        self.operations = operations
        (nodes, constants, inputs, outputs) = ([], [:], [], [])
        try read(data, in: graph, of: raw)
        try normalize()
    }

    /// The version, if the operator set is ONNX's own.
    private static func operations(in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) -> Int? {
        let (domainField, versionField) = (1, 2)
        var (domain, version) = ("", 0)
        var reader = MessageReader(raw, in: range)
        while let (number, value) = reader.next() {
            if number == domainField, let range = value.range { domain = try raw.text(in: range) }
            if number == versionField, let own = value.number { version = Int(own) }
        }
        guard reader.isAtEnd else { throw .damaged }
        return ["", "ai.onnx"].contains(domain) ? version : nil
    }

    private mutating func read(_ data: Data, in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        var reader = MessageReader(raw, in: range)
        while let (number, value) = reader.next() {
            guard let range = value.range else { continue }
            switch number {
            case GraphField.node: nodes.append(try ONNXNode(data, in: range, of: raw))
            case GraphField.constant:
                let tensor = try ONNXTensor(data, in: range, of: raw)
                guard constants.updateValue(tensor, forKey: tensor.name) == nil else { throw .badWiring }
            case GraphField.input: inputs.append(try Port(in: range, of: raw))
            case GraphField.output: outputs.append(try Port(in: range, of: raw))
            case GraphField.sparse: throw .unsupported
            default: break
            }
            guard nodes.count + constants.count <= Self.maximumNodes, inputs.count + outputs.count <= 1_024 else {
                throw .tooLarge
            }
        }
        guard reader.isAtEnd else { throw .damaged }
        // Old models list their constants among the inputs.
        inputs.removeAll { constants[$0.name] != nil }
    }

    // MARK: - Normal form

    /// Removes `Constant` and `Identity`, checks that each tensor is made once, and sorts the nodes.
    private mutating func normalize() throws(ONNXFault) {
        for node in nodes where node.operation == "Constant" && node.domain.isEmpty {
            guard var tensor = node.tensor("value"), node.outputs.count == 1 else { continue }
            tensor.name = node.outputs[0]
            guard constants.updateValue(tensor, forKey: tensor.name) == nil else { throw .badWiring }
        }
        nodes.removeAll { node in
            node.operation == "Constant" && node.outputs.first.map { constants[$0] != nil } ?? false
        }
        try order()
        removeRenamings()
    }

    /// Sorts the nodes so that each comes after those it reads from.
    private mutating func order() throws(ONNXFault) {
        var maker: [String: Int] = [:]
        let given = Set(inputs.map(\.name)).union(constants.keys)
        for (index, node) in nodes.enumerated() {
            for output in node.outputs where !output.isEmpty {
                guard !given.contains(output), maker.updateValue(index, forKey: output) == nil else { throw .badWiring }
            }
        }
        var missing = [Int](repeating: 0, count: nodes.count)
        var readers = [[Int]](repeating: [], count: nodes.count)
        for (index, node) in nodes.enumerated() {
            for input in node.inputs where !input.isEmpty && !given.contains(input) {
                guard let made = maker[input] else { throw .badWiring }
                readers[made].append(index)
                missing[index] += 1
            }
        }
        guard outputs.allSatisfy({ maker[$0.name] != nil || given.contains($0.name) }) else { throw .badWiring }
        var ready = nodes.indices.filter { missing[$0] == 0 }
        var ordered: [ONNXNode] = []
        ordered.reserveCapacity(nodes.count)
        var next = 0
        while next < ready.count {
            ordered.append(nodes[ready[next]])
            for reader in readers[ready[next]] {
                missing[reader] -= 1
                if missing[reader] == 0 { ready.append(reader) }
            }
            next += 1
        }
        guard ordered.count == nodes.count else { throw .cyclic }
        nodes = ordered
    }

    private mutating func removeRenamings() {
        let kept = Set(outputs.map(\.name))
        var names: [String: String] = [:]
        nodes = nodes.compactMap { node in
            var node = node
            node.inputs = node.inputs.map { names[$0] ?? $0 }
            guard node.operation == "Identity", node.domain.isEmpty, node.inputs.count == 1, node.outputs.count == 1,
                !kept.contains(node.outputs[0])
            else { return node }
            names[node.outputs[0]] = node.inputs[0]
            return nil
        }
    }

    // MARK: - Writing

    /// The encoded model, with only those constants that a node reads.
    package var model: Data {
        let used = Set(nodes.flatMap(\.inputs)).union(outputs.map(\.name))
        let weights = constants.filter { used.contains($0.key) }
        var beginning = MessageWriter()
        for node in nodes { beginning.write(GraphField.node, node.encoded) }
        beginning.write(GraphField.name, "echotext")
        var parts = [beginning.data]
        for (_, tensor) in weights.sorted(by: { $0.key < $1.key }) {
            let own = tensor.parts
            var field = MessageWriter()
            field.begin(GraphField.constant, count: own.reduce(0) { $0 + $1.count })
            parts.append(field.data)
            parts += own
        }
        var ending = MessageWriter()
        for port in inputs { ending.write(GraphField.input, port.encoded) }
        for port in outputs { ending.write(GraphField.output, port.encoded) }
        parts.append(ending.data)
        var message = MessageWriter(beginningWith: preface)
        message.reserve(parts.reduce(preface.count + 32) { $0 + $1.count })
        message.write(ModelField.graph, joining: parts)
        return message.data
    }
}

extension ONNXGraph.Port {
    private enum Field {
        static let name = 1, type = 2
        static let tensor = 1
        static let element = 1, shape = 2
        static let dimension = 1
        static let size = 1, symbol = 2
    }

    /// Reads the name and element type; dimensions are ignored.
    init(in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        self.init("", type: 0)
        var reader = MessageReader(raw, in: range)
        while let (number, value) = reader.next() {
            guard let range = value.range else { continue }
            if number == Field.name { name = try raw.text(in: range) }
            if number == Field.type { type = try Self.element(in: range, of: raw) }
        }
        guard reader.isAtEnd else { throw .damaged }
    }

    private static func element(in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) -> Int {
        var types = MessageReader(raw, in: range)
        while let (number, value) = types.next() {
            guard number == Field.tensor, let range = value.range else { continue }
            var tensor = MessageReader(raw, in: range)
            while let (number, value) = tensor.next() {
                if number == Field.element, let type = value.number { return Int(type) }
            }
        }
        return 0
    }

    var encoded: Data {
        var tensor = MessageWriter()
        tensor.write(Field.element, Int64(type))
        if let dimensions { tensor.write(Field.shape, Self.shape(dimensions)) }
        var kind = MessageWriter()
        kind.write(Field.tensor, tensor.data)
        var message = MessageWriter()
        message.write(Field.name, name)
        message.write(Field.type, kind.data)
        return message.data
    }

    private static func shape(_ dimensions: [Int?]) -> Data {
        var shape = MessageWriter()
        for (place, size) in dimensions.enumerated() {
            var dimension = MessageWriter()
            if let size {
                dimension.write(Field.size, Int64(size))
            } else {
                dimension.write(Field.symbol, "dimension_\(place)")
            }
            shape.write(Field.dimension, dimension.data)
        }
        return shape.data
    }
}

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
