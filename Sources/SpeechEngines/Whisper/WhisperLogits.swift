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
