#if TESTABLE
internal import EchoText
internal import Foundation
internal import ONNXFormat

@testable internal import SpeechEngines

/// Models: arbitrary bytes, and the fixtures' graphs with edited nodes and constants, so that the splitting of a
/// voice gets far.
enum ModelTarget: FuzzTarget {
    private enum Mode {
        static let edits: UInt8 = 0, bytes: UInt8 = 1
    }

    private static let edited = ["graph_least-x_low", "graph_speakers_plain_old-medium", "graph_old-medium"]
    private static let operations = [
        "Add", "Mul", "Identity", "Constant", "Conv", "ConvTranspose", "Tanh", "Ceil", "Exp", "LeakyRelu", "Slice",
        "Split",
        "Concat", "Unsqueeze", "Squeeze", "Reshape", "Transpose", "RandomNormalLike", "Gather", "Div", "ReduceMean",
        "If",
    ]
    private static let attributes = [
        "value", "kernel_shape", "strides", "pads", "dilations", "group", "axis", "axes", "auto_pad", "output_padding",
        "alpha", "to", "perm", "split", "keepdims",
    ]

    static var seeds: [[UInt8]] {
        get throws {
            let small = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
                try? bytes(of: String(name.dropFirst("vits-piper-en_US-".count)))
            }
            .filter { $0.count < 32 << 10 }
            let edits: [[UInt8]] = (0..<3).map { [Mode.edits, $0] } + (0..<8).map { [Mode.edits, 0, $0, 3, 0, 5, 1] }
            return small.map { [Mode.bytes] + $0 } + edits
        }
    }

    private static var folder: String {
        (ProcessInfo.processInfo.environment["ECHOTEXT_FIXTURES"] ?? ".build/fixtures") + "/graphs"
    }

    private static func bytes(of name: String) throws -> Data {
        let voice = "en_US-\(name)"
        return try Data(contentsOf: URL(filePath: "\(folder)/vits-piper-\(voice)/\(voice).onnx"))
    }

    private static let graphs = edited.map { name in
        guard let model = try? bytes(of: name), let graph = try? ONNXGraph(model: model) else {
            fatalError("there are no fixtures: make fixtures")
        }
        return graph
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        guard input.byte() & 1 == Mode.edits else { return read(Data(input.rest)) }
        var graph = graphs[input.choice(of: graphs.count)]
        for _ in 0..<16 where !input.isAtEnd { edit(&graph, by: &input) }
        read(graph.model)
    }

    private static func read(_ model: Data) {
        if let notes = ONNXMetadata(of: model) {
            let ending = ONNXMetadata.ending(adding: [("key", "value")])
            demand(ONNXMetadata(of: model + ending)?.keys == notes.keys.union(["key"]), "notes are added")
        }
        guard let graph = try? ONNXGraph(model: model) else { return }
        for (name, constant) in graph.constants {
            demand(constant.name == name, "constants go by their names")
            if let numbers = constant.int64s { demand(numbers.count == constant.count, "a tensor is whole") }
            if let numbers = constant.floats { demand(numbers.count == constant.count, "a tensor is whole") }
        }
        let again = try? ONNXGraph(model: graph.model)
        demand(again?.nodes.count == graph.nodes.count, "what was read can be written and read again")
        guard let parts = try? PiperGraph(graph) else { return }
        for part in [parts.encoder, try? parts.flow(), try? parts.windowedDecoder()] {
            if let part { _ = try? ONNXGraph(model: part.model) }
        }
    }

    private static func edit(_ graph: inout ONNXGraph, by input: inout FuzzInput) {
        let change = input.choice(of: 10)
        guard !graph.nodes.isEmpty else { return }
        let place = Int(input.number(UInt16.self)) % graph.nodes.count
        let node = graph.nodes[place]
        switch change {
        case 0: graph.nodes.remove(at: place)
        case 1:
            let operation = operations[input.choice(of: operations.count)]
            graph.nodes[place] = ONNXNode(operation, node.inputs, node.outputs, attributes: node.attributes)
        case 2:
            guard !node.inputs.isEmpty else { return }
            graph.nodes[place].inputs[input.choice(of: node.inputs.count)] = tensor(of: graph, by: &input)
        case 3:
            guard !node.inputs.isEmpty else { return }
            graph.nodes[place].inputs.remove(at: input.choice(of: node.inputs.count))
        case 4: graph.nodes[place].inputs.append(tensor(of: graph, by: &input))
        case 5: graph.nodes[place].outputs.append("more \(input.byte())")
        case 6, 7:
            let attribute = attribute(by: &input)
            graph.nodes[place].attributes.removeAll { $0.name == attribute.name }
            graph.nodes[place].attributes.append(attribute)
        case 8:
            let constants = graph.constants.keys.sorted()
            guard !constants.isEmpty else { return }
            let name = constants[place % constants.count]
            graph.constants[name]?.dimensions = (0..<input.choice(of: 5)).map { _ in number(by: &input) }
        default:
            let numbers = (0..<input.choice(of: 5)).map { _ in number(by: &input) }
            let name = tensor(of: graph, by: &input)
            graph.constants[name] = ONNXTensor(name: name, int64s: numbers)
        }
    }

    private static func tensor(of graph: ONNXGraph, by input: inout FuzzInput) -> String {
        let node = graph.nodes[Int(input.number(UInt16.self)) % graph.nodes.count]
        let names = node.inputs + node.outputs
        return names.isEmpty ? "" : names[input.choice(of: names.count)]
    }

    private static func attribute(by input: inout FuzzInput) -> ONNXAttribute {
        let name = attributes[input.choice(of: attributes.count)]
        guard input.byte() & 1 == 0 else { return ONNXAttribute(name, integer: number(by: &input)) }
        return ONNXAttribute(name, integers: (0..<input.choice(of: 5)).map { _ in number(by: &input) })
    }

    /// Usually a small number.
    private static func number(by input: inout FuzzInput) -> Int {
        switch input.byte() {
        case 255: Int(input.number(Int64.self))
        case 254: .max
        case 253: .min
        case 252: Int(input.number(Int32.self))
        case let small: Int(Int8(bitPattern: small))
        }
    }
}
#endif
