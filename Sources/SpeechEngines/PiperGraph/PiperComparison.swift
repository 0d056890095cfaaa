import Foundation
import ONNXFormat

/// Compares the parts of a model with the whole model, both without random numbers.
struct PiperComparison {
    /// The largest allowed difference of two samples; a step of 16-bit sound is a third of it.
    static let tolerance: Float = 1e-4
    /// The number of symbols spoken: more than one window's, so that a seam is compared too.
    private static let symbols = 48

    let parts: PiperParts
    let whole: ONNXSession
    let table: [Unicode.Scalar: Int]
    let speakers: Int

    /// Whether both give the same sound for the first and the last of the voice's speakers.
    ///
    /// - Throws: ``ONNXRuntimeError``.
    func holds() throws(ONNXRuntimeError) -> Bool {
        for speaker in Set([0, speakers - 1]) {
            guard try holds(as: speaker) else { return false }
        }
        return true
    }

    private func holds(as speaker: Int) throws(ONNXRuntimeError) -> Bool {
        let scales = PiperParts.Scales(noise: 0, length: 1, durationNoise: 0)
        let numbers = SentenceNumbers(sample, in: table).numbers
        var noise = NormalNoise(seed: 0)
        let latent = try parts.latent(of: numbers, speaker: speaker, scales: scales, noise: &noise)
        var sound: [Float] = []
        for window in DecoderWindows.windows(of: latent.frames, in: parts.shape) {
            sound += try parts.sound(of: window, in: latent)
        }
        let expected = try original(numbers, speaker: speaker)
        return sound.count == expected.count && zip(sound, expected).allSatisfy { abs($0 - $1) <= Self.tolerance }
    }

    private func original(_ numbers: [Int], speaker: Int) throws(ONNXRuntimeError) -> [Float] {
        var inputs = [
            (PiperGraph.Port.symbols, ONNXInput(numbers, [1, numbers.count])),
            (PiperGraph.Port.lengths, ONNXInput([numbers.count], [1])),
            (PiperGraph.Port.scales, ONNXInput([0, 1, 0] as [Float], [3])),
        ]
        if parts.takesSpeaker { inputs.append((PiperGraph.Port.speaker, ONNXInput([speaker], [1]))) }
        return try whole.run(inputs, for: [parts.output])[0].values
    }

    /// Letters and marks of the voice, in the order of their numbers, repeated.
    private var sample: [Unicode.Scalar] {
        let known = table.filter { !["_", "^", "$"].contains($0.key) }.sorted { $0.value < $1.value }.map(\.key)
        guard !known.isEmpty else { return [] }
        return (0..<Self.symbols).map { known[$0 * 7 % known.count] }
    }
}
