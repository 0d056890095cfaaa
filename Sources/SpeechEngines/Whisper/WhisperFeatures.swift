import EchoText
import Foundation

/// Turns sound into what Whisper hears: the logarithm of its power in bands that are as wide as an ear's.
///
/// - SeeAlso: `log_mel_spectrogram` of `whisper/audio.py` in github.com/openai/whisper; `librosa.filters.mel` for the bands, by
///   M. Slaney, “Auditory Toolbox”, 1998.
struct WhisperFeatures: Sendable {
    /// A band's share of each of some neighbouring frequencies.
    private struct Band: Sendable {
        let first: Int
        let shares: [Double]
    }

    /// Samples that Whisper hears at a time: 30 s.
    static let samples = 30 * RecognitionClip.sampleRate
    /// Samples from one frame to the next.
    static let hop = 160
    static let frames = samples / hop
    /// Samples that a frame is made of.
    private static let window = 400
    /// The least power, of which the logarithm is −10.
    private static let least = 1e-10
    /// How far below the loudest a logarithm may be.
    private static let depth: Float = 8

    private let bands: [Band]
    private let weights: [Double]
    private let transform = FourierTransform(factors: [4, 4, 5, 5])

    /// - Parameter bands: 80, or 128 for the third large model and those made of it.
    init(bands: Int) {
        self.bands = Self.bands(bands, bins: transform.bins)
        weights = (0..<Self.window).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.window)) }
    }

    /// - Parameter sound: At ``RecognitionClip/sampleRate``; silence follows it up to 30 s, and what is longer is left out.
    /// - Returns: ``frames`` numbers for each band, one band after another.
    func spectrogram(of sound: [Float]) -> [Float] {
        let heard = min(sound.count, Self.samples)
        let padded = Self.padded(sound.prefix(heard))
        var logarithms = [Float](repeating: -10, count: bands.count * Self.frames)
        // Later frames are silent.
        let last = min(Self.frames, (heard + Self.window / 2 + Self.hop - 1) / Self.hop)
        for start in stride(from: 0, to: last, by: FourierTransform.rows) {
            let powers = transform.powers(of: rows(from: start, of: padded))
            for row in 0..<min(FourierTransform.rows, last - start) {
                for (number, band) in bands.enumerated() {
                    var power = 0.0
                    let place = row * transform.bins + band.first
                    for (index, share) in band.shares.enumerated() { power += share * powers[place + index] }
                    logarithms[number * Self.frames + start + row] = Float(log10(max(power, Self.least)))
                }
            }
        }
        let lowest = (logarithms.max() ?? 0) - Self.depth
        for place in logarithms.indices { logarithms[place] = (max(logarithms[place], lowest) + 4) / 4 }
        return logarithms
    }

    /// The sound with silence behind it, and half a window of its mirror image at both ends.
    private static func padded(_ sound: ArraySlice<Float>) -> [Float] {
        let margin = window / 2
        var whole = Array(sound)
        whole += [Float](repeating: 0, count: samples - whole.count)
        let before = (1...margin).reversed().map { whole[$0] }
        let after = (1...margin).map { whole[samples - 1 - $0] }
        return before + whole + after
    }

    private func rows(from start: Int, of padded: [Float]) -> [Double] {
        var rows = [Double](repeating: 0, count: FourierTransform.rows * Self.window)
        for row in 0..<min(FourierTransform.rows, Self.frames - start) {
            let (from, to) = ((start + row) * Self.hop, row * Self.window)
            for place in 0..<Self.window { rows[to + place] = Double(padded[from + place]) * weights[place] }
        }
        return rows
    }

    // MARK: - Bands

    private static func bands(_ count: Int, bins: Int) -> [Band] {
        let half = Double(RecognitionClip.sampleRate) / 2
        let edges = (0..<count + 2).map { hertz(mel(half) * Double($0) / Double(count + 1)) }
        return (0..<count).map { number in
            let (low, middle, high) = (edges[number], edges[number + 1], edges[number + 2])
            let shares = (0..<bins).map { bin in
                let frequency = half * Double(bin) / Double(bins - 1)
                let share = min((frequency - low) / (middle - low), (high - frequency) / (high - middle))
                return max(0, share) * 2 / (high - low)
            }
            let first = shares.firstIndex { $0 > 0 } ?? 0
            let last = shares.lastIndex { $0 > 0 } ?? 0
            return Band(first: first, shares: Array(shares[first...last]))
        }
    }

    /// Slaney's scale: linear up to 1 kHz, logarithmic from there.
    private static func mel(_ hertz: Double) -> Double {
        hertz < 1_000 ? hertz * 3 / 200 : 15 + 27 * log(hertz / 1_000) / log(6.4)
    }

    private static func hertz(_ mel: Double) -> Double {
        mel < 15 ? mel * 200 / 3 : 1_000 * exp(log(6.4) / 27 * (mel - 15))
    }
}
