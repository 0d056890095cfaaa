/// An open microphone: mono, 16 bits.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - pieces come in order, none of them empty;
/// - a cancelled ``next()`` throws `CancellationError` at once, and loses nothing: the next call returns the sound
///   since then;
/// - after ``close()`` no piece follows.
package protocol CaptureDevice: Sendable {
    /// The name that the person knows it by.
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
    /// The available microphones, the default one first.
    func all() async -> [CaptureDeviceListing]

    /// Opens a microphone.
    ///
    /// - Parameters:
    ///   - id: An id from a listing; `nil` for the default microphone.
    ///   - rates: In hertz, in order of preference; if the device supports none of them, its own rate is resampled to
    ///     the first.
    /// - Returns: The open microphone, which records from now on.
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

/// Why a microphone cannot be recorded.
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
