package import EchoText
import Glibc

/// Plays speech as it is made, and holds its maker back to the pace of listening.
package actor LoudspeakerSink: PlaybackSink {
    /// A way to a loudspeaker.
    package enum Route: Sendable, Hashable {
        /// PulseAudio or PipeWire; `server` is an address as in `PULSE_SERVER`, or `nil` for the person's own.
        case pulseAudio(server: String? = nil)
        /// ALSA; `device` is a name as `aplay -D` takes it.
        case alsa(device: String = "default")
    }

    private nonisolated let executor = BlockingExecutor(label: "loudspeaker")
    private nonisolated let interruption: WaitInterruption
    private let sampleRate: Int
    /// `nil` before it is opened and once it is closed.
    private var device: (any PlaybackDevice)?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the first of `routes` that works.
    ///
    /// - Parameters:
    ///   - sampleRate: Of the clips to come, in hertz.
    ///   - routes: In order of preference.
    /// - Throws: ``AudioFileError/noSoundOutput`` when none does.
    package init(sampleRate: Int, routes: [Route] = [.pulseAudio(), .alsa()]) async throws {
        precondition(sampleRate > 0, "playing needs a sample rate above 0 Hz, got \(sampleRate)")
        self.sampleRate = sampleRate
        interruption = try WaitInterruption()
        try await open(routes)
    }

    private func open(_ routes: [Route]) async throws {
        for route in routes where device == nil {
            device =
                switch route {
                case .pulseAudio(let server): PulseAudioDevice(server: server, sampleRate: sampleRate)
                case .alsa(let name): ALSADevice(name: name, sampleRate: sampleRate)
                }
        }
        guard device != nil else { throw AudioFileError.noSoundOutput }
    }

    /// Plays `clip`; returns when all but the last fifth of a second has been heard.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when the task is cancelled or the sink is closed.
    package func append(_ clip: AudioClip) async throws {
        precondition(clip.sampleRate == sampleRate, "opened for \(sampleRate) Hz, got a clip of \(clip.sampleRate) Hz")
        try Task.checkCancellation()
        let step = max(1, sampleRate / 20)
        for start in stride(from: 0, to: clip.samples.count, by: step) {
            // Both are looked at every 50 ms: the task may be cancelled, or the sink discarded by another.
            guard let device, !Task.isCancelled, !interruption.isSet else { throw CancellationError() }
            try device.play(clip.samples[start..<min(start + step, clip.samples.count)].pcm16)
        }
        guard device != nil else { throw CancellationError() }
    }

    package func finish() async throws {
        try Task.checkCancellation()
        try device?.drain()
        device = nil
    }

    package func flush() { device?.flush() }

    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await close()
    }

    private func close() {
        device?.flush()
        device = nil
    }
}

/// Playback by this machine's loudspeaker, its pace changed by Rubber Band.
package struct Loudspeaker: PlaybackOutput {
    private let routes: [LoudspeakerSink.Route]

    /// - Parameter routes: Ways to it, in order of preference.
    package init(routes: [LoudspeakerSink.Route] = [.pulseAudio(), .alsa()]) {
        self.routes = routes
    }

    package func open(sampleRate: Int) async throws -> any PlaybackSink {
        try await LoudspeakerSink(sampleRate: sampleRate, routes: routes)
    }

    package func stretcher(sampleRate: Int, speed: Double) -> any TempoStretcher {
        RubberBandTempo(sampleRate: sampleRate, speed: speed)
    }
}

/// An open way to a loudspeaker: mono, 16 bits.
///
/// Its calls block; only ``LoudspeakerSink`` makes them, on its queue.
protocol PlaybackDevice: AnyObject {
    /// Waits until `samples` have found room in the device's buffer, which holds about a fifth of a second.
    func play(_ samples: [Int16]) throws(AudioFileError)

    /// Waits until everything has been heard.
    func drain() throws(AudioFileError)

    /// Falls silent at once, and can play again.
    func flush()
}

/// A shared library opened at run time, because a machine without it is still a machine to work on.
///
/// It is never closed: what was looked up in it stays valid.
struct LoadedLibrary {
    private let image: UnsafeMutableRawPointer

    /// `nil` when the system cannot find or load it.
    init?(_ name: String) {
        guard let image = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.image = image
    }

    /// The function called `name`, which must have the type asked for; `nil` when the library lacks it.
    func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
        dlsym(image, name).map { unsafeBitCast($0, to: type) }
    }
}
