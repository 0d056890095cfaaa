import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("A segment that is played in the terminal", .endsInTime)
struct SegmentPlaybackTests {
    private let clock = ManualClock()
    /// A quarter of a second.
    private let sound = AudioClip(samples: Array(repeating: 0.5, count: 4_000), sampleRate: 16_000)

    @Test("takes its time where there is no loudspeaker, and continues where it was stopped")
    func withoutLoudspeaker() async throws {
        let playback = SegmentPlayback(on: SessionLoudspeaker(NoLoudspeaker(), isSilent: true, clock: clock))
        let first = Task { [sound] in try await playback.play(sound) }
        await clock.endShortestSleep()
        try await waitUntil("it continues") { clock.sleeperCount > 0 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { [sound] in try await playback.play(sound) }
        var slept = Duration.zero
        for _ in 0..<2 { slept += await clock.endShortestSleep() }
        try await second.value
        #expect(abs(slept / .seconds(1) - 0.15) < 0.000_001)
    }

    @Test("says so when there is none and nobody knew")
    func unknown() async {
        let playback = SegmentPlayback(on: SessionLoudspeaker(NoLoudspeaker(), clock: clock))
        await #expect(throws: AudioFileError.self) { try await playback.play(sound) }
    }
}

@Suite("The loudspeaker of a session")
struct SessionLoudspeakerTests {
    private let output = MemoryLoudspeaker()
    /// A quarter of a second, and a fifth of a second of silence.
    private let sound = AudioClip(samples: Array(repeating: 0.5, count: 4_000), sampleRate: 16_000)
    private let silence = [Float](repeating: 0, count: 3_200)

    @Test("plays one sound right after the other in one stream")
    func stream() async throws {
        let loudspeaker = SessionLoudspeaker(output)
        for _ in 0..<3 { try await SegmentPlayback(on: loudspeaker).play(sound) }
        #expect(output.streams.map(\.state) == [.open])
        try await loudspeaker.finish()
        #expect(output.streams.map(\.state) == [.finished])
        #expect(output.streams.map(\.samples) == [Array([sound.samples, sound.samples, sound.samples].joined())])
        try await loudspeaker.finish()
        await loudspeaker.release()
        #expect(output.streams.map(\.state) == [.finished], "there is nothing more to close")
    }

    @Test("rests for as many samples as the pause has, those included that let the end of a sound be heard")
    func pause() async throws {
        let loudspeaker = SessionLoudspeaker(output)
        try await loudspeaker.settle()
        try await loudspeaker.rest(for: 1)
        #expect(output.streams.isEmpty, "nothing was played yet")
        try await loudspeaker.play(sound)
        try await loudspeaker.settle()
        #expect(output.streams.map(\.samples) == [sound.samples + silence])
        try await loudspeaker.rest(for: 0.5)
        try await loudspeaker.play(sound)
        try await loudspeaker.settle()
        try await loudspeaker.rest(for: 0.1)
        let pause = [Float](repeating: 0, count: 8_000)
        #expect(output.streams.map(\.samples) == [Array([sound.samples, pause, sound.samples, silence].joined())])
    }

    @Test("plays no more silence than a pause has that is shorter than the delay of the device")
    func shortPause() async throws {
        let loudspeaker = SessionLoudspeaker(output)
        try await loudspeaker.play(sound)
        try await loudspeaker.settle(within: 0.1)
        try await loudspeaker.rest(for: 0.1)
        try await loudspeaker.play(sound)
        let pause = [Float](repeating: 0, count: 1_600)
        #expect(output.streams.map(\.samples) == [Array([sound.samples, pause, sound.samples].joined())])
    }

    @Test("is opened again after it was released, also to rest, and where the sample rate is another")
    func opened() async throws {
        let loudspeaker = SessionLoudspeaker(output)
        try await loudspeaker.play(sound)
        await loudspeaker.release()
        try await loudspeaker.rest(for: 0.2)
        try await loudspeaker.play(AudioClip(samples: [0.25], sampleRate: 8_000))
        #expect(output.streams.map(\.state) == [.discarded, .finished, .open])
        #expect(output.streams.map(\.sampleRate) == [16_000, 16_000, 8_000])
        #expect(output.streams.map(\.samples) == [sound.samples, silence, [0.25]])
    }

    @Test("falls silent when a sound is stopped, and plays the next one in the same stream")
    func stopped() async throws {
        let (loudspeaker, sound) = (SessionLoudspeaker(output), sound)
        try await loudspeaker.play(sound)
        let stopped = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await loudspeaker.rest(for: 60)
        }
        await #expect(throws: CancellationError.self) { try await stopped.value }
        #expect(output.streams.map(\.state) == [.open] && output.streams.map(\.flushes) == [1])
        try await loudspeaker.play(sound)
        #expect(output.streams.map(\.samples) == [sound.samples + sound.samples])
    }
}

private struct NoLoudspeaker: PlaybackOutput {
    func open(sampleRate: Int) async throws -> any PlaybackSink { throw AudioFileError.noSoundOutput }

    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher { throw AudioFileError.noSoundOutput }
}
