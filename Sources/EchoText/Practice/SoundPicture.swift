import Foundation

/// Pitch and loudness over time, as they are drawn.
package struct SoundPicture: Sendable, Hashable, Codable {
    /// The shortest silence that counts as a pause, in seconds.
    package static let shortestPause = 0.25

    /// The interval between values, in seconds.
    package let step: Double
    /// In hertz; `nil` where the sound has no pitch.
    package let pitch: [Double?]
    /// In dBFS.
    package let loudness: [Double]

    package init(step: Double, pitch: [Double?], loudness: [Double]) {
        self.step = step
        self.pitch = pitch
        self.loudness = loudness
    }
}

extension SoundPicture {
    /// The usual interval between values, in seconds.
    private static let usualStep = 0.02
    /// The most values.
    private static let maximum = 3_000

    /// The picture of `clip`.
    package init(of clip: AudioClip) {
        let step = max(Self.usualStep, clip.seconds / Double(Self.maximum))
        let finder = PitchFinder(of: clip)
        let times = (0..<Int(clip.seconds / step)).map { Double($0) * step }
        let width = Int(0.04 * Double(clip.sampleRate))
        let loudness = times.map { clip.loudness(from: Int($0 * Double(clip.sampleRate)), count: width) }
        let pitch = zip(times, loudness).map { $1 > PitchFinder.quietest ? finder.pitch(at: $0) : nil }
        self.init(
            step: step,
            pitch: Self.smoothed(pitch).map { $0.map { ($0 * 10).rounded() / 10 } },
            loudness: loudness.map { ($0 * 10).rounded() / 10 }
        )
    }

    /// Each value the median of itself and its neighbors, so that a slip of an octave is not seen.
    private static func smoothed(_ pitch: [Double?]) -> [Double?] {
        pitch.indices.map { index in
            guard pitch[index] != nil else { return nil }
            let near = pitch[max(0, index - 2)..<min(pitch.count, index + 3)].compactMap(\.self).sorted()
            return near[near.count / 2]
        }
    }
}

/// Finds the pitch of a voice by YIN.
///
/// - SeeAlso: Alain de Cheveigné and Hideki Kawahara, “YIN, a fundamental frequency estimator for speech and music” (2002).
struct PitchFinder {
    /// Voices from the lowest to those of children, in hertz.
    private static let voices = 60.0...500.0
    /// Aperiodicity up to which the first period is taken, and up to which a sound has a pitch at all.
    private static let (certain, possible) = (0.15, 0.3)
    /// The quietest sound that has a pitch, in dBFS.
    static let quietest = -60.0
    /// Enough for the pitch of a voice, in hertz.
    private static let rate = 8_000

    private let samples: [Float]
    private let rate: Double
    private let lags: ClosedRange<Int>
    private let window: Int

    init(of clip: AudioClip) {
        let step = max(1, clip.sampleRate / Self.rate)
        let rate = Double(clip.sampleRate) / Double(step)
        samples = stride(from: 0, to: clip.samples.count - step + 1, by: step).map { start in
            clip.samples[start..<start + step].reduce(0, +) / Float(step)
        }
        self.rate = rate
        let shortest = max(2, Int(rate / Self.voices.upperBound))
        // A sound of less than 120 Hz has no lag of a voice.
        lags = shortest...max(shortest, Int(rate / Self.voices.lowerBound))
        window = Int(0.025 * rate)
    }

    /// Returns the pitch of the window that begins at a time.
    ///
    /// - Parameter time: In seconds.
    /// - Returns: In hertz; `nil` where the sound has none.
    func pitch(at time: Double) -> Double? {
        let start = Int(time * rate)
        guard start >= 0, start + window + lags.upperBound + 1 < samples.count else { return nil }
        let aperiodicity = aperiodicity(from: start)
        guard let lag = period(in: aperiodicity) else { return nil }
        let exact = Double(lag) + Self.shift(aperiodicity[lag - 1], aperiodicity[lag], aperiodicity[lag + 1])
        let pitch = rate / exact
        return Self.voices.contains(pitch) ? pitch : nil
    }

    /// The cumulative mean normalized difference of each lag from 0 to one beyond the longest.
    private func aperiodicity(from start: Int) -> [Double] {
        var values = [Double](repeating: 1, count: lags.upperBound + 2)
        samples.withUnsafeBufferPointer { samples in
            var sum = 0.0
            for lag in 1..<values.count {
                var difference: Float = 0
                for index in start..<start + window {
                    let change = samples[index] - samples[index + lag]
                    difference += change * change
                }
                sum += Double(difference)
                values[lag] = sum > 0 ? Double(difference) * Double(lag) / sum : 1
            }
        }
        return values
    }

    /// The first lag at the bottom of a dip that is deep enough, or the deepest of all.
    private func period(in values: [Double]) -> Int? {
        var lag = lags.lowerBound
        while lag < lags.upperBound {
            if values[lag] < Self.certain {
                while lag < lags.upperBound, values[lag + 1] < values[lag] { lag += 1 }
                return lag
            }
            lag += 1
        }
        guard let deepest = lags.min(by: { values[$0] < values[$1] }), values[deepest] < Self.possible else {
            return nil
        }
        return deepest
    }

    /// Interpolates the position of a minimum between its neighbors with a parabola through three values.
    private static func shift(_ before: Double, _ middle: Double, _ after: Double) -> Double {
        let curve = before - 2 * middle + after
        return curve > 0 ? max(-0.5, min(0.5, (before - after) / (2 * curve))) : 0
    }
}
