import CQuantization
import Foundation
import ONNXFormat

/// Makes a decoder compute with 8-bit numbers how likely each token is.
///
/// An export with 8-bit numbers leaves this product, of all tokens with what the decoder knows, in 32-bit numbers, which takes half of
/// the decoder's time. Each column of the weights is first divided by its greatest one, by which what the decoder knows is multiplied
/// instead: a few of these numbers are a hundred times greater than the others, which would leave these no precision. Then each
/// token's row gets a scale of its own.
///
/// - SeeAlso: “SmoothQuant” of Xiao and others (2023), section 4, for moving such numbers into the weights.
enum WhisperLogits {
    /// The output that is changed.
    static let name = "logits"

    private enum Names {
        static let codes = "echotext codes", columns = "echotext columns", scales = "echotext scales"
        static func tensor(_ number: Int) -> String { "echotext logits \(number)" }
    }

    /// The decoder with 8-bit logits; `nil` for one that has no other 8-bit numbers, or computes its logits in another way.
    static func graph(_ graph: ONNXGraph) -> ONNXGraph? {
        let wiring = GraphWiring(graph)
        guard graph.operations >= 11, graph.nodes.contains(where: { $0.operation == "MatMulInteger" }),
            let turned = turning(in: wiring), let product = turned.inputs.first.flatMap({ wiring.maker(of: $0) }),
            product.operation == "MatMul", product.inputs.count == 2, isReadOnce(product, in: wiring),
            let known = wiring.maker(of: product.inputs[1]), isTurning(known), isReadOnce(known, in: wiring),
            let place = graph.nodes.firstIndex(where: { $0.outputs == product.outputs }),
            let weights = graph.constants[product.inputs[0]].flatMap({ QuantizedWeights($0) })
        else { return nil }
        var prepared = graph
        addConstants(weights, to: &prepared)
        prepared.nodes.insert(contentsOf: nodes(from: known.inputs[0], to: turned.outputs[0]), at: place)
        let replaced = [turned.outputs, product.outputs, known.outputs]
        prepared.nodes.removeAll { node in
            ["MatMul", "Transpose"].contains(node.operation) && replaced.contains(node.outputs)
        }
        return prepared
    }

    /// The node that turns the product's result so that tokens are its last dimension.
    private static func turning(in wiring: GraphWiring) -> ONNXNode? {
        var node = wiring.maker(of: name)
        while let cast = node, cast.operation == "Cast" {
            guard cast.integer("to") == ONNXTensor.Element.float, let input = cast.inputs.first else { return nil }
            node = wiring.maker(of: input)
        }
        return node.flatMap { isTurning($0) ? $0 : nil }
    }

    private static func isTurning(_ node: ONNXNode) -> Bool {
        node.operation == "Transpose" && node.integers("perm") == [0, 2, 1] && node.inputs.count == 1
    }

    private static func isReadOnce(_ node: ONNXNode, in wiring: GraphWiring) -> Bool {
        node.outputs.count == 1 && wiring.readers(of: node.outputs[0]).count == 1
            && !wiring.graph.outputs.contains { $0.name == node.outputs[0] }
    }

    /// Adds the constants that the new nodes read.
    private static func addConstants(_ weights: QuantizedWeights, to graph: inout ONNXGraph) {
        let (tokens, width) = (weights.scales.count, weights.columns.count)
        let constants = [
            ONNXTensor(name: Names.codes, int8s: weights.codes, dimensions: [width, tokens]),
            ONNXTensor(name: Names.columns, floats: weights.columns, dimensions: [1, width]),
            ONNXTensor(name: Names.scales, floats: weights.scales, dimensions: [1, tokens]),
        ]
        for constant in constants { graph.constants[constant.name] = constant }
    }

    /// The nodes that compute logits.
    ///
    /// - Parameters:
    ///   - known: What the decoder knows of each place: `[sounds, places, width]`.
    ///   - logits: The name of the result: `[sounds, places, tokens]`.
    /// - Returns: The nodes in the order in which they are computed.
    private static func nodes(from known: String, to logits: String) -> [ONNXNode] {
        let name = Names.tensor
        let float = [ONNXAttribute("to", integer: ONNXTensor.Element.float)]
        return [
            ONNXNode("Mul", [known, Names.columns], [name(0)]),
            ONNXNode("DynamicQuantizeLinear", [name(0)], [name(1), name(2), name(3)]),
            ONNXNode("MatMulInteger", [name(1), Names.codes, name(3)], [name(4)]),
            ONNXNode("Cast", [name(4)], [name(5)], attributes: float),
            ONNXNode("Mul", [name(5), Names.scales], [name(6)]),
            ONNXNode("Mul", [name(6), name(2)], [logits]),
        ]
    }

    /// The greatest share of their own spread by which prepared logits may differ from the original ones.
    static let tolerance = 0.1

    /// Whether prepared logits are near enough to the original ones.
    static func areAlike(_ prepared: [Float], _ original: [Float]) -> Bool {
        guard prepared.count == original.count, !original.isEmpty else { return false }
        let count = Double(original.count)
        let mean = original.reduce(0.0) { $0 + Double($1) } / count
        let spread = original.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        let difference = zip(prepared, original).reduce(0.0) { sum, pair in
            let one = Double(pair.0) - Double(pair.1)
            return sum + one * one
        }
        return (difference / count).squareRoot() <= tolerance * (spread / count).squareRoot()
    }
}

/// Weights in 8-bit numbers: a weight is about its code, times the scale of its token, times the size of its column.
///
/// They are computed when a model is opened: ONNX Runtime would need ten nodes, most of which copy the largest tensor of the model.
struct QuantizedWeights: Sendable {
    /// `[width, tokens]`, as the product reads them.
    let codes: [Int8]
    /// The greatest weight of each column, by its size.
    let columns: [Float]
    /// The scale of each token.
    let scales: [Float]

    /// Quantizes a matrix of floats, `[tokens, width]`; `nil` for another tensor, or one without elements.
    init?(_ weights: ONNXTensor) {
        guard weights.type == ONNXTensor.Element.float, weights.dimensions.count == 2, let bytes = weights.bytes,
            !bytes.isEmpty, bytes.count == weights.count * MemoryLayout<Float>.stride
        else { return nil }
        let (tokens, width) = (weights.dimensions[0], weights.dimensions[1])
        var columns = [Float](repeating: 0, count: width)
        var scales = [Float](repeating: 0, count: tokens)
        var codes = [Int8](repeating: 0, count: tokens * width)
        bytes.withUnsafeBytes { raw in
            quantize_matrix(raw.baseAddress, tokens, width, &columns, &scales, &codes)
        }
        (self.codes, self.columns, self.scales) = (codes, columns, scales)
    }
}

/// Makes a decoder remember only the tokens that it has read.
///
/// The memory of an exported decoder has a place for each token of the longest text. For every token each layer writes
/// all that it remembers there again, number by number, and the whole is copied twice, which takes nearly half of the
/// decoder's time. Instead, the memories of the layers are joined, with a place for the next token behind them.
enum WhisperMemory {
    /// The input and output of a decoder's memory: `[layers, sounds, places, width]`.
    typealias Ports = (given: String, made: String)

    /// A layer of the decoder.
    private struct Layer {
        /// The node that makes the tensor that it remembers so far.
        let reading: ONNXNode
        /// Its memory with the tokens that it reads: `[sounds, places, width]`.
        let remembered: String
        /// The node that writes that to its place among all layers.
        let writing: ONNXNode
    }

    private enum Names {
        static let layers = "echotext layers", next = "echotext next"
        static func one(_ number: Int, of made: String) -> String { "echotext \(made) \(number)" }
        static func all(of made: String) -> String { "echotext \(made)" }
    }

    /// The first version of ONNX's operations in which axes are tensors, as in the nodes that are added here.
    private static let oldestOperations = 13

    /// The decoder with a memory that grows; `nil` for one that remembers in another way.
    ///
    /// It is to be given zeros for the tokens that it reads first, and then, with one token at a time, what it has made.
    static func graph(_ graph: ONNXGraph, _ ports: [Ports]) -> ONNXGraph? {
        guard graph.operations >= oldestOperations else { return nil }
        let wiring = GraphWiring(graph)
        var grown = graph
        var readings: [String] = []
        var written: Set<String> = []
        for port in ports {
            guard let layers = layers(from: port, in: wiring), wiring.readers(of: port.made).isEmpty else { return nil }
            let own = layers.map(\.reading.outputs)
            readings += own.flatMap { $0 }
            written.formUnion(layers.flatMap(\.writing.outputs))
            for place in grown.nodes.indices where own.contains(grown.nodes[place].outputs) {
                grown.nodes[place].inputs[0] = port.given
            }
            grown.nodes.removeAll { $0.outputs == [port.made] }
            grown.nodes += nodes(joining: layers.map(\.remembered), to: port.made)
        }
        let constants = [
            ONNXTensor(name: Names.layers, int64s: [0]),
            ONNXTensor(name: Names.next, int64s: [0, 0, 0, 0, 0, 0, 1, 0]),
        ]
        for constant in constants { grown.constants[constant.name] = constant }
        let slim = GraphWiring(grown).part(graph.inputs, to: graph.outputs)
        let given = Set(ports.map(\.given))
        let isElsewhere = slim.nodes.contains { node in
            node.inputs.contains(where: written.contains)
                || node.inputs.contains(where: given.contains) && !node.outputs.contains(where: readings.contains)
        }
        return isElsewhere ? nil : slim
    }

    /// The layers that write to a memory, from the first on; `nil` where something else does.
    private static func layers(from port: Ports, in wiring: GraphWiring) -> [Layer]? {
        var writings: [ONNXNode] = []
        var memory = port.made
        while memory != port.given {
            guard let writing = maker(of: memory, "ScatterND", in: wiring), writing.inputs.count == 3,
                writing.outputs.count == 1
            else { return nil }
            writings.append(writing)
            memory = writing.inputs[0]
        }
        var layers: [Layer] = []
        // The output of earlier layers makes no difference to a later one.
        var sources: Set = [port.given]
        for (number, writing) in writings.reversed().enumerated() {
            guard let layer = layer(number, writtenBy: writing, in: wiring), sources.contains(layer.reading.inputs[0])
            else { return nil }
            layers.append(layer)
            sources.insert(writing.outputs[0])
        }
        return layers.isEmpty ? nil : layers
    }

    /// The layer at a place; `nil` where it is not all that the node writes, or not what it has read with new tokens behind it.
    private static func layer(_ number: Int, writtenBy writing: ONNXNode, in wiring: GraphWiring) -> Layer? {
        guard ["none", nil].contains(writing.text("reduction")),
            let place = maker(of: writing.inputs[1], "Concat", in: wiring)?.inputs.first,
            let places = maker(of: place, "Unsqueeze", in: wiring)?.inputs.first,
            let constant = maker(of: places, "Expand", in: wiring)?.inputs.first,
            wiring.graph.constants[constant]?.int64 == number,
            let rows = maker(of: writing.inputs[2], "Reshape", in: wiring)?.inputs.first,
            let remembered = maker(of: rows, "Expand", in: wiring)?.inputs.first,
            let own = maker(of: remembered, "ScatterND", in: wiring)?.inputs.first,
            let cut = maker(of: own, "Slice", in: wiring), cut.inputs.count >= 4,
            wiring.graph.constants[cut.inputs[1]]?.int64 == 0, wiring.graph.constants[cut.inputs[3]]?.int64 == 1,
            let reading = maker(of: cut.inputs[0], "Gather", in: wiring), reading.inputs.count == 2,
            reading.integer("axis") ?? 0 == 0, wiring.graph.constants[reading.inputs[1]]?.int64 == number
        else { return nil }
        return Layer(reading: reading, remembered: remembered, writing: writing)
    }

    private static func maker(of tensor: String, _ operation: String, in wiring: GraphWiring) -> ONNXNode? {
        wiring.maker(of: tensor).flatMap { $0.operation == operation ? $0 : nil }
    }

    /// The nodes that join what all layers remember, and add a place.
    private static func nodes(joining layers: [String], to made: String) -> [ONNXNode] {
        let names = layers.indices.map { Names.one($0, of: made) }
        let single = zip(layers, names).map { ONNXNode("Unsqueeze", [$0, Names.layers], [$1]) }
        let first = [ONNXAttribute("axis", integer: 0)]
        return single + [
            ONNXNode("Concat", names, [Names.all(of: made)], attributes: first),
            ONNXNode("Pad", [Names.all(of: made), Names.next], [made]),
        ]
    }
}
