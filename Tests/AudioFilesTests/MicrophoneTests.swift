import EchoText
import EchoTextTesting
import Testing

@testable import AudioFiles

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

    /// A device that gives two pieces, before the second of which some sound is lost.
    private final class BusyDevice: CaptureSource {
        let name = "busy"
        let sampleRate = 8_000
        private var pieces: [[Int16]] = [[1, 2], [3, 4]]
        private var lost = 0.0

        func read() -> [Int16] {
            if pieces.count == 1 { lost = 1.5 }
            return pieces.isEmpty ? [] : pieces.removeFirst()
        }

        func takeLost() -> Double {
            defer { lost = 0 }
            return lost
        }
    }

    @Test("report once before which sound some was lost")
    func lost() async throws {
        let microphone = Microphone(BusyDevice())
        #expect(try await microphone.next() == [1, 2])
        let before = microphone.takeLost()
        #expect(try await microphone.next() == [3, 4])
        let losses = [before, microphone.takeLost(), microphone.takeLost()]
        #expect(losses == [0, 1.5, 0])
        await #expect(throws: CaptureError.deviceGone) { _ = try await microphone.next() }
    }

    @Test("measure how much sound was not read in time")
    func reckoned() {
        let start = SuspendingClock.now
        var loss = CaptureLoss()
        loss.didOverrun(at: start)
        loss.didRead(at: start + .seconds(1))
        let first = loss.take()
        loss.didOverrun(at: start + .seconds(3.5))
        loss.didRead(at: start + .seconds(4))
        let second = loss.take()
        #expect((first, second) == (0, 2.5), "nothing was heard before the first")
        loss.willRead(at: start + .seconds(34), of: 40)
        loss.didRead(at: start + .seconds(34))
        let held = loss.take()
        loss.willRead(at: start + .seconds(84), of: 40)
        let dropped = [loss.take(), loss.take()]
        #expect(held == 0 && dropped == [10, 0], "the device holds some")
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
