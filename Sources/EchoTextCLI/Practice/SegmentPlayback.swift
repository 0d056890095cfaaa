import EchoText
import Foundation

/// Plays one segment; playback can be stopped and resumed.
actor SegmentPlayback {
    /// How many seconds are played between two checks for a stop.
    private static let piece = 0.1

    private let sound: AudioClip
    private let output: any PlaybackOutput
    /// In samples.
    private var position = 0
    private let isSilent: Bool
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - sound: The segment's sound.
    ///   - output: The loudspeaker.
    ///   - isSilent: Whether there is no loudspeaker, so that the segment only takes its time.
    ///   - clock: Measures the time of a silent segment.
    init(
        of sound: AudioClip,
        by output: any PlaybackOutput,
        isSilent: Bool,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.sound, self.output, self.isSilent, self.clock) = (sound, output, isSilent, clock)
    }

    /// Plays to the end from where it was stopped.
    ///
    /// Without a loudspeaker it waits as long as the sound would last.
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
                    // Without sound there is no end of playback to await, so this waits as long as it would last, for a
                    // person who reads along.
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
