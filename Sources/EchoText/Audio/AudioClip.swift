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
    ///   empty or all zeros, which has no finite level.
    /// - Complexity: O(*n*) in the number of samples.
    /// - SeeAlso: AES17, which refers 0 dBFS to a full-scale *sine*. This figure refers it to a full-scale *square*, so
    ///   it reads 3.01 dB lower for the same clip.
    package var level: Double? {
        guard !samples.isEmpty else { return nil }
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return power > 0 ? 10 * log10(power) : nil
    }
}

extension AudioClip {
    /// The samples as sound files hold them; values beyond full scale are clipped, and what is not a number is silence.
    package var pcm16: [Int16] { samples[...].pcm16 }
}

extension Float {
    /// The nearest value that a sound file can store; NaN is silence.
    package var clipped: Float { isNaN ? 0 : Swift.min(1, Swift.max(-1, self)) }

    /// The sample at ``storedFullScale``.
    package var pcm16: Int16 { Int16((clipped * Self.storedFullScale).rounded(.toNearestOrEven)) }
}

extension AudioClip {
    /// The range of the sound without the quiet at both ends.
    ///
    /// - Parameters:
    ///   - threshold: Root-mean-square amplitude of a window that counts as sound; 0.01 is −40 dBFS.
    ///   - window: Samples per window.
    ///   - offset: Samples of the same phrase before these; windows are counted from the phrase's beginning.
    /// - Returns: A range in samples, empty when there is no sound; its ends are at the ends of windows or of the clip.
    package func soundRange(threshold: Float = 0.004, window: Int = 256, offset: Int = 0) -> Range<Int> {
        let limit = threshold * threshold
        func isSound(at start: Int) -> Bool {
            let stretch = samples[max(start, 0)..<min(start + window, samples.count)]
            return stretch.reduce(0) { $0 + $1 * $1 } > limit * Float(stretch.count)
        }
        let starts = stride(from: -(offset % window), to: samples.count, by: window)
        guard let first = starts.first(where: isSound), let last = starts.reversed().first(where: isSound) else {
            return 0..<0
        }
        return max(first, 0)..<min(last + window, samples.count)
    }

    /// The largest amplitude; 0 without samples.
    package var peak: Float {
        samples.withUnsafeBufferPointer { samples in
            guard let source = samples.baseAddress else { return 0 }
            var peak: Float = 0
            // In a loop over memory, like the conversions of all samples.
            var index = 0
            while index < samples.count {
                let size = source[index].magnitude
                if size > peak { peak = size }
                index += 1
            }
            return peak
        }
    }

    /// Measures how long the sound decays after its end.
    ///
    /// - Parameters:
    ///   - end: Where the sound ends, in samples.
    ///   - peak: The largest amplitude of the sound; 60 dB below it is silence.
    ///   - longest: The most samples that a decay has.
    /// - Returns: The number of samples from `end` to the last that is louder than silence.
    package func decay(after end: Int, peak: Float, longest: Int) -> Int {
        let rest = samples[min(end, samples.count)...].prefix(longest)
        let last = rest.lastIndex { abs($0) > peak / 1_000 }
        return last.map { $0 + 1 - rest.startIndex } ?? 0
    }

    /// Fades the last `count` samples to silence, in a straight line; a shorter clip gets the end of that line.
    package mutating func fadeOut(_ count: Int) {
        for (left, index) in samples.indices.reversed().prefix(count).enumerated() {
            samples[index] *= Float(left) / Float(count)
        }
    }
}
