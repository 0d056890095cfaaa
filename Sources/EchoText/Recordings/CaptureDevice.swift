/// A microphone that is open: mono, 16 bits.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - pieces come in order, none of them empty;
/// - a cancelled ``next()`` throws `CancellationError` at once, and loses nothing: the next call returns what came meanwhile;
/// - after ``close()`` nothing more comes.
package protocol CaptureDevice: Sendable {
    /// What the person knows it by.
    var name: String { get }
    /// In hertz.
    var sampleRate: Int { get }

    /// Waits for sound, and returns it soon after it was made.
    ///
    /// - Throws: ``CaptureError/deviceGone``, `CancellationError`.
    func next() async throws -> [Int16]

    /// Ends it; safe to call more than once.
    func close()
}

/// The microphones of this machine.
package protocol CaptureDevices: Sendable {
    /// Those that can be named, the usual one first.
    func all() async -> [CaptureDeviceListing]

    /// Opens a microphone.
    ///
    /// - Parameters:
    ///   - id: As a listing has it; the usual one when absent.
    ///   - rates: In hertz, in order of preference; the device's own rate, resampled to the first, when it has none of them.
    /// - Returns: It, giving sound from now on.
    /// - Throws: ``CaptureError``.
    func open(_ id: String?, rates: [Int]) async throws -> any CaptureDevice
}

/// A microphone that can be chosen.
package struct CaptureDeviceListing: Sendable, Hashable, Codable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        (self.id, self.name) = (id, name)
    }
}

/// Why a microphone is not heard.
package enum CaptureError: UserFacingError, Equatable {
    case noMicrophone
    case deviceNotFound(String)
    /// It was unplugged, or its server has ended.
    case deviceGone

    package var failure: Failure {
        switch self {
        case .noMicrophone:
            Failure(
                .unavailable,
                "capture.no-microphone",
                "No microphone can be heard: no sound server answers and there is no sound card."
            )
            .suggesting("Connect a microphone, or start PulseAudio or PipeWire.")
        case .deviceNotFound(let name):
            Failure(.unavailable, "capture.device-not-found", "The microphone “\(name)” cannot be opened.")
                .suggesting("“echotext record --devices” lists those there are.")
        case .deviceGone:
            Failure(.inputOutput, "capture.device-gone", "The microphone is gone.")
                .suggesting("Connect it again, or choose another one.")
        }
    }
}
