import EchoText
import Foundation
import ONNXFormat

/// A Piper model that has been taken apart, its three parts loaded.
///
/// Knows nothing of threads: each call runs on the one it is made on, and several may run at once.
final class PiperParts: Sendable {
    /// What of a sentence is known before it sounds.
    struct Latent: Sendable {
        /// `[channels, frames]`, row by row.
        let values: [Float]
        let frames: Int
        /// The speaker's embedding and its dimensions.
        let speaker: ONNXOutput?
        /// Frames of each symbol.
        let durations: [Int]
    }

    /// How much chance there is, and how fast it is said, as the model takes them.
    struct Scales: Sendable {
        var noise: Double
        var length: Double
        var durationNoise: Double
    }

    /// What the tensors are called that go between the parts and the program.
    private struct Names {
        let durations, means, deviations, blurred, sound: String
        let durationNoise: String?

        init(_ graph: PiperGraph) {
            (durations, means, deviations) = (graph.durations, graph.means, graph.deviations)
            (blurred, sound, durationNoise) = (graph.blurred, graph.sound, graph.durationNoise)
        }
    }

    /// Most samples of one sentence: twelve minutes at 22,050 Hz.
    private static let mostSamples = 16 << 20

    let shape: DecoderShape
    /// Whether the whole model asks who speaks.
    let takesSpeaker: Bool
    /// The name of the whole model's sound.
    let output: String
    private let names: Names
    private let encoder: ONNXSession
    private let flow: ONNXSession
    private let decoder: ONNXSession
    /// Which of them ask who speaks.
    private let encoderTakesSpeaker: Bool
    private let flowTakesSpeaker: Bool

    /// Nothing of the model is kept but what ONNX Runtime has made of it.
    ///
    /// - Parameters:
    ///   - model: The whole model.
    ///   - environment: What it runs in.
    ///   - copied: Called when weights of the model have been copied and are not looked at for a while.
    /// - Throws: ``ModelLayout/Obstacle`` for one that cannot be taken apart, or ``ONNXRuntimeError``.
    init(model: ONNXGraph, in environment: ONNXEnvironment, copied: () -> Void = {}) throws {
        let graph = try PiperGraph(model)
        names = Names(graph)
        shape = graph.decoder
        takesSpeaker = model.inputs.contains { $0.name == PiperGraph.Port.speaker }
        output = model.outputs[0].name
        let flow = try graph.flow()
        flowTakesSpeaker = flow.inputs.contains { $0.name == PiperGraph.Port.speaker }
        func session(_ part: ONNXGraph) throws -> ONNXSession {
            let bytes = part.model
            copied()
            return try ONNXSession(model: bytes, in: environment)
        }
        let encoder = graph.encoder
        encoderTakesSpeaker = encoder.inputs.contains { $0.name == PiperGraph.Port.speaker }
        // The largest first, when nothing else is there yet.
        self.encoder = try session(encoder)
        self.flow = try session(flow)
        decoder = try session(try graph.windowedDecoder())
    }

    /// All that is known of a sentence before it sounds.
    ///
    /// - Parameters:
    ///   - symbols: The model's numbers for what is said, with those that begin and end a sentence.
    ///   - speaker: From 0; without meaning in a voice of one person.
    ///   - scales: How it is said.
    ///   - noise: Where chance comes from.
    /// - Returns: What the windows are cut from.
    /// - Throws: ``ONNXRuntimeError``, also for a model that says what cannot be.
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

    /// The sound of a window.
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
        let most = Self.mostSamples / shape.hop
        guard output.values.count == symbols, output.values.allSatisfy({ $0 >= 0 && $0 <= Float(most) }) else {
            throw ONNXRuntimeError(message: "durations that cannot be")
        }
        let durations = output.values.map { Int($0) }
        guard (1...most).contains(durations.reduce(0, +)) else {
            throw ONNXRuntimeError(message: "no sound, or too much")
        }
        return durations
    }

    /// Spreads means over the frames and adds what is drawn around them.
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
