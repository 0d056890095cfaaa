import ONNXFormat

/// Removes nodes from a graph that have no effect when nothing is masked.
///
/// These are products with a mask of ones, sums with zeros of the same shape, and logarithms of ones: a coupling
/// layer that only shifts is exported with all of them.
enum UnmaskedGraph {
    /// The graph without such nodes, with the same inputs and outputs.
    ///
    /// - Parameters:
    ///   - graph: The graph to simplify.
    ///   - masks: Tensors that are all ones.
    /// - Returns: A graph that computes the same.
    static func graph(_ graph: ONNXGraph, masks: Set<String>) -> ONNXGraph {
        var (ones, zeros) = (masks, Set<String>())
        var names: [String: String] = [:]
        var slim = graph
        slim.nodes = []
        for var node in graph.nodes {
            node.inputs = node.inputs.map { names[$0] ?? $0 }
            if let output = node.outputs.first, node.outputs.count == 1 {
                if isZeros(node, zeros) {
                    zeros.insert(output)
                    continue
                }
                if node.operation == "Exp", node.inputs.first.map(zeros.contains) == true {
                    ones.insert(output)
                    continue
                }
                let idle = node.operation == "Mul" ? ones : node.operation == "Add" ? zeros : []
                if node.inputs.count == 2, let place = node.inputs.firstIndex(where: idle.contains) {
                    names[output] = node.inputs[1 - place]
                    continue
                }
            }
            slim.nodes.append(node)
        }
        for index in slim.outputs.indices {
            // An output keeps its name: the node that makes its value gets that name.
            guard let now = names[slim.outputs[index].name] else { continue }
            slim.rename(now, to: slim.outputs[index].name)
        }
        return slim.pruned
    }

    private static func isZeros(_ node: ONNXNode, _ zeros: Set<String>) -> Bool {
        switch node.operation {
        case "ConstantOfShape": node.tensor("value").map { $0.floats?.allSatisfy { $0 == 0 } ?? false } ?? true
        case "Neg": node.inputs.first.map(zeros.contains) == true
        default: false
        }
    }
}

extension ONNXGraph {
    fileprivate mutating func rename(_ tensor: String, to name: String) {
        for index in nodes.indices {
            nodes[index].inputs = nodes[index].inputs.map { $0 == tensor ? name : $0 }
            nodes[index].outputs = nodes[index].outputs.map { $0 == tensor ? name : $0 }
        }
    }

    /// The graph without nodes that its outputs do not depend on.
    fileprivate var pruned: ONNXGraph {
        let wiring = GraphWiring(self)
        return wiring.part(inputs, to: outputs)
    }
}
