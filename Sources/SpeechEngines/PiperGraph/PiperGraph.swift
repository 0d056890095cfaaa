import EchoText
import ONNXFormat

/// A Piper model's graph, split at tensors with a known meaning.
///
/// VITS has three steps, which Piper exports as one graph: an encoder computes the sound features of each symbol and
/// its duration in frames; a flow turns these, expanded to frames and with noise added, into a latent; a decoder
/// turns the latent into sound. After the split, the decoder can process a sentence in windows, the durations are
/// known exactly, and the noise is an input.
///
/// The tensors are found by the graph's structure, not by names, which differ between exports.
///
/// - SeeAlso: J. Kim, J. Kong, J. Son, “Conditional Variational Autoencoder with Adversarial Learning for End-to-End
///   Text-to-Speech”, ICML 2021; rhasspy/piper, `export_onnx.py`.
struct PiperGraph {
    /// The inputs and the output of Piper's models.
    enum Port {
        static let symbols = "input", lengths = "input_lengths", scales = "scales", speaker = "sid"
    }

    /// The first version of ONNX's operations in which axes are tensors, as in the nodes that are added here.
    private static let oldestOperations = 13

    private let wiring: GraphWiring
    private let hasSpeakers: Bool
    /// The output: `[1, 1, samples]`.
    let sound: String
    let decoder: DecoderShape
    /// Frames of each symbol, whole numbers as floats: `[1, 1, symbols]`.
    let durations: String
    /// The mean of each symbol's features, and the logarithm of their deviation: `[1, channels, symbols]` each.
    let means: String
    let deviations: String
    /// Means with noise for all frames, the input of the flow: `[1, channels, frames]`.
    let blurred: String
    /// Noise of the durations: `[1, 2, symbols]`; `nil` in a voice whose durations have none.
    let durationNoise: String?

    /// Finds the tensors in a model.
    ///
    /// - Throws: ``ModelLayout/Obstacle`` for a graph that is not Piper's.
    init(_ graph: ONNXGraph) throws(ModelLayout.Obstacle) {
        let names = Set(graph.inputs.map(\.name))
        let needed: Set = [Port.symbols, Port.lengths, Port.scales]
        guard names.isSuperset(of: needed), names.subtracting(needed).isSubset(of: [Port.speaker]),
            graph.operations >= Self.oldestOperations,
            let output = graph.outputs.first, graph.nodes.allSatisfy({ !$0.holdsGraph })
        else { throw .ports }
        wiring = GraphWiring(graph)
        hasSpeakers = names.contains(Port.speaker)
        sound = try Self.sound(before: output.name, in: wiring)
        let text = wiring.tensors(madeOf: [Port.symbols])
        decoder = try DecoderShape(in: wiring, endingAt: sound, madeOfText: text)
        durations = try Self.durations(of: decoder.latent, in: wiring, madeOfText: text)
        let noise = try NoiseTensors(in: wiring, before: decoder.latent, durations: durations)
        means = noise.means
        deviations = noise.deviations
        blurred = noise.blurred
        durationNoise = noise.durationNoise
    }

    /// The output of the last hyperbolic tangent: the sound before it is reshaped for output.
    private static func sound(before output: String, in wiring: GraphWiring) throws(ModelLayout.Obstacle) -> String {
        var tensor = output
        for _ in 0..<8 {
            guard let maker = wiring.maker(of: tensor), let input = maker.inputs.first else { throw .decoder }
            if maker.operation == "Tanh" { return tensor }
            guard ["Unsqueeze", "Squeeze"].contains(maker.operation) else { throw .decoder }
            tensor = input
        }
        throw .decoder
    }

    private static func durations(
        of latent: String,
        in wiring: GraphWiring,
        madeOfText text: Set<String>
    ) throws(ModelLayout.Obstacle) -> String {
        let whole = wiring.nodes(making: [latent], from: []).map { wiring.graph.nodes[$0] }
            .filter { $0.operation == "Ceil" && $0.outputs.count == 1 && text.contains($0.outputs[0]) }
        guard whole.count == 1 else { throw .durations }
        return whole[0].outputs[0]
    }
}

// MARK: - The three parts

extension PiperGraph {
    /// Computes the features and durations of symbols.
    var encoder: ONNXGraph {
        var inputs: [ONNXGraph.Port] = [
            .init(Port.symbols, type: ONNXTensor.Element.int64), .init(Port.lengths, type: ONNXTensor.Element.int64),
            .init(Port.scales, type: ONNXTensor.Element.float),
        ]
        if hasSpeakers { inputs.append(.init(Port.speaker, type: ONNXTensor.Element.int64)) }
        if let durationNoise { inputs.append(.init(durationNoise, type: ONNXTensor.Element.float)) }
        // Dimensions are left out: with them ONNX Runtime takes twice as long to plan a graph of this size.
        return wiring.part(
            inputs,
            to: [means, deviations, durations].map { .init($0, type: ONNXTensor.Element.float) }
        )
    }

    /// Computes the latent from ``blurred``, and the speaker's embedding if the decoder needs it.
    ///
    /// A request is one sentence without padding, so its mask is all ones and is left out.
    func flow() throws(ModelLayout.Obstacle) -> ONNXGraph {
        var inputs = [floats(blurred, channels: decoder.channels)]
        if hasSpeakers { inputs.append(.init(Port.speaker, type: ONNXTensor.Element.int64)) }
        let spread = wiring.tensors(madeOf: [durations]).subtracting(wiring.tensors(madeOf: [blurred]))
        var outputs = [floats(decoder.latent, channels: decoder.channels)]
        if let speaker = decoder.speaker { outputs.append(.init(speaker, type: ONNXTensor.Element.float)) }
        let masked = wiring.part(inputs + spread.sorted().map { floats($0, channels: 1) }, to: outputs)
        var unmasked = UnmaskedGraph.graph(masked, masks: spread)
        unmasked.inputs = inputs
        // If the expansion is still read, it was not a mask.
        let read = Set(unmasked.nodes.flatMap(\.inputs)).union(unmasked.outputs.map(\.name))
        guard read.isDisjoint(with: spread), read.contains(blurred) else { throw .flow }
        // Inputs that are not read, such as the speaker, are removed.
        unmasked.inputs.removeAll { !read.contains($0.name) }
        return PlanarGraph.graph(unmasked) ?? unmasked
    }

    /// Computes the sound of a window of the latent, cropped before each upsampling stage.
    ///
    /// Each stage has two inputs of one number: the first sample to keep, and the one after the last.
    func windowedDecoder() throws(ModelLayout.Obstacle) -> ONNXGraph {
        var inputs = [floats(decoder.latent, channels: decoder.channels)]
        if let speaker = decoder.speaker {
            inputs.append(.init(speaker, type: ONNXTensor.Element.float, dimensions: [1, nil, 1]))
        }
        let whole = wiring.part(inputs, to: [floats(sound, channels: 1)])
        guard var planar = PlanarGraph.graph(whole) else { throw .decoder }
        planar.cut(at: decoder.stages.map(\.tensor))
        return BlockedGraph.graph(planar)
    }

    /// Names of the inputs for the crop of the stage numbered `stage`.
    static func cut(_ stage: Int) -> (start: String, end: String) { ("cut \(stage) start", "cut \(stage) end") }

    private func floats(_ name: String, channels: Int) -> ONNXGraph.Port {
        .init(name, type: ONNXTensor.Element.float, dimensions: [1, channels, nil])
    }
}

extension ONNXGraph {
    /// Crops tensors of a planar graph along time, at positions given by additional inputs.
    fileprivate mutating func cut(at tensors: [String]) {
        let time = ONNXTensor(name: "time axis", int64s: [3])
        constants[time.name] = time
        for (stage, tensor) in tensors.enumerated() {
            let (start, end) = PiperGraph.cut(stage)
            let short = "cut \(stage)"
            guard let place = nodes.firstIndex(where: { $0.operation == "ConvTranspose" && $0.inputs.first == tensor })
            else { continue }
            nodes[place].inputs[0] = short
            nodes.insert(ONNXNode("Slice", [tensor, start, end, time.name], [short]), at: place)
            for port in [start, end] {
                inputs.append(Port(port, type: ONNXTensor.Element.int64, dimensions: [1]))
            }
        }
    }
}

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
