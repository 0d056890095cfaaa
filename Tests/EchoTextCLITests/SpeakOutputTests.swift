import ArgumentParser
import AudioFiles
import EchoTextTesting
import Foundation
import Testing

@testable import EchoText
@testable import EchoTextCLI

@Suite("Output of echotext speak")
struct SpeakOutputTests {
    private let folder = TemporaryFolder()

    private let passage = Passage(
        sentence: 0,
        source: 0..<9,
        text: "One wave.",
        beginsSentence: true,
        endsSentence: true,
        clip: AudioClip(samples: [Float](repeating: 0.5, count: 16_000), sampleRate: 16_000),
        decay: 0,
        silence: 0,
        start: 0,
        words: [],
        isLeftOut: false,
        isSilenced: false,
        delay: nil
    )

    @Test("keeps the sound, and says that its timings are lost, where nothing takes them", arguments: [false, true])
    func losesTimings(isInterrupted: Bool) async throws {
        try FileManager.default.createSymbolicLink(atPath: folder("a.srt"), withDestinationPath: "/dev/full")
        let arguments = ["-o", folder("a.wav"), "--timings", folder("a.srt"), "--keep-partial"]
        let output = try await SpeakOutput(try OutputOptions.parse(arguments), sampleRate: 16_000)
        await #expect(throws: AudioFileError.self) { try await output.append(passage) }
        let hasTimings = try await isInterrupted ? output.keep() : output.keepWritten()
        #expect(!hasTimings)
        #expect(try await SoundFileReader().read(folder("a.wav"), limit: 1_000_000).seconds == 1)
    }
}
