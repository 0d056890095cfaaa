import ONNXFormat

/// Divides a decoder into what depends on the sound alone, which is computed once for a sound, and the rest, which is computed for
/// each token.
///
/// A decoder as it is exported lays out the keys and values of the sound again for every token, which takes nearly half of its time.
struct WhisperDivision {
    /// Lays out a sound.
    let layout: ONNXGraph
    /// The decoder, which reads the laid-out sound instead of the sound.
    let decoder: ONNXGraph
    /// The tensors that the one makes and the other reads.
    let tensors: [String]

    /// Divides a decoder; `nil` for one that lays nothing out.
    ///
    /// - Parameters:
    ///   - graph: The decoder.
    ///   - sound: The names of the inputs that are the sound.
    init?(_ graph: ONNXGraph, sound: Set<String>) {
        let inputs = graph.inputs.filter { sound.contains($0.name) }
        guard inputs.count == sound.count, inputs.allSatisfy({ $0.type == ONNXTensor.Element.float }) else {
            return nil
        }
        let wiring = GraphWiring(graph)
        let made = Self.tensors(madeOf: sound, in: graph)
        // What is turned has the element type of the sound.
        tensors = graph.nodes.compactMap { node in
            guard let output = node.outputs.first, node.operation == "Transpose", made.contains(output),
                wiring.readers(of: output).contains(where: { $0.operation != "Transpose" })
            else { return nil }
            return output
        }
        let ports = tensors.map { ONNXGraph.Port($0, type: ONNXTensor.Element.float) }
        layout = wiring.part(inputs, to: ports)
        decoder = wiring.part(graph.inputs.filter { !sound.contains($0.name) } + ports, to: graph.outputs)
        guard !tensors.isEmpty, !decoder.nodes.contains(where: { $0.inputs.contains(where: sound.contains) }) else {
            return nil
        }
    }

    /// The tensors that depend on the sound and on constants, and on nothing else.
    private static func tensors(madeOf sound: Set<String>, in graph: ONNXGraph) -> Set<String> {
        var made = sound
        for node in graph.nodes {
            let inputs = node.inputs.filter { !$0.isEmpty }
            guard inputs.contains(where: made.contains),
                inputs.allSatisfy({ made.contains($0) || graph.constants[$0] != nil })
            else { continue }
            made.formUnion(node.outputs.filter { !$0.isEmpty })
        }
        return made
    }
}
