import Foundation

/// Discrete Fourier transforms of real numbers, several rows at a time.
///
/// Two rows are the real and the imaginary parts of one complex transform; transforms lie side by side, so that each step is a loop
/// over neighbouring numbers.
///
/// - SeeAlso: W. T. Cochran et al., “What is the fast Fourier transform?”, 1967, which has the self-sorting form by T. G. Stockham.
struct FourierTransform: Sendable {
    /// One division of all transforms by a factor of their length.
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
