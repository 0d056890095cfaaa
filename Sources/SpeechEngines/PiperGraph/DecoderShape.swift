import EchoText
import ONNXFormat

/// How a convolutional decoder upsamples its input, and how many frames around each frame it reads.
///
/// A HiFi-GAN generator: one-dimensional convolutions, transposed convolutions that upsample, sums and leaky
/// rectifiers.
///
/// - SeeAlso: J. Kong, J. Kim, J. Bae, “HiFi-GAN: Generative Adversarial Networks for Efficient and High Fidelity Speech
///   Synthesis”, NeurIPS 2020.
struct DecoderShape {
    /// An upsampling convolution, whose input can be cropped to the samples that are needed.
    struct Stage: Hashable {
        /// The convolution's input.
        let tensor: String
        /// Samples of ``tensor`` in each frame.
        let rate: Int
        /// How many samples before and after a frame's own its sound depends on.
        let halo: Int
    }

    /// The decoder's input: `[1, channels, frames]`.
    let latent: String
    let channels: Int
    /// The speaker's embedding, in a voice with several speakers.
    let speaker: String?
    /// Samples of sound in each frame.
    let hop: Int
    /// Frames before and after a window that its sound depends on.
    let halo: Int
    /// The upsampling stages in order, without the first, whose input is nearly the latent.
    let stages: [Stage]

    private static let operations: Set = ["Conv", "ConvTranspose", "LeakyRelu", "Relu", "Add", "Sum", "Div", "Mul"]
    /// A limit far above any voice's; bounds computations with numbers from the model.
    private static let largest = 4_096

    /// - Parameters:
    ///   - wiring: The wiring of the whole model.
    ///   - sound: The output of the last hyperbolic tangent.
    ///   - text: All tensors that depend on the text.
    /// - Throws: ``ModelLayout/Obstacle/decoder``.
    init(in wiring: GraphWiring, endingAt sound: String, madeOfText text: Set<String>) throws(ModelLayout.Obstacle) {
        guard let last = wiring.maker(of: sound), last.operation == "Tanh", last.inputs.count == 1 else {
            throw .decoder
        }
        let region = Self.region(before: last.inputs[0], in: wiring)
        let made = Set(region.flatMap(\.outputs))
        let given = Set(region.flatMap(\.inputs)).filter { !$0.isEmpty && !made.contains($0) && !wiring.isConstant($0) }
        let (latents, speakers) = (given.filter(text.contains), given.filter { !text.contains($0) })
        guard latents.count == 1, speakers.count <= 1, let latent = latents.first else { throw .decoder }
        self.latent = latent
        speaker = speakers.first
        let rates = try Self.rates(of: region, latent: latent, speaker: speaker, in: wiring.graph)
        guard let hop = rates[last.inputs[0]], hop >= 1 else { throw .decoder }
        self.hop = hop
        let halos = try Self.halos(of: region, before: last.inputs[0], in: wiring.graph)
        guard let halo = halos[latent], halo <= Self.largest else { throw .decoder }
        self.halo = halo
        channels = try Self.channels(of: latent, in: wiring)
        stages = try Self.stages(of: region, rates: rates, halos: halos, hop: hop)
    }

    /// - Throws: ``ModelLayout/Obstacle/decoder`` unless the samples of each stage are a whole multiple of those of
    ///   the stage before.
    private static func stages(
        of region: [ONNXNode],
        rates: [String: Int],
        halos: [String: Int],
        hop: Int
    ) throws(ModelLayout.Obstacle) -> [Stage] {
        var stages: [Stage] = []
        for node in region where node.operation == "ConvTranspose" {
            guard let rate = rates[node.inputs[0]], let halo = halos[node.inputs[0]], rate >= 1, halo <= largest,
                rate.isMultiple(of: stages.last?.rate ?? 1), hop.isMultiple(of: rate)
            else { throw .decoder }
            stages.append(Stage(tensor: node.inputs[0], rate: rate, halo: halo))
        }
        guard stages.first?.rate ?? 1 == 1 else { throw .decoder }
        return Array(stages.dropFirst())
    }

    /// The decoder nodes that `tensor` depends on, back to nodes of another kind, in the graph's order.
    private static func region(before tensor: String, in wiring: GraphWiring) -> [ONNXNode] {
        var boundary: Set<String> = []
        var waiting = [tensor]
        var seen: Set<String> = []
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted, let maker = wiring.maker(of: next) else { continue }
            if isDecoder(maker, in: wiring) {
                waiting += maker.inputs
            } else {
                boundary.insert(next)
            }
        }
        return wiring.nodes(making: [tensor], from: boundary).map { wiring.graph.nodes[$0] }
    }

    private static func isDecoder(_ node: ONNXNode, in wiring: GraphWiring) -> Bool {
        guard operations.contains(node.operation), node.domain.isEmpty, node.outputs.count == 1 else { return false }
        // A product of two tensors applies a mask; a decoder only scales by constants.
        guard ["Mul", "Div"].contains(node.operation) else { return true }
        return node.inputs.count == 2 && wiring.isConstant(node.inputs[1])
    }

    private static func channels(of latent: String, in wiring: GraphWiring) throws(ModelLayout.Obstacle) -> Int {
        for reader in wiring.readers(of: latent) where reader.operation == "Conv" && reader.inputs.count > 1 {
            if let weights = wiring.graph.constants[reader.inputs[1]], weights.dimensions.count == 3 {
                return weights.dimensions[1]
            }
        }
        throw .decoder
    }

    // MARK: - Upsampling

    /// Samples of each tensor in each frame; 0 for one that is the same for all frames.
    private static func rates(
        of region: [ONNXNode],
        latent: String,
        speaker: String?,
        in graph: ONNXGraph
    ) throws(ModelLayout.Obstacle) -> [String: Int] {
        var rates = [latent: 1]
        if let speaker { rates[speaker] = 0 }
        for node in region {
            let tensors = node.inputs.filter { graph.constants[$0] == nil && !$0.isEmpty }
            let own = Set(tensors.compactMap { rates[$0] })
            guard let rate = own.max(), own.subtracting([0]).count <= 1 else { throw .decoder }
            var stretched = rate
            if node.operation.hasPrefix("Conv") {
                stretched = rate * (try Convolution(node, in: graph)).stretch
                guard tensors.count == 1, stretched <= largest else { throw .decoder }
            }
            rates[node.outputs[0]] = stretched
        }
        return rates
    }

    // MARK: - Context

    /// How many samples of each tensor, before and after a frame's own, the frame's sound depends on.
    private static func halos(
        of region: [ONNXNode],
        before tensor: String,
        in graph: ONNXGraph
    ) throws(ModelLayout.Obstacle) -> [String: Int] {
        var halos = [tensor: 0]
        for node in region.reversed() {
            let own = halos[node.outputs[0]] ?? 0
            let needed = node.operation.hasPrefix("Conv") ? try Convolution(node, in: graph).halo(for: own) : own
            for input in node.inputs where graph.constants[input] == nil && !input.isEmpty {
                halos[input] = max(halos[input] ?? 0, needed)
            }
        }
        return halos
    }
}

/// A convolution along time whose output is as long as its input, or a whole number of times as long.
private struct Convolution {
    /// The ratio of the output's length to the input's.
    let stretch: Int
    /// The reach before and after: in samples of the output for an upsampling convolution, else of the input.
    private let reach: Int

    /// The limit on kernels, dilations and strides; bounds computations with them.
    private static let largest = 1 << 12

    init(_ node: ONNXNode, in graph: ONNXGraph) throws(ModelLayout.Obstacle) {
        guard node.inputs.count >= 2, let weights = graph.constants[node.inputs[1]], weights.dimensions.count == 3,
            node.inputs.dropFirst().allSatisfy({ $0.isEmpty || graph.constants[$0] != nil }),
            node.text("auto_pad") ?? "NOTSET" == "NOTSET", node.integers("output_shape") == nil
        else { throw .decoder }
        let kernel = weights.dimensions[2]
        guard let stride = Self.only(node.integers("strides"), default: 1),
            let dilation = Self.only(node.integers("dilations"), default: 1),
            Self.only(node.integers("kernel_shape"), default: kernel) == kernel,
            let padding = Self.pair(node.integers("pads")),
            let extra = Self.only(node.integers("output_padding"), default: 0),
            (1...Self.largest).contains(kernel), (1...Self.largest).contains(dilation),
            (1...Self.largest).contains(stride), (0...Self.largest).contains(extra)
        else { throw .decoder }
        let span = dilation * (kernel - 1)
        if node.operation == "Conv" {
            guard stride == 1, padding.before + padding.after == span else { throw .decoder }
            stretch = 1
            reach = max(padding.before, padding.after)
        } else {
            guard span + 1 + extra - padding.before - padding.after == stride else { throw .decoder }
            stretch = stride
            reach = max(padding.before, padding.after, span - padding.before, span - padding.after)
        }
    }

    /// The input samples needed around a window whose output is needed with `halo` samples around it.
    func halo(for halo: Int) -> Int {
        stretch == 1 ? halo + reach : (halo + reach + stretch - 1) / stretch
    }

    private static func only(_ numbers: [Int]?, default usual: Int) -> Int? {
        guard let numbers else { return usual }
        return numbers.count == 1 ? numbers[0] : nil
    }

    private static func pair(_ numbers: [Int]?) -> (before: Int, after: Int)? {
        guard let numbers else { return (0, 0) }
        guard numbers.count == 2, numbers.allSatisfy({ (0...largest).contains($0) }) else { return nil }
        return (numbers[0], numbers[1])
    }
}
