import EchoText
import Foundation
import Synchronization

/// Records what a person repeats, and hears when they have fallen silent.
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
    ///   - device: As ``CaptureDevices`` lists it; the usual one when absent.
    ///   - listener: Hears when the person has fallen silent; `nil` when nothing depends on it.
    init(from devices: any CaptureDevices, device: String?, listener: TurnListener? = nil) {
        (self.devices, self.device, self.listener) = (devices, device, listener)
    }

    /// Records until the task is cancelled; a second run adds to the first.
    ///
    /// - Parameters:
    ///   - longest: How long it records at most, in seconds.
    ///   - silent: Called when the person has said something and fallen silent.
    /// - Returns: Why it ended.
    /// - Throws: ``CaptureError``.
    func run(longest: Double, silent: @escaping @Sendable () -> Void) async throws -> SoundCapture.End {
        var options = SoundCapture.Options(
            device: device,
            sampleRate: RecognitionClip.sampleRate,
            longest: min(longest, Double(PracticeSessions.longestTake))
        )
        // The end of speech is heard so soon after it.
        if listener != nil { options.piecesPerSecond = 10 }
        if state.withLock(\.samples.isEmpty) { await listener?.begin() }
        return try await SoundCapture(from: devices).run(options) { device in
            state.withLock { $0.sampleRate = device.sampleRate }
        } report: { _ in
        } take: { [self] samples in
            state.withLock { $0.samples += samples }
            if await listener?.hear(samples) == true { silent() }
        }
    }

    /// The WAV file of what was recorded; `nil` when there is nothing.
    var file: Data? {
        state.withLock { state in
            state.samples.isEmpty ? nil : WAVHeader.file(of: state.samples, sampleRate: state.sampleRate)
        }
    }
}
