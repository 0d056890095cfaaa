import Foundation
import Synchronization

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
