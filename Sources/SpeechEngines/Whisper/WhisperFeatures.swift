import EchoText
import Foundation

/// Turns sound into what Whisper hears: the logarithm of its power in bands that are as wide as an ear's.
///
/// - SeeAlso: `log_mel_spectrogram` of `whisper/audio.py` in github.com/openai/whisper; `librosa.filters.mel` for the bands, by
///   M. Slaney, “Auditory Toolbox”, 1998.
struct WhisperFeatures: Sendable {
    /// A band's share of each of some neighboring frequencies.
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

/// Discrete Fourier transforms of real numbers, several rows at a time.
///
/// Two rows are the real and the imaginary parts of one complex transform; transforms lie side by side, so that each step is a loop
/// over neighboring numbers.
///
/// - SeeAlso: W. T. Cochran et al., “What is the fast Fourier transform?”, 1967, which has the self-sorting form by T. G. Stockham.
struct FourierTransform: Sendable {
    /// A division of all transforms by a factor of their length.
    private struct Stage: Sendable {
        let radix: Int
        /// How many numbers a transform has after the division.
        let rest: Int
        /// How far apart the numbers of a transform lie.
        let stride: Int
        /// The real and imaginary part of each factor, in the order in which they are needed.
        let factors: [Double]
    }

    /// How many complex transforms there are at a time.
    private static let lanes = 8
    /// How many rows are transformed at a time.
    static let rows = 2 * lanes

    /// How many numbers a row has.
    let length: Int
    /// How many frequencies a row of real numbers has, from none to half the sample rate.
    var bins: Int { length / 2 + 1 }
    private let stages: [Stage]

    /// - Parameter factors: Their product is the length of a row.
    init(factors: [Int]) {
        length = factors.reduce(1, *)
        var (size, stride) = (length, Self.lanes)
        stages = factors.map { radix in
            let rest = size / radix
            var numbers: [Double] = []
            for position in 0..<rest {
                for output in 0..<radix {
                    for input in 0..<radix {
                        let turns = Double(position * output) / Double(size) + Double(input * output) / Double(radix)
                        numbers += [cos(2 * .pi * turns), -sin(2 * .pi * turns)]
                    }
                }
            }
            defer { (size, stride) = (rest, stride * radix) }
            return Stage(radix: radix, rest: rest, stride: stride, factors: numbers)
        }
    }

    /// Computes the power of each frequency.
    ///
    /// - Parameter sound: ``rows`` rows of ``length`` numbers, one after another.
    /// - Returns: As many rows of ``bins`` numbers.
    func powers(of sound: [Double]) -> [Double] {
        precondition(sound.count == Self.rows * length, "\(sound.count) numbers are not \(Self.rows) rows of \(length)")
        let count = Self.lanes * length
        var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        for lane in 0..<Self.lanes {
            for place in 0..<length {
                real[place * Self.lanes + lane] = sound[2 * lane * length + place]
                imaginary[place * Self.lanes + lane] = sound[(2 * lane + 1) * length + place]
            }
        }
        for stage in stages { Self.divide(&real, &imaginary, by: stage) }
        return powers(real, imaginary)
    }

    private static func divide(_ real: inout [Double], _ imaginary: inout [Double], by stage: Stage) {
        var (newReal, newImaginary) = (real, imaginary)
        let (radix, rest, stride) = (stage.radix, stage.rest, stage.stride)
        real.withUnsafeBufferPointer { real in
            imaginary.withUnsafeBufferPointer { imaginary in
                newReal.withUnsafeMutableBufferPointer { newReal in
                    newImaginary.withUnsafeMutableBufferPointer { newImaginary in
                        var factor = 0
                        for position in 0..<rest {
                            for output in 0..<radix {
                                let to = stride * (radix * position + output)
                                for input in 0..<radix {
                                    let from = stride * (position + rest * input)
                                    let (cosine, sine) = (stage.factors[factor], stage.factors[factor + 1])
                                    factor += 2
                                    if input == 0 {
                                        for lane in 0..<stride {
                                            newReal[to + lane] =
                                                real[from + lane] * cosine - imaginary[from + lane] * sine
                                            newImaginary[to + lane] =
                                                real[from + lane] * sine + imaginary[from + lane] * cosine
                                        }
                                    } else {
                                        for lane in 0..<stride {
                                            newReal[to + lane] +=
                                                real[from + lane] * cosine - imaginary[from + lane] * sine
                                            newImaginary[to + lane] +=
                                                real[from + lane] * sine + imaginary[from + lane] * cosine
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        (real, imaginary) = (newReal, newImaginary)
    }

    /// Takes the two rows of each transform apart.
    private func powers(_ real: [Double], _ imaginary: [Double]) -> [Double] {
        var powers = [Double](repeating: 0, count: Self.rows * bins)
        for lane in 0..<Self.lanes {
            for bin in 0..<bins {
                let place = bin * Self.lanes + lane
                let mirrored = (length - bin) % length * Self.lanes + lane
                let first = (real[place] + real[mirrored], imaginary[place] - imaginary[mirrored])
                let second = (imaginary[place] + imaginary[mirrored], real[mirrored] - real[place])
                powers[2 * lane * bins + bin] = (first.0 * first.0 + first.1 * first.1) / 4
                powers[(2 * lane + 1) * bins + bin] = (second.0 * second.0 + second.1 * second.1) / 4
            }
        }
        return powers
    }
}
