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
    /// Reads samples as the library holds them, at ``Swift/Float/storedFullScale``: ``pcm16`` gives the same ones, but for −32,768.
    package init(pcm16 samples: [Int16], sampleRate: Int) {
        self.init(samples: samples.amplitudes(fullScale: .storedFullScale), sampleRate: sampleRate)
    }

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

// Every sample of every sound passes through these conversions, so they are plain loops over memory. Closures are as fast
// in a release build, but take six times as long in a debug build, with which all tests run.

// libsndfile has two scales: it divides what it reads by 32,768, and multiplies what it writes by 32,767. Sound that is kept
// is therefore read at the second, so that an export has the same samples in every format that loses nothing.

extension Float {
    /// The 16-bit sample that has the amplitude 1 in the library's own sound, takes among it, and in what is written.
    package static var storedFullScale: Float { 32_767 }
    /// The 16-bit sample that would have the amplitude 1 in sound from engines and other programs' files, and in levels.
    package static var fullScale: Float { 32_768 }
}

extension ArraySlice<Float> {
    /// The amplitudes as sound files hold them: at ``Swift/Float/storedFullScale``, values beyond are clipped, and what is
    /// not a number is silence.
    package var pcm16: [Int16] {
        withUnsafeBufferPointer { amplitudes in
            let length = amplitudes.count
            let scale = Float.storedFullScale
            return [Int16](unsafeUninitializedCapacity: length) { samples, count in
                guard let source = amplitudes.baseAddress, let target = samples.baseAddress else { return }
                var index = 0
                while index < length {
                    let amplitude = source[index]
                    // NaN does not even equal itself.
                    let clipped: Float =
                        amplitude > 1 ? 1 : amplitude < -1 ? -1 : amplitude == amplitude ? amplitude : 0
                    target[index] = Int16((clipped * scale).rounded(.toNearestOrEven))
                    index += 1
                }
                count = length
            }
        }
    }

    /// The nearest values that a sound file can store; what is not a number is silence.
    package var clipped: [Float] {
        withUnsafeBufferPointer { amplitudes in
            let length = amplitudes.count
            return [Float](unsafeUninitializedCapacity: length) { clipped, count in
                guard let source = amplitudes.baseAddress, let target = clipped.baseAddress else { return }
                var index = 0
                while index < length {
                    let amplitude = source[index]
                    target[index] = amplitude > 1 ? 1 : amplitude < -1 ? -1 : amplitude == amplitude ? amplitude : 0
                    index += 1
                }
                count = length
            }
        }
    }
}

extension [Int16] {
    /// Reads samples as sound files hold them: little-endian, as every machine is that Swift runs on.
    ///
    /// An odd last byte is left out.
    package init(samplesIn bytes: UnsafeRawBufferPointer) {
        let length = bytes.count / MemoryLayout<Int16>.size
        self.init(unsafeUninitializedCapacity: length) { samples, count in
            guard let source = bytes.baseAddress, let target = samples.baseAddress else { return }
            UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: length * MemoryLayout<Int16>.size)
            count = length
        }
    }

    /// Converts samples of sound files.
    ///
    /// - Parameter fullScale: The sample that has the amplitude 1.
    /// - Returns: Their amplitudes.
    package func amplitudes(fullScale: Float) -> [Float] {
        let length = count
        return withUnsafeBufferPointer { samples in
            [Float](unsafeUninitializedCapacity: length) { amplitudes, count in
                guard let source = samples.baseAddress, let target = amplitudes.baseAddress else { return }
                var index = 0
                while index < length {
                    target[index] = Float(source[index]) / fullScale
                    index += 1
                }
                count = length
            }
        }
    }
}

/// 16-bit mono sound, oldest sample first, in which silence is a number until it is read.
package struct SampleRuns: Sendable, Hashable {
    private enum Run: Sendable, Hashable {
        case sound([Int16])
        case silence(Int)

        var count: Int {
            switch self {
            case .sound(let samples): samples.count
            case .silence(let count): count
            }
        }
    }

    private var runs: [Run] = []
    /// How many samples there are in all.
    package private(set) var count = 0

    package init() {}

    package init(_ samples: [Int16]) { append(samples) }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ samples: [Int16]) {
        guard !samples.isEmpty else { return }
        runs.append(.sound(samples))
        count += samples.count
    }

    /// - Parameter silence: How many samples of it, not negative.
    package mutating func append(silence: Int) {
        guard silence > 0 else { return }
        if case .silence(let before) = runs.last {
            runs[runs.count - 1] = .silence(before + silence)
        } else {
            runs.append(.silence(silence))
        }
        count += silence
    }

    package mutating func append(_ others: SampleRuns) {
        for run in others.runs {
            switch run {
            case .sound(let samples): append(samples)
            case .silence(let count): append(silence: count)
            }
        }
    }

    /// Forgets the first `number` samples, or all there are.
    package mutating func removeFirst(_ number: Int) {
        var left = min(number, count)
        count -= left
        var gone = 0
        while left > 0 {
            let run = runs[gone]
            if run.count <= left {
                left -= run.count
                gone += 1
                continue
            }
            switch run {
            case .sound(let samples): runs[gone] = .sound(Array(samples[left...]))
            case .silence(let count): runs[gone] = .silence(count - left)
            }
            left = 0
        }
        runs.removeFirst(gone)
    }

    /// Reads samples from `start` on.
    ///
    /// - Parameters:
    ///   - start: The index of the first sample, from 0.
    ///   - limit: The most samples to return, above 0.
    /// - Returns: At least one sample if there is one from `start` on; possibly fewer than `limit`.
    package func samples(from start: Int, limit: Int) -> [Int16] {
        var place = start
        for run in runs {
            guard place >= run.count else {
                switch run {
                case .sound(let samples): return Array(samples[place..<min(samples.count, place + limit)])
                case .silence(let count): return Array(repeating: 0, count: min(count - place, limit))
                }
            }
            place -= run.count
        }
        return []
    }

    /// All of it; for short sounds.
    package var samples: [Int16] {
        runs.flatMap { run -> [Int16] in
            switch run {
            case .sound(let samples): samples
            case .silence(let count): Array(repeating: 0, count: count)
            }
        }
    }
}
