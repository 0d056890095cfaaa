import EchoText
import Foundation

/// Plays one segment, and can be stopped in it and resumed.
actor SegmentPlayback {
    /// What is played between two looks at whether it was stopped, in seconds.
    private static let piece = 0.1

    private let sound: AudioClip
    private let output: any PlaybackOutput
    /// In samples.
    private var position = 0
    private let isSilent: Bool
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - sound: The segment.
    ///   - output: The loudspeaker.
    ///   - isSilent: Whether it is known that there is none, so that only the time passes.
    ///   - clock: Measures that time.
    init(
        of sound: AudioClip,
        by output: any PlaybackOutput,
        isSilent: Bool,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.sound, self.output, self.isSilent, self.clock) = (sound, output, isSilent, clock)
    }

    /// Plays on from where it was stopped, to the end.
    ///
    /// Without a loudspeaker as much time passes.
    ///
    /// - Throws: `CancellationError` when it is stopped, ``AudioFileError``.
    func play() async throws {
        let sink = isSilent ? nil : try await output.open(sampleRate: sound.sampleRate)
        do {
            let length = max(1, Int(Self.piece * Double(sound.sampleRate)))
            while position < sound.samples.count {
                try Task.checkCancellation()
                let end = min(position + length, sound.samples.count)
                if let sink {
                    try await sink.append(
                        AudioClip(samples: Array(sound.samples[position..<end]), sampleRate: sound.sampleRate)
                    )
                } else {
                    // The time in which it would be heard, for who reads along: there is no sound whose end could be awaited.
                    try await clock.sleep(for: .seconds(Double(end - position) / Double(sound.sampleRate)))
                }
                position = end
            }
            try await sink?.finish()
        } catch {
            await sink?.discard()
            throw error
        }
    }
}
