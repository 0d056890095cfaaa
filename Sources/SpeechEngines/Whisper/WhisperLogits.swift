import ONNXFormat

/// Makes a decoder compute with 8-bit numbers how likely each token is.
///
/// An export with 8-bit numbers leaves this product, of all tokens with what the decoder knows, in 32-bit numbers, which takes half of
/// the decoder's time. Each column of the weights is first divided by its greatest one, by which what the decoder knows is multiplied
/// instead: a few of these numbers are a hundred times greater than the others, which would leave these no precision. Then each
/// token's row gets a scale of its own. ONNX Runtime computes columns, rows and scales when it loads the graph.
///
/// - SeeAlso: “SmoothQuant” of Xiao and others (2023), section 4, for moving such numbers into the weights.
enum WhisperLogits {
    /// The output that is changed.
    static let name = "logits"

    private enum Names {
        static let largest = "echotext largest", least = "echotext least"
        static let alongColumns = "echotext columns", alongRows = "echotext rows"
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
        addConstants(to: &prepared)
        let nodes = nodes(from: known.inputs[0], weights.name, to: turned.outputs[0], axesAreInputs: takesAxes(graph))
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

    /// Whether the axes of `ReduceMax` are an input, and not an attribute.
    private static func takesAxes(_ graph: ONNXGraph) -> Bool { graph.operations >= 18 }

    /// Adds the constants that the new nodes read.
    private static func addConstants(to graph: inout ONNXGraph) {
        graph.constants[Names.largest] = ONNXTensor(name: Names.largest, floats: [127], dimensions: [1])
        graph.constants[Names.least] = ONNXTensor(name: Names.least, floats: [1e-12], dimensions: [1])
        guard takesAxes(graph) else { return }
        graph.constants[Names.alongColumns] = ONNXTensor(name: Names.alongColumns, int64s: [0])
        graph.constants[Names.alongRows] = ONNXTensor(name: Names.alongRows, int64s: [1])
    }

    /// The nodes that compute logits.
    ///
    /// - Parameters:
    ///   - known: What the decoder knows of each place: `[sounds, places, width]`.
    ///   - weights: `[tokens, width]`.
    ///   - logits: The name of the result: `[sounds, places, tokens]`.
    ///   - axesAreInputs: Whether the axes along which greatest weights are found are an input.
    /// - Returns: The nodes in the order in which they are computed.
    private static func nodes(
        from known: String,
        _ weights: String,
        to logits: String,
        axesAreInputs: Bool
    ) -> [ONNXNode] {
        let name = Names.tensor
        func greatest(of input: String, along axis: Int, _ axes: String, to output: String) -> ONNXNode {
            axesAreInputs
                ? ONNXNode("ReduceMax", [input, axes], [output])
                : ONNXNode("ReduceMax", [input], [output], attributes: [ONNXAttribute("axes", integers: [axis])])
        }
        let turn = [ONNXAttribute("perm", integers: [1, 0])]
        return [
            ONNXNode("Abs", [weights], [name(0)]),
            greatest(of: name(0), along: 0, Names.alongColumns, to: name(1)),
            ONNXNode("Max", [name(1), Names.least], [name(2)]),
            ONNXNode("Div", [weights, name(2)], [name(3)]),
            ONNXNode("Abs", [name(3)], [name(4)]),
            greatest(of: name(4), along: 1, Names.alongRows, to: name(5)),
            ONNXNode("Max", [name(5), Names.least], [name(6)]),
            ONNXNode("Div", [name(6), Names.largest], [name(7)]),
            ONNXNode("Div", [name(3), name(7)], [name(8)]),
            ONNXNode("Round", [name(8)], [name(9)]),
            ONNXNode("Cast", [name(9)], [name(10)], attributes: [ONNXAttribute("to", integer: Element.int8)]),
            ONNXNode("Transpose", [name(10)], [name(11)], attributes: turn),
            ONNXNode("Transpose", [name(7)], [name(12)], attributes: turn),
            ONNXNode("Mul", [known, name(2)], [name(13)]),
            ONNXNode("DynamicQuantizeLinear", [name(13)], [name(14), name(15), name(16)]),
            ONNXNode("MatMulInteger", [name(14), name(11), name(16)], [name(17)]),
            ONNXNode("Cast", [name(17)], [name(18)], attributes: [ONNXAttribute("to", integer: Element.float)]),
            ONNXNode("Mul", [name(18), name(12)], [name(19)]),
            ONNXNode("Mul", [name(19), name(15)], [logits]),
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
