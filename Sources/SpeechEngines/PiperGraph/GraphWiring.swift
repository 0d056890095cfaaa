import ONNXFormat

/// The nodes that make and read each tensor of a graph.
struct GraphWiring {
    let graph: ONNXGraph
    /// The index of the node that makes each tensor.
    private let makers: [String: Int]
    private let readers: [String: [Int]]

    init(_ graph: ONNXGraph) {
        self.graph = graph
        var makers: [String: Int] = [:]
        var readers: [String: [Int]] = [:]
        for (index, node) in graph.nodes.enumerated() {
            for output in node.outputs where !output.isEmpty { makers[output] = index }
            for input in Set(node.inputs) where !input.isEmpty { readers[input, default: []].append(index) }
        }
        self.makers = makers
        self.readers = readers
    }

    /// The node that makes `tensor`; `nil` for a constant or an input.
    func maker(of tensor: String) -> ONNXNode? { makers[tensor].map { graph.nodes[$0] } }

    func readers(of tensor: String) -> [ONNXNode] { (readers[tensor] ?? []).map { graph.nodes[$0] } }

    func isConstant(_ tensor: String) -> Bool { graph.constants[tensor] != nil }

    /// Indices of the nodes that `outputs` need, in the graph's order, without nodes that only `boundary` needs.
    func nodes(making outputs: [String], from boundary: Set<String>) -> [Int] {
        var needed: Set<Int> = []
        var waiting = outputs
        while let tensor = waiting.popLast() {
            guard !boundary.contains(tensor), let maker = makers[tensor], needed.insert(maker).inserted else {
                continue
            }
            waiting += graph.nodes[maker].inputs
        }
        return needed.sorted()
    }

    /// All tensors that depend on `sources`, directly or indirectly, and `sources` themselves.
    func tensors(madeOf sources: Set<String>) -> Set<String> {
        var found = sources
        for node in graph.nodes where node.inputs.contains(where: found.contains) {
            found.formUnion(node.outputs)
        }
        return found
    }

    /// The part of the graph that computes `outputs` from `inputs`.
    func part(_ inputs: [ONNXGraph.Port], to outputs: [ONNXGraph.Port]) -> ONNXGraph {
        var part = graph
        let places = nodes(making: outputs.map(\.name), from: Set(inputs.map(\.name)))
        part.nodes = places.map { graph.nodes[$0] }
        part.inputs = inputs
        part.outputs = outputs
        return part
    }
}
