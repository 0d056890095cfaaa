import Synchronization

/// Measures the real-time factor of an engine while it is used.
///
/// Only the engine's own working time counts, so neither a slow listener nor cached speech changes the figure. The
/// first utterance does not count, since the voice may have to be loaded for it.
package struct MeasuringSynthesizer: SpeechSynthesizer {
    private let synthesizer: any SpeechSynthesizer
    private let pace: RealTimeFactorMeter

    /// - Parameters:
    ///   - synthesizer: The synthesizer to measure.
    ///   - clock: Measures the working time.
    package init(_ synthesizer: any SpeechSynthesizer, clock: any Clock<Duration>) {
        self.synthesizer = synthesizer
        pace = RealTimeFactorMeter(clock: clock)
    }

    /// Seconds of speech in a second of work; `nil` before there is enough speech to measure.
    package var speed: Double? { pace.speed }

    package func voices() async throws -> [Voice] { try await synthesizer.voices() }

    package func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        pace.begin()
        var sound = 0.0
        defer { pace.end(sound) }
        try await synthesizer.speak(utterance) { fragment in
            sound += Double(fragment.clip.samples.count) / Double(fragment.clip.sampleRate)
            try await deliver(fragment)
        }
    }
}

/// How much speech was made, and how long someone was at it.
private final class RealTimeFactorMeter: Sendable {
    private struct State {
        /// How many utterances are being spoken.
        var speaking = 0
        /// Since when someone speaks without a break.
        var since = Duration.zero
        var work = Duration.zero
        /// The duration of the sound, in seconds.
        var sound = 0.0
        var isWarm = false
    }

    /// The least speech for a measurement, in seconds.
    private static let measuredSound = 10.0

    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    init(clock: any Clock<Duration>) {
        elapsed = clock.stopwatch()
    }

    var speed: Double? {
        state.withLock { state in
            let seconds = state.work / .seconds(1)
            return state.sound >= Self.measuredSound && seconds > 0 ? state.sound / seconds : nil
        }
    }

    func begin() {
        let now = elapsed()
        state.withLock { state in
            if state.speaking == 0 { state.since = now }
            state.speaking += 1
        }
    }

    func end(_ sound: Double) {
        let now = elapsed()
        state.withLock { state in
            state.speaking -= 1
            if state.isWarm {
                state.sound += sound
                state.work += now - state.since
            }
            state.since = now
            state.isWarm = true
        }
    }
}
