import EchoText
import Foundation
import Synchronization

/// Detects when a person who repeats a segment has spoken and fallen silent.
///
/// It uses a voice activity detector, so that a door or a passing car does not count as speech, and falls back on
/// loudness and pitch when that fails. One listener serves all turns of a session, so that the detector is started
/// once.
actor TurnListener {
    private var detector: any VoiceActivityDetector
    private var opening: Task<any VoiceActivitySession, any Error>?
    private var turn = SpokenTurn()

    init(_ detector: any VoiceActivityDetector) {
        self.detector = detector
    }

    /// Starts the detector, so that no turn has to wait for it.
    func prepare() { _ = session }

    /// Begins another turn.
    func begin() { turn = SpokenTurn() }

    /// Analyzes the next piece of the turn.
    ///
    /// - Parameter samples: At ``RecognitionClip/sampleRate``.
    /// - Returns: Whether the person has spoken and fallen silent.
    func add(_ samples: [Int16]) async -> Bool {
        let clip = AudioClip(pcm16: samples, sampleRate: RecognitionClip.sampleRate)
        turn.add(await windows(in: clip))
        return turn.isOver
    }

    func close() async {
        let closing = opening
        opening = nil
        if let session = try? await closing?.value { await session.close() }
    }

    private func windows(in clip: AudioClip) async -> [VoiceWindow] {
        do {
            return try await session.value.detect(clip)
        } catch {
            await close()
            detector = EnergyDetector()
            // It throws only in a cancelled task, whose turn has ended.
            return (try? await session.value.detect(clip)) ?? []
        }
    }

    /// The detector's session, opened once.
    private var session: Task<any VoiceActivitySession, any Error> {
        if let opening { return opening }
        let opened = Task { [detector] in try await detector.open() }
        opening = opened
        return opened
    }
}

/// Records a person's repetition, and detects when they have fallen silent.
final class TakeCapture: Sendable {
    private struct State {
        var samples: [Int16] = []
        var sampleRate = 0
    }

    private let devices: any CaptureDevices
    private let device: String?
    private let listener: TurnListener?
    private let report: @Sendable (SoundCapture.Event) async -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - devices: The microphones.
    ///   - device: A device that ``CaptureDevices`` lists; `nil` for the default one.
    ///   - listener: Detects when the person has fallen silent; `nil` when that is not needed.
    ///   - report: Receives the level of each piece of sound as it comes, and what is missing of it.
    init(
        from devices: any CaptureDevices,
        device: String?,
        listener: TurnListener? = nil,
        report: @escaping @Sendable (SoundCapture.Event) async -> Void = { _ in }
    ) {
        (self.devices, self.device, self.listener) = (devices, device, listener)
        self.report = report
    }

    /// Records until the task is cancelled; a second run adds to the first.
    ///
    /// - Parameters:
    ///   - longest: The longest recording, in seconds.
    ///   - silent: Called when the person has said something and fallen silent.
    /// - Returns: Why it ended.
    /// - Throws: ``CaptureError``.
    func run(longest: Double, silent: @escaping @Sendable () -> Void) async throws -> SoundCapture.End {
        var options = SoundCapture.Options(
            device: device,
            sampleRate: RecognitionClip.sampleRate,
            longest: min(longest, Double(PracticeSessions.longestTake))
        )
        // Short pieces let the end of speech be detected soon after it.
        if listener != nil { options.piecesPerSecond = 10 }
        if state.withLock(\.samples.isEmpty) { await listener?.begin() }
        return try await SoundCapture(from: devices).run(options) { device in
            state.withLock { $0.sampleRate = device.sampleRate }
        } report: {
            await report($0)
        } take: { [self] samples in
            state.withLock { $0.samples += samples }
            if await listener?.add(samples) == true { silent() }
        }
    }

    var hasSound: Bool { state.withLock { !$0.samples.isEmpty } }

    /// The recording as a clip; `nil` when nothing was recorded.
    var clip: AudioClip? {
        state.withLock { state in
            guard !state.samples.isEmpty, state.sampleRate > 0 else { return nil }
            return AudioClip(pcm16: state.samples, sampleRate: state.sampleRate)
        }
    }

    /// The recording as a WAV file; `nil` when nothing was recorded.
    var file: Data? {
        state.withLock { state in
            state.samples.isEmpty ? nil : WAVHeader.file(of: state.samples, sampleRate: state.sampleRate)
        }
    }
}

/// The time of one turn: the pause in which a person repeats a segment.
///
/// It ends by itself, or by the cancellation of its task when the person pauses or moves on; no event marks the mere
/// passing of time.
struct TurnTimer: Sendable {
    /// The interval between progress reports, in seconds.
    static let step = 0.1

    let clock: any Clock<Duration>

    /// Waits until the turn is over.
    ///
    /// - Parameters:
    ///   - seconds: The length from now; `nil` waits until the task is cancelled.
    ///   - show: Receives the seconds that have passed, at the beginning and at each ``step``.
    /// - Throws: `CancellationError`.
    func run(_ seconds: Double?, show: @Sendable (Double) async -> Void) async throws {
        let watch = clock.stopwatch()
        while true {
            let elapsed = watch() / .seconds(1)
            await show(elapsed)
            let left = seconds.map { $0 - elapsed } ?? Self.step
            guard left > 0 else { return }
            try await clock.sleep(for: .seconds(min(Self.step, left)))
        }
    }
}
