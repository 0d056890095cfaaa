import Foundation

/// An operation of a model's graph.
package struct ONNXNode: Sendable {
    package var name: String
    /// The operator, such as `Conv`.
    package let operation: String
    /// The operator's domain; empty for ONNX's own.
    package let domain: String
    /// The tensors it reads; an empty name stands for an omitted optional input.
    package var inputs: [String]
    package var outputs: [String]
    package var attributes: [ONNXAttribute]

    private enum Field {
        static let input = 1, output = 2, name = 3, operation = 4, attribute = 5, domain = 7, overload = 8
    }

    package init(_ operation: String, _ inputs: [String], _ outputs: [String], attributes: [ONNXAttribute] = []) {
        name = ""
        self.operation = operation
        domain = ""
        self.inputs = inputs
        self.outputs = outputs
        self.attributes = attributes
    }

    init(_ data: Data, in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        var (name, operation, domain) = ("", "", "")
        var (inputs, outputs, attributes) = ([String](), [String](), [ONNXAttribute]())
        var reader = MessageReader(raw, in: range)
        while let (number, value) = reader.next() {
            guard let range = value.range else { continue }
            switch number {
            case Field.input: inputs.append(try raw.text(in: range))
            case Field.output: outputs.append(try raw.text(in: range))
            case Field.name: name = try raw.text(in: range)
            case Field.operation: operation = try raw.text(in: range)
            case Field.domain: domain = try raw.text(in: range)
            case Field.attribute: attributes.append(try ONNXAttribute(data, in: range, of: raw))
            case Field.overload: throw .unsupported
            default: break
            }
            guard inputs.count <= 1_024, outputs.count <= 1_024, attributes.count <= 64 else { throw .tooLarge }
        }
        guard reader.isAtEnd else { throw .damaged }
        self.name = name
        self.operation = operation
        self.domain = domain == "ai.onnx" ? "" : domain
        self.inputs = inputs
        self.outputs = outputs
        self.attributes = attributes
    }

    /// The attribute called `name`, if it is a number.
    package func integer(_ name: String) -> Int? {
        if case .integer(let number) = attributes.first(where: { $0.name == name })?.value { number } else { nil }
    }

    /// The attribute called `name`, if it is a list of numbers.
    package func integers(_ name: String) -> [Int]? {
        if case .integers(let numbers) = attributes.first(where: { $0.name == name })?.value { numbers } else { nil }
    }

    /// The attribute called `name`, if it is a text.
    package func text(_ name: String) -> String? {
        if case .text(let text) = attributes.first(where: { $0.name == name })?.value { text } else { nil }
    }

    /// The attribute called `name`, if it is a tensor.
    package func tensor(_ name: String) -> ONNXTensor? {
        if case .tensor(let tensor) = attributes.first(where: { $0.name == name })?.value { tensor } else { nil }
    }

    /// Whether an attribute contains a graph.
    package var holdsGraph: Bool {
        attributes.contains { if case .graph = $0.value { true } else { false } }
    }

    var encoded: Data {
        var message = MessageWriter()
        for input in inputs { message.write(Field.input, input) }
        for output in outputs { message.write(Field.output, output) }
        message.write(Field.name, name)
        message.write(Field.operation, operation)
        for attribute in attributes { message.write(Field.attribute, attribute.encoded) }
        if !domain.isEmpty { message.write(Field.domain, domain) }
        return message.data
    }
}

/// An attribute of a node.
package struct ONNXAttribute: Sendable {
    package enum Value: Sendable {
        case integer(Int)
        case integers([Int])
        case text(String)
        case tensor(ONNXTensor)
        /// Graphs; never parsed.
        case graph
        /// Any other type.
        case other
    }

    package let name: String
    package let value: Value
    let encoded: Data

    private enum Field {
        static let name = 1, float = 2, integer = 3, text = 4, tensor = 5, graph = 6, integers = 8, graphs = 11
        static let type = 20, reference = 21
    }

    /// `INT` and `INTS` of `AttributeProto.AttributeType`.
    private static let typeOfInteger: Int64 = 2
    private static let typeOfIntegers: Int64 = 7

    package init(_ name: String, integer: Int) {
        self.name = name
        value = .integer(integer)
        var message = MessageWriter()
        message.write(Field.name, name)
        message.write(Field.integer, Int64(integer))
        message.write(Field.type, Self.typeOfInteger)
        encoded = message.data
    }

    package init(_ name: String, integers: [Int]) {
        self.name = name
        value = .integers(integers)
        var message = MessageWriter()
        message.write(Field.name, name)
        message.write(Field.integers, integers)
        message.write(Field.type, Self.typeOfIntegers)
        encoded = message.data
    }

    init(_ data: Data, in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        var (name, value, integers) = ("", Value.other, [Int]())
        var reader = MessageReader(raw, in: range)
        while let (number, part) = reader.next() {
            switch (number, part) {
            case (Field.name, .bytes(let range)): name = try raw.text(in: range)
            case (Field.integer, .varint(let number)): value = .integer(Int(Int64(bitPattern: number)))
            case (Field.integers, _): integers += try raw.integers(in: part)
            case (Field.text, .bytes(let range)):
                if let text = try? raw.text(in: range) { value = .text(text) }
            case (Field.tensor, .bytes(let range)): value = .tensor(try ONNXTensor(data, in: range, of: raw))
            case (Field.graph, _), (Field.graphs, _): value = .graph
            case (Field.reference, _): throw .unsupported
            default: break
            }
            guard integers.count <= 1_024 else { throw .tooLarge }
        }
        guard reader.isAtEnd else { throw .damaged }
        self.name = name
        self.value = integers.isEmpty ? value : .integers(integers)
        encoded = data.part(range)
    }
}
