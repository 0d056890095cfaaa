import Foundation

/// The times of speech and silence in a recording of one person.
///
/// It uses loudness: sound that is much quieter than the loudest part, or hardly above the background noise, is not
/// speech.
struct SpokenStretches: Sendable, Hashable {
    /// The interval between values, in seconds.
    private static let step = 0.01
    /// The length of the window for a value, in seconds.
    private static let window = 0.02
    /// The level below which sound counts as silence, in dBFS.
    private static let quietest = -60.0
    /// How far below the loudest speech may be, in decibels.
    private static let depth = 35.0
    /// Sound that varies less, in decibels, is a hum or a hiss.
    private static let leastChange = 9.0
    /// Shorter sounds by themselves are clicks, in seconds.
    private static let shortest = 0.05

    /// In seconds, in order, separated by pauses of at least ``SoundPicture/shortestPause``.
    let stretches: [TakeScore.Time]

    init(in clip: AudioClip) {
        let levels = Self.levels(of: clip)
        guard let threshold = Self.threshold(of: levels) else {
            stretches = []
            return
        }
        let gap = Int((SoundPicture.shortestPause / Self.step).rounded())
        var joined: [Range<Int>] = []
        for (index, level) in levels.enumerated() where level > threshold {
            if let last = joined.last, index - last.upperBound < gap {
                joined[joined.count - 1] = last.lowerBound..<index + 1
            } else {
                joined.append(index..<index + 1)
            }
        }
        joined.removeAll { $0.count < Int(Self.shortest / Self.step) }
        stretches = joined.map { Double($0.lowerBound) * Self.step..<Double($0.upperBound) * Self.step }
    }

    /// The silences between them.
    var pauses: [TakeScore.Time] {
        zip(stretches, stretches.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    }

    /// From the first sound to the last, in seconds.
    var seconds: Double {
        guard let first = stretches.first, let last = stretches.last else { return 0 }
        return last.upperBound - first.lowerBound
    }

    /// The level above which a window is speech; `nil` when no window is.
    private static func threshold(of levels: [Double]) -> Double? {
        let sorted = levels.sorted()
        guard let loudest = sorted.last else { return nil }
        let top = sorted[(sorted.count - 1) * 95 / 100]
        let floor = max(sorted[sorted.count / 20], quietest - depth)
        // A word in a long silence is not among the loudest twentieth.
        let level = max(top, loudest - 12)
        guard level > quietest, level - floor >= leastChange else { return nil }
        return max(quietest, level - depth, floor + (level - floor) / 4)
    }

    /// In dBFS.
    private static func levels(of clip: AudioClip) -> [Double] {
        let length = max(1, Int(window * Double(clip.sampleRate)))
        let count = Int(clip.seconds / step)
        return (0..<count).map { clip.loudness(from: Int(Double($0) * step * Double(clip.sampleRate)), count: length) }
    }
}

extension AudioClip {
    /// The lowest level that differs from silence, in dBFS.
    static let silence = -96.0

    /// The level of some samples, in dBFS; at least ``silence``.
    func loudness(from start: Int, count: Int) -> Double {
        let end = min(samples.count, start + count)
        guard start < end else { return Self.silence }
        let power = samples.withUnsafeBufferPointer { samples in
            var power: Float = 0
            for index in start..<end { power += samples[index] * samples[index] }
            return Double(power) / Double(end - start)
        }
        return power > 0 ? max(Self.silence, 10 * log10(power)) : Self.silence
    }
}

/// A person's turn to repeat a segment: whether they have spoken and fallen silent.
///
/// It has no clock and no detector: the windows of the turn's sound go to ``add(_:)``.
package struct SpokenTurn: Sendable, Hashable {
    /// The least speech and the silence that ends a turn, in windows: 0.3 s and 0.9 s.
    private static let (shortestVoice, longestSilence) = (10, 28)

    /// Windows with speech, and windows without speech since the last of them.
    private var voice = 0
    private var silence = 0

    package init() {}

    /// Whether they have spoken long enough; a click or a cough is forgotten in the silence after it.
    package var hasSpoken: Bool { voice >= Self.shortestVoice }

    /// Whether they have spoken and fallen silent; speech that follows takes it back.
    package var isOver: Bool { hasSpoken && silence >= Self.longestSilence }

    /// Takes the next windows of the turn's sound.
    package mutating func add(_ windows: [VoiceWindow]) {
        for window in windows {
            if window.isSpeech { voice += 1 }
            silence = window.isSpeech ? 0 : silence + 1
            if !hasSpoken, silence >= Self.longestSilence { voice = 0 }
        }
    }
}
