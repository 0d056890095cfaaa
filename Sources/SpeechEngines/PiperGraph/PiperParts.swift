import EchoText
import Foundation
import ONNXFormat
import Synchronization

/// The three loaded parts of a split Piper model.
///
/// Each call runs on the calling thread, and several may run at once.
final class PiperParts: Sendable {
    /// A sentence before it is decoded.
    struct Latent: Sendable {
        /// `[channels, frames]`, row by row.
        let values: [Float]
        let frames: Int
        /// The speaker's embedding and its dimensions.
        let speaker: ONNXOutput?
        /// Frames of each symbol.
        let durations: [Int]
    }

    /// The amounts of noise and the speed, as the model takes them.
    struct Scales: Sendable {
        var noise: Double
        var length: Double
        var durationNoise: Double
    }

    /// The names of tensors at the borders of the parts.
    private struct Names {
        let durations, means, deviations, blurred, sound: String
        let durationNoise: String?

        init(_ graph: PiperGraph) {
            (durations, means, deviations) = (graph.durations, graph.means, graph.deviations)
            (blurred, sound, durationNoise) = (graph.blurred, graph.sound, graph.durationNoise)
        }
    }

    /// The limit on the samples of one sentence: twelve minutes at 22,050 Hz.
    private static let maximumSamples = 16 << 20

    let shape: DecoderShape
    /// Whether the whole model has the speaker as an input.
    let takesSpeaker: Bool
    /// The name of the whole model's sound.
    let output: String
    private let names: Names
    private let encoder: ONNXSession
    private let flow: ONNXSession
    private let decoder: ONNXSession
    /// Whether the encoder has the speaker as an input.
    private let encoderTakesSpeaker: Bool
    private let flowTakesSpeaker: Bool

    /// Loads the parts; the model's own bytes are not kept.
    ///
    /// - Parameters:
    ///   - model: The whole model.
    ///   - environment: What it runs in.
    ///   - copied: Called when weights of the model have been copied and will not be read for a while.
    /// - Throws: ``ModelLayout/Obstacle`` for a model that cannot be split, or ``ONNXRuntimeError``.
    init(model: ONNXGraph, in environment: ONNXEnvironment, copied: @Sendable () -> Void = {}) throws {
        let graph = try PiperGraph(model)
        names = Names(graph)
        shape = graph.decoder
        takesSpeaker = model.inputs.contains { $0.name == PiperGraph.Port.speaker }
        output = model.outputs[0].name
        let flow = try graph.flow()
        flowTakesSpeaker = flow.inputs.contains { $0.name == PiperGraph.Port.speaker }
        let encoder = graph.encoder
        encoderTakesSpeaker = encoder.inputs.contains { $0.name == PiperGraph.Port.speaker }
        // Opening takes most of the wait for a first sound. The largest part begins first.
        let parts = [encoder, flow, try graph.windowedDecoder()]
        let sessions = try Self.sessions(of: parts, in: environment, copied: copied)
        self.encoder = sessions[0]
        self.flow = sessions[1]
        decoder = sessions[2]
    }

    /// Opens the parts, as many at once as there are cores.
    private static func sessions(
        of parts: [ONNXGraph],
        in environment: ONNXEnvironment,
        copied: @Sendable () -> Void
    ) throws -> [ONNXSession] {
        let opened = Mutex<[Int: Result<ONNXSession, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let session = Result {
                let bytes = parts[index].model
                copied()
                return try ONNXSession(model: bytes, in: environment)
            }
            opened.withLock { $0[index] = session }
        }
        let sessions = opened.withLock(\.self)
        return try parts.indices.compactMap { try sessions[$0]?.get() }
    }

    /// Computes a sentence's latent.
    ///
    /// - Parameters:
    ///   - symbols: The model's numbers for the symbols, including the start and end symbols.
    ///   - speaker: Counted from 0; ignored in a voice with one speaker.
    ///   - scales: The noise and speed.
    ///   - noise: The source of random numbers.
    /// - Returns: The latent, from which windows are cut.
    /// - Throws: ``ONNXRuntimeError``, also when the model's output is invalid.
    func latent(
        of symbols: [Int],
        speaker: Int,
        scales: Scales,
        noise: inout NormalNoise
    ) throws(ONNXRuntimeError) -> Latent {
        let encoded = try encode(symbols, speaker: speaker, scales: scales, noise: &noise)
        let durations = try durations(encoded[2], symbols: symbols.count)
        let frames = durations.reduce(0, +)
        let blurred = try blur(encoded[0], encoded[1], over: durations, scale: Float(scales.noise), noise: &noise)
        let channels = shape.channels
        var inputs = [(names.blurred, ONNXInput(blurred, [1, channels, frames]))]
        if flowTakesSpeaker {
            inputs.append((PiperGraph.Port.speaker, ONNXInput([speaker], [1])))
        }
        let made = try flow.run(inputs, for: [shape.latent] + [shape.speaker].compactMap(\.self))
        guard made[0].values.count == channels * frames else {
            throw ONNXRuntimeError(message: "a latent of another size")
        }
        return Latent(
            values: made[0].values,
            frames: frames,
            speaker: shape.speaker == nil ? nil : made[1],
            durations: durations
        )
    }

    /// Decodes the sound of a window.
    ///
    /// - Throws: ``ONNXRuntimeError``.
    func sound(of window: DecoderWindows.Window, in latent: Latent) throws(ONNXRuntimeError) -> [Float] {
        var part: [Float] = []
        part.reserveCapacity(shape.channels * window.decoded.count)
        for channel in 0..<shape.channels {
            let row = channel * latent.frames
            part += latent.values[row + window.decoded.lowerBound..<row + window.decoded.upperBound]
        }
        var inputs = [(shape.latent, ONNXInput(part, [1, shape.channels, window.decoded.count]))]
        if let name = shape.speaker, let speaker = latent.speaker {
            inputs.append((name, ONNXInput(speaker.values, speaker.dimensions)))
        }
        for (stage, cut) in window.cuts.enumerated() {
            let names = PiperGraph.cut(stage)
            inputs.append((names.start, ONNXInput([cut.lowerBound], [1])))
            inputs.append((names.end, ONNXInput([cut.upperBound], [1])))
        }
        let made = try decoder.run(inputs, for: [names.sound])[0].values
        guard made.count >= window.sound.upperBound else {
            throw ONNXRuntimeError(message: "a window that is too short")
        }
        return Array(made[window.sound])
    }

    private func encode(
        _ symbols: [Int],
        speaker: Int,
        scales: Scales,
        noise: inout NormalNoise
    ) throws(ONNXRuntimeError) -> [ONNXOutput] {
        var inputs = [
            (PiperGraph.Port.symbols, ONNXInput(symbols, [1, symbols.count])),
            (PiperGraph.Port.lengths, ONNXInput([symbols.count], [1])),
            (
                PiperGraph.Port.scales,
                ONNXInput([Float(scales.noise), Float(scales.length), Float(scales.durationNoise)], [3])
            ),
        ]
        if encoderTakesSpeaker { inputs.append((PiperGraph.Port.speaker, ONNXInput([speaker], [1]))) }
        if let name = names.durationNoise {
            inputs.append((name, ONNXInput(noise.numbers(2 * symbols.count), [1, 2, symbols.count])))
        }
        let made = try encoder.run(inputs, for: [names.means, names.deviations, names.durations])
        let expected = shape.channels * symbols.count
        guard made[0].values.count == expected, made[1].values.count == expected else {
            throw ONNXRuntimeError(message: "means of another size")
        }
        return made
    }

    private func durations(_ output: ONNXOutput, symbols: Int) throws(ONNXRuntimeError) -> [Int] {
        let most = Self.maximumSamples / shape.hop
        guard output.values.count == symbols, output.values.allSatisfy({ $0 >= 0 && $0 <= Float(most) }) else {
            throw ONNXRuntimeError(message: "durations that cannot be")
        }
        let durations = output.values.map { Int($0) }
        guard (1...most).contains(durations.reduce(0, +)) else {
            throw ONNXRuntimeError(message: "no sound, or too much")
        }
        return durations
    }

    /// Expands means to frames and adds noise.
    private func blur(
        _ means: ONNXOutput,
        _ deviations: ONNXOutput,
        over durations: [Int],
        scale: Float,
        noise: inout NormalNoise
    ) throws(ONNXRuntimeError) -> [Float] {
        let (symbols, frames) = (durations.count, durations.reduce(0, +))
        var blurred = [Float](repeating: 0, count: shape.channels * frames)
        for channel in 0..<shape.channels {
            var place = channel * frames
            for symbol in 0..<symbols where durations[symbol] > 0 {
                let mean = means.values[channel * symbols + symbol]
                let deviation = exp(deviations.values[channel * symbols + symbol]) * scale
                for _ in 0..<durations[symbol] {
                    blurred[place] = mean + (scale == 0 ? 0 : deviation * noise.next())
                    place += 1
                }
            }
        }
        return blurred
    }
}

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

/// Cuts a latent into windows that are decoded separately and give the same sound as one pass.
struct DecoderWindows {
    /// A window: its own frames, and the frames that are decoded for them.
    struct Window: Sendable, Hashable {
        /// The frames whose sound it gives.
        let frames: Range<Int>
        /// The frames that are decoded: ``frames`` with a halo on both sides, where frames exist.
        let decoded: Range<Int>
        /// For each stage the part of its tensor that is kept, in samples from the tensor's first.
        let cuts: [Range<Int>]
        /// The part of the decoded sound that belongs to ``frames``, in samples.
        let sound: Range<Int>
    }

    /// Frames of the first window, which delays the first sound: three quarters of a second in a voice of 22,050 Hz.
    static let first = 64
    /// Frames of the other windows.
    ///
    /// A decoder's tensors then fit into the processor's cache: with 128 frames a sentence takes 1 % less time than
    /// whole, with 64 it takes 3 % more (measured with a medium voice of 500 frames, ONNX Runtime 1.31.1, one
    /// thread).
    static let others = 128

    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - shape: The shape of the decoder.
    /// - Returns: Consecutive windows that cover all frames; they depend only on the number of frames and the shape.
    static func windows(of frames: Int, in shape: DecoderShape) -> [Window] {
        // A short sentence is cut evenly, so that it keeps two or four lanes busy until its end.
        let isShort = frames <= 4 * first
        let even = max(first / 2, (frames + 3) / 4)
        var windows: [Window] = []
        var start = 0
        while start < frames {
            var end = min(frames, start + (isShort ? even : start == 0 ? first : others))
            // A last window of a few frames would be nearly all halo.
            if frames - end < first / 4 { end = frames }
            windows.append(window(start..<end, of: frames, in: shape))
            start = end
        }
        return windows
    }

    private static func window(_ own: Range<Int>, of frames: Int, in shape: DecoderShape) -> Window {
        let decoded = max(0, own.lowerBound - shape.halo)..<min(frames, own.upperBound + shape.halo)
        // The start of the decoded part, and samples in each frame, at the stage before.
        var (start, rate) = (decoded.lowerBound, 1)
        var cuts: [Range<Int>] = []
        for stage in shape.stages {
            let wanted =
                max(
                    0,
                    own.lowerBound * stage.rate - stage.halo
                )..<min(frames * stage.rate, own.upperBound * stage.rate + stage.halo)
            let origin = start * (stage.rate / rate)
            cuts.append(wanted.moved(by: -origin))
            (start, rate) = (wanted.lowerBound, stage.rate)
        }
        let origin = start * (shape.hop / rate)
        let sound = own.lowerBound * shape.hop - origin..<own.upperBound * shape.hop - origin
        return Window(frames: own, decoded: decoded, cuts: cuts, sound: sound)
    }
}
