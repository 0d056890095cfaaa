package import EchoText
import Testing

/// Checks every promise ``CaptureDevice`` makes.
///
/// - Parameter open: Opens a device that gives at least a second of sound.
/// - Throws: What `open` and the device throw.
package func verifyContract(ofDevices open: () async throws -> any CaptureDevice) async throws {
    let device = try await open()
    #expect(RecordingOrder.sampleRates.contains(device.sampleRate))
    #expect(!device.name.isEmpty)
    for _ in 0..<5 { #expect(try await !device.next().isEmpty, "no piece is empty") }
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        return try await device.next()
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await !device.next().isEmpty, "a cancelled call leaves the device usable")
    device.close()
    device.close()

    let closed = try await open()
    closed.close()
    await #expect(throws: CaptureError.deviceGone) { while true { _ = try await closed.next() } }
}
