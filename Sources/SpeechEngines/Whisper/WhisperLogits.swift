import ONNXFormat

/// Makes a decoder compute with 8-bit numbers how likely each token is.
///
/// An export with 8-bit numbers leaves this product, of all tokens with what the decoder knows, in 32-bit numbers, which takes half of
/// the decoder's time. Each token's row gets a scale of its own; ONNX Runtime computes rows and scales when it loads the graph.
enum WhisperLogits {
    /// The output that is changed.
    static let name = "logits"

    private enum Names {
        static let largest = "echotext largest", least = "echotext least", axes = "echotext axes"
        static func tensor(_ number: Int) -> String { "echotext logits \(number)" }
    }

    /// `TensorProto.DataType` of ONNX.
    private enum Element {
        static let float = 1, int8 = 3
    }

    /// The decoder with 8-bit logits; `nil` for one that has no other 8-bit numbers, or computes its logits in another way.
    static func graph(_ graph: ONNXGraph) -> ONNXGraph? {
        let wiring = GraphWiring(graph)
        guard graph.operations >= 11, graph.nodes.contains(where: { $0.operation == "MatMulInteger" }),
            let turned = turning(in: wiring), let product = turned.inputs.first.flatMap({ wiring.maker(of: $0) }),
            product.operation == "MatMul", product.inputs.count == 2, isReadOnce(product, in: wiring),
            let weights = graph.constants[product.inputs[0]], weights.type == ONNXTensor.Element.float,
            weights.dimensions.count == 2, let known = wiring.maker(of: product.inputs[1]),
            isTurning(known), isReadOnce(known, in: wiring),
            let place = graph.nodes.firstIndex(where: { $0.outputs == product.outputs })
        else { return nil }
        var prepared = graph
        let axes = constants(in: &prepared)
        let nodes = nodes(from: known.inputs[0], weights.name, to: turned.outputs[0], axes: axes)
        prepared.nodes.insert(contentsOf: nodes, at: place)
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
            guard cast.integer("to") == Element.float, let input = cast.inputs.first else { return nil }
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
    ///
    /// - Returns: The name of the axes, where a node takes them as an input.
    private static func constants(in graph: inout ONNXGraph) -> String? {
        graph.constants[Names.largest] = ONNXTensor(name: Names.largest, floats: [127], dimensions: [1])
        graph.constants[Names.least] = ONNXTensor(name: Names.least, floats: [1e-12], dimensions: [1])
        guard graph.operations >= 18 else { return nil }
        graph.constants[Names.axes] = ONNXTensor(name: Names.axes, int64s: [1])
        return Names.axes
    }

    /// The nodes that compute logits.
    ///
    /// - Parameters:
    ///   - known: What the decoder knows of each place: `[sounds, places, width]`.
    ///   - weights: `[tokens, width]`.
    ///   - logits: The name of the result: `[sounds, places, tokens]`.
    ///   - axes: The name of the axes along which a row's greatest weight is found; `nil` for an attribute instead.
    /// - Returns: The nodes in the order in which they are computed.
    private static func nodes(from known: String, _ weights: String, to logits: String, axes: String?) -> [ONNXNode] {
        let name = Names.tensor
        let alongRows = axes == nil ? [ONNXAttribute("axes", integers: [1])] : []
        let turn = [ONNXAttribute("perm", integers: [1, 0])]
        return [
            ONNXNode("Abs", [weights], [name(0)]),
            ONNXNode("ReduceMax", [name(0)] + [axes].compactMap(\.self), [name(1)], attributes: alongRows),
            ONNXNode("Max", [name(1), Names.least], [name(2)]),
            ONNXNode("Div", [name(2), Names.largest], [name(3)]),
            ONNXNode("Div", [weights, name(3)], [name(4)]),
            ONNXNode("Round", [name(4)], [name(5)]),
            ONNXNode("Cast", [name(5)], [name(6)], attributes: [ONNXAttribute("to", integer: Element.int8)]),
            ONNXNode("Transpose", [name(6)], [name(7)], attributes: turn),
            ONNXNode("Transpose", [name(3)], [name(8)], attributes: turn),
            ONNXNode("DynamicQuantizeLinear", [known], [name(9), name(10), name(11)]),
            ONNXNode("MatMulInteger", [name(9), name(7), name(11)], [name(12)]),
            ONNXNode("Cast", [name(12)], [name(13)], attributes: [ONNXAttribute("to", integer: Element.float)]),
            ONNXNode("Mul", [name(13), name(8)], [name(14)]),
            ONNXNode("Mul", [name(14), name(10)], [logits]),
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
