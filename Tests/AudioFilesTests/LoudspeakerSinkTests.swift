import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Loudspeaker", .endsInTime)
struct LoudspeakerSinkTests {
    /// ALSA's own way to see what a card would get: a device that writes it to a file.
    private func file(_ path: String) -> LoudspeakerSink.Route { .alsa(device: "file:'\(path)',raw") }

    static let hasALSA = FileManager.default.fileExists(atPath: "/usr/share/alsa/alsa.conf")

    @Test(
        "keeps every promise of a sink",
        .enabled(if: hasALSA, "needs ALSA's configuration (package libasound2-data)")
    )
    func contract() async throws {
        try await verifyContract(ofLoudspeakersFor: 22_050) {
            try await LoudspeakerSink(sampleRate: 22_050, routes: [.alsa(device: "null")])
        }
    }

    @Test("is sent every sample", .enabled(if: hasALSA, "needs ALSA's configuration (package libasound2-data)"))
    func samples() async throws {
        try await withTemporaryFolder { folder in
            let sink = try await LoudspeakerSink(sampleRate: 16_000, routes: [file("\(folder)/heard")])
            let tone = AudioClip.tone(440, seconds: 0.7, sampleRate: 16_000)
            try await sink.append(tone)
            try await sink.append(tone)
            try await sink.finish()
            let played = try await read("\(folder)/heard", .raw, 16_000)
            #expect(played.samples.count == 2 * tone.samples.count)
            #expect(abs(played.fundamental - 440) < 10)
        }
    }

    @Test("plays on after it fell silent", .enabled(if: hasALSA, "needs package libasound2-data"))
    func flushed() async throws {
        try await withTemporaryFolder { folder in
            let sink = try await LoudspeakerSink(sampleRate: 16_000, routes: [file("\(folder)/heard")])
            let tone = AudioClip.tone(440, seconds: 0.7, sampleRate: 16_000)
            try await sink.append(tone)
            await sink.flush()
            try await sink.append(tone)
            try await sink.finish()
            let played = try await read("\(folder)/heard", .raw, 16_000)
            #expect((tone.samples.count...2 * tone.samples.count).contains(played.samples.count))
        }
    }

    static let pulseServer = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_PULSE_SERVER"]

    @Test(
        "takes what a sound server plays",
        .enabled(if: pulseServer != nil, "set ECHOTEXT_TEST_PULSE_SERVER to the address of a PulseAudio server")
    )
    func soundServer() async throws {
        let server = try #require(Self.pulseServer)
        try await verifyContract(ofLoudspeakersFor: 22_050) {
            try await LoudspeakerSink(sampleRate: 22_050, routes: [.pulseAudio(server: server)])
        }
    }

    @Test("is found by the next route when the first fails", .enabled(if: hasALSA, "needs package libasound2-data"))
    func nextRoute() async throws {
        let nowhere = LoudspeakerSink.Route.pulseAudio(server: "unix:/nonexistent/socket")
        let sink = try await LoudspeakerSink(sampleRate: 16_000, routes: [nowhere, .alsa(device: "null")])
        try await sink.append(.tone(440, seconds: 0.1, sampleRate: 16_000))
        await sink.discard()
    }

    @Test("is missed with words that say what to do instead")
    func none() async throws {
        let error = await #expect(throws: AudioFileError.self) {
            _ = try await LoudspeakerSink(
                sampleRate: 16_000,
                routes: [.pulseAudio(server: "unix:/nonexistent/socket"), .alsa(device: "hw:31")]
            )
        }
        #expect(error == .noSoundOutput)
        #expect(error?.suggestion?.contains("-o") == true)
    }
}
