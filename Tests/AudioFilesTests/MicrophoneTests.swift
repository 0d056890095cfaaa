import AudioFiles
import EchoText
import EchoTextTesting
import Testing

@Suite("Microphones", .endsInTime)
struct MicrophoneTests {
    private let nowhere = Microphones.Route.pulseAudio(server: "unix:/nonexistent/socket")

    @Test(
        "keep every promise of a capture device",
        .enabled(if: LoudspeakerSinkTests.hasALSA, "needs ALSA's configuration (package libasound2-data)")
    )
    func contract() async throws {
        let microphones = Microphones(routes: [nowhere, .alsa])
        try await verifyContract(ofDevices: { try await microphones.open("null", rates: SoundCapture.rates) })
    }

    @Test(
        "are opened at the first rate they have",
        .enabled(if: LoudspeakerSinkTests.hasALSA, "needs ALSA's configuration (package libasound2-data)")
    )
    func rates() async throws {
        let device = try await Microphones(routes: [.alsa]).open("null", rates: [44_100, 16_000])
        #expect(device.sampleRate == 44_100)
        device.close()
    }

    @Test("are missed with words that say what to do")
    func none() async {
        let microphones = Microphones(routes: [nowhere])
        await #expect(throws: CaptureError.noMicrophone) { try await microphones.open(nil, rates: [48_000]) }
        await #expect(throws: CaptureError.deviceNotFound("hw:31")) {
            try await Microphones(routes: [nowhere, .alsa]).open("hw:31", rates: [48_000])
        }
        #expect(await microphones.all().isEmpty)
    }
}
