import EchoText
import Foundation
import ONNXFormat

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
        // The largest part is loaded first, when no other memory is in use.
        self.encoder = try session(encoder)
        self.flow = try session(flow)
        decoder = try session(try graph.windowedDecoder())
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
