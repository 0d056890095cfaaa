package import EchoText

/// Playback by this machine's loudspeaker, its pace changed by Rubber Band.
package struct Loudspeaker: PlaybackOutput {
    private let routes: [LoudspeakerSink.Route]

    /// - Parameter routes: Ways to it, in order of preference.
    package init(routes: [LoudspeakerSink.Route] = [.pulseAudio(), .alsa()]) {
        self.routes = routes
    }

    package func open(sampleRate: Int) async throws -> any AudioSink {
        try await LoudspeakerSink(sampleRate: sampleRate, routes: routes)
    }

    package func stretcher(sampleRate: Int, speed: Double) -> any TempoStretcher {
        RubberBandTempo(sampleRate: sampleRate, speed: speed)
    }
}
