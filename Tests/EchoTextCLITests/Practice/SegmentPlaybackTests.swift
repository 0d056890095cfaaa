import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("A segment that is played in the terminal")
struct SegmentPlaybackTests {
    private let clock = ManualClock()
    /// A quarter of a second.
    private let sound = AudioClip(samples: Array(repeating: 0.5, count: 4_000), sampleRate: 16_000)

    @Test("takes its time where there is no loudspeaker, and goes on where it was stopped")
    func withoutLoudspeaker() async throws {
        let playback = SegmentPlayback(of: sound, by: NoLoudspeaker(), isSilent: true, clock: clock)
        let first = Task { try await playback.play() }
        await clock.endShortestSleep()
        try await waitUntil("it goes on") { clock.sleeperCount > 0 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await playback.play() }
        var slept = Duration.zero
        for _ in 0..<2 { slept += await clock.endShortestSleep() }
        try await second.value
        #expect(abs(slept / .seconds(1) - 0.15) < 0.000_001)
    }

    @Test("says so when there is none and nobody knew")
    func unknown() async {
        let playback = SegmentPlayback(of: sound, by: NoLoudspeaker(), isSilent: false, clock: clock)
        await #expect(throws: AudioFileError.self) { try await playback.play() }
    }
}

private struct NoLoudspeaker: PlaybackOutput {
    func open(sampleRate: Int) async throws -> any AudioSink { throw AudioFileError.noSoundOutput }

    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher { throw AudioFileError.noSoundOutput }
}
