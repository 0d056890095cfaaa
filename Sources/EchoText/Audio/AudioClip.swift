import Foundation

/// A finished run of mono speech, held in memory.
///
/// `samples` is one channel, oldest sample first. Each value is a linear amplitude; speech stays in `-1...1`, and
/// a value outside that range is legal until the clip is written to a file, where it is clipped.
package struct AudioClip: Sendable, Hashable {
    package var samples: [Float]

    /// Samples per second, in hertz; always greater than zero.
    package let sampleRate: Int

    /// - Precondition: `sampleRate > 0`.
    package init(samples: [Float], sampleRate: Int) {
        precondition(sampleRate > 0, "a clip needs a sample rate above 0 Hz, got \(sampleRate)")
        self.samples = samples
        self.sampleRate = sampleRate
    }

    /// How long the clip lasts when played at its own rate, in seconds.
    package var seconds: Double { Double(samples.count) / Double(sampleRate) }

    /// The clip's loudness as one number.
    ///
    /// The mean is taken over the whole clip, silence included, so a clip padded with silence reads quieter.
    ///
    /// - Returns: Root-mean-square level in dBFS (0 is full scale, quieter is negative), or `nil` for a clip that is
    ///   empty or all zeros, whose level is not a number.
    /// - Complexity: O(*n*) in the number of samples.
    /// - SeeAlso: AES17, which refers 0 dBFS to a full-scale *sine*. This figure refers it to a full-scale *square*, so
    ///   it reads 3.01 dB lower for the same clip.
    package var level: Double? {
        guard !samples.isEmpty else { return nil }
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return power > 0 ? 10 * log10(power) : nil
    }
}
