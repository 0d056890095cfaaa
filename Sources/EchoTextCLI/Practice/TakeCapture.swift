import EchoText
import Foundation
import Synchronization

/// Records a person's repetition, and detects when they have fallen silent.
final class TakeCapture: Sendable {
    private struct State {
        var samples: [Int16] = []
        var sampleRate = 0
    }

    private let devices: any CaptureDevices
    private let device: String?
    private let listener: TurnListener?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - devices: The microphones.
    ///   - device: A device that ``CaptureDevices`` lists; `nil` for the default one.
    ///   - listener: Detects when the person has fallen silent; `nil` when that is not needed.
    init(from devices: any CaptureDevices, device: String?, listener: TurnListener? = nil) {
        (self.devices, self.device, self.listener) = (devices, device, listener)
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
        } report: { _ in
        } take: { [self] samples in
            state.withLock { $0.samples += samples }
            if await listener?.add(samples) == true { silent() }
        }
    }

    /// The recording as a clip; `nil` when nothing was recorded.
    var clip: AudioClip? {
        state.withLock { state in
            guard !state.samples.isEmpty, state.sampleRate > 0 else { return nil }
            return AudioClip(samples: state.samples.amplitudes(fullScale: .fullScale), sampleRate: state.sampleRate)
        }
    }

    /// The recording as a WAV file; `nil` when nothing was recorded.
    var file: Data? {
        state.withLock { state in
            state.samples.isEmpty ? nil : WAVHeader.file(of: state.samples, sampleRate: state.sampleRate)
        }
    }
}
