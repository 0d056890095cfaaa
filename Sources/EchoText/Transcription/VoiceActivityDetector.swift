import Foundation
import Synchronization

/// Tells speech from everything else: the port of voice activity detectors.
package protocol VoiceActivityDetector: Sendable {
    /// Whether a model decides, which knows a voice from other sounds, and a whisper from noise.
    var isTrained: Bool { get }

    /// - Throws: ``RecognitionError``.
    func open() async throws -> any VoiceActivitySession
}

extension VoiceActivityDetector {
    package var isTrained: Bool { true }
}

/// A detector for one sound, from its start.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks: the windows do not depend on
/// how the sound is divided into clips; silence and white noise are not speech.
package protocol VoiceActivitySession: Closeable {
    /// Analyzes the next clip of the sound, at ``RecognitionClip/sampleRate``.
    ///
    /// - Returns: The windows completed by it, in order.
    func detect(_ clip: AudioClip) async throws -> [VoiceWindow]
}

/// 512 samples of a sound, which are 32 ms.
package struct VoiceWindow: Sendable, Hashable, Codable {
    /// How many samples, at ``RecognitionClip/sampleRate``.
    package static let samples = 512

    package var isSpeech: Bool
    /// The root mean square of its samples in dBFS, -120 at the lowest.
    package var level: Float

    package init(isSpeech: Bool, level: Float) {
        (self.isSpeech, self.level) = (isSpeech, level)
    }
}

extension VoiceWindow {
    /// The lowest level that is reported, in dBFS.
    package static let lowestLevel: Float = -120

    /// The level of a window's samples, as ``level`` has it.
    package static func level(of samples: some Sequence<Float>) -> Float {
        let power = samples.reduce(into: 0.0) { $0 += Double($1) * Double($1) } / Double(Self.samples)
        return power > 0 ? max(lowestLevel, Float(10 * log10(power))) : lowestLevel
    }
}

/// Cuts a sound that arrives in clips into windows of ``VoiceWindow/samples``.
package struct VoiceWindowCutter: Sendable {
    private var rest: [Float] = []

    package init() {}

    /// Adds a clip.
    ///
    /// - Returns: The samples of all windows completed by it, in sequence, each sample from -1 to 1.
    package mutating func cut(_ clip: AudioClip) -> [Float] {
        rest += clip.samples.lazy.map { $0.clipped }
        let count = rest.count / VoiceWindow.samples * VoiceWindow.samples
        defer { rest.removeFirst(count) }
        return Array(rest[..<count])
    }
}

/// Takes away a constant that a cheap sound card adds to all samples, beside which a quiet voice is nothing.
///
/// Sound without one stays as it is, bit by bit.
package struct OffsetFilter: Sendable {
    /// The least constant that hides a voice.
    private static let least: Float = 0.003
    /// Windows over which it is constant: 1 s.
    private static let memory = 31
    /// How much more power than the rest of a window a constant has that is found, so that no thump is taken for one.
    private static let margin: Float = 16

    /// The means of the last windows, in their order.
    private var means: [Float] = []
    private var isFound = false

    package init() {}

    /// The next window of a sound.
    package mutating func filtered(_ window: ArraySlice<Float>) -> [Float] {
        let count = Float(max(1, window.count))
        let mean = window.reduce(Float(0)) { $0 + $1 } / count
        means.append(mean)
        if means.count > Self.memory { means.removeFirst() }
        let isConstant = means.allSatisfy { $0 > Self.least } || means.allSatisfy { $0 < -Self.least }
        let rest = window.reduce(Float(0)) { $0 + ($1 - mean) * ($1 - mean) } / count
        isFound = isConstant && (isFound || rest * Self.margin < mean * mean)
        guard isFound else { return Array(window) }
        let constant = means.reduce(Float(0)) { $0 + $1 } / Float(means.count)
        return window.map { ($0 - constant).clipped }
    }
}

/// Detects speech without a model, by its loudness above the noise and its pitch.
///
/// It mistakes music and other pitched sounds for speech, and misses whispering.
package struct EnergyDetector: VoiceActivityDetector {
    package init() {}

    package var isTrained: Bool { false }

    package func open() async throws -> any VoiceActivitySession { EnergySession() }
}

private final class EnergySession: VoiceActivitySession {
    private struct State {
        var cutter = VoiceWindowCutter()
        var activity = EnergyActivity()
    }

    private let state = Mutex(State())

    func detect(_ clip: AudioClip) async throws -> [VoiceWindow] {
        try Task.checkCancellation()
        return state.withLock { state in
            let samples = state.cutter.cut(clip)
            return stride(from: 0, to: samples.count, by: VoiceWindow.samples).map { start in
                state.activity.next(samples[start..<start + VoiceWindow.samples])
            }
        }
    }

    func close() async {}
}

/// Decides window by window.
///
/// Speech begins with voiced windows, which are louder than the noise and periodic at the pitch of a voice; it
/// continues over the consonants and short pauses between them.
struct EnergyActivity: Sendable {
    /// How much louder than the noise a voiced window is, in decibels.
    private static let margin: Float = 6
    /// The quietest window that can be speech, in dBFS.
    private static let quietest: Float = -60
    /// How much of a voiced window's power repeats itself.
    private static let periodicity = 0.45
    /// Periods of voices from 70 to 400 Hz, in samples.
    private static let periods = 40...228
    /// Voiced windows in a row that begin speech, and windows that it continues after the last of them: 0.3 s.
    private static let (onset, hangover) = (2, 10)
    /// Windows over which the noise is the quietest: 3 s.
    private static let memory = 94
    /// The noise of a quiet room, in dBFS.
    private static let usualNoise: Float = -50

    private var levels: [Float] = []
    private var voicedInARow = 0
    private var left = 0

    mutating func next(_ samples: ArraySlice<Float>) -> VoiceWindow {
        let level = VoiceWindow.level(of: samples)
        levels.append(level)
        if levels.count > Self.memory { levels.removeFirst() }
        // Until enough sound was analyzed, speech at its beginning could be mistaken for the noise.
        let noise = min(levels.min() ?? level, levels.count < Self.memory ? Self.usualNoise : .infinity)
        let isLoud = level > Self.quietest && (level > noise + Self.margin || left > 0)
        let isVoiced = isLoud && Self.isPeriodic(Array(samples))
        voicedInARow = isVoiced ? voicedInARow + 1 : 0
        if voicedInARow >= Self.onset {
            left = Self.hangover
        } else if left > 0, !isVoiced {
            left -= 1
        }
        return VoiceWindow(isSpeech: left > 0, level: level)
    }

    /// Whether the samples are like themselves a voice's period later.
    private static func isPeriodic(_ window: [Float]) -> Bool {
        let mean = window.reduce(0, +) / Float(window.count)
        let samples = window.map { $0 - mean }
        var powers: [Float] = [0]
        for sample in samples { powers.append(powers[powers.count - 1] + sample * sample) }
        let whole = powers[samples.count]
        return periods.contains { period in
            let count = samples.count - period
            var product: Float = 0
            for index in 0..<count { product += samples[index] * samples[index + period] }
            let power = (powers[count] * (whole - powers[period])).squareRoot()
            return Double(product) > periodicity * Double(power) && power > 0
        }
    }
}

/// Brings a quiet sound to a level at which a model finds speech in it; what is heard and kept stays as it is.
///
/// The level is that of the louder windows of the last seconds, so that neither pauses nor a cough set it. Loud sound is left alone.
package struct DetectionLevel: Sendable {
    /// The level of the louder windows after amplification, in dBFS.
    private static let target: Float = -32
    /// In decibels.
    private static let mostGain: Float = 40
    /// Windows that are remembered: 5 s.
    private static let memory = 156
    /// The share of windows that are quieter than the louder ones.
    private static let quietShare = 0.8
    /// The level below which there is no sound of a room, in dBFS.
    private static let faintest: Float = -90
    /// The highest sample that comes of a gain.
    private static let highest: Float = 0.9
    /// The most that the gain rises from one window to the next, in decibels.
    private static let rise: Float = 3

    /// The levels of the last windows, in their order.
    private var levels: [Float] = []
    /// The same, from the quietest to the loudest.
    private var sorted: [Float] = []
    /// In decibels; `nil` before the first window.
    private var gain: Float?

    package init() {}

    /// A window's samples as the detector is to get them.
    ///
    /// - Parameters:
    ///   - window: The next window's samples.
    ///   - level: Its level, in dBFS.
    /// - Returns: As many samples, within -1 and 1 where those of `window` are.
    package mutating func leveled(_ window: ArraySlice<Float>, level: Float) -> [Float] {
        if level > Self.faintest { remember(level) }
        let peak = window.reduce(Float(0)) { max($0, abs($1)) }
        let limit = peak > 0 ? 20 * log10(Self.highest / peak) : Self.mostGain
        let wanted = max(0, min(Self.mostGain, min(limit, Self.target - louder)))
        let old = gain ?? wanted
        let new = min(wanted, old + Self.rise)
        gain = new
        guard old != 0 || new != 0 else { return Array(window) }
        let (first, last) = (pow(10, old / 20), pow(10, new / 20))
        let step = (last - first) / Float(max(1, window.count))
        return window.enumerated().map { index, sample in
            max(-1, min(1, sample * (first + step * Float(index + 1))))
        }
    }

    /// The level of the louder windows, in dBFS; the target where there are none.
    private var louder: Float {
        sorted.isEmpty ? Self.target : sorted[min(sorted.count - 1, Int(Double(sorted.count) * Self.quietShare))]
    }

    private mutating func remember(_ level: Float) {
        levels.append(level)
        let index = place(of: level)
        sorted.insert(level, at: index)
        guard levels.count > Self.memory else { return }
        let oldest = levels.removeFirst()
        sorted.remove(at: place(of: oldest))
    }

    /// Where `level` is, or belongs, among the sorted ones.
    private func place(of level: Float) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < level { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
